// A map, and how it looks.

/** @import {Skelobj} from '../skelobj.js' */

/** Size of the palette of a game, bytes. */
const PALETTE = 768;
/** First byte of maps whose textures have palettes of their own. */
const HALF_LIFE = 30;

export class Level {
  #images = new Map();
  /** Number of pixels that may still be read. Textures of a damaged file may overlap; those of others do not. */
  #left;

  /** Loads a map: `{name, bytes, palette}`, of which the palette is needed for the textures of Quake alone. */
  constructor(/** @type {Skelobj} */ skelobj, file) {
    this.skelobj = skelobj;
    this.file = file;
    this.#left = file.bytes.length;
    this.id = skelobj.levelLoad(file.bytes, null);
  }

  free() {
    this.skelobj.levelFree(this.id);
  }

  /** Returns a texture of the file; null if its pixels or their colours are elsewhere. */
  #image(number) {
    if (!this.#images.has(number)) this.#images.set(number, this.#read(number));
    return this.#images.get(number);
  }

  #read(number) {
    const {
      skelobj,
      file: {bytes, palette},
    } = this;
    if (number < 0 || this.#left < 0 || (bytes[0] !== HALF_LIFE && !palette)) return null;
    const address = palette ? skelobj.alloc(PALETTE) : 0;
    try {
      if (palette) skelobj.bytes(address, PALETTE).set(palette);
      const [{width, height}, rgba] = skelobj.levelTexture(bytes, number, address);
      this.#left -= width * height;
      return this.#left < 0 ? null : {width, height, rgba};
    } catch (error) {
      if (skelobj.isDead) throw error;
      return null;
    } finally {
      if (palette && !skelobj.isDead) skelobj.free(address);
    }
  }

  /** Returns the corners of the triangles of a brush model at a place, by the textures that they have. */
  #triangles(model, at, found) {
    const {skelobj, id} = this;
    const corners = skelobj.levelCorners(id, model);
    const indices = skelobj.levelTriangles(id, model);
    const surfaces = new Map();
    skelobj.levelTriangleSurfaces(id, model).forEach((number, triangle) => {
      if (!surfaces.has(number)) surfaces.set(number, skelobj.levelSurface(id, number));
      const {texture, s, t} = surfaces.get(number);
      const image = this.#image(texture);
      const key = image ? texture : -1;
      if (!found.has(key)) found.set(key, {image, positions: [], uvs: []});
      const {positions, uvs} = found.get(key);
      const [width, height] = image ? [image.width, image.height] : [1, 1];
      for (const index of indices.slice(triangle * 3, triangle * 3 + 3)) {
        const [x, y, z] = corners.slice(index * 3, index * 3 + 3);
        const along = axis => axis[0] * x + axis[1] * y + axis[2] * z + axis[3];
        positions.push(x + at[0], y + at[1], z + at[2]);
        uvs.push(along(s) / width, along(t) / height);
      }
    });
  }

  /** Returns the triangles of brush models, each at its place, with `groups` of those that have the same texture. */
  look(models) {
    const found = new Map();
    for (const {model, at} of models) this.#triangles(model, at, found);
    const groups = [];
    const images = [];
    let start = 0;
    for (const {image, positions} of found.values()) {
      groups.push({start, count: positions.length / 3, image: image ? images.push(image) - 1 : null});
      start += positions.length / 3;
    }
    const joined = part => Float32Array.from([...found.values()].flatMap(one => one[part]));
    const indices = Uint32Array.from({length: start}, (_, corner) => corner);
    return {positions: joined('positions'), uvs: joined('uvs'), indices, groups, images};
  }
}
