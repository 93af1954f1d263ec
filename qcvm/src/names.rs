//! Globals and fields that the machine and its standard library use by name.

use super::progs::{Field, Global, Progs};

/// Places of these names in a progs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Names {
    /// Global `self`.
    pub(super) this: Option<Global>,
    pub(super) time: Option<Global>,
    /// Globals `v_forward`, `v_right` and `v_up`.
    pub(super) axes: [Global; 3],
    pub(super) frame: Option<Field>,
    pub(super) nextthink: Option<Field>,
    pub(super) think: Option<Field>,
    pub(super) origin: Option<Field>,
    /// Fields `mins`, `maxs` and `size`.
    pub(super) size: [Option<Field>; 3],
}

impl Names {
    pub(super) fn new(progs: &Progs) -> Self {
        Names {
            this: progs.global(b"self"),
            time: progs.global(b"time"),
            axes: progs.axes(),
            frame: progs.field(b"frame"),
            nextthink: progs.field(b"nextthink"),
            think: progs.field(b"think"),
            origin: progs.field(b"origin"),
            size: [b"mins".as_slice(), b"maxs", b"size"].map(|name| progs.field(name)),
        }
    }
}
