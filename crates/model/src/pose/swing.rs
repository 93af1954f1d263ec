//! Springs that swing the bones of a pose for a frame.

use glam::{Affine3A, Mat3A, Vec3A};

use super::spring::{Capsule, MAX_COLLIDERS, Spring, SpringState, Tip};
use super::spring_motion::{Numbers, Pendulum, Step};
use super::{Chain, PosingError, bone_in_model_space};
use crate::math::Mat3x4;

/// Length of a chain over that of the shortest bone that swings.
const SHORTEST_SHARE: f32 = 1000.0;

/// Number of bones of a short chain.
const SHORT: usize = 8;

/// Seconds beyond which a spring begins anew, as nobody saw what happened meanwhile.
const GAP: f32 = 0.5;

/// Swings the bones of a spring for a frame of some seconds.
///
/// `local` holds the animated pose in local space, `entity` is the matrix from model space to world space. Each bone is
/// a pendulum, whose rest is its direction in the animation as the entity carries it, turned by a share of the swing of
/// the bone above, which is pulled back in turn. It lags as the start of the chain gets faster and as the animated
/// direction turns. On the way from the last frame's pose to this one's, the motion of each spring is the exact one;
/// gravity and the share are impulses before and after it, in several parts of a long frame. Then limits and colliders
/// hold the bones, in the order from the start to the end.
///
/// With 0 seconds nothing moves. After more than half a second, after a jump beyond `teleport` and with the state of
/// another chain, the spring begins anew in the pose, with the speed of the entity.
///
/// ```
/// use skelobj::math::{Mat3x4, Vec3};
/// use skelobj::pose::{self, Spring, SpringState};
/// let mannequin = skelobj::assets::mannequin();
/// let skeleton = &mannequin.skeleton;
/// let (arm, mut state) = (Spring::parse(skeleton, "upperarm_l, hand_l")?, SpringState::default());
/// let mut local = Vec::new();
/// for frame in 0..10 {
///     let entity = Mat3x4::from_translation(Vec3::X * (0.5 * (frame * frame) as f32)); // starts to run
///     local = skeleton.bind_local().to_vec();
///     pose::swing(skeleton.parents(), &mut local, &arm, &mut state, &entity, 1.0 / 60.0)?;
/// }
/// assert_ne!(local[14], skeleton.bind_local()[14]); // the arm lags
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`PosingError::NoSuchBone`] and [`PosingError::NotBelow`] if the slices are not those of the spring's skeleton;
/// [`PosingError::Singular`]; [`PosingError::OutOfRange`]. No bone and no state is changed.
pub fn swing(
    parents: &[i32],
    local: &mut [Mat3x4],
    spring: &Spring,
    state: &mut SpringState,
    entity: &Mat3x4,
    seconds: f32,
) -> Result<(), PosingError> {
    spring.check(parents, local, entity, seconds)?;
    let chain = &spring.chain;
    let above = match usize::try_from(parents[chain.start()]) {
        Ok(parent) => *entity * bone_in_model_space(parents, local, parent),
        Err(_) => *entity,
    };
    let mut capsules = [Capsule::default(); MAX_COLLIDERS];
    let capsules = spring.capsules(&mut capsules, |bone| *entity * bone_in_model_space(parents, local, bone));
    // Most chains are short, and filling a long array takes time.
    match chain.bones().count() {
        0..=SHORT => swing_at_most::<SHORT>(local, spring, state, &above, capsules, seconds),
        _ => swing_at_most::<{ Chain::MAX_BONES }>(local, spring, state, &above, capsules, seconds),
    }
}

/// Swings the bones of a spring of at most `MOST` bones below a matrix in world space.
fn swing_at_most<const MOST: usize>(
    local: &mut [Mat3x4],
    spring: &Spring,
    state: &mut SpringState,
    above: &Mat3x4,
    capsules: &[Capsule],
    seconds: f32,
) -> Result<(), PosingError> {
    let chain = &spring.chain;
    let count = chain.bones().count();
    let (mut bones, mut pendulums) = ([Affine3A::IDENTITY; MOST], [Pendulum::default(); MOST]);
    let bones = &mut bones[..count];
    for (own, bone) in bones.iter_mut().zip(chain.bones()) {
        *own = local[bone].into();
    }
    let mut tail = Tail { bones, pendulums: &mut pendulums[..count], end: local[chain.end()].origin().into() };
    tail.swing(spring, state, above, capsules, seconds).map_err(|at| spring.singular(at))?;
    for (own, bone) in bones.iter().zip(chain.bones()) {
        local[bone] = (*own).into();
    }
    Ok(())
}

/// Swings the bones of a spring in model space, and takes along all bones below them.
///
/// A pose that still shows the last swing counts as the one before it. `carriers` is scratch memory.
pub(crate) fn swing_in_model_space(
    parents: &[i32],
    model: &mut [Mat3x4],
    carriers: &mut Vec<Option<u8>>,
    spring: &Spring,
    state: &mut SpringState,
    entity: &Mat3x4,
    seconds: f32,
) -> Result<(), PosingError> {
    spring.check(parents, model, entity, seconds)?;
    let chain = &spring.chain;
    let parent = usize::try_from(parents[chain.start()]).ok().map(|parent| model[parent]);
    let above = parent.map_or(*entity, |parent| *entity * parent);
    let mut capsules = [Capsule::default(); MAX_COLLIDERS];
    let capsules = spring.capsules(&mut capsules, |bone| *entity * model[bone]);
    // The bones of the chain and its end relative to the bones above them, and what takes a place on each to its new one.
    let count = chain.bones().count();
    let mut relative = [Mat3x4::IDENTITY; Chain::MAX_BONES + 1];
    let mut moves = [Mat3x4::IDENTITY; Chain::MAX_BONES];
    let mut into_above = match parent {
        Some(parent) => parent.inverse().ok_or(spring.singular(0))?,
        None => Mat3x4::IDENTITY,
    };
    for (at, bone) in chain.bones().enumerate() {
        relative[at] = into_above * model[bone];
        into_above = model[bone].inverse().ok_or(spring.singular(at))?;
        moves[at] = into_above;
    }
    relative[count] = into_above * model[chain.end()];
    let (bones, end) = relative.split_at_mut(count);
    let is_shown =
        state.kept.len() == count && bones.iter().zip(&state.kept).all(|(own, [_, shown])| is_near(own, shown));
    if is_shown {
        bones.iter_mut().zip(&state.kept).for_each(|(own, [before, _])| *own = *before);
    }
    let mut before = [Mat3x4::IDENTITY; Chain::MAX_BONES];
    before[..count].copy_from_slice(bones);
    let mut swung = [Affine3A::IDENTITY; Chain::MAX_BONES];
    swung.iter_mut().zip(&*bones).for_each(|(swung, own)| *swung = (*own).into());
    let mut pendulums = [Pendulum::default(); Chain::MAX_BONES];
    let (swung, pendulums) = (&mut swung[..count], &mut pendulums[..count]);
    let mut tail = Tail { bones: swung, pendulums, end: end[0].origin().into() };
    tail.swing(spring, state, &above, capsules, seconds).map_err(|at| spring.singular(at))?;
    bones.iter_mut().zip(swung.iter()).for_each(|(own, swung)| *own = (*swung).into());
    state.kept.clear();
    state.kept.extend(before.iter().zip(bones.iter()).map(|(before, shown)| [*before, *shown]));
    let mut whole = parent.unwrap_or(Mat3x4::IDENTITY);
    for (own, to_new) in bones.iter().zip(&mut moves) {
        whole = whole * *own;
        *to_new = whole * *to_new;
    }
    // Place in the chain of the bone that carries each bone; parents come before their children.
    carriers.clear();
    let mut own = chain.bones().enumerate().peekable();
    for (bone, matrix) in model.iter_mut().enumerate().skip(chain.start()) {
        let carrier = match own.next_if(|(_, own)| *own == bone) {
            Some((at, _)) => Some(at as u8),
            None => {
                let parent = usize::try_from(parents[bone]).ok().and_then(|parent| parent.checked_sub(chain.start()));
                debug_assert!(parent.is_none_or(|parent| parent < carriers.len()), "parents stand before children");
                parent.and_then(|parent| carriers[parent])
            }
        };
        carriers.push(carrier);
        if let Some(at) = carrier {
            *matrix = moves[usize::from(at)] * *matrix;
        }
    }
    Ok(())
}

/// Returns `true` for matrices that differ by rounding errors only.
fn is_near(a: &Mat3x4, b: &Mat3x4) -> bool {
    a.0.iter().zip(&b.0).all(|(a, b)| (a - b).abs() <= 1e-4 * (1.0 + b.abs()))
}

/// Bones of a spring in local space, a pendulum for each, and the place of the end on the last of them.
struct Tail<'a> {
    bones: &'a mut [Affine3A],
    pendulums: &'a mut [Pendulum],
    end: Vec3A,
}

impl Tail<'_> {
    /// Swings the bones below a matrix in world space. On error, returns the place of the bone in the chain.
    fn swing(
        &mut self,
        spring: &Spring,
        state: &mut SpringState,
        above: &Mat3x4,
        capsules: &[Capsule],
        seconds: f32,
    ) -> Result<(), usize> {
        let Self { bones: own, pendulums, end } = self;
        let (count, end) = (own.len(), *end);
        debug_assert!(count > 0 && count == pendulums.len(), "each bone of a chain is a pendulum");
        let above = Affine3A::from(*above);
        let (mut length, mut squares) = (0.0, 0.0);
        let mut rigid = above.matrix3;
        for (at, bone) in pendulums.iter_mut().enumerate() {
            rigid *= own[at].matrix3;
            let way = rigid * own.get(at + 1).map_or(end, |next| next.translation);
            let square = way.length_squared();
            let is_usable = is_regular(&rigid) && square < f32::INFINITY;
            if !is_usable {
                return Err(at);
            }
            // A bone without a length has no direction, and does not swing.
            (bone.length, bone.animated) = (0.0, Vec3A::X);
            if square > 0.0 {
                let per_length = 1.0 / square.sqrt();
                bone.length = square * per_length;
                bone.animated = way * per_length;
            }
            bone.lever = 2.0 * length + bone.length;
            length += bone.length;
            squares += square;
        }
        // A pull bends a chain evenly, and moves its end by up to half as far again as that of one bone of its length.
        let per_square = if length > 0.0 { 1.0 / (length * length) } else { 0.0 };
        let per_square = per_square * (1.5 - 0.5 * squares * per_square);
        let mut lever = 0f32;
        for bone in pendulums.iter_mut() {
            // What rounding leaves of a bone without a length points anywhere.
            let swings = bone.length * SHORTEST_SHARE > length;
            bone.lever = if swings { bone.lever * per_square } else { 0.0 };
            lever = lever.max(bone.lever);
        }
        let start = above.transform_point3a(own[0].translation);
        let expected = state.start + state.speed.unwrap_or(Vec3A::ZERO) * seconds;
        let teleport = spring.teleport * length;
        let has_jumped =
            teleport > 0.0 && state.speed.is_some() && start.distance_squared(expected) > teleport * teleport;
        let is_known = seconds <= GAP && !has_jumped && state.tips.len() == count;
        let Some(per_second) = is_known.then(|| state.advance(spring, pendulums, start, lever, seconds)).flatten()
        else {
            state.begin(pendulums, start);
            return Ok(());
        };
        let mut whole = above;
        for (at, bone) in pendulums.iter_mut().enumerate() {
            if capsules.is_empty() {
                whole.matrix3 *= own[at].matrix3;
            } else {
                whole *= own[at];
                if bone.lever > 0.0 {
                    spring.hold_out(bone, &whole, capsules);
                }
            }
            let shown = if spring.weight < 1.0 { bone.direction(spring.weight) } else { bone.along };
            let end = own.get(at + 1).map_or(end, |next| next.translation);
            if let Some(turn) = Turn::new(end, into_own(&whole.matrix3, shown)) {
                whole.matrix3 = turn.after(&whole.matrix3);
                own[at].matrix3 = turn.after(&own[at].matrix3);
            }
        }
        for (tip, bone) in state.tips.iter_mut().zip(pendulums.iter()) {
            let velocity = bone.velocity + bone.turned * per_second;
            *tip = Tip { animated: bone.animated, along: bone.along, velocity };
        }
        Ok(())
    }
}

impl SpringState {
    /// Begins anew in a pose, at the speed of the next frame.
    fn begin(&mut self, bones: &[Pendulum], start: Vec3A) {
        self.tips.clear();
        let begun = |bone: &Pendulum| Tip { animated: bone.animated, along: bone.animated, velocity: Vec3A::ZERO };
        self.tips.extend(bones.iter().map(begun));
        (self.start, self.speed) = (start, None);
    }

    /// Moves the bones on from the last frame, and returns the frames per second, or 0 without a frame; `None` for
    /// numbers of a snapshot that was tampered with.
    fn advance(
        &mut self,
        spring: &Spring,
        bones: &mut [Pendulum],
        start: Vec3A,
        lever: f32,
        seconds: f32,
    ) -> Option<f32> {
        let (mut speed, mut per_second) = (self.speed, 0.0);
        if seconds > 0.0 {
            let numbers = Numbers {
                frequency: 2.0 * std::f64::consts::PI * f64::from(spring.frequency),
                damping: spring.damping.into(),
                share: spring.share,
                gravity: spring.gravity.into(),
            };
            let step = Step::new(&numbers, seconds, lever);
            per_second = 1.0 / step.seconds;
            // The entity moves in the time of the frame, of which the swing may take a part only.
            let new = (start - self.start) * (1.0 / seconds);
            for (bone, tip) in bones.iter_mut().zip(&self.tips) {
                bone.velocity = tip.velocity;
                bone.carry(tip.animated, tip.along);
            }
            step.advance(&numbers, bones, self.speed.map(|old| new - old));
            speed = Some(new);
        } else {
            for (bone, tip) in bones.iter_mut().zip(&self.tips) {
                bone.velocity = tip.velocity;
                bone.turn_along(tip.animated, tip.along);
            }
        }
        let mut sum = speed.unwrap_or(Vec3A::ZERO);
        for bone in bones.iter_mut() {
            bone.hold(spring.limit);
            bone.along = bone.direction(1.0);
            sum += bone.along + bone.velocity;
        }
        if !sum.is_finite() {
            return None;
        }
        (self.start, self.speed) = (start, speed);
        Some(per_second)
    }
}

/// Cosine at which directions count as opposite.
const LEAST_COSINE: f32 = 1e-6 - 1.0;

/// The shortest turn from a direction to another, as `c v + s x v + s (s . v) / (1 + c)`.
struct Turn {
    sine: Vec3A,
    cosine: f32,
}

impl Turn {
    /// Returns `None` if one of the directions, which need not be of length 1, is 0.
    #[inline(always)]
    fn new(from: Vec3A, to: Vec3A) -> Option<Self> {
        let sizes = from.length_squared() * to.length_squared();
        let is_usable = sizes > 0.0 && sizes < f32::INFINITY;
        if !is_usable {
            return None;
        }
        let scale = 1.0 / sizes.sqrt();
        let cosine = from.dot(to) * scale;
        if cosine > LEAST_COSINE {
            return Some(Self { sine: from.cross(to) * scale, cosine });
        }
        let sine = (1.0 - LEAST_COSINE * LEAST_COSINE).sqrt();
        let across = from.any_orthogonal_vector();
        Some(Self { sine: across * (sine / across.length()), cosine: LEAST_COSINE })
    }

    /// Returns axes that are turned before they are applied.
    #[inline(always)]
    fn after(&self, axes: &Mat3A) -> Mat3A {
        let Self { sine, cosine } = *self;
        let part = 1.0 / (1.0 + cosine);
        let [x, y, z] = [axes.x_axis, axes.y_axis, axes.z_axis];
        let along = (x * sine.x + y * sine.y + z * sine.z) * part;
        Mat3A::from_cols(
            x * cosine + along * sine.x + y * sine.z - z * sine.y,
            y * cosine + along * sine.y + z * sine.x - x * sine.z,
            z * cosine + along * sine.z + x * sine.y - y * sine.x,
        )
    }
}

/// Smallest square of the sine between an axis and the plane of the others with which a matrix has an inverse.
const FLAT: f32 = 1e-10;

#[inline(always)]
fn is_regular(axes: &Mat3A) -> bool {
    let across = axes.y_axis.cross(axes.z_axis);
    let determinant = axes.x_axis.dot(across);
    let sizes = axes.x_axis.length_squared() * across.length_squared();
    determinant * determinant > FLAT * sizes && sizes < f32::INFINITY
}

/// Returns the direction that the axes of a bone take to a direction, not normalised.
#[inline(always)]
fn into_own(axes: &Mat3A, direction: Vec3A) -> Vec3A {
    let [x, y, z] = [axes.x_axis, axes.y_axis, axes.z_axis];
    // The rows of an inverse are the cross products of the columns, over the determinant.
    let first = y.cross(z);
    let rows = Mat3A::from_cols(first, z.cross(x), x.cross(y));
    rows.transpose() * direction * 1f32.copysign(x.dot(first))
}
