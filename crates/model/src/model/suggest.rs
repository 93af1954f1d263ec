//! Suggestions for misspelt words.

use super::Name;

/// Maximum length of a word that is compared, bytes.
const MAX_LEN: usize = 64;
/// Maximum number of candidates that are compared.
const MAX_CANDIDATES: usize = 512;

/// Returns the candidate nearest to `word`: at most 2 edits away, fewer for short words, ignoring case.
pub fn nearest<'a>(word: &[u8], candidates: impl IntoIterator<Item = &'a [u8]>) -> Option<Name> {
    if word.len() > MAX_LEN {
        return None;
    }
    let limit = (word.len().max(3) / 3).min(2).min(word.len().saturating_sub(1));
    candidates
        .into_iter()
        .take(MAX_CANDIDATES)
        .filter(|c| c.len().abs_diff(word.len()) <= limit && *c != word && !c.is_empty())
        .map(|c| (distance(word, c, limit), c))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| Name::new(candidate))
}

/// Returns the number of letters that [`nearest`] compares at most.
pub fn nearest_cost(word: &[u8], candidates: usize) -> u64 {
    let len = if word.len() > MAX_LEN { 0 } else { word.len() };
    // Each letter, with those up to two places away.
    (5 * len * candidates.min(MAX_CANDIDATES)) as u64
}

/// Returns the number of bytes to change, insert, remove, or swap with their neighbour; a number above `limit` if
/// `limit` edits are not enough.
fn distance(a: &[u8], b: &[u8], limit: usize) -> usize {
    const FAR: usize = usize::MAX / 2;
    let mut above = vec![FAR; b.len() + 1];
    let mut row: Vec<usize> = (0..=b.len()).collect();
    let mut next = above.clone();
    for (i, x) in a.iter().enumerate() {
        next.fill(FAR);
        next[0] = i + 1;
        // Cells farther from the diagonal than the limit cannot fall below it again.
        for j in i.saturating_sub(limit)..(i + limit + 1).min(b.len()) {
            let differs = usize::from(!x.eq_ignore_ascii_case(&b[j]));
            let mut best = (row[j] + differs).min(row[j + 1] + 1).min(next[j] + 1);
            if i > 0 && j > 0 && x.eq_ignore_ascii_case(&b[j - 1]) && a[i - 1].eq_ignore_ascii_case(&b[j]) {
                best = best.min(above[j - 1] + 1);
            }
            next[j + 1] = best;
        }
        std::mem::swap(&mut above, &mut row);
        std::mem::swap(&mut row, &mut next);
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_words_are_found_and_far_ones_are_not() {
        let words: [&[u8]; 4] = [b"capsule", b"cylinder", b"head", b"b0"];
        assert_eq!(nearest(b"capsul", words), Some("capsule".into()));
        assert_eq!(nearest(b"hed", words), Some("head".into()));
        assert_eq!(nearest(b"haed", words), Some("head".into()), "swapped letters are one mistake");
        assert_eq!(nearest(b"HEAD", words), Some("head".into()), "case is the likeliest mistake in a name");
        assert_eq!(nearest(b"b9", words), Some("b0".into()));
        assert_eq!(nearest(b"b", [b"a".as_slice()]), None, "another letter is another word");
        assert_eq!(nearest(b"nonsense", words), None);
        assert_eq!(nearest(b"heda", [b"ahed".as_slice()]), None, "two edits are too many for a short word");
        assert_eq!(nearest(b"uperarmleft", [b"upperarm_left".as_slice()]), Some("upperarm_left".into()));
        assert_eq!(nearest(b"uperarmleft", [b"upperarm__left".as_slice()]), None);
        assert_eq!(nearest(b"", words), None);
        assert_eq!(nearest(&[b'x'; 1000], words), None);
    }
}
