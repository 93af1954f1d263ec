// Ranges of joints: arcs of hinges, cones, ways of sliders, and where the second body is in them.
import * as THREE from 'three';
import {columns} from './bodies.js';
import {CALM, NEEDLE, OFF, STOP} from './colors.js';
import {BODY, JOINT, MATRIX, TWIST} from './frame.js';
import {ORDER} from './order.js';
/** @import {Told} from '../protocol.d.ts' */

// Corners of a border, and of the arc of a twist.
const PARTS = 64;
const TWIST_PARTS = 32;
// Half of a range without stops, radians: opposite its middle, all directions are one.
const MOST = 3.1;
// Size, as a share of the limb; the least and the greatest as shares of the figure.
const [OF_LIMB, LEAST, GREATEST] = [1, 0.06, 0.18];
// Share of a limb from which it has a direction of its own beside the axis of its hinge.
const ASIDE = 0.1;
// Length up to which the way of a slider is drawn, units.
const MAX_WAY = 1e6;
// Shares of the size: place along the limb, and radius, of the arc of a twist; radius of the ball that marks where a
// body points to.
const TWIST_AT = 0.6;
const TWIST_RADIUS = 0.35;
const TIP = 0.05;

// Turns by a vector of rotation without a third part.
function swing(x, y) {
  const angle = Math.hypot(x, y);
  return new THREE.Quaternion().setFromAxisAngle(
    angle > 0 ? new THREE.Vector3(x / angle, y / angle, 0) : new THREE.Vector3(1, 0, 0),
    angle,
  );
}

// Turns by two angles at once, each as if it were alone.
function both(x, y) {
  const half = angle => Math.tan(Math.min(Math.max(angle, -MOST), MOST) / 2);
  return new THREE.Quaternion(half(x), half(y), 0, 1).normalize();
}

// Returns the directions in the first frame between which the limb moves, and where it points to in the second one.
// Angles of a doll are those of the first body, so the limb turns the other way.
function borderOf(kind, /** @type {number[][]} */ [first, second], limb) {
  if (first && (kind === 'hinge' || kind === 'hinge2')) {
    const along = new THREE.Vector3(0, limb[1], limb[2]);
    const rest = along.length() > ASIDE * Math.hypot(...limb) ? along.normalize() : along.set(0, 0, 1);
    const corner = part => rest.clone().applyQuaternion(swing(-(first[0] + (first[1] - first[0]) * part), 0));
    return {rest, isOpen: true, border: Array.from({length: PARTS + 1}, (_, at) => corner(at / PARTS))};
  }
  const rest = new THREE.Vector3(0, 0, limb[2] < 0 ? -1 : 1);
  const [a, b] = [first, second].map(range => range ?? [-MOST, MOST]);
  const [middle, half] = [
    [a[0] + a[1], b[0] + b[1]],
    [a[1] - a[0], b[1] - b[0]],
  ].map(pair => pair.map(sum => Math.min(sum / 2, MOST)));
  const centre = swing(-middle[0], -middle[1]);
  const corner = angle => {
    const [x, y] = [Math.cos(angle), Math.sin(angle)];
    if (kind === 'cone') return centre.clone().multiply(swing(half[0] * x, half[1] * y));
    // The border of a rectangle.
    const out = Math.max(Math.abs(x), Math.abs(y));
    return both((half[0] * x) / out - middle[0], (half[1] * y) / out - middle[1]);
  };
  return {
    rest,
    isOpen: false,
    border: Array.from({length: PARTS}, (_, at) => rest.clone().applyQuaternion(corner((at / PARTS) * 2 * Math.PI))),
  };
}

const lines = points => new THREE.BufferGeometry().setFromPoints(points);

// The range of one joint.
class Limit {
  constructor(/** @type {Told<'doll'>['joints'][number]} */ {kind, limits: {frame1, frame2, ranges, limb}}) {
    const over = {depthTest: false, transparent: true};
    this.line = new THREE.LineBasicMaterial(over);
    this.area = new THREE.MeshBasicMaterial({...over, side: THREE.DoubleSide, depthWrite: false, opacity: 0.16});
    this.needle = new THREE.LineBasicMaterial({...over, color: NEEDLE});
    this.limb = Math.hypot(...limb);
    this.frames = [frame1, frame2].map(frame => new THREE.Matrix4().fromArray([...frame, 0, 0, 0, 1]).transpose());
    this.first = new THREE.Group();
    this.second = new THREE.Group();
    this.first.matrixAutoUpdate = this.second.matrixAutoUpdate = false;
    const zero = new THREE.Vector3();
    this.isSlider = kind === 'slider';
    if (this.isSlider) {
      const [from, to] = ranges[0].map(end => Math.min(Math.max(end, -MAX_WAY), MAX_WAY));
      this.ways = lines([new THREE.Vector3(-to, 0, 0), new THREE.Vector3(-from, 0, 0)]);
      this.first.add(new THREE.Line(this.ways, this.line));
      this.tip(zero);
    } else if (ranges[0] || ranges[1]) {
      const {rest, isOpen, border} = borderOf(kind, ranges, limb);
      const fan = lines([zero, ...border]);
      fan.setIndex(
        border.flatMap((_, at) => (isOpen && at === PARTS ? [] : [0, at + 1, ((at + 1) % border.length) + 1])),
      );
      this.first.add(
        new THREE.Mesh(fan, this.area),
        isOpen ? new THREE.LineLoop(lines([zero, ...border]), this.line) : new THREE.LineLoop(lines(border), this.line),
      );
      this.second.add(new THREE.Line(lines([zero, rest]), this.needle));
      this.tip(rest);
    }
    if (ranges[2]) {
      // Across the limb; a range lies still on the second body, and the mark is where that body is without a twist.
      const at = limb[2] < 0 ? -TWIST_AT : TWIST_AT;
      const [from, to] = ranges[2];
      const corner = angle => new THREE.Vector3(Math.cos(angle) * TWIST_RADIUS, Math.sin(angle) * TWIST_RADIUS, at);
      const middle = new THREE.Vector3(0, 0, at);
      this.second.add(
        new THREE.Line(
          lines([
            middle,
            ...Array.from({length: TWIST_PARTS + 1}, (_, part) => corner(from + ((to - from) * part) / TWIST_PARTS)),
            middle,
          ]),
          this.line,
        ),
      );
      this.twist = new THREE.Line(lines([middle, corner(0)]), this.needle);
      this.second.add(this.twist);
    }
    for (const group of [this.first, this.second]) {
      for (const drawn of group.children) {
        drawn.frustumCulled = false;
        drawn.renderOrder = ORDER.ranges;
      }
    }
  }

  // Marks where the second body points to, or is.
  tip(at) {
    const ball = new THREE.Mesh(
      new THREE.SphereGeometry(TIP, 12, 8),
      new THREE.MeshBasicMaterial({color: NEEDLE, depthTest: false, transparent: true}),
    );
    ball.position.copy(at);
    this.second.add(ball);
  }

  // `places` are the matrices of both bodies.
  pose(places, color, twist, one) {
    this.line.color.set(color);
    this.area.color.set(color);
    const size = Math.min(Math.max(this.limb * OF_LIMB, one * LEAST), one * GREATEST);
    [this.first, this.second].forEach((group, number) => {
      columns(places[number], 0, group.matrix.elements, 0);
      group.matrix.multiply(this.frames[number]);
      // The way of a slider has its own length.
      if (!this.isSlider || number > 0) group.matrix.scale(new THREE.Vector3(size, size, size));
      group.matrixWorldNeedsUpdate = true;
    });
    if (this.twist) this.twist.rotation.z = twist;
  }

  set visible(is) {
    this.first.visible = this.second.visible = is;
  }

  dispose() {
    /** @type {any[]} */
    const drawn = [...this.first.children, ...this.second.children];
    for (const {geometry, material} of drawn) {
      geometry.dispose();
      material.dispose();
    }
  }
}

export class Limits {
  constructor(/** @type {Told<'doll'>} */ doll) {
    this.group = new THREE.Group();
    this.doll = doll;
    this.all = doll.joints.map(joint => (joint.limits ? new Limit(joint) : null));
    for (const limit of this.all) if (limit) this.group.add(limit.first, limit.second);
    this.lit = [];
    this.shows = false;
  }

  // All are shown, or only those of the lit joints.
  pose(/** @type {Told<'frame'>} */ {bodies, joints}, limits, one) {
    const known = bodies.length >= this.doll.bodies.length * BODY && joints.length >= this.all.length * JOINT;
    this.all.forEach((limit, index) => {
      if (!limit) return;
      const [, excess, mode] = joints.subarray(index * JOINT, index * JOINT + 3);
      limit.visible = known && (this.shows || this.lit.includes(index));
      if (!limit.first.visible) return;
      const {body1, body2} = this.doll.joints[index];
      const places = [body1, body2].map(body => bodies.subarray(body * BODY, body * BODY + MATRIX));
      limit.pose(places, mode > 0 ? OFF : excess > limits.excess ? STOP : CALM, joints[index * JOINT + TWIST], one);
    });
  }

  dispose() {
    for (const limit of this.all) limit?.dispose();
    this.group.removeFromParent();
  }
}
