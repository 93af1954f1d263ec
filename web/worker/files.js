// Files that were dropped: which of them is what.
import {plain} from '../page/lines.js';
import {FileKind} from '../skelobj.js';
/** @import {Skelobj} from '../skelobj.js' */

const {UNUSED, MODEL, ANIMATIONS, PART, PLAYER_FILE, DOLL, LEVEL, PALETTE, PICTURE, SIDE} = FileKind;

/** Maximum size of all files together, bytes. */
export const MOST = 64 << 20;

export const base = name => name.split(/[\\/]/).pop();
/** Name of a file by which others find it: without its folder, in lower case. */
export const plainName = name => base(name).toLowerCase();
const extension = name => plainName(name).match(/\.([^.]+)$/)?.[1] ?? '';

const isImage = ({kind}) => kind === PICTURE;
export const isPart = ({kind}) => kind === PART;

/**
 * Sorts files: `{all, models, doll, level, palette, others, unused}`. Each has its use as the library tells it: `kind`,
 * `part` of a player, and `reason` if it is of no use. The doll is a text with LF alone, and has the line end of the
 * file. Whether `others` are of use depends on the models, of which animations are last.
 */
export function sort(/** @type {Skelobj} */ skelobj, files) {
  const total = files.reduce((sum, {bytes}) => sum + bytes.length, 0);
  if (total > MOST) throw new Error(`the files have ${(total / (1 << 20)).toFixed(0)} MB together; 64 are allowed`);
  const given = files.map(({name, bytes}) => ({name: name.replaceAll('\\', '/'), bytes}));
  const uses = skelobj.sortFiles(
    given.map(file => ({...file, size: file.bytes.length})),
    null,
  );
  const all = given.map((file, number) => ({...file, ...uses[number]}));
  const of = (...kinds) => all.filter(({kind}) => kinds.includes(kind));
  const bare = (...kinds) => of(...kinds).map(file => ({...file, name: base(file.name)}));
  const [doll, level, palette] = [DOLL, LEVEL, PALETTE].map(kind => bare(kind)[0] ?? null);
  return {
    all,
    models: [...bare(PART, MODEL), ...bare(ANIMATIONS)],
    doll: doll && {name: doll.name, ...plain(skelobj.dollDecode(doll.bytes))},
    level,
    palette,
    others: of(PICTURE, PLAYER_FILE, SIDE),
    unused: of(UNUSED),
  };
}

/** Files of a Quake III player's parts, from the feet up. */
export const PARTS = ['lower.md3', 'upper.md3', 'head.md3'];

/** Returns which files are needed besides a part of a player that is alone: a list of one message, or none. */
export function lacks(models) {
  const [part, ...more] = models.filter(isPart);
  if (!part || more.length > 0) return [];
  const others = PARTS.filter((_, number) => number !== part.part).join(' and ');
  return [`${part.name} is a part of a Quake III player: drop it with ${others} to see the whole`];
}

/**
 * Returns the parts of a player and the other models; null if fewer than two parts are there. Throws if one is missing.
 */
export function playerOf(models) {
  const parts = PARTS.map((_, number) => models.find(file => isPart(file) && file.part === number));
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
  const isText = file => !isImage(file) && !isModel(file);
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
    if ((isPlayer && file.kind === PLAYER_FILE) || isOwned(own)) return true;
    if (pictures.some(stated => picture([file], stated))) return true;
    const encoded = name => encodeURIComponent(name.toWellFormed()).toLowerCase();
    const has = (text, name) => hasName(text, name) || hasName(text, encoded(name));
    // A word alone is that of a bone or of anything else, unless it stands where addresses do.
    if (!own.includes('.')) return [...contents, ...texts].some(text => text.includes(`"${own}"`));
    // Texts state pictures with other endings, or without one.
    const wanted = isImage(file) ? own.replace(/\.[^.]*$/, '') : own;
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
export function uselessness({kind, reason}, model) {
  if (kind === PICTURE) return `${model} has no material with this picture`;
  return kind === PLAYER_FILE ? `${model} is not a Quake III player` : reason;
}

/** Endings of pictures beside a model, in the order of preference. */
const ENDINGS = ['png', 'tga', 'jpg', 'jpeg', 'pcx'];

/** Returns the picture that a material states, or null: under this name or with another ending. */
export function picture(files, stated) {
  const name = plainName(stated);
  const stem = name.replace(/\.(png|tga|jpe?g|pcx)$/, '');
  const wanted = [name, ...ENDINGS.map(ending => `${stem}.${ending}`)];
  for (const one of wanted) {
    const found = files.find(file => plainName(file.name) === one && isImage(file));
    if (found) return {type: extension(found.name), bytes: found.bytes};
  }
  return null;
}
