// The falls of tests/ragdoll/determinism_pile.rs have the bits of native builds: `node test/hash.mjs [skelobj.wasm]`.
import assert from 'node:assert';
import {readFileSync} from 'node:fs';
import {Skelobj, Space} from '../skelobj.js';

const at = name => new URL(name, import.meta.url);
const skelobj = await Skelobj.load(readFileSync(process.argv[2] ?? at('../dist/skelobj.wasm.gz')));
const source = readFileSync(at('../../tests/ragdoll/determinism_pile.rs'), 'utf8');
for (const name of ['mannequin.iqm', 'mannequin.doll']) skelobj.putFile(name, readFileSync(at(`../../dolls/${name}`)));
const {files} = skelobj;
const {fround} = Math;
const PRIME = 0x100000001b3n;

/**
 * Runs a world of mannequins; `act(world, model, objects, frame)` is called before each step. Returns the hash of all
 * bones.
 */
function run(count, frames, act) {
  const world = skelobj.worldCreate({files});
  skelobj.addFloor(world, 0);
  const model = skelobj.worldLoadModel(world, 'mannequin.iqm');
  const {bone_count} = skelobj.modelData(model);
  const objects = Array.from({length: count}, () => skelobj.objectCreate(world, model, Space.LOCAL));
  const bones = skelobj.alloc(bone_count * 48);
  let hash = 0xcbf29ce484222325n;
  for (let frame = 0; frame < frames; frame++) {
    act(world, model, objects, frame);
    skelobj.step(world, 1 / 60);
    for (const object of objects) {
      skelobj.pose(world, object, Space.MODEL, bones, bone_count);
      for (const byte of skelobj.bytes(bones, bone_count * 48))
        hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * PRIME);
    }
  }
  const rest = objects.every(object => skelobj.ragdollInfo(world, object).is_asleep);
  skelobj.free(bones);
  skelobj.worldFree(world);
  return {hash: hash.toString(16).padStart(16, '0'), rest};
}

/** Compares a hash with that of a native test. */
function compare(test, {hash}, what) {
  const native = source
    .match(new RegExp(`fn ${test}\\(\\)[^]*?assert_eq!\\(hash, 0x([0-9a-f_]+)`))[1]
    .replaceAll('_', '');
  assert.equal(hash, native, `hash of ${what}`);
  console.log(`${what}: 0x${hash}, as native builds have it`);
}

const heap = run(12, 90, (world, model, objects, frame) => {
  const time = fround(frame / 60);
  objects.forEach((object, number) => {
    const [row, column] = [Math.floor(number / 4), number % 4];
    const x = fround(fround(row * 26 - 60) + fround(250 * Math.min(time, 0.25)));
    const entity = skelobj.entityMatrix(world, [x, column * 22, row * 30], [0, 30 * number, 0], 1);
    if (frame < 15) {
      const pose = skelobj.frameSingle(2, fround(time + fround(fround(0.07) * number)));
      skelobj.build(world, object, model, pose, null);
    }
    const command =
      {0: 'doll mannequin.doll', 15: 'animate 0'}[frame] ??
      (frame === 40 && number === 3 ? 'enablejoint elbow_l 0' : frame === 50 && number === 5 ? 'animate 0.3' : '');
    skelobj.ragdollCommand(world, object, entity, command, 0);
  });
});
compare('every_machine_gives_the_same_bits', heap, 'bones of 12 ragdolls in 90 frames');

const fall = run(1, 400, (world, model, [object], frame) => {
  const entity = skelobj.entityMatrix(world, [0, 0, 40], [0, 30, 0], 1);
  if (frame < 24) skelobj.build(world, object, model, skelobj.frameSingle(2, fround(frame / 60)), null);
  skelobj.ragdollCommand(world, object, entity, {0: 'doll mannequin.doll', 24: 'animate 0'}[frame] ?? '', 0);
});
assert(fall.rest, 'the fall ends at rest');
compare('every_machine_gives_the_same_fall', fall, 'bones of one ragdoll in the 400 frames of its fall');
