//! Masses from volumes.

/// Mass of a cubic Quake unit: with an inch as the unit, that of flesh in kg.
const DENSITY: f32 = 0.016;
/// Greatest ratio of the masses of neighbours. The gap of a joint in a fall grows with it: from 1.1 to 2.5 by a third
/// for a figure, and by two thirds for a rope of four links. Light limbs are also whipped deeper into floors.
pub(super) const RATIO: f32 = 1.1;
const LIGHTEST: f32 = 0.05;
const HEAVIEST: f32 = 5000.0;

/// Mass of a body, and that of its volume.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mass {
    pub(super) mass: f32,
    pub(super) own: f32,
}

/// Returns the masses of bodies with these volumes: mass moves from heavy to light bodies until neighbours are within
/// [`RATIO`]. The sum stays, so that a hit moves the whole as before.
pub(super) fn masses(volumes: &[f32], joints: &[[usize; 2]]) -> Vec<Mass> {
    let own: Vec<f32> = volumes.iter().map(|volume| volume * DENSITY).collect();
    let (lightest, heaviest) = own.iter().fold((f32::INFINITY, 0.0_f32), |(a, b), &m| (a.min(m), b.max(m)));
    let scale = (LIGHTEST / lightest).max(1.0).min((HEAVIEST / heaviest).max(1e-6));
    let own: Vec<f32> = own.into_iter().map(|mass| (mass * scale).clamp(LIGHTEST, HEAVIEST)).collect();
    let mut masses = own.clone();
    for _round in 0..masses.len() {
        let mut changed = false;
        for &[a, b] in joints {
            for (light, heavy) in [(a, b), (b, a)] {
                let least = masses[heavy] / RATIO;
                if masses[light] < least * 0.9999 {
                    (masses[light], changed) = (least, true);
                }
            }
        }
        if !changed {
            break;
        }
    }
    let share = own.iter().sum::<f32>() / masses.iter().sum::<f32>();
    let mass = |(mass, own): (f32, f32)| Mass { mass: (mass * share).max(LIGHTEST), own };
    masses.into_iter().zip(own).map(mass).collect()
}
