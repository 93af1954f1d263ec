// Memory of an instance for what is read and written in every frame.
import {STRUCTS} from '../layout.js';
import {ANCHORS, BODY as BODY_FLOATS, JOINT as JOINT_FLOATS, MATRIX, TWIST} from '../page/frame.js';
import {BodyMode, JointMode} from '../skelobj.js';
import {blendsOf} from './clips.js';
import {IDENTITY, multiply} from './matrix.js';
/** @import {Skelobj} from '../skelobj.js' */
/** @import {Scene} from './scene.js' */

const BODY = STRUCTS.SkelobjBodyState;
const JOINT = STRUCTS.SkelobjJointState;
const INFO = STRUCTS.SkelobjRagdollInfo;
const CONTACT = STRUCTS.SkelobjContactPoint;
/** State of a body that sleeps, after the modes of C. */
const ASLEEP = 5;
const MATRIX_BYTES = 4 * MATRIX;
const VECTOR_BYTES = 4 * 3;
/** Numbers that there is room for in a list. */
const NUMBERS = 1024;
/** Contact points of a ragdoll that there is room for at first. */
const CONTACTS = 64;
/** Limits of `skelobj check` for an angle and for a slider: the excess of a slider counts as that of an angle. */
const SLIDE = 0.5 / 4;

/**
 * Returns where a field of a struct is, in 32-bit words.
 * @template {Record<string, [number, string, number?]>} Fields
 * @param {{fields: Fields}} struct
 * @param {keyof Fields} field
 */
const word = (struct, field) => struct.fields[field][0] / 4;

export class Buffers {
  #owned = [];

  constructor(/** @type {Skelobj} */ skelobj, /** @type {Scene} */ scene, count) {
    this.skelobj = skelobj;
    this.scene = scene;
    this.count = count;
    this.bones = scene.data.bone_count;
    this.bodies = scene.doll?.bodies.length ?? 0;
    this.joints = scene.doll?.joints.length ?? 0;
    this.frame = this.#own(STRUCTS.SkelobjFrameDef.size);
    this.objects = this.#own(count * 4);
    this.entities = this.#own(count * MATRIX_BYTES);
    this.palettes = this.#own(count * this.bones * MATRIX_BYTES);
    this.bind = this.#own(this.bones * MATRIX_BYTES);
    /** Palette that moves nothing. */
    this.still = this.#own(this.bones * MATRIX_BYTES);
    this.bodyList = this.#own(Math.max(1, this.bodies) * BODY.size);
    this.jointList = this.#own(Math.max(1, this.joints) * JOINT.size);
    this.contacts = 0;
    this.#makeRoom(CONTACTS);
    this.info = this.#own(INFO.size);
    this.list = this.#own(4 * NUMBERS);
    const bones = skelobj.structs('SkelobjBone', scene.data.bones, this.bones);
    bones.forEach(({bind}, bone) => skelobj.floats(this.bind + bone * MATRIX_BYTES, MATRIX).set(bind));
    bones.forEach((_, bone) => skelobj.floats(this.still + bone * MATRIX_BYTES, MATRIX).set(IDENTITY));
    this.morphed = scene.meshes.map((mesh, index) => this.#morphed(mesh, index)).filter(Boolean);
    this.slides = scene.doll?.joints.map(({kind}) => kind === 'slider') ?? [];
  }

  #own(size) {
    const address = this.skelobj.alloc(size);
    this.#owned.push(address);
    return address;
  }

  /** Makes the list of contact points longer. */
  #makeRoom(contacts) {
    this.contacts = contacts;
    this.contactList = this.#own(contacts * CONTACT.size);
  }

  free() {
    if (!this.skelobj.isDead) this.#owned.forEach(address => this.skelobj.free(address));
  }

  setObjects(objects) {
    this.skelobj.words(this.objects, this.count).set(objects);
  }

  setEntities(entities) {
    const floats = this.skelobj.floats(this.entities, this.count * MATRIX);
    entities.forEach(({matrix}, number) => floats.set(matrix, number * MATRIX));
  }

  /** Writes a list of numbers, up to `NUMBERS`, and returns its address. */
  numbers(list) {
    this.skelobj.words(this.list, Math.min(list.length, NUMBERS)).set(list.slice(0, NUMBERS));
    return this.list;
  }

  /** Writes the frame of a clip at a time. */
  #play(clip, time) {
    const {skelobj, frame, scene} = this;
    const [first, ...others] = blendsOf(scene.clips[clip], time);
    skelobj.raw.skelobj_frame_single(frame, first.animation, first.time);
    if (others.length > 0) skelobj.setStruct('SkelobjFrameDef', frame, {blends: [first, ...others]});
  }

  build(world, object, clip, time) {
    this.#play(clip, time);
    this.skelobj.expect(this.skelobj.raw.skelobj_build(world, object, this.scene.model, this.frame, 0));
  }

  /** Returns room for the vertices of a mesh that moves by frames or targets; null for others. */
  #morphed({number, vertex_count: count, is_morphed: isMorphed}, index) {
    return isMorphed ? {number, index, count, at: this.#own(count * 2 * VECTOR_BYTES)} : null;
  }

  /** Returns the vertices of a clip at a time, before bones move them, of all meshes that do not keep theirs. */
  morphs(clip, time) {
    if (this.morphed.length === 0 || clip < 0) return [];
    const {skelobj, scene, bones} = this;
    const {raw} = skelobj;
    this.#play(clip, time);
    return this.morphed.map(({number, index, count, at}) => {
      const normals = at + count * VECTOR_BYTES;
      skelobj.expect(raw.skelobj_model_skin(scene.model, number, this.still, bones, this.frame, at, normals));
      return {
        mesh: index,
        positions: skelobj.floats(at, count * 3).slice(),
        normals: skelobj.floats(normals, count * 3).slice(),
      };
    });
  }

  /** Moves the ragdolls of all objects along. */
  update(world, objects, source) {
    const {raw} = this.skelobj;
    for (let number = 0; number < objects.length; number++) {
      const entity = this.entities + number * MATRIX_BYTES;
      this.skelobj.expect(raw.skelobj_ragdoll_update(world, objects[number], entity, source(number)));
    }
  }

  /** Returns the palettes of all objects in world space. */
  worldPalettes(world) {
    const {skelobj, count, bones} = this;
    // A model without bones moves with its entity.
    if (bones === 0) return skelobj.floats(this.entities, count * MATRIX).slice();
    skelobj.expect(skelobj.raw.skelobj_palettes(world, this.objects, count, bones, this.palettes, count * bones));
    const from = skelobj.floats(this.palettes, count * bones * MATRIX);
    const out = new Float32Array(from.length);
    const entities = skelobj.floats(this.entities, count * MATRIX);
    for (let bone = 0; bone < count * bones; bone++) {
      multiply(entities, Math.floor(bone / bones) * MATRIX, from, bone * MATRIX, out, bone * MATRIX);
    }
    return out;
  }

  #bodiesOf(world, object) {
    const {skelobj, bodies, bodyList} = this;
    skelobj.expect(skelobj.raw.skelobj_ragdoll_bodies(world, object, bodyList, bodies, 0));
    const size = (bodies * BODY.size) / 4;
    return {floats: skelobj.floats(bodyList, size), words: skelobj.words(bodyList, size)};
  }

  /** Returns places and states of the bodies of all objects. */
  worldBodies(world, objects) {
    const {bodies, count} = this;
    const out = new Float32Array(count * bodies * BODY_FLOATS);
    if (bodies === 0) return out;
    const size = BODY.size / 4;
    const matrix = word(BODY, 'matrix');
    const mode = word(BODY, 'mode');
    const sleeps = word(BODY, 'is_sleeping');
    objects.forEach((object, number) => {
      const {floats, words} = this.#bodiesOf(world, object);
      for (let body = 0; body < bodies; body++) {
        const at = body * size;
        const to = (number * bodies + body) * BODY_FLOATS;
        out.set(floats.subarray(at + matrix, at + matrix + MATRIX), to);
        out[to + MATRIX] = words[at + sleeps] && words[at + mode] === BodyMode.LIMP ? ASLEEP : words[at + mode];
      }
    });
    return out;
  }

  #jointsOf(world, object) {
    const {skelobj, joints, jointList} = this;
    skelobj.expect(skelobj.raw.skelobj_ragdoll_joints(world, object, jointList, joints, 0));
    const size = (joints * JOINT.size) / 4;
    return {floats: skelobj.floats(jointList, size), words: skelobj.words(jointList, size)};
  }

  #excess(floats, joint) {
    const at = (joint * JOINT.size) / 4;
    const first = at + word(JOINT, 'excess');
    const excess = Math.max(floats[first], floats[first + 1], floats[at + word(JOINT, 'twist_excess')]);
    return this.slides[joint] ? (excess * SLIDE) / this.scene.unit : excess;
  }

  /** Returns the joints of an object: gap, excess, mode, both anchors, and the twist. */
  worldJoints(world, object) {
    const {joints} = this;
    const out = new Float32Array(joints * JOINT_FLOATS);
    if (joints === 0) return out;
    const {floats, words} = this.#jointsOf(world, object);
    const size = JOINT.size / 4;
    for (let joint = 0; joint < joints; joint++) {
      const at = joint * size;
      const to = joint * JOINT_FLOATS;
      const anchor = at + word(JOINT, 'anchor1');
      const isOff = words[at + word(JOINT, 'mode')] === JointMode.SEVERED;
      out.set([floats[at + word(JOINT, 'gap')], this.#excess(floats, joint), isOff ? 1 : 0], to);
      out.set(floats.subarray(anchor, anchor + 6), to + ANCHORS);
      out[to + TWIST] = floats[at + word(JOINT, 'twist')];
    }
    return out;
  }

  #contactsOf(world, object) {
    const {skelobj, list} = this;
    const {raw} = skelobj;
    const write = () => raw.skelobj_ragdoll_contact_points(world, object, this.contactList, this.contacts, list);
    const status = write();
    const [number] = skelobj.words(list, 1);
    const isLong = number > this.contacts;
    if (isLong) this.#makeRoom(2 * number);
    skelobj.expect(isLong ? write() : status);
    return skelobj.floats(this.contactList, (number * CONTACT.size) / 4);
  }

  /** Returns the contact points of all objects: point, normal, and the force as a share of the weight of an object. */
  worldContacts(world, objects) {
    if (this.bodies === 0) return new Float32Array();
    const size = CONTACT.size / 4;
    const point = word(CONTACT, 'point');
    const normal = word(CONTACT, 'normal');
    const out = [];
    for (const object of objects) {
      const floats = this.#contactsOf(world, object);
      for (let at = 0; at < floats.length; at += size) {
        const force = floats[at + word(CONTACT, 'force')] / this.scene.weight;
        out.push(
          ...floats.subarray(at + point, at + point + 3),
          ...floats.subarray(at + normal, at + normal + 3),
          force,
        );
      }
    }
    return Float32Array.from(out);
  }

  /** Returns the measurements of the first ragdoll, and how many are awake. */
  measure(world, objects) {
    const measured = {gap: 0, excess: 0, speed: 0, energy: 0, asleep: true, awake: 0};
    if (this.bodies === 0) return measured;
    const {skelobj, info} = this;
    const {raw} = skelobj;
    for (let number = objects.length - 1; number >= 0; number--) {
      skelobj.expect(raw.skelobj_ragdoll_info(world, objects[number], info));
      measured.awake += skelobj.words(info, INFO.size / 4)[word(INFO, 'is_asleep')] ? 0 : 1;
    }
    measured.energy = skelobj.floats(info, INFO.size / 4)[word(INFO, 'energy')];
    measured.asleep = skelobj.words(info, INFO.size / 4)[word(INFO, 'is_asleep')] === 1;
    const velocity = word(BODY, 'velocity');
    const {floats} = this.#bodiesOf(world, objects[0]);
    for (let body = 0; body < this.bodies; body++) {
      const at = (body * BODY.size) / 4 + velocity;
      measured.speed = Math.max(measured.speed, Math.hypot(floats[at], floats[at + 1], floats[at + 2]));
    }
    if (this.joints === 0) return measured;
    const joints = this.#jointsOf(world, objects[0]);
    for (let joint = 0; joint < this.joints; joint++) {
      const at = (joint * JOINT.size) / 4;
      if (!joints.words[at + word(JOINT, 'is_enabled')]) continue;
      measured.gap = Math.max(measured.gap, joints.floats[at + word(JOINT, 'gap')]);
      measured.excess = Math.max(measured.excess, this.#excess(joints.floats, joint));
    }
    return measured;
  }
}
