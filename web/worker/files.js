// Files that were dropped: which of them is what.
import {plain} from '../page/lines.js';
import {isPalette} from './level.js';
/** @import {Skelobj} from '../skelobj.js' */

/** Maximum size of all files together, bytes. */
export const MOST = 64 << 20;

export const base = name => name.split(/[\\/]/).pop();
/** Name of a file by which others find it: without its folder, in lower case. */
export const plainName = name => base(name).toLowerCase();
const extension = name => plainName(name).match(/\.([^.]+)$/)?.[1] ?? '';

function isLevel(bytes) {
  const [a, b, c, d] = bytes;
  const magic = String.fromCharCode(a, b, c, d);
  const version = a | (b << 8) | (c << 16) | (d << 24);
  // Quake and Half-Life have their version in front.
  return ['IBSP', 'RBSP', 'FBSP', 'BSP2', '2PSB'].includes(magic) || version === 29 || version === 30;
}

const isImage = name => ['png', 'jpg', 'jpeg', 'tga', 'pcx', 'bmp', 'webp'].includes(extension(name));

const ARCHIVES = ['zip', 'pk3', 'pk4', 'pak', 'rar', '7z', 'gz'];

/** Returns what the library says that a file is, to go on from "it is"; null if it knows no such format. */
function foreign(/** @type {Skelobj} */ skelobj, name, bytes) {
  try {
    skelobj.modelFree(skelobj.modelLoad(name, bytes, null));
    return null;
  } catch ({message}) {
    return /: the file is (.*)/s.exec(message)?.[1] ?? null;
  }
}

/** Returns why a file with the name of a doll is none; null if it is a text that is in no other format. */
function notDoll(/** @type {Skelobj} */ skelobj, name, bytes, text) {
  const [isModel, {name: format, extension: usual}] = skelobj.formatDetect(bytes);
  // The format without an ending of its own is told from a word, with which a doll might begin.
  if (isModel && usual) return `it is not a doll: its format is ${format}`;
  if (!text.includes('\0')) return null;
  const known = foreign(skelobj, name, bytes)?.replace(/:.*/s, '');
  return `it is not a doll, which is a text${known ? `: it is ${known}` : ''}`;
}

/**
 * Sorts files: `{models, doll, level, palette, others, unused}`. The doll is a text with LF alone, and has the line end
 * of the file. The palette is that of a game, for its maps. `unused` are those of no use, with `why`; whether `others`
 * are of use depends on the models.
 */
export function sort(/** @type {Skelobj} */ skelobj, files) {
  const {kept, left} = onePlayer(files);
  const sorted = {models: [], doll: null, level: null, palette: null, others: [], unused: left};
  const list = {dolls: [], maps: [], palettes: []};
  const total = files.reduce((sum, {bytes}) => sum + bytes.length, 0);
  if (total > MOST) throw new Error(`the files have ${(total / (1 << 20)).toFixed(0)} MB together; 64 are allowed`);
  for (const given of kept) {
    const {name, bytes} = given;
    const file = {name: base(name), bytes};
    const beside = {name: name.replaceAll('\\', '/'), bytes};
    const leave = why => sorted.unused.push({...given, why});
    if (bytes.length === 0) leave('it is empty');
    else if (ARCHIVES.includes(extension(name))) leave('it is an archive: unpack it, and drop the files in it');
    else if (extension(name) === 'doll') {
      const text = skelobj.dollDecode(bytes);
      const why = notDoll(skelobj, name, bytes, text);
      if (why) leave(why);
      else list.dolls.push([given, {name: file.name, ...plain(text)}]);
    } else if (isImage(name)) sorted.others.push(beside);
    else if (isLevel(bytes)) list.maps.push([given, file]);
    else if (plainName(name) === 'palette.lmp') {
      if (isPalette(bytes)) list.palettes.push([given, file]);
      else leave('it is not a palette, which has 768 bytes');
    } else if (extension(name) === 'bsp') leave('it is not a map in a known format');
    else if (skelobj.formatDetect(bytes)[0] === 1) sorted.models.push(file);
    else if (extension(name) === 'map') leave('it is the source of a map: compile it to a .bsp, and drop that');
    else sorted.others.push(beside);
  }
  const last = [list.dolls, list.maps, list.palettes].map(all => all.at(-1)?.[1] ?? null);
  [sorted.doll, sorted.level, sorted.palette] = last;
  for (const [kind, all] of Object.entries(list)) {
    for (const [given] of all.slice(0, -1))
      sorted.unused.push({...given, why: `of several ${kind}, the last is used: ${all.at(-1)[0].name}`});
  }
  return sorted;
}

/** Files of a Quake III player's parts, from the feet up, and those beside them that it is made of. */
export const PARTS = ['lower.md3', 'upper.md3', 'head.md3'];
const PART_FILES = ['animation.cfg', 'lower_default.skin', 'upper_default.skin', 'head_default.skin'];

export const isPart = ({name}) => PARTS.includes(plainName(name));

const folderOf = ({name}) => name.split(/[\\/]/).slice(0, -1).join('/');

/**
 * Returns the files without those of all players but one, and these, with the reason. If the parts of players are in
 * one folder each, the last player stays, with what is in its folder; or else the last file of each part.
 */
function onePlayer(files) {
  const parts = files.filter(isPart);
  const folders = [...new Set(parts.map(folderOf))];
  const partsIn = folder => parts.filter(file => folderOf(file) === folder);
  const named = (among, part) => among.filter(({name}) => plainName(name) === part);
  if (PARTS.every(part => named(parts, part).length < 2)) return {kept: files, left: []};
  const own = folders.findLast(folder => PARTS.every(part => named(partsIn(folder), part).length > 0));
  // Folders may be in others. In none, only what has the name of a player's file is known to be one.
  const isNamed = file => isPart(file) || PART_FILES.includes(plainName(file.name));
  const isIn = (file, folder) => (folder ? `${folderOf(file)}/`.startsWith(`${folder}/`) : isNamed(file));
  const ownerOf = file => folders.filter(folder => isIn(file, folder)).sort((a, b) => b.length - a.length)[0];
  const reason = file => {
    const isOther = own !== undefined && (ownerOf(file) ?? own) !== own;
    if (isOther) return `of several players, the last is used: ${own || 'the one without a folder'}`;
    const same = isPart(file) ? named(own === undefined ? parts : partsIn(own), plainName(file.name)) : [file];
    return same.at(-1) === file
      ? null
      : 'of several players, the last file of each part is used: drop folders to keep them apart';
  };
  const told = files.map(file => ({file, why: reason(file)}));
  return {
    kept: told.filter(({why}) => !why).map(({file}) => file),
    left: told.filter(({why}) => why).map(({file, why}) => ({...file, why})),
  };
}

/** Returns which files are needed besides a part of a player that is alone: a list of one message, or none. */
export function lacks(models) {
  const [part, ...more] = models.filter(isPart);
  if (!part || more.length > 0) return [];
  const others = PARTS.filter(other => other !== plainName(part.name)).join(' and ');
  return [`${part.name} is a part of a Quake III player: drop it with ${others} to see the whole`];
}

/**
 * Returns the parts of a player and the other models; null if fewer than two parts are there. Throws if one is missing.
 */
export function playerOf(models) {
  const parts = PARTS.map(part => models.find(({name}) => plainName(name) === part));
  const found = parts.filter(part => part);
  if (found.length < 2) return null;
  const missing = PARTS.find((_, number) => !parts[number]);
  if (missing)
    throw new Error(
      `${found.map(({name}) => name).join(' and ')} are parts of a Quake III player: drop them with ${missing}`,
    );
  return {parts, others: models.filter(file => !parts.includes(file))};
}

/** Returns whether a text has a name that is not a part of a longer one. */
function hasName(text, name) {
  const isInName = letter => letter !== undefined && /[\p{L}\p{N}_-]/u.test(letter);
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    if (!isInName(text[at - 1]) && !isInName(text[at + name.length])) return true;
  }
  return false;
}

/**
 * Returns those of `others` that are beside models: named in these or in texts beside them, or named as these are.
 * `picturesIn` returns the names of the pictures of the models' materials; it is slow.
 */
export function besideOf(models, files, others, picturesIn) {
  if (others.length === 0) return [];
  const decoder = new TextDecoder();
  const known = new Map();
  const read = ({bytes}) => {
    if (!known.has(bytes)) known.set(bytes, decoder.decode(bytes).toLowerCase());
    return known.get(bytes);
  };
  const isModel = file => models.some(({bytes}) => bytes === file.bytes);
  const isText = file => !isImage(file.name) && !isModel(file);
  const owners = models.map(({name}) => plainName(name));
  const isPlayer = models.some(isPart);
  const contents = models.map(read);
  const pictures = picturesIn();
  const isOwned = name =>
    owners.some(
      owner =>
        name === `${owner}.framegroups` || (extension(name) === 'mdl' && name.startsWith(owner.replace(/\.mdl$/, ''))),
    );
  const isNamed = (file, texts) => {
    const own = plainName(file.name);
    if ((isPlayer && PART_FILES.includes(own)) || isOwned(own)) return true;
    if (pictures.some(stated => picture([file], stated))) return true;
    const encoded = name => encodeURIComponent(name.toWellFormed()).toLowerCase();
    const has = (text, name) => hasName(text, name) || hasName(text, encoded(name));
    // A word alone is that of a bone or of anything else, unless it stands where addresses do.
    if (!own.includes('.')) return [...contents, ...texts].some(text => text.includes(`"${own}"`));
    // Texts state pictures with other endings, or without one.
    const wanted = isImage(own) ? own.replace(/\.[^.]*$/, '') : own;
    return contents.some(text => has(text, own)) || texts.some(text => has(text, wanted));
  };
  // A text of no use makes nothing useful that it names, itself least of all.
  const used = new Set();
  for (let before = -1; before < used.size; ) {
    before = used.size;
    const texts = [...files, ...used].filter(isText).map(read);
    for (const file of others) if (!used.has(file) && isNamed(file, texts)) used.add(file);
  }
  return others.filter(file => used.has(file));
}

/** Returns why a file that no model names is of no use. */
export function uselessness(/** @type {Skelobj} */ skelobj, {name, bytes}, model) {
  if (isImage(name)) return `${model} has no material with this picture`;
  const known = foreign(skelobj, name, bytes);
  if (known) return `it is ${known}`;
  return `it is not a model, a doll or a map, and ${model} does not name it`;
}

/** Endings of pictures beside a model, in the order of preference. */
const ENDINGS = ['png', 'tga', 'jpg', 'jpeg', 'pcx'];

/** Returns the picture that a material states, or null: under this name or with another ending. */
export function picture(files, stated) {
  const name = plainName(stated);
  const stem = name.replace(/\.(png|tga|jpe?g|pcx)$/, '');
  const wanted = [name, ...ENDINGS.map(ending => `${stem}.${ending}`)];
  for (const one of wanted) {
    const found = files.find(file => plainName(file.name) === one && isImage(file.name));
    if (found) return {type: extension(found.name), bytes: found.bytes};
  }
  return null;
}
