//! Skinning palettes of many objects at once.

use super::{Runtime, SkelId};
use crate::math::Mat3x4;
use crate::skeleton::{SkelError, SkeletalObject};

/// Number of bones below which one thread is done before others have woken up: 150 objects with 64 bones.
#[cfg(feature = "parallel")]
const WORTH_THREADS: usize = 150 * 64;
/// Minimum number of objects that a thread takes at a time.
#[cfg(feature = "parallel")]
const PIECE: usize = 16;

impl Runtime {
    /// Writes the skinning palettes of many objects, for renderers that fetch all of them once a frame.
    ///
    /// The palette of object `i` begins at `out[i * stride]` and has one matrix for each bone of the object, at most
    /// `stride`. Matrices for which `out` has no room are left out. With the feature `parallel`, more than about 150
    /// objects of 64 bones are split over rayon's threads; the result is bit-identical.
    ///
    /// ```
    /// use skelobj::math::Mat3x4;
    /// use skelobj::skeleton::Space;
    /// use skelobj::{Model, Runtime, assets};
    ///
    /// let mut runtime = Runtime::default();
    /// let model = Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_| None)?;
    /// let stride = model.skeleton.len();
    /// let model = runtime.add_model("mannequin.iqm", model)?;
    /// let crowd = [runtime.create_skeleton(model, Space::Local)?, runtime.create_skeleton(model, Space::Local)?];
    /// let mut palettes = vec![Mat3x4::IDENTITY; crowd.len() * stride];
    /// runtime.write_palettes(&crowd, stride, &mut palettes)?;
    /// let second = &palettes[stride..]; // what object 1 is skinned with
    /// assert_eq!(second, [Mat3x4::ZERO; 21]); // it was never built
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`SkelError::NoSuchObject`] if any of the objects does not exist. Nothing is written.
    pub fn write_palettes(&self, objects: &[SkelId], stride: usize, out: &mut [Mat3x4]) -> Result<(), SkelError> {
        let objects: Option<Vec<&SkeletalObject>> = objects.iter().map(|&id| self.object(id)).collect();
        let objects = objects.ok_or(SkelError::NoSuchObject)?;
        if stride == 0 {
            return Ok(());
        }
        #[cfg(feature = "parallel")]
        if objects.iter().map(|object| object.bone_count()).sum::<usize>() >= WORTH_THREADS {
            use rayon::prelude::*;
            let palettes = out.par_chunks_mut(stride).zip(&objects).with_min_len(PIECE);
            palettes.for_each(|(out, object)| object.write_palette(out));
            return Ok(());
        }
        for (out, object) in out.chunks_mut(stride).zip(objects) {
            object.write_palette(out);
        }
        Ok(())
    }
}
