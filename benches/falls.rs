//! Falls of ragdolls, for `.ci/tuning.py`: how dolls fall with the constants of the library.
//!
//! `cargo bench -p skelobj-benches --bench falls -- COUNT` lets each scene below fall COUNT times, and prints a line
//! for each: its name, a hash of all measurements, and figures with their names. The seeds are always the same.

use std::sync::Arc;

use skelobj::ragdoll::DropReport;
use skelobj::{Doll, DropTest, Model, assets};

/// First seed of the falls.
const FIRST_SEED: u64 = 3_000_000;

/// Gain within a tenth of a second that counts, as a share of the energy of the release.
const GAIN: f32 = 0.005;

fn main() {
    let count = std::env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(100);
    for (name, test) in scenes() {
        let reports: Vec<DropReport> = (0..count)
            .map(|number| fall(&test, name == "standing", FIRST_SEED + number).run().expect("it falls"))
            .collect();
        println!("{name} {}", Figures(&reports));
    }
}

/// Returns the scenes: the mannequin as it is, let go while it stands, with muscles that hold, with soft stops, in
/// water, and two other dolls.
fn scenes() -> Vec<(&'static str, DropTest)> {
    let mannequin = |edit: &dyn Fn(&mut Doll)| {
        let mut doll = assets::mannequin_doll();
        edit(&mut doll);
        DropTest::new(Arc::new(assets::mannequin()), Arc::new(doll))
    };
    let mut standing = mannequin(&|_| ());
    standing.animation = standing.model.animations.iter().position(|animation| animation.name == *"idle");
    let stiff = |doll: &mut Doll| {
        doll.joints.iter_mut().for_each(|joint| (joint.muscle, joint.slacken) = (300_000.0, 0.0));
    };
    let soft = |doll: &mut Doll| doll.joints.iter_mut().for_each(|joint| joint.cfm = [1e-3; 2]);
    let mut swimmer = mannequin(&|_| ());
    swimmer.water = Some(96.0);
    let lesson = |name: &str| {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../dolls");
        let read = |ending: &str| std::fs::read(format!("{folder}/{name}.{ending}")).expect("a doll of the repository");
        let model = Model::load(&format!("{name}.iqm"), &read("iqm"), |_| None).expect("it loads");
        let doll = Doll::parse_for(&read("doll"), &model.skeleton).doll;
        DropTest::new(Arc::new(model), Arc::new(doll))
    };
    vec![
        ("mannequin", mannequin(&|_| ())),
        ("standing", standing),
        ("stiff", mannequin(&stiff)),
        ("soft", mannequin(&soft)),
        ("water", swimmer),
        ("dog", lesson("dog")),
        ("rope", lesson("rope")),
    ]
}

/// Returns the fall of a seed: from a height, or from where the model stands, with a small push.
fn fall(test: &DropTest, stands: bool, seed: u64) -> DropTest {
    let mut seeded = test.clone().with_seed(seed);
    if stands {
        seeded.height = test.height;
        (seeded.orient.x, seeded.orient.z) = (0.0, 0.0);
        seeded.angular_velocity /= 8.0;
    }
    seeded
}

/// Figures of the falls of a scene.
struct Figures<'a>(&'a [DropReport]);

impl std::fmt::Display for Figures<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let bits = self.0.iter().flat_map(|report| {
            let lengths = [report.max_gap_falling, report.max_gap_resting, report.max_stop_excess, report.lowest_z];
            lengths.into_iter().chain(report.energy.iter().copied()).map(f32::to_bits)
        });
        // FNV-1a of words.
        let hash =
            bits.fold(0xcbf2_9ce4_8422_2325_u64, |hash, word| (hash ^ u64::from(word)).wrapping_mul(0x0100_0000_01b3));
        let awake = self.0.iter().filter(|report| report.asleep_after.is_none()).count();
        let gains = |report: &&DropReport| {
            let first = report.energy.first().copied().unwrap_or(0.0);
            report.energy.windows(2).any(|pair| pair[1] - pair[0] > GAIN * first.abs())
        };
        let rest = self.sorted(|report| report.asleep_after.unwrap_or(f32::INFINITY));
        write!(f, "{hash:016x} rest {:.3} rest95 {:.3}", at(&rest, 0.5), at(&rest, 0.95))?;
        let shown = |value: fn(&DropReport) -> f32| at(&self.sorted(value), 0.95);
        write!(f, " gap-falling {:.3} gap-resting {:.4}", shown(|r| r.max_gap_falling), shown(|r| r.max_gap_resting))?;
        write!(
            f,
            " excess {:.3} excess-resting {:.4}",
            shown(|r| r.max_stop_excess),
            shown(|r| r.resting_stop_excess)
        )?;
        let gaining = self.0.iter().filter(gains).count();
        write!(f, " depth {:.3} gaining {gaining} awake {awake}", shown(|r| -r.lowest_z))
    }
}

impl Figures<'_> {
    fn sorted(&self, value: impl Fn(&DropReport) -> f32) -> Vec<f32> {
        let mut values: Vec<f32> = self.0.iter().map(value).collect();
        values.sort_by(f32::total_cmp);
        values
    }
}

fn at(sorted: &[f32], share: f32) -> f32 {
    sorted.get(((sorted.len() as f32 * share) as usize).min(sorted.len().saturating_sub(1))).copied().unwrap_or(0.0)
}
