//! Builtins that use pointers.

use skelobj_model::internal;

use crate::model::{Blend, FrameState, PoseParameters};
use crate::object::Build;
use crate::qc::Host;
use crate::qc::Pointer;
use crate::qc::call::Call;

/// Runs `skel_mmap` (#282): returns a pointer to the object's matrices, null without an object.
pub(crate) fn mmap(call: &mut Call<'_, impl Host + ?Sized>) {
    let id = call.object(0);
    match id.and_then(|id| Some((id, call.runtime.object_mut(id)?))) {
        Some((id, object)) => call.host.return_bones(id, internal::bones_in_place(object)),
        None => call.host.return_null(),
    }
}

/// Words of FTE's `skelblend_t`.
///
/// They are model, reserved, first and last bone (integers), prescale, four weights, four animations (integers), four
/// times, two sub-blends and five controllers.
const BLEND_WORDS: usize = 24;
/// Maximum number of structures that one call reads.
const MAX_BLENDS: i32 = 1024;

/// Runs `skel_build_ptr`: builds from consecutive structures in the script's memory.
pub(crate) fn build_ptr(call: &mut Call<'_, impl Host + ?Sized>) {
    call.host.return_float(0.0);
    let id = call.live_object(0);
    let (count, at, size) = (call.host.int(1), call.host.pointer(2), call.host.int(3));
    let Some(id) = id else { return };
    let Ok(size) = u64::try_from(size) else { return };
    if size < 4 * BLEND_WORDS as u64 || !(0..=MAX_BLENDS).contains(&count) {
        let expected = format_args!("expected 0 to {MAX_BLENDS} of at least {} bytes", 4 * BLEND_WORDS);
        call.complain(&format_args!("{count} structures of {size} bytes, {expected}"));
        return;
    }
    for number in 0..count as u64 {
        let mut words = [0; BLEND_WORDS];
        let at = Pointer(at.0.wrapping_add(number * size));
        if !call.host.read_memory(at, &mut words) {
            call.complain(&"the pointer refers to no readable memory");
            return;
        }
        let (model, frame, build) = parse(&words);
        let Some(model) = call.host.model(call.runtime, model).id() else { return };
        if !call.charge_bones(id, 8) {
            return;
        }
        let built = call.runtime.build(id, model, &frame, &build);
        if !call.check(built) {
            return;
        }
    }
    call.host.return_float(id.get() as f32);
}

fn parse(words: &[u32; BLEND_WORDS]) -> (i32, FrameState, Build) {
    let int = |word: usize| words[word] as i32;
    let float = |word: usize| match f32::from_bits(words[word]) {
        value if value.is_finite() => value,
        _ => 0.0,
    };
    let blend = |n: usize| Blend { weight: float(5 + n), animation: int(9 + n), time: float(13 + n).into() };
    let blends = [0, 1, 2, 3].map(blend);
    let parameters = PoseParameters {
        blends: [17, 18].map(|word| (float(word) + 1.0) * 0.5),
        controllers: [19, 20, 21, 22, 23].map(float),
    };
    // skel_build counts bones from 1, excludes the last one, and takes 0 as the end.
    let index = |bone: i32| usize::try_from(i64::from(bone) - 1).ok();
    let (first, last) = (index(int(2)).unwrap_or(0), index(int(3)).unwrap_or(usize::MAX));
    let build = Build { retain: float(4), add: 1.0, bones: first..last.max(first) };
    (int(0), internal::with_f32_times(FrameState::blended(blends).with_parameters(parameters)), build)
}
