//! Sines and the like, where their last bit may decide a pose or a fall.
//!
//! The standard library takes them from the machine's C library, whose last bits differ from machine to machine. With the
//! feature `enhanced-determinism` they are libm's, which are the same everywhere, as glam's and rapier's are then. Roots,
//! sums and products are exact everywhere.

macro_rules! functions {
    ($($(#[$attribute:meta])* $name:ident($first:ident $(, $second:ident)?: $float:ty) = $std:ident;)*) => {$(
        $(#[$attribute])*
        pub(crate) fn $name($first: $float $(, $second: $float)?) -> $float {
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
    #[cfg(feature = "ragdoll")]
    sinf(angle: f32) = sin;
    #[cfg(feature = "ragdoll")]
    tanf(angle: f32) = tan;
    #[cfg(feature = "ragdoll")]
    asinf(sine: f32) = asin;
    #[cfg(feature = "ragdoll")]
    acosf(cosine: f32) = acos;
    #[cfg(feature = "ragdoll")]
    atan2f(y, x: f32) = atan2;
    #[cfg(feature = "ragdoll")]
    powf(base, exponent: f32) = powf;
}
