//! What scripts ask for before they use it.

use crate::qc::Host;
use crate::qc::call::Call;

/// Extensions that are there as a whole.
const EXTENSIONS: &[&str] = &[
    "DP_QC_ASINACOSATANATAN2TAN",
    "DP_QC_ETOS",
    "DP_QC_FINDFLOAT",
    "DP_QC_GETTAGINFO",
    "DP_QC_MINMAXBOUND",
    "DP_QC_RANDOMVEC",
    "DP_QC_SINCOSSQRTPOW",
    "DP_QC_VECTOANGLES_WITH_ROLL",
    "FTE_CSQC_BASEFRAME",
    "FTE_CSQC_HALFLIFE_MODELS",
    "FTE_CSQC_SKELETONOBJECTS",
];

/// #99: case does not matter.
pub(crate) fn checkextension(call: &mut Call<'_, impl Host + ?Sized>) {
    let name = call.host.string(0);
    let known = EXTENSIONS.iter().any(|extension| extension.as_bytes().eq_ignore_ascii_case(name));
    call.host.return_float(f32::from(u8::from(known)));
}
