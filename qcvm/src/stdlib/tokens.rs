//! Tokens of a text, and the builtins that split and read them.

use super::call::Call;
use crate::Fault;
use crate::values::UNITS_A_STATEMENT;

/// Maximum number of tokens; the rest of the text is dropped.
const MOST: usize = 1 << 16;
/// Cost of keeping a token, in statements.
const TOKEN: u64 = 4;
/// Bytes that cost as much as the beginning of a comparison with a separator.
const SEPARATOR: usize = 2;

/// Tokens of the last text that a script split. They belong to the machine.
#[derive(Debug, Default)]
pub(crate) struct Tokens(Vec<Token>);

#[derive(Debug)]
struct Token {
    text: Box<[u8]>,
    /// Bytes of the source that the token was made of.
    start: usize,
    end: usize,
}

/// Bytes that are tokens of their own for `tokenize`.
const SINGLE: &[u8] = b"{}()[]':,;";

/// Rules of a tokenizer.
#[derive(Clone, Copy, PartialEq)]
enum Style {
    /// Rules of `tokenize`: brackets and some punctuation are tokens, single quotes delimit texts.
    Script,
    /// Rules of the console: only white space and double quotes count, and `/* */` is a comment.
    Console,
}

/// Position in a text.
struct Reader<'a> {
    text: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn peek(&self, ahead: usize) -> Option<u8> {
        self.text.get(self.at + ahead).copied()
    }

    fn skip_while(&mut self, wanted: impl Fn(u8) -> bool) {
        while self.peek(0).is_some_and(&wanted) {
            self.at += 1;
        }
    }

    /// Skips white space and comments.
    fn skip_space(&mut self, style: Style) {
        loop {
            self.skip_while(|byte| byte <= b' ');
            match (self.peek(0), self.peek(1)) {
                (Some(b'/'), Some(b'/')) => self.skip_while(|byte| byte != b'\n'),
                (Some(b'/'), Some(b'*')) if style == Style::Console => {
                    let body = self.text.get(self.at + 2..).unwrap_or_default();
                    let end = body.windows(2).position(|pair| pair == b"*/");
                    self.at = end.map_or(self.text.len(), |end| self.at + 2 + end + 2);
                }
                _ => return,
            }
        }
    }

    /// Returns a text in quotes; the quote twice stands for itself. The end of the source ends the text.
    fn quoted(&mut self, quote: u8) -> Vec<u8> {
        let mut text = Vec::new();
        self.at += 1;
        while let Some(byte) = self.peek(0) {
            self.at += 1;
            if byte == quote {
                if self.peek(0) != Some(quote) {
                    break;
                }
                self.at += 1;
            }
            text.push(byte);
        }
        text
    }

    fn word(&mut self, style: Style) -> Vec<u8> {
        let start = self.at;
        self.at += 1;
        self.skip_while(|byte| byte > b' ' && !(style == Style::Script && SINGLE.contains(&byte)));
        self.text.get(start..self.at).unwrap_or_default().to_vec()
    }

    fn token(&mut self, style: Style) -> Option<Token> {
        self.skip_space(style);
        let start = self.at;
        let text = match self.peek(0)? {
            b'"' => self.quoted(b'"'),
            b'\'' if style == Style::Script => self.quoted(b'\''),
            byte if style == Style::Script && SINGLE.contains(&byte) => {
                self.at += 1;
                vec![byte]
            }
            _ => self.word(style),
        };
        Some(Token { text: text.into(), start, end: self.at })
    }
}

/// Replaces the machine's tokens, and returns their number.
fn keep(call: &mut Call<'_>, tokens: Vec<Token>) -> Result<(), Fault> {
    call.machine.charge(TOKEN * tokens.len() as u64)?;
    call.return_float(tokens.len() as f32)?;
    call.machine.tokens = Tokens(tokens);
    Ok(())
}

fn split(call: &mut Call<'_>, style: Style) -> Result<(), Fault> {
    let text = call.string(0)?;
    call.charge_bytes(text.len())?;
    let mut reader = Reader { text, at: 0 };
    let tokens = std::iter::from_fn(|| reader.token(style)).take(MOST).collect();
    keep(call, tokens)
}

/// Runs `tokenize` (#441).
pub(super) fn tokenize(call: &mut Call<'_>) -> Result<(), Fault> {
    split(call, Style::Script)
}

/// Runs `tokenize_console` (#514).
pub(super) fn tokenize_console(call: &mut Call<'_>) -> Result<(), Fault> {
    split(call, Style::Console)
}

/// Runs `getentitytoken` (#355): the next token of the text of the map's entities, from its beginning with an argument.
pub(super) fn getentitytoken(call: &mut Call<'_>) -> Result<(), Fault> {
    let start = if call.machine.argc() > 0 { 0 } else { call.machine.entity_token };
    let mut reader = Reader { text: call.host.entity_text(), at: start };
    let token = if call.machine.argc() > 0 { None } else { reader.token(Style::Script) };
    let end = reader.at;
    call.machine.charge((end - start) as u64 / UNITS_A_STATEMENT)?;
    call.machine.entity_token = end;
    let handle = token.map_or(Ok(0), |token| call.machine.line(&token.text))?;
    call.machine.return_bits(handle);
    Ok(())
}

/// Runs `tokenizebyseparator` (#479): every separator ends a token, so tokens may be empty.
pub(super) fn tokenizebyseparator(call: &mut Call<'_>) -> Result<(), Fault> {
    let mut separators = Vec::new();
    for argument in 1..call.machine.argc() {
        separators.push(call.string(argument)?);
    }
    separators.retain(|separator| !separator.is_empty());
    let text = call.string(0)?;
    // Every separator may be compared at every byte.
    let compared: usize = separators.iter().map(|separator| SEPARATOR + separator.len()).sum();
    let compared = (text.len() as u64).saturating_mul((SEPARATOR + compared) as u64);
    call.machine.charge(compared / UNITS_A_STATEMENT)?;
    let mut tokens = Vec::new();
    let (mut start, mut at) = (0, 0);
    while !text.is_empty() && tokens.len() < MOST {
        let rest = text.get(at..).unwrap_or_default();
        let separator = separators.iter().find(|separator| rest.starts_with(separator));
        if separator.is_some() || rest.is_empty() {
            tokens.push(Token { text: text.get(start..at).unwrap_or_default().into(), start, end: at });
        }
        if rest.is_empty() {
            break;
        }
        at += separator.map_or(1, |separator| separator.len());
        start = if separator.is_some() { at } else { start };
    }
    keep(call, tokens)
}

/// Returns the token of argument 0; negative numbers count from the end.
fn token<'a>(call: &'a mut Call<'_>) -> Option<&'a Token> {
    let number = i64::from(call.integer(0));
    let tokens = &call.machine.tokens.0;
    let number = if number < 0 { number + tokens.len() as i64 } else { number };
    tokens.get(usize::try_from(number).ok()?)
}

/// Runs `argv` (#442).
pub(super) fn argv(call: &mut Call<'_>) -> Result<(), Fault> {
    let text = token(call).map(|token| token.text.clone()).unwrap_or_default();
    call.return_string(&text)
}

/// Runs `argc`, which has no number: the number of tokens.
pub(super) fn argc(call: &mut Call<'_>) -> Result<(), Fault> {
    let count = call.machine.tokens.0.len();
    call.return_float(count as f32)
}

/// Runs `argv_start_index` (#515): -1 for a token that does not exist.
pub(super) fn argv_start_index(call: &mut Call<'_>) -> Result<(), Fault> {
    let start = token(call).map_or(-1.0, |token| token.start as f32);
    call.return_float(start)
}

/// Runs `argv_end_index` (#516): -1 for a token that does not exist.
pub(super) fn argv_end_index(call: &mut Call<'_>) -> Result<(), Fault> {
    let end = token(call).map_or(-1.0, |token| token.end as f32);
    call.return_float(end)
}
