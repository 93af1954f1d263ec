//! Trigonometric functions whose last bit can change a pose or a simulation.
//!
//! The standard library calls the C library of the machine, and the last bit of the results differs between machines.
//! With the feature `enhanced-determinism` the functions are libm's and give the same bits on every machine; glam and
//! rapier use libm then, too. Square roots, sums and products are correctly rounded on every machine and need no
//! wrapper.

macro_rules! functions {
    ($($name:ident($first:ident $(, $second:ident)?: $float:ty) = $std:ident;)*) => {$(
        #[doc = concat!("Computes `", stringify!($std), "` alike on every machine, if the feature is on.")]
        pub fn $name($first: $float $(, $second: $float)?) -> $float {
            #[cfg(feature = "enhanced-determinism")]
            return libm::$name($first $(, $second)?);
            #[cfg(not(feature = "enhanced-determinism"))]
            <$float>::$std($first $(, $second)?)
        }
    )*};
}

functions! {
    sin(angle: f64) = sin;
    cos(angle: f64) = cos;
    acos(cosine: f64) = acos;
    atan2(y, x: f64) = atan2;
    sinf(angle: f32) = sin;
    cosf(angle: f32) = cos;
    tanf(angle: f32) = tan;
    asinf(sine: f32) = asin;
    acosf(cosine: f32) = acos;
    atan2f(y, x: f32) = atan2;
    powf(base, exponent: f32) = powf;
}

/// Returns a range of angles, widened by the least amount with which rapier gives the same bits on every machine.
///
/// rapier takes the sine and cosine of half the middle of a limit from the machine's C library, whatever its features.
/// C libraries round a value alike unless it lies nearly halfway between two floats.
pub fn portable_range(range: [f32; 2]) -> [f32; 2] {
    #[cfg(feature = "enhanced-determinism")]
    {
        let [min, max] = range;
        let largest = min.abs().max(max.abs());
        let nudge = largest.next_up() - largest;
        for number in 0..MAX_NUDGES {
            let wider = max + number as f32 * nudge;
            let half = f64::from((min + wider) * 0.5 * 0.5);
            if rounds_alike(libm::sin(half)) && rounds_alike(libm::cos(half)) {
                return [min, wider];
            }
        }
    }
    range
}

/// Maximum number of attempts; three ranges in four pass at once.
#[cfg(feature = "enhanced-determinism")]
const MAX_NUDGES: usize = 64;

/// Returns `true` if functions with errors of up to 0.58 units in the last place round a value to the same float; glibc
/// states 0.561 for its sine.
#[cfg(feature = "enhanced-determinism")]
fn rounds_alike(value: f64) -> bool {
    let nearest = value as f32;
    let unit = f64::from(nearest.abs().next_up()) - f64::from(nearest.abs());
    (value - f64::from(nearest)).abs() < 0.42 * unit
}

#[cfg(all(test, feature = "enhanced-determinism"))]
mod tests {
    use super::*;

    #[test]
    fn the_machine_rounds_the_middle_of_a_portable_range_as_libm_does() {
        let mut nudged = 0;
        for number in 0..100_000_u32 {
            let wanted = [-1.5 + number as f32 * 1e-5, number as f32 * 2e-5];
            let [min, max] = portable_range(wanted);
            assert!(min == wanted[0] && (0.0..1e-5).contains(&(max - wanted[1])), "{wanted:?}: {min} {max}");
            nudged += u32::from(max != wanted[1]);
            let half = (min + max) * 0.5 * 0.5;
            assert_eq!(half.sin_cos(), (libm::sinf(half), libm::cosf(half)), "{half}");
        }
        assert!((10_000..60_000).contains(&nudged), "{nudged}");
    }
}
