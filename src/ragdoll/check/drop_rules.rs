//! Drops of a doll, held against limits.

use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use super::super::drop_test::{DropError, DropFrame, DropReport, DropTest};
use super::super::size;
use super::super::tuning::{FALLING_GAP_RATIO, MAX_ENERGY_RATIO, MAX_FLOOR_DEPTH, MAX_FLOOR_DEPTH_SHARE};
use super::DollCheck;
use super::shape_rules::extents;
use crate::doll::draft::Draft;
use crate::doll::{DollProblemKind, DropProblem, JointKind};
use crate::model::Model;

/// Measurements of all drops of a doll.
#[derive(Default)]
pub(super) struct Dropping {
    pub(super) drops: Vec<DropReport>,
    /// Greatest excess of each joint that turns, radians.
    pub(super) excesses: Vec<f32>,
    /// Bodies that moved most at the end of drops without rest.
    pub(super) restless: Vec<usize>,
}

/// Drops the doll, adds the problems that show, and returns the measurements.
pub(super) fn run(check: &DollCheck, draft: &mut Draft, model: &Arc<Model>, dropped: &(dyn Fn() + Sync)) -> Dropping {
    let doll = Arc::new(draft.doll.clone());
    let size = size::of_doll(&doll, model);
    let check = &DollCheck { max_gap: check.max_gap * size, max_slide_excess: check.max_slide_excess * size, ..*check };
    let longest = draft.doll.bodies.iter().map(|body| extents(body)[0]).fold(0.0, f32::max);
    let max_depth = (MAX_FLOOR_DEPTH * size).max(MAX_FLOOR_DEPTH_SHARE * longest);
    let mut test = DropTest::new(model.clone(), doll);
    test.seconds = check.max_sleep;
    let (mut dropping, mut worst) = (Dropping::default(), Worst::default());
    for Dropped { drop, watched, report } in drop_all(&test, check.drops.min(DollCheck::MAX_DROPS), dropped) {
        match report {
            Ok(report) => {
                worst.compare(check, drop, &watched, &report, max_depth);
                dropping.add(&watched, report);
            }
            Err(error) => {
                let why = error.to_string();
                let place = draft.bodies.first().map(|body| body.name.clone()).unwrap_or_default();
                draft.problems.add(&place, || DollProblemKind::Drop(DropProblem::Refused { why }));
                break;
            }
        }
    }
    worst.report(check, draft);
    dropping
}

impl Dropping {
    fn add(&mut self, watched: &Watched, report: DropReport) {
        self.excesses.resize(watched.excesses.len(), 0.0);
        for (most, excess) in self.excesses.iter_mut().zip(&watched.excesses) {
            *most = most.max(*excess);
        }
        let fastest = watched.speeds.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1));
        self.restless.extend(fastest.filter(|_| report.asleep_after.is_none()).map(|(body, _)| body));
        self.drops.push(report);
    }
}

struct Dropped {
    drop: u64,
    watched: Watched,
    report: Result<DropReport, DropError>,
}

/// Runs all drops on the threads that the machine offers, and returns them in order, up to the first that failed. Calls
/// `dropped` after each.
fn drop_all(test: &DropTest, drops: u64, dropped: &(dyn Fn() + Sync)) -> Vec<Dropped> {
    let (next, failed) = (AtomicU64::new(0), AtomicBool::new(false));
    let work = || {
        let mut done = Vec::new();
        while !failed.load(Ordering::Relaxed) {
            let drop = next.fetch_add(1, Ordering::Relaxed);
            if drop >= drops {
                break;
            }
            let mut watched = Watched::default();
            let report = test.clone().with_seed(drop).run_with(|frame| {
                watched.watch(frame);
                ControlFlow::Continue(())
            });
            failed.fetch_or(report.is_err(), Ordering::Relaxed);
            done.push(Dropped { drop, watched, report });
            dropped();
        }
        done
    };
    let threads = thread::available_parallelism().map_or(1, |threads| threads.get() as u64).min(drops);
    let mut all = thread::scope(|scope| {
        // On a machine without threads, this thread runs all drops.
        let others: Vec<_> =
            (1..threads).filter_map(|_| thread::Builder::new().spawn_scoped(scope, work).ok()).collect();
        let mut all = work();
        // A panic is a defect of this library: it must not pass for a drop that went well.
        all.extend(others.into_iter().flat_map(|other| other.join().unwrap_or_else(|panic| resume_unwind(panic))));
        all
    });
    all.sort_by_key(|dropped| dropped.drop);
    all
}

/// Measurements of a drop for each joint and body.
#[derive(Default)]
struct Watched {
    /// Gaps of all joints at the end, Quake units.
    gaps: Vec<f32>,
    /// Widest gap of each joint, Quake units.
    widest: Vec<f32>,
    /// Greatest excess of each joint that turns, radians.
    excesses: Vec<f32>,
    /// Greatest excess of each slider, Quake units.
    slides: Vec<f32>,
    /// Speeds of all bodies at the end, units/s.
    speeds: Vec<f32>,
}

impl Watched {
    fn watch(&mut self, frame: &DropFrame<'_>) {
        if frame.time < 0.0 {
            return;
        }
        let joints = &frame.ragdoll.doll().joints;
        self.gaps.clear();
        for list in [&mut self.widest, &mut self.excesses, &mut self.slides] {
            list.resize(joints.len(), 0.0);
        }
        for (number, joint) in frame.ragdoll.joints(frame.physics).enumerate() {
            let excess = joint.excess[0].max(joint.excess[1]).max(joint.twist_excess);
            let slides = joints[number].kind == JointKind::Slider;
            let excesses = if slides { &mut self.slides } else { &mut self.excesses };
            excesses[number] = excesses[number].max(excess);
            self.gaps.push(joint.gap);
            self.widest[number] = self.widest[number].max(joint.gap);
        }
        self.speeds.clear();
        self.speeds.extend(frame.ragdoll.bodies(frame.physics).map(|body| body.velocity.length()));
    }
}

/// Worst value of a joint or body.
#[derive(Clone, Copy)]
struct Extreme {
    /// Number of the joint or body.
    number: usize,
    value: f32,
    drop: u64,
}

/// Worst drop of each kind.
#[derive(Default)]
struct Worst {
    gap: Option<Extreme>,
    gap_falling: Option<Extreme>,
    excess: Option<Extreme>,
    slide: Option<Extreme>,
    wakes_for: Option<Extreme>,
    /// Number of drops without rest.
    sleepless: usize,
    non_finite: Option<u64>,
    energy: Option<Extreme>,
    depth: Option<Extreme>,
}

impl Worst {
    fn compare(&mut self, check: &DollCheck, drop: u64, watched: &Watched, report: &DropReport, max_depth: f32) {
        let keep = |worst: &mut Option<Extreme>, values: &[f32], limit: f32| {
            let greatest = values.iter().copied().enumerate().max_by(|a, b| a.1.total_cmp(&b.1));
            if let Some((number, value)) = greatest
                // A limit of NaN allows nothing.
                && value > worst.map_or(limit.max(-1.0), |worst| worst.value)
            {
                *worst = Some(Extreme { number, value, drop });
            }
        };
        keep(&mut self.gap, &watched.gaps, check.max_gap);
        keep(&mut self.gap_falling, &watched.widest, check.max_gap * FALLING_GAP_RATIO);
        keep(&mut self.excess, &watched.excesses, check.max_stop_excess);
        keep(&mut self.slide, &watched.slides, check.max_slide_excess);
        keep(&mut self.depth, &[-report.lowest_z], max_depth);
        let released = report.energy.first().copied().unwrap_or_default().max(1.0);
        let highest = report.energy.iter().copied().fold(0.0, f32::max);
        keep(&mut self.energy, &[highest / released], MAX_ENERGY_RATIO);
        if report.asleep_after.is_none() {
            self.sleepless += 1;
            keep(&mut self.wakes_for, &watched.speeds, -1.0);
        }
        if report.non_finite > 0 {
            self.non_finite.get_or_insert(drop);
        }
    }

    fn report(self, check: &DollCheck, draft: &mut Draft) {
        let joint = |number: usize| (draft.joints[number].name.clone(), draft.doll.joints[number].name.clone());
        let body = |number: usize| (draft.bodies[number].name.clone(), draft.doll.bodies[number].name.clone());
        let mut found = Vec::new();
        let fallen = self.gap_falling.filter(|_| self.gap.is_none());
        for (worst, limit, resting) in
            [(self.gap, check.max_gap, true), (fallen, check.max_gap * FALLING_GAP_RATIO, false)]
        {
            if let Some(Extreme { number, value: gap, drop }) = worst {
                let (place, joint) = joint(number);
                found.push((place, DropProblem::Gap { joint, gap, limit, resting, drop }));
            }
        }
        let excesses = [(self.excess, check.max_stop_excess, false), (self.slide, check.max_slide_excess, true)];
        for (worst, limit, slides) in excesses {
            if let Some(Extreme { number, value: excess, drop }) = worst {
                let (place, joint) = joint(number);
                found.push((place, DropProblem::BeyondStop { joint, excess, limit, slides, drop }));
            }
        }
        if let Some(Extreme { number, drop, .. }) = self.wakes_for {
            let (place, body) = body(number);
            let (limit, count) = (check.max_sleep, self.sleepless);
            found.push((place, DropProblem::Restless { body, limit, drop, count }));
        }
        // These problems concern the doll as a whole.
        let whole = [
            self.non_finite.map(|drop| DropProblem::NonFinite { drop }),
            self.energy.map(|worst| DropProblem::GainsEnergy { ratio: worst.value, drop: worst.drop }),
            self.depth.map(|worst| DropProblem::ThroughFloor { depth: worst.value, drop: worst.drop }),
        ];
        found.extend(whole.into_iter().flatten().map(|problem| (body(0).0, problem)));
        for (place, problem) in found {
            draft.problems.add(&place, || DollProblemKind::Drop(problem));
        }
    }
}
