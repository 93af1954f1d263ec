//! Memory for kernels, kept from call to call.

use std::cell::Cell;

use crate::math::Mat3x4;

thread_local! {
    static SCRATCH: Cell<Vec<Mat3x4>> = const { Cell::new(Vec::new()) };
}

/// Calls `with` with scratch memory of this thread, which holds arbitrary matrices.
///
/// The memory grows to the largest skeleton and is kept, as zeroing it costs more than posing does.
pub(super) fn with_scratch(bones: usize, with: impl FnOnce(&mut [Mat3x4])) {
    let mut scratch = SCRATCH.take();
    if scratch.len() < bones {
        scratch.resize(bones, Mat3x4::ZERO);
    }
    with(&mut scratch[..bones]);
    SCRATCH.set(scratch);
}
