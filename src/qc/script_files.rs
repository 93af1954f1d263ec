//! Files that scripts read and write.

/// Files that scripts read, write and search, besides those of the [runtime](crate::Runtime::set_files).
///
/// [`Environment::set_script_files`](super::Environment::set_script_files) shows an implementation. All names are
/// [plain paths](crate::is_plain_path).
pub trait ScriptFiles {
    /// Returns the contents of a file, `None` if there is none.
    fn read(&mut self, name: &str) -> Option<Vec<u8>>;
    /// Returns the size of a file in bytes, `None` if there is none. It is asked for before a file is read, and to know
    /// whether there is one. The default reads the file.
    fn size(&mut self, name: &str) -> Option<u64> {
        self.read(name).map(|contents| contents.len() as u64)
    }
    /// Receives the contents of a file that a script has written and closed.
    fn write(&mut self, name: &str, contents: &[u8]);
    /// Returns the names of the files that scripts may search. A name that ends in a slash is that of a folder, for
    /// which a search is charged.
    fn names(&mut self) -> Vec<String>;
}
