//! Sines and related functions, whose last bit differs from one C library to the next.
//!
//! With the feature `enhanced-determinism` they come from libm, whose results are the same everywhere.

macro_rules! functions {
    ($($name:ident($first:ident $(, $second:ident)?: $float:ty) = $std:ident;)*) => {$(
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
    tan(angle: f64) = tan;
    asin(sine: f64) = asin;
    acos(cosine: f64) = acos;
    atan(tangent: f64) = atan;
    atan2(y, x: f64) = atan2;
    pow(base, exponent: f64) = powf;
    sinf(angle: f32) = sin;
    cosf(angle: f32) = cos;
    atan2f(y, x: f32) = atan2;
    hypotf(x, y: f32) = hypot;
}
