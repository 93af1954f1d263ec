//! Assembler for progs files that compilers rarely or never write.

use super::Recorder;
use skelobj_qcvm::{Builtins, Limits, Machine, Progs, RunError};
use std::sync::Arc;

/// Progs assembled by hand, for statements that compilers rarely or never write.
pub struct Assembler {
    pub wide: bool,
    version: u32,
    pub statements: Vec<[u32; 4]>,
    globals: Vec<u32>,
    inner: u32,
    inner_locals: u32,
}

/// First global of an assembled progs that its statements are free to use.
pub const G: u32 = 40;

impl Assembler {
    pub fn new(statements: &[[u32; 4]]) -> Self {
        let mut code = vec![[0; 4]];
        code.extend(statements);
        code.push([0; 4]);
        Assembler { wide: false, version: 7, statements: code, globals: vec![0; 64], inner: 0, inner_locals: 0 }
    }

    pub fn with(mut self, global: u32, words: &[u32]) -> Self {
        self.globals[global as usize..global as usize + words.len()].copy_from_slice(words);
        self
    }

    /// Sets the number of globals, 64 by default.
    pub fn sized(mut self, globals: usize) -> Self {
        self.globals.resize(globals, 0);
        self
    }

    /// Adds function 3, which starts at this statement.
    pub fn with_inner(mut self, statement: u32) -> Self {
        self.inner = statement;
        self
    }

    /// Sets the number of words of locals in function 3, which start at global 0.
    pub fn with_locals(mut self, words: u32) -> Self {
        self.inner_locals = words;
        self
    }

    /// Returns the file: functions "main" and builtin #1 are 1 and 2; 16 words per entity.
    pub fn bytes(&self) -> Vec<u8> {
        let strings = b"\0main\0text\0";
        let words = |words: &[u32]| words.iter().flat_map(|w| w.to_le_bytes()).collect::<Vec<u8>>();
        let code: Vec<u8> = if self.wide {
            self.statements.iter().flat_map(|s| words(s)).collect()
        } else {
            self.statements.iter().flatten().flat_map(|&w| (w as u16).to_le_bytes()).collect()
        };
        let mut functions = vec![[0; 9], [1, 0, 0, 0, 1, 0, 0, 0, 0], [-1i32 as u32, 0, 0, 0, 0, 0, 0, 0, 0]];
        if self.inner != 0 {
            functions.push([self.inner, 0, self.inner_locals, 0, 0, 0, 0, 0, 0]);
        }
        let function_count = functions.len();
        let functions = words(&functions.concat());
        let globals = words(&self.globals);
        let tables = [
            (&code[..], self.statements.len()),
            (&[][..], 0),
            (&[][..], 0),
            (&functions, function_count),
            (strings, strings.len()),
            (&globals, self.globals.len()),
        ];
        let mut at = 92u32;
        let mut header = vec![self.version, 0];
        for (bytes, count) in tables {
            header.extend([at, count as u32]);
            at += bytes.len() as u32;
        }
        header.extend([16, 0, 0, 0, 0, 0, 0, 0, if self.wide { 0x6516_7402 } else { 0x021b_1461 }]);
        let mut file = words(&header);
        file.truncate(92);
        tables.iter().for_each(|(bytes, _)| file.extend_from_slice(bytes));
        file
    }

    /// Returns a machine for the progs that may run this many statements.
    fn machine(&self, statements: u64) -> Machine {
        let limits = Limits { statements, ..Limits::default() };
        Machine::with_limits(Arc::new(Progs::load(&self.bytes()).unwrap()), limits)
    }

    /// Runs main with a host and a limit of statements.
    pub fn run_with(&self, statements: u64, host: &mut impl Builtins) -> (Machine, Result<(), RunError>) {
        let mut vm = self.machine(statements);
        let main = vm.find_function(b"main").unwrap();
        let outcome = vm.call(main, host);
        (vm, outcome)
    }

    pub fn run(&self) -> (Machine, Result<(), RunError>) {
        let mut vm = self.machine(10_000);
        vm.spawn_entity().unwrap();
        let main = vm.find_function(b"main").unwrap();
        let mut host = Recorder::default();
        host.regions.insert(9, vec![0x0403_0201, 0x8765_4321, 3, 4, 5]);
        assert_eq!(vm.map_host(9, 20), Ok(HOST));
        let outcome = vm.call(main, &mut host);
        (vm, outcome)
    }

    /// Runs main and returns the three words of its result.
    pub fn result(&self) -> [u32; 3] {
        let (vm, outcome) = self.run();
        outcome.unwrap();
        vm.result()
    }
}

/// Address of the first host region.
pub const HOST: u32 = 0x4000_0000;

pub fn f(value: f32) -> u32 {
    value.to_bits()
}
