//! Colours and images of materials when models are read and written.

use serde_json::{Value, json};
use skelobj::model::{Material, Texture};
use skelobj::{Format, Model};

use super::made::{glb, load, read, small};

/// First bytes of a PNG.
const PNG: [u8; 8] = [0x89, b'P', b'N', b'G', 13, 10, 26, 10];

/// Returns the small file with these images, each on its own material and primitive.
fn painted(images: Value, change: impl FnOnce(&mut Value)) -> Model {
    let (mut document, mut binary) = small();
    let count = images.as_array().unwrap().len();
    let at = binary.len();
    binary.extend(PNG);
    document["buffers"][0]["byteLength"] = json!(binary.len());
    let views = document["bufferViews"].as_array_mut().unwrap();
    views.push(json!({ "buffer": 0, "byteOffset": at, "byteLength": PNG.len() }));
    assert_eq!(views.len(), 10, "images name the last");
    document["images"] = images;
    document["textures"] = (0..count).map(|image| json!({ "source": image })).collect();
    let material = |number: usize| {
        json!({ "name": format!("m{number}"), "pbrMetallicRoughness": {
            "baseColorFactor": [1, 0.5, 0.25, 1],
            "baseColorTexture": { "index": number },
        } })
    };
    document["materials"] = (0..count).map(material).collect();
    let primitive = document["meshes"][0]["primitives"][0].clone();
    let with = |number: usize| {
        let mut primitive = primitive.clone();
        primitive["material"] = json!(number);
        primitive
    };
    document["meshes"][0]["primitives"] = (0..count).map(with).collect();
    change(&mut document);
    read(&document, &binary)
}

#[test]
fn colours_and_images_travel_to_the_file_that_is_written() {
    let uri = "data:image/jpeg;base64,/9j/";
    let images = json!([{ "bufferView": 9, "mimeType": "image/png" }, { "uri": "./my%20skins/a.png" }, { "uri": uri }]);
    let model = painted(images, |_| {});
    let embedded = |mime: &str, bytes: &[u8]| Some(Texture::Embedded { mime: mime.into(), bytes: bytes.into() });
    let textures = [
        embedded("image/png", &PNG),
        Some(Texture::File("my skins/a.png".into())),
        embedded("image/jpeg", &[0xff, 0xd8, 0xff]),
    ];
    for (number, (material, texture)) in model.materials.iter().zip(textures).enumerate() {
        let name = format!("m{number}").as_str().into();
        assert_eq!(
            *material,
            Material {
                name,
                color: [1.0, 0.5, 0.25, 1.0],
                texture,
                is_masked: false,
                is_blended: false,
                has_more: false
            }
        );
        assert_eq!(model.meshes[number].material, material.name);
    }
    let written = skelobj::write::glb(&model).unwrap();
    let back = load(&written).unwrap();
    assert_eq!(back.materials, model.materials);
    assert_eq!(Format::Glb.losses(&model), [""; 0]);
    assert_eq!(Format::Iqm.losses(&model), ["morphs", "colours and textures of materials"]);
    assert!(written.windows(20).any(|text| text == b"\"my%20skins/a.png\"}]" || text == b"uri\":\"my%20skins/a.p"));
}

#[test]
fn an_image_that_many_materials_show_is_written_once() {
    let model = painted(json!([{ "bufferView": 9 }, { "bufferView": 9 }]), |document| {
        document["textures"][1]["source"] = json!(0);
    });
    assert_eq!(model.materials.len(), 2);
    let written = skelobj::write::glb(&model).unwrap();
    assert_eq!(written.windows(PNG.len()).filter(|bytes| **bytes == PNG).count(), 1);
}

#[test]
fn losses_of_a_material_are_reported() {
    let rough = painted(json!([{ "uri": "a.png" }]), |document| {
        document["materials"][0]["normalTexture"] = json!({ "index": 0 });
    });
    assert!(rough.materials[0].has_more);
    assert_eq!(Format::Glb.losses(&rough), ["materials beyond colour and texture"]);
    // An image of another format, and one that only an extension names.
    let foreign = painted(json!([{ "uri": "data:image/webp;base64,AAAA" }]), |_| {});
    assert_eq!(Format::Glb.losses(&foreign), ["textures in formats that glTF does not have"]);
    assert_eq!(load(&skelobj::write::glb(&foreign).unwrap()).unwrap().materials[0].texture, None);
    let named = painted(json!([{ "uri": "a.ktx2" }]), |document| {
        document["textures"][0] = json!({ "extensions": { "KHR_texture_basisu": { "source": 0 } } });
    });
    assert!(named.materials[0].texture.is_none() && named.materials[0].has_more);
}

#[test]
fn holes_and_transparency_travel_to_the_file_that_is_written() {
    let model =
        painted(json!([{ "uri": "a.png" }, { "uri": "b.png" }, { "uri": "c.png" }, { "uri": "d.png" }]), |document| {
            for (number, mode) in ["MASK", "OPAQUE", "BLEND"].into_iter().enumerate() {
                document["materials"][number]["alphaMode"] = json!(mode);
            }
            document["materials"][3]["alphaMode"] = json!("MASK");
            document["materials"][3]["alphaCutoff"] = json!(0.2);
        });
    let told = |model: &Model| -> Vec<[bool; 3]> {
        model.materials.iter().map(|material| [material.is_masked, material.is_blended, material.has_more]).collect()
    };
    let [masked, opaque, blended] = [[true, false, false], [false; 3], [false, true, false]];
    assert_eq!(told(&model), [masked, opaque, blended, [true, false, true]]);
    let back = load(&skelobj::write::glb(&model).unwrap()).unwrap();
    assert_eq!(told(&back), [masked, opaque, blended, masked]);
}

#[test]
fn images_outside_the_folder_are_left_out() {
    for uri in ["../a.png", "/a.png", "http://x/a.png", "data:image/png;base64,!"] {
        let model = painted(json!([{ "uri": uri }]), |_| {});
        assert_eq!(model.materials[0].texture, None, "{uri}");
        let fixups: Vec<_> = model.warnings.iter().map(|warning| warning.message()).collect();
        assert_eq!(fixups, ["skipped: an image outside the model's folder".to_owned()], "{uri}");
    }
}

#[test]
fn materials_are_told_apart_by_name() {
    let images = json!([{ "uri": "a.png" }, { "uri": "b.png" }, { "uri": "c.png" }]);
    let model = painted(images, |document| {
        document["materials"][1]["name"] = json!("m0");
        document["materials"][2].as_object_mut().unwrap().remove("name");
    });
    let names: Vec<String> = model.meshes.iter().map(|mesh| mesh.material.to_string()).collect();
    assert_eq!(names, ["m0", "m0.1", "material2"]);
}

#[test]
fn materials_that_lead_outside_their_lists_are_refused() {
    let (document, binary) = small();
    for (textures, images, expected) in [
        (json!([]), json!([]), "texture is 0, where no number is possible"),
        (json!([{ "source": 3 }]), json!([]), "image is 3, where no number is possible"),
        (json!([{ "source": 0 }]), json!([{ "bufferView": 99 }]), "bufferView is 99, expected 0 to 8"),
    ] {
        let mut document = document.clone();
        document["materials"] = json!([{ "pbrMetallicRoughness": { "baseColorTexture": { "index": 0 } } }]);
        document["textures"] = textures;
        document["images"] = images;
        let error = load(&glb(&document, &binary)).unwrap_err();
        assert_eq!(error.problem.to_string(), expected);
    }
}
