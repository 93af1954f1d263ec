// Small files in formats that the project does not keep.

/** Writes values into a buffer one after another. */
class Out {
  constructor(size) {
    this.bytes = Buffer.alloc(size);
    this.at = 0;
  }

  int(...values) {
    for (const value of values) this.at = this.bytes.writeInt32LE(value, this.at);
    return this;
  }

  short(...values) {
    for (const value of values) this.at = this.bytes.writeInt16LE(value, this.at);
    return this;
  }

  float(...values) {
    for (const value of values) this.at = this.bytes.writeFloatLE(value, this.at);
    return this;
  }

  text(text, size) {
    this.bytes.write(text, this.at);
    this.at += size;
    return this;
  }
}

/** Returns an MD3 of one square, which is at height 10 in the first frame and 8 units higher in each that follows. */
export function md3(frames, shader) {
  const ofsSurface = 108 + frames * 56;
  const size = 108 + 68 + 24 + 32 + frames * 32;
  const out = new Out(ofsSurface + size);
  out
    .text('IDP3', 4)
    .int(15)
    .text('square.md3', 64)
    .int(0, frames, 0, 1, 0, 108, ofsSurface, ofsSurface, ofsSurface + size);
  for (let frame = 0; frame < frames; frame++) out.float(-32, -32, 0, 32, 32, 64, 0, 0, 0, 64).text('', 16);
  const [triangles, st] = [108 + 68, 108 + 68 + 24];
  out
    .text('IDP3', 4)
    .text('square', 64)
    .int(0, frames, 1, 4, 2, triangles, 108, st, st + 32, size);
  out.text(shader, 64).int(0).int(0, 1, 2, 0, 2, 3).float(0, 0, 1, 0, 1, 1, 0, 1);
  for (let frame = 0; frame < frames; frame++) {
    for (const [x, y] of [
      [-16, -16],
      [16, -16],
      [16, 16],
      [-16, 16],
    ])
      out.short(x * 64, y * 64, (10 + frame * 8) * 64, 0);
  }
  return out.bytes;
}

/** Returns a TGA of 24 bits with two by two pixels of a colour. */
export function tga(/** @type {number[]} */ [red, green, blue]) {
  const out = Buffer.alloc(18 + 12);
  [out[2], out[12], out[14], out[16]] = [2, 2, 2, 24];
  for (let pixel = 0; pixel < 4; pixel++) out.set([blue, green, red], 18 + pixel * 3);
  return out;
}

/** Returns a PCX of 8 bits with two by two pixels of a colour, packed. */
export function pcx(/** @type {number[]} */ [red, green, blue]) {
  const out = Buffer.alloc(128 + 4 + 769);
  out.set([10, 5, 1, 8, 0, 0, 0, 0, 1, 0, 1, 0]);
  [out[65], out[66]] = [1, 2];
  out.set([0xc2, 7, 7, 7, 12], 128);
  out.set([red, green, blue], 128 + 5 + 7 * 3);
  return out;
}

/**
 * Returns an IQM with the scale of a bone multiplied in the bind pose and in the poses, where it may be by other
 * factors.
 */
export function stretch(iqm, bone, factors, inPoses = factors) {
  const bytes = Buffer.from(iqm);
  const field = number => bytes.readUInt32LE(16 + 4 * number);
  const multiply = (at, factor) => bytes.writeFloatLE(bytes.readFloatLE(at) * factor, at);
  factors.forEach((factor, axis) => {
    multiply(field(14) + bone * 48 + 36 + axis * 4, factor);
    multiply(field(16) + bone * 88 + 8 + (7 + axis) * 4, inPoses[axis]);
  });
  return bytes;
}
