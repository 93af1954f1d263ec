//! The host of the standard library of `skelobj-qcvm`: printing, files, cvars and messages.

use super::{MachineCall, VmHost};
use crate::is_plain_path;
use crate::model::Name;
use crate::qc::has_extension;
use crate::qc::vm::stdlib::{Cvars, MessageLog, MessageReader, Mistake, StdBuiltin, StdHost};
use crate::qc::vm::{self, Machine};

impl StdHost for VmHost<'_> {
    fn print(&mut self, text: &[u8]) {
        match std::str::from_utf8(text) {
            Ok(text) => self.environment.print(text),
            Err(_) => self.environment.print(&text.iter().copied().map(plain).collect::<String>()),
        }
    }

    fn mistake(&mut self, machine: &mut Machine, builtin: &StdBuiltin, mistake: Mistake) {
        MachineCall::new(machine, self.environment).mistake(builtin.name, builtin.signature, mistake);
    }

    fn change_level(&mut self, map: &[u8]) {
        self.environment.next_level = Some(Name::new(map).to_string());
    }

    fn has_extension(&self, name: &[u8]) -> bool {
        has_extension(name, self.environment.dialect)
    }

    fn cvars(&mut self) -> Option<&mut Cvars> {
        Some(&mut self.environment.cvars)
    }

    fn messages(&mut self) -> Option<&mut MessageLog> {
        Some(&mut self.environment.messages)
    }

    fn incoming(&mut self) -> Option<&mut MessageReader> {
        self.environment.incoming.as_mut()
    }

    fn read_file(&mut self, name: &[u8]) -> Option<Vec<u8>> {
        let name = std::str::from_utf8(name).ok().filter(|name| is_plain_path(name))?;
        let own = self.environment.script_files.as_mut().and_then(|files| files.read(name));
        own.or_else(|| self.runtime.read_file(name))
    }

    fn file_size(&mut self, name: &[u8]) -> Option<u64> {
        let name = std::str::from_utf8(name).ok().filter(|name| is_plain_path(name))?;
        let own = self.environment.script_files.as_mut().and_then(|files| files.size(name));
        own.or_else(|| self.runtime.file_size(name))
    }

    fn write_file(&mut self, name: &[u8], contents: &[u8]) {
        let name = std::str::from_utf8(name).ok().filter(|name| is_plain_path(name));
        if let (Some(name), Some(files)) = (name, &mut self.environment.script_files) {
            files.write(name, contents);
        }
    }

    fn file_names(&mut self) -> Vec<Box<[u8]>> {
        let names = self.environment.script_files.as_mut().map(|files| files.names()).unwrap_or_default();
        names.into_iter().map(|name| name.into_bytes().into()).collect()
    }

    fn entity_text(&self) -> &[u8] {
        &self.environment.entity_text
    }

    fn has_builtin(&self, builtin: &vm::Builtin) -> bool {
        let declared = self.environment.declared.get(builtin.index as usize);
        declared.is_some_and(|declared| declared.found.name().is_some())
    }

    fn read_memory(&mut self, region: u32, offset: u32) -> Option<u32> {
        vm::Builtins::read_host(self, region, offset)
    }

    fn write_memory(&mut self, region: u32, offset: u32, bits: u32) -> Option<()> {
        vm::Builtins::write_host(self, region, offset, bits)
    }

    fn mesh_angle_factors(&self) -> [f32; 2] {
        let settings = self.runtime.settings();
        [settings.mesh_pitch, settings.mesh_roll]
    }
}

/// Returns a character of Quake's font without its colour.
fn plain(byte: u8) -> char {
    match byte & 0x7f {
        _ if byte < 0x80 => char::from(byte),
        0x10 => '[',
        0x11 => ']',
        digit @ 0x12..=0x1b => char::from(b'0' + digit - 0x12),
        0x1c | 0x05 | 0x0e | 0x0f => '.',
        0x1d => '<',
        0x1e => '-',
        0x1f => '>',
        character @ 0x20..0x7f => char::from(character),
        b'\n' => '\n',
        _ => ' ',
    }
}
