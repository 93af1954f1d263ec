//! Files of other formats: errors name the format and give advice.

use skelobj::model::ModelProblem;
use skelobj::{Format, Model};

#[test]
fn files_of_other_formats_are_named() {
    let files: [(&[u8], &str); 36] = [
        (b"", "empty"),
        (b"IDPO\x06\0\0\0", "a Quake model (MDL)"),
        (b"RAPO\x32\0\0\0", "a Hexen II model (MDL)"),
        (b"IDP2\x08\0\0\0", "a Quake II model (MD2)"),
        (b"IDST\x2c\0\0\0", "a Source model (MDL)"),
        (b"IDST\x31\0\0\0", "a Source model (MDL)"),
        (b"IDSQ\x0a\0\0\0", "a sequence group of a Half-Life model"),
        (b"MDSW", "a Return to Castle Wolfenstein model (MDS)"),
        (b"MDMW", "an Enemy Territory model (MDM)"),
        (b"MDXW", "the bones of an Enemy Territory model (MDX)"),
        (b"2LGM", "a Ghoul 2 model (GLM)"),
        (b"2LGA", "the bones of a Ghoul 2 model (GLA)"),
        (b"glTF\x01\0\0\0", "binary glTF 1.0"),
        (b"Kaydara FBX Binary  \0", "binary FBX"),
        (b"; FBX 7.3.0 project file", "FBX text"),
        (b"BLENDER-v280", "a Blender scene"),
        (b"# Inter-Quake Export\n", "Inter-Quake Export text (IQE)"),
        (b"version https://git-lfs.github.com/spec/v1\noid", "a Git LFS pointer"),
        (b"PK\x03\x04", "a zip archive (also .pk3 and .pk4)"),
        (b"PACK\0\0", "a Quake archive (PAK)"),
        (b"\x1f\x8b\x08", "a file packed with gzip"),
        (b"\x28\xb5\x2f\xfd", "a file packed with zstd, as Blender scenes may be"),
        (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
        (b"\x89PNG\r\n\x1a\n", "a PNG image"),
        (b"\xff\xd8\xff\xe0", "a JPEG image"),
        (b"DDS \x7c", "a DDS image"),
        (b"IBSP\x2e\0\0\0", "a level (BSP)"),
        (b"BSP2", "a level (BSP)"),
        (b"\x1d\0\0\0", "a level (BSP)"),
        (b"version 1\r\nnodes\r\n0 \"root\" -1\r\nend\r\n", "Valve's model text (SMD)"),
        (b"// made by hand\nversion 1\nnodes\n", "Valve's model text (SMD)"),
        (b"# Blender\nmtllib a.mtl\no Cube\n", "a Wavefront model (OBJ)"),
        (b"v 1 2 3\nv 4 5 6\n", "a Wavefront model (OBJ)"),
        (b"<!DOCTYPE html>\n<html>", "a web page"),
        (b"<?xml version=\"1.0\"?>\n<COLLADA xmlns=\"\">", "a COLLADA scene"),
        (b"\xef\xbb\xbf<html><body>", "a web page"),
    ];
    for (bytes, expected) in files {
        assert_eq!(Format::detect(bytes), None, "{expected}");
        let error = Model::load("m", bytes, |_| panic!("asked for a side file")).unwrap_err();
        let ModelProblem::ForeignFormat { name, advice } = error.problem else { panic!("{expected}: {error}") };
        assert_eq!(name, expected);
        assert!(!advice.is_empty());
        assert_eq!(error.to_string(), format!("header at byte 0: the file is {name}: {advice}"));
    }
}

#[test]
fn unrecognised_bytes_stay_unknown() {
    for bytes in [&b"\0"[..], b"# only a comment", b"version 2 of a text", b"body head Head\n", b"v\n", b"\xff\xfe\0"] {
        let error = Model::load("m", bytes, |_| None).unwrap_err();
        assert_eq!(error.problem, ModelProblem::UnknownFormat, "{}", bytes.escape_ascii());
    }
    // The reader of Half-Life models reports other versions of its format.
    let error = Model::load("m", b"IDST\x06\0\0\0", |_| None).unwrap_err();
    assert!(!matches!(error.problem, ModelProblem::ForeignFormat { .. }), "{error}");
}
