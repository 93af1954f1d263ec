//! The words of skel_ragupdate (builtin #281).

use std::borrow::Cow;

use crate::doll::{lexer, number};

/// A command to a skeletal object's ragdoll.
#[derive(Clone, PartialEq, Debug)]
pub enum Command<'a> {
    /// Nothing but an update; makes the model's default doll if there is none.
    Update,
    /// `doll FILE`: use this doll.
    Doll(Cow<'a, [u8]>),
    /// `dollstring TEXT`: use the doll that follows, on the same line or the next.
    DollString(&'a [u8]),
    /// `cleardoll`: no doll any more.
    ClearDoll,
    /// `animate STRENGTH`: every body follows the animation as strongly as its doll says, times this.
    Animate(f32),
    /// `animatebody BODY STRENGTH`: one body follows this strongly.
    AnimateBody(Cow<'a, [u8]>, f32),
    /// `enablejoint JOINT TRUTH`: a joint holds or not.
    EnableJoint(Cow<'a, [u8]>, bool),
}

/// A command that does not exist.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownCommand {
    /// Its first word.
    pub word: Vec<u8>,
}

impl std::fmt::Display for UnknownCommand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "unknown ragdoll command `{}`", self.word.escape_ascii())
    }
}

impl std::error::Error for UnknownCommand {}

impl<'a> Command<'a> {
    /// Reads a command: its word ignores case, names do not; a missing or unreadable number is 0.
    ///
    /// ```
    /// use skelobj::ragdoll::Command;
    /// assert_eq!(Command::parse(b"Animate 0.5"), Ok(Command::Animate(0.5)));
    /// assert_eq!(Command::parse(b""), Ok(Command::Update));
    /// assert!(Command::parse(b"explode").is_err());
    /// ```
    ///
    /// # Errors
    /// A first word that is no command.
    pub fn parse(text: &'a [u8]) -> Result<Self, UnknownCommand> {
        if text.is_empty() {
            return Ok(Self::Update);
        }
        let (line, _) = lexer::line(text, 0);
        let mut words = line.words.into_iter();
        let Some(first) = words.next() else { return Ok(Self::Update) };
        let name = |words: &mut std::vec::IntoIter<lexer::Word<'a>>| words.next().map(|w| w.bytes).unwrap_or_default();
        let strength = |word: Option<lexer::Word<'_>>| {
            word.and_then(|word| number::float(&word.bytes)).map_or(0.0, |(value, _)| value)
        };
        match first.bytes.to_ascii_lowercase().as_slice() {
            b"doll" => Ok(Self::Doll(name(&mut words))),
            b"dollstring" => {
                let text = &text[first.span.end..];
                let text = text.strip_prefix(b"\r").unwrap_or(text);
                Ok(Self::DollString(text.strip_prefix(b"\n").unwrap_or(text)))
            }
            b"cleardoll" => Ok(Self::ClearDoll),
            b"animate" => Ok(Self::Animate(strength(words.next()))),
            b"animatebody" => Ok(Self::AnimateBody(name(&mut words), strength(words.next()))),
            b"enablejoint" => Ok(Self::EnableJoint(name(&mut words), strength(words.next()) != 0.0)),
            _ => Err(UnknownCommand { word: first.bytes.into_owned() }),
        }
    }
}
