// Links that carry a doll. Their contents are strangers': bounded before they are used.
import {base64Of, bytesOf, MAX_BYTES} from './files.js';

export const MAX_LINK = 8192;
const MAX_TEXT = 64 << 10;
// Longest fade, seconds.
const MAX_FADE = 600;

const through = (bytes, stream) => new Blob([bytes]).stream().pipeThrough(stream);

export async function pack(text) {
  const stream = through(new TextEncoder().encode(text), new CompressionStream('deflate-raw'));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  return base64Of(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

export async function unpack(packed) {
  let bytes;
  try {
    bytes = bytesOf(packed.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    throw new Error('The doll in the link is damaged: it is not base64url.');
  }
  const reader = through(bytes, new DecompressionStream('deflate-raw')).getReader();
  const parts = [];
  let size = 0;
  for (;;) {
    const {done, value} = await reader.read().catch(() => {
      throw new Error('The doll in the link is damaged: it does not unpack.');
    });
    if (done) break;
    size += value.length;
    if (size > MAX_TEXT) {
      reader.cancel().catch(() => {});
      throw new Error(`The doll in the link has more than ${MAX_TEXT / 1024} KB.`);
    }
    parts.push(value);
  }
  return new Blob(parts).text();
}

// Returns whether the page's address means something on this machine only.
export const isLocal = () =>
  location.protocol === 'file:' || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(location.hostname);

// Returns the link to a fall.
export async function make({text, model, seed, fade}) {
  const fields = new URLSearchParams();
  if (text !== null) fields.set('doll', await pack(text));
  if (model) fields.set('model', model);
  if (seed !== null) fields.set('seed', seed);
  if (fade !== null) fields.set('fade', fade);
  return `${location.origin}${location.pathname}#${fields}`;
}

// Reads the hash of the page's address. Returns a scene for the worker, or null if the hash has none.
export async function follow(hash, builtins) {
  if (hash.length < 2) return null;
  if (hash.length > MAX_LINK) throw new Error(`The link has ${hash.length} characters; at most ${MAX_LINK} are read.`);
  const fields = new URLSearchParams(hash.slice(1));
  const scene = {};
  const faults = [];
  const note = error => {
    faults.push(error.message);
    return null;
  };
  const model = fields.get('model');
  if (model && builtins.includes(model)) scene.builtin = model;
  else if (model) scene.model = await near(model).catch(note);
  const packed = fields.get('doll');
  if (packed) {
    const stem = (scene.model?.name ?? scene.builtin ?? builtins[0]).replace(/\.[^.]*$/, '');
    scene.doll = {name: `${stem}.doll`, text: await unpack(packed).catch(note)};
  }
  const seed = fields.get('seed');
  if (seed !== null) {
    if (/^\d{1,9}$/.test(seed)) scene.seed = Number(seed);
    else faults.push(`The seed of the link is not a number below a thousand million: ${seed.slice(0, 40)}`);
  }
  const fade = fields.get('fade');
  if (fade !== null) {
    if (fade.trim() && Number(fade) >= 0 && Number(fade) <= MAX_FADE) scene.fade = Number(fade);
    else faults.push(`The fade of the link is not a number of seconds up to ${MAX_FADE}: ${fade.slice(0, 40)}`);
  }
  if (faults.length > 0) throw new Error(faults.join('\n'));
  return Object.keys(scene).length ? scene : null;
}

// Loads a model from the page's own server.
async function near(path) {
  const address = URL.canParse(path, location.href) ? new URL(path, location.href) : null;
  if (
    !address ||
    !/^https?:$/.test(location.protocol) ||
    address.origin !== location.origin ||
    /^\/api(\/|$)/.test(address.pathname)
  ) {
    throw new Error(`The link names a model that is not on this server: ${path.slice(0, 200)}`);
  }
  const answer = await fetch(address, {redirect: 'error', credentials: 'omit'}).catch(() => null);
  if (!answer?.ok) throw new Error(`The model of the link was not found: ${address.pathname}`);
  const reader = answer.body.getReader();
  const parts = [];
  let size = 0;
  for (;;) {
    const {done, value} = await reader.read();
    if (done) break;
    size += value.length;
    if (size > MAX_BYTES) {
      reader.cancel().catch(() => {});
      throw new Error('The model of the link has more than 64 MB.');
    }
    parts.push(value);
  }
  return {
    name: decodeURIComponent(address.pathname.split('/').pop()),
    bytes: new Uint8Array(await new Blob(parts).arrayBuffer()),
  };
}
