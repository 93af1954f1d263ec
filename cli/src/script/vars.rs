//! Console variables that fill globals of the progs.

use skelobj::qc::vm::stdlib::Cvars;
use skelobj::qc::vm::{Fault, Global, Machine, Progs, Type};

/// Prefix of a global that has the value of a console variable.
const PREFIX: &[u8] = b"autocvar_";

/// Globals named `autocvar_NAME`, which have the values of the variables NAME.
pub struct AutoCvars(Vec<AutoCvar>);

struct AutoCvar {
    /// Name of the variable.
    name: Vec<u8>,
    global: Global,
    /// Value that the global has.
    shown: Vec<u8>,
}

impl AutoCvars {
    /// Finds the globals of a progs.
    pub fn new(progs: &Progs) -> Self {
        let named = |(name, global): (&[u8], Global)| Some((name.strip_prefix(PREFIX)?.to_vec(), global));
        let all: Vec<(Vec<u8>, Global)> = progs.globals().filter_map(named).collect();
        let mut vectors: Vec<u32> =
            all.iter().filter(|(_, global)| global.kind == Type::Vector).map(|(_, global)| global.offset).collect();
        // The components of a vector have names, too.
        vectors.sort_unstable();
        let is_component = |global: &Global| {
            let before = vectors.partition_point(|first| *first <= global.offset).checked_sub(1);
            let first = before.and_then(|number| vectors.get(number));
            global.kind == Type::Float && first.is_some_and(|first| global.offset - first < 3)
        };
        let own = all.into_iter().filter(|(_, global)| !is_component(global));
        Self(own.map(|(name, global)| AutoCvar { name, global, shown: Vec::new() }).collect())
    }

    /// Creates the variables that do not exist, with the values of the globals as defaults.
    pub fn create(&mut self, machine: &Machine, cvars: &mut Cvars) {
        for AutoCvar { name, global, shown } in &mut self.0 {
            *shown = text_of(machine, *global);
            cvars.create(name, shown);
        }
    }

    /// Sets the globals of the variables that have changed.
    pub fn update(&mut self, machine: &mut Machine, cvars: &Cvars) -> Result<(), Fault> {
        for AutoCvar { name, global, shown } in &mut self.0 {
            let Some(value) = cvars.get(name).filter(|value| value != shown) else { continue };
            *shown = value.to_vec();
            match global.kind {
                Type::Float => machine.set_global_float(*global, cvars.float(name)),
                Type::Vector => {
                    let text = String::from_utf8_lossy(value);
                    let mut words = text.split_whitespace().map(|word| word.parse().unwrap_or(0.0));
                    machine.set_global_vector(*global, [(); 3].map(|()| words.next().unwrap_or(0.0)));
                }
                Type::String => {
                    let handle = machine.permanent_string(value)?;
                    machine.set_global(*global, handle);
                }
                _ => (),
            }
        }
        Ok(())
    }
}

/// Returns the value of a global as the text of a variable.
fn text_of(machine: &Machine, global: Global) -> Vec<u8> {
    match global.kind {
        Type::Float => machine.global_float(global).to_string().into_bytes(),
        Type::Vector => machine.global_vector(global).map(|number| number.to_string()).join(" ").into_bytes(),
        Type::String => machine.string(machine.global(global)).unwrap_or_default().to_vec(),
        _ => Vec::new(),
    }
}
