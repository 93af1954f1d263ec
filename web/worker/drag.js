// A bone that the mouse drags: its body follows a puppet exactly, and pulls the others along.
import {FRAME, quoted} from './commands.js';
import {add, between, dot, inverse, length, point, product, sub, turn, withOrigin} from './matrix.js';
/** @import {Fall} from './fall.js' */

/**
 * Greatest speed of the dragged point, units per second; its least height above the floor; its greatest distance from
 * the eye.
 */
const SPEED = 900;
const HEIGHT = 1;
const FAR = 8192;
/** Sine of the angle up to which a ray is along the plane in which the mouse moves a point. */
const ALONG = 1e-3;
/** Share of its turn that the dragged body makes up for in a step. */
const GIVE = 0.15;

/** Returns the matrices of the bodies of a figure. */
const bodiesOf = (/** @type {Fall} */ fall, number) => fall.skelobj.ragdollBodies(fall.world, fall.objects[number]);

/** Returns the body to which a body is jointed, the heaviest; -1 without any. */
function neighbour({bodies, joints}, body) {
  const beside = joints.flatMap(({body1, body2}) => (body1 === body ? [body2] : body2 === body ? [body1] : []));
  return beside.filter(other => other >= 0).sort((a, b) => bodies[b].mass - bodies[a].mass)[0] ?? -1;
}

export const Drag = {
  /** Begins to drag what a ray hits. */
  start(/** @type {Fall} */ fall, from, direction) {
    const {skelobj, world, scene, state} = fall;
    const hit = fall.trace(from, direction);
    if (!hit || hit.number < 0) return;
    if (state.drag) Drag.end(fall);
    if (state.mode !== 'falling') fall.release({fade: 0});
    const body = hit.index;
    const bodies = bodiesOf(fall, hit.number);
    const {matrix, bone, name} = bodies[body];
    const inBody = inverse(matrix);
    const other = neighbour(scene.doll, body);
    const boneMatrix = product(
      fall.entities[hit.number].matrix,
      skelobj.boneModel(world, fall.objects[hit.number], bone),
    );
    state.drag = {
      number: hit.number,
      body,
      bone,
      name,
      other,
      /** Dragged point in the body, the place where it should be, and the plane in which the mouse moves it. */
      held: point(inBody, hit.point),
      at: hit.point,
      goal: hit.point,
      plane: {normal: direction, point: hit.point},
      /** Bone in the space of its body, and the body as its neighbour turns it. */
      boneInBody: product(inBody, boneMatrix),
      rotation: matrix,
      inOther:
        other < 0 ? null : product(inverse(withOrigin(bodies[other].matrix, [0, 0, 0])), withOrigin(matrix, [0, 0, 0])),
    };
    Drag.pose(fall, matrix);
    fall.commandOne(hit.number, `animatebody ${quoted(name)} 1`);
  },

  /** Moves the goal to a ray, in the plane through the first hit. */
  aim(/** @type {Fall} */ fall, from, direction) {
    const {drag} = fall.state;
    const {normal} = drag.plane;
    const along = dot(direction, normal);
    if (Math.abs(along) < ALONG * length(direction) * length(normal)) return;
    const distance = dot(sub(drag.plane.point, from), normal) / along;
    if (distance > 0)
      drag.goal = add(from, direction, Math.min(distance, (FAR * Math.max(1, fall.scene.unit)) / length(direction)));
    if (fall.ground.floor !== null) drag.goal[2] = Math.max(drag.goal[2], fall.ground.floor + HEIGHT * fall.scene.unit);
  },

  /** Moves the puppet for a step. */
  move(/** @type {Fall} */ fall) {
    const {drag} = fall.state;
    const way = sub(drag.goal, drag.at);
    const far = length(way);
    drag.at = add(drag.at, way, Math.min(1, (SPEED * fall.scene.unit * FRAME) / (far || 1)));
    if (drag.inOther) {
      const other = withOrigin(bodiesOf(fall, drag.number)[drag.other].matrix, [0, 0, 0]);
      drag.rotation = between(drag.rotation, product(other, drag.inOther), GIVE);
    }
    Drag.pose(fall, withOrigin(drag.rotation, sub(drag.at, turn(drag.rotation, drag.held))));
  },

  /** Poses the puppet as the figure, with the dragged body at a place. */
  pose(/** @type {Fall} */ fall, bodyMatrix) {
    const {
      skelobj,
      world,
      entities,
      objects,
      puppet,
      state: {drag},
    } = fall;
    skelobj.copyBones(world, puppet, objects[drag.number], 1, 0);
    const bone = product(bodyMatrix, drag.boneInBody);
    skelobj.setBoneWorld(world, puppet, entities[drag.number].matrix, drag.bone, bone);
  },

  end(/** @type {Fall} */ fall) {
    const {drag, strengths} = fall.state;
    const strength = strengths.bodies[drag.name] ?? strengths.all;
    fall.commandOne(drag.number, `animatebody ${quoted(drag.name)} ${strength}`);
    fall.state.drag = null;
  },

  /** Returns the dragged point and its goal: six numbers. */
  line(/** @type {Fall} */ {state: {drag}}) {
    return drag && [...drag.at, ...drag.goal];
  },
};
