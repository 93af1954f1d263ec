//! Text of a fitted doll, with the origin of its numbers beside them.

use std::collections::HashSet;

use skelobj_model::internal::{atan2, counted};

use super::anatomy::{Part, Side};
use super::joints::{Change, Figure, Joint, Reason};
use super::masses::RATIO;
use super::ranges::{Range, Stops};
use super::shapes::{Solid, Source, arc, half_turn};
use super::{FitNote, FitOptions};
use crate::doll::print::Text;
use crate::doll::{Doll, JointKind, Shape};
use crate::math::{Quat, Vec3};
use crate::model::{Model, Name};

/// Content of the text.
pub(super) struct Content<'a> {
    pub(super) model: &'a Model,
    pub(super) options: &'a FitOptions,
    pub(super) figure: &'a Figure<'a>,
    pub(super) joints: &'a [Joint],
    /// `true` for bodies that were cut, clear of others.
    pub(super) is_cut: &'a [bool],
    /// `true` if the reference pose is that of the first animation.
    pub(super) is_posed: bool,
    pub(super) notes: &'a [FitNote],
}

/// Returns the text.
pub(super) fn text(content: &Content) -> Vec<u8> {
    let mut page = Page::default();
    header(content, &mut page);
    let names = body_names(content);
    for (body, solid) in content.figure.solids.iter().enumerate() {
        page.blank();
        print_body(content, body, solid, &names, &mut page);
    }
    let mut used = HashSet::new();
    for joint in content.joints {
        page.blank();
        print_joint(content, joint, &names, &mut used, &mut page);
    }
    print_bones_without_bodies(content, &names, &mut page);
    page.text.bytes
}

fn header(content: &Content, page: &mut Page) {
    let Content { model, figure, .. } = content;
    let bodies = counted(figure.solids.len(), "body", "bodies");
    let joints = counted(content.joints.len(), "joint", "joints");
    let of = match content.options.name.is_empty() {
        true => String::new(),
        false => format!(" for {}", shown(&content.options.name)),
    };
    page.remark(&format!("Ragdoll{of}: {bodies}, {joints}, fitted by skelobj. Change what you like."));
    page.remark(
        "Lengths are Quake units, angles of joints radians from the reference pose. Comments tell the origin of",
    );
    page.remark(
        "each number: the skin that a bone moves, the animations in which a joint reaches its range, or a name.",
    );
    let animations = counted(model.animations.len(), "animation", "animations");
    let poses = counted(figure.motion.poses, "pose", "poses");
    let every = if figure.motion.step > 1 { format!(" (one in {})", figure.motion.step) } else { String::new() };
    page.remark(&format!("Examined: {animations} with {poses}{every}."));
    let mut notes = content.notes.iter().filter(|note| !matches!(note, FitNote::Folded { .. }));
    for note in notes.by_ref().take(40) {
        page.remark(&shown(note));
    }
    let rest = notes.count();
    match rest {
        0 => {}
        1 => page.remark("1 more note is left out."),
        _ => page.remark(&format!("{rest} more notes are left out.")),
    }
    page.blank();
    match content.is_posed {
        true => page.line("refpose 0 0", "the model has no bind pose: the first pose of its first animation"),
        false => page.line("refpose skin", "the bind pose"),
    }
}

/// Longest line of the list of bones, bytes.
const WIDTH: usize = 100;

/// Lists the bones that have a skin but no body, by the body that moves them.
fn print_bones_without_bodies(content: &Content, names: &[Name], page: &mut Page) {
    let limbs = &content.figure.tree.limbs;
    let body_of = |bone: &Name| {
        let body = limbs.iter().position(|limb| content.model.skeleton.names()[limb.bone] == *bone)?;
        Some(&names[body])
    };
    let mut by_body: Vec<(&Name, Vec<&Name>)> = Vec::new();
    for note in content.notes {
        let FitNote::Folded { bone, into } = note else { continue };
        let Some(body) = body_of(into) else { continue };
        match by_body.iter_mut().find(|(other, _)| *other == body) {
            Some((_, bones)) => bones.push(bone),
            None => by_body.push((body, vec![bone])),
        }
    }
    if by_body.is_empty() {
        return;
    }
    page.blank();
    page.remark("Bones without a body move with the body before the colon:");
    for (body, bones) in by_body {
        let mut line = format!("  {}:", shown(body));
        for (number, bone) in bones.iter().enumerate() {
            let comma = if number + 1 < bones.len() { "," } else { "" };
            let word = format!(" {}{comma}", shown(bone));
            if line.len() + word.len() > WIDTH {
                page.remark(&line);
                line = "   ".to_owned();
            }
            line.push_str(&word);
        }
        page.remark(&line);
    }
}

fn print_body(content: &Content, body: usize, solid: &Solid, names: &[Name], page: &mut Page) {
    let figure = content.figure;
    let limb = &figure.tree.limbs[body];
    page.text.words("body").name(&names[body]).name(&content.model.skeleton.names()[limb.bone]).end();
    let source = match solid.source {
        Source::Skin(1) => "around 1 vertex".to_owned(),
        Source::Skin(count) => format!("around {count} vertices"),
        Source::HitBoxes(1) => "from the hit box".to_owned(),
        Source::HitBoxes(count) => format!("from {count} hit boxes"),
        Source::Bone => "no skin: from the length of the bone".to_owned(),
    };
    page.line(&format!("\tshape {}", solid.shape.word()), &source);
    let half = solid.half;
    let unit = Unit::of(figure.tree.size);
    let size = match solid.shape {
        Shape::Sphere => unit.size(half.x),
        Shape::Capsule => format!("{0} {0} {1}", unit.size(half.x), unit.size(half.z * 2.0)),
        _ => (half * 2.0).to_array().map(|size| unit.size(size)).join(" "),
    };
    let mut from = match solid.shape {
        Shape::Sphere => "radius",
        Shape::Capsule => "radius, and length without the round ends",
        _ => "edges",
    }
    .to_owned();
    if figure.mirror.partner(body).is_some() {
        from.push_str("; left and right alike");
    }
    if content.is_cut[body] {
        from.push_str("; cut, clear of other bodies");
    }
    page.line(&format!("\tsize {size}"), &from);
    let bone = &figure.reference[limb.bone];
    let end = limb.toward.filter(|_| solid.is_along);
    if let Some(end) = end {
        let way = figure.reference[end].origin() - bone.origin();
        page.text.words("\torient").name(&content.model.skeleton.names()[end]).end();
        let place = arc(bone, way.normalize_or(Vec3::Z)).inverse() * (solid.centre - bone.origin() - way / 2.0);
        if place.length() > 0.005 * figure.tree.size {
            page.line(
                &format!("\toffset {}", unit.place(place)),
                "the middle of the skin, from the middle of the bone",
            );
        }
    } else {
        let own = bone.rotation();
        let place = own.inverse() * (solid.centre - bone.origin());
        let angles = angles(nearest_turn(solid.shape, own.inverse() * solid.turn));
        let is_turned = solid.shape != Shape::Sphere && angles != [0.0; 3];
        let turned = if is_turned { format!(" {} {} {}", angles[0], angles[1], angles[2]) } else { String::new() };
        let from = if is_turned { "the middle of the skin, and its axes" } else { "the middle of the skin" };
        page.line(&format!("\toffset {}{turned}", unit.place(place)), from);
    }
    let mass = figure.masses[body];
    let from = match mass.mass / mass.own {
        share if share > 1.02 => format!("more than that of its volume: neighbours are within {RATIO} to 1"),
        share if share < 0.98 => format!("less than that of its volume: neighbours are within {RATIO} to 1"),
        _ => "from the volume".to_owned(),
    };
    page.line(&format!("\tmass {}", two_digits(mass.mass)), &from);
}

fn print_joint(content: &Content, joint: &Joint, names: &[Name], used: &mut HashSet<Name>, page: &mut Page) {
    let figure = content.figure;
    let meaning = &figure.meanings[figure.tree.limbs[joint.child].bone];
    let name = match joint.reason {
        Reason::Anatomy(part) if !matches!(part, Part::Spine | Part::Pelvis) => {
            Name::from(format!("{}{}", part.word(), side(meaning.side)).as_str())
        }
        _ => names[joint.child].clone(),
    };
    let name = unique(name.as_bytes(), used);
    page.text.words("joint").name(&name).name(&names[joint.parent]).name(&names[joint.child]);
    if figure.tree.limbs[joint.child].is_joined {
        page.comment("no bone above has a body: joined to the nearest");
    }
    page.text.end();
    let why = match joint.reason {
        Reason::Anatomy(part) => format!("{}, by name", part.word()),
        Reason::OneAxis => "the animations turn it about one axis".to_owned(),
        Reason::ManyAxes => "the animations turn it about several axes".to_owned(),
        Reason::Still => "no animation turns it".to_owned(),
        Reason::Link => "a link in a row".to_owned(),
        Reason::Unknown => "neither a name nor an animation tells more".to_owned(),
    };
    let why = match joint.change {
        Change::None => why,
        Change::Eased => format!("{why}; with room and friction for what drops threw past its stops"),
        Change::Fixed => format!("{why}; fixed, because drops threw it past any stop"),
    };
    let kind = if joint.kind == JointKind::Cone { JointKind::Universal } else { joint.kind };
    page.line(&format!("\ttype {}", kind.word()), &why);
    let unit_of_length = Unit::of(figure.tree.size);
    let Some(stops) = &joint.stops else {
        return print_offset(joint, unit_of_length, page);
    };
    let (axis, axis2) = match joint.reason {
        Reason::Anatomy(_) => ("which way the limb bends", "across the limb and the first axis"),
        Reason::OneAxis => ("the axis of the animations", ""),
        Reason::ManyAxes => ("about which the animations turn it most", "across the limb and the first axis"),
        _ => ("across the limb", "across the limb and the first axis"),
    };
    let stop = |page: &mut Page, words: [&str; 2], number: usize| {
        for (end, word) in words.into_iter().enumerate() {
            let (stop, origin) = origin(content.model, stops, number, end, joint.reason);
            page.line(&format!("\t{word} {}", number_of(stop)), &origin);
        }
    };
    page.line(&format!("\taxis {}", unit(joint.frame * Vec3::X)), axis);
    stop(page, ["LoStop", "HiStop"], 0);
    let has_second = matches!(joint.kind, JointKind::Cone | JointKind::Universal);
    if has_second {
        page.line(&format!("\taxis2 {}", unit(joint.frame * Vec3::Y)), axis2);
        stop(page, ["LoStop2", "HiStop2"], 1);
    }
    if joint.kind == JointKind::Cone {
        let [lo, hi] = [0, 1].map(|end| origin(content.model, stops, 2, end, joint.reason));
        let origins = match (lo.1, hi.1) {
            (lo, hi) if lo.starts_with(&hi) => lo,
            (lo, hi) if hi.starts_with(&lo) => hi,
            (lo, hi) => format!("{lo}; {hi}"),
        };
        page.line(&format!("\ttwist {} {}", number_of(lo.0), number_of(hi.0)), &origins);
    }
    let friction = two_digits(joint.friction.torque);
    let share = joint.friction.share * 100.0;
    page.line(&format!("\tFMax {friction}"), &format!("{share:.0} % of the torque of what hangs on the joint"));
    if has_second {
        page.line(&format!("\tFMax2 {friction}"), "the same about the second axis");
    }
    print_offset(joint, unit_of_length, page);
}

fn print_offset(joint: &Joint, unit: Unit, page: &mut Page) {
    if let Some(offset) = joint.offset {
        page.line(&format!("\toffset {}", unit.place(offset)), "between the bodies: the bone is far from both");
    }
}

/// Returns the low or high stop of an axis, and its origin.
fn origin(model: &Model, stops: &Stops, axis: usize, end: usize, reason: Reason) -> (f32, String) {
    let ends = |range: Range| [range.lo, range.hi][end];
    let (stop, least, seen) = (ends(stops.ranges[axis]), ends(stops.least[axis]), ends(stops.seen[axis].range));
    let basis = match reason {
        Reason::Anatomy(_) => "anatomy",
        Reason::Link => "the usual range of a link",
        _ => "the least range",
    };
    let animation = stops.seen[axis].by[end].and_then(|number| Some((number, model.animations.get(number)?)));
    let by = animation.filter(|_| seen.abs() >= 0.005).map(|(number, animation)| {
        let name = if animation.name.is_empty() { format!("animation {number}") } else { shown(&animation.name) };
        format!("{name}: {seen:.2}")
    });
    let is_least = (stop - least).abs() < 0.02;
    let origin = match by {
        None if is_least => format!("from {basis}"),
        None => "a margin around the reference pose".to_owned(),
        Some(by) if is_least => format!("from {basis}, {by}"),
        Some(by) => format!("from {by}, and a margin"),
    };
    (stop, origin)
}

/// Returns the names of the bodies: those of anatomy where it is known and tells bodies apart, or else of the bones.
fn body_names(content: &Content) -> Vec<Name> {
    let mut used = HashSet::new();
    let figure = content.figure;
    let by_anatomy: Vec<Option<String>> =
        figure.tree.limbs.iter().map(|limb| anatomical_name(figure, limb.bone)).collect();
    let name = |body: usize| {
        let bone = figure.tree.limbs[body].bone;
        let is_single = |name: &&String| by_anatomy.iter().flatten().filter(|other| other == name).count() == 1;
        let is_row = figure.meanings[bone].part == Part::Spine;
        if let Some(name) = by_anatomy[body].as_ref().filter(|name| is_row || is_single(name)) {
            return name.clone().into_bytes();
        }
        let name = content.model.skeleton.names()[bone].as_bytes();
        match name.is_empty() {
            true => format!("bone{}", bone + 1).into_bytes(),
            // Commands name bodies without quotes.
            false => name.iter().map(|&byte| if byte <= b' ' || byte == b'"' { b'_' } else { byte }).collect(),
        }
    };
    (0..figure.tree.limbs.len()).map(|body| unique(&name(body), &mut used)).collect()
}

/// Returns the name that anatomy gives the body of a bone: "upper_arm_l".
fn anatomical_name(figure: &Figure, bone: usize) -> Option<String> {
    let meaning = &figure.meanings[bone];
    Some(format!("{}{}", meaning.part.body()?, side(meaning.side)))
}

/// Returns the end of a name for a side.
fn side(side: Option<Side>) -> &'static str {
    match side {
        Some(Side::Left) => "_l",
        Some(Side::Right) => "_r",
        None => "",
    }
}

/// Returns a name with at most [`Doll::MAX_NAME`] bytes that is not used yet.
fn unique(name: &[u8], used: &mut HashSet<Name>) -> Name {
    let mut number = 1;
    loop {
        let end = if number == 1 { String::new() } else { format!("_{number}") };
        let kept = &name[..name.len().min(Doll::MAX_NAME - end.len())];
        let candidate = Name::new(&[kept, end.as_bytes()].concat());
        if used.insert(candidate.clone()) {
            return candidate;
        }
        number += 1;
    }
}

/// Lines with comments.
#[derive(Default)]
struct Page {
    text: Text,
}

impl Page {
    fn blank(&mut self) {
        self.text.end();
    }

    /// Adds a line of comment.
    fn remark(&mut self, comment: &str) {
        self.text.words("//").words(comment).end();
    }

    fn line(&mut self, directive: &str, comment: &str) {
        self.text.words(directive);
        if !comment.is_empty() {
            self.comment(comment);
        }
        self.text.end();
    }

    fn comment(&mut self, comment: &str) {
        self.text.words("//").words(comment);
    }
}

/// Returns the beginning of a name or of a note for a comment.
fn shown(name: impl ToString) -> String {
    name.to_string().chars().take(120).collect()
}

/// Returns the smallest rotation that turns a shape like another one.
fn nearest_turn(shape: Shape, turn: Quat) -> Quat {
    if shape == Shape::Capsule {
        let along = turn * Vec3::Z;
        let along = if along.z < -1e-3 { -along } else { along };
        return Quat::from_rotation_arc(Vec3::Z, along.normalize_or(Vec3::Z));
    }
    let same = [Quat::IDENTITY, half_turn(Vec3::X), half_turn(Vec3::Y), half_turn(Vec3::Z)].map(|half| turn * half);
    same.into_iter().reduce(|a, b| if b.w.abs() > a.w.abs() + 1e-3 { b } else { a }).unwrap_or(turn)
}

/// Returns the angles of a rotation as an `offset` has them: pitch, yaw and roll in whole degrees.
fn angles(turn: Quat) -> [f32; 3] {
    let (forward, left, up) = (turn * Vec3::X, turn * Vec3::Y, turn * Vec3::Z);
    let angle = |y: f32, x: f32| atan2(f64::from(y), f64::from(x)).to_degrees().round() as f32 + 0.0;
    let flat = forward.truncate().length();
    let pitch = angle(-forward.z, flat);
    if flat < 1e-3 {
        // Looking straight up or down, yaw and roll turn about the same axis.
        return [pitch, angle(-left.x, left.y), 0.0];
    }
    [pitch, angle(forward.y, forward.x), angle(left.z, up.z)]
}

/// Returns a number with two significant digits.
pub(super) fn two_digits(value: f32) -> String {
    rounded(f64::from(value), 2)
}

/// Returns a stop, which is a multiple of 0.01.
fn number_of(stop: f32) -> String {
    trimmed(format!("{stop:.2}"))
}

fn rounded(value: f64, digits: i32) -> String {
    let mut decimals = digits - 1;
    let mut scale = value.abs();
    while scale >= 10.0 && decimals > -12 {
        (scale, decimals) = (scale / 10.0, decimals - 1);
    }
    while scale < 1.0 && scale > 0.0 && decimals < 8 {
        (scale, decimals) = (scale * 10.0, decimals + 1);
    }
    if decimals < 0 {
        let unit = 10f64.powi(-decimals);
        return format!("{:.0}", (value / unit).round() * unit);
    }
    trimmed(format!("{value:.*}", decimals.unsigned_abs() as usize))
}

/// Returns a numeral without zeros at its end.
fn trimmed(numeral: String) -> String {
    let short = if numeral.contains('.') { numeral.trim_end_matches('0').trim_end_matches('.') } else { &numeral };
    if short == "-0" { "0".to_owned() } else { short.to_owned() }
}

/// Precision of lengths, about a 500th of the model.
#[derive(Clone, Copy)]
struct Unit {
    decimals: usize,
}

impl Unit {
    fn of(size: f32) -> Self {
        let mut decimals = 0;
        let mut least = size / 500.0;
        while least < 1.0 && decimals < 8 {
            (least, decimals) = (least * 10.0, decimals + 1);
        }
        Self { decimals }
    }

    /// Returns the coordinates of a place.
    fn place(self, place: Vec3) -> String {
        place.to_array().map(|value| trimmed(format!("{value:.*}", self.decimals))).join(" ")
    }

    /// Returns a size, which has two digits at least.
    fn size(self, size: f32) -> String {
        let least = 20.0 * 0.1_f32.powi(self.decimals as i32);
        if size < least { two_digits(size) } else { trimmed(format!("{size:.*}", self.decimals)) }
    }
}

/// Returns a direction.
fn unit(direction: Vec3) -> String {
    direction.to_array().map(|value| trimmed(format!("{value:.2}"))).join(" ")
}
