//! Structs have the same layout in C and in Rust: sizes, alignments and offsets of all fields.

use std::collections::BTreeMap;
use std::mem::offset_of;
use std::process::Command;

use crate::common::{C11, check, compiler, folder, root};
use skelobj_capi_calls::*;

/// Layouts by the names of structs and fields.
type Layouts = BTreeMap<String, usize>;

macro_rules! layouts {
    ($($name:ident { $($field:ident),* $(,)? })*) => {
        /// Returns the layouts in Rust.
        fn in_rust() -> Layouts {
            let mut layouts = Layouts::new();
            $(
                layouts.insert(concat!("sizeof ", stringify!($name)).to_owned(), size_of::<$name>());
                layouts.insert(concat!("alignof ", stringify!($name)).to_owned(), align_of::<$name>());
                $(
                    let name = concat!("offsetof ", stringify!($name), " ", stringify!($field)).to_owned();
                    layouts.insert(name, offset_of!($name, $field));
                )*
            )*
            layouts
        }
    };
}

layouts! {
    SkelobjWorld { id }
    SkelobjModel { id }
    SkelobjDoll { id }
    SkelobjPlayer { id }
    SkelobjLevel { id }
    SkelobjSnapshot { id }
    SkelobjReceiver { id }
    SkelobjObject { id }
    SkelobjLevelBody { id }
    SkelobjWater { id }
    SkelobjLimits { memory, memory_per_byte, bones, frames, triangles, warnings, reserved }
    SkelobjFiles { load, unload, user }
    SkelobjWorldDef { cookie, max_bones, gravity, length_unit, step, max_step_debt, iterations, internal_iterations, linear_damping, angular_damping, friction, sleep_speed, max_contact_pairs, mesh_pitch, mesh_roll, keep_bones, limits, files, log, log_user }
    SkelobjStepped { steps, dropped }
    SkelobjBone { name, parent, bind, inverse_bind }
    SkelobjEvent { time, code, data }
    SkelobjAnimation { name, poses, rate, duration, looping, is_rest_pose, action, action_weight, event_count, events }
    SkelobjBounds { mins, maxs, xy_radius, radius }
    SkelobjInfluences { bones, weights }
    SkelobjMesh { name, material, vertex_count, triangle_count, positions, normals, tangents, texcoords, colors, influences, triangles, triangle_groups, morph_count, is_morphed, contents, flags, body, geomset, geomid, min_distance, max_distance }
    SkelobjSkinMaterial { material, shader }
    SkelobjSkin { mesh, material_count, materials, interval }
    SkelobjMaterial { name, color, is_masked, is_blended, has_more, texture, texture_bytes, texture_size, texture_type }
    SkelobjHitBox { bone, group, mins, maxs }
    SkelobjTag { name, parent, offset }
    SkelobjModelData { bones, animations, frames, bounds, meshes, skins, materials, hit_boxes, tags, comments, warnings, bone_count, animation_count, frame_count, bounds_count, mesh_count, skin_count, material_count, hit_box_count, tag_count, comment_count, warning_count, has_bind, flags }
    SkelobjBlend { time, animation, weight }
    SkelobjFrameDef { cookie, base_bones, blends, base, controllers, blending, fields, is_server }
    SkelobjLoadDef { cookie, as_darkplaces, limits, files }
    SkelobjBoneMatch { matched, missing, unused, reparented }
    SkelobjFormat { extension, name, is_writable }
    SkelobjFile { name, bytes, size }
    SkelobjFileUse { kind, part, reason }
    SkelobjBonePart { name, parent, bind }
    SkelobjAnimationPart { name, first, count, rate, looping }
    SkelobjMeshPart { name, material, vertex_count, triangle_count, positions, normals, texcoords, influences, triangles }
    SkelobjAttachmentPart { name, bone, offset }
    SkelobjModelDef { cookie, flags, bones, animations, frames, meshes, attachments, hit_boxes, bone_count, animation_count, frame_count, mesh_count, attachment_count, hit_box_count }
    SkelobjPassedEvent { time, code, data }
    SkelobjPosesAt { before, after, share }
    SkelobjSkinDef { cookie, normals, fused }
    SkelobjObjectInfo { model, bone_count, space, is_built, is_built_since_ragdoll, has_ragdoll, blending }
    SkelobjBuildDef { cookie, first_bone, last_bone, retain, add, normalized }
    SkelobjDollProblem { is_error, line, column, start, end, code, text, suggestion }
    SkelobjDollBody { name, bone, toward, bone_number, toward_number, shape, size, mass, density, animate, has_offset, offset, angles, draw, line }
    SkelobjDollJoint { name, kind, pivot, pivot_number, body1, body2, axis, axis2, offset, stop_lo, stop_hi, twist, fmax, cfm, erp, muscle, muscle_damping, slacken, enabled, draw, line }
    SkelobjDirective { word, usage, scope }
    SkelobjDropDef { cookie, animation, play, fade, seconds, height, angles, velocity, angular_velocity, has_water, water, is_seeded, seed, level, at }
    SkelobjDropStart { matrix, velocity, angular_velocity, animation, play_steps }
    SkelobjDropReport { bodies, joints, steps, dt, asleep_after, left_level, max_gap_falling, max_gap_resting, max_stop_excess, resting_stop_excess, rest_speed, lowest_z, non_finite, energy }
    SkelobjFitDef { cookie, max_bodies, without_skin, name }
    SkelobjCheckDef { cookie, drops, max_gap, max_sleep, max_stop_excess, max_slide_excess }
    SkelobjRagdollInfo { body_count, joint_count, animated, is_asleep, resets, drive_strength, centre, lowest, energy, groups, rest_mode, has_left_level }
    SkelobjBodyState { name, bone, shape, size, matrix, velocity, angular_velocity, strength, is_sleeping, mode }
    SkelobjJointState { name, is_enabled, gap, anchor1, anchor2, position, excess, twist, twist_excess, mode }
    SkelobjContactPoint { body, other, point, normal, depth, force }
    SkelobjFlinchDef { cookie, spread, seconds, strength }
    SkelobjAimDef { cookie, weight, limit, axis, up, pole, offset, doll }
    SkelobjHistoryDef { cookie, seconds, max_bytes, is_packed }
    SkelobjSpringDef { cookie, frequency, damping, gravity, limit, radius, teleport, weight, share }
    SkelobjFeetDef { cookie, floor, step, slope, frequency, weight, trace, user }
    SkelobjReachDef { cookie, weight, soften, twist, least_bend, greatest_bend, pole, hinge, end, end_turn, doll }
    SkelobjOwner { object, bone, body, level_body }
    SkelobjImpact { own, other, point, normal, impulse, speed }
    SkelobjPoseMatch { animation, time, distance, origin, yaw }
    SkelobjShape { kind, size, points, triangles, corners, point_count, triangle_count, polygon_count, is_clockwise }
    SkelobjLevelBodyDef { cookie, is_moving, shapes, shape_count, matrix }
    SkelobjLevelDef { cookie, clip, sky }
    SkelobjLevelInfo { model_count, entity_count, triangle_count, liquid_count, warning_count, surface_count }
    SkelobjLevelSurface { flags, contents, texture, s, t }
    SkelobjLevelTexture { width, height, has_palette }
    SkelobjEntityBody { entity, model, body }
    SkelobjWaterDef { cookie, plane_count, planes, mins, maxs, density, drag, current }
    SkelobjTraceDef { cookie, groups, start, end, mins, maxs, excluded, object, geometry, entity, is_past, is_clamped, time }
    SkelobjHit { fraction, point, normal, object, bone, surface, level_body, index, triangle, start_solid, all_solid }
    SkelobjContact { other, depth }
    SkelobjEntity { matrix, model, object, frame, tag }
}

/// Returns the names of the structs in the header, with the names of their fields.
fn in_header() -> Vec<(String, Vec<String>)> {
    let header = std::fs::read_to_string(root().join("include/skelobj.h")).expect("the header");
    let (mut structs, mut fields) = (Vec::new(), Vec::new());
    for line in header.lines().skip_while(|line| *line != "typedef struct {") {
        if let Some(name) = line.strip_prefix("} Skelobj") {
            structs.push((format!("Skelobj{}", name.trim_end_matches(';')), std::mem::take(&mut fields)));
        } else if line.starts_with("typedef enum") {
            // Its lines end in commas.
        } else if let Some(field) = line.strip_prefix("  ").filter(|line| line.ends_with(';')) {
            let name = match field.split_once("(*") {
                Some((_, function)) => function.split(')').next(),
                None => field.split(['[', ';']).next().and_then(|field| field.rsplit([' ', '*']).next()),
            };
            fields.extend(name.map(str::to_owned));
        }
    }
    // Enums have no fields that end in semicolons.
    structs.retain(|(_, fields)| !fields.is_empty());
    structs
}

/// Returns the layouts in C, as a program prints them.
fn in_c() -> Layouts {
    let mut source =
        String::from("#include <skelobj.h>\n#include <stdalign.h>\n#include <stdio.h>\nint main(void) {\n");
    let print = |what: String, value: String| format!("  printf(\"{what}=%zu\\n\", {value});\n");
    for (name, fields) in in_header() {
        source += &print(format!("sizeof {name}"), format!("sizeof({name})"));
        source += &print(format!("alignof {name}"), format!("alignof({name})"));
        for field in fields {
            source += &print(format!("offsetof {name} {field}"), format!("offsetof({name}, {field})"));
        }
    }
    source += "  return 0;\n}\n";
    let folder = folder("layout");
    let (file, program) = (folder.join("layout.c"), folder.join("layout"));
    std::fs::write(&file, source).expect("the target folder is writable");
    check(compiler(&C11).arg(&file).arg("-o").arg(&program));
    let output = check(&mut Command::new(program));
    let lines = String::from_utf8(output.stdout).expect("UTF-8");
    let layouts = lines.lines().filter_map(|line| line.rsplit_once('='));
    layouts.map(|(name, value)| (name.to_owned(), value.parse().expect("a number"))).collect()
}

#[test]
fn structs_have_the_same_layout_in_c_and_in_rust() {
    let (c, rust) = (in_c(), in_rust());
    assert!(c.len() > 300, "{} sizes and offsets", c.len());
    for (name, value) in &c {
        assert_eq!(rust.get(name), Some(value), "{name} in Rust and in C");
    }
    assert_eq!(c.len(), rust.len(), "Rust has structs that the header lacks");
}
