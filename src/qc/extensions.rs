//! What the builtins amount to, by name.

/// The extensions that the builtins of [`TABLE`](super::TABLE) provide as a whole: for an engine's checkextension.
pub const EXTENSIONS: &[&str] =
    &["DP_QC_GETTAGINFO", "FTE_CSQC_BASEFRAME", "FTE_CSQC_HALFLIFE_MODELS", "FTE_CSQC_SKELETONOBJECTS"];
