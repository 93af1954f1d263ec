//! Player of recordings, which the command has.

#[path = "../../cli/src/replay/compare.rs"]
pub mod compare;
#[path = "../../cli/src/folder.rs"]
pub mod folder;
#[path = "../../cli/src/replay/host.rs"]
pub mod host;
#[path = "../../cli/src/replay/player.rs"]
pub mod player;
