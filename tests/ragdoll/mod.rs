//! Tests of the module `ragdoll`.

mod commands;
mod cone;
mod crowd;
mod determinism;
mod determinism_pile;
mod drive;
mod drop;
mod drop_start;
mod friction;
mod getup;
mod guard;
mod hit;
mod host_world;
mod hostile;
mod impacts;
mod joints;
mod living;
mod match_pose;
mod muscle;
mod pop;
mod scale;
mod sever;
mod slow_frames;
mod stability;
mod trace;
mod water;
