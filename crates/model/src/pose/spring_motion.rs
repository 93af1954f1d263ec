//! Motion of a row of pendulums over a frame, each on a damped spring and pulled by its neighbours.
//!
//! Directions turn about the animation's: a swing is the axis of the turn from there times its angle, across the
//! animated direction. All series are own ones, so that every machine gives the same bits.

use std::f32::consts::PI;

use glam::Vec3A;

/// Greatest angle by which gravity and neighbours alone may swing a bone in a part of a frame, radians.
const PART: f64 = 0.25;

/// Greatest number of parts. What is too quick for them swings slower.
const MAX_PARTS: f64 = 64.0;

/// Greatest swing, radians: at half a turn, no axis is left.
const WIDEST: f32 = 3.1;

/// Greatest angle by which the motion of the entity swings a bone in one frame, radians: a stair is a jump.
const JUMP: f32 = 1.0;

/// Numbers of a spring for all of its bones.
pub(super) struct Numbers {
    /// Radians per second.
    pub frequency: f64,
    pub damping: f64,
    pub share: f32,
    pub gravity: Vec3A,
}

/// A bone as a pendulum.
#[derive(Clone, Copy, Default)]
pub(super) struct Pendulum {
    /// Direction in the animation, world space.
    pub animated: Vec3A,
    /// Direction as it swings.
    pub along: Vec3A,
    /// Turn of that direction over the frame.
    pub turned: Vec3A,
    /// Length, world space.
    pub length: f32,
    /// Angular acceleration by an acceleration of 1 across the bone; 0 for a bone that does not swing.
    pub lever: f32,
    /// Turn from the animation: an axis times an angle.
    pub swing: Vec3A,
    /// Angular velocity against the animation.
    pub velocity: Vec3A,
}

/// Motion of a damped spring over a part of a frame: how much of an angle and of an angular velocity is left.
pub(super) struct Step {
    /// Seconds of the frame.
    pub seconds: f32,
    parts: u32,
    angle_of_angle: f32,
    angle_of_velocity: f32,
    velocity_of_angle: f32,
    velocity_of_velocity: f32,
    /// Impulses of an acceleration before and after a part, with which a bone rests where the forces are balanced.
    impulses: [f32; 2],
    /// Stiffness that a bone shares with its neighbour.
    shared: f32,
    stiffness: f32,
    /// Size of the gravity.
    weight: f32,
}

impl Step {
    /// Returns the step of a frame for bones with a greatest lever.
    pub fn new(numbers: &Numbers, seconds: f32, lever: f32) -> Self {
        let (frequency, damping, share) = (numbers.frequency, numbers.damping, f64::from(numbers.share));
        debug_assert!(frequency > 0.0 && (0.0..=1.0).contains(&damping), "the numbers of a spring were checked");
        debug_assert!((0.0..=1.0).contains(&share), "the share of a spring was checked");
        let stiffness = frequency * frequency;
        let weight = numbers.gravity.length();
        let pulled = f64::from(weight * lever) + stiffness * share * (2.0 + share);
        // Without other forces, the motion is exact for any time.
        let most = if pulled > 0.0 { (PART / pulled.sqrt()).min(1.0 / frequency) } else { f64::INFINITY };
        let whole = f64::from(seconds).min(MAX_PARTS * most);
        let parts = (whole / most).ceil().max(1.0);
        let time = whole / parts;
        let swing = frequency * (1.0 - damping * damping).sqrt();
        let (cosine, sine) = exponential([-damping * frequency * time, swing * time]).into();
        // Towards critical damping the sine vanishes with the frequency.
        let sine = if swing * time < 1e-4 { cosine * time } else { sine / swing };
        let angle_of_angle = cosine + damping * frequency * sine;
        let velocity_of_velocity = cosine - damping * frequency * sine;
        // A bone at rest at 1 without velocity comes back to 1 without velocity.
        let before = if pulled > 0.0 { (1.0 - angle_of_angle) / sine } else { 0.0 };
        let impulses =
            [before, stiffness * sine - velocity_of_velocity * before].map(|speed| (speed / stiffness) as f32);
        Self {
            seconds: whole as f32,
            parts: parts as u32,
            angle_of_angle: angle_of_angle as f32,
            angle_of_velocity: sine as f32,
            velocity_of_angle: (-stiffness * sine) as f32,
            velocity_of_velocity: velocity_of_velocity as f32,
            impulses,
            shared: (stiffness * share) as f32,
            stiffness: stiffness as f32,
            weight,
        }
    }

    /// Swings the bones over the frame, in which the start of the chain gets faster by `change`, units per second.
    /// `None` if its speed was unknown: then the bones begin with that of the animation.
    pub fn advance(&self, numbers: &Numbers, bones: &mut [Pendulum], change: Option<Vec3A>) {
        for bone in bones.iter_mut() {
            match change {
                Some(change) => bone.jolt(self, change),
                None => bone.velocity = Vec3A::ZERO,
            }
        }
        for part in 0..self.parts {
            let ahead = |part: u32| part as f32 / self.parts as f32 - 1.0;
            self.pull(numbers, bones, ahead(part), |bone, force| {
                let (angle, velocity) = (bone.swing, bone.velocity + force * self.impulses[0]);
                bone.swing = angle * self.angle_of_angle + velocity * self.angle_of_velocity;
                bone.velocity = angle * self.velocity_of_angle + velocity * self.velocity_of_velocity;
            });
            self.pull(numbers, bones, ahead(part + 1), |bone, force| bone.velocity += force * self.impulses[1]);
        }
    }

    /// Lets the forces on each bone but for its own spring, by the swings before the call, change it; the animation is
    /// `ahead` of the end of the frame, a share of the turn from -1 to 0.
    #[inline(always)]
    fn pull(&self, numbers: &Numbers, bones: &mut [Pendulum], ahead: f32, change: impl Fn(&mut Pendulum, Vec3A)) {
        let (has_gravity, is_shared) = (self.weight > 0.0, self.shared != 0.0);
        let mut above = Vec3A::ZERO;
        let mut rest = bones;
        while let Some((bone, below)) = rest.split_first_mut() {
            let swing = bone.swing;
            let mut force = Vec3A::ZERO;
            if is_shared {
                // Each bone wants a share of the swing above it, and pulls the one above with the same force.
                let apart = |below: &Pendulum| below.swing - below.across(swing) * numbers.share;
                force = bone.across(above + below.first().map_or(Vec3A::ZERO, apart)) * self.shared;
            }
            if has_gravity {
                force += bone.pulled(swing + bone.turned * ahead, numbers.gravity);
            }
            change(bone, force);
            above = swing;
            rest = below;
        }
    }
}

impl Pendulum {
    /// Returns the part of a vector across the animated direction.
    #[inline(always)]
    fn across(&self, vector: Vec3A) -> Vec3A {
        vector - self.animated * self.animated.dot(vector)
    }

    /// Returns the angular acceleration of the bone by an acceleration, at a swing from the animation's new direction:
    /// the gradient of the height, so that no swing gains energy.
    #[inline(always)]
    fn pulled(&self, swing: Vec3A, acceleration: Vec3A) -> Vec3A {
        let [_, sine, slope] = ratios(swing.length_squared());
        let across = self.animated.cross(acceleration);
        let along = slope * swing.dot(across) - sine * self.animated.dot(acceleration);
        (across * sine + swing * along) * self.lever
    }

    /// Lets the start of the chain get faster by `change`, from which the bone lags.
    #[inline(always)]
    fn jolt(&mut self, step: &Step, change: Vec3A) {
        let per_second = 1.0 / step.seconds;
        // The springs stop what is slower within half a turn.
        let fastest = (step.stiffness + step.weight * self.lever) * (PI * PI);
        let kick = self.pulled(self.swing - self.turned, -change);
        let kick = within(kick, fastest.min(JUMP * JUMP * per_second * per_second));
        // The bone has its speed in the world, not that of the animation.
        let turning = self.turned * per_second;
        self.velocity = within(self.across(self.velocity) + kick, fastest) - turning;
    }

    /// Holds the swing within a limit, at which it loses its outward speed.
    #[inline(always)]
    pub fn hold(&mut self, limit: f32) {
        let limit = limit.min(WIDEST);
        let size = self.swing.length_squared();
        if size > limit * limit {
            let out = self.swing * (1.0 / size.sqrt());
            self.swing = out * limit;
            self.velocity -= out * self.velocity.dot(out).max(0.0);
        }
    }

    /// Returns the direction of the bone with a part of its swing.
    #[inline(always)]
    pub fn direction(&self, part: f32) -> Vec3A {
        let swing = self.swing * part;
        let [cosine, sine, _] = ratios(swing.length_squared());
        let direction = self.animated * cosine + swing.cross(self.animated) * sine;
        // The series is off by a rounding error.
        direction * (1.5 - 0.5 * direction.length_squared())
    }

    /// Points the bone in a direction to which something moved it along `out`, without a speed against that.
    pub fn point(&mut self, along: Vec3A, out: Vec3A, limit: f32) {
        let axis = along.cross(out);
        let leverage = axis.length_squared();
        if leverage > 1e-6 {
            self.velocity -= axis * (self.velocity.dot(axis).min(0.0) / leverage);
        }
        self.swing = turn_between(self.animated, along);
        self.hold(limit);
        self.along = self.direction(1.0);
    }

    /// Takes a swing and a velocity of the last frame over to the new direction of the animation.
    #[inline(always)]
    pub fn carry(&mut self, animated: Vec3A, along: Vec3A) {
        self.turned = turn_between(animated, self.animated);
        self.swing = turn_between(self.animated, along) + self.turned;
    }

    /// Turns the swing with the animation, without a frame.
    pub fn turn_along(&mut self, animated: Vec3A, along: Vec3A) {
        self.swing = self.across(turn_between(animated, along));
    }
}

/// Returns a vector, shortened to a length whose square is given.
#[inline(always)]
fn within(vector: Vec3A, most: f32) -> Vec3A {
    let size = vector.length_squared();
    if size > most { vector * (most / size).sqrt() } else { vector }
}

/// Returns the turn from one unit vector to another: its axis times its angle.
#[inline(always)]
pub(super) fn turn_between(from: Vec3A, to: Vec3A) -> Vec3A {
    let (across, cosine) = (from.cross(to), from.dot(to));
    if cosine >= 0.0 {
        return across * angle_over_sine(1.0 - cosine);
    }
    let sine = across.length();
    // Opposite directions have no axis.
    if sine > 1e-6 { across * (PI / sine - angle_over_sine(1.0 + cosine)) } else { from.any_orthonormal_vector() * PI }
}

/// Returns an angle of up to a quarter turn over its sine, from 1 minus its cosine. The error is 2.4e-7.
#[inline(always)]
fn angle_over_sine(versine: f32) -> f32 {
    const TERMS: [f32; 9] = [
        0.012_723_292,
        -0.024_256_019,
        0.032_192_625,
        -0.002_373_610_2,
        0.029_165_696,
        0.056_653_757,
        0.133_357_08,
        0.333_333_14,
        1.0,
    ];
    TERMS.iter().fold(0.0, |sum, term| sum * versine + term)
}

/// Returns the cosine of an angle, its sine over the angle, and the difference of both over the square of the angle,
/// which is given, for up to a whole turn.
#[inline(always)]
fn ratios(square: f32) -> [f32; 3] {
    let quarter = square.min(39.0) * (1.0 / 16.0);
    let mut sine =
        1.0 - quarter * (1.0 / 6.0 - quarter * (1.0 / 120.0 - quarter * (1.0 / 5040.0 - quarter * (1.0 / 362_880.0))));
    let mut cosine =
        1.0 - quarter * (1.0 / 2.0 - quarter * (1.0 / 24.0 - quarter * (1.0 / 720.0 - quarter * (1.0 / 40_320.0))));
    let mut slope = -1.0 / 3.0 + quarter * (1.0 / 30.0 - quarter * (1.0 / 840.0 - quarter * (1.0 / 45_360.0)));
    let mut squared = quarter;
    for _doubling in 0..2 {
        slope = 0.25 * (cosine * slope - sine * sine);
        (cosine, sine) = (1.0 - 2.0 * squared * sine * sine, sine * cosine);
        squared *= 4.0;
    }
    [cosine, sine, slope]
}

/// Returns the exponential function of a complex number.
fn exponential([mut real, mut imaginary]: [f64; 2]) -> [f64; 2] {
    let mut doublings = 0;
    while real.abs() + imaginary.abs() > 0.125 {
        (real, imaginary, doublings) = (0.5 * real, 0.5 * imaginary, doublings + 1);
    }
    let mut sum = [1.0, 0.0];
    for term in [1.0 / 7.0, 1.0 / 6.0, 1.0 / 5.0, 1.0 / 4.0, 1.0 / 3.0, 1.0 / 2.0, 1.0] {
        let (x, y) = (real * term, imaginary * term);
        sum = [1.0 + sum[0] * x - sum[1] * y, sum[0] * y + sum[1] * x];
    }
    for _doubling in 0..doublings {
        sum = [sum[0] * sum[0] - sum[1] * sum[1], 2.0 * sum[0] * sum[1]];
    }
    sum
}
