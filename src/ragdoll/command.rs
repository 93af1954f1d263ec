//! Commands of `skel_ragupdate` (#281).

use std::borrow::Cow;

use skelobj_model::internal::Shown;

use crate::doll::{c_number, lexer};

/// Command to the ragdoll of a skeletal object, for [`Runtime::ragdoll_command`](crate::Runtime::ragdoll_command).
///
/// The texts are those of `skel_ragupdate` (#281). Every command except [`ClearDoll`](Self::ClearDoll) also updates the
/// bones, and every command except [`Doll`](Self::Doll), [`DollString`](Self::DollString) and
/// [`ClearDoll`](Self::ClearDoll) first attaches the model's default doll to an object without a doll.
///
/// ```
/// use skelobj::math::Mat3x4;
/// use skelobj::ragdoll::Command;
///
/// let (mut runtime, object) = skelobj::assets::mannequin_runtime();
/// let mut command = |command| runtime.ragdoll_command(object, &Mat3x4::IDENTITY, command, None);
///
/// command(Command::Doll("mannequin.doll"))?;
/// command(Command::Animate(1.0, None))?; // the character is alive
/// command(Command::AnimateLimb("upperarm_l", 0.0, None))?; // a shot paralyses the arm,
/// command(Command::EnableJoint("elbow_l", false))?; // and another one severs it
/// command("animate 0".into())?; // the character dies,
/// command(Command::Muscle(0.3))?; // and its muscles, if the doll has any, hold the pose with less and less strength
/// command(Command::ClearDoll)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[non_exhaustive]
pub enum Command<'a> {
    /// Updates the bones (the empty text).
    #[default]
    Update,
    /// Uses the doll of a file: `doll FILE`.
    Doll(&'a str),
    /// Uses a doll given as text, on the command's line or on the lines after it: `dollstring TEXT`.
    DollString(&'a str),
    /// Removes the doll: `cleardoll`. The bones are unchanged, in model space.
    ClearDoll,
    /// Makes every body follow the animation with the doll's strength times this factor: `animate STRENGTH`. At 1 a
    /// body follows exactly, at 0 it is limp. With a time in seconds the strengths change over time: `animate STRENGTH
    /// SECONDS`.
    ///
    /// Between 0 and 1 a body follows with that strength, independent of the frame rate. A body that follows exactly
    /// pushes the bodies in its way. Bodies that become limp keep the speed of the animation. A ragdoll that was
    /// started in this frame or the one before has none: run [`Update`](Self::Update) for at least two frames before a
    /// death.
    ///
    /// Limp bodies that are to follow exactly take the time, 0.3 seconds without one, to reach the animation, or catch
    /// up with it at once if they are near. Each moves relative to the body that carries it, so that no limb stretches
    /// and no joint opens. In all other cases the strength itself changes: at once without a time, at a constant pace
    /// with one. Send a command with a time once, then [`Update`](Self::Update). A time of 0 or below means at once;
    /// the longest time is an hour. Difference 210.
    ///
    /// A limb that was [severed](Self::EnableJoint) stays limp, where it lies. [`AnimateBody`](Self::AnimateBody) and
    /// [`AnimateLimb`](Self::AnimateLimb) reach its bodies.
    Animate(f32, Option<f32>),
    /// Makes one body follow with this strength, regardless of the doll's: `animatebody BODY STRENGTH [SECONDS]`. The
    /// time has the same meaning as for [`Animate`](Self::Animate).
    AnimateBody(&'a str, f32, Option<f32>),
    /// Makes a body and all that hangs on it follow with this strength, regardless of the doll's: `animatelimb BODY
    /// STRENGTH [SECONDS]`. A limp upper arm takes forearm and hand along.
    ///
    /// A body hangs on another if enabled joints connect it with the root, the body on the topmost bone, by way of that
    /// other body alone. All of the ragdoll hangs on the root; of a severed limb, on the body that was cut off.
    AnimateLimb(&'a str, f32, Option<f32>),
    /// Enables or disables a joint: `enablejoint JOINT 0|1`. A disabled joint severs what hangs on it.
    ///
    /// A body that no joint connects with the root any more becomes limp and keeps its velocity, also on a character
    /// that is animated. Attached again, it has the strength of the commands since, and returns to the animation in 0.3
    /// seconds. Severed parts begin to collide with each other once they are apart. A joint that is enabled again while
    /// its anchors are apart pulls them together softly.
    EnableJoint(&'a str, bool),
    /// Sets the strength of all muscles, a factor of the doll's own stiffness, 1 at first: `muscle STRENGTH`. At 0 and
    /// below, the corpse is slack.
    ///
    /// A muscle holds the pose of the animation, as it was when the joint became limp, or as it is built later. It acts
    /// while one of the joint's bodies is limp. It loses its strength over the time that the doll sets as
    /// [`slacken`](crate::doll::Joint::slacken); a new strength begins it anew, and so does following the animation. A
    /// new strength wakes the ragdoll.
    Muscle(f32),
    /// Sets the strength of one joint's muscle: `musclejoint JOINT STRENGTH`.
    MuscleJoint(&'a str, f32),
    /// Wakes the ragdoll, or lets it sleep where it is: `awake 0|1`.
    ///
    /// A ragdoll that is to sleep stops, and sleeps from the end of the next step on, also in mid-air; it costs nothing
    /// then. A push, a command and a change of gravity wake it. It stays awake while it touches something that moves,
    /// and while bodies of it follow an animation.
    Awake(bool),
    /// Command as the text of `skel_ragupdate`, in which names are bytes in any encoding.
    Text(&'a [u8]),
}

impl<'a> From<&'a str> for Command<'a> {
    /// Returns the command with this text, which is parsed when it runs.
    fn from(text: &'a str) -> Self {
        Self::Text(text.as_bytes())
    }
}

/// Command with names in any encoding.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Order<'a> {
    Update,
    Doll(Cow<'a, [u8]>),
    DollString(Cow<'a, [u8]>),
    ClearDoll,
    Animate(f32, Option<f32>),
    AnimateBody(Cow<'a, [u8]>, f32, Option<f32>),
    AnimateLimb(Cow<'a, [u8]>, f32, Option<f32>),
    EnableJoint(Cow<'a, [u8]>, bool),
    Muscle(f32),
    MuscleJoint(Cow<'a, [u8]>, f32),
    Awake(bool),
}

/// Error of [`Command::parse`]: the first word is not a command.
///
/// ```
/// use skelobj::ragdoll::Command;
///
/// let error = Command::parse("Explode 3").unwrap_err();
/// assert_eq!(error.word, b"Explode");
/// assert!(error.to_string().starts_with("unknown ragdoll command `Explode`, expected one of: doll FILE, "));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct UnknownCommand {
    /// First word of the text.
    pub word: Vec<u8>,
}

impl std::fmt::Display for UnknownCommand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (word, all) = (Shown::of(&self.word), Command::USAGE.join(", "));
        write!(f, "unknown ragdoll command `{word}`, expected one of: {all}")
    }
}

impl std::error::Error for UnknownCommand {}

impl<'a> Command<'a> {
    /// Syntax of each command except the empty one.
    pub const USAGE: [&'static str; 10] = [
        "doll FILE",
        "dollstring TEXT",
        "cleardoll",
        "animate STRENGTH [SECONDS]",
        "animatebody BODY STRENGTH [SECONDS]",
        "animatelimb BODY STRENGTH [SECONDS]",
        "enablejoint JOINT 0|1",
        "muscle STRENGTH",
        "musclejoint JOINT STRENGTH",
        "awake 0|1",
    ];

    /// Parses the text of a command. The command's word ignores case, names do not. A number that is missing,
    /// unreadable or non-finite is 0. A text with a name that is not UTF-8 results in [`Text`](Self::Text).
    ///
    /// ```
    /// use skelobj::ragdoll::Command;
    /// assert_eq!(Command::parse("Animate 0.5"), Ok(Command::Animate(0.5, None)));
    /// assert_eq!(Command::parse("animate 1 0.8"), Ok(Command::Animate(1.0, Some(0.8))));
    /// assert_eq!(Command::parse("enablejoint neck 0"), Ok(Command::EnableJoint("neck", false)));
    /// assert_eq!(Command::parse(""), Ok(Command::Update));
    /// assert_eq!(
    ///     Command::parse("explode").map_err(|error| error.to_string()),
    ///     Err("unknown ragdoll command `explode`, expected one of: doll FILE, dollstring TEXT, cleardoll, \
    ///          animate STRENGTH [SECONDS], animatebody BODY STRENGTH [SECONDS], \
    ///          animatelimb BODY STRENGTH [SECONDS], enablejoint JOINT 0|1, muscle STRENGTH, \
    ///          musclejoint JOINT STRENGTH, awake 0|1".to_owned())
    /// );
    /// ```
    ///
    /// # Errors
    /// [`UnknownCommand`], whose message lists all commands.
    pub fn parse(text: &'a (impl AsRef<[u8]> + ?Sized)) -> Result<Self, UnknownCommand> {
        let text = text.as_ref();
        Ok(Order::parse(text)?.command().unwrap_or(Self::Text(text)))
    }

    /// Returns the command with names in any encoding.
    pub(crate) fn order(self) -> Result<Order<'a>, UnknownCommand> {
        let bytes = |text: &'a str| Cow::Borrowed(text.as_bytes());
        Ok(match self {
            Self::Update => Order::Update,
            Self::Doll(file) => Order::Doll(bytes(file)),
            Self::DollString(text) => Order::DollString(bytes(text)),
            Self::ClearDoll => Order::ClearDoll,
            Self::Animate(strength, over) => Order::Animate(strength, over),
            Self::AnimateBody(name, strength, over) => Order::AnimateBody(bytes(name), strength, over),
            Self::AnimateLimb(name, strength, over) => Order::AnimateLimb(bytes(name), strength, over),
            Self::EnableJoint(name, enabled) => Order::EnableJoint(bytes(name), enabled),
            Self::Muscle(strength) => Order::Muscle(strength),
            Self::MuscleJoint(name, strength) => Order::MuscleJoint(bytes(name), strength),
            Self::Awake(awake) => Order::Awake(awake),
            Self::Text(text) => return Order::parse(text),
        })
    }
}

/// Returns the syntax of a command whose number is missing or not one, so that 0 is used, and the word in its place.
#[cfg(feature = "qcvm")]
pub(crate) fn unread_number(text: &[u8]) -> Option<(&'static str, Option<Vec<u8>>)> {
    let words = lexer::lines(text).next()?.words;
    let command = &words.first()?.bytes;
    let is_of =
        |usage: &&str| usage.split(' ').next().is_some_and(|name| command.eq_ignore_ascii_case(name.as_bytes()));
    let usage = Command::USAGE.into_iter().find(is_of)?;
    let at = usage.split(' ').position(|word| ["STRENGTH", "0|1"].contains(&word))?;
    let numbers = usage.split(' ').count() - at;
    // A time below 0 means at once; a strength below 0 is a mistake.
    let is_read = |place: usize, word: &[u8]| {
        c_number::float(word).is_some_and(|(value, _)| value.is_finite() && (place > 0 || value >= 0.0))
    };
    let mut given = words.get(at..)?.iter().take(numbers).enumerate();
    match (given.find(|(place, word)| !is_read(*place, &word.bytes)), words.len() > at) {
        (None, true) => None,
        (unread, _) => Some((usage, unread.map(|(_, word)| word.bytes.to_vec()))),
    }
}

impl<'a> Order<'a> {
    fn parse(text: &'a [u8]) -> Result<Self, UnknownCommand> {
        if text.is_empty() {
            return Ok(Self::Update);
        }
        let mut words = lexer::lines(text).next().unwrap_or_default().words.into_iter();
        let Some(first) = words.next() else { return Ok(Self::Update) };
        let name = |words: &mut std::vec::IntoIter<lexer::Word<'a>>| words.next().map(|w| w.bytes).unwrap_or_default();
        let number = |word: lexer::Word<'_>| {
            let number = c_number::float(&word.bytes).map(|(value, _)| value);
            number.filter(|value| value.is_finite()).unwrap_or(0.0)
        };
        match first.bytes.to_ascii_lowercase().as_slice() {
            b"doll" => Ok(Self::Doll(name(&mut words))),
            b"dollstring" => {
                let text = &text[first.span.end..];
                let text = text.strip_prefix(b"\r").unwrap_or(text);
                Ok(Self::DollString(text.strip_prefix(b"\n").unwrap_or(text).into()))
            }
            b"cleardoll" => Ok(Self::ClearDoll),
            b"animate" => {
                let strength = words.next().map_or(0.0, number);
                Ok(Self::Animate(strength, words.next().map(number)))
            }
            word @ (b"animatebody" | b"animatelimb") => {
                let (name, strength) = (name(&mut words), words.next().map_or(0.0, number));
                let of = if word == b"animatebody" { Self::AnimateBody } else { Self::AnimateLimb };
                Ok(of(name, strength, words.next().map(number)))
            }
            b"enablejoint" => Ok(Self::EnableJoint(name(&mut words), words.next().map_or(0.0, number) != 0.0)),
            b"muscle" => Ok(Self::Muscle(words.next().map_or(0.0, number))),
            b"musclejoint" => Ok(Self::MuscleJoint(name(&mut words), words.next().map_or(0.0, number))),
            b"awake" => Ok(Self::Awake(words.next().map_or(0.0, number) != 0.0)),
            _ => Err(UnknownCommand { word: first.bytes.into_owned() }),
        }
    }

    /// Returns the public command; `None` if a name is not UTF-8 or not a part of the text.
    fn command(self) -> Option<Command<'a>> {
        let text = |bytes: Cow<'a, [u8]>| match bytes {
            Cow::Borrowed(bytes) => std::str::from_utf8(bytes).ok(),
            Cow::Owned(_) => None,
        };
        Some(match self {
            Self::Update => Command::Update,
            Self::Doll(file) => Command::Doll(text(file)?),
            Self::DollString(doll) => Command::DollString(text(doll)?),
            Self::ClearDoll => Command::ClearDoll,
            Self::Animate(strength, over) => Command::Animate(strength, over),
            Self::AnimateBody(name, strength, over) => Command::AnimateBody(text(name)?, strength, over),
            Self::AnimateLimb(name, strength, over) => Command::AnimateLimb(text(name)?, strength, over),
            Self::EnableJoint(name, enabled) => Command::EnableJoint(text(name)?, enabled),
            Self::Muscle(strength) => Command::Muscle(strength),
            Self::MuscleJoint(name, strength) => Command::MuscleJoint(text(name)?, strength),
            Self::Awake(awake) => Command::Awake(awake),
        })
    }
}
