//! Breakpoints, summaries, the focus of strips, and runs after changes.

use std::io::{BufRead as _, BufReader, Read};
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use tiny_skia::Pixmap;

use super::*;

fn tools(folder: &Folder, args: &[&str]) -> Output {
    program("tools", &folder.0, args)
}

/// Returns the number of the line of tools.qc that contains some code.
fn line_of(code: &str) -> usize {
    let source = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/qc/tools.qc")).unwrap();
    source.lines().position(|line| line.contains(code)).unwrap() + 1
}

#[test]
fn a_breakpoint_prints_the_stack_the_locals_and_what_is_shown() {
    let folder = Folder::new("break");
    let line = line_of("victim.health = left;");
    let shown = "--show=victim.health,self.*,victim.enemy,self.nextthink,time";
    let output = tools(&folder, &["--frames", "14", "--break", &format!("hurt:{line}"), shown]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let said = text(&output.stderr);
    let (first, rest) = said.split_at(said.find("stop 2").expect("a second stop"));
    let wanted = format!(
        "stop 1, frame 5, 0.100 s: tools.qc:{line}: hurt\n  called from tools.qc:{}: idle\n  amount = 10\n  \
         way = '1 2 3'\n  left = 90\n  word = \"hurt\"\n  victim.health = 100\n  self.modelindex = 1\n  \
         self.model = \"mannequin.iqm\"\n  self.classname = \"victim\"\n  self.frame = 2\n  self.nextthink = 0.2\n  \
         self.think = idle\n",
        line_of("hurt(10, ")
    );
    assert!(first.starts_with(&wanted), "{first}\nexpected\n{wanted}");
    for line in
        ["  self.skeletonindex = 1\n", "  self.health = 100\n", "  self.enemy = entity 1 (wall)\n", "  time = 0.1\n"]
    {
        assert!(first.contains(line), "{line} in {first}");
    }
    assert!(!first.contains("aim") && !first.contains("IMMEDIATE"), "{first}");
    assert!(rest.contains("  victim.health = 90\n") && rest.contains("  left = 80\n"), "{rest}");
    assert!(!rest.contains("stop 3"), "{rest}");
    // The script is not changed by stops.
    let dumps = ["--dump-bones", "bones.json", "--force", "--frames", "30"];
    tools(&folder, &dumps);
    let plain = std::fs::read(folder.0.join("bones.json")).unwrap();
    tools(&folder, &[&dumps[..], &["--break", "hurt", "--break", "StartFrame:53"]].concat());
    assert_eq!(std::fs::read(folder.0.join("bones.json")).unwrap(), plain);
}

#[test]
fn a_breakpoint_that_is_nowhere_is_an_error() {
    let folder = Folder::new("nowhere");
    let said = |args: &[&str]| {
        let output = tools(&folder, args);
        (output.status.code(), text(&output.stderr))
    };
    let error = |text: &str| (Some(1), format!("skelobj: {text}\n"));
    let progs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/qc/tools.dat");
    let progs = progs.display();
    assert_eq!(said(&["--break", "nosuch"]), error(&format!("--break: {progs} has no function `nosuch`")));
    let shown = said(&["--break", "hurt", "--show", "self,victim.nosuch"]);
    assert_eq!(shown, error(&format!("--show: {progs} has no global or field `victim.nosuch`")));
    let (first, last) = (line_of("left = victim.health"), line_of("return left") + 1);
    let lines = format!("no code is on line 1: it has lines {first} to {last}, the next is {first}");
    assert_eq!(said(&["--break", "hurt:1"]), error(&format!("--break: `hurt` does not stop there: {lines}")));
    assert_eq!(said(&["--break", "spawn"]), error("--break: `spawn` does not stop there: it is a builtin"));
    assert_eq!(said(&["--break", "hurt"]), (Some(0), "skelobj: no breakpoint was reached\n".to_owned()));
    for wrong in ["hurt:x", "hurt:", ":7", "hurt::7"] {
        assert_eq!(said(&["--break", wrong]).0, Some(if wrong == "hurt::7" { 1 } else { 2 }), "{wrong}");
    }
    let method = format!("--break: {progs} has no function `ogre::hurt`");
    assert_eq!(said(&["--break", "ogre::hurt"]), error(&method));
    assert_eq!(said(&["--break", "ogre::hurt:7"]), error(&method));
    assert_eq!(said(&["--show", "self"]).0, Some(2), "without --break");
    // Without line numbers, functions have only a beginning.
    let own = Folder::new("no_lines");
    std::fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/qc/tools.dat"), own.0.join("tools.dat")).unwrap();
    let output = text(&script_in(&own.0, &["tools.dat", "--break", "hurt:12"]).stderr);
    assert!(output.contains("there are no line numbers: the .lno file of the compiler is missing"), "{output}");
    let output = text(&script_in(&own.0, &["tools.dat", "--break", "idle", "--frames", "8"]).stderr);
    assert!(output.starts_with("stop 1, frame 5, 0.100 s: tools.qc: idle, statement "), "{output}");
}

#[test]
fn stops_in_called_back_functions_and_beyond_a_limit() {
    let folder = Folder::new("predraw");
    let network = examples().join("network");
    let sides = ["--server", "server.dat", "--client", "client.dat", "--frames", "20"];
    let said = text(&script_in(&network, &[&sides[..], &["--break", "soldier_draw"]].concat()).stderr);
    let first: Vec<&str> = said.lines().take(2).collect();
    assert!(first[0].contains(" s: client: client.qc: soldier_draw, statement "), "{first:?}");
    assert!(first[1].starts_with("  called from client.qc: CSQC_UpdateView, statement "), "{first:?}");
    let many = text(&tools(&folder, &["--break", "StartFrame", "--frames", "1003"]).stderr);
    assert!(many.contains("\nstop 1000, ") && !many.contains("\nstop 1001, "));
    assert!(many.ends_with("skelobj: 3 more stops are not printed\n"));
}

#[test]
fn a_summary_counts_objects_ragdolls_and_what_frames_cost() {
    let folder = Folder::new("summary");
    let said = text(&tools(&folder, &["--summary", "--frames", "30"]).stderr);
    let rows: Vec<&str> = said.lines().collect();
    assert_eq!(rows[0], "objects   2 at the end, 2 at most; 1 in no entity's skeletonindex (2)");
    assert_eq!(rows[1], "ragdolls  1 at the end, 1 at most");
    assert!(rows[2].starts_with("script    3 entities, ") && rows[2].ends_with(" statements"), "{said}");
    assert!(rows[3].starts_with("frames    30, ") && rows[3].ends_with(" ms on average"), "{said}");
    assert!(rows[4].starts_with("slowest   frame ") && rows[4].contains(" ms, "), "{said}");
    assert_eq!(rows.len(), 5);
}

#[test]
fn writes_to_removed_entities_and_to_the_world_are_reported_where_they_are() {
    let folder = Folder::new("writes");
    let said = text(&tools(&folder, &["--warn", "--frames", "3", "--call", "writes"]).stderr);
    let at = |code: &str, function: &str| format!("skelobj: warning: tools.qc:{}: {function}: ", line_of(code));
    let read_only = "the field health of the world is read-only after the start, the write is ignored";
    let removed = "of entity 4 is written, which was removed";
    for warning in [
        at("e.health = 2", "writes") + "the field health " + removed,
        at("e.aim = '1 0 0'", "writes") + "the field aim " + removed,
        at("world.health = 3", "EndFrame") + read_only,
        at("world.health = 3", "EndFrame") + read_only + " (2 more times)",
    ] {
        assert!(said.lines().any(|line| line == warning), "{warning} in {said}");
    }
    let said = text(&tools(&folder, &["--frames", "3", "--call", "writes"]).stderr);
    assert!(said.lines().all(|line| line.contains(read_only)), "{said}");
    assert_eq!(said.lines().count(), 2, "{said}");
}

#[test]
fn a_strip_shows_what_moves_or_the_entity_in_focus() {
    let folder = Folder::new("focus");
    let strip = |args: &[&str]| {
        let options =
            ["--frames", "60", "--floor", "0", "--panels", "2", "--width", "320", "--draw", "s.png", "--force"];
        let output = tools(&folder, &[&options[..], args].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        Pixmap::load_png(folder.0.join("s.png")).unwrap()
    };
    // The giant does not move, so that the victim and the walker fill the picture; alone, the victim is larger.
    let [all, victim, giant] = [&[][..], &["--focus", "3"], &["--focus", "1"]].map(strip);
    let shapes = |picture: &Pixmap| seeing::count(picture, 1, 2, seeing::orange);
    assert!(shapes(&victim) > 4 * shapes(&all), "{} {}", shapes(&victim), shapes(&all));
    assert!(giant.height() > 2 * all.height(), "{} {}", giant.height(), all.height());
    let never = tools(&folder, &["--frames", "3", "--draw", "t.png", "--focus", "9"]);
    assert_eq!(never.status.code(), Some(1));
    assert_eq!(text(&never.stderr), "skelobj: --focus: entity 9 has a model in no frame\n");
    assert_eq!(tools(&folder, &["--focus", "1"]).status.code(), Some(2), "without --draw");
}

/// Command that ends with its test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Returns the lines of an output as they come.
fn lines_of(output: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        BufReader::new(output).lines().map_while(Result::ok).for_each(|line| drop(sender.send(line)));
    });
    receiver
}

#[test]
fn a_watched_script_runs_again_after_a_change() {
    let folder = Folder::new("watch");
    let own = |name: &str| folder.0.join(name);
    let qc = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/qc");
    std::fs::copy(qc.join("client.dat"), own("client.dat")).unwrap();
    std::fs::write(own("kept.json"), "mine").unwrap();
    let refused = script_in(&folder.0, &["client.dat", "--watch", "--dump-bones", "kept.json"]);
    assert!(text(&refused.stderr).contains("kept.json is not written: it exists"), "{}", text(&refused.stderr));

    let mut command = Command::new(env!("CARGO_BIN_EXE_skelobj"));
    command.args(["script", "client.dat", "--watch", "--frames", "1", "--dump-bones", "bones.json"]);
    command.current_dir(&folder.0).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut running = Running(command.spawn().unwrap());
    let prints = lines_of(running.0.stdout.take().unwrap());
    let told = lines_of(running.0.stderr.take().unwrap());
    // A command that does not run again fails the test, and does not hang it.
    let next = |lines: &Receiver<String>, wanted: &str| loop {
        let line = lines.recv_timeout(Duration::from_secs(60)).unwrap_or_else(|_| panic!("no line with {wanted}"));
        if line.contains(wanted) {
            return line;
        }
    };
    next(&prints, "shutdown");
    // A doll that did not exist, then other progs. The run may not have ended: what it has read is watched from before.
    std::fs::write(own("mannequin.doll"), "body root pelvis\n").unwrap();
    next(&prints, "shutdown");
    assert_eq!(next(&told, ""), "skelobj: mannequin.doll has changed, the script runs again");
    std::fs::write(own("client.dat"), "no progs").unwrap();
    assert_eq!(next(&told, "client.dat"), "skelobj: client.dat has changed, the script runs again");
    assert!(next(&told, "").starts_with("skelobj: client.dat: "), "an error does not end it");
    assert!(running.0.try_wait().unwrap().is_none());
    std::fs::copy(qc.join("client.dat"), own("client.dat")).unwrap();
    next(&prints, "shutdown");
    assert!(own("bones.json").exists());
}
