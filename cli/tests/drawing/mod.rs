//! Folder in which a test draws.

use std::process::Output;

use tiny_skia::Pixmap;

pub use crate::command::Folder;

impl Folder {
    /// Runs `skelobj draw` in the folder with a small picture unless the arguments set its size. Pictures of earlier
    /// runs are replaced.
    pub fn draw(&self, arguments: &[&str]) -> Output {
        let small = if arguments.contains(&"--width") { &[][..] } else { &["--width", "240", "--panels", "4"] };
        self.skelobj(&[&["draw", "--force"], arguments, small].concat())
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
