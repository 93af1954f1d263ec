//! Built-in test model, animations and doll: the mannequin.
//!
//! [`mannequin_runtime`] starts an experiment with one call; the constants are the files.
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

use std::sync::Arc;

use crate::doll::Doll;
use crate::model::{FrameState, Model};
use crate::object::{Build, SkeletalObject, Space};
use crate::runtime::{ObjectId, Runtime};

/// Skinned humanoid as an IQM file: 21 bones, 64 Quake units tall, with the animations idle, walk, run and death.
///
/// In the bind pose the Z axis of each bone points along the bone, toward its child, and the X axis (`forward` of its
/// matrix) to the front of the mannequin: that of the head is the direction in which it looks. The bones of the feet
/// and toes lie flat, so their Z axis points to the front and their X axis up.
///
/// ```
/// use skelobj::math::Vec3;
/// let mannequin = skelobj::assets::mannequin();
/// let axes = |name: &str| mannequin.skeleton.find(name).map(|bone| mannequin.skeleton.bind_model()[bone]);
/// assert!(axes("head").expect("a head").forward().distance(Vec3::X) < 1e-3);
/// assert!(axes("toe_l").expect("a toe").up().distance(Vec3::X) < 1e-3);
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
/// let mut mannequin = assets::mannequin();
/// let get_ups = Model::load("mannequin_getup.iqm", assets::MANNEQUIN_GETUP_IQM, |_| None)?;
/// assert!(mannequin.add_animations(&get_ups)?.is_complete());
/// assert_eq!(mannequin.find_animation("getup_front"), Some(5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub const MANNEQUIN_GETUP_IQM: &[u8] = include_bytes!("../dolls/mannequin_getup.iqm");
/// Doll of the mannequin as `.doll` text, commented line by line.
pub const MANNEQUIN_DOLL: &[u8] = include_bytes!("../dolls/mannequin.doll");

/// Returns the model of [`MANNEQUIN_IQM`].
///
/// ```
/// let mannequin = skelobj::assets::mannequin();
/// assert_eq!(mannequin.skeleton.len(), 21);
/// ```
#[must_use]
pub fn mannequin() -> Model {
    Model::load("mannequin.iqm", MANNEQUIN_IQM, |_| None).expect("the built-in model is sound")
}

/// Returns the doll of [`MANNEQUIN_DOLL`], with its references resolved for [`mannequin`].
///
/// ```
/// let doll = skelobj::assets::mannequin_doll();
/// assert_eq!((doll.bodies.len(), doll.joints.len()), (16, 15));
/// ```
#[must_use]
pub fn mannequin_doll() -> Doll {
    Doll::parse_for(MANNEQUIN_DOLL, &mannequin().skeleton).doll
}

/// Returns a skeletal object of the [`mannequin`] in its bind pose, with bones relative to their parents
/// ([`Space::Local`]).
///
/// ```
/// let object = skelobj::assets::mannequin_object();
/// assert_eq!(object.pose().bones(), object.model().skeleton.bind_local());
/// ```
#[must_use]
pub fn mannequin_object() -> SkeletalObject {
    let model = Arc::new(mannequin());
    let mut object = SkeletalObject::new(model.clone(), Space::Local);
    object.set_local_pose(model.skeleton.bind_local()).expect("the bind pose has one matrix per bone");
    object
}

/// Returns a runtime that can load the three files of the mannequin by their names, and the id of an object of the
/// mannequin in the first frame of "idle".
///
/// The model is `runtime.model_by_name("mannequin.iqm")`. The world has a floor at z = 0: an entity at the origin
/// stands on it.
///
/// ```
/// use skelobj::{assets, math::Mat3x4};
///
/// let (mut runtime, object) = assets::mannequin_runtime();
/// let mut command = |text: &str| runtime.ragdoll_command(object, &Mat3x4::IDENTITY, text, None);
/// command("doll mannequin.doll")?;
/// command("animate 0")?; // it dies
/// for _frame in 0..60 {
///     runtime.step(1.0 / 60.0)?; // and falls
/// }
/// let bodies = runtime.ragdoll(object).expect("a ragdoll").bodies(runtime.physics());
/// assert!(bodies.into_iter().all(|body| body.position.z < 30.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn mannequin_runtime() -> (Runtime, ObjectId) {
    let mut runtime = Runtime::default();
    runtime.set_files(|name: &str| match name {
        "mannequin.iqm" => Some(MANNEQUIN_IQM.to_vec()),
        "mannequin_getup.iqm" => Some(MANNEQUIN_GETUP_IQM.to_vec()),
        "mannequin.doll" => Some(MANNEQUIN_DOLL.to_vec()),
        _ => None,
    });
    runtime.physics_mut().add_floor(0.0).expect("a new world has room for a floor");
    let model = runtime.load_model("mannequin.iqm").expect("the built-in model is sound");
    let object = runtime.create_object(model, Space::Local).expect("a new runtime has room for an object");
    let built = runtime.build(object, model, &FrameState::single(0, 0.0), &Build::REPLACE);
    built.expect("the model has the animation \"idle\"");
    (runtime, object)
}
