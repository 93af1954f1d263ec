//! Skinning palettes of many objects at once.

use skelobj_model::internal;

use super::{ObjectId, Runtime};
use crate::math::Mat3x4;
use crate::object::ObjectError;

/// Number of bones below which one thread is done before others have woken up: 150 objects with 64 bones.
#[cfg(feature = "parallel")]
const WORTH_THREADS: usize = 150 * 64;
/// Number of objects that a thread takes at a time.
#[cfg(feature = "parallel")]
const PIECE: usize = 16;

impl Runtime {
    /// Writes the skinning palettes of many objects, for renderers that fetch all of them once per frame.
    ///
    /// The palette of object `i` begins at `out[i * stride]` and has one matrix for each bone of the object. With
    /// the feature `parallel`, more than about 150 objects of 64 bones are split over the calling thread and rayon's;
    /// the result is bit-identical.
    ///
    /// ```
    /// use skelobj::math::Mat3x4;
    /// use skelobj::object::Space;
    /// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
    /// let model = runtime.model_by_name("mannequin.iqm").unwrap();
    /// let crowd = [object, runtime.create_object(model, Space::Local)?];
    /// let stride = 21; // bones of the largest object
    /// let mut palettes = vec![Mat3x4::IDENTITY; crowd.len() * stride];
    /// runtime.write_palettes(&crowd, stride, &mut palettes)?;
    /// let second = &palettes[stride..]; // what object 1 is skinned with
    /// assert_eq!(second, [Mat3x4::ZERO; 21]); // it was never built
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ObjectError::NoSuchObject`] if any of the objects does not exist, [`ObjectError::TooShort`] if one has more
    /// than `stride` bones or if `out` ends before its palette. Nothing is written.
    pub fn write_palettes(&self, objects: &[ObjectId], stride: usize, out: &mut [Mat3x4]) -> Result<(), ObjectError> {
        // Looked up twice, as a list of the objects would be allocated in every frame.
        let mut bones = 0;
        for (number, &id) in objects.iter().enumerate() {
            let own = self.object(id).ok_or(ObjectError::NoSuchObject)?.bone_count();
            let room = out.len().saturating_sub(stride.saturating_mul(number));
            internal::check_room(own, room.min(stride))?;
            bones += own;
        }
        if bones == 0 {
            return Ok(());
        }
        let write = |(out, &id): (&mut [Mat3x4], &ObjectId)| {
            let written = self.write_palette(id, out);
            debug_assert!(written.is_ok(), "the object exists, and `out` has room");
        };
        #[cfg(feature = "parallel")]
        if bones >= WORTH_THREADS {
            let pieces = out.chunks_mut(stride.saturating_mul(PIECE)).zip(objects.chunks(PIECE));
            share_out(pieces, |(out, objects)| out.chunks_mut(stride).zip(objects).for_each(write));
            return Ok(());
        }
        #[cfg(not(feature = "parallel"))]
        let _ = bones;
        out.chunks_mut(stride).zip(objects).for_each(write);
        Ok(())
    }
}

/// Works off pieces on the calling thread and on rayon's, which join in as soon as they have woken up.
#[cfg(feature = "parallel")]
fn share_out<T>(pieces: impl Iterator<Item = T> + Send, work: impl Fn(T) + Sync) {
    use std::sync::{Mutex, PoisonError};

    let pieces = Mutex::new(pieces);
    let next = || pieces.lock().unwrap_or_else(PoisonError::into_inner).next();
    let run = || {
        while let Some(piece) = next() {
            work(piece);
        }
    };
    rayon::in_place_scope(|scope| {
        for _ in 1..rayon::current_num_threads() {
            scope.spawn(|_| run());
        }
        run();
    });
}
