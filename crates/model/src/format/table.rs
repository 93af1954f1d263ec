//! Table of the formats.

use super::{Format, foreign};
use crate::model::{Model, ModelError};
use crate::read::{self, Input};
use crate::write::{self, Writer};

/// Description of a format.
pub(super) struct Row {
    pub format: Format,
    pub name: &'static str,
    /// File extensions without the dot, the usual one first.
    pub extensions: &'static [&'static str],
    pub detect: fn(&[u8]) -> bool,
    /// Patterns of side files, see [`Format::side_files`].
    pub side_files: &'static [&'static str],
    pub read: fn(&mut Input) -> Result<Model, ModelError>,
    pub writer: Writer,
}

/// Pattern of the side file whose animations replace those of the model.
pub(super) const FRAMEGROUPS: &str = "{name}.framegroups";

/// Rows in the order of the variants of [`Format`]. Detection tries the formats in this order.
pub(super) const TABLE: [Row; 14] = [
    Row {
        format: Format::Iqm,
        name: "Inter-Quake Model",
        extensions: &["iqm", "vvm"],
        detect: |bytes| bytes.starts_with(read::iqm::MAGIC),
        side_files: &[FRAMEGROUPS],
        read: |input| read::iqm::read(input),
        writer: write::IQM,
    },
    Row {
        format: Format::Dpm,
        name: "DarkPlaces model",
        extensions: &["dpm"],
        detect: |bytes| bytes.starts_with(read::dpm::MAGIC),
        side_files: &[FRAMEGROUPS],
        read: |input| read::dpm::read(input.bytes, input.limits),
        writer: Writer::Absent,
    },
    Row {
        format: Format::Zym,
        name: "Zymotic model",
        extensions: &["zym"],
        detect: |bytes| bytes.starts_with(read::zym::MAGIC),
        side_files: &[FRAMEGROUPS],
        read: |input| read::zym::read(input),
        writer: Writer::Absent,
    },
    Row {
        format: Format::Psk,
        name: "ActorX mesh",
        extensions: &["psk", "pskx"],
        detect: |bytes| bytes.starts_with(read::actorx::PSK_MAGIC),
        side_files: &["{stem}.psa", FRAMEGROUPS],
        read: read::actorx::read_psk,
        writer: Writer::Absent,
    },
    Row {
        format: Format::Psa,
        name: "ActorX animations",
        extensions: &["psa"],
        detect: |bytes| bytes.starts_with(read::actorx::PSA_MAGIC),
        side_files: &[FRAMEGROUPS],
        read: |input| read::actorx::read_psa(input.bytes, input.limits),
        writer: Writer::Absent,
    },
    Row {
        format: Format::Md3,
        name: "Quake III model",
        extensions: &["md3"],
        detect: |bytes| bytes.starts_with(read::md3::MAGIC),
        side_files: &[FRAMEGROUPS],
        read: |input| read::md3::read(input.bytes, input.limits),
        writer: Writer::Absent,
    },
    Row {
        format: Format::HalfLife,
        name: "Half-Life studio model",
        extensions: &["mdl"],
        detect: |bytes| bytes.starts_with(read::hlmdl::MAGIC) && !foreign::is_source(bytes),
        // A sequence is not a range of frames, so a .framegroups file cannot select from it.
        side_files: &["{stem}T.mdl", "{stem}t.mdl", "{stem}{number}.mdl", "{stored}"],
        read: read::hlmdl::read,
        writer: Writer::Absent,
    },
    Row {
        format: Format::NelShape,
        name: "NeL shape or skeleton",
        extensions: &["shape", "skel"],
        detect: |bytes| bytes.starts_with(read::nel::SHAPE_MAGIC),
        side_files: &[FRAMEGROUPS],
        read: |input| read::nel::read_shape(input.bytes, input.limits),
        writer: Writer::Absent,
    },
    Row {
        format: Format::NelAnimation,
        name: "NeL animation",
        extensions: &["anim"],
        detect: |bytes| bytes.starts_with(read::nel::ANIMATION_MAGIC),
        side_files: &[FRAMEGROUPS],
        read: |input| {
            read::nel::read_animation(input.bytes, input.limits).map(|model| read::named_after_file(model, input.name))
        },
        writer: Writer::Absent,
    },
    Row {
        format: Format::Md5Mesh,
        name: "Doom 3 mesh",
        extensions: &["md5mesh"],
        detect: read::md5::is_mesh,
        side_files: &[FRAMEGROUPS],
        read: |input| read::md5::read_mesh(input.bytes, input.limits),
        writer: Writer::Absent,
    },
    Row {
        format: Format::Md5Animation,
        name: "Doom 3 animation",
        extensions: &["md5anim"],
        detect: read::md5::is_animation,
        side_files: &[FRAMEGROUPS],
        read: |input| {
            read::md5::read_animation(input.bytes, input.limits).map(|model| read::named_after_file(model, input.name))
        },
        writer: Writer::Absent,
    },
    Row {
        format: Format::Md5List,
        name: "list of Doom 3 files",
        // FTE recognises a list by its first word; the file may have any extension.
        extensions: &[],
        detect: read::md5::is_list,
        side_files: &["{stored}"],
        read: read::md5::read_list,
        writer: Writer::Absent,
    },
    Row {
        format: Format::Glb,
        name: "binary glTF 2.0",
        extensions: &["glb"],
        detect: |bytes| bytes.starts_with(read::GLB_MAGIC) && !bytes.starts_with(foreign::GLB_1),
        side_files: &["{stored}", FRAMEGROUPS],
        read: read::gltf::read,
        writer: write::GLB,
    },
    Row {
        format: Format::Gltf,
        name: "glTF 2.0 text",
        extensions: &["gltf"],
        detect: read::is_gltf_text,
        side_files: &["{stored}", FRAMEGROUPS],
        read: read::gltf::read,
        writer: Writer::Absent,
    },
];

// `Format::row` uses the number of a variant as the index of its row.
const _: () = {
    let mut place = 0;
    while place < TABLE.len() {
        assert!(TABLE[place].format as usize == place);
        place += 1;
    }
    assert!(Format::Gltf as usize + 1 == TABLE.len());
};
