// What the page works with: an instance, a scene and its fall. The messages are those of protocol.d.ts.
import {Skelobj} from '../skelobj.js';
import {FRAME} from './commands.js';
import * as describe from './describe.js';
import * as dolls from './dolls.js';
import {Drag} from './drag.js';
import {Fall} from './fall.js';
import {Scene, complaint, sameFiles, sourceOf, sourceWith} from './scene.js';
import {words} from './words.js';
/** @import {FromWorker, Request, SceneFiles, Told} from '../protocol.d.ts' */

/** Greatest number of steps between two frames. */
const MAX_STEPS = 4;
/** Greatest size of a model that its place follows, units. */
const MAX_SIZE = 1e6;
/** Greatest factor of real time. */
const MAX_SPEED = 4;
/** Greatest number of figures. */
const MAX_FIGURES = 400;
/** Longest time in which bodies become limp, seconds. */
const MAX_FADE = 600;
/** Share of a step from which it is made: real time is a little shorter or longer than the steps in it. */
const ENOUGH = 0.999;
/** Messages that the fall handles, and its log keeps. */
const ACTIONS = ['joint', 'strength', 'muscle', 'release', 'shoot', 'push', 'drag', 'getup'];
/** Answer of a request that is answered when its work is done, while others are handled. */
const LATER = Symbol('later');
const GROUNDS = ['floor', 'stairs', 'door', 'water', 'bsp'];

export class Session {
  /** @type {Skelobj} */
  skelobj;
  /** @type {Scene} */
  scene;
  /** @type {Fall} */
  fall;
  /** @type {(message: FromWorker, moved?: Transferable[]) => void} */
  #post;
  #builtins;
  #options = {ground: 'floor', count: 1, seed: null, fade: null};
  #paused = false;
  #speed = 1;
  #ahead = 0;
  #hasContacts = false;
  #checker;

  /** `checker` checks dolls while this works on. */
  constructor(post, builtins, checker) {
    this.#post = post;
    this.#builtins = builtins;
    this.#checker = checker;
  }

  /** Starts an instance of the library with a scene. */
  async init(/** @type {{module: WebAssembly.Module, scene: SceneFiles}} */ {module, scene}) {
    this.skelobj = await Skelobj.load(module);
    const {max_gap: gap, max_stop_excess: excess, max_sleep: sleep} = this.skelobj.defaultCheckDef();
    this.#post({type: 'ready', limits: {gap, excess, sleep}, builtins: Object.keys(this.#builtins)});
    // A map that is not readable does not take the model away.
    for (const part of scene.level ? [scene, {...scene, level: undefined}] : [scene]) {
      try {
        this.on_scene({scene: part});
        break;
      } catch (error) {
        this.#tell(error);
        if (this.skelobj.isDead) break;
      }
    }
    if (!this.scene) await this.#revive();
    if (this.fall) this.#frame();
  }

  /** Sets how the fall of a scene begins: in its map, if it has one. */
  #begin(/** @type {SceneFiles} */ {level, seed, fade = this.#options.fade}) {
    this.#options = {ground: level ? 'bsp' : 'floor', count: 1, seed: seed ?? null, fade};
  }

  #load(source) {
    const scene = new Scene(this.skelobj, source);
    const [mins, maxs] = [
      [Infinity, Infinity, Infinity],
      [-Infinity, -Infinity, -Infinity],
    ];
    for (const {positions, vertex_count} of scene.meshes) {
      const floats = this.skelobj.floats(positions, vertex_count * 3);
      floats.forEach((part, at) => {
        mins[at % 3] = Math.min(mins[at % 3], part);
        maxs[at % 3] = Math.max(maxs[at % 3], part);
      });
    }
    const size = axis => Math.max(0, Math.min(MAX_SIZE, maxs[axis] - mins[axis]));
    [scene.width, scene.height] = [Math.max(size(0), size(1)), size(2)];
    scene.lowest = Math.max(-MAX_SIZE, Math.min(0, mins[2]));
    return scene;
  }

  /** Replaces the scene, tells the page what it has, and lets it fall. */
  #show(scene) {
    let fall;
    try {
      fall = new Fall(this.skelobj, scene, this.#options);
    } catch (error) {
      if (!this.skelobj.isDead) scene.free();
      throw error;
    }
    this.fall?.free();
    this.scene?.free();
    [this.scene, this.fall] = [scene, fall];
    this.#post(describe.model(this.skelobj, scene));
    this.#tellDoll();
    this.#tellGround();
  }

  #tellGround() {
    const {ground} = this.fall;
    this.#post(ground.describe());
    if (ground.note) this.#post({type: 'note', text: ground.note});
  }

  #tellDoll(problems, answer = {isAnswer: false, isKept: false}) {
    const {skelobj, scene} = this;
    const found = problems ?? (scene.dollFile ? dolls.lint(skelobj, scene.dollFile.text, scene.model) : []);
    this.#post(describe.doll(skelobj, scene, this.fall, found, answer));
    if (!scene.dollFile)
      this.#post({type: 'note', text: `${scene.name} has no bones that could fall: only its animations play`});
  }

  /** Starts the fall again. `keeps`: goes on where it was, if it can; returns whether it does. */
  #restart(options, keeps = false) {
    const {kind, unit} = this.fall.ground;
    const next = {...this.#options, ...options};
    const fall = new Fall(this.skelobj, this.scene, next);
    const isKept = keeps && fall.follow(this.fall);
    this.fall.free();
    [this.fall, this.#options] = [fall, next];
    if (fall.ground.kind !== kind || fall.ground.unit !== unit || 'ground' in options) this.#tellGround();
    if (fall.spots.length < next.count) this.#post({type: 'note', text: `there is room for ${fall.spots.length} here`});
    return isKept;
  }

  #tell(error) {
    this.#post({type: 'error', text: error.message});
  }

  /** Replaces an instance that met a defect, with what it had. */
  async #revive() {
    const source = this.scene?.source;
    [this.scene, this.fall] = [null, null];
    this.#begin({});
    for (const one of source ? [source, null] : [null]) {
      try {
        this.skelobj = await Skelobj.load(this.skelobj.module);
        this.#show(this.#load(one ?? sourceOf(this.skelobj, {}, this.#builtins)));
        return;
      } catch (error) {
        this.#tell(error);
      }
    }
  }

  /** Handles a message of the page. */
  async handle(message) {
    const {type, id} = message;
    try {
      const answer = await this.#respond(message);
      if (id !== undefined && answer !== LATER) this.#post({type: 'answer', id, ...answer});
    } catch (error) {
      // A trap in a raw call says no more than that it is one.
      if (error instanceof WebAssembly.RuntimeError) this.skelobj.isDead = true;
      if (id !== undefined) this.#post({type: 'answer', id, error: error.message});
      else this.#tell(error);
      if (this.skelobj?.isDead) await this.#revive();
      // The page asks for another frame when it has this one.
      if (type === 'next' && this.fall) this.#frame();
    }
  }

  #respond(message) {
    const {type} = message;
    if (type === 'init') return this.init(message);
    if (!this.fall) throw new Error('nothing is loaded');
    if (ACTIONS.includes(type)) return this.fall.act(message);
    if (!this[`on_${type}`]) throw new Error(`there is no message "${type}"`);
    return this[`on_${type}`](message);
  }

  on_scene(/** @type {{scene: SceneFiles}} */ {scene}) {
    const before = this.#options;
    try {
      this.#begin(scene);
      this.#show(this.#load(sourceOf(this.skelobj, scene, this.#builtins)));
    } catch (error) {
      this.#options = before;
      throw error;
    }
  }

  on_load(/** @type {Request<'load'>} */ {files}) {
    const {skelobj, scene} = this;
    const source = sourceWith(skelobj, scene, files);
    const isSame = source.models === scene.models && sameFiles(source.files, scene.files);
    const told = () => ({
      doll: source.dropped,
      unused: source.unused.map(({bytes}) => files.findIndex(file => file.bytes === bytes)),
      complaint: complaint(source.unused),
    });
    if (isSame && source.doll !== scene.dollFile && !source.hasLevel) {
      const {problems} = this.on_doll({text: source.doll.text, name: source.doll.name});
      return {problems, ...told()};
    }
    try {
      this.#take(source);
    } catch (error) {
      const isAlone = isSame && !source.dropped;
      if (!source.hasLevel || isAlone || skelobj.isDead) throw error;
      // What was dropped with a map that is not readable is shown all the same.
      this.#take({...source, level: scene.level?.file ?? null, hasLevel: false});
      source.unused.push({...source.level, reason: (error.cause ?? error).message});
    }
    const {dollFile, model} = this.scene;
    return {problems: dollFile ? dolls.lint(skelobj, dollFile.text, model) : [], ...told()};
  }

  /** Shows a scene, in its map if that is new. */
  #take(source) {
    const before = this.#options;
    if (source.hasLevel) this.#options = {...before, ground: 'bsp', count: 1};
    try {
      this.#show(this.#load(source));
    } catch (error) {
      this.#options = before;
      throw error;
    }
  }

  on_doll(/** @type {{id?: number, text: string, name?: string, keeps?: boolean}} */ {id, text, name, keeps}) {
    const {skelobj, scene} = this;
    const problems = dolls.lint(skelobj, text, scene.model);
    const old = scene.dollFile;
    if (dolls.hasErrors(problems)) return {problems};
    let isKept;
    try {
      scene.setDoll({name: name ?? old?.name ?? 'new.doll', text});
      isKept = this.#restart({}, keeps);
    } catch (error) {
      if (skelobj.isDead) throw error;
      scene.setDoll(old);
      this.#restart({});
      throw error;
    }
    this.#tellDoll(problems, {isAnswer: id !== undefined, isKept});
    return {problems};
  }

  on_check(/** @type {Request<'check'>} */ {id, text, drops}) {
    const request = {module: this.skelobj.module, source: this.scene.source, text, drops};
    this.#checker
      .run(request, seconds => this.#post({type: 'checking', seconds}))
      .then(
        problems => this.#post({type: 'answer', id, problems}),
        error => this.#post({type: 'answer', id, error: error.message}),
      );
    return LATER;
  }

  on_uncheck() {
    this.#checker.stop();
  }

  on_fit() {
    const text = dolls.fit(this.skelobj, this.scene.model, this.scene.name);
    if (text === null) throw new Error(`${this.scene.name} has nothing to which a doll could be fitted`);
    return {text};
  }

  on_format(/** @type {Request<'format'>} */ {text}) {
    return {text: this.skelobj.dollFormat(text)};
  }

  on_words() {
    return {words: words(this.skelobj)};
  }

  on_play(/** @type {Request<'play'>} */ {speed, paused}) {
    [this.#speed, this.#paused] = [Math.min(MAX_SPEED, Math.max(0, speed)), paused];
  }

  on_step() {
    this.#paused = true;
    this.fall.advance();
    this.#frame();
  }

  on_seek(/** @type {Request<'seek'>} */ {time}) {
    const {history} = this.fall;
    const step = Math.round(time / FRAME);
    this.fall.seek(Math.min(history.latest, Math.max(history.earliest, step)));
    this.#frame();
  }

  on_drop(/** @type {Request<'drop'>} */ {seed}) {
    this.#restart({seed});
  }

  on_fade(/** @type {Request<'fade'>} */ {seconds}) {
    if (seconds !== null && !(seconds >= 0 && seconds <= MAX_FADE))
      throw new Error(`a fade takes 0 to ${MAX_FADE} seconds`);
    this.#restart({fade: seconds});
  }

  on_reset() {
    this.#restart({});
  }

  on_ground(/** @type {Request<'ground'>} */ {ground}) {
    if (!GROUNDS.includes(ground)) throw new Error(`there is no ground "${ground}"`);
    if (ground === 'bsp' && !this.scene.level) throw new Error('no map is loaded: drop a .bsp file');
    this.#restart({ground});
  }

  on_crowd(/** @type {Request<'crowd'>} */ {count}) {
    if (!(count >= 1 && count <= MAX_FIGURES)) throw new Error(`a crowd has 1 to ${MAX_FIGURES} figures`);
    this.#restart({count: Math.floor(count)});
  }

  on_animation(/** @type {Request<'animation'>} */ {index, ...rest}) {
    if (index === null) return this.#restart({});
    if (!(index >= -1 && index < this.scene.clips.length)) throw new Error(`there is no animation ${index}`);
    return this.fall.act({type: 'animation', index, ...rest});
  }

  /** Goes on by some real time, and shows it. */
  on_next(/** @type {{seconds?: number, contacts?: boolean}} */ {seconds = FRAME, contacts = false}) {
    this.#hasContacts = contacts;
    if (!this.#paused) this.#ahead = Math.min(this.#ahead + seconds * this.#speed, MAX_STEPS * FRAME);
    while (this.#ahead >= FRAME * ENOUGH) {
      this.#ahead -= FRAME;
      this.fall.advance();
    }
    this.#frame();
  }

  #frame() {
    const {fall} = this;
    const {state, metrics, history, objects, world, buffers} = fall;
    const samples = Float32Array.from(fall.samples);
    fall.samples.length = 0;
    /** @type {Told<'frame'>} */
    const frame = {
      type: 'frame',
      time: state.step * FRAME,
      earliest: history.earliest * FRAME,
      latest: history.latest * FRAME,
      count: buffers.count,
      palettes: buffers.worldPalettes(world),
      bodies: buffers.worldBodies(world, objects),
      joints: buffers.worldJoints(world, objects[0]),
      contacts: buffers.worldContacts(world, this.#hasContacts ? objects : []),
      morphs: fall.morphs(),
      doors: fall.ground.places(state.step * FRAME),
      samples,
      metrics: {...metrics, stepMs: fall.stepMs},
      drag: Drag.line(fall),
      hit: fall.hit,
      mode: state.mode,
      animation: state.mode === 'falling' ? null : {index: state.animation, time: state.time},
    };
    fall.hit = null;
    const moved = ['palettes', 'bodies', 'joints', 'contacts', 'doors', 'samples'].map(name => frame[name].buffer);
    this.#post(frame, [
      ...moved,
      ...frame.morphs.flatMap(({positions, normals}) => [positions.buffer, normals.buffer]),
    ]);
  }
}
