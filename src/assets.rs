//! Built-in test model, animations and doll: the mannequin.
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
/// Two more animations of the mannequin, in an IQM file without a skin: "getup_back" begins on the back, "getup_front"
/// on the face, and both end in the first pose of "idle".
///
/// [`Runtime::build`](crate::Runtime::build) plays them from this model on the mannequin's bones;
/// [`Model::add_animations`](crate::Model::add_animations) appends them to those of the mannequin.
///
/// ```
/// use skelobj::{Model, assets};
/// let mut mannequin = Model::load("mannequin.iqm", assets::MANNEQUIN_IQM, |_| None)?;
/// let get_ups = Model::load("mannequin_getup.iqm", assets::MANNEQUIN_GETUP_IQM, |_| None)?;
/// assert!(mannequin.add_animations(&get_ups)?.is_complete());
/// assert_eq!(mannequin.find_animation("getup_front"), Some(5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub const MANNEQUIN_GETUP_IQM: &[u8] = include_bytes!("../dolls/mannequin_getup.iqm");
/// Doll of the mannequin as `.doll` text, commented line by line.
pub const MANNEQUIN_DOLL: &[u8] = include_bytes!("../dolls/mannequin.doll");
