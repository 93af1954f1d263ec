//! Check of a doll: its text, its model, and a number of drops.

mod animation_rules;
mod check_scene;
mod drop_rules;
mod fit;
mod shape_rules;
mod soft_stop_rules;

use std::sync::Arc;

use super::Ragdoll;
use super::drop_test::DropReport;
use crate::doll::draft::Draft;
use crate::doll::encoding::Source;
use crate::doll::{DollProblem, lint};
use crate::model::Model;
use check_scene::Scene;
use drop_rules::Dropping;
pub use fit::CheckedFit;

/// Check of a `.doll` file against a model, with limits that its drops must keep.
///
/// Beyond [`lint`](crate::doll::lint()), it reports bodies far from the vertices that they move, joints far from their
/// bodies, bodies that overlap without a joint, shapes far larger or smaller than their vertices, dolls of models of
/// another size, and animations that leave the stops of a joint. A doll without errors is then dropped, and compared
/// with the limits. The command `skelobj check` runs the same check.
///
/// ```
/// use skelobj::assets;
/// use skelobj::ragdoll::DollCheck;
/// use std::sync::Arc;
/// let model = Arc::new(assets::mannequin());
/// let mut check = DollCheck::default();
/// check.drops = 2;
/// let report = check.run(assets::MANNEQUIN_DOLL, &model);
/// assert_eq!((report.problems.len(), report.drops.len()), (0, 2));
///
/// let text = b"
/// body chest chest
/// body head head
///     size 8
/// joint neck chest head
///     type hinge
///     swing -1 2
///     pivot foot_l
/// ";
/// let report = check.run(text, &model);
/// assert!(report.problems.iter().any(|problem| problem.code() == "joint-far"), "{:?}", report.problems);
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct DollCheck {
    /// Number of drops, at most [`MAX_DROPS`](Self::MAX_DROPS); drop number N is that of
    /// [`DropTest::with_seed`](crate::DropTest::with_seed) with N, from 0. Default 20.
    pub drops: u64,
    /// Maximum gap between the anchors of a joint at rest, Quake units, of a doll of the mannequin's size; the limit
    /// follows the size in steps of two, from 1 to 4096 units of height. Eight times as much is allowed while falling.
    /// A negative limit or NaN allows no gap at all. Default 0.5.
    pub max_gap: f32,
    /// Maximum time to come to rest, seconds from 0 to [`DropTest::MAX_SECONDS`](crate::DropTest::MAX_SECONDS); any
    /// other time is reported as `drop-refused`. Default 8.
    pub max_sleep: f32,
    /// Maximum excess of a joint beyond a stop, radians, 0 or more. Default 0.5.
    pub max_stop_excess: f32,
    /// Maximum excess of a slider beyond a stop, Quake units, 0 or more, of a doll of the mannequin's size. Default 4.
    pub max_slide_excess: f32,
}

impl Default for DollCheck {
    fn default() -> Self {
        Self { drops: 20, max_gap: 0.5, max_sleep: 8.0, max_stop_excess: 0.5, max_slide_excess: 4.0 }
    }
}

/// Result of a [`DollCheck`].
///
/// ```
/// use skelobj::assets;
/// use skelobj::ragdoll::DollCheck;
/// use std::sync::Arc;
/// let model = Arc::new(assets::mannequin());
/// let report = DollCheck::default().run(b"body head haed\n", &model);
/// assert!(report.has_errors() && report.drops.is_empty()); // a doll with errors is not dropped
/// assert!(report.problems[0].to_string().ends_with("did you mean `head`?"));
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct CheckReport {
    /// Problems in the order of the text.
    pub problems: Vec<DollProblem>,
    /// Measurements of the drops; empty if the doll has errors.
    pub drops: Vec<DropReport>,
}

impl CheckReport {
    /// Returns `true` if any of the problems is an error; warnings do not count.
    ///
    /// ```
    /// use skelobj::assets;
    /// use skelobj::ragdoll::DollCheck;
    /// use std::sync::Arc;
    /// let model = Arc::new(assets::mannequin());
    /// let mut check = DollCheck::default();
    /// check.drops = 1;
    /// assert!(!check.run(assets::MANNEQUIN_DOLL, &model).has_errors());
    /// check.max_sleep = 0.1;
    /// assert!(check.run(assets::MANNEQUIN_DOLL, &model).has_errors());
    /// ```
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.problems.iter().any(|p| p.severity() == crate::doll::Severity::Error)
    }
}

impl DollCheck {
    /// Maximum number of drops of a check.
    pub const MAX_DROPS: u64 = 10_000;

    /// Checks the text of a `.doll` file on a model. The drops run on all threads that the machine offers; their number
    /// does not change the result.
    ///
    /// ```
    /// use skelobj::assets;
    /// use skelobj::ragdoll::DollCheck;
    /// use std::sync::Arc;
    /// let model = Arc::new(assets::mannequin());
    /// let mut check = DollCheck::default();
    /// check.drops = 0;
    /// let text = b"body chest chest
    ///     size 7 11 8
    /// body head head
    ///     size 7
    /// joint neck chest head
    ///     type hinge
    ///     HiStop 0
    ///     LoStop -0.1
    /// ";
    /// let report = check.run(text, &model);
    /// let beyond = report.problems.iter().find(|problem| problem.code() == "animation-beyond-stop");
    /// assert!(beyond.is_some_and(|problem| problem.line == 7 || problem.line == 8)); // the line of the stop
    /// ```
    #[must_use]
    pub fn run(&self, text: &[u8], model: &Arc<Model>) -> CheckReport {
        self.run_with(text, model, || ())
    }

    /// Checks as [`run`](Self::run) does, and calls `dropped` after each drop, on the thread of the drop.
    ///
    /// ```
    /// use skelobj::assets;
    /// use skelobj::ragdoll::DollCheck;
    /// use std::sync::Arc;
    /// use std::sync::atomic::{AtomicU64, Ordering};
    /// let mut check = DollCheck::default();
    /// check.drops = 3;
    /// let done = AtomicU64::new(0);
    /// let count = || eprintln!("drop {} of {}", done.fetch_add(1, Ordering::Relaxed) + 1, check.drops);
    /// check.run_with(assets::MANNEQUIN_DOLL, &Arc::new(assets::mannequin()), count);
    /// assert_eq!(done.into_inner(), 3);
    /// ```
    #[must_use]
    pub fn run_with(&self, text: &[u8], model: &Arc<Model>, dropped: impl Fn() + Sync) -> CheckReport {
        self.measure(text, model, &dropped).0
    }

    /// Checks the text and returns what the drops measured, too, but for their reports.
    fn measure(&self, text: &[u8], model: &Arc<Model>, dropped: &(dyn Fn() + Sync)) -> (CheckReport, Dropping) {
        let source = Source::of(text);
        let mut draft = lint::draft(&source, Some(model));
        let drawn = draft.doll.bodies.len() <= Ragdoll::MAX_BODIES && draft.doll.joints.len() <= Ragdoll::MAX_JOINTS;
        if drawn
            && let Some(scene) = Scene::new(&draft.doll, model)
            && !shape_rules::other_scale(&mut draft, &scene)
        {
            RULES.iter().for_each(|rule| rule(&mut draft, &scene));
        }
        let mut dropping = match draft.problems.has_errors() {
            true => Dropping::default(),
            false => drop_rules::run(self, &mut draft, model, dropped),
        };
        let drops = std::mem::take(&mut dropping.drops);
        (CheckReport { problems: draft.finish().problems, drops }, dropping)
    }
}

const RULES: [fn(&mut Draft, &Scene); 7] = [
    shape_rules::unusable_masses,
    shape_rules::far_bodies,
    shape_rules::far_joints,
    shape_rules::overlaps,
    shape_rules::odd_sizes,
    animation_rules::beyond_stops,
    soft_stop_rules::weak_soft_stops,
];
