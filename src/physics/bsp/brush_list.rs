//! The extension lump BRUSHLIST: brushes for formats that have none.

use glam::Vec3;

use super::brush::{MAX_SIDES, corners};
use super::lump::Record;
use super::tree::Plane;

/// Contents of brushes that only players collide with.
const CLIP: [i16; 2] = [-8, -18];

/// The most corners that are kept in all, and the most cuts that are made for them.
const MAX_CUTS: usize = 1 << 24;

/// The clip brushes of each model as corner points; `None` if the lump is faulty.
pub(super) fn clip_brushes(mut bytes: &[u8], models: usize) -> Option<Vec<Vec<Vec<Vec3>>>> {
    let mut clip = vec![Vec::new(); models];
    let mut cuts = MAX_CUTS;
    while !bytes.is_empty() {
        let header = Record(take(&mut bytes, 16)?);
        let (version, model, brushes) = (header.u32(0), header.u32(4) as usize, header.u32(8));
        if version != 1 {
            return None;
        }
        let into = clip.get_mut(model)?;
        for _ in 0..brushes {
            let brush = Record(take(&mut bytes, 28)?);
            let (mins, maxs) = (brush.vec3(0), brush.vec3(12));
            let (contents, count) = (brush.u16(24) as i16, usize::from(brush.u16(26)));
            let own = take(&mut bytes, 16 * count)?;
            if !CLIP.contains(&contents) {
                continue;
            }
            let mut planes = Vec::with_capacity(6 + count);
            for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
                planes.push(Plane { normal: axis, distance: maxs.dot(axis) });
                planes.push(Plane { normal: -axis, distance: -mins.dot(axis) });
            }
            planes.extend(own.chunks_exact(16).map(Record).map(|r| Plane { normal: r.vec3(0), distance: r.f32(12) }));
            cuts = cuts.checked_sub(planes.len() * planes.len())?;
            if count > MAX_SIDES || planes.iter().any(|plane| !is_sound(plane)) {
                return None;
            }
            into.extend(corners(&planes));
        }
    }
    Some(clip)
}

fn is_sound(plane: &Plane) -> bool {
    plane.distance.abs() <= 4.0 * crate::physics::mesh::MAX_COORDINATE && (plane.normal.length() - 1.0).abs() < 1e-2
}

fn take<'a>(bytes: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    let (taken, rest) = bytes.split_at_checked(count)?;
    *bytes = rest;
    Some(taken)
}

/// An extension lump by its name; they stand behind the last lump.
pub(super) fn extension<'a>(file: &'a [u8], end_of_lumps: usize, name: &[u8]) -> Option<Result<&'a [u8], ()>> {
    let start = end_of_lumps.checked_next_multiple_of(4)?;
    let rest = file.get(start..)?.strip_prefix(b"BSPX")?;
    let count = Record(rest).u32(0) as usize;
    let entry = rest.get(4..)?.chunks_exact(32).take(count).map(Record).find(|entry| {
        let stored = entry.0.get(..24).unwrap_or_default();
        stored.split(|&byte| byte == 0).next() == Some(name)
    })?;
    let (offset, length) = (entry.u32(24) as usize, entry.u32(28) as usize);
    let bytes = offset.checked_add(length).and_then(|end| file.get(offset..end));
    Some(bytes.ok_or(()))
}
