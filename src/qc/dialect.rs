//! Dialects: the engines whose rules the builtins follow.

use crate::Dialect;

/// Returns `true` if two names are equal in a dialect.
pub(super) fn same_name(dialect: Dialect, a: &[u8], b: &[u8]) -> bool {
    match dialect {
        Dialect::Fte => a == b,
        Dialect::DarkPlaces => a.eq_ignore_ascii_case(b),
    }
}
