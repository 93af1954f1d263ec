//! Recognition of unsupported files, with advice for the error message.

use crate::model::ModelProblem;
use crate::read::TO_GLTF_2;

const NO_BONES: &str = "it has no bones; convert it to .md3 or .iqm";
const TO_IQM: &str = "convert it to .iqm, for example with the tool of the IQM development kit";
const TO_GLB: &str = "export it from Blender or another modelling program as .glb";
const UNPACK: &str = "unpack it and name a model from it";
const IMAGE: &str = "name the model that uses it";
const LEVEL: &str = "load it as a level, not as a model";

/// First bytes of an unsupported format, its name, and advice.
type Foreign = (&'static [u8], &'static str, &'static str);

/// First bytes of binary glTF 1.0, which differ from those of 2.0 in the version.
pub(super) const GLB_1: &[u8] = b"glTF\x01\0\0\0";

/// Unsupported formats that their first bytes identify.
const BY_MAGIC: [Foreign; 30] = [
    (b"IDPO", "a Quake model (MDL)", NO_BONES),
    (b"RAPO", "a Hexen II model (MDL)", NO_BONES),
    (b"IDP2", "a Quake II model (MD2)", NO_BONES),
    (b"IDSQ", "a sequence group of a Half-Life model", "load the model that it belongs to"),
    (b"MDSW", "a Return to Castle Wolfenstein model (MDS)", TO_IQM),
    (b"MDMW", "an Enemy Territory model (MDM)", TO_IQM),
    (b"MDXW", "the bones of an Enemy Territory model (MDX)", TO_IQM),
    (b"2LGM", "a Ghoul 2 model (GLM)", TO_GLB),
    (b"2LGA", "the bones of a Ghoul 2 model (GLA)", TO_GLB),
    (GLB_1, "binary glTF 1.0", TO_GLTF_2),
    (b"Kaydara FBX Binary", "binary FBX", TO_GLB),
    (b"; FBX", "FBX text", TO_GLB),
    (b"BLENDER", "a Blender scene", "open it in Blender and export it as .glb"),
    (b"# Inter-Quake Export", "Inter-Quake Export text (IQE)", TO_IQM),
    (b"version https://git-lfs.github.com/", "a Git LFS pointer", "fetch the file with `git lfs pull`"),
    (b"PK\x03\x04", "a zip archive (also .pk3 and .pk4)", UNPACK),
    (b"PACK", "a Quake archive (PAK)", UNPACK),
    (b"\x1f\x8b", "a file packed with gzip", "unpack it first"),
    (b"\x28\xb5\x2f\xfd", "a file packed with zstd, as Blender scenes may be", "unpack it first"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive", UNPACK),
    (b"\x89PNG", "a PNG image", IMAGE),
    (b"\xff\xd8\xff", "a JPEG image", IMAGE),
    (b"DDS ", "a DDS image", IMAGE),
    (b"IBSP", "a level (BSP)", LEVEL),
    (b"FBSP", "a level (BSP)", LEVEL),
    (b"RBSP", "a level (BSP)", LEVEL),
    (b"BSP2", "a level (BSP)", LEVEL),
    (b"2PSB", "a level (BSP)", LEVEL),
    (b"\x1d\0\0\0", "a level (BSP)", LEVEL),
    (b"\x1e\0\0\0", "a level (BSP)", LEVEL),
];

/// First version of Source models, which begin with the same four bytes as Half-Life models.
const SOURCE_VERSION: u32 = 44;

/// Maximum number of bytes of a text that are examined.
const LOOKED_AT: usize = 4096;

/// Returns the problem of a file in an unsupported format.
pub(super) fn problem(bytes: &[u8]) -> ModelProblem {
    name(bytes).map_or(ModelProblem::UnknownFormat, |(name, advice)| ModelProblem::ForeignFormat { name, advice })
}

/// Returns `true` for the problem of a model that engines show, in a format without bones.
pub fn has_no_bones(problem: &ModelProblem) -> bool {
    matches!(problem, ModelProblem::ForeignFormat { advice, .. } if *advice == NO_BONES)
}

/// Returns `true` if a file begins as a level does.
pub(super) fn is_level(bytes: &[u8]) -> bool {
    name(bytes).is_some_and(|(_, advice)| advice == LEVEL)
}

/// Returns the name of an unsupported format, and advice.
pub(super) fn name(bytes: &[u8]) -> Option<(&'static str, &'static str)> {
    if bytes.is_empty() {
        return Some(("empty", "export or copy it again"));
    }
    if is_source(bytes) {
        return Some((
            "a Source model (MDL)",
            "decompile it to .smd, for example with Crowbar, and convert that to .iqm",
        ));
    }
    let by_magic = BY_MAGIC.iter().find(|(magic, ..)| bytes.starts_with(magic));
    by_magic.map(|(_, name, advice)| (*name, *advice)).or_else(|| text(bytes))
}

/// Returns `true` if `bytes` are a Source model.
pub(super) fn is_source(bytes: &[u8]) -> bool {
    let version = bytes.strip_prefix(b"IDST").and_then(<[u8]>::first_chunk).map(|version| u32::from_le_bytes(*version));
    version.is_some_and(|version| version >= SOURCE_VERSION)
}

/// Returns the name and the advice of an unsupported text format that its first words identify.
fn text(bytes: &[u8]) -> Option<(&'static str, &'static str)> {
    let text = bytes.get(..LOOKED_AT).unwrap_or(bytes);
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let is_said = |line: &&[u8]| !line.is_empty() && !line.starts_with(b"#") && !line.starts_with(b"//");
    let line = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).find(is_said)?;
    let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    match (words.next()?.to_ascii_lowercase().as_slice(), words.next()) {
        (b"version", Some(b"1")) => Some(("Valve's model text (SMD)", TO_IQM)),
        (b"mtllib" | b"o" | b"v" | b"g" | b"usemtl", Some(_)) => Some(("a Wavefront model (OBJ)", NO_BONES)),
        (word, _) if word.starts_with(b"<!doctype") || word.starts_with(b"<html") => {
            Some(("a web page", "download the file itself"))
        }
        (b"<?xml", _) if text.windows(8).any(|word| word == b"<COLLADA") => Some(("a COLLADA scene", TO_GLB)),
        _ => None,
    }
}
