//! Skins with holes, as shadows see them: a triangle with a texture that is transparent in places casts the shadow of
//! its opaque parts.

use super::shell::Shell;
use super::skin::{Face, Surfaces};
use super::texture::Texture;

/// Maximum number of parts of all triangles with holes.
const MAX_PARTS: usize = 1 << 15;
/// Maximum number of parts along a side of a triangle.
const FINEST: usize = 16;

/// Returns the triangles of surfaces without the parts at which their textures are transparent; `None` if all textures
/// are opaque.
pub fn pierced(surfaces: &Surfaces) -> Option<Shell> {
    let texture = |face: &Face| {
        let texture = surfaces.textures.get(face.texture? as usize)?;
        texture.has_holes().then_some(&**texture)
    };
    let count = surfaces.faces.iter().filter(|face| texture(face).is_some()).count();
    let share = MAX_PARTS.checked_div(count)?;
    let sides = ((share as f32).sqrt() as usize).clamp(1, FINEST);
    let mut shell = Shell { points: surfaces.shell.points.clone(), triangles: Vec::new() };
    for (face, triangle) in surfaces.faces.iter().zip(&surfaces.shell.triangles) {
        match texture(face) {
            None => shell.triangles.push(*triangle),
            Some(texture) => pierce(face, texture, sides, &mut shell),
        }
    }
    Some(shell)
}

/// Adds the opaque parts of a triangle that is cut into `sides` times `sides` parts.
fn pierce(face: &Face, texture: &Texture, sides: usize, shell: &mut Shell) {
    let [a, b, c] = face.corners.map(|corner| corner.place);
    let step = 1.0 / sides as f32;
    for row in 0..sides {
        for column in 0..sides - row {
            let (x, y) = (column as f32, row as f32);
            let upright = [[x, y], [x + 1.0, y], [x, y + 1.0]];
            let inverted = [[x + 1.0, y], [x + 1.0, y + 1.0], [x, y + 1.0]];
            let count = if column + row + 1 < sides { 2 } else { 1 };
            for part in [upright, inverted].into_iter().take(count) {
                let corners = part.map(|corner| corner.map(|at| at * step));
                let middle = [0, 1].map(|axis| corners.iter().map(|corner| corner[axis]).sum::<f32>() / 3.0);
                if texture.at(face.texcoord(middle), 1.0).1 > 0.5 {
                    shell.triangle(corners.map(|[wb, wc]| a + (b - a) * wb + (c - a) * wc));
                }
            }
        }
    }
}
