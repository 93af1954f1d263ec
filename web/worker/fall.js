// A world with the ragdolls of a scene, step by step, and its past.
import {MODES} from '../page/frame.js';
import {Space} from '../skelobj.js';
import {Buffers} from './buffers.js';
import {FRAME, quoted} from './commands.js';
import {Drag} from './drag.js';
import {Ground} from './ground.js';
import {History} from './history.js';
import {limitsOf, onBonesOf} from './limits.js';
import {IDENTITY, add, length, origin, product, rotated, sub, withOrigin} from './matrix.js';
/** @import {Told} from '../protocol.d.ts' */
/** @import {Skelobj} from '../skelobj.js' */
/** @import {Scene} from './scene.js' */

/** Length of a step as the library has it, in 32 bits. */
const STEP = Math.fround(FRAME);
/** Seed of the first figure of a crowd that is dropped without one. */
const CROWD_SEED = 1000;
/** Time in which a corpse gets up into its animation, seconds. */
const BLEND = 0.6;
/** Mean distance up to which an animation fits a corpse as high as the mannequin, units: Ragdoll::NEAR_POSE. */
const NEAR = 12;
const HEIGHT = 72;
/** Where the floor under a corpse is looked for: from above its place, and how far down, units. */
const ABOVE = 32;
const DOWN = 160;
/** Distance between the figures of a crowd: units at least, or a share of the width of the model. */
const SPACING = 40;
const SPACING_SHARE = 1.3;
/** Share of the last step in the mean time of a step. */
const FRESH = 0.1;
/**
 * Death that fades: the step and the time of its animation at which it began, how long it takes, and where and how fast
 * the figures were.
 * @typedef {{step: number, time: number, fade: number, push: number[], entities: any[], centres: number[][]}} Fading
 */

/** Greatest distance from the eye to what the mouse meets, units. */
const FAR = 16384;

export class Fall {
  /** Starts a fall. `options`: `{ground, count, seed, fade}`. */
  constructor(/** @type {Skelobj} */ skelobj, /** @type {Scene} */ scene, options) {
    this.skelobj = skelobj;
    this.scene = scene;
    this.options = options;
    this.world = skelobj.worldCreate({files: skelobj.files, ...scene.physics});
    skelobj.worldAddModel(this.world, scene.name, scene.model);
    // A fall has the bits of `skelobj sim` if the world has no ground yet.
    const starts = this.#starts();
    this.ground = new Ground(skelobj, this.world, options.ground, scene);
    /** Where the figures start: fewer than were asked for, if the ground has no room for more. */
    this.spots = this.ground.spots(options.count, Math.max(SPACING * scene.unit, scene.width * SPACING_SHARE));
    this.buffers = new Buffers(skelobj, scene, this.spots.length);
    // What has no bones is no skeletal object, and only shows its clips.
    const create = () => skelobj.objectCreate(this.world, scene.model, Space.LOCAL);
    this.objects = this.buffers.bones > 0 ? this.spots.map(create) : [];
    /** Object whose pose a dragged ragdoll follows. */
    this.puppet = this.hasRagdoll ? create() : 0;
    this.buffers.setObjects(this.objects);
    this.state = {
      step: 0,
      mode: /** @type {Told<'frame'>['mode']} */ (scene.doll ? 'start' : 'animation'),
      animation: starts[0].animation,
      time: 0,
      playing: true,
      strengths: {all: 0, bodies: {}},
      drag: null,
      push: null,
      played: null,
      fading: /** @type {Fading | null} */ (null),
    };
    this.playSteps = starts[0].play_steps;
    this.stepMs = 0;
    this.samples = [];
    this.hit = null;
    this.limits = [];
    this.#place(starts);
    this.#pose();
    this.history = new History(this);
    this.#measure();
  }

  free() {
    this.history.free();
    this.buffers.free();
    this.skelobj.worldFree(this.world);
  }

  get hasRagdoll() {
    return this.scene.doll !== null;
  }

  /** Returns how each figure starts about its spot: as in `skelobj sim`, if it is alone. */
  #starts() {
    const {
      skelobj,
      world,
      scene,
      options: {count, seed, ground, fade},
    } = this;
    if (!this.hasRagdoll) {
      const matrix = withOrigin(IDENTITY, [0, 0, -scene.lowest]);
      return Array(count).fill({matrix, angular_velocity: [0, 0, 0], animation: scene.first, play_steps: 0});
    }
    const level = count === 1 && ground === 'bsp' ? scene.level.id : 0;
    const at = {level};
    if (fade !== null) {
      // Which animation plays is asked of another world, as this one must stay new.
      const other = skelobj.worldCreate({files: skelobj.files, ...scene.physics});
      const {animation} = skelobj.dropStart(other, scene.doll.id, scene.model, at);
      skelobj.worldFree(other);
      Object.assign(at, {animation, play: 0, fade});
    }
    return Array.from({length: count}, (_, number) => {
      const own = count === 1 ? seed : seed === null ? number || CROWD_SEED : seed + number;
      const random = own === null ? {} : {is_seeded: 1, seed: BigInt.asUintN(64, BigInt(own))};
      return skelobj.dropStart(world, scene.doll.id, scene.model, {...random, ...at});
    });
  }

  /** Puts every figure where it starts, with its bodies above the floor. */
  #place(starts) {
    const {skelobj, world, scene} = this;
    this.entities = this.spots.map((spot, number) => {
      const {matrix, angular_velocity: spin} = starts[number];
      return {matrix: withOrigin(matrix, add(spot, origin(matrix))), spin};
    });
    this.buffers.setEntities(this.entities);
    if (!this.hasRagdoll) return;
    this.objects.forEach((object, number) => {
      this.#build(object, 0);
      skelobj.ragdollSet(world, object, this.entities[number].matrix, scene.doll.id);
    });
    this.limits = limitsOf(this, onBonesOf(this));
    this.command('animate 1');
  }

  /** Poses an object with the animation that plays. */
  #build(object, time) {
    const {skelobj, scene, state, world} = this;
    const {animation} = state;
    if (animation >= 0) this.buffers.build(world, object, animation, time);
    else skelobj.setPose(world, object, Space.LOCAL, this.buffers.bind, scene.data.bone_count);
  }

  /** Runs a command on all ragdolls. */
  command(text) {
    if (!this.hasRagdoll) return;
    this.objects.forEach((_, number) => this.commandOne(number, text));
  }

  /** Runs a command on the ragdoll of one figure. */
  commandOne(number, text) {
    const {skelobj, world, objects, entities} = this;
    skelobj.ragdollCommand(world, objects[number], entities[number].matrix, text, this.#source(number));
  }

  #source(number) {
    return this.state.drag?.number === number ? this.puppet : 0;
  }

  get #isHeld() {
    const {all, bodies} = this.state.strengths;
    return all > 0 || Object.values(bodies).some(value => value > 0);
  }

  /** Carries the figures of a death that fades on, and returns whether it still does. */
  #fades() {
    const {state} = this;
    if (!state.fading) return false;
    const {step, time, fade, push, entities, centres} = state.fading;
    const passed = Math.fround((state.step - step) * STEP);
    if (passed >= Math.fround(fade)) {
      state.fading = null;
      return false;
    }
    state.time = time + passed;
    this.entities = entities.map(({matrix, spin}, number) => {
      const turned = product(
        rotated(add([0, 0, 0], spin, passed)),
        withOrigin(matrix, sub(origin(matrix), centres[number])),
      );
      const at = add(add(centres[number], push, passed), origin(turned));
      return {matrix: withOrigin(turned, at), spin};
    });
    this.buffers.setEntities(this.entities);
    return true;
  }

  /** Poses all figures for the state, and moves their ragdolls along. */
  #pose() {
    const {state, world} = this;
    const isFading = this.#fades();
    const isPlayed = state.mode !== 'falling' || this.#isHeld || isFading;
    if (isPlayed) state.played = {clip: state.animation, time: state.time};
    if (state.mode === 'start' && state.step === this.playSteps) return this.release({isStart: true});
    if (isPlayed) this.objects.forEach(object => this.#build(object, state.time));
    if (state.drag) Drag.move(this);
    if (!this.hasRagdoll) return undefined;
    this.buffers.update(world, this.objects, number => this.#source(number));
    return undefined;
  }

  /** Returns the vertices that the clip moves, if they are not those of the last call. */
  morphs() {
    const {played} = this.state;
    const key = JSON.stringify(played);
    if (!played || this.told === key) return [];
    this.told = key;
    return this.buffers.morphs(played.clip, played.time);
  }

  /** Makes one step, with what the log has for it. */
  advance() {
    const {skelobj, state, world} = this;
    const before = performance.now();
    this.history.replay();
    if (state.push) this.shoot(state.push);
    state.push = null;
    this.ground.advance((state.step + 1) * FRAME);
    skelobj.expect(skelobj.raw.skelobj_step(world, FRAME, 0));
    state.step++;
    if (state.playing) state.time = state.mode === 'start' ? Math.fround(state.step * STEP) : state.time + FRAME;
    this.#pose();
    this.stepMs += (performance.now() - before - this.stepMs) * (state.step < 2 ? 1 : FRESH);
    this.history.keep();
    this.#measure();
  }

  #measure() {
    const {state} = this;
    this.metrics = this.buffers.measure(this.world, this.objects);
    const {gap, excess, speed, energy} = this.metrics;
    this.samples.push(state.step * FRAME, gap, excess, speed, energy, MODES.indexOf(state.mode));
  }

  /** Does what the page asks for, now and again when the fall is repeated from an earlier step. */
  act(action) {
    this.history.add(action);
    this.perform(action);
  }

  perform(action) {
    this[action.type](action);
  }

  // Actions. They read nothing but the state, the world and their action, so that they can be repeated.

  joint({name, on}) {
    const joints = name === null ? (this.scene.doll?.joints.map(joint => joint.name) ?? []) : [name];
    joints.forEach(joint => this.command(`enablejoint ${quoted(joint)} ${on ? 1 : 0}`));
  }

  strength({body, value}) {
    const {strengths} = this.state;
    this.state.fading = null;
    if (body === null) {
      [strengths.all, strengths.bodies] = [value, {}];
      this.command(`animate ${value}`);
    } else {
      strengths.bodies[body] = value;
      this.command(`animatebody ${quoted(body)} ${value}`);
    }
  }

  muscle({value}) {
    this.command(`muscle ${value}`);
  }

  /** Lets all figures go, over a time. `isStart`: with the spin and the push of a fall. */
  release({isStart = false, fade = this.options.fade ?? 0} = {}) {
    const {skelobj, state, world, ground} = this;
    if (!this.hasRagdoll) return;
    state.mode = 'falling';
    state.strengths = {all: 0, bodies: {}};
    this.command('');
    // A fade that ends within a step is a cut.
    const fades = fade > STEP && state.animation >= 0;
    this.command(`animate 0${fades ? ` ${fade}` : ''}`);
    const centres = this.objects.map(object => skelobj.ragdollInfo(world, object).centre);
    const [push, entities] = isStart
      ? [ground.push, this.entities]
      : [[0, 0, 0], this.entities.map(({matrix}) => ({matrix, spin: [0, 0, 0]}))];
    state.fading = fades ? {step: state.step, time: state.time, fade, push, entities, centres} : null;
    if (!isStart) return;
    this.objects.forEach((object, number) =>
      skelobj.ragdollAddVelocity(world, object, push, entities[number].spin, centres[number]),
    );
    this.command('');
  }

  animation({index, time, playing}) {
    const {state} = this;
    const isNew = state.mode !== 'animation';
    Object.assign(state, {mode: 'animation', animation: index, time, playing, drag: null, fading: null});
    if (isNew && this.hasRagdoll) {
      this.objects.forEach(object => this.#build(object, time));
      this.command('animate 1');
    }
    this.#pose();
  }

  /** Traces a ray and returns what it hits, with the number of the figure. */
  trace(from, direction, far = FAR * Math.max(1, this.scene.unit)) {
    const scale = far / (length(direction) || 1);
    const hit = this.skelobj.trace(this.world, {start: from, end: add(from, direction, scale)});
    return hit.fraction < 1 ? {...hit, number: this.objects.indexOf(hit.object)} : null;
  }

  /** Pushes what a ray hits, as if all of it had the speed. */
  shoot({origin, direction, speed}) {
    const hit = this.trace(origin, direction);
    this.hit = hit?.point ?? null;
    if (!hit || hit.number < 0) return;
    const size = (speed * this.scene.mass) / (length(direction) || 1);
    this.skelobj.ragdollImpulse(
      this.world,
      hit.object,
      hit.bone,
      hit.point,
      direction.map(part => part * size),
      null,
    );
  }

  /** Pushes in the next step, once however often it is asked for. */
  push({origin, direction, acceleration}) {
    this.state.push = {origin, direction, speed: acceleration * FRAME};
  }

  drag({phase, origin, direction}) {
    if (phase === 'start') Drag.start(this, origin, direction);
    else if (this.state.drag && phase === 'move') Drag.aim(this, origin, direction);
    else if (this.state.drag) Drag.end(this);
  }

  /** Gets up from where the first figure lies; throws if no animation fits. */
  getup() {
    const {skelobj, world, scene, state} = this;
    const {getUps} = scene;
    if (!this.hasRagdoll) throw new Error('nothing has fallen');
    if (this.objects.length > 1) throw new Error('a crowd does not get up');
    if (getUps.length === 0) throw new Error('no animation of this model is called "getup"');
    const near = NEAR * Math.max(scene.unit, scene.height / HEIGHT);
    const ids = this.buffers.numbers(getUps);
    const match = skelobj.matchPose(world, this.objects[0], scene.model, ids, getUps.length, near);
    const above = this.trace(add(match.origin, [0, 0, ABOVE * scene.unit]), [0, 0, -1], DOWN * scene.unit);
    const origin = above && above.number < 0 ? above.point : match.origin;
    const matrix = skelobj.entityMatrix(world, origin, [0, match.yaw, 0], 1);
    this.entities = this.entities.map(entity => ({...entity, matrix: Array.from(matrix)}));
    this.buffers.setEntities(this.entities);
    Object.assign(state, {
      mode: 'getup',
      animation: match.animation,
      time: match.time,
      playing: true,
      drag: null,
      fading: null,
    });
    state.strengths = {all: 0, bodies: {}};
    this.objects.forEach(object => this.#build(object, state.time));
    this.command(`animate 1 ${BLEND}`);
  }

  // What a moment is, beside the world.

  get moment() {
    return structuredClone({state: this.state, entities: this.entities});
  }

  set moment(moment) {
    const {state, entities} = structuredClone(moment);
    Object.assign(this, {state, entities});
    this.buffers.setEntities(entities);
  }

  /** Goes where another fall of the same figure is, if all that happened in it is known; returns whether it is. */
  follow(/** @type {Fall} */ {history, state, objects}) {
    if (history.earliest > 0 || objects.length > 1) return false;
    this.history.log = history.log.slice(0, history.done);
    while (this.state.step < state.step) this.advance();
    this.history.replay();
    return true;
  }

  /** Goes to a step of the past, or of the future that was seen before. */
  seek(step) {
    this.history.restore(step);
    while (this.state.step < step) this.advance();
    this.samples = [];
    this.#measure();
  }
}
