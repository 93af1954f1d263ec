//! Profiles: the statements that each function of a script has taken, by the functions that called it.

use std::collections::HashMap;
use std::fmt::Write as _;

use super::fault::Fault;
use super::machine::{Builtins, Machine};
use super::progs::{Builtin, FunctionId};

/// Maximum number of places in a tree of calls; deeper or later ones count for their callers.
const MAX_PLACES: usize = 1 << 16;

/// Number of bytes of a name that a profile keeps.
const LONGEST_NAME: usize = 128;
/// Maximum number of bytes of folded stacks; further ones are left out.
const MAX_FOLDED: usize = 1 << 26;

/// Host whose builtins appear in the [profile](Machine::start_profile) of a machine, with the lines that call them.
///
/// # Example
/// ```
/// use skelobj_qcvm::stdlib::Console;
/// use skelobj_qcvm::{Machine, Profiled, Progs};
///
/// let progs = Progs::load(&std::fs::read("examples/game.dat")?)?;
/// let mut console = Console::new(&progs, |_| ());
/// let mut machine = Machine::new(progs.into());
/// machine.start_profile();
/// let open_door = machine.find_function(b"open_door").ok_or("no open_door")?;
/// machine.call(open_door, &mut Profiled(&mut console))?;
/// let profile = machine.take_profile().ok_or("no profile")?;
/// assert_eq!(profile.functions()[0].name, "open_door");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Profiled<'a, H: ?Sized>(pub &'a mut H);

impl<H: Builtins + ?Sized> Builtins for Profiled<'_, H> {
    fn call(&mut self, machine: &mut Machine, builtin: &Builtin) -> Result<(), Fault> {
        machine.profile_builtin(builtin);
        let outcome = self.0.call(machine, builtin);
        machine.profile_return();
        outcome
    }

    fn read_host(&mut self, region: u32, offset: u32) -> Option<u32> {
        self.0.read_host(region, offset)
    }

    fn write_host(&mut self, region: u32, offset: u32, bits: u32) -> Option<()> {
        self.0.write_host(region, offset, bits)
    }
}

/// Statements of a function or builtin.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ProfiledFunction {
    /// Name of the function. A builtin has an entry for each of its calls in the code, with the line, if the progs has
    /// [line numbers](crate::Progs::load_lines), and the caller: `skel_build@142 in turret_think`.
    pub name: String,
    /// Number of calls.
    pub calls: u64,
    /// Statements of the function without those of the functions that it called; for a builtin, those that it charged.
    pub own: u64,
    /// Statements of the function and of all that it called.
    pub total: u64,
}

/// Profile of a script: a tree of its calls with the statements of each.
///
/// [`Profiled`] shows how to make one.
#[derive(Clone, Debug)]
pub struct Profile {
    places: Vec<Place>,
    children: HashMap<(usize, Callee), usize>,
    /// Place of the running function.
    at: usize,
    /// Number of calls below the running place that have no place of their own.
    beyond: usize,
    /// Statements that the running call had left when the running function was entered or continued.
    left: u64,
}

/// Function or builtin with its place in the tree of calls.
#[derive(Clone, Debug)]
struct Place {
    callee: Callee,
    name: String,
    caller: usize,
    calls: u64,
    own: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Callee {
    /// The host, which calls the first function.
    Host,
    Function(u32),
    /// Builtin by its position, called by a statement.
    Builtin(u32, u32),
}

impl Profile {
    fn new() -> Self {
        let host = Place { callee: Callee::Host, name: String::new(), caller: 0, calls: 0, own: 0 };
        Self { places: vec![host], children: HashMap::new(), at: 0, beyond: 0, left: 0 }
    }

    /// Counts the statements since the last change for the running place.
    fn count(&mut self, left: u64) {
        if let Some(place) = self.places.get_mut(self.at) {
            place.own += self.left.saturating_sub(left);
        }
        self.left = left;
    }

    fn enter(&mut self, callee: Callee, left: u64, name: impl FnOnce() -> String) {
        self.count(left);
        let known = if self.beyond > 0 { None } else { self.children.get(&(self.at, callee)).copied() };
        let place = known.or_else(|| {
            let has_room = self.beyond == 0 && self.places.len() < MAX_PLACES;
            has_room.then(|| {
                self.places.push(Place { callee, name: name(), caller: self.at, calls: 0, own: 0 });
                self.children.insert((self.at, callee), self.places.len() - 1);
                self.places.len() - 1
            })
        });
        match place.and_then(|number| Some((number, self.places.get_mut(number)?))) {
            Some((number, place)) => {
                place.calls += 1;
                self.at = number;
            }
            None => self.beyond += 1,
        }
    }

    fn leave(&mut self, left: u64) {
        self.count(left);
        match self.beyond {
            0 => self.at = self.places.get(self.at).map_or(0, |place| place.caller),
            _ => self.beyond -= 1,
        }
    }

    /// Returns the functions and builtins with the statements of all their calls, those with the most of their own
    /// first.
    #[must_use]
    pub fn functions(&self) -> Vec<ProfiledFunction> {
        let totals = self.totals();
        let mut functions: HashMap<Callee, ProfiledFunction> = HashMap::new();
        for (number, place) in self.places.iter().enumerate().skip(1) {
            let new = || ProfiledFunction { name: self.name_with_caller(place), calls: 0, own: 0, total: 0 };
            let function = functions.entry(place.callee).or_insert_with(new);
            function.calls += place.calls;
            function.own += place.own;
            // A function that calls itself counts once.
            if !self.callers(number).skip(1).any(|above| above.callee == place.callee) {
                function.total += totals.get(number).copied().unwrap_or(0);
            }
        }
        let mut functions: Vec<ProfiledFunction> = functions.into_values().collect();
        functions.sort_by(|a, b| b.own.cmp(&a.own).then_with(|| a.name.cmp(&b.name)));
        functions
    }

    /// Returns the name of a place in the list of functions.
    fn name_with_caller(&self, place: &Place) -> String {
        match (place.callee, self.places.get(place.caller)) {
            (Callee::Builtin(..), Some(caller)) => format!("{} in {}", place.name, caller.name),
            _ => place.name.clone(),
        }
    }

    /// Returns the tree of calls as folded stacks, which tools turn into flame graphs: a line for each place, with the
    /// names of the functions from the outermost on, separated by semicolons, and the statements of the innermost.
    /// Names are cut to 128 bytes, and what is beyond 64 MiB is left out.
    #[must_use]
    pub fn folded(&self) -> String {
        let mut text = String::new();
        for (number, place) in self.places.iter().enumerate().skip(1).filter(|(_, place)| place.own > 0) {
            if text.len() >= MAX_FOLDED {
                break;
            }
            let mut names: Vec<&str> = self.callers(number).map(|place| place.name.as_str()).collect();
            names.reverse();
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{} {}", names.join(";"), place.own);
        }
        text
    }

    /// Returns a place and the places that called it, without the host.
    fn callers(&self, number: usize) -> impl Iterator<Item = &Place> {
        let mut next = number;
        std::iter::from_fn(move || {
            let place = self.places.get(next).filter(|_| next != 0)?;
            next = place.caller;
            Some(place)
        })
    }

    /// Returns the statements of each place and all places below it.
    fn totals(&self) -> Vec<u64> {
        let mut totals: Vec<u64> = self.places.iter().map(|place| place.own).collect();
        // Callers come first.
        for (number, place) in self.places.iter().enumerate().skip(1).rev() {
            let own = totals.get(number).copied().unwrap_or(0);
            if let Some(total) = totals.get_mut(place.caller) {
                *total += own;
            }
        }
        totals
    }
}

/// Returns a name for a line of folded stacks, in which semicolons, spaces and line ends have a meaning.
fn plain(name: &[u8]) -> String {
    let name = String::from_utf8_lossy(name.get(..LONGEST_NAME).unwrap_or(name));
    name.chars().map(|c| if c.is_control() || c.is_whitespace() || c == ';' { '_' } else { c }).collect()
}

impl Machine {
    /// Starts to count the statements of each function; a profile that was not taken is dropped.
    ///
    /// Calls and returns take a little longer from then on. [`Profiled`] counts the builtins, too.
    pub fn start_profile(&mut self) {
        self.profile = Some(Box::new(Profile::new()));
    }

    /// Ends the profile and returns it, `None` if none was started.
    pub fn take_profile(&mut self) -> Option<Profile> {
        self.profile.take().map(|profile| *profile)
    }

    /// Counts statements from here on for the function that the host calls.
    pub(super) fn profile_call(&mut self) {
        let left = self.left();
        if let Some(profile) = &mut self.profile {
            profile.left = left;
        }
    }

    #[cold]
    pub(super) fn profile_enter(&mut self, function: FunctionId) {
        let left = self.left();
        let progs = &self.progs;
        if let Some(profile) = &mut self.profile {
            profile.enter(Callee::Function(function.0), left, || plain(progs.function_name(function)));
        }
    }

    #[cold]
    pub(super) fn profile_return(&mut self) {
        let left = self.left();
        if let Some(profile) = &mut self.profile {
            profile.leave(left);
        }
    }

    fn profile_builtin(&mut self, builtin: &Builtin) {
        let (left, calling) = (self.left(), self.calling.saturating_sub(1));
        let progs = &self.progs;
        if let Some(profile) = &mut self.profile {
            profile.enter(Callee::Builtin(builtin.index, calling), left, || {
                let name = plain(&builtin.name);
                let name = if name.is_empty() { format!("#{}", builtin.number) } else { name };
                progs.line(calling).map_or(name.clone(), |line| format!("{name}@{line}"))
            });
        }
    }
}
