//! Commands of `skel_ragupdate` (#281).

use std::borrow::Cow;

use crate::doll::{lexer, number};

/// Command to the ragdoll of a skeletal object, for [`Runtime::ragdoll_command`](crate::Runtime::ragdoll_command).
///
/// The texts are those of `skel_ragupdate` (#281). Every command except [`ClearDoll`](Self::ClearDoll) also updates the
/// bones, and every command except [`Doll`](Self::Doll), [`DollString`](Self::DollString) and
/// [`ClearDoll`](Self::ClearDoll) first attaches the model's default doll to an object without a doll.
///
/// ```
/// use skelobj::math::Mat3x4;
/// use skelobj::model::FrameState;
/// use skelobj::object::{Build, Space};
/// use skelobj::ragdoll::Command;
/// use skelobj::{Runtime, assets};
///
/// let mut runtime = Runtime::default();
/// # runtime.set_files(|name: &str| match name {
/// #     "mannequin.iqm" => Some(assets::MANNEQUIN_IQM.to_vec()),
/// #     "mannequin.doll" => Some(assets::MANNEQUIN_DOLL.to_vec()),
/// #     _ => None,
/// # });
/// let model = runtime.load_model("mannequin.iqm")?;
/// let object = runtime.create_object(model, Space::Local)?;
/// runtime.build(object, model, &FrameState::single(0, 0.0), &Build::REPLACE)?;
/// let mut command = |command| runtime.ragdoll_command(object, &Mat3x4::IDENTITY, command, None);
///
/// command(Command::Doll("mannequin.doll".as_bytes().into()))?;
/// command(Command::Animate(1.0))?; // the character is alive
/// command(Command::AnimateBody(b"upperarm_l".into(), 0.0))?; // a shot paralyses the arm,
/// command(Command::EnableJoint(b"elbow_l".into(), false))?; // and another one severs it
/// command(Command::Animate(0.0))?; // the character dies,
/// command(Command::Muscle(0.3))?; // and its muscles, if the doll has any, hold the pose with less and less strength
/// command(Command::ClearDoll)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub enum Command<'a> {
    /// Updates the bones (the empty text).
    #[default]
    Update,
    /// Uses the doll of a file: `doll FILE`.
    Doll(Cow<'a, [u8]>),
    /// Uses a doll given as text, on the command's line or on the lines after it: `dollstring TEXT`.
    DollString(Cow<'a, [u8]>),
    /// Removes the doll: `cleardoll`. The bones are unchanged, in model space.
    ClearDoll,
    /// Makes every body follow the animation with the doll's strength times this factor: `animate STRENGTH`. At 1 a
    /// body follows exactly, at 0 it is limp.
    ///
    /// Bodies that become limp keep the speed that they had while they followed. A ragdoll that was started in this
    /// frame or the one before has none: run [`Update`](Self::Update) for at least two frames before a death.
    ///
    /// Limp bodies that are to follow exactly approach the animation for 0.3 seconds, or catch up with it at once if
    /// they are near.
    Animate(f32),
    /// Changes the factor of the doll's strengths over time: `animate STRENGTH SECONDS`. Send it once, then
    /// [`Update`](Self::Update).
    ///
    /// Limp bodies that are to follow exactly take SECONDS to reach the animation. Each moves relative to the body that
    /// carries it, so that no limb stretches and no joint opens. In all other cases the strength itself changes at
    /// constant pace. A time of 0, a negative one and NaN mean at once; the longest time is an hour. Difference 210.
    AnimateOver(f32, f32),
    /// Makes one body follow with this strength, regardless of the doll's: `animatebody BODY STRENGTH`.
    AnimateBody(Cow<'a, [u8]>, f32),
    /// Changes the strength of one body over time, regardless of the doll's: `animatebody BODY STRENGTH SECONDS`. The
    /// time means what it means for [`AnimateOver`](Self::AnimateOver).
    AnimateBodyOver(Cow<'a, [u8]>, f32, f32),
    /// Enables or disables a joint: `enablejoint JOINT 0|1`.
    EnableJoint(Cow<'a, [u8]>, bool),
    /// Sets the strength of all muscles, a factor of the doll's own stiffness: `muscle STRENGTH`. At 0 the corpse is
    /// slack.
    Muscle(f32),
    /// Sets the strength of one joint's muscle: `musclejoint JOINT STRENGTH`.
    MuscleJoint(Cow<'a, [u8]>, f32),
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
        let (word, all) = (self.word.escape_ascii(), Command::USAGE.join(", "));
        write!(f, "unknown ragdoll command `{word}`, expected one of: {all}")
    }
}

impl std::error::Error for UnknownCommand {}

impl<'a> Command<'a> {
    /// Syntax of each command except the empty one.
    pub const USAGE: [&'static str; 8] = [
        "doll FILE",
        "dollstring TEXT",
        "cleardoll",
        "animate STRENGTH [SECONDS]",
        "animatebody BODY STRENGTH [SECONDS]",
        "enablejoint JOINT 0|1",
        "muscle STRENGTH",
        "musclejoint JOINT STRENGTH",
    ];

    /// Parses the text of a command. The command's word ignores case, names do not. A number that is missing,
    /// unreadable or non-finite is 0; without a time, [`Animate`](Self::Animate) and
    /// [`AnimateBody`](Self::AnimateBody) result.
    ///
    /// ```
    /// use skelobj::ragdoll::Command;
    /// assert_eq!(Command::parse("Animate 0.5"), Ok(Command::Animate(0.5)));
    /// assert_eq!(Command::parse("animate 1 0.8"), Ok(Command::AnimateOver(1.0, 0.8)));
    /// assert_eq!(Command::parse("enablejoint neck 0"), Ok(Command::EnableJoint(b"neck".into(), false)));
    /// assert_eq!(Command::parse(""), Ok(Command::Update));
    /// assert_eq!(
    ///     Command::parse("explode").map_err(|error| error.to_string()),
    ///     Err("unknown ragdoll command `explode`, expected one of: doll FILE, dollstring TEXT, cleardoll, \
    ///          animate STRENGTH [SECONDS], animatebody BODY STRENGTH [SECONDS], enablejoint JOINT 0|1, \
    ///          muscle STRENGTH, musclejoint JOINT STRENGTH".to_owned())
    /// );
    /// ```
    ///
    /// # Errors
    /// [`UnknownCommand`], whose message lists all commands.
    pub fn parse(text: &'a (impl AsRef<[u8]> + ?Sized)) -> Result<Self, UnknownCommand> {
        let text = text.as_ref();
        if text.is_empty() {
            return Ok(Self::Update);
        }
        let mut words = lexer::lines(text).next().unwrap_or_default().words.into_iter();
        let Some(first) = words.next() else { return Ok(Self::Update) };
        let name = |words: &mut std::vec::IntoIter<lexer::Word<'a>>| words.next().map(|w| w.bytes).unwrap_or_default();
        let number = |word: lexer::Word<'_>| {
            let number = number::float(&word.bytes).map(|(value, _)| value);
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
                Ok(match words.next().map(number) {
                    Some(seconds) => Self::AnimateOver(strength, seconds),
                    None => Self::Animate(strength),
                })
            }
            b"animatebody" => {
                let (name, strength) = (name(&mut words), words.next().map_or(0.0, number));
                Ok(match words.next().map(number) {
                    Some(seconds) => Self::AnimateBodyOver(name, strength, seconds),
                    None => Self::AnimateBody(name, strength),
                })
            }
            b"enablejoint" => Ok(Self::EnableJoint(name(&mut words), words.next().map_or(0.0, number) != 0.0)),
            b"muscle" => Ok(Self::Muscle(words.next().map_or(0.0, number))),
            b"musclejoint" => Ok(Self::MuscleJoint(name(&mut words), words.next().map_or(0.0, number))),
            _ => Err(UnknownCommand { word: first.bytes.into_owned() }),
        }
    }
}
