//! Levels of the Quake family: faces, made solid by the contents of the tree behind them.

use super::brush_list::{clip_brushes, extension};
use super::bsp_error::{BspError, BspFixup, BspProblem, Ledger};
use super::bsp_tree::{Child, Tree, planes};
use super::bsp_volumes;
use super::entity_lump;
use super::faces::{Face, Faces};
use super::lump::{File, Lump, Record};
use super::textures::{BspTextures, NAME};
use crate::level::solid_mesh::MeshBuilder;
use crate::level::{Level, LevelSurface, SurfaceTexture};
use crate::limits::LimitExceeded;

/// Member of the family that a file belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Variant {
    /// Quake: BSP29.
    Quake,
    /// Half-Life: BSP30.
    HalfLife,
    /// 2PSB: long numbers, short boxes.
    Rmq,
    /// BSP2: long numbers, boxes of floats.
    Bsp2,
}

impl Variant {
    fn is_long(self) -> bool {
        matches!(self, Self::Rmq | Self::Bsp2)
    }

    /// Returns the lumps of a file of this kind.
    pub fn file(self, bytes: &[u8]) -> File<'_> {
        File { bytes, directory: 4 }
    }

    /// Returns `true` if each texture has a palette of its own.
    pub fn has_palettes(self) -> bool {
        self == Self::HalfLife
    }

    /// Returns the sizes of a node and of a leaf, bytes.
    fn record_sizes(self) -> [usize; 2] {
        match self {
            Self::Quake | Self::HalfLife => [24, 28],
            Self::Rmq => [32, 32],
            Self::Bsp2 => [44, 44],
        }
    }
}

const LUMPS: usize = 15;
const PLANES: usize = 1;
const TEXINFO: usize = 6;

/// Name of the extension lump.
const EXTENSION: &str = "BRUSHLIST";

/// Contents of a solid leaf.
const SOLID: i32 = -2;
/// Contents of a leaf behind the sky.
const SKY: i32 = -6;
/// Range of the other known contents, from player clip to empty.
const KNOWN: std::ops::RangeInclusive<i32> = -18..=-1;

/// Textures of tool brushes, which are never solid faces.
const TOOLS: [&str; 19] = [
    "clip",
    "trigger",
    "aaatrigger",
    "skip",
    "hint",
    "hintskip",
    "null",
    "origin",
    "bevel",
    "noclip",
    "waterskip",
    "lavaskip",
    "slimeskip",
    "solidhint",
    "nodraw",
    "monsterclip",
    "playerclip",
    "areaportal",
    "boundingbox",
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Solid,
    Sky,
    Passable,
}

pub(super) fn level(bytes: &[u8], variant: Variant, ledger: &mut Ledger) -> Result<Level, BspError> {
    let file = variant.file(bytes);
    let mut level = Level::default();
    // Some Half-Life tools swap the first two lumps.
    let begins_text = |lump: &Lump<'_>| lump.bytes().trim_ascii_start().starts_with(b"{");
    let [first, second] = [file.lump(0, "entities", 1)?, file.lump(PLANES, "planes", 1)?];
    let swapped = variant == Variant::HalfLife && begins_text(&second) && !begins_text(&first);
    let (text, plane_lump) = if swapped { (second, 0) } else { (first, PLANES) };
    level.entities = entity_lump::parse(&text, ledger)?;
    let plane_lump = file.lump(plane_lump, "planes", 20)?;
    let planes = planes(&plane_lump, ledger)?;

    let texinfos = file.lump(TEXINFO, "texinfo", 40)?;
    level.surfaces = surfaces(&BspTextures::of(&file, variant.has_palettes())?, &texinfos, ledger)?;
    let long = variant.is_long();
    let [node_size, leaf_size] = variant.record_sizes();
    let faces = Faces::new(&file, [3, 7, 12, 13], long)?;
    let leaves = file.lump(10, "leafs", leaf_size)?;
    let node_lump = file.lump(5, "nodes", node_size)?;
    let count = node_lump.len();
    let nodes = node_lump.records().map(|record| {
        let children = if long {
            [record.i32(4), record.i32(8)].map(Child::signed)
        } else {
            [record.u16(4), record.u16(6)].map(|child| Child::short(child, count))
        };
        (record.i32(0).into(), children)
    });
    let mut tree = Tree::new(&node_lump, nodes, &planes, leaves.len(), ledger)?;

    let models = file.lump(14, "models", 64)?;
    if models.len() == 0 {
        return Err(models.error(0, BspProblem::Missing));
    }
    for (number, model) in models.records().enumerate() {
        let run = (model.i32(56).into(), model.i32(60).into());
        let run = models.run(number, "end of faces", run, faces.lump().len())?;
        let head = tree.head(&models, number, model.i32(36))?;
        let [mut mesh, mut sky] = [MeshBuilder::default(), MeshBuilder::default()];
        for record in run {
            let Some(face) = faces.get(record, &planes, texinfos.len(), ledger)? else { continue };
            let at = (faces.lump(), record);
            let surface = level.surfaces.get(face.texinfo);
            let kind = surface.map_or(Kind::Solid, |surface| kind(surface.name.as_bytes(), variant));
            let into = match kind {
                Kind::Sky => &mut sky,
                Kind::Solid if faces.lump().within(record, is_backed(&face, head, &tree, &leaves, ledger))? => {
                    &mut mesh
                }
                Kind::Solid | Kind::Passable => continue,
            };
            super::add(into, &face.corners, face.texinfo, at, ledger)?;
        }
        level.models.push(super::brush_model(mesh, sky, (&models, number), ledger)?);
    }
    add_clip_brushes(&file, &mut level, ledger)?;
    level.brush_entities = entity_lump::brush_entities(&level.entities, level.models.len(), &text, ledger)?;
    let contents = |leaf: usize| leaves.get(leaf).and_then(|record| bsp_volumes::quake(record.i32(0)));
    bsp_volumes::add_liquids(&mut level, &models, &mut tree, &contents, ledger)?;
    let is_full = |leaf: usize| is_solid(&leaves, leaf) || leaves.get(leaf).is_some_and(|leaf| leaf.i32(0) == SKY);
    bsp_volumes::add_solids(&mut level, &models, &tree, &is_full, ledger)?;
    Ok(level)
}

/// Returns `true` if there is something solid behind a face.
fn is_backed(
    face: &Face,
    head: Child,
    tree: &Tree<'_>,
    leaves: &Lump<'_>,
    ledger: &mut Ledger,
) -> Result<bool, LimitExceeded> {
    for point in face.behind() {
        let leaf = tree.leaf(head, point, ledger)?;
        if is_solid(leaves, leaf) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn is_solid(leaves: &Lump<'_>, leaf: usize) -> bool {
    let contents = leaves.get(leaf).map_or(SOLID, |record| record.i32(0));
    contents == SOLID || !KNOWN.contains(&contents)
}

fn kind(texture: &[u8], variant: Variant) -> Kind {
    let name = texture.to_ascii_lowercase();
    if name.starts_with(b"sky") {
        Kind::Sky
    } else if name.starts_with(b"*")
        || (name.starts_with(b"!") && variant == Variant::HalfLife)
        || name.starts_with(b"content")
        || TOOLS.iter().any(|tool| name == tool.as_bytes())
    {
        Kind::Passable
    } else {
        Kind::Solid
    }
}

/// Returns a surface for each projection of a texture.
fn surfaces(
    textures: &BspTextures<'_>,
    texinfos: &Lump<'_>,
    ledger: &mut Ledger,
) -> Result<Vec<LevelSurface>, BspError> {
    texinfos.within(0, super::spend_surfaces(texinfos.len(), NAME, ledger))?;
    let surface = |record: Record<'_>| {
        let number = usize::try_from(record.i32(32)).ok().filter(|&number| number < textures.len());
        let [s, t] = [0, 16].map(|at| record.vec3(at).extend(record.f32(at + 12)));
        let texture = number.filter(|_| s.is_finite() && t.is_finite());
        LevelSurface {
            name: number.and_then(|number| textures.name(number)).unwrap_or_default(),
            flags: record.u32(36),
            contents: 0,
            texture: texture.map(|number| SurfaceTexture { number: number as u32, s, t }),
        }
    };
    Ok(texinfos.records().map(surface).collect())
}

fn add_clip_brushes(file: &File<'_>, level: &mut Level, ledger: &mut Ledger) -> Result<(), BspError> {
    let Some(range) = extension(file.bytes, file.end_of_lumps(LUMPS), EXTENSION) else { return Ok(()) };
    let bytes = file.bytes.get(range.clone());
    let clip = bytes.map_or(Ok(None), |bytes| clip_brushes(bytes, level.models.len(), &mut ledger.allowance));
    let exceeds = |exceeded| BspError::new(EXTENSION, 0, range.start, BspProblem::LimitExceeded(exceeded));
    match clip.map_err(exceeds)? {
        Some(clip) => level.models.iter_mut().zip(clip).for_each(|(model, clip)| model.clip = clip),
        None => ledger.warn(EXTENSION, 0, BspFixup::Extension),
    }
    Ok(())
}
