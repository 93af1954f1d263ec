//! Extension lump BRUSHLIST: brushes for formats that have none.

use std::ops::Range;

use glam::Vec3;

use super::brush::{MAX_SIDES, corners};
use super::bsp_tree::Plane;
use super::lump::Record;
use crate::level::allowance::Allowance;
use crate::limits::LimitExceeded;

/// Contents of brushes that only players collide with.
const CLIP: [i16; 2] = [-8, -18];

/// Returns the clip brushes of each model as corner points; `None` if the lump is faulty.
pub(super) fn clip_brushes(
    mut bytes: &[u8],
    models: usize,
    allowance: &mut Allowance,
) -> Result<Option<Vec<Vec<Vec<Vec3>>>>, LimitExceeded> {
    let mut clip = vec![Vec::new(); models];
    while !bytes.is_empty() {
        let Some((model, brushes)) = header(&mut bytes) else { return Ok(None) };
        let Some(into) = clip.get_mut(model) else { return Ok(None) };
        for _ in 0..brushes {
            let Some((contents, planes)) = brush(&mut bytes) else { return Ok(None) };
            if CLIP.contains(&contents) {
                if planes.len() > 6 + MAX_SIDES || planes.iter().any(|plane| !is_sound(plane)) {
                    return Ok(None);
                }
                into.extend(corners(&planes, allowance)?);
            }
        }
    }
    Ok(Some(clip))
}

/// Returns the model that brushes belong to, and their number.
fn header(bytes: &mut &[u8]) -> Option<(usize, u32)> {
    let header = Record(take(bytes, 16)?);
    (header.u32(0) == 1).then(|| (header.u32(4) as usize, header.u32(8)))
}

/// Returns the contents and planes of a brush: the planes of its box, and its own.
fn brush(bytes: &mut &[u8]) -> Option<(i16, Vec<Plane>)> {
    let brush = Record(take(bytes, 28)?);
    let (mins, maxs) = (brush.vec3(0), brush.vec3(12));
    let (contents, count) = (brush.u16(24) as i16, usize::from(brush.u16(26)));
    let own = take(bytes, 16 * count)?;
    let mut planes = Vec::with_capacity(6 + count);
    for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
        planes.push(Plane { normal: axis, distance: maxs.dot(axis) });
        planes.push(Plane { normal: -axis, distance: -mins.dot(axis) });
    }
    planes.extend(own.chunks_exact(16).map(Record).map(|r| Plane { normal: r.vec3(0), distance: r.f32(12) }));
    Some((contents, planes))
}

fn is_sound(plane: &Plane) -> bool {
    plane.distance.abs() <= 4.0 * crate::out_of_range::FARTHEST && (plane.normal.length() - 1.0).abs() < 1e-2
}

fn take<'a>(bytes: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    let (taken, rest) = bytes.split_at_checked(count)?;
    *bytes = rest;
    Some(taken)
}

/// Returns the byte range of an extension lump by its name; extension lumps follow the last lump.
pub(super) fn extension(file: &[u8], end_of_lumps: usize, name: &str) -> Option<Range<usize>> {
    let start = end_of_lumps.checked_next_multiple_of(4)?;
    let rest = file.get(start..)?.strip_prefix(b"BSPX")?;
    let count = Record(rest).u32(0) as usize;
    let entry = rest.get(4..)?.chunks_exact(32).take(count).map(Record).find(|entry| {
        let stored = entry.0.get(..24).unwrap_or_default();
        stored.split(|&byte| byte == 0).next() == Some(name.as_bytes())
    })?;
    let (offset, length) = (entry.u32(24) as usize, entry.u32(28) as usize);
    Some(offset..offset.saturating_add(length))
}
