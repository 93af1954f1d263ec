//! Lexer: the words of a line, as a grammar of nom's parsers.
//!
//! ```text
//! line    = piece* (line break | end of the text), at least one byte
//! piece   = blanks | comment | word
//! blank   = byte up to a space, except line breaks | U+00A0 | U+FEFF
//! comment = "//" rest of the line | "/*" bytes "*/" | "/*" rest of the text
//! word    = quoted | bytes that begin no blank
//! quoted  = '"' (byte except '"' and line break | '""')* ['"']
//! ```
//!
//! A comment that spans lines joins them. U+00A0, the no-break space, comes from web pages and word processors; U+FEFF,
//! the byte order mark, from files that were put together.

use std::borrow::Cow;
use std::ops::Range;

use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{is_not, tag, take_till, take_till1, take_until, take_while_m_n, take_while1};
use nom::character::complete::{char, newline};
use nom::combinator::{eof, iterator, map, not, opt, recognize, rest, value};
use nom::multi::{fold_many0, many1_count};
use nom::sequence::{pair, preceded};

/// Maximum number of words of a line; further words are ignored.
pub(crate) const MAX_WORDS: usize = 80;

/// Word of a line.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Word<'a> {
    /// Bytes of the word, without the quotes around it.
    pub(crate) bytes: Cow<'a, [u8]>,
    /// Position of the word in the text, with the quotes around it.
    pub(crate) span: Range<usize>,
}

/// Content of a line.
#[derive(Default, Debug)]
pub(crate) struct Line<'a> {
    /// Words of the line, at most [`MAX_WORDS`].
    pub(crate) words: Vec<Word<'a>>,
    /// Position of a quote that the line does not close.
    pub(crate) unclosed_quote: Option<Range<usize>>,
    /// Position of a comment that the text does not close.
    pub(crate) unclosed_comment: Option<Range<usize>>,
}

impl<'a> Line<'a> {
    fn add(&mut self, piece: Piece<'a>, span: Range<usize>) {
        match piece {
            Piece::Blanks | Piece::Comment => {}
            Piece::UnclosedComment => self.unclosed_comment = Some(span.start..span.start + 2),
            Piece::Word(bytes) => self.push(bytes, span),
            Piece::UnclosedQuote(bytes) => {
                self.unclosed_quote = Some(span.start..span.start + 1);
                self.push(bytes, span);
            }
        }
    }

    fn push(&mut self, bytes: Cow<'a, [u8]>, span: Range<usize>) {
        if self.words.len() < MAX_WORDS {
            self.words.push(Word { bytes, span });
        }
    }
}

/// Piece of a line.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Piece<'a> {
    /// Blanks, without line breaks.
    Blanks,
    /// Comment with its marks; a `//` comment ends before its line break.
    Comment,
    UnclosedComment,
    Word(Cow<'a, [u8]>),
    UnclosedQuote(Cow<'a, [u8]>),
}

/// Result of a parser. Mistakes are pieces of their own, so an error only says that the input is another piece.
type IResult<'a, T> = nom::IResult<&'a [u8], T, ()>;

/// Returns the lines of a text.
pub(crate) fn lines(text: &[u8]) -> impl Iterator<Item = Line<'_>> {
    lines_with(text, Line::add)
}

/// Returns the lines of a text; `add` adds a piece and its position in the text to a line.
pub(super) fn lines_with<'a, L: Default>(
    text: &'a [u8],
    add: impl FnMut(&mut L, Piece<'a>, Range<usize>),
) -> impl Iterator<Item = L> {
    // Without `fuse`, nom's iterator panics when it is called again after its end.
    iterator(text, line(text.len(), add)).fuse()
}

/// Parser of a line of a text of `len` bytes, of which the input is the end.
fn line<'a, L: Default>(
    len: usize,
    mut add: impl FnMut(&mut L, Piece<'a>, Range<usize>),
) -> impl Parser<&'a [u8], Output = L, Error = ()> {
    move |input| {
        let mut line = L::default();
        let pieces = fold_many0(located(len, piece), || (), |(), (piece, span)| add(&mut line, piece, span));
        let (after, _) = (not(eof), pieces, opt(newline)).parse(input)?;
        Ok((after, line))
    }
}

/// Parser that also returns the position of what it takes.
fn located<'a, T>(
    len: usize,
    mut parser: impl Parser<&'a [u8], Output = T, Error = ()>,
) -> impl Parser<&'a [u8], Output = (T, Range<usize>), Error = ()> {
    move |input: &'a [u8]| {
        let (after, output) = parser.parse(input)?;
        Ok((after, (output, len - input.len()..len - after.len())))
    }
}

fn piece(input: &[u8]) -> IResult<'_, Piece<'_>> {
    // Every piece fails at a line break; asking for it first makes empty lines cheap.
    preceded(not(newline), alt((blanks, comment, quoted, plain))).parse(input)
}

fn blanks(input: &[u8]) -> IResult<'_, Piece<'_>> {
    let narrow = take_while1(|b| is_blank(b) && b != b'\n');
    map(many1_count(alt((narrow, wide_blank))), |_| Piece::Blanks).parse(input)
}

/// Blanks of several bytes, UTF-8.
const WIDE_BLANKS: [&str; 2] = ["\u{a0}", "\u{feff}"];

fn wide_blank(input: &[u8]) -> IResult<'_, &[u8]> {
    let [space, mark] = WIDE_BLANKS;
    alt((tag(space), tag(mark))).parse(input)
}

/// Returns `true` if a word with these bytes has to be quoted because blanks are in it.
pub(super) fn has_blank(bytes: &[u8]) -> bool {
    let is_wide = |blank: &str| bytes.windows(blank.len()).any(|window| window == blank.as_bytes());
    bytes.iter().any(|b| is_blank(*b)) || WIDE_BLANKS.into_iter().any(is_wide)
}

fn comment(input: &[u8]) -> IResult<'_, Piece<'_>> {
    let to_line_end = preceded(tag("//"), take_till(|b| b == b'\n'));
    let closed = (tag("/*"), take_until("*/"), tag("*/"));
    let unclosed = pair(tag("/*"), rest);
    alt((
        map(to_line_end, |_| Piece::Comment),
        map(closed, |_| Piece::Comment),
        map(unclosed, |_| Piece::UnclosedComment),
    ))
    .parse(input)
}

fn plain(input: &[u8]) -> IResult<'_, Piece<'_>> {
    let begins_wide_blank = |b| WIDE_BLANKS.into_iter().any(|blank| blank.as_bytes()[0] == b);
    let common = take_till1(move |b| is_blank(b) || begins_wide_blank(b));
    let other = preceded(not(wide_blank), take_while_m_n(1, 1, begins_wide_blank));
    map(recognize(many1_count(alt((common, other)))), |bytes| Piece::Word(Cow::Borrowed(bytes))).parse(input)
}

/// Parses `"bytes"`, where `""` represents one quote. The word ends with its line, closed or not; if it is not closed,
/// a carriage return at its end belongs to the line break.
fn quoted(input: &[u8]) -> IResult<'_, Piece<'_>> {
    let word = preceded(char('"'), pair(inside_quotes, opt(char('"'))));
    map(word, |(mut bytes, closed)| {
        if closed.is_some() {
            return Piece::Word(bytes.into());
        }
        bytes.pop_if(|last| *last == b'\r');
        Piece::UnclosedQuote(bytes.into())
    })
    .parse(input)
}

fn inside_quotes(input: &[u8]) -> IResult<'_, Vec<u8>> {
    let quote = value(b"\"".as_slice(), tag("\"\""));
    fold_many0(alt((is_not("\"\n"), quote)), Vec::new, |mut bytes, piece| {
        bytes.extend_from_slice(piece);
        bytes
    })
    .parse(input)
}

fn is_blank(byte: u8) -> bool {
    byte <= b' '
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<Vec<String>> {
        let word = |word: &Word| String::from_utf8_lossy(&word.bytes).into_owned();
        lines(text.as_bytes()).map(|line| line.words.iter().map(word).collect()).collect()
    }

    #[test]
    fn blanks_separate_words_and_line_breaks_lines() {
        assert_eq!(words("a\tb\0 c\r\n\n  d"), [vec!["a", "b", "c"], vec![], vec!["d"]]);
        assert_eq!(words("size 4; 'b 0'"), [["size", "4;", "'b", "0'"]], "neither ; nor single quotes are special");
    }

    #[test]
    fn no_break_spaces_and_byte_order_marks_are_blanks() {
        assert_eq!(words("\u{feff}mass\u{a0}3\u{a0}\u{a0}\u{feff}4\u{a0}"), [["mass", "3", "4"]]);
        assert_eq!(words("\u{a0}\n\u{feff}"), [Vec::<String>::new(), vec![]]);
        assert_eq!(words("\u{a1}\u{c2}\u{f000} \"a\u{a0}b\""), [["\u{a1}\u{c2}\u{f000}", "a\u{a0}b"]]);
        assert_eq!(lines(b"\xc2 \xef\xbb x\xc2").next().map(|line| line.words.len()), Some(3));
    }

    #[test]
    fn quotes_hold_blanks_and_doubled_quotes() {
        assert_eq!(words("body \"two words\" \"\""), [["body", "two words", ""]]);
        assert_eq!(words("\"a \"\"b\"\" c\"d"), [["a \"b\" c", "d"]]);
        assert_eq!(words("mid\"dle"), [["mid\"dle"]]);
        assert_eq!(words("\"open\r\nnext"), [["open"], ["next"]]);
    }

    #[test]
    fn comments_are_blanks() {
        assert_eq!(words("a // b c\nd"), [["a"], ["d"]]);
        assert_eq!(words("a /* b\nc */ d\ne"), [vec!["a", "d"], vec!["e"]], "a comment that spans lines joins them");
        assert_eq!(words("a//b"), [["a//b"]], "a comment starts a word");
        assert_eq!(words("\"a\"// b"), [["a"]]);
        assert_eq!(words("a /* b\nc"), [["a"]]);
    }

    #[test]
    fn no_line_follows_the_last() {
        let mut lines = lines(b"a");
        assert!(lines.next().is_some());
        assert!((0..3).all(|_| lines.next().is_none()));
    }

    #[test]
    fn no_more_than_80_words_are_kept() {
        let text = b"w ".repeat(1000);
        assert_eq!(lines(&text).map(|line| line.words.len()).collect::<Vec<_>>(), [80]);
    }
}
