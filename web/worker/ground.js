// What a ragdoll falls on: a floor, stairs, a door, water, a map.
import {STRUCTS} from '../layout.js';
import {LiquidKind, ShapeKind} from '../skelobj.js';
import {add, yawed} from './matrix.js';
/** @import {Told} from '../protocol.d.ts' */
/** @import {Skelobj} from '../skelobj.js' */

// Sizes for figures of the game; all lengths of a figure in another unit are in proportion to its unit.
const STEPS = {count: 7, depth: 26, height: 14, width: 160};
const DOOR = {mins: [-2, 0, 1], maxs: [2, 64, 110], hinge: [44, -44, 0], seconds: 5};
const WATER = {mins: [-512, -512, -8], maxs: [512, 512, 56]};
/** Where figures start above the stairs, and the speed with which they are let go there. */
const LANDING = [-14, 0, STEPS.count * STEPS.height];
const PUSH = [320, 0, 0];
/** Length of the landing, as a share of its width. */
const LANDING_LENGTH = 0.75;
/** Angle to which the door opens, radians: not quite against the wall. */
const OPEN = 0.95 * Math.PI;
/** How far from its middle a place must have a floor, as a share of the distance between two. */
const EDGE = 0.4;

const scaled = (vector, factor) => vector.map(part => part * factor);
const scaledBox = ({mins, maxs}, factor) => ({mins: scaled(mins, factor), maxs: scaled(maxs, factor)});

/** Returns corners of quads: stairs that go down along X from a landing, without their undersides. */
function stairs() {
  const quads = [];
  const {count, depth, height, width} = STEPS;
  const [left, right] = [width / 2, -width / 2];
  const back = -width * LANDING_LENGTH;
  for (let step = 0; step < count; step++) {
    const z = (count - step) * height;
    const [near, far] = [step === 0 ? back : depth * step, depth * (step + 1)];
    quads.push([
      [near, left, z],
      [near, right, z],
      [far, right, z],
      [far, left, z],
    ]);
    quads.push([
      [far, left, z],
      [far, right, z],
      [far, right, z - height],
      [far, left, z - height],
    ]);
    for (const [y, flip] of [
      [left, false],
      [right, true],
    ]) {
      const side = [
        [near, y, z],
        [far, y, z],
        [far, y, 0],
        [near, y, 0],
      ];
      quads.push(flip ? side.reverse() : side);
    }
  }
  quads.push([
    [back, right, count * height],
    [back, left, count * height],
    [back, left, 0],
    [back, right, 0],
  ]);
  return quads;
}

/** Returns the triangles of quads, counter-clockwise as these are, with all lengths times a factor. */
function triangles(quads, factor) {
  const positions = new Float32Array(scaled(quads.flat(2), factor));
  const indices = [];
  quads.forEach((_, number) => indices.push(...[0, 1, 2, 0, 2, 3].map(corner => number * 4 + corner)));
  return {positions, indices: Uint32Array.from(indices)};
}

/** Height above the start from which places are looked for, and depth to which. */
const EYE = 32;
const DEPTH = 4096;

const corners = ({mins, maxs}) =>
  Array.from({length: 8}, (_, corner) => [0, 1, 2].map(axis => ((corner >> axis) & 1 ? maxs : mins)[axis])).flat();

export class Ground {
  /** Adds a ground to the world of a fall. `level`: the map; `unit`: the factor of all lengths of physics. */
  constructor(/** @type {Skelobj} */ skelobj, world, kind, {level, unit}) {
    this.skelobj = skelobj;
    this.world = world;
    this.kind = kind;
    this.unit = unit;
    /** Where figures start. */
    this.start = [0, 0, 0];
    /** Speed with which they are let go, if they stand. */
    this.push = [0, 0, 0];
    this.doors = [];
    /** Returns the triangles to draw. */
    this.look = () => ({positions: new Float32Array(0), indices: new Uint32Array(0)});
    this.water = null;
    /** What the page tells about the ground. */
    this.note = null;
    this.floor = kind === 'bsp' ? null : 0;
    if (this.floor !== null) skelobj.addFloor(world, 0);
    this[`add_${kind}`]?.(level);
  }

  /** Adds a body of one shape, and returns its id. */
  #body(shape, points, indices, settings) {
    const {skelobj} = this;
    const floats = Float32Array.from(points);
    const address = skelobj.alloc(floats.length * 4);
    const list = skelobj.alloc(Math.max(1, indices.length) * 4);
    const at = skelobj.alloc(STRUCTS.SkelobjShape.size);
    try {
      skelobj.floats(address, floats.length).set(floats);
      skelobj.words(list, indices.length).set(indices);
      const fields = {
        points: address,
        point_count: floats.length / 3,
        triangles: list,
        triangle_count: indices.length / 3,
      };
      skelobj.setStruct('SkelobjShape', at, {kind: shape, ...fields});
      return skelobj.addLevelBody(this.world, {shapes: at, shape_count: 1, ...settings});
    } finally {
      [address, list, at].forEach(one => skelobj.free(one));
    }
  }

  add_stairs() {
    const mesh = triangles(stairs(), this.unit);
    this.look = () => mesh;
    this.#body(ShapeKind.MESH, mesh.positions, mesh.indices, {});
    this.start = scaled(LANDING, this.unit);
    this.push = scaled(PUSH, this.unit);
  }

  add_door() {
    const box = scaledBox(DOOR, this.unit);
    const body = this.#body(ShapeKind.HULL, corners(box), [], {is_moving: 1, matrix: this.#doorAt(0)});
    this.doors.push({body, ...box});
  }

  add_water() {
    this.water = scaledBox(WATER, this.unit);
    const liquid = this.skelobj.defaultWaterDef(LiquidKind.WATER);
    this.skelobj.addWater(this.world, {...liquid, ...this.water});
  }

  add_bsp(level) {
    const [, entities] = this.skelobj.addLevel(this.world, level.id, null);
    this.skelobj.addLevelWater(this.world, level.id);
    const shown = entities.map(({entity}) => ({
      model: Number(this.#value(level.id, entity, 'model')?.replace('*', '')),
      at: this.#vector(level.id, entity) ?? [0, 0, 0],
    }));
    this.look = () => level.look([{model: 0, at: [0, 0, 0]}, ...shown]);
    const [isFound, start] = this.skelobj.levelPlayerStart(level.id);
    if (isFound) this.start = Array.from(start);
    else this.note = 'the map has no entity at which players start: the fall begins at 0 0 0';
  }

  #value(level, entity, key) {
    try {
      return this.skelobj.levelEntityValue(level, entity, key);
    } catch (error) {
      if (this.skelobj.isDead) throw error;
      return null;
    }
  }

  #vector(level, entity) {
    const at = this.#value(level, entity, 'origin')?.trim().split(/\s+/).map(Number);
    return at?.length === 3 && at.every(Number.isFinite) ? at : null;
  }

  /** Returns where the door is at a time: it closes, waits, and opens. */
  #doorAt(time) {
    const phase = (time / DOOR.seconds) % 1;
    const swing = 0.5 - 0.5 * Math.cos(2 * Math.PI * phase);
    return yawed(swing * OPEN, scaled(DOOR.hinge, this.unit));
  }

  /** Returns up to `count` places, `spacing` apart, to which nothing bars the way from the start; one at least. */
  spots(count, spacing) {
    if (count === 1) return [this.start];
    const reach = Math.ceil(Math.sqrt(count));
    const found = [];
    const cells = [];
    for (let row = -reach; row <= reach; row++)
      for (let column = -reach; column <= reach; column++) cells.push([row, column]);
    const ring = ([row, column]) => Math.max(Math.abs(row), Math.abs(column));
    const eye = add(this.start, [0, 0, EYE * this.unit]);
    const edge = spacing * EDGE;
    for (const [row, column] of cells.sort((a, b) => ring(a) - ring(b))) {
      if (found.length === count) break;
      const above = add(eye, [row * spacing, column * spacing, 0]);
      if (this.#trace(eye, above)) continue;
      const points = [
        [0, 0],
        [edge, edge],
        [edge, -edge],
        [-edge, edge],
        [-edge, -edge],
      ].map(([x, y]) => add(above, [x, y, 0]));
      const below = points.map(point => this.#trace(point, add(point, [0, 0, -DEPTH * this.unit])));
      if (below.every(Boolean)) found.push([above[0], above[1], Math.max(...below.map(([, , z]) => z))]);
    }
    return found.length > 0 ? found : [this.start];
  }

  /** Returns the point where a way is barred; null if it is free. */
  #trace(start, end) {
    const {fraction, point} = this.skelobj.trace(this.world, {start, end});
    return fraction < 1 ? point : null;
  }

  /** Sets where everything that moves will be at a time, which is the end of the next step. */
  advance(time) {
    for (const {body} of this.doors) this.skelobj.levelBodySetTarget(this.world, body, this.#doorAt(time));
  }

  /** Returns the matrices of the doors at a time. */
  places(time) {
    return Float32Array.from(this.doors.flatMap(() => this.#doorAt(time)));
  }

  /** @returns {Told<'level'>} */
  describe() {
    const {kind, floor, doors, water} = this;
    return {type: 'level', kind, ...this.look(), floor, doors: doors.map(({mins, maxs}) => ({mins, maxs})), water};
  }
}
