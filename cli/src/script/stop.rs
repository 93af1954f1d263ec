//! Breakpoints of a script: `--break` and `--show`.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use skelobj::model::Name;
use skelobj::qc::vm::{Field, FunctionId, Global, Machine, Progs, Type};

use super::game::Game;
use crate::error::CliError;
use crate::out::{line, tell, tell_line};

/// Maximum number of stops that are printed.
const MAX_STOPS: u64 = 1000;
/// Maximum length of a text that is shown, characters.
const LONGEST_TEXT: usize = 200;

/// Place at which a script stops: a function, and a line of its source.
#[derive(Clone)]
pub struct Breakpoint {
    function: String,
    line: Option<u32>,
}

impl std::str::FromStr for Breakpoint {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let expected = "expected FUNCTION or FUNCTION:LINE such as ogre_think:14";
        let (function, line) = match text.rsplit_once(':') {
            // The name of a method, such as `ogre::think`.
            Some((class, method)) if class.ends_with(':') && !method.starts_with(|c: char| c.is_ascii_digit()) => {
                (text, None)
            }
            Some((function, line)) => (function, Some(line.parse().map_err(|_| expected)?)),
            None => (text, None),
        };
        if function.is_empty() { Err(expected) } else { Ok(Self { function: function.to_owned(), line }) }
    }
}

impl Breakpoint {
    /// Returns the error of a place that no progs has.
    pub fn error(&self, why: &NoPlace, paths: Vec<PathBuf>) -> CliError {
        let name = self.function.clone();
        match why {
            NoPlace::NoFunction => CliError::NotInProgs("--break", paths, "function", name),
            NoPlace::NoCode(why) => CliError::Breakpoint(name, why.clone()),
        }
    }

    /// Returns the statement of the place.
    fn statement(&self, progs: &Progs) -> Result<u32, NoPlace> {
        let wrong = NoPlace::NoCode;
        let Some(function) = progs.function(self.function.as_bytes()) else { return Err(NoPlace::NoFunction) };
        let statements = progs.statements_of(function);
        if statements.is_empty() {
            return Err(wrong("it is a builtin".to_owned()));
        }
        let Some(wanted) = self.line else { return Ok(statements.start) };
        let mut lines: Vec<u32> = statements.clone().filter_map(|statement| progs.line(statement)).collect();
        lines.sort_unstable();
        let (Some(first), Some(last)) = (lines.first(), lines.last()) else {
            return Err(wrong("there are no line numbers: the .lno file of the compiler is missing".to_owned()));
        };
        let found = statements.clone().find(|statement| progs.line(*statement) == Some(wanted));
        let next = lines.iter().find(|line| **line > wanted).map(|line| format!(", the next is {line}"));
        found.ok_or_else(|| {
            wrong(format!("no code is on line {wanted}: it has lines {first} to {last}{}", next.unwrap_or_default()))
        })
    }
}

/// Reason for which a progs does not have the place of a breakpoint.
#[derive(Clone)]
pub enum NoPlace {
    NoFunction,
    /// The function has no code there, with the reason.
    NoCode(String),
}

/// Global, or field of an entity in a global, that is shown at a stop.
#[derive(Clone)]
pub struct Shown {
    name: String,
    global: Global,
    fields: Vec<Field>,
    /// All fields of the entity are shown that are not zero.
    has_all: bool,
}

impl Shown {
    /// Finds a name such as `time`, `self.health` or `self.*`; `None` if the progs does not have it.
    fn find(name: &str, progs: &Progs) -> Option<Self> {
        let mut parts = name.split('.');
        let global = progs.global(parts.next()?.as_bytes())?;
        let (mut fields, mut has_all, mut kind) = (Vec::new(), false, global.kind);
        for part in parts {
            if kind != Type::Entity || has_all {
                return None;
            }
            if part == "*" {
                has_all = true;
                continue;
            }
            let field = progs.field(part.as_bytes())?;
            fields.push(field);
            kind = field.kind;
        }
        Some(Self { name: name.to_owned(), global, fields, has_all })
    }

    fn write(&self, machine: &Machine, text: &mut String) {
        let (mut kind, mut words) = (self.global.kind, global_words(machine, self.global));
        for field in &self.fields {
            words = field_words(machine, words[0], *field);
            kind = field.kind;
        }
        if !self.has_all {
            return write_value(text, &self.name, machine, kind, words);
        }
        let entity = words[0];
        let name = self.name.trim_end_matches('*');
        let all = machine.progs().fields();
        let mut vectors = Vec::new();
        for (field_name, field) in all.filter(|(name, field)| !name.is_empty() && field.kind != Type::Void) {
            // The components of a vector have names, too.
            let is_component = vectors.iter().any(|first| (*first..*first + 3).contains(&field.offset));
            if field.kind == Type::Vector {
                vectors.push(field.offset);
            }
            let words = field_words(machine, entity, field);
            if !is_component && words != [0; 3] {
                write_value(text, &format!("{name}{}", Name::new(field_name)), machine, field.kind, words);
            }
        }
    }
}

/// Stops of a game.
pub struct Stops {
    /// Number of stops so far.
    count: Arc<AtomicU64>,
    /// Reason for which the progs lacks the place of each breakpoint; `None` if it has it.
    pub missing: Vec<Option<NoPlace>>,
    /// Names to show that the progs does not have.
    pub unknown_names: Vec<String>,
}

impl Stops {
    /// Sets the breakpoints that the progs of a game has.
    pub fn set(game: &mut Game, breakpoints: &[Breakpoint], names: &[String]) -> Self {
        let progs = game.machine.progs().clone();
        let places: Vec<_> = breakpoints.iter().map(|breakpoint| breakpoint.statement(&progs)).collect();
        let statements: Vec<u32> = places.iter().filter_map(|place| place.as_ref().ok().copied()).collect();
        let missing = places.into_iter().map(Result::err).collect();
        let shown: Vec<Shown> = names.iter().filter_map(|name| Shown::find(name, &progs)).collect();
        let is_unknown = |name: &&String| shown.iter().all(|found| found.name != **name);
        let unknown_names = names.iter().filter(is_unknown).cloned().collect();
        let stops = Arc::new(AtomicU64::new(0));
        let (output, label, frame, counted) = (game.output.clone(), game.label, game.frame.clone(), stops.clone());
        game.machine.set_breakpoints(statements, move |machine| {
            let number = counted.fetch_add(1, Ordering::Relaxed) + 1;
            if number <= MAX_STOPS {
                output.flush();
                tell(describe(machine, number, label, &frame, &shown));
            }
        });
        Self { count: stops, missing, unknown_names }
    }

    /// Returns the number of stops so far.
    pub fn count(&self) -> u64 {
        self.count.load(Ordering::Relaxed)
    }

    /// Prints how many stops were left out.
    pub fn report_left_out(&self, label: &str) {
        if let Some(more) = self.count().checked_sub(MAX_STOPS).filter(|more| *more > 0) {
            tell_line(format_args!("skelobj: {label}{more} more stops are not printed"));
        }
    }
}

/// Returns where a script has stopped, the calls that led there, and its values.
fn describe(machine: &Machine, number: u64, label: &str, frame: &AtomicU32, shown: &[Shown]) -> String {
    let progs = machine.progs();
    let time = progs.global(b"time").map_or(0.0, |time| machine.global_float(time));
    let stack = machine.call_stack();
    let frame = frame.load(Ordering::Relaxed);
    let mut stack = stack.iter().map(ToString::to_string);
    let at = stack.next().unwrap_or_default();
    let mut text = line(&format!("stop {number}, frame {frame}, {time:.3} s: {label}{at}")) + "\n";
    for caller in stack {
        text += &(line(&format!("  called from {caller}")) + "\n");
    }
    if let Some(function) = machine.running() {
        write_locals(&mut text, machine, function);
    }
    shown.iter().for_each(|shown| shown.write(machine, &mut text));
    text
}

/// Writes the parameters and local variables of a function.
fn write_locals(text: &mut String, machine: &Machine, function: FunctionId) {
    let mut vector_end = 0;
    for (name, global) in machine.progs().locals(function) {
        // The components of a vector have names, too.
        if global.offset < vector_end {
            continue;
        }
        if global.kind == Type::Vector {
            vector_end = global.offset + 3;
        }
        write_value(text, &Name::new(name).to_string(), machine, global.kind, global_words(machine, global));
    }
}

fn global_words(machine: &Machine, global: Global) -> [u32; 3] {
    match global.kind {
        Type::Vector => machine.global_vector(global).map(f32::to_bits),
        _ => [machine.global(global), 0, 0],
    }
}

fn field_words(machine: &Machine, entity: u32, field: Field) -> [u32; 3] {
    match field.kind {
        Type::Vector => machine.field_vector(entity, field).unwrap_or_default().map(f32::to_bits),
        _ => [machine.field(entity, field).unwrap_or(0), 0, 0],
    }
}

/// Writes a line with a value.
fn write_value(text: &mut String, name: &str, machine: &Machine, kind: Type, words: [u32; 3]) {
    let [word, ..] = words;
    let value = match kind {
        Type::Float => f32::from_bits(word).to_string(),
        Type::Vector => {
            let [x, y, z] = words.map(f32::from_bits);
            format!("'{x} {y} {z}'")
        }
        Type::String => match machine.string(word) {
            Ok(string) => quoted(string),
            Err(fault) => fault.to_string(),
        },
        Type::Entity => entity_name(machine, word),
        Type::Function if word == 0 => "null".to_owned(),
        Type::Function => Name::new(machine.progs().function_name(FunctionId(word))).to_string(),
        Type::Field => {
            let mut fields = machine.progs().fields();
            let field = fields.find(|(name, field)| !name.is_empty() && field.offset == word);
            field.map_or_else(|| word.to_string(), |(name, _)| format!(".{}", Name::new(name)))
        }
        Type::Integer => (word as i32).to_string(),
        _ => format!("{word:#x}"),
    };
    // Writing to a string cannot fail.
    let _ = writeln!(text, "  {}", line(&format!("{name} = {value}")));
}

/// Returns a text in quotes, cut if it is long.
fn quoted(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    match text.char_indices().nth(LONGEST_TEXT) {
        Some((end, _)) => format!("{:?}...", text.get(..end).unwrap_or_default()),
        None => format!("{text:?}"),
    }
}

/// Returns an entity's number and class.
pub fn entity_name(machine: &Machine, number: u32) -> String {
    if number == 0 {
        return "world".to_owned();
    }
    let class = machine.progs().field(b"classname").and_then(|class| machine.field(number, class).ok());
    let class = class.and_then(|class| machine.string(class).ok()).filter(|class| !class.is_empty());
    let state = if machine.is_entity_alive(number) { "" } else { ", removed" };
    match class {
        Some(class) => format!("entity {number} ({}{state})", Name::new(class)),
        None => format!("entity {number}{state}"),
    }
}
