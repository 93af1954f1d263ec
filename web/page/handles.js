// Handles that move and size the body of the block in which the cursor is.
import * as THREE from 'three';
import {columns} from './bodies.js';
import {BODY} from './frame.js';
import {ORDER} from './order.js';
/** @import {Told} from '../protocol.d.ts' */

const COLORS = [0xd6304a, 0x2f9e44, 0x2a6ee2];
const AXES = ['x', 'y', 'z'];
// Sizes as shares of the figure: the balls, the arrows, and what a body has at least.
const [BALL, ARROW, LEAST] = [0.011, 0.16, 0.002];
// Length of the shape of an arrow, before it has its size.
const LONG = 8;
// Squared sine of the angle up to which a ray is along an axis.
const ALONG = 1e-3;
// Significant digits of numbers that stay, and of those that the mouse sets.
const STAYING = 6;
const SET = 3;

// Returns where the handles of a size are, and how a size follows one: [axis, distance from the middle, size].
/** @type {Record<string, (size: number[]) => any[][]>} */
const SIZES = {
  box: ([x, y, z]) => [
    [0, x / 2, by => [x + 2 * by, y, z]],
    [1, y / 2, by => [x, y + 2 * by, z]],
    [2, z / 2, by => [x, y, z + 2 * by]],
  ],
  sphere: ([x, y, z]) => AXES.map((_, axis) => [axis, (x + y + z) / 3, by => Array(3).fill((x + y + z) / 3 + by)]),
  capsule: ([x, y, z]) => round((x + y) / 2, z, z / 2 + (x + y) / 2),
  cylinder: ([x, y, z]) => round((x + y) / 2, z, z / 2),
};
const round = (radius, long, end) => [
  ...[0, 1].map(axis => [axis, radius, by => [radius + by, radius + by, long]]),
  [2, end, by => [radius, radius, long + 2 * by]],
];

export class Handles {
  constructor() {
    this.group = new THREE.Group();
    this.group.matrixAutoUpdate = false;
    this.group.visible = false;
    this.all = [];
    this.held = null;
  }

  // Shows the handles of a body; without one, none.
  choose(index, /** @type {Told<'doll'>['bodies'][number]} */ body) {
    for (const {mesh} of this.all) {
      mesh.geometry.dispose();
      mesh.material.dispose();
      mesh.removeFromParent();
    }
    this.index = index;
    this.body = body;
    this.all = [];
    this.held = null;
    this.size = body?.size;
    this.shift = new THREE.Vector3();
    if (!body) return;
    const add = (geometry, axis, more) => {
      const mesh = new THREE.Mesh(
        geometry,
        new THREE.MeshBasicMaterial({color: COLORS[axis], depthTest: false, transparent: true}),
      );
      mesh.renderOrder = ORDER.handles;
      mesh.frustumCulled = false;
      this.group.add(mesh);
      this.all.push({mesh, ...more});
    };
    for (const [number, [axis, , sized]] of SIZES[body.shape](body.size).entries()) {
      const away = size => SIZES[body.shape](size)[number][1];
      for (const sign of [1, -1]) {
        const along = new THREE.Vector3().setComponent(axis, sign);
        add(new THREE.SphereGeometry(1, 16, 12), axis, {what: 'size', along, away, change: by => sized(by)});
      }
    }
    // A body is moved along the axes from which its angles turn it: arrows from 0 to `LONG`.
    AXES.forEach((_, axis) => {
      const along = new THREE.Vector3().fromArray([0, 1, 2].map(row => body.offsetAxes[row * 3 + axis]));
      const geometry = new THREE.CylinderGeometry(0.12, 0.12, 6, 8).translate(0, 3, 0);
      const arrow = new THREE.ConeGeometry(0.6, 1.8, 16).translate(0, 6.9, 0);
      const quaternion = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 1, 0), along);
      for (const part of [geometry, arrow])
        add(part.applyQuaternion(quaternion), axis, {
          what: 'offset',
          along,
          change: by => body.offset.map((part, at) => (at === axis ? part + by : part)),
        });
    });
  }

  // Follows the body; `one` is the size of a figure.
  pose(/** @type {Told<'frame'>} */ {bodies}, shows, one) {
    this.group.visible = Boolean(shows && this.body) && bodies.length >= (this.index + 1) * BODY;
    if (!this.group.visible) return;
    this.one = one;
    if (!this.held) columns(bodies, this.index * BODY, this.group.matrix.elements, 0);
    for (const {mesh, what, along, away} of this.all) {
      mesh.position
        .copy(along)
        .multiplyScalar(what === 'size' ? away(this.size) : 0)
        .add(this.shift);
      mesh.scale.setScalar(what === 'size' ? one * BALL : (one * ARROW) / LONG);
    }
    this.group.matrixWorldNeedsUpdate = true;
  }

  pick(caster) {
    if (!this.group.visible) return null;
    this.group.updateMatrixWorld(true);
    const [hit] = caster.intersectObjects(
      this.all.map(({mesh}) => mesh),
      false,
    );
    return hit ? this.all.find(({mesh}) => mesh === hit.object) : null;
  }

  start(handle, {ray}) {
    this.held = handle;
    this.by = 0;
    this.from = this.along(ray) ?? 0;
  }

  // Returns how far along the axis of the handle a ray passes it.
  along({origin, direction}) {
    const axis = this.held.along.clone().transformDirection(this.group.matrix);
    const away = origin.clone().sub(new THREE.Vector3().setFromMatrixPosition(this.group.matrix));
    const across = 1 - axis.dot(direction) ** 2;
    return across < ALONG ? null : (axis.dot(away) - axis.dot(direction) * direction.dot(away)) / across;
  }

  // Returns what the body becomes: the attribute and its values, its size, and its shift in its own space.
  move({ray}) {
    const {what, along, change} = this.held;
    this.by = (this.along(ray) ?? this.from + this.by) - this.from;
    const least = this.one * LEAST;
    const old = this.body[what];
    // The digits of numbers that stay hide how they are stored.
    const written = (part, at) => Number(part.toPrecision(part === old[at] ? STAYING : SET));
    const values = change(this.by)
      .map(part => (what === 'size' ? Math.max(part, least) : part))
      .map(written);
    if (what === 'size') this.size = values;
    else this.shift.copy(along).multiplyScalar(this.by);
    return {what, values, size: this.size, shift: this.shift};
  }

  // Puts the handles back where the doll has the body.
  end() {
    this.held = null;
    this.size = this.body?.size;
    this.shift.setScalar(0);
  }
}
