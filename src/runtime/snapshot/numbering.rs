//! Numbers of data that several parts of a snapshot share.

/// Returns the number of an item in a table; adds the item if the table lacks it.
pub(super) fn number_in<T>(table: &mut Vec<T>, item: T, same: impl Fn(&T, &T) -> bool) -> usize {
    table.iter().position(|other| same(other, &item)).unwrap_or_else(|| {
        table.push(item);
        table.len() - 1
    })
}
