//! Arguments and results of calls as text.

use super::MachineCall;
use crate::qc::Dialect;
use crate::qc::parameters::{self, Parameter};
use crate::qc::vm::{FunctionId, Global, Type};

/// Globals that builtins set besides their result, and the builtins.
const RESULT_GLOBALS: &[(&[&str], &[&str])] = &[
    (
        &["makevectors", "skel_get_bonerel", "skel_get_boneabs", "gettaginfo", "rotatevectorsbytag", "skel_impact"],
        &["v_forward", "v_right", "v_up"],
    ),
    (
        &["traceline", "tracebox", "skel_trace"],
        &["trace_fraction", "trace_endpos", "trace_plane_normal", "trace_plane_dist", "trace_startsolid"],
    ),
    (&["skel_trace"], &["skel_trace_bone", "skel_trace_fraction"]),
    (&["skel_impact"], &["skel_impact_skel", "skel_impact_bone", "skel_impact_impulse", "skel_impact_other"]),
    (&["skel_matchpose"], &["skel_match_origin", "skel_match_yaw", "skel_match_time"]),
    (&["processmodelevents"], &["modelevent_time"]),
    (&["getnextmodelevent", "getmodeleventidx"], &["modelevent_time", "modelevent_code", "modelevent_data"]),
    (
        &["gettaginfo"],
        &[
            "gettaginfo_parent",
            "gettaginfo_name",
            "gettaginfo_offset",
            "gettaginfo_forward",
            "gettaginfo_right",
            "gettaginfo_up",
        ],
    ),
];

impl MachineCall<'_> {
    /// Returns the arguments of the running call, separated by commas.
    pub(super) fn arguments(&self, signature: &'static str) -> String {
        let declared = parameters::parameters(signature);
        let texts: Vec<String> =
            (0..self.machine.argc()).map(|number| self.argument(declared.get(number), number)).collect();
        texts.join(", ")
    }

    fn argument(&self, parameter: Option<&Parameter>, number: usize) -> String {
        // Its value before the call means nothing.
        if let Some(returned) = parameter.filter(|parameter| parameter.is_out) {
            return returned.name.to_owned();
        }
        let stated = parameter.and_then(|parameter| type_of(parameter.kind));
        let kind = stated.or_else(|| self.machine.argument_type(number));
        self.value(kind, self.machine.argument(number))
    }

    /// Returns the results of a call that has just run: the returned value, and the parameters and globals that the
    /// builtin sets.
    pub(super) fn results(&self, builtin: &str, signature: &'static str) -> String {
        let returned = match signature.split_once('(').map_or("", |(kind, _)| kind.trim()) {
            "void" => None,
            "__variant" if self.machine.result()[1..] != [0; 2] => {
                Some(self.value(Some(Type::Vector), self.machine.result()))
            }
            kind => Some(self.value(type_of(kind), self.machine.result())),
        };
        let declared = parameters::parameters(signature).into_iter().enumerate().take(self.machine.argc());
        let written = declared.filter(|(_, parameter)| parameter.is_out);
        let written = written.map(|(number, parameter)| {
            (parameter.name, self.value(type_of(parameter.kind), self.machine.argument(number)))
        });
        let is_set = |name: &&str| !name.starts_with("gettaginfo_") || self.environment.dialect == Dialect::DarkPlaces;
        let globals = result_globals(builtin)
            .filter(is_set)
            .filter_map(|name| Some((name, self.machine.progs().global(name.as_bytes())?)))
            .map(|(name, global)| (name, self.value(Some(global.kind), self.global_words(global))));
        let others: Vec<String> = written.chain(globals).map(|(name, value)| format!("{name} {value}")).collect();
        match (returned, others.is_empty()) {
            (Some(value), true) => format!(" = {value}"),
            (Some(value), false) => format!(" = {value}, {}", others.join(", ")),
            (None, true) => String::new(),
            (None, false) => format!(": {}", others.join(", ")),
        }
    }

    fn global_words(&self, global: Global) -> [u32; 3] {
        match global.kind {
            Type::Vector => self.machine.global_vector(global).map(f32::to_bits),
            _ => [self.machine.global(global), 0, 0],
        }
    }

    /// Returns a value as text; `kind` is `None` for an unknown type.
    fn value(&self, kind: Option<Type>, words: [u32; 3]) -> String {
        let [word, ..] = words;
        let function = || String::from_utf8_lossy(self.machine.progs().function_name(FunctionId(word))).into_owned();
        match kind {
            Some(Type::Float) => f32::from_bits(word).to_string(),
            Some(Type::Vector) => parameters::vector(words.map(f32::from_bits)),
            Some(Type::Entity) => format!("entity {word}"),
            Some(Type::Integer) if word.cast_signed().unsigned_abs() < 1 << 23 => word.cast_signed().to_string(),
            Some(Type::String) => self.text(word).unwrap_or_else(|| format!("{word:#x}")),
            Some(Type::Function) if word != 0 && !function().is_empty() => function(),
            Some(Type::Field) => self.field(word),
            Some(Type::Pointer) => format!("{word:#x}"),
            // The handles of strings that were made at run time look like no number.
            _ if word >= 1 << 31 => self.text(word).unwrap_or_else(|| parameters::bits(word)),
            _ => parameters::bits(word),
        }
    }

    fn text(&self, handle: u32) -> Option<String> {
        self.machine.string(handle).ok().map(parameters::text)
    }

    fn field(&self, offset: u32) -> String {
        let mut fields = self.machine.progs().fields();
        let name = fields.find(|(_, field)| field.offset == offset).map(|(name, _)| name);
        name.map_or_else(|| format!("field {offset}"), |name| format!(".{}", String::from_utf8_lossy(name)))
    }
}

/// Returns the globals that a builtin sets.
fn result_globals(builtin: &str) -> impl Iterator<Item = &'static str> + use<'_> {
    let found = RESULT_GLOBALS.iter().filter(move |(builtins, _)| builtins.contains(&builtin));
    found.flat_map(|(_, globals)| *globals).copied()
}

/// Returns a type as a signature writes it, `None` for any type.
fn type_of(kind: &str) -> Option<Type> {
    Some(match kind {
        "float" => Type::Float,
        "vector" => Type::Vector,
        "string" => Type::String,
        "entity" => Type::Entity,
        "int" => Type::Integer,
        "pointer" => Type::Pointer,
        kind if kind.starts_with("void(") => Type::Function,
        kind if kind.starts_with('.') && kind != "..." => Type::Field,
        kind if kind.ends_with('*') => Type::Pointer,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::qc::Builtin;
    use crate::qc::vm::stdlib;

    #[test]
    fn globals_are_those_of_builtins_that_exist() {
        for builtin in RESULT_GLOBALS.iter().flat_map(|(builtins, _)| *builtins) {
            let standard =
                stdlib::lookup(0, builtin.as_bytes()).or_else(|| stdlib::TABLE.iter().find(|b| b.name == *builtin));
            assert!(Builtin::by_name(builtin).is_some() || standard.is_some(), "{builtin}");
        }
    }
}
