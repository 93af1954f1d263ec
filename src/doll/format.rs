//! Formatter: the text of a doll with tidy blanks.

use std::ops::Range;

use super::directive::DIRECTIVES;
use super::encoding::{Encoding, Source, decode, to_latin1};
use super::lexer::{self, Piece};

/// Width of a tab in the columns at which comments are aligned.
const TAB: usize = 4;
/// Minimum column of comments that follow words.
const COMMENT_COLUMN: usize = 24;
/// Maximum width of words whose comment is aligned with those of other lines.
const WIDEST: usize = 60;

/// Returns the text of a `.doll` file with tidy blanks and line breaks.
///
/// Lines of attributes are indented by a tab, words are separated by one blank, comments after words are aligned,
/// and at most one empty line separates others. Words, comments and their order stay as they are, including
/// mistakes, so the result parses to the same doll, apart from line numbers. A formatted text is returned
/// unchanged. Any bytes are accepted; time and memory are linear in the length of the text.
///
/// The result of a Latin-1 text is Latin-1, so that its names keep their bytes; every other result is UTF-8 without a
/// byte order mark.
///
/// ```
/// use skelobj::doll::{Doll, format};
///
/// let text = b"body  head Head // the skull\r\nmass 4\r\n\r\n\r\n  shape   sphere";
/// let tidy = format(text);
/// assert_eq!(tidy, b"body head Head          // the skull\n\tmass 4\n\n\tshape sphere\n");
/// assert_eq!(format(&tidy), tidy);
/// assert_eq!(Doll::parse(&tidy).doll.bodies[0].mass, 4.0);
/// ```
#[must_use]
pub fn format(text: &[u8]) -> Vec<u8> {
    let source = Source::of(text);
    let mut lines = read(source.text.as_bytes());
    indent(&mut lines);
    align(&mut lines);
    let tidy = write(&lines);
    if source.encoding != Encoding::Latin1 {
        return tidy;
    }
    // Without a blank that is not ASCII, the rest could be read as UTF-8, or as UTF-16.
    let bytes = to_latin1(&String::from_utf8_lossy(&tidy)).filter(|bytes| decode(bytes).as_bytes() == tidy);
    bytes.unwrap_or_else(|| text.to_vec())
}

/// Line of a text, which a line break outside of comments ends.
#[derive(Default)]
struct Line {
    kind: Kind,
    /// Words, and comments that are not after all of them, with one blank between each two.
    words: Vec<u8>,
    /// Column of the first word or comment in the text.
    column: usize,
    /// Column of the end of the line in the text.
    end: usize,
    /// Comment after the words.
    comment: Option<Comment>,
    /// `true` if the line is written with a tab.
    indented: bool,
    /// Column at which the comment is written, `None` for one blank after the words.
    target: Option<usize>,
}

struct Comment {
    bytes: Vec<u8>,
    /// Column in the text.
    column: usize,
}

#[derive(Clone, Copy, PartialEq, Default)]
enum Kind {
    #[default]
    Empty,
    /// Comments only.
    Comment,
    /// Comment below the comment of an earlier line, which it continues.
    Continued,
    /// `body` and the like.
    Directive,
    /// Word that sets an attribute.
    Attribute,
}

impl Line {
    /// Adds a word or a comment that begins at the end of the line.
    fn add(&mut self, bytes: &[u8], kind: Kind) {
        if self.kind == Kind::Empty {
            self.column = self.end;
        }
        // What follows a comment keeps it from being the last.
        if let Some(comment) = self.comment.take() {
            self.push(&comment.bytes);
        }
        match (kind, self.kind) {
            (Kind::Comment, Kind::Directive | Kind::Attribute) => {
                self.comment = Some(Comment { bytes: bytes.to_vec(), column: self.end });
                return;
            }
            (_, Kind::Empty | Kind::Comment) => self.kind = kind,
            _ => {}
        }
        self.push(bytes);
    }

    fn push(&mut self, bytes: &[u8]) {
        if !self.words.is_empty() {
            self.words.push(b' ');
        }
        self.words.extend_from_slice(bytes);
    }

    /// Returns the comment after the words if it can be moved: short words before it bound how far.
    fn movable(&self) -> Option<&Comment> {
        let comment = self.comment.as_ref()?;
        (!comment.bytes.contains(&b'\n') && width(&self.words, 0) <= WIDEST).then_some(comment)
    }
}

fn read(text: &[u8]) -> Vec<Line> {
    let add = |line: &mut Line, piece, span: Range<usize>| {
        let bytes = &text[span];
        match piece {
            Piece::Blanks => {}
            Piece::Comment | Piece::UnclosedComment => line.add(&trimmed(bytes), Kind::Comment),
            // The blanks of a quote that is not closed belong to the word.
            Piece::Word(word) | Piece::UnclosedQuote(word) => line.add(bytes, kind_of(&word)),
        }
        line.end = width(bytes, line.end);
    };
    lexer::lines_with(text, add).collect()
}

fn kind_of(word: &[u8]) -> Kind {
    let is_directive = DIRECTIVES.iter().any(|directive| word.eq_ignore_ascii_case(directive.word.as_bytes()));
    if is_directive { Kind::Directive } else { Kind::Attribute }
}

/// Returns a comment without blanks at the ends of its lines.
fn trimmed(comment: &[u8]) -> Vec<u8> {
    let is_blank = |b: &u8| *b <= b' ';
    let end = |line: &[u8]| line.iter().rposition(|b| !is_blank(b)).map_or(0, |last| last + 1);
    let lines: Vec<&[u8]> = comment.split(|&b| b == b'\n').map(|line| &line[..end(line)]).collect();
    let mut joined = lines.join(&b'\n');
    // A comment that is not closed may end in empty lines.
    joined.truncate(joined.iter().rposition(|b| !is_blank(b)).map_or(0, |last| last + 1));
    joined
}

/// Returns the column after some bytes that begin at a column.
fn width(bytes: &[u8], column: usize) -> usize {
    let characters = bytes.utf8_chunks().flat_map(|chunk| {
        let bad = (!chunk.invalid().is_empty()).then_some(char::REPLACEMENT_CHARACTER);
        chunk.valid().chars().chain(bad)
    });
    characters.fold(column, |column, c| match c {
        '\t' => column / TAB * TAB + TAB,
        '\n' => 0,
        c if c.is_control() => column,
        _ => column + 1,
    })
}

/// Chooses which lines begin with a tab, and which continue the comment of a line above.
fn indent(lines: &mut [Line]) {
    let (mut in_object, mut above, mut above_indented) = (false, None, false);
    for line in lines.iter_mut() {
        // Comments that lead a line are written at most a tab from the margin.
        if line.kind == Kind::Comment && above == Some(line.column) && line.column > TAB {
            line.kind = Kind::Continued;
        } else {
            above = line.movable().map(|comment| comment.column);
        }
        let is_object = line.kind == Kind::Directive && !line.words.to_ascii_lowercase().starts_with(b"refpose");
        in_object |= is_object;
        line.indented = in_object
            && match line.kind {
                Kind::Attribute => true,
                Kind::Comment => line.column > 0,
                Kind::Continued => above_indented,
                Kind::Directive | Kind::Empty => false,
            };
        above_indented = line.indented;
    }
    // A comment at the margin above an attribute belongs to it.
    let mut leads = false;
    for line in lines.iter_mut().rev() {
        match line.kind {
            Kind::Comment => line.indented |= leads,
            _ => leads = line.kind == Kind::Attribute && line.indented,
        }
    }
}

/// Aligns the comments after the words of adjacent lines.
fn align(lines: &mut [Line]) {
    for run in lines.chunk_by_mut(|a, b| can_align(a) && can_align(b)).filter(|run| can_align(&run[0])) {
        let end = |line: &Line| width(&line.words, if line.indented { TAB } else { 0 });
        let ends = run.iter().filter(|line| line.kind != Kind::Continued).map(end);
        let target = ends.map(|end| end + 1).fold(COMMENT_COLUMN, usize::max);
        run.iter_mut().for_each(|line| line.target = Some(target));
    }
}

fn can_align(line: &Line) -> bool {
    line.kind == Kind::Continued || line.movable().is_some()
}

fn write(lines: &[Line]) -> Vec<u8> {
    let mut text = Vec::new();
    let mut is_apart = false;
    for line in lines {
        if line.kind == Kind::Empty {
            is_apart = true;
            continue;
        }
        if std::mem::take(&mut is_apart) && !text.is_empty() {
            text.push(b'\n');
        }
        let begun = text.len();
        if line.indented {
            text.push(b'\t');
        }
        if line.kind != Kind::Continued {
            text.extend_from_slice(&line.words);
        }
        let last = match &line.comment {
            _ if line.kind == Kind::Continued => Some(&line.words),
            comment => comment.as_ref().map(|comment| &comment.bytes),
        };
        if let Some(last) = last {
            let at = width(&text[begun..], 0);
            let blanks = line.target.map_or(1, |target| target.saturating_sub(at));
            text.resize(text.len() + blanks, b' ');
            text.extend_from_slice(last);
        }
        text.push(b'\n');
    }
    text
}
