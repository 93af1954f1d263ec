//! Methods of serializers that accept one kind of value only.

use serde::ser::Error;

/// Returns the error of a value of another kind.
pub(super) fn unexpected<T, E: Error>() -> Result<T, E> {
    Err(E::custom("not of the expected kind"))
}

/// Refuses values.
macro_rules! no_values {
    ($($name:ident($($argument:ty),*);)*) => {$(
        fn $name(self $(, _: $argument)*) -> Result<Self::Ok, Self::Error> {
            $crate::physics::serializer_methods::unexpected()
        }
    )*};
}

/// Refuses values that have parts.
macro_rules! no_parts {
    ($($name:ident($($argument:ty),*) -> $parts:ident;)*) => {$(
        fn $name(self $(, _: $argument)*) -> Result<Self::$parts, Self::Error> {
            $crate::physics::serializer_methods::unexpected()
        }
    )*};
}

/// Refuses values that wrap another.
macro_rules! no_wrappers {
    ($($name:ident($($argument:ty),*);)*) => {$(
        fn $name<T: ?Sized + serde::Serialize>(self $(, _: $argument)*, _: &T) -> Result<Self::Ok, Self::Error> {
            $crate::physics::serializer_methods::unexpected()
        }
    )*};
}

pub(super) use {no_parts, no_values, no_wrappers};
