// What falls: a model with its files, its doll, and a map.
import {Part} from '../skelobj.js';
import {clipsOf} from './clips.js';
import * as dolls from './dolls.js';
import {base, besideOf, isPart, lacks, PARTS, playerOf, sort, uselessness} from './files.js';
import {Level} from './level.js';
import {materialOf, materialsOf, pictureNames} from './materials.js';
import {length} from './matrix.js';
/** @import {Skelobj, SkelobjModel} from '../skelobj.js' */

/** Files that one message names at most. */
const MAX_NAMED = 6;

/** Returns what `use` does with a file; its error begins with the name of the file, and has the error as its cause. */
function named(/** @type {Skelobj} */ skelobj, {name}, use) {
  try {
    return use();
  } catch (error) {
    if (skelobj.isDead) throw error;
    throw new Error(`${name}: ${error.message}`, {cause: error});
  }
}

/** Loads a Quake III player as one model. Its files are found by their names, whatever their folder. */
function openPlayer(/** @type {Skelobj} */ skelobj, files) {
  for (const {name, bytes} of files) skelobj.putFile(base(name), bytes);
  const player = skelobj.playerLoad('player', 'default', {files: skelobj.files});
  try {
    return skelobj.playerModel(player, Part.WHOLE);
  } finally {
    if (!skelobj.isDead) skelobj.playerFree(player);
  }
}

/** Returns the warnings of a model, each with a name in front. */
function warningsOf(/** @type {Skelobj} */ skelobj, name, model) {
  const {warnings, warning_count} = skelobj.modelData(model);
  return [...skelobj.words(warnings, warning_count)].map(address => `${name}: ${skelobj.text(address)}`);
}

/** Loads a model, joins the other models to it, and returns its id with what there is to tell about the files. */
function open(/** @type {Skelobj} */ skelobj, models, files) {
  skelobj.clearFiles();
  for (const {name, bytes} of files) skelobj.putFile(name, bytes);
  const player = playerOf(models);
  const [main, ...others] = models;
  const load = ({name, bytes}) => skelobj.modelLoad(name, bytes, {files: skelobj.files});
  let model = named(skelobj, main, () => (player ? openPlayer(skelobj, [...files, ...player.parts]) : load(main)));
  // Which part of a player a warning is about is not known.
  const warnings = [...lacks(models), ...warningsOf(skelobj, player ? 'player' : main.name, model)];
  for (const {name, bytes} of player?.others ?? others) {
    try {
      const other = load({name, bytes});
      warnings.push(...warningsOf(skelobj, name, other));
      const [joined] = skelobj.modelJoin(model, other);
      skelobj.modelFree(model);
      skelobj.modelFree(other);
      model = joined;
    } catch (error) {
      if (skelobj.isDead) throw error;
      warnings.push(`${name}: ${error.message}`);
    }
  }
  return {model, warnings};
}

/** Calls `use` with the data and the id of a model; returns null if the file is not usable. */
function withModel(/** @type {Skelobj} */ skelobj, {name, bytes}, files, use) {
  skelobj.clearFiles();
  for (const file of files) skelobj.putFile(file.name, file.bytes);
  let model = /** @type {SkelobjModel} */ (0);
  try {
    model = skelobj.modelLoad(name, bytes, {files: skelobj.files});
    return use(skelobj.modelData(model), model);
  } catch (error) {
    if (skelobj.isDead) throw error;
    return null;
  } finally {
    if (model && !skelobj.isDead) skelobj.modelFree(model);
  }
}

/** Returns the names of the pictures that the meshes of a model's data have outside of their file. */
function picturesOf(/** @type {Skelobj} */ skelobj, data) {
  const look = materialsOf(skelobj, data);
  const meshes = skelobj.structs('SkelobjMesh', data.meshes, data.mesh_count);
  const isInside = mesh => materialOf(look, mesh)?.texture_bytes;
  return meshes.flatMap((mesh, number) => (isInside(mesh) ? [] : pictureNames(skelobj, look, mesh, number)));
}

/** Returns whether a file has nothing but animations of the bones of the model that runs. */
function isMotion(/** @type {Skelobj} */ skelobj, file, files, running) {
  return (
    withModel(skelobj, file, files, ({mesh_count, animation_count, bone_count}, model) => {
      if (mesh_count > 0 || animation_count === 0 || bone_count === 0) return false;
      const [joined, {matched}] = skelobj.modelJoin(running, model);
      skelobj.modelFree(joined);
      return matched * 2 > bone_count;
    }) ?? false
  );
}

export class Scene {
  /** Extent of the model, units, as the session measures it: `lowest` is where it begins below its origin. */
  width = 0;
  height = 0;
  lowest = 0;

  /** Loads the files of a scene; throws if they are not usable. */
  constructor(/** @type {Skelobj} */ skelobj, {models, files, doll, level, scale = 1, warnings: known = []}) {
    this.skelobj = skelobj;
    this.files = files;
    const player = playerOf(models);
    this.models = player ? [...player.parts, ...player.others] : models;
    const {model, warnings} = open(skelobj, this.models, files);
    this.scale = scale;
    try {
      this.model = scale === 1 ? model : skelobj.modelScale(model, scale);
    } finally {
      if (this.model !== model && !skelobj.isDead) skelobj.modelFree(model);
    }
    this.warnings = [...known, ...warnings];
    this.name = this.models[0].name;
    this.data = skelobj.modelData(this.model);
    this.animations = skelobj.structs('SkelobjAnimation', this.data.animations, this.data.animation_count);
    /** Meshes that are shown: those with vertices that do not replace others from afar. */
    this.meshes = skelobj
      .structs('SkelobjMesh', this.data.meshes, this.data.mesh_count)
      .map((mesh, number) => ({...mesh, number}))
      .filter(({positions, min_distance}) => positions && !(min_distance > 0));
    this.clips = clipsOf(this.animations);
    this.level = null;
    try {
      this.setDoll(doll ?? this.#ownDoll());
      if (level) this.setLevel(level);
    } catch (error) {
      if (!skelobj.isDead) this.free();
      throw error;
    }
  }

  /** Returns the doll beside the model, or a fitted one. */
  #ownDoll() {
    const text = dolls.fit(this.skelobj, this.model, this.name);
    return text === null ? null : {name: this.name.replace(/\.[^.]*$/, '') + '.doll', text, isFitted: true};
  }

  /** Takes a doll, with errors or without; `null` is none. */
  setDoll(doll) {
    const parsed = doll && dolls.parse(this.skelobj, doll.text, this.model);
    if (this.doll) this.skelobj.dollFree(this.doll.id);
    this.doll = parsed && parsed.bodies.length > 0 ? parsed : null;
    if (parsed && !this.doll) this.skelobj.dollFree(parsed.id);
    this.dollFile = doll;
    this.physics = this.doll ? this.#physics() : {};
    const {length_unit: usual} = this.skelobj.defaultWorldDef();
    /** Factor of all lengths of physics: 1 unless the doll is so large or small that it is in another unit. */
    this.unit = (this.physics.length_unit ?? usual) / usual;
    this.mass = this.doll ? this.doll.bodies.reduce((sum, {mass}) => sum + mass, 0) : 0;
    this.weight = this.mass * length(this.physics.gravity ?? [0, 0, 0]);
  }

  /** Returns settings of physics for the size of the doll. */
  #physics() {
    const {gravity, length_unit, sleep_speed} = this.skelobj.dropWorldDef(this.doll.id, this.model);
    return {gravity, length_unit, sleep_speed};
  }

  setLevel(file) {
    const level = named(this.skelobj, file, () => new Level(this.skelobj, file));
    this.level?.free();
    this.level = level;
  }

  /** Returns what another instance needs to load the same. */
  get source() {
    return {
      models: this.models,
      files: this.files,
      doll: this.dollFile,
      level: this.level?.file ?? null,
      scale: this.scale,
    };
  }

  /** Clip of a model that does not fall, -1 without any: the first that moves. */
  get first() {
    const {clips, animations} = this;
    const found = clips.findIndex(({first, count}) => count > 1 || animations[first].poses > 1);
    return found >= 0 ? found : animations.length > 0 ? 0 : -1;
  }

  /** Animations in which a character gets up. */
  get getUps() {
    const numbers = this.animations.map((_, number) => number);
    const {skelobj, model} = this;
    const has = number => ['getup', 'standup', 'rise'].some(word => skelobj.modelAnimationHasWord(model, number, word));
    return numbers.filter(has);
  }

  free() {
    this.setDoll(null);
    this.level?.free();
    this.skelobj.modelFree(this.model);
  }
}

/** Returns a map with a palette that came with it or after it; without one, with the palette that it has. */
const withPalette = (level, palette) => (level && palette ? {...level, palette: palette.bytes} : level);

/** Returns the source of a scene of the page, with built-in files where it has none. */
export function sourceOf(/** @type {Skelobj} */ skelobj, given, builtins) {
  const builtin = given.model ? null : (builtins[given.builtin ?? 'mannequin'] ?? builtins.mannequin);
  const own = given.model ? {model: given.model, side: [], doll: null} : builtin;
  const side = [...own.side, ...(given.side ?? [])];
  const sorted = sort(skelobj, [own.model, ...side]);
  const isModel = sorted.models.some(({bytes}) => bytes === own.model.bytes);
  return {
    // Loading what is no model throws, and tells why.
    models: isModel ? sorted.models : [own.model, ...sorted.models],
    files: sorted.all,
    doll: given.doll ?? own.doll ?? sorted.doll,
    level: withPalette(given.level ?? sorted.level, sorted.palette),
    scale: given.scale ?? 1,
    warnings: sorted.unused.map(told),
  };
}

/** Names a file of no use, and tells why. */
const told = ({name, reason}) => `${name}: ${reason}`;

/** Names files of no use, each on a line. */
export function complaint(unused) {
  const lines = unused.slice(0, MAX_NAMED).map(told);
  return [
    ...lines,
    ...(unused.length > MAX_NAMED ? [`and ${unused.length - MAX_NAMED} more files of no use`] : []),
  ].join('\n');
}

/** Returns dropped models with the parts of a player that runs already, if they complete it. */
function completed(models, running) {
  const lacking = running.models.filter(
    old => isPart(old) && !models.some(file => isPart(file) && file.part === old.part),
  );
  const isWhole = models.length > 0 && lacking.length > 0 && models.length + lacking.length === PARTS.length;
  return isWhole && models.every(isPart) ? [...lacking, ...models] : models;
}

/** Returns the source of the scene that runs with dropped files. */
export function sourceWith(/** @type {Skelobj} */ skelobj, scene, files) {
  const running = scene.source;
  const {models: dropped, doll, level, palette, others, unused} = sort(skelobj, files);
  const models = completed(dropped, running);
  const isMore =
    models.length > 0 && models.every(file => isMotion(skelobj, file, [...models, ...others], scene.model));
  const isNew = models.length > 0 && !isMore;
  const owners = isNew ? models : [...running.models, ...models];
  const before = isNew && models === dropped ? [] : running.files;
  const read = data => picturesOf(skelobj, data);
  const beside = [...models, ...others];
  const picturesIn = () =>
    isNew ? models.flatMap(file => withModel(skelobj, file, beside, read) ?? []) : read(scene.data);
  const used = besideOf(owners, before, others, picturesIn);
  const added = [...models, ...used];
  for (const file of others)
    if (!used.includes(file)) unused.push({...file, reason: uselessness(file, owners[0].name)});
  // Maps of a game have the same palette.
  const map = withPalette((level && {palette: running.level?.palette, ...level}) || running.level, palette);
  if (palette && !map) unused.push({...palette, reason: 'no map is shown that could have its colours'});
  if (added.length === 0 && !doll && map === running.level) throw new Error(complaint(unused) || 'there are no files');
  const kept = list => list.filter(old => !added.some(({name}) => name === old.name));
  return {
    models: isNew ? models : isMore ? [...kept(running.models), ...models] : running.models,
    files: [...kept(before), ...added],
    doll: doll ?? (isNew ? null : running.doll),
    level: map,
    scale: isNew ? 1 : running.scale,
    hasLevel: map !== running.level,
    dropped: doll,
    unused,
  };
}

/** Returns whether two lists have the same files. */
export function sameFiles(a, b) {
  const isSame = (one, other) =>
    one === other || (one.length === other.length && one.every((byte, at) => byte === other[at]));
  return a.length === b.length && a.every(({name, bytes}, at) => name === b[at].name && isSame(bytes, b[at].bytes));
}
