//! Entity lump: text in braces and quotes.

use crate::level::{BrushEntity, Entity};
use crate::model::Name;

use super::bsp_error::{BspError, BspFixup, Ledger};
use super::lump::Lump;

/// Memory of an entity and its first pairs, bytes; lists grow by doubling.
const ENTITY_MEMORY: usize = 3 * size_of::<Entity>() + 4 * size_of::<(Name, Name)>();
/// Memory of a further pair, bytes.
const PAIR_MEMORY: usize = 3 * size_of::<(Name, Name)>();
/// Memory of a brush entity, bytes.
const BRUSH_ENTITY_MEMORY: usize = 3 * size_of::<BrushEntity>();

/// Classes whose brush models are not solid.
const PASSABLE: [&str; 10] = [
    "func_illusionary",
    "func_ladder",
    "func_water",
    "func_areaportal",
    "func_bomb_target",
    "func_buyzone",
    "func_hostage_rescue",
    "func_friction",
    "func_mortar_field",
    "env_bubbles",
];

/// Parses the entities of a level, and ignores what is not an entity.
pub(super) fn parse(lump: &Lump<'_>, ledger: &mut Ledger) -> Result<Vec<Entity>, BspError> {
    let text = lump.bytes().split(|&byte| byte == 0).next().unwrap_or_default();
    let mut words = Words { rest: text, unclosed: false };
    let mut entities = Vec::new();
    let mut open: Option<Entity> = None;
    let mut key: Option<&[u8]> = None;
    while let Some(word) = words.next() {
        match (word, &mut open) {
            (Word::Open, None) => {
                lump.within(0, ledger.allowance.memory(ENTITY_MEMORY as u64))?;
                open = Some(Entity::default());
            }
            (Word::Close, Some(_)) => {
                entities.extend(open.take());
                key = None;
            }
            (Word::Text(text), Some(entity)) => match key.take() {
                None => key = Some(text),
                Some(key) => {
                    let memory = PAIR_MEMORY + key.len() + text.len();
                    lump.within(0, ledger.allowance.memory(memory as u64))?;
                    entity.pairs.push((Name::new(key), Name::new(text)));
                }
            },
            _ => {}
        }
    }
    if words.unclosed || open.is_some() {
        ledger.warn("entities", entities.len(), BspFixup::Unclosed);
    }
    entities.extend(open);
    Ok(entities)
}

/// Returns the entities that show one of `models` brush models.
pub(super) fn brush_entities(
    entities: &[Entity],
    models: usize,
    lump: &Lump<'_>,
    ledger: &mut Ledger,
) -> Result<Vec<BrushEntity>, BspError> {
    let mut found = Vec::new();
    let mut taken = vec![false; models];
    for (number, entity) in entities.iter().enumerate() {
        let Some(model) = entity.get("model").and_then(|model| model.as_bytes().strip_prefix(b"*")) else { continue };
        let model = std::str::from_utf8(model).ok().and_then(|model| model.trim().parse::<usize>().ok());
        let Some((model, taken)) = model.and_then(|model| Some((model, taken.get_mut(model)?))) else {
            ledger.warn("entities", number, BspFixup::NoSuchModel);
            continue;
        };
        if std::mem::replace(taken, true) {
            ledger.warn("entities", number, BspFixup::SharedModel);
        }
        lump.within(0, ledger.allowance.memory(BRUSH_ENTITY_MEMORY as u64))?;
        found.push(BrushEntity {
            entity: number,
            model,
            origin: entity.vector("origin").clamp(-super::MAX_ENTITY_COORDINATE, super::MAX_ENTITY_COORDINATE),
            angles: entity.vector("angles"),
            solid: is_solid(entity.get("classname")),
        });
    }
    Ok(found)
}

fn is_solid(class: Option<&Name>) -> bool {
    class
        .is_none_or(|class| !class.as_bytes().starts_with(b"trigger_") && !PASSABLE.iter().any(|name| *class == **name))
}

enum Word<'a> {
    Open,
    Close,
    Text(&'a [u8]),
}

struct Words<'a> {
    rest: &'a [u8],
    unclosed: bool,
}

impl<'a> Words<'a> {
    fn next(&mut self) -> Option<Word<'a>> {
        loop {
            self.rest = self.rest.trim_ascii_start();
            match self.rest {
                [b'/', b'/', rest @ ..] => self.rest = after(rest, b"\n").unwrap_or_default(),
                [b'/', b'*', rest @ ..] => {
                    let end = after(rest, b"*/");
                    self.unclosed |= end.is_none();
                    self.rest = end.unwrap_or_default();
                }
                [] => return None,
                [b'{', rest @ ..] => {
                    self.rest = rest;
                    return Some(Word::Open);
                }
                [b'}', rest @ ..] => {
                    self.rest = rest;
                    return Some(Word::Close);
                }
                [b'"', rest @ ..] => {
                    let length = rest.iter().position(|&byte| byte == b'"');
                    self.unclosed |= length.is_none();
                    let (text, rest) = rest.split_at(length.unwrap_or(rest.len()));
                    self.rest = rest.get(1..).unwrap_or_default();
                    return Some(Word::Text(text));
                }
                rest => {
                    let ends = |byte: &u8| byte.is_ascii_whitespace() || b"{}\"".contains(byte);
                    let length = rest.iter().position(ends).unwrap_or(rest.len());
                    let (text, rest) = rest.split_at(length);
                    self.rest = rest;
                    return Some(Word::Text(text));
                }
            }
        }
    }
}

/// Returns the text after the first `end`.
fn after<'a>(text: &'a [u8], end: &[u8]) -> Option<&'a [u8]> {
    text.windows(end.len()).position(|window| window == end).and_then(|at| text.get(at + end.len()..))
}
