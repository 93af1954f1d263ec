//! Formats: detection, side files, writers.

use crate::common;
use std::collections::HashSet;
use std::path::Path;

use skelobj::write::WriteError;
use skelobj::{Format, Model};

#[test]
fn first_bytes_tell_the_format() {
    let files: [(&[u8], Format); 17] = [
        (b"INTERQUAKEMODEL\0\x02", Format::Iqm),
        (b"DARKPLACESMODEL\0", Format::Dpm),
        (b"ZYMOTICMODEL", Format::Zym),
        (b"ACTRHEAD", Format::Psk),
        (b"ANIMHEAD", Format::Psa),
        (b"IDP3", Format::Md3),
        (b"IDST", Format::HalfLife),
        (b"SHAP", Format::NelShape),
        (b"NEL_ANIM", Format::NelAnimation),
        (b"MD5Version 10\ncommandline \"\"\nnumJoints 1\nnumMeshes 1", Format::Md5Mesh),
        (b"// no header\nnumJoints 1 joints {", Format::Md5Mesh),
        (b"MD5Version 10\nnumFrames 3", Format::Md5Animation),
        (b"commandline \"x\" frameRate 24", Format::Md5Animation),
        (b"/* imp */ EXTERNALANIM\nmodel imp.md5mesh", Format::Md5List),
        (b"glTF\x02\0\0\0", Format::Glb),
        (b"\xef\xbb\xbf\n{ \"asset\": {} }", Format::Gltf),
        (b"{\"nodes\": [], \"asset\": {}}", Format::Gltf),
    ];
    for (bytes, format) in files {
        assert_eq!(Format::detect(bytes), Some(format), "{}", bytes.escape_ascii());
        let cut = &bytes[..3];
        assert_eq!(Format::detect(cut), None, "{}", cut.escape_ascii());
    }
    assert_eq!(files.iter().map(|(_, format)| format).collect::<HashSet<_>>().len(), Format::all().len());
    for bytes in [&b""[..], b"joints { }", b"{ \"assets\": 1 }", b"\0\0\0\0"] {
        assert_eq!(Format::detect(bytes), None, "{}", bytes.escape_ascii());
    }
}

#[test]
fn extensions_belong_to_one_format_each() {
    for format in Format::all() {
        assert_eq!(format.extensions().first().unwrap_or(&""), &format.extension());
        for extension in format.extensions() {
            assert_eq!(Format::from_extension(&extension.to_uppercase()), Some(format), "{extension}");
        }
    }
    assert_eq!((Format::from_extension("skel"), Format::from_extension("exe")), (Some(Format::NelShape), None));
}

#[test]
fn formats_that_are_only_read_refuse_to_write() {
    let model = Model::default();
    for format in Format::all() {
        match format.write(&model) {
            Ok(bytes) => {
                assert!(format.is_writable());
                assert_eq!(Format::detect(&bytes), Some(format));
            }
            Err(error) => {
                assert!(!format.is_writable() && format.losses(&model).is_empty());
                let missing = WriteError::NotBuiltIn { feature: "gltf" };
                let read_only = WriteError::ReadOnly { format: format.name() };
                assert_eq!(error, if format == Format::Glb { missing } else { read_only });
            }
        }
    }
}

/// Returns `true` if a name matches a pattern of [`Format::side_files`].
fn fits(pattern: &str, name: &str, asked: &str) -> bool {
    let stem = name.rsplit_once('.').unwrap().0;
    let pattern = pattern.replace("{name}", name).replace("{stem}", stem);
    match pattern.split_once("{number}") {
        _ if pattern == "{stored}" => true,
        None => pattern == asked,
        Some((before, after)) => {
            let number = asked.strip_prefix(before).and_then(|rest| rest.strip_suffix(after));
            number.is_some_and(|number| number.len() == 2 && number.bytes().all(|digit| digit.is_ascii_digit()))
        }
    }
}

#[test]
fn readers_ask_for_the_files_that_the_format_lists() {
    let test = "readers_ask_for_the_files_that_the_format_lists";
    let Some(shared) = common::shared() else {
        println!("SKIPPED {test}: no shared folder");
        return;
    };
    let mut count = 0;
    for folder in ["dpm", "hlmdl", "iqm", "md3", "md5", "nel", "psk", "zym"] {
        for path in common::files(&shared.join("corpus").join(folder)) {
            let name = path.file_name().unwrap().to_str().unwrap();
            let bytes = std::fs::read(&path).unwrap();
            let Some(format) = Format::detect(&bytes) else { continue };
            let extension = Path::new(name).extension().unwrap().to_str().unwrap();
            assert_eq!(Format::from_extension(extension), Some(format), "{name}");
            let model = Model::load(name, &bytes, |asked| {
                let listed = format.side_files().iter().any(|pattern| fits(pattern, name, asked));
                assert!(listed, "{name}: {asked}");
                None
            });
            count += usize::from(model.is_ok());
        }
    }
    assert!(count > 40, "{count}");
    println!("shared cases: {test}: {count}");
}
