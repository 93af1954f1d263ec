//! Threads: everything that holds data can be moved to another thread and shared with it.

use skelobj::doll::{Doll, DollProblem};
use skelobj::math::{EntityTransform, Mat3x4};
use skelobj::model::{FrameState, Model, Player};
use skelobj::skeleton::SkelError;
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
    is_send_and_sync::<SkelError>();
    is_send_and_sync::<Runtime>();
};

#[cfg(feature = "ragdoll")]
const _: () = {
    is_send_and_sync::<skelobj::Ragdoll>();
    is_send_and_sync::<skelobj::Physics>();
};
