//! Files that a drop test reads.

use crate::files::Contents;

/// Files that a drop test reads.
pub struct Source {
    pub model: Contents,
    pub doll: Contents,
    pub level: Option<Contents>,
    /// Files beside the model.
    pub beside: Vec<Contents>,
}
