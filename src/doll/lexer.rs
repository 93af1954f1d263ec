//! Lexer: the words of one line.

use std::borrow::Cow;
use std::ops::Range;

use nom::branch::alt;
use nom::bytes::complete::{is_not, tag, take_till, take_till1, take_until, take_while1};
use nom::character::complete::char;
use nom::combinator::{map, opt, rest, value};
use nom::multi::fold_many0;
use nom::sequence::{delimited, pair, preceded};
use nom::{IResult, Parser};

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
    /// Positions of quotes that the line does not close.
    pub(crate) unclosed_quotes: Vec<Range<usize>>,
    /// Position of a comment that the text does not close.
    pub(crate) unclosed_comment: Option<Range<usize>>,
}

/// Lexes one line of `text` starting at byte `start`. Returns its words, and the offset of the next line. A comment
/// that spans lines joins them.
pub(crate) fn line(text: &[u8], start: usize) -> (Line<'_>, usize) {
    let mut line = Line::default();
    let mut input = text.get(start..).unwrap_or_default();
    while let Some((token, span, after)) = next(text, input) {
        input = after;
        let bytes = match token {
            Token::LineEnd => break,
            Token::Blank | Token::Comment => continue,
            Token::UnclosedComment => {
                line.unclosed_comment = Some(span.start..span.start + 2);
                continue;
            }
            Token::Word(bytes) => bytes,
            Token::UnclosedQuote(bytes) => {
                line.unclosed_quotes.push(span.start..span.start + 1);
                bytes
            }
        };
        if line.words.len() < MAX_WORDS {
            line.words.push(Word { bytes, span });
        }
    }
    (line, text.len() - input.len())
}

/// Piece of a text.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Token<'a> {
    LineEnd,
    Blank,
    /// Comment with its marks; a `//` comment ends before its line break.
    Comment,
    Word(Cow<'a, [u8]>),
    UnclosedQuote(Cow<'a, [u8]>),
    UnclosedComment,
}

/// Returns the first token of `input`, which is the end of `text`, with its position and the rest of the input; `None`
/// at the end of the text.
pub(super) fn next<'a>(text: &[u8], input: &'a [u8]) -> Option<(Token<'a>, Range<usize>, &'a [u8])> {
    // Every token takes at least one byte, so callers terminate.
    let (after, token) = token(input).ok()?;
    let position = |input: &[u8]| text.len() - input.len();
    Some((token, position(input)..position(after), after))
}

fn is_blank(byte: u8) -> bool {
    byte <= b' '
}

fn token(input: &[u8]) -> IResult<&[u8], Token<'_>> {
    let line_comment = preceded(tag("//"), take_till(|b| b == b'\n'));
    let block_comment = delimited(tag("/*"), take_until("*/"), tag("*/"));
    alt((
        value(Token::LineEnd, char('\n')),
        value(Token::Blank, take_while1(|b| is_blank(b) && b != b'\n')),
        value(Token::Comment, line_comment),
        value(Token::Comment, block_comment),
        value(Token::UnclosedComment, pair(tag("/*"), rest)),
        quoted,
        map(take_till1(is_blank), |bytes| Token::Word(Cow::Borrowed(bytes))),
    ))
    .parse(input)
}

/// Lexes `"bytes"`, where `""` represents one quote. The word ends with its line, closed or not.
fn quoted(input: &[u8]) -> IResult<&[u8], Token<'_>> {
    let piece = alt((is_not("\"\n"), value(b"\"".as_slice(), tag("\"\""))));
    let inside = fold_many0(piece, Vec::new, |mut bytes, piece: &[u8]| {
        bytes.extend_from_slice(piece);
        bytes
    });
    let (input, (mut bytes, closed)) = preceded(char('"'), pair(inside, opt(char('"')))).parse(input)?;
    if closed.is_some() {
        return Ok((input, Token::Word(bytes.into())));
    }
    if bytes.last() == Some(&b'\r') {
        bytes.pop();
    }
    Ok((input, Token::UnclosedQuote(bytes.into())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<Vec<String>> {
        let (mut lines, mut start) = (Vec::new(), 0);
        while start < text.len() {
            let (line, next) = line(text.as_bytes(), start);
            assert!(next > start, "every line takes something");
            lines.push(line.words.iter().map(|w| String::from_utf8_lossy(&w.bytes).into_owned()).collect());
            start = next;
        }
        lines
    }

    #[test]
    fn blanks_separate_words_and_line_breaks_lines() {
        assert_eq!(words("a\tb\0 c\r\n\n  d"), [vec!["a", "b", "c"], vec![], vec!["d"]]);
        assert_eq!(words("size 4; 'b 0'"), [["size", "4;", "'b", "0'"]], "neither ; nor single quotes are special");
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
    fn no_more_than_80_words_are_kept() {
        let text = b"w ".repeat(1000);
        let (line, next) = line(&text, 0);
        assert_eq!((line.words.len(), next), (80, 2000));
    }
}
