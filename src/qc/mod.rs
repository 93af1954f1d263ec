//! QuakeC: the builtins of skeletal objects for any engine.
//!
//! [`TABLE`] lists every builtin once, with number, names, signature and function. An engine with its own script
//! machine implements [`Host`] and [`Args`] over it, and calls the builtins that [`Builtin::by_number`] or
//! [`Builtin::by_name`] finds. For engines without a machine the feature `qcvm` adds `vm`, which is the crate
//! `skelobj-qcvm`, and the builtins on its machine: `VmHost` and `Environment`.
//!
//! In the examples of this module `Engine` is the host that [`Host`] shows, with the mannequin as its model 1.

mod args;
mod argument_number;
mod builtins;
mod call;
#[cfg(feature = "qcvm")]
mod check;
mod dialect;
mod document;
mod extensions;
mod frame_state;
mod host;
mod named;
#[cfg(feature = "qcvm")]
mod parameters;
mod scene;
#[cfg(feature = "qcvm")]
mod script_call;
#[cfg(feature = "qcvm")]
mod script_files;
mod script_host;
#[cfg(feature = "qcvm")]
mod script_warning;
mod table;
#[cfg(feature = "qcvm")]
mod vm_host;

use crate::Dialect;
pub use args::{Args, Entity, Function, Pointer};
pub use document::{header, reference};
pub use extensions::{EXTENSIONS, Extension, has_extension};
pub use host::{Field, Host, MatchedFrame, ModelRef, Rules, SingleFrame, TagInfo};
pub use scene::{Scene, SceneEntity};
#[cfg(feature = "qcvm")]
pub use script_call::ScriptCall;
#[cfg(feature = "qcvm")]
pub use script_files::ScriptFiles;
pub use script_host::{ScriptHost, ScriptResult, ScriptTrace};
#[cfg(feature = "qcvm")]
pub use script_warning::{ScriptReport, ScriptWarning};
#[cfg(feature = "qcvm")]
pub use skelobj_qcvm as vm;
pub use table::{Builtin, Family, TABLE};
#[cfg(feature = "qcvm")]
pub use vm_host::{Environment, VmHost};
