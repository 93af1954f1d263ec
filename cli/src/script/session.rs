//! Games of a run: that of one progs, or those of a server and of its client.

use std::cell::RefCell;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use skelobj::physics::Level;
use skelobj::qc::Rules;
use skelobj::qc::vm::Progs;
use skelobj::{FileSource, Runtime, assets};

use super::args::ScriptArgs;
use super::data::Data;
use super::entry::Entries;
use super::figure::{self, Figure, Figures};
use super::game::Game;
use super::network::{Network, NetworkOptions};
use super::output::SharedOutput;
use super::spawn;
use super::stop::{NoPlace, Stops};
use super::trace::Trace;
use super::watch::FilesRead;
use crate::error::CliError;
use crate::files;
use crate::folder::{Folder, Found, or_working};
use crate::out::tell_line;

/// Console variables of an engine, for the skill normal.
const ENGINE_VARIABLES: [(&str, &str); 10] = [
    ("csqc_progname", "csprogs.dat"),
    ("pr_checkextension", "1"),
    ("registered", "1"),
    ("skill", "1"),
    ("sv_accelerate", "10"),
    ("sv_friction", "4"),
    ("sv_gravity", "800"),
    ("sv_maxspeed", "320"),
    ("sv_maxvelocity", "2000"),
    ("sv_stopspeed", "100"),
];

/// Game with the functions that run in it.
pub struct Side {
    pub game: Game,
    pub entries: Entries,
    trace: Option<Trace>,
    stops: Option<Stops>,
}

/// Client of a server, and the network between them.
pub struct Client {
    pub side: Side,
    pub network: Network,
    /// `true` if the client has a world of its own.
    has_world: bool,
}

/// Games of a run.
pub struct Session {
    /// The only game, or that of the server.
    pub first: Side,
    pub client: Option<Client>,
    /// Map with its name.
    pub level: Option<(String, Level)>,
    pub output: SharedOutput,
}

impl Session {
    /// Reads the progs and the map, and creates their games.
    pub fn new(args: &ScriptArgs, files_read: &FilesRead) -> Result<Self, CliError> {
        let folders = match args.models.as_deref() {
            Some(folder) if !folder.is_dir() => return Err(CliError::NoFolder("--models", folder.to_owned())),
            Some(folder) => vec![folder.to_owned()],
            None => args.all_progs().map(|path| path.parent().unwrap_or(Path::new("")).to_owned()).collect(),
        };
        if let Some(data) = args.data.as_deref().filter(|data| !data.is_dir()) {
            return Err(CliError::NoFolder("--data", data.to_owned()));
        }
        for path in args.all_progs() {
            files_read.add(path);
            files_read.add(&path.with_extension("lno"));
        }
        args.map.iter().for_each(|path| files_read.add(path));
        let progs = args.all_progs().map(|path| Ok((path.as_path(), load(path)?)));
        let progs = progs.collect::<Result<Vec<(&Path, Progs)>, CliError>>()?;
        progs.iter().try_for_each(|(path, progs)| Entries::check_kind(path, progs))?;
        Entries::check_calls(&progs.iter().map(|(path, progs)| (*path, progs)).collect::<Vec<_>>(), args)?;
        let entries: Vec<Entries> = progs.iter().map(|(_, progs)| Entries::new(progs, args)).collect();
        if let ([(server, _), (client, _)], [first, second]) = (progs.as_slice(), entries.as_slice())
            && first.rules == Rules::Client
            && second.rules == Rules::Server
        {
            tell_line(format_args!(
                "skelobj: warning: {} has functions that an engine calls in a client, and {} those of a server: are \
                 --server and --client exchanged?",
                server.display(),
                client.display(),
            ));
        }
        if let ([(path, progs)], [entries]) = (progs.as_slice(), entries.as_slice()) {
            entries.check_any(path, progs, args)?;
        }
        let level = args.map.as_deref().map(spawn::load).transpose()?;
        let output = SharedOutput::new();
        let world = || {
            let level = level.as_ref().map(|(_, level)| level);
            world(args, folders.clone(), level, files_read).map(RefCell::new).map(Rc::new)
        };
        let has_worlds = args.two_worlds;
        let frame_time = Duration::from_secs_f64(args.deadline);
        let mut runtime = None;
        let mut sides = Vec::new();
        for (number, ((_, progs), mut entries)) in progs.into_iter().zip(entries).enumerate() {
            let (label, rules) = match (number, args.progs.is_some()) {
                (_, true) => ("", entries.rules),
                (0, _) => ("server: ", Rules::Server),
                _ => ("client: ", Rules::Client),
            };
            entries.rules = rules;
            entries.spawns &= number == 0;
            // The client is a player of the server.
            entries.has_player |= rules == Rules::Server && args.server.is_some();
            let runtime = match &runtime {
                Some(shared) if !has_worlds => Rc::clone(shared),
                _ => Rc::clone(runtime.insert(world()?)),
            };
            let mut game = Game::new(Arc::new(progs), runtime, output.clone(), label, frame_time);
            if let Some((_, level)) = &level {
                game.environment.entity_text = spawn::text_of(&level.entities);
                game.environment.brush_models = level.models.iter().map(|model| [model.mins, model.maxs]).collect();
            }
            let listed = folders.iter().map(|folder| or_working(folder).to_owned()).collect();
            game.environment.set_script_files(Data::new(args.data.as_deref(), listed, output.clone()));
            let trace = set_up(&mut game, args);
            let has_stops = !args.breakpoints.is_empty();
            let stops = has_stops.then(|| Stops::set(&mut game, &args.breakpoints, &args.show));
            sides.push(Side { game, entries, trace, stops });
        }
        let mut sides = sides.into_iter();
        let Some(first) = sides.next() else { return Err(CliError::Network("there is no progs".to_owned())) };
        let options =
            NetworkOptions { packet: args.packet as usize, lose: args.lose, shows: args.messages, strict: args.strict };
        let client = sides.next().map(|side| Client {
            network: Network::new(&first.game, &side.game, options),
            side,
            has_world: has_worlds,
        });
        let session = Self { first, client, level, output };
        session.report_unused_names();
        session.check_stops(args)?;
        Ok(session)
    }

    /// Returns the sides, the server before its client.
    pub fn sides(&self) -> impl Iterator<Item = &Side> {
        std::iter::once(&self.first).chain(self.client.as_ref().map(|client| &client.side))
    }

    /// Returns the games, that of the server before that of its client.
    pub fn games(&mut self) -> impl Iterator<Item = &mut Game> {
        std::iter::once(&mut self.first)
            .chain(self.client.as_mut().map(|client| &mut client.side))
            .map(|side| &mut side.game)
    }

    /// Begins a frame, of which the time counts from here on.
    pub fn begin_frame(&mut self) {
        self.games().for_each(|game| game.machine.begin_frame());
    }

    /// Ends a frame.
    pub fn step(&mut self, frame_time: f32) {
        self.games().for_each(|game| game.update_default_ragdolls(frame_time));
        self.first.game.step(frame_time);
        match &mut self.client {
            Some(client) if client.has_world => client.side.game.step(frame_time),
            Some(client) => client.side.game.forget_deleted(),
            None => {}
        }
        self.games().for_each(Game::end_frame);
    }

    /// Returns the entities that a picture shows: those of the client, unless it has none.
    pub fn seen(&mut self) -> Figures {
        let of_client = self.client.as_mut().map(|client| figure::seen(&mut client.side.game));
        match of_client.filter(|figures| !figures.all.is_empty()) {
            Some(figures) => figures,
            None => figure::seen(&mut self.first.game),
        }
    }

    /// Returns all entities with models, with the names of their sides if there are two.
    pub fn all_figures(&mut self) -> Vec<(Option<&'static str>, Vec<Figure>)> {
        let name = |game: &Game| game.label.strip_suffix(": ");
        self.games().map(|game| (name(game), figure::all(game))).collect()
    }

    /// Prints what was left out of traces, and how often warnings were repeated.
    pub fn report_counts(&self, is_total: bool) {
        for side in self.sides() {
            if let Some(trace) = &side.trace {
                trace.report_left_out(side.game.label);
            }
            if let Some(stops) = &side.stops {
                stops.report_left_out(side.game.label);
            }
            side.game.report_counts(is_total);
        }
        let mut stops = self.sides().filter_map(|side| side.stops.as_ref()).peekable();
        if stops.peek().is_some() && stops.all(|stops| stops.count() == 0) {
            tell_line("skelobj: no breakpoint was reached");
        }
        if let Some(client) = &self.client {
            client.network.report_counts(&client.side.game);
        }
    }

    /// Checks that each place of a breakpoint and each name to show is in a progs.
    ///
    /// # Errors
    /// [`CliError::NotInProgs`], [`CliError::Breakpoint`].
    fn check_stops(&self, args: &ScriptArgs) -> Result<(), CliError> {
        let stops: Vec<&Stops> = self.sides().filter_map(|side| side.stops.as_ref()).collect();
        let Some(first) = stops.first() else { return Ok(()) };
        let paths = || args.all_progs().cloned().collect();
        for (number, breakpoint) in args.breakpoints.iter().enumerate() {
            let missing: Option<Vec<&NoPlace>> =
                stops.iter().map(|stops| stops.missing.get(number).and_then(Option::as_ref)).collect();
            let Some(missing) = missing else { continue };
            // A function without that line tells more than none.
            let why = missing.iter().find(|why| matches!(why, NoPlace::NoCode(_))).or(missing.first());
            return why.map_or(Ok(()), |why| Err(breakpoint.error(why, paths())));
        }
        let is_in_none = |name: &&String| stops.iter().all(|stops| stops.unknown_names.contains(name));
        match first.unknown_names.iter().find(is_in_none) {
            Some(name) => Err(CliError::NotInProgs("--show", paths(), "global or field", name.clone())),
            None => Ok(()),
        }
    }

    /// Prints the names to trace that no progs has.
    fn report_unused_names(&self) {
        let mut sides = self.sides().filter_map(|side| side.trace.as_ref());
        let Some(first) = sides.next() else { return };
        let others: Vec<&Trace> = sides.collect();
        for name in first.unused.iter().filter(|name| others.iter().all(|other| other.unused.contains(name))) {
            tell_line(format_args!("skelobj: warning: the progs has no builtin {name} to trace"));
        }
    }
}

/// Creates a world with the files of some folders, a floor and a map.
fn world(
    args: &ScriptArgs,
    folders: Vec<PathBuf>,
    level: Option<&Level>,
    files_read: &FilesRead,
) -> Result<Runtime, CliError> {
    let mut runtime = Runtime::default();
    runtime.set_files(Models { folders, files_read: files_read.clone() });
    if let Some(floor) = args.floor {
        runtime.physics_mut().add_floor(floor).map_err(CliError::Floor)?;
    }
    if let Some((level, path)) = level.zip(args.map.as_deref()) {
        spawn::add(level, path, &mut runtime)?;
    }
    Ok(runtime)
}

/// Models and dolls of a script: the files below some folders, and the built-in mannequin.
struct Models {
    folders: Vec<PathBuf>,
    files_read: FilesRead,
}

impl Models {
    /// Returns what a file's folder says of it, for the first folder that has the file.
    fn first<T>(&self, name: &str, ask: impl Fn(&Folder) -> io::Result<Option<T>>) -> Option<T> {
        self.folders.iter().for_each(|folder| self.files_read.add_in(folder, name));
        self.folders.iter().find_map(|folder| ask(&Folder::new(folder)).ok().flatten())
    }
}

impl FileSource for Models {
    fn read(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        Ok(self.first(name, |folder| folder.read(name)).or_else(|| built_in(name).map(<[u8]>::to_vec)))
    }

    fn size(&self, name: &str) -> io::Result<Option<u64>> {
        Ok(self.first(name, |folder| folder.size(name)).or_else(|| built_in(name).map(|file| file.len() as u64)))
    }
}

/// Returns a file of the mannequin.
fn built_in(name: &str) -> Option<&'static [u8]> {
    match name {
        "mannequin.iqm" => Some(assets::MANNEQUIN_IQM),
        "mannequin_getup.iqm" => Some(assets::MANNEQUIN_GETUP_IQM),
        "mannequin.doll" => Some(assets::MANNEQUIN_DOLL),
        _ => None,
    }
}

/// Applies the options of the environment. Returns the trace, if there is one.
fn set_up(game: &mut Game, args: &ScriptArgs) -> Option<Trace> {
    let environment = &mut game.environment;
    environment.dialect = args.dialect.into();
    environment.strict = args.strict;
    if args.warn {
        game.set_warn();
    }
    let environment = &mut game.environment;
    for (name, value) in ENGINE_VARIABLES {
        environment.cvars.set(name.as_bytes(), value.as_bytes());
    }
    for (name, value) in &args.set {
        environment.cvars.set(name.as_bytes(), value.as_bytes());
    }
    if args.profile.is_some() {
        game.start_profile();
    }
    args.trace.as_deref().map(|names| Trace::start(game, names))
}

/// Reads a progs, and its line numbers if they lie beside it.
fn load(path: &Path) -> Result<Progs, CliError> {
    let bytes = files::read_named(path)?;
    let mut progs = Progs::load(&bytes).map_err(|error| CliError::Progs(path.to_owned(), error))?;
    if let Some(beside) = files::first_found([Found::beside(&path.with_extension("lno"))])
        && let Ok(lines) = beside.read()
        && let Err(error) = progs.load_lines(&lines)
    {
        tell_line(format_args!("{}: warning: {error}", beside.path().display()));
    }
    Ok(progs)
}
