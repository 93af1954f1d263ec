// Matrices of 12 floats, three rows of four, and vectors.

export const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];

export const add = (a, b, scale = 1) => [a[0] + b[0] * scale, a[1] + b[1] * scale, a[2] + b[2] * scale];
export const sub = (a, b) => add(a, b, -1);
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const length = a => Math.hypot(a[0], a[1], a[2]);

/** Writes the product of two matrices, `b` applied first, into `out` at `o`. */
export function multiply(a, ao, b, bo, out, o) {
  for (let row = 0; row < 12; row += 4) {
    const [x, y, z, w] = [a[ao + row], a[ao + row + 1], a[ao + row + 2], a[ao + row + 3]];
    for (let column = 0; column < 4; column++) {
      out[o + row + column] =
        x * b[bo + column] + y * b[bo + 4 + column] + z * b[bo + 8 + column] + (column === 3 ? w : 0);
    }
  }
}

export function product(a, b) {
  const out = new Array(12);
  multiply(a, 0, b, 0, out, 0);
  return out;
}

/** Returns the inverse of a rotation with a place. */
export function inverse(m) {
  const out = [m[0], m[4], m[8], 0, m[1], m[5], m[9], 0, m[2], m[6], m[10], 0];
  const at = turn(out, [m[3], m[7], m[11]]);
  [out[3], out[7], out[11]] = [-at[0], -at[1], -at[2]];
  return out;
}

/** Returns the rotation of pitch, yaw and roll in degrees, as Quake has them. */
export function ofAngles(angles) {
  const [[sp, cp], [sy, cy], [sr, cr]] = angles.map(degrees => [
    Math.sin((degrees * Math.PI) / 180),
    Math.cos((degrees * Math.PI) / 180),
  ]);
  return [
    cp * cy,
    sr * sp * cy - cr * sy,
    cr * sp * cy + sr * sy,
    0,
    cp * sy,
    sr * sp * sy + cr * cy,
    cr * sp * sy - sr * cy,
    0,
    -sp,
    sr * cp,
    cr * cp,
    0,
  ];
}

/** Turns a vector by the rotation of a matrix. */
export const turn = (m, v) => [
  m[0] * v[0] + m[1] * v[1] + m[2] * v[2],
  m[4] * v[0] + m[5] * v[1] + m[6] * v[2],
  m[8] * v[0] + m[9] * v[1] + m[10] * v[2],
];

/** Returns the rotation about a vector by its length, radians. */
export function rotated(v) {
  const angle = length(v);
  const [[x, y, z], sin, cos] = [unit(v), Math.sin(angle), Math.cos(angle)];
  const rest = 1 - cos;
  return [
    cos + x * x * rest,
    x * y * rest - z * sin,
    x * z * rest + y * sin,
    0,
    y * x * rest + z * sin,
    cos + y * y * rest,
    y * z * rest - x * sin,
    0,
    z * x * rest - y * sin,
    z * y * rest + x * sin,
    cos + z * z * rest,
    0,
  ];
}

export const origin = m => [m[3], m[7], m[11]];
export const point = (m, v) => add(turn(m, v), origin(m));

export function withOrigin(m, at) {
  const out = Array.from(m);
  [out[3], out[7], out[11]] = at;
  return out;
}

const column = (m, i) => [m[i], m[4 + i], m[8 + i]];
export const unit = v => add([0, 0, 0], v, 1 / (length(v) || 1));
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

/** Returns the rotation whose X axis is along `forward` and whose Y axis is as near to `left` as that allows. */
export function rotation(forward, left) {
  const x = unit(forward);
  const y = unit(sub(left, add([0, 0, 0], x, dot(x, left))));
  const z = cross(x, y);
  return [x[0], y[0], z[0], 0, x[1], y[1], z[1], 0, x[2], y[2], z[2], 0];
}

/**
 * Returns a matrix without its scale, shear and mirroring, which turns Z. Z stands in for an axis that is zero, and for
 * Y along X.
 */
export function rigid(m) {
  const [x, y, z] = [0, 1, 2].map(i => column(m, i));
  const hasX = length(x) > 0;
  const isKnown = !hasX || length(cross(x, y)) > 0;
  return withOrigin(rotation(hasX ? x : cross(y, z), isKnown ? y : cross(z, x)), origin(m));
}

/** Returns a rotation on the way from `a` to `b`, with perpendicular axes of length 1. */
export function between(a, b, share) {
  const mixed = i => add(column(a, i), sub(column(b, i), column(a, i)), share);
  return rotation(mixed(0), mixed(1));
}

/** Returns a turn about Z, radians, at a place. */
export const yawed = (angle, at) => {
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
  return [cos, -sin, 0, at[0], sin, cos, 0, at[1], 0, 0, 1, at[2]];
};
