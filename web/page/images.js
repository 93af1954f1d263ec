// Pictures of skins: what the browser decodes, and TGA and PCX.
import * as THREE from 'three';
import {TGALoader} from 'three/examples/jsm/loaders/TGALoader.js';

const MAX_PIXELS = 1 << 24;
// Opacity from which a pixel of a picture is drawn.
export const MASK = 0.5;
// Samples along a surface that is seen from the side.
const ANISOTROPY = 4;
// Bytes of the longest header below.
const HEADER = 30;

export async function decode(bytes) {
  return sampled(bytes[0] === 10 && bytes[2] === 1 ? pcx(bytes) : ((await usual(bytes)) ?? tga(bytes)));
}

// Sets how a texture of sRGB colours is looked up: it repeats, and its first row is at the top.
export function sampled(texture) {
  texture.colorSpace = THREE.SRGBColorSpace;
  texture.wrapS = texture.wrapT = THREE.RepeatWrapping;
  texture.minFilter = THREE.LinearMipmapLinearFilter;
  texture.magFilter = THREE.LinearFilter;
  texture.generateMipmaps = true;
  texture.flipY = false;
  texture.anisotropy = ANISOTROPY;
  texture.needsUpdate = true;
  return texture;
}

function fits(width, height) {
  if (width * height > MAX_PIXELS)
    throw new Error(`the picture has ${width} x ${height} pixels, more than ${MAX_PIXELS}`);
}

// Returns the size that the header of a picture states, or null: the browser decodes all of it before it tells that.
export function measure(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const tag = at => String.fromCharCode(...bytes.subarray(at, at + 4));
  const little = at => bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16);
  if (bytes.length < HEADER) return null;
  if (tag(0) === '\x89PNG') return [view.getUint32(16), view.getUint32(20)];
  if (tag(0).startsWith('GIF')) return [view.getUint16(6, true), view.getUint16(8, true)];
  if (tag(0).startsWith('BM')) {
    if (view.getUint32(14, true) === 12) return [view.getUint16(18, true), view.getUint16(20, true)];
    return [Math.abs(view.getInt32(18, true)), Math.abs(view.getInt32(22, true))];
  }
  if (tag(0) === 'RIFF') {
    if (tag(12) === 'VP8X') return [little(24) + 1, little(27) + 1];
    if (tag(12) === 'VP8 ') return [view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff];
    if (tag(12) === 'VP8L') return [(little(21) & 0x3fff) + 1, ((view.getUint32(21, true) >>> 14) & 0x3fff) + 1];
    return null;
  }
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return null;
  // JPEG: the frame comes after tables, each with its length.
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes[at + 1];
    if (marker === 0xff) at++;
    else if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return [view.getUint16(at + 7), view.getUint16(at + 5)];
    else at += 2 + view.getUint16(at + 2);
  }
  return null;
}

// Returns null if the browser does not know the format.
async function usual(bytes) {
  const size = measure(bytes);
  if (size) fits(...size);
  const known = [
    [0x89, 0x50, 0x4e, 0x47],
    [0xff, 0xd8, 0xff],
    [0x42, 0x4d],
    [0x47, 0x49, 0x46],
    [0x52, 0x49, 0x46, 0x46],
  ];
  if (!known.some(magic => magic.every((byte, at) => bytes[at] === byte))) return null;
  const image = await createImageBitmap(new Blob([bytes]), {colorSpaceConversion: 'none', premultiplyAlpha: 'none'});
  fits(image.width, image.height);
  return new THREE.Texture(image);
}

function tga(bytes) {
  const size = bytes.length < 18 ? 0 : (bytes[12] | (bytes[13] << 8)) * (bytes[14] | (bytes[15] << 8));
  if (size === 0 || size > MAX_PIXELS || ![1, 2, 3, 9, 10, 11].includes(bytes[2]))
    throw new Error('the picture is not PNG, JPEG, BMP, TGA or PCX');
  const {data, width, height} = new TGALoader().parse(bytes.slice().buffer);
  return new THREE.DataTexture(new Uint8Array(data.buffer, data.byteOffset, width * height * 4), width, height);
}

// PCX of 8 bits with a palette, or of three planes.
function pcx(bytes) {
  const word = at => bytes[at] | (bytes[at + 1] << 8);
  const [width, height, planes, row] = [word(8) - word(4) + 1, word(10) - word(6) + 1, bytes[65], word(66)];
  if (
    bytes[3] !== 8 ||
    (planes !== 1 && planes !== 3) ||
    width < 1 ||
    height < 1 ||
    row < width ||
    row > width + 64 ||
    width * height > MAX_PIXELS
  ) {
    throw new Error('the PCX picture is damaged or of an unknown kind');
  }
  const lines = new Uint8Array(row * planes * height);
  for (let from = 128, to = 0; to < lines.length && from < bytes.length; ) {
    const byte = bytes[from++];
    const run = byte >= 0xc0 ? byte & 0x3f : 1;
    const value = byte >= 0xc0 ? bytes[from++] : byte;
    lines.fill(value, to, Math.min(to + run, lines.length));
    to += run;
  }
  const palette = bytes.subarray(bytes.length - 768);
  const data = new Uint8Array(width * height * 4);
  for (let at = 0; at < width * height; at++) {
    const [x, line] = [at % width, Math.floor(at / width) * row * planes];
    for (let part = 0; part < 3; part++) {
      data[at * 4 + part] = planes === 1 ? palette[lines[line + x] * 3 + part] : lines[line + part * row + x];
    }
    data[at * 4 + 3] = 255;
  }
  return new THREE.DataTexture(data, width, height);
}
