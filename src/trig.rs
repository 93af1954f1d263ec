//! Trigonometric functions whose last bit can change a pose or a simulation.
//!
//! The standard library calls the C library of the machine, and the last bit of the results differs between machines.
//! With the feature `enhanced-determinism` the functions are libm's and give the same bits on every machine; glam and
//! rapier use libm then, too. Square roots, sums and products are correctly rounded on every machine and need no
//! wrapper.

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
    cosf(angle: f32) = cos;
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
