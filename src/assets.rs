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
pub const MANNEQUIN_IQM: &[u8] = include_bytes!("../dolls/mannequin.iqm");
/// Doll of the mannequin as `.doll` text, commented line by line.
pub const MANNEQUIN_DOLL: &[u8] = include_bytes!("../dolls/mannequin.doll");
