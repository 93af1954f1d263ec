// Files that are dropped on the page or chosen, and those of scenes inside the page.

export const MAX_BYTES = 64 << 20;
const MAX_FILES = 1000;
// Bytes that are letters at a time: a call takes so many arguments everywhere.
const CHUNK = 0x8000;
// Time in which the browser takes what it saves, milliseconds.
const SAVING = 10000;

// Returns whether a file is the palette of a game, by its name.
export const isNamedPalette = name => /(^|[\\/])palette\.lmp$/i.test(name);

export const bytesOf = base64 => Uint8Array.from(atob(base64), letter => letter.charCodeAt(0));

export function base64Of(bytes) {
  let text = '';
  for (let at = 0; at < bytes.length; at += CHUNK) text += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  return btoa(text);
}

// Paths of files that were in a dropped folder, from where it is.
const paths = new WeakMap();

// Reads files; refuses more than the page can hold before it reads any.
export async function read(files) {
  if (files.length > MAX_FILES) throw new Error(`${files.length} files are too many: drop at most ${MAX_FILES}.`);
  const size = files.reduce((sum, file) => sum + file.size, 0);
  if (size > MAX_BYTES)
    throw new Error(`The files have ${(size / 2 ** 20).toFixed(0)} MB; ${MAX_BYTES >> 20} MB can be loaded at a time.`);
  return Promise.all(
    files.map(async file => ({name: paths.get(file) ?? file.name, bytes: new Uint8Array(await file.arrayBuffer())})),
  );
}

// Returns the files of what was dropped, those in folders too.
export async function dropped(transfer) {
  const entries = [...transfer.items].map(item => item.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.some(entry => entry.isDirectory)) return [...transfer.files];
  const files = [];
  const walk = async entry => {
    if (files.length > MAX_FILES) return;
    if (entry.isFile) {
      const file = await new Promise((done, fail) => entry.file(done, fail));
      paths.set(file, entry.fullPath.replace(/^\//, ''));
      files.push(file);
    } else {
      const reader = entry.createReader();
      for (;;) {
        const some = await new Promise((done, fail) => reader.readEntries(done, fail));
        if (some.length === 0) break;
        for (const one of some) await walk(one);
      }
    }
  };
  for (const entry of entries) await walk(entry);
  return files;
}

// Turns a scene of the page's JSON into one for the worker.
export function sceneOf(json) {
  const file = one =>
    one && {name: one.name, bytes: bytesOf(one.base64), ...(one.palette && {palette: bytesOf(one.palette)})};
  const {builtin, model, side, doll, level, seed, fade, scale} = json;
  return {
    ...(builtin && {builtin}),
    ...(model && {model: file(model)}),
    ...(side && {side: side.map(file)}),
    ...(doll && {doll}),
    ...(level && {level: file(level)}),
    ...(seed !== undefined && {seed}),
    ...(fade !== undefined && {fade}),
    ...(scale && {scale}),
  };
}

/** @import {SceneFiles} from '../protocol.d.ts' */

export function jsonOf(/** @type {SceneFiles} */ {model, side, level, ...rest}) {
  const file = one =>
    one && {name: one.name, base64: base64Of(one.bytes), ...(one.palette && {palette: base64Of(one.palette)})};
  return {
    ...rest,
    ...(model && {model: file(model)}),
    ...(side?.length && {side: side.map(file)}),
    ...(level && {level: file(level)}),
  };
}

export function save(name, parts, type) {
  const address = URL.createObjectURL(new Blob(parts, {type}));
  Object.assign(document.createElement('a'), {href: address, download: name}).click();
  setTimeout(() => URL.revokeObjectURL(address), SAVING);
}
