//! Warnings about objects, entities, ranges and weights.

use super::*;

/// Returns the warnings that functions of the program make, without totals, and without the place's file.
fn warnings(function: &str) -> Vec<String> {
    warnings_in("fte", function)
}

fn warnings_in(dialect: &str, function: &str) -> Vec<String> {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/golden/models");
    let folder = Folder::new("watched");
    let args = ["--warn", "--models", models.to_str().unwrap(), "--dialect", dialect, "--call", function];
    let output = program("watched", &folder.0, &args);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let said = text(&output.stderr);
    let start = "skelobj: warning: watched.qc:";
    said.lines().filter_map(|line| line.strip_prefix(start)).map(str::to_owned).collect()
}

/// Returns the number of the line of the program that consists of some code.
fn line(code: &str) -> usize {
    let source = include_str!("../qc/watched.qc");
    source.lines().position(|line| line.trim() == code).unwrap() + 1
}

#[test]
fn objects_that_no_entity_has_are_reported_where_they_were_created() {
    let wanted = [
        "27: loses: skel_create(1): 3 objects, from 2 on, were never deleted, \
         and no entity has them in skeletonindex",
        "29: loses: skel_create(1): object 5 was never deleted, and no entity has it in skeletonindex",
    ];
    assert_eq!(warnings("loses"), wanted);
}

#[test]
fn removed_entities_and_changes_of_the_world_are_reported() {
    let removed = "entity 2 was removed";
    let wanted = [
        format!("39: removed: setorigin(entity 2, '1 2 3'): {removed}"),
        format!("40: removed: setmodel(entity 2, \"mannequin.iqm\"): {removed}"),
        "41: removed: setmodel(entity 0, \"mannequin.iqm\"): the entity is the world".to_owned(),
        format!("42: removed: skel_build(1, entity 2, 1, 0, 0, 0, 1): {removed}"),
        format!("43: removed: gettaginfo(entity 2, 0): {removed}"),
    ];
    assert_eq!(warnings("removed"), wanted);
}

#[test]
fn objects_that_were_never_built_are_reported_where_they_are_used() {
    let first = line("skel_copybones(posed, empty, 0, 0);");
    let wanted = [
        format!("{first}: unbuilt: skel_copybones(3, 2, 0, 0): object 2 was never built, its bones are all zero"),
        format!("{}: unbuilt: skel_get_boneabs(2, 15): object 2 was never built, its bones are all zero", first + 2),
    ];
    assert_eq!(warnings("unbuilt"), wanted);
}

#[test]
fn bones_of_lists_are_told_by_their_names() {
    let first = line("skel_aim(body, \"Head\", '100 0 0');");
    let wanted = [
        "no bone is named `Head`, did you mean `head`?",
        "found `chest 0.2 neck 0.3`, expected a bone and at most one number between commas",
        "found `head much`, expected a bone and at most one number between commas",
        "found `head 0.5 2`, expected a bone and at most one number between commas",
        "`chest` is not below `head`",
        "no bone is named `nack`, did you mean `neck`?",
        "no bone is named `pelvs`, did you mean `pelvis`?",
        "no bone is named `tentacle`",
        "`shin_l` is not below `foot_l`",
        "no bone is named `chst`, did you mean `chest`?",
        "no bone is named `upperam_l`, did you mean `upperarm_l`?",
        "no bone is named `Pelvis`, did you mean `pelvis`?",
    ];
    let said = warnings("lists");
    assert_eq!(said.len(), wanted.len(), "{said:#?}");
    for (number, (said, wanted)) in said.iter().zip(wanted).enumerate() {
        let place = format!("{}: lists: ", first + number);
        assert!(said.starts_with(&place) && said.ends_with(&format!("): {wanted}")), "{said}: {wanted}");
    }
}

#[test]
fn axes_that_are_not_whole_are_reported() {
    let first = line("skel_set_bone(object, 3, '0 0 0', '0 90 0');");
    let partial = "of 3 axes: v_forward, v_right and v_up are used, which makevectors sets from angles";
    let zero = "an axis is zero, which flattens the bone";
    let wanted = [
        format!("{first}: axes: skel_set_bone(1, 3, '0 0 0', '0 90 0'): 1 vector {partial}"),
        format!("{}: axes: skel_mul_bone(1, 3, '0 0 0', '1 0 0', '0 1 0'): 2 vectors {partial}", first + 1),
        format!("{}: axes: skel_postmul_bone(1, 3, '0 0 0', '1 0 0', '0 1 0', '0 0 0'): {zero}", first + 2),
        format!("{}: axes: skel_mul_bones(1, 3, 4, '0 0 0'): {zero}", first + 5),
    ];
    assert_eq!(warnings("axes"), wanted);
}

#[test]
fn commands_without_a_number_are_reported() {
    let first = line("skel_ragupdate(body, \"animate\", 0);");
    let wanted = [
        "a number is missing, 0 is used: expected animate STRENGTH [SECONDS]",
        "\"abc\" is not a number from 0 on, 0 is used: expected animate STRENGTH [SECONDS]",
        "\"soon\" is not a number from 0 on, 0 is used: expected animate STRENGTH [SECONDS]",
        "a number is missing, 0 is used: expected animatebody BODY STRENGTH [SECONDS]",
        "\"off\" is not a number from 0 on, 0 is used: expected enablejoint JOINT 0|1",
        "\"nan\" is not a number from 0 on, 0 is used: expected muscle STRENGTH",
        "a number is missing, 0 is used: expected musclejoint JOINT STRENGTH",
        "a number is missing, 0 is used: expected animatelimb BODY STRENGTH [SECONDS]",
        "\"-2\" is not a number from 0 on, 0 is used: expected muscle STRENGTH",
    ];
    let said = warnings("commands");
    assert_eq!(said.len(), wanted.len(), "{said:#?}");
    for (number, (said, wanted)) in said.iter().zip(wanted).enumerate() {
        let place = format!("{}: commands: skel_ragupdate(", first + number);
        assert!(said.starts_with(&place) && said.ends_with(&format!("): {wanted}")), "{said}: {wanted}");
    }
}

#[test]
fn poses_of_other_bones_are_reported() {
    let first = line("skel_build(object, rope, rope.modelindex, 0, 0, 0, 1);");
    let of_model = "object 1 has other bones than the model \"chain.iqm\"";
    let found = warnings("other_poses");
    let builds = format!("{first}: other_poses: skel_build(1, entity 2, 2, 0, 0, 0, 1): {of_model}");
    let adds = format!("{}: other_poses: skel_add(1, entity 2, 2, 0.5): {of_model}", first + 1);
    let updates = "object 1 has other bones than object 2";
    assert!(found.contains(&builds) && found.contains(&adds), "{found:#?}");
    assert!(found.iter().any(|line| line.contains("skel_ragupdate(") && line.ends_with(updates)), "{found:#?}");
}

#[test]
fn an_object_that_is_used_after_its_deletion_is_reported() {
    let line = line("skel_build(old, body, body.modelindex, 0, 0, 0, 1);");
    let call = "deletes_and_uses: skel_build(2, entity 1, 1, 0, 0, 0, 1)";
    assert_eq!(warnings("deletes_and_uses"), [format!("{line}: {call}: object 2 was deleted before")]);
}

#[test]
fn an_object_that_is_deleted_twice_is_reported() {
    let second = line("skel_delete(old);") + 1;
    assert_eq!(warnings("deletes"), [format!("{second}: deletes: skel_delete(2): object 2 was deleted before")]);
}

#[test]
fn attachments_in_a_loop_are_reported() {
    let first = line("setattachment(body, hand, \"\");");
    let wanted = [
        format!(
            "{first}: attaches: setattachment(entity 1, entity 3, \"\"): entity 1 is attached to itself, or through others"
        ),
        format!("{}: attaches: gettaginfo(entity 2, 0): entity 2 is attached to itself, or through others", first + 1),
        format!(
            "{}: attaches: setattachment(entity 1, entity 1, \"head\"): entity 1 is attached to itself, or through others",
            first + 3
        ),
    ];
    assert_eq!(warnings("attaches"), wanted);
}

#[test]
fn two_entities_with_one_object_are_reported() {
    let folder = Folder::new("shared-object");
    let said = |call: &str| text(&program("watched", &folder.0, &["--warn", "--frames", "2", "--call", call]).stderr);
    let wanted = "skelobj: warning: entities 1 and 2 have the same object 1 in skeletonindex\n";
    assert!(said("shares").starts_with(wanted), "{}", said("shares"));
    assert!(!said("loses").contains("have the same object"), "{}", said("loses"));
}

#[test]
fn a_server_precaches_its_models() {
    let folder = Folder::new("precached");
    let said = text(&program("sends", &folder.0, &["--warn", "--call", "bones", "--call", "still"]).stderr);
    let wanted = "\"mannequin.iqm\"): the model \"mannequin.iqm\" was not precached\n";
    assert_eq!(said.matches(wanted).count(), 1, "once, as it is then loaded: {said}");
    assert!(!warnings("shares").iter().any(|said| said.contains("precached")), "clients load models as they use them");
}

#[test]
fn a_think_time_without_a_function_is_reported_once() {
    let folder = Folder::new("thoughtless");
    let output = program("watched", &folder.0, &["--warn", "--frames", "3", "--call", "thinks_of_nothing"]);
    let said = text(&output.stderr);
    let wanted = "skelobj: warning: entity 2 (statue) has a nextthink and no think function";
    assert_eq!(said.lines().filter(|line| line.contains("think function")).collect::<Vec<_>>(), [wanted], "{said}");
}

#[test]
fn ranges_without_bones_are_reported() {
    let wanted = [
        "51: ranges: skel_build(1, entity 1, 1, 0, 9, 3, 1): no bone is from 9 to 3: the range is reversed",
        "52: ranges: skel_build(1, entity 1, 1, 0, 5, 5, 1): no bone is from 5 to 5: \
         the last bone is the first that stays unchanged",
        "53: ranges: skel_copybones(1, 1, 30, 40): no bone 30, bones are numbered from 1 to 21",
        "54: ranges: skel_mul_bones(1, -1, 3, '0 0 0'): no bone is from -1 to 3: a negative first bone is none",
    ];
    assert_eq!(warnings("ranges"), wanted);
}

#[test]
fn ranges_follow_the_dialect() {
    let call = |first: u32, last: u32| {
        format!("skel_build(1, entity 1, 1, 0, {first}, {last}, 1): no bone is from {first} to {last}: ")
    };
    let wanted = [
        format!("12: main: {}last bone 0 is none", call(0, 0)),
        format!("51: ranges: {}the range is reversed", call(9, 3)),
        "53: ranges: skel_copybones(1, 1, 30, 40): no bone 30, bones are numbered from 1 to 21".to_owned(),
        "54: ranges: skel_mul_bones(1, -1, 3, '0 0 0'): an axis is zero, which flattens the bone".to_owned(),
        format!("57: ranges: {}last bone 0 is none", call(5, 0)),
    ];
    assert_eq!(warnings_in("darkplaces", "ranges")[..5], wanted);
}

#[test]
fn animations_that_do_not_exist_are_reported() {
    let missing = |number: i32| format!("no animation {number}, animations are numbered from 0 to 3");
    let wanted = [
        format!("63: animations: skel_build(1, entity 1, 1, 0, 0, 0, 1): {}", missing(7)),
        format!("65: animations: skel_build(1, entity 1, 1, 0, 0, 0, 1): {}", missing(-1)),
        format!("66: animations: frameduration(1, 4): {}", missing(4)),
    ];
    assert_eq!(warnings("animations"), wanted);
}

#[test]
fn an_object_of_another_model_is_reported() {
    let other = "object 1 has other bones than the model \"chain.iqm\"";
    let found = warnings("other_model");
    assert!(found.iter().all(|line| !line.contains("getup")), "{found:?}");
    assert!(found.iter().any(|line| line.ends_with(&format!("gettaginfo(entity 1, 1): {other}"))), "{found:?}");
    let updates = found.iter().find(|line| line.contains("skel_ragupdate")).unwrap();
    assert!(updates.ends_with(other), "{updates}");
}

#[test]
fn bones_whose_builds_do_not_add_up_are_reported_where_they_were_built() {
    let wanted = [
        "85: halves: skel_build(1, entity 1, 1, 0, 0, 0, 0.5): \
         bone \"thigh_l\" is used with a total weight of 0.5, expected 1",
        "87: halves: skel_build(1, entity 1, 1, 0.5, 3, 0, 1): \
         bone \"shin_l\" is used with a total weight of 1.25, expected 1",
    ];
    assert_eq!(warnings("halves"), wanted);
    let wanted = "95: half_shown: skel_build(1, entity 1, 1, 0.25, 20, 0, 0.25): \
                  bone \"forearm_r\" is used with a total weight of 0.5, expected 1, as is 1 more bone";
    assert_eq!(warnings("half_shown"), [wanted]);
}

#[test]
fn a_ragdoll_uses_all_bones_and_writes_them() {
    let wanted = "130: driven: skel_build(1, entity 1, 1, 0, 0, 0, 0.5): \
                  bone \"pelvis\" is used with a total weight of 0.5, expected 1, as are 20 more bones";
    assert_eq!(warnings("driven"), [wanted]);
    assert_eq!(warnings("mapped"), [""; 0], "the script writes the bones through a pointer");
}

#[test]
fn blends_and_layers_and_copies_of_whole_poses_are_not_mistakes() {
    assert_eq!(warnings("wholes"), [""; 0]);
}
