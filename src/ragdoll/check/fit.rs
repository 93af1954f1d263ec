//! Dolls that are fitted, dropped, and changed where drops throw them past their stops.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::super::tuning::{CALMER_FRICTION, CALMEST_FRICTION, FAR_EXCESS_RATIO, MAX_FITS, SAFE_EXCESS_SHARE};
use super::drop_rules::Dropping;
use super::{CheckReport, DollCheck};
use crate::doll::fit::{Fitted, Lessons, fit_after_drops};
use crate::doll::{Fit, FitError, FitOptions};
use crate::model::Model;

/// Result of [`DollCheck::fit`].
///
/// ```
/// use skelobj::assets;
/// use skelobj::doll::FitOptions;
/// use skelobj::ragdoll::DollCheck;
/// use std::sync::Arc;
/// let mut check = DollCheck::default();
/// check.drops = 2;
/// let checked = check.fit(&Arc::new(assets::mannequin()), &FitOptions::default())?;
/// assert!(checked.report.problems.is_empty());
/// assert!(checked.fit.text.starts_with(b"// Ragdoll: 16 bodies, 15 joints"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct CheckedFit {
    /// Fitted doll.
    pub fit: Fit,
    /// Report of the check of its text: what is left.
    pub report: CheckReport,
}

impl DollCheck {
    /// Fits a doll to a model as [`fit`](crate::doll::fit()) does, and checks it.
    ///
    /// Joints that drops throw past their stops, or that do not rest, get more room and more friction, in steps, and
    /// are fixed where that does not help. A doll that falls badly as a whole gets more friction, and then fewer
    /// bodies. It is fitted and dropped again up to 12 times; the result is the doll with the fewest problems, and its
    /// text says which joints were changed. The same model and check give the same text. `skelobj fit` calls this.
    ///
    /// # Errors
    /// The errors of [`fit`](crate::doll::fit()).
    ///
    /// ```
    /// use skelobj::assets;
    /// use skelobj::doll::{FitError, FitOptions};
    /// use skelobj::ragdoll::DollCheck;
    /// use std::sync::Arc;
    /// let mut bones_only = assets::mannequin();
    /// bones_only.meshes.clear();
    /// let bones_only = Arc::new(bones_only);
    /// let mut options = FitOptions::default();
    /// let mut check = DollCheck::default();
    /// check.drops = 1;
    /// assert_eq!(check.fit(&bones_only, &options), Err(FitError::NoSkin { vertices: 0 }));
    /// options.without_skin = true;
    /// assert!(check.fit(&bones_only, &options).is_ok());
    /// ```
    pub fn fit(&self, model: &Arc<Model>, options: &FitOptions) -> Result<CheckedFit, FitError> {
        let mut lessons = Lessons::none(options);
        let mut best: Option<(f32, CheckedFit)> = None;
        for _round in 0..MAX_FITS {
            let fitted = fit_after_drops(model, options, &lessons)?;
            let (report, dropping) = self.measure(&fitted.fit.text, model, &|| ());
            let is_clean = report.problems.is_empty();
            let learns = !is_clean && self.learn(&fitted, &report, &dropping, &mut lessons);
            let worst = dropping.excesses.iter().copied().fold(0.0, f32::max).min(10.0);
            let cost = report.problems.len() as f32 * 10.0 + worst;
            if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                best = Some((cost, CheckedFit { fit: fitted.fit, report }));
            }
            if !learns {
                break;
            }
        }
        best.map(|(_, checked)| checked).ok_or(FitError::NoUsableBone)
    }

    /// Adds what the drops of a doll show; returns `false` if nothing can be changed because of it.
    fn learn(&self, fitted: &Fitted, report: &CheckReport, dropping: &Dropping, lessons: &mut Lessons) -> bool {
        let is_found = |codes: &[&str]| report.problems.iter().any(|problem| codes.contains(&problem.code()));
        let falls_apart = is_found(&["drop-gap", "drop-non-finite"]);
        if falls_apart || is_found(&["drop-gains-energy", "drop-through-floor"]) {
            lessons.friction *= CALMER_FRICTION;
            if falls_apart || lessons.friction > CALMEST_FRICTION {
                // Long rows of small bodies are unstable.
                *lessons = Lessons { bodies: fitted.bodies.len() / 2, friction: 1.0, thrown: BTreeMap::new() };
            }
            return lessons.bodies > 0;
        }
        let mut learns = false;
        let allowed = self.max_stop_excess.max(0.0);
        let excesses =
            fitted.joints.iter().zip(&dropping.excesses).filter(|(_, excess)| **excess > SAFE_EXCESS_SHARE * allowed);
        for (&bone, &excess) in excesses {
            *lessons.thrown.entry(bone).or_default() += if excess > FAR_EXCESS_RATIO * allowed { 2 } else { 1 };
            learns = true;
        }
        for bone in dropping.restless.iter().filter_map(|&body| fitted.bodies.get(body)) {
            if fitted.joints.contains(bone) {
                *lessons.thrown.entry(*bone).or_default() += 1;
                learns = true;
            }
        }
        learns
    }
}
