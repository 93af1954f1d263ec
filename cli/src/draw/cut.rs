//! Parts of a level that are shown, so that nothing hides the motion in it.

use skelobj::math::Vec3;

use super::camera::Camera;

/// Least height of a floor that is cut above a point, in radii of the motion and at most in units, less than a step of
/// stairs: feet that are a little below their floor do not cut it.
const BELOW: (f32, f32) = (0.1, 8.0);
/// Share of a motion's points that floors hide where they are cut: less is a limb behind the edge of a step.
const HIDDEN: f32 = 0.1;
/// Maximum number of points that are looked for behind floors.
const MAX_SIGHTS: usize = 256;
/// Distance around a motion to which a level is written beside it, radii of the motion.
const AROUND: f32 = 3.0;

/// Returns the triangles of a level that face the camera, without the walls in front of a motion and the floors between
/// the camera and points of the motion below them.
pub fn shown(level: &[[Vec3; 3]], camera: &Camera, motion: &[Vec3]) -> Vec<[Vec3; 3]> {
    let eye = camera.position();
    let before = camera.distance(camera.centre) - camera.radius;
    let below = (camera.radius * BELOW.0).min(BELOW.1);
    // For each height, the farthest way of sight to a point up to there, for each unit that it goes down.
    let mut sights: Vec<[f32; 2]> = motion
        .iter()
        .filter(|point| point.is_finite() && point.z < eye.z)
        .map(|point| [point.z, camera.distance(*point) / (eye.z - point.z)])
        .collect();
    sights.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let mut farthest = f32::MIN;
    for [_, way] in &mut sights {
        farthest = farthest.max(*way);
        *way = farthest;
    }
    let floors: Vec<&[Vec3; 3]> = level.iter().filter(|triangle| is_floor(triangle)).collect();
    let few: Vec<Vec3> = motion.iter().copied().step_by(motion.len().div_ceil(MAX_SIGHTS).max(1)).collect();
    let is_hidden = |point: &&Vec3| floors.iter().any(|floor| hides(floor, eye, **point, below));
    let is_buried = few.iter().filter(is_hidden).count() as f32 > few.len() as f32 * HIDDEN;
    let start = |triangle: &[Vec3; 3]| {
        if !is_floor(triangle) {
            return before;
        }
        let [a, b, c] = triangle;
        let height = (a.z + b.z + c.z) / 3.0;
        let hidden = sights.partition_point(|[point, _]| *point < height - below);
        let last = hidden.checked_sub(1).filter(|_| is_buried);
        last.map_or(0.0, |last| sights[last][1] * (eye.z - height) + below)
    };
    let faces = |[a, b, c]: &[Vec3; 3]| (*b - *a).cross(*c - *a).dot(eye - *a) > 0.0;
    let shown = level.iter().filter(|triangle| faces(triangle));
    shown.flat_map(|triangle| camera.clipped(*triangle, start(triangle))).collect()
}

/// Returns `true` for a triangle that faces up.
fn is_floor([a, b, c]: &[Vec3; 3]) -> bool {
    (*b - *a).cross(*c - *a).normalize_or_zero().z > 0.7
}

/// Returns `true` if a floor is between the eye and a point that is lower than it by more than `below`.
fn hides([a, b, c]: &[Vec3; 3], eye: Vec3, point: Vec3, below: f32) -> bool {
    let height = (a.z + b.z + c.z) / 3.0;
    let place = eye + (point - eye) * ((eye.z - height) / (eye.z - point.z));
    let is_inside = |[from, to]: [&Vec3; 2]| (*to - *from).with_z(0.0).cross(place - *from).z >= 0.0;
    (point.z..eye.z).contains(&(height - below)) && [[a, b], [b, c], [c, a]].into_iter().all(is_inside)
}

/// Returns the parts of a level around a motion and not above it, for viewers that look at all of a file from above.
pub fn around(level: &[[Vec3; 3]], motion: impl Iterator<Item = Vec3>) -> Vec<[Vec3; 3]> {
    let points = motion.filter(|point| point.is_finite()).map(|point| (point, point));
    let Some((low, high)) = points.reduce(|(low, high), (point, _)| (low.min(point), high.max(point))) else {
        return level.to_vec();
    };
    let reach = (high - low).max_element() * 0.5 * AROUND;
    let (low, high) = (low - reach, (high + reach).with_z(high.z));
    level.iter().flat_map(|triangle| inside(triangle, low, high)).collect()
}

/// Returns the part of a triangle inside a box, as triangles.
fn inside(triangle: &[Vec3; 3], low: Vec3, high: Vec3) -> Vec<[Vec3; 3]> {
    let mut corners = triangle.to_vec();
    for axis in 0..3 {
        corners = clipped(&corners, |corner| corner[axis] - low[axis]);
        corners = clipped(&corners, |corner| high[axis] - corner[axis]);
    }
    (2..corners.len()).map(|last| [corners[0], corners[last - 1], corners[last]]).collect()
}

/// Returns the part of a convex polygon at which a distance is not negative.
pub fn clipped(corners: &[Vec3], distance: impl Fn(Vec3) -> f32) -> Vec<Vec3> {
    let mut kept = Vec::with_capacity(corners.len() + 1);
    for (number, from) in corners.iter().enumerate() {
        let to = corners[(number + 1) % corners.len()];
        let [here, there] = [distance(*from), distance(to)];
        if here >= 0.0 {
            kept.push(*from);
        }
        if (here >= 0.0) != (there >= 0.0) {
            kept.push(*from + (to - *from) * (here / (here - there)));
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a number from -1 to 1.
    fn random(state: &mut u32) -> f32 {
        *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (*state >> 8) as f32 / (1 << 23) as f32 - 1.0
    }

    fn points(count: usize, reach: f32, state: &mut u32) -> Vec<Vec3> {
        (0..count).map(|_| Vec3::new(random(state), random(state), random(state)) * reach).collect()
    }

    /// Returns a level triangle that faces up.
    fn floor(height: f32, state: &mut u32) -> [Vec3; 3] {
        let [a, b, c] = [0; 3].map(|_| (Vec3::new(random(state), random(state), 0.0) * 400.0).with_z(height));
        if (b - a).cross(c - a).z > 0.0 { [a, b, c] } else { [a, c, b] }
    }

    fn area(triangles: &[[Vec3; 3]]) -> f32 {
        triangles.iter().map(|[a, b, c]| (*b - *a).cross(*c - *a).length()).sum()
    }

    /// Returns `true` if a triangle at a height covers a point by more than its edge.
    fn covers([a, b, c]: &[Vec3; 3], at: Vec3) -> bool {
        [[a, b], [b, c], [c, a]].iter().all(|[from, to]| (**to - **from).cross(at - **from).z > 1.0)
    }

    #[test]
    fn no_floor_is_between_the_camera_and_a_point_below_it() {
        let (mut cut, mut kept) = (0, 0);
        for seed in 0..2000 {
            let state = &mut (seed * 7919);
            let reach = 60.0 + 40.0 * random(state);
            let motion = points(12, reach, state);
            let camera = Camera::aimed_at(motion.iter().copied(), &crate::draw::Stage::default()).expect("points");
            let floor = floor(random(state) * 150.0, state);
            let eye = camera.position();
            let shown = shown(&[floor], &camera, &motion);
            let height = floor[0].z;
            let buried = motion.iter().filter(|point| hides(&floor, eye, **point, BELOW.1)).count();
            if height < eye.z && (buried == 0 || buried as f32 > motion.len() as f32 * HIDDEN) {
                let is_below = |point: &&Vec3| point.z < height - BELOW.1;
                for point in motion.iter().filter(is_below) {
                    let crossing = eye + (*point - eye) * ((eye.z - height) / (eye.z - point.z));
                    assert!(!shown.iter().any(|triangle| covers(triangle, crossing)), "{seed}: {crossing}");
                }
                if motion.iter().all(|point| point.z >= height) {
                    let whole: Vec<[Vec3; 3]> = camera.clipped(floor, 0.0).collect();
                    assert_eq!(area(&shown), area(&whole), "{seed}: nothing is below");
                    kept += 1;
                } else if area(&shown) < area(&[floor]) {
                    cut += 1;
                }
            } else if height >= eye.z {
                assert!(shown.is_empty(), "{seed}: it is seen from below");
            }
        }
        assert!(cut > 300 && kept > 100, "{cut}, {kept}");
    }

    #[test]
    fn a_level_is_kept_around_a_motion_and_below_its_top() {
        for seed in 0..500 {
            let state = &mut (seed * 104_729);
            let motion = points(8, 30.0, state);
            let triangle = [0; 3].map(|_| points(1, 300.0, state)[0]);
            let top = motion.iter().map(|point| point.z).fold(f32::MIN, f32::max);
            let around = around(&[triangle], motion.iter().copied());
            for corner in around.as_flattened() {
                let outside =
                    motion.iter().map(|point| (*corner - *point).abs().max_element()).fold(f32::MAX, f32::min);
                assert!(corner.z <= top + 1e-3 && outside <= 60.0 * AROUND, "{seed}: {corner}");
            }
            let inside = triangle.map(|corner| corner * 0.05);
            let low: Vec<[Vec3; 3]> = vec![inside.map(|corner| corner.with_z(top.min(corner.z)))];
            let kept = super::around(&low, motion.iter().copied());
            assert!((area(&kept) - area(&low)).abs() < 1e-2 * area(&low).max(1.0), "{seed}");
        }
    }
}
