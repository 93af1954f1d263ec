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
    /// Fields `absmin` and `absmax`.
    pub(super) extent: [Option<Field>; 2],
    pub(super) angles: Option<Field>,
    pub(super) flags: Option<Field>,
    pub(super) solid: Option<Field>,
    pub(super) chain: Option<Field>,
    pub(super) health: Option<Field>,
    pub(super) classname: Option<Field>,
    pub(super) ideal_yaw: Option<Field>,
    pub(super) yaw_speed: Option<Field>,
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
            extent: [b"absmin", b"absmax"].map(|name| progs.field(name)),
            angles: progs.field(b"angles"),
            flags: progs.field(b"flags"),
            solid: progs.field(b"solid"),
            chain: progs.field(b"chain"),
            health: progs.field(b"health"),
            classname: progs.field(b"classname"),
            ideal_yaw: progs.field(b"ideal_yaw"),
            yaw_speed: progs.field(b"yaw_speed"),
        }
    }
}
