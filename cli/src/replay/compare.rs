//! Comparison of recorded values with computed ones.

use serde_json::Value;
use skelobj::SkeletalObject;
use skelobj::math::{Axes, Vec3};
use skelobj::qc::TagInfo;

use super::host::{Returned, vector};

/// Tolerance of a comparison.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Tolerance {
    /// Equality of all bits.
    Bits,
    /// Deviation by a fraction of the number, or by an amount for numbers below 1.
    Within(f32),
}

/// Expected and found value, if they differ.
pub type Difference = Option<(String, String)>;

impl Tolerance {
    fn allows(self, wanted: f64, got: f32) -> bool {
        match self {
            // Recordings have nine digits, which identify every f32.
            Self::Bits => (wanted as f32).to_bits() == got.to_bits() && format!("{got:.8e}").parse() == Ok(wanted),
            Self::Within(fraction) => {
                let wanted = wanted as f32;
                (wanted - got).abs() <= fraction * wanted.abs().max(1.0)
            }
        }
    }

    fn allows_all<'a>(
        self,
        wanted: impl IntoIterator<Item = impl Into<f64>>,
        got: impl IntoIterator<Item = &'a f32>,
    ) -> bool {
        wanted.into_iter().zip(got).all(|(wanted, got)| self.allows(wanted.into(), *got))
    }
}

/// Compares the return value of a call.
pub fn result_differs(wanted: &Value, got: Option<&Returned>, tolerance: Tolerance) -> Difference {
    let agree = match got {
        None => wanted.is_null() || wanted == "unset",
        Some(Returned::Float(got)) => wanted.as_f64().is_some_and(|wanted| tolerance.allows(wanted, *got)),
        Some(Returned::Vector(got)) => {
            vector(wanted).is_some_and(|wanted| tolerance.allows_all(wanted.to_array(), got))
        }
        Some(Returned::Text(got)) => wanted.as_str().is_some_and(|wanted| wanted.as_bytes() == got),
        Some(Returned::Null) => wanted == "null",
        Some(Returned::Pointer) => wanted.as_str().is_some_and(|wanted| wanted != "null"),
    };
    (!agree).then(|| (wanted.to_string(), got.map_or("nothing".to_owned(), |got| format!("{got:?}"))))
}

/// Compares `v_forward`, `v_right` and `v_up` after a call.
pub fn axes_differ(wanted: &Axes, got: &Axes, tolerance: Tolerance) -> Difference {
    let pairs = [(wanted.forward, got.forward), (wanted.right, got.right), (wanted.up, got.up)];
    let agree = pairs.iter().all(|(wanted, got)| tolerance.allows_all(wanted.to_array(), &got.to_array()));
    (!agree).then(|| (format!("{wanted:?}"), format!("{got:?}")))
}

/// Compares the additional globals of DarkPlaces after gettaginfo.
pub fn info_differs(after: &Value, got: &TagInfo, tolerance: Tolerance) -> Difference {
    let wanted = after.get("gettaginfo_parent")?;
    let close = |name: &str, got: Vec3| {
        let wanted = after.get(name).and_then(vector).unwrap_or_default();
        tolerance.allows_all(wanted.to_array(), &got.to_array())
    };
    let agree = wanted.as_f64() == Some(f64::from(got.parent))
        && after["gettaginfo_name"].as_str().map(str::as_bytes) == Some(&got.name)
        && close("gettaginfo_offset", got.offset)
        && close("gettaginfo_forward", got.axes.forward)
        && close("gettaginfo_right", got.axes.right)
        && close("gettaginfo_up", got.axes.up);
    (!agree).then(|| (after.to_string(), format!("{got:?}")))
}

/// Compares the kind and the matrices of an object.
pub fn bones_differ(wanted: &Value, object: &SkeletalObject, tolerance: Tolerance) -> Difference {
    let kind = if object.pose().is_local() { "relative" } else { "absolute" };
    if wanted["type"] != kind {
        return Some((wanted["type"].to_string(), kind.to_owned()));
    }
    let bones = object.pose().bones();
    let recorded = wanted["bones"].as_array()?;
    if recorded.len() != bones.len() {
        return Some((format!("{} bones", recorded.len()), format!("{} bones", bones.len())));
    }
    let floats = |value: &Value| -> Vec<f64> {
        value.as_array().into_iter().flatten().map(|v| v.as_f64().unwrap_or(f64::NAN)).collect()
    };
    let differs = |(wanted, got): &(&Value, &skelobj::math::Mat3x4)| {
        let wanted = floats(wanted);
        wanted.len() != 12 || !tolerance.allows_all(wanted, &got.0)
    };
    let (bone, (wanted, got)) = recorded.iter().zip(bones).enumerate().find(|(_, pair)| differs(pair))?;
    Some((format!("bone {}: {wanted}", bone + 1), format!("bone {}: {:?}", bone + 1, got.0)))
}
