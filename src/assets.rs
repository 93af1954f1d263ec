//! Built-in test model and doll: the mannequin.
//!
//! ```
//! use skelobj::{Doll, Model, assets};
//!
//! let model = Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_| None)?;
//! let names: Vec<String> = model.animations.iter().map(|animation| animation.name.to_string()).collect();
//! assert_eq!(names, ["idle", "walk", "run", "death"]);
//! let doll = Doll::parse_for(assets::MANNEQUIN_DOLL, &model.skeleton);
//! assert!(!doll.has_errors());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

/// Skinned humanoid as an IQM file: 21 bones, 64 Quake units tall, with the animations idle, walk, run and death.
///
/// In the bind pose the Z axis of each bone points along the bone, toward its child, and the X axis (`forward` of its
/// matrix) to the front of the mannequin: that of the head is the direction in which it looks. The bones of the feet
/// and toes lie flat, so their Z axis points to the front and their X axis up.
///
/// ```
/// # let mannequin = skelobj::Model::load("mannequin.iqm", skelobj::assets::MANNEQUIN_IQM, |_| None)?;
/// use skelobj::math::Vec3;
/// let axes = |name: &str| mannequin.skeleton.find(name).map(|bone| mannequin.skeleton.bind_model()[bone]);
/// assert!(axes("head").expect("a head").forward().distance(Vec3::X) < 1e-3);
/// assert!(axes("toe_l").expect("a toe").up().distance(Vec3::X) < 1e-3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub const MANNEQUIN_IQM: &[u8] = include_bytes!("../dolls/mannequin.iqm");
/// Doll of the mannequin as `.doll` text, commented line by line.
pub const MANNEQUIN_DOLL: &[u8] = include_bytes!("../dolls/mannequin.doll");
