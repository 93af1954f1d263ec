//! Folder in which a test draws.
#![allow(dead_code, reason = "not every test uses all of it")]

use std::path::PathBuf;
use std::process::{Command, Output};

use tiny_skia::Pixmap;

/// Temporary folder of a test.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(test: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("skelobj-draw-{}-{test}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder for temporary files");
        Self(folder)
    }

    pub fn put(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, bytes).expect("a temporary file");
        path
    }

    /// Runs `skelobj draw` in the folder with a small picture unless the arguments set its size. Pictures of earlier
    /// runs are replaced.
    pub fn draw(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_skelobj"));
        command.args(["draw", "--force"]).args(arguments).current_dir(&self.0);
        if !arguments.contains(&"--width") {
            command.args(["--width", "240", "--panels", "4"]);
        }
        command.output().expect("the command runs")
    }

    /// Runs `skelobj` in the folder.
    pub fn skelobj(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_skelobj"));
        command.args(arguments).current_dir(&self.0).output().expect("the command runs")
    }

    pub fn picture(&self, name: &str) -> Pixmap {
        Pixmap::load_png(self.0.join(name)).expect("a picture")
    }

    /// Runs `skelobj draw`, which must fail without writing a picture; returns its message.
    pub fn refusal(&self, arguments: &[&str]) -> String {
        let output = self.draw(arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success(), "{arguments:?} should fail");
        assert!(!said.contains("panicked"), "{said}");
        assert!(!self.0.join("strip.png").exists(), "{arguments:?} left a picture");
        said
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
