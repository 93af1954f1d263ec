//! Parameters of builtins, as their signatures declare them, and values as text.

/// Longest text of an argument that is written, characters.
const LONGEST: usize = 64;

/// Parameter of a builtin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Parameter {
    /// QuakeC type, without `optional` or `__out`; `...` for further arguments of any type.
    pub(super) kind: &'static str,
    pub(super) name: &'static str,
    /// `true` if a script may leave it out.
    #[cfg_attr(not(feature = "qcvm"), expect(dead_code))]
    pub(super) is_optional: bool,
    /// `true` if the builtin only writes it.
    pub(super) is_out: bool,
}

/// Returns the parameters of a signature.
pub(super) fn parameters(signature: &'static str) -> Vec<Parameter> {
    let inside = signature.split_once('(').and_then(|(_, rest)| rest.rsplit_once(')'));
    let mut parameters = Vec::new();
    let mut rest = inside.map_or("", |(inside, _)| inside);
    while !rest.is_empty() {
        let mut depth = 0;
        let end = rest.find(|character| {
            depth += i32::from(character == '(') - i32::from(character == ')');
            character == ',' && depth == 0
        });
        let (declared, others) = end.map_or((rest, ""), |end| (&rest[..end], &rest[end + 1..]));
        let without = |text: &'static str, word| text.strip_prefix(word).unwrap_or(text);
        let is_optional = declared.trim().starts_with("optional ");
        let declared = without(declared.trim(), "optional ");
        let is_out = declared.starts_with("__out ");
        let plain = without(without(declared, "__out "), "__inout ");
        let (kind, name) = plain.rsplit_once([' ', '*']).unwrap_or((plain, ""));
        // The star of a pointer type belongs to the type.
        let kind = if plain.contains('*') { "pointer" } else { kind };
        parameters.push(Parameter { kind, name, is_optional, is_out });
        rest = others;
    }
    parameters
}

/// Returns a word whose type is unknown: as a float if it looks like one.
pub(super) fn bits(word: u32) -> String {
    let value = f32::from_bits(word);
    let is_float = word == 0 || value.is_normal() && (1e-6..1e9).contains(&value.abs());
    if is_float { value.to_string() } else { format!("{word:#x}") }
}

pub(super) fn vector([x, y, z]: [f32; 3]) -> String {
    format!("'{x} {y} {z}'")
}

pub(super) fn text(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let cut: String = text.chars().take(LONGEST).collect();
    let dots = if cut.len() < text.len() { "..." } else { "" };
    format!("{cut:?}{dots}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::qc::{Builtin, TABLE};

    #[test]
    fn every_signature_has_parameters_with_known_types() {
        for builtin in TABLE {
            for parameter in parameters(builtin.signature) {
                let known = ["float", "vector", "string", "entity", "int", "pointer", "..."].contains(&parameter.kind);
                let function = parameter.kind.starts_with("void(");
                assert!((known || function) && !parameter.name.contains(' '), "{builtin:?} {parameter:?}");
            }
        }
        let events = parameters(Builtin::by_name("processmodelevents").unwrap().signature);
        assert_eq!(events.len(), 5);
        let found = parameters(Builtin::by_name("skel_trace").unwrap().signature);
        assert_eq!((found[3].name, found[3].is_out, found[2].is_out), ("bonenum", true, false));
    }
}
