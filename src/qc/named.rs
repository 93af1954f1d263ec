//! Enums of names in QuakeC, with the type of each.

/// Declares an enum whose variants are names in QuakeC, listed by their types.
macro_rules! named {
    ($(#[$documentation:meta])* $type:ident: $($kind:literal: $($name:ident)*;)*) => {
        $(#[$documentation])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
        #[allow(missing_docs, non_camel_case_types)]
        #[non_exhaustive]
        pub enum $type {
            $($($name,)*)*
        }

        impl $type {
            /// All names, in the order of the variants.
            pub const ALL: &[Self] = &[$($(Self::$name,)*)*];

            /// Returns the name in QuakeC.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $($(Self::$name => stringify!($name),)*)*
                }
            }

            /// Returns the type in QuakeC, such as `float`.
            #[must_use]
            pub fn kind(self) -> &'static str {
                match self {
                    $($(Self::$name)|* => $kind,)*
                }
            }
        }
    };
}

pub(super) use named;
