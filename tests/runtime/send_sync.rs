//! Threads: all types that hold data are `Send` and `Sync`.

use skelobj::doll::{Doll, DollProblem};
use skelobj::math::{EntityTransform, Mat3x4};
use skelobj::model::{FrameState, Model, Player};
use skelobj::object::ObjectError;
use skelobj::{Runtime, SkeletalObject};

const fn is_send_and_sync<T: Send + Sync>() {}

const _: () = {
    is_send_and_sync::<Model>();
    is_send_and_sync::<Player>();
    is_send_and_sync::<SkeletalObject>();
    is_send_and_sync::<Doll>();
    is_send_and_sync::<DollProblem>();
    is_send_and_sync::<FrameState>();
    is_send_and_sync::<EntityTransform>();
    is_send_and_sync::<Mat3x4>();
    is_send_and_sync::<ObjectError>();
    is_send_and_sync::<Runtime>();
    is_send_and_sync::<skelobj::model::ModelError>();
    is_send_and_sync::<skelobj::runtime::Trace>();
    is_send_and_sync::<skelobj::runtime::Hit>();
    is_send_and_sync::<skelobj::runtime::BoneReceiver>();
    is_send_and_sync::<skelobj::runtime::LoadModelError>();
    is_send_and_sync::<skelobj::runtime::Warning>();
    is_send_and_sync::<skelobj::Ragdoll>();
    is_send_and_sync::<skelobj::Physics>();
    is_send_and_sync::<skelobj::DropTest>();
    is_send_and_sync::<skelobj::physics::Level>();
    is_send_and_sync::<skelobj::physics::SolidMesh>();
    is_send_and_sync::<skelobj::ragdoll::Command<'_>>();
    is_send_and_sync::<skelobj::runtime::RagdollCommandError>();
};

#[cfg(feature = "serde")]
const _: () = {
    is_send_and_sync::<skelobj::runtime::Snapshot>();
    is_send_and_sync::<skelobj::runtime::SnapshotError>();
};
