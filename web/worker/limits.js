// Where joints and their ranges are on their bodies: the page draws them there.
import {
  add,
  cross,
  dot,
  inverse,
  length,
  origin,
  point,
  product,
  rigid,
  rotation,
  sub,
  turn,
  unit,
  withOrigin,
} from './matrix.js';
/** @import {Fall} from './fall.js' */

/** Length of what is left of a second axis along the first, up to which both are one. */
const ALONG = 1e-3;
/** Part of an axis along Z from which it counts as upright. */
const UPRIGHT = 0.7;

/** Returns the frame of a joint in the reference pose: X along its axis, Y along its second one. */
function frame({axis, axis2}) {
  const x = unit(axis);
  const flat = sub(axis2, add([0, 0, 0], x, dot(x, axis2)));
  // Joints with one axis may have any second one.
  const other = length(flat) > ALONG ? flat : Math.abs(x[2]) < UPRIGHT ? cross(x, [0, 0, 1]) : cross(x, [0, 1, 0]);
  return rotation(x, other);
}

/** Returns the matrices of all bones in the reference pose of the doll, model space. */
function reference(/** @type {Fall} */ {skelobj, world, scene, puppet}) {
  const [animation, time] = skelobj.dollReference(scene.doll.id);
  const count = scene.data.bone_count;
  if (animation < 0)
    return skelobj
      .structs('SkelobjBone', scene.data.bones, count)
      .map(bone => skelobj.matrixInverse(bone.inverse_bind));
  skelobj.build(world, puppet, scene.model, skelobj.frameSingle(animation, time), null);
  return Array.from({length: count}, (_, bone) => skelobj.boneModel(world, puppet, bone + 1));
}

/** Returns the range between stops with an effect, null without. */
const range = (lo, hi, most) => (lo <= hi && (lo > -most || hi < most) ? [lo, hi] : null);

/** Returns the ranges of a joint: of both axes, and of the twist. */
function ranges({kind, stop_lo: lo, stop_hi: hi, twist}) {
  const angle = number => range(lo[number], hi[number], Math.PI);
  if (kind === 'slider') return [range(lo[0], hi[0], Infinity), null, null];
  if (kind === 'hinge' || kind === 'hinge2') return [angle(0), null, null];
  if (kind === 'universal') return [angle(0), angle(1), null];
  return kind === 'cone' ? [angle(0), angle(1), range(...twist, Math.PI)] : [null, null, null];
}

/** Returns the matrices of the bodies of the first figure on their bones, while its animation holds it. */
export function onBonesOf(/** @type {Fall} */ {skelobj, world, objects: [object], entities: [entity]}) {
  return skelobj
    .ragdollBodies(world, object)
    .map(({matrix, bone}) =>
      product(inverse(rigid(product(entity.matrix, skelobj.boneModel(world, object, bone)))), matrix),
    );
}

/**
 * Returns for each joint of the first figure, which its animation holds, where it is: `frame1` and `frame2` on its
 * bodies, the same place in the reference pose, its `ranges`, and the `limb`, from the joint to the middle of the
 * second body in the first frame. Null for joints that have no range, or turn against the world.
 */
export function limitsOf(/** @type {Fall} */ fall, onBones) {
  const {
    skelobj,
    world,
    scene: {
      doll: {joints},
    },
    objects: [object],
  } = fall;
  const bodies = skelobj.ragdollBodies(world, object);
  const states = skelobj.ragdollJoints(world, object);
  const bones = reference(fall);
  const rests = bodies.map(({bone}, body) => product(rigid(bones[bone - 1]), onBones[body]));
  return joints.map((joint, index) => {
    const {body1, body2} = joint;
    const found = ranges(joint);
    if (body2 < 0 || found.every(one => one === null)) return null;
    const on = (body, anchor) =>
      withOrigin(
        product(inverse(withOrigin(rests[body], [0, 0, 0])), frame(joint)),
        point(inverse(bodies[body].matrix), anchor),
      );
    const {anchor1, anchor2} = states[index];
    const frame1 = on(body1, anchor1);
    const frame2 = on(body2, anchor2);
    const limb = turn(inverse(withOrigin(frame2, [0, 0, 0])), sub([0, 0, 0], origin(frame2)));
    return {frame1, frame2, ranges: found, limb};
  });
}
