//! Extensions of QuakeC that the builtins provide.

use super::{Builtin, Dialect, Field};

/// Extension by its name for `checkextension`, with what belongs to it.
///
/// # Example
/// ```
/// use skelobj::qc::{EXTENSIONS, has_extension};
///
/// let events = EXTENSIONS.iter().find(|extension| extension.name == "FTE_GFX_MODELEVENTS").ok_or("no events")?;
/// assert!(events.builtins.contains(&"processmodelevents"));
/// assert!(has_extension("fte_gfx_modelevents", Default::default()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extension {
    /// Name of the extension.
    pub name: &'static str,
    /// Names of its builtins.
    pub builtins: &'static [&'static str],
    /// Names of its entity fields.
    pub fields: &'static [&'static str],
}

impl Extension {
    fn is_complete(&self) -> bool {
        let has_field = |name: &str| Field::ALL.iter().any(|field| field.name() == name);
        self.builtins.iter().all(|name| Builtin::by_name(name).is_some())
            && self.fields.iter().all(|name| has_field(name))
    }
}

/// Builtins of skeletal objects, which DarkPlaces lists under two names.
const SKELETAL_OBJECTS: &[&str] = &[
    "skel_create",
    "skel_build",
    "skel_get_numbones",
    "skel_get_bonename",
    "skel_get_boneparent",
    "skel_find_bone",
    "skel_get_bonerel",
    "skel_get_boneabs",
    "skel_set_bone",
    "skel_mul_bone",
    "skel_mul_bones",
    "skel_copybones",
    "skel_delete",
    "frameforname",
    "frameduration",
];

const fn extension(
    name: &'static str,
    builtins: &'static [&'static str],
    fields: &'static [&'static str],
) -> Extension {
    Extension { name, builtins, fields }
}

/// Extensions that are provided if all their builtins and fields exist.
pub const EXTENSIONS: &[Extension] = &[
    extension("DP_QC_GETTAGINFO", &["gettagindex", "gettaginfo"], &["tag_entity", "tag_index"]),
    extension("DP_QC_GETTAGINFO_BONEPROPERTIES", &["gettaginfo"], &[]),
    extension("DP_SKELETONOBJECTS", SKELETAL_OBJECTS, &["skeletonindex"]),
    extension(
        "FTE_CSQC_BASEFRAME",
        &[],
        &["basebone", "baseframe", "baseframe2", "baselerpfrac", "baseframe1time", "baseframe2time"],
    ),
    extension(
        "FTE_CSQC_HALFLIFE_MODELS",
        &[],
        &[
            "bonecontrol1",
            "bonecontrol2",
            "bonecontrol3",
            "bonecontrol4",
            "bonecontrol5",
            "subblendfrac",
            "subblend2frac",
            "basesubblendfrac",
            "basesubblend2frac",
        ],
    ),
    extension("FTE_CSQC_SKELETONOBJECTS", SKELETAL_OBJECTS, &["skeletonindex"]),
    extension("FTE_GFX_MODELEVENTS", &["processmodelevents", "getnextmodelevent", "getmodeleventidx"], &[]),
    extension("FTE_QC_RAGDOLL_WIP", &["skel_ragupdate", "skel_set_bone_world", "skel_mmap"], &[]),
];

/// Returns `true` if all builtins and fields of an extension exist, for an engine's `checkextension`.
///
/// Names are compared case-insensitively. The `gettaginfo_` globals belong to DarkPlaces' dialect.
///
/// # Example
/// ```
/// use skelobj::Dialect;
/// use skelobj::qc::has_extension;
///
/// assert!(has_extension("FTE_CSQC_SKELETONOBJECTS", Dialect::Fte));
/// assert!(!has_extension("FTE_CSQC_RENDERTARGETS", Dialect::Fte));
/// assert!(has_extension("DP_QC_GETTAGINFO_BONEPROPERTIES", Dialect::DarkPlaces));
/// ```
#[must_use]
pub fn has_extension(name: impl AsRef<[u8]>, dialect: Dialect) -> bool {
    let name = name.as_ref();
    let is_usable =
        |extension: &Extension| extension.name != "DP_QC_GETTAGINFO_BONEPROPERTIES" || dialect == Dialect::DarkPlaces;
    let mut named = EXTENSIONS.iter().filter(|extension| extension.name.as_bytes().eq_ignore_ascii_case(name));
    named.any(|extension| extension.is_complete() && is_usable(extension))
}
