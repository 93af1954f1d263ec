// skelobj.js as a package, and its falls beside those of the command:
// `node test/package.mjs [skelobj.wasm] [skelobj]`, where the second is the command, built for this machine.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {FUNCTIONS} from '../layout.js';
import {Kind, Skelobj, SkelobjError, Space} from '../skelobj.js';

const at = name => new URL(name, import.meta.url);
const read = name => readFileSync(at(`../../dolls/${name}`));
const skelobj = await Skelobj.load(readFileSync(process.argv[2] || at('../dist/skelobj.wasm.gz')));
const command = process.argv[3];

// The library has every function of the header.
assert.deepEqual(
  Object.keys(FUNCTIONS).filter(name => !skelobj.raw[name]),
  [],
);

// Texts, structs, lists, bytes.
assert.equal(skelobj.version(), 100);
const model = skelobj.modelLoad('mannequin.iqm', read('mannequin.iqm'), null);
const data = skelobj.modelData(model);
const bones = skelobj.structs('SkelobjBone', data.bones, data.bone_count);
assert.equal(bones[skelobj.modelFindTag(model, 'head') - 1].name, 'head');
assert.equal(skelobj.formatDetect(read('mannequin.iqm'))[1].extension, 'iqm');
assert.equal(skelobj.formatDetect(new Uint8Array(9))[0], 0);
const written = skelobj.modelWrite(model, 'glb');
assert.equal(new TextDecoder().decode(written.subarray(0, 4)), 'glTF');
const again = skelobj.modelLoad('again.glb', written, null);
assert.equal(skelobj.modelData(again).bone_count, data.bone_count);
skelobj.modelFree(again);
assert.deepEqual([...skelobj.matrixTransform([1, 0, 0, 5, 0, 1, 0, 6, 0, 0, 1, 7], [1, 1, 1])], [6, 7, 8]);

// Failures are thrown with their text, and change nothing.
assert.throws(
  () => skelobj.modelLoad('bad.iqm', read('mannequin.iqm').subarray(0, 400), null),
  error => {
    assert(error instanceof SkelobjError);
    assert.equal(error.status, 'BAD_FILE');
    return error.message.length > 10;
  },
);
// @ts-expect-error: no id of a world
assert.throws(() => skelobj.worldFree(12345), {status: 'BAD_ID'});
// @ts-expect-error: no field of the def
assert.throws(() => skelobj.dollFit(model, {bodies: 3}), TypeError);
// @ts-expect-error: two parameters are missing
assert.throws(() => skelobj.modelLoad('no bytes'), TypeError);

// Files that were put, texts that are not ASCII, long lists.
skelobj.putFile('mannequin.iqm', read('mannequin.iqm'));
skelobj.putFile('mannequin.doll', read('mannequin.doll'));
const world = skelobj.worldCreate({files: skelobj.files, gravity: [0, 0, -400]});
assert.deepEqual(skelobj.worldSettings(world).gravity, [0, 0, -400]);
const loaded = skelobj.worldLoadModel(world, 'mannequin.iqm');
assert.equal(skelobj.worldModelName(world, loaded), 'mannequin.iqm');
skelobj.worldAddModel(world, 'modèle.iqm', model);
assert.equal(skelobj.worldModelName(world, model), 'modèle.iqm');
assert.equal(skelobj.worldFindModel(world, 'none'), 0);
const objects = Array.from({length: 20}, () => skelobj.objectCreate(world, loaded, Space.LOCAL));
assert.deepEqual(skelobj.worldObjects(world), objects);
// The id of one kind of thing is refused in the place of another; QuakeC has an object's number without the kind.
// @ts-expect-error: the id of an object
assert.throws(() => skelobj.levelBodyRemove(world, objects[0]), {status: 'BAD_ID'});
// @ts-expect-error: the id of a world
assert.throws(() => skelobj.modelFree(world), {status: 'BAD_ID'});
assert.equal(skelobj.objectNumber(objects[3]), objects[3] % 2 ** 24);
assert.equal(skelobj.objectFromNumber(skelobj.objectNumber(objects[3])), objects[3]);
assert.equal(skelobj.objectFromNumber(0), 0);
assert.equal(skelobj.precacheDoll(world, loaded), 1);
const many = 'body x pelvis\nmass -1\n'.repeat(950);
assert(skelobj.dollLint(many, model).length > 900);
assert(skelobj.dollDirectives().some(({word, usage}) => word === 'LoStop' && usage.includes('RADIANS')));
skelobj.worldFree(world);

// What is freed is gone: falls use no more memory than the first of them.
const doll = skelobj.dollParse(read('mannequin.doll'), model);
skelobj.dollDrop(doll, model, {is_seeded: 1, seed: 1n});
const {byteLength} = skelobj.raw.memory.buffer;
for (let seed = 2n; seed < 12n; seed++) skelobj.dollDrop(doll, model, {is_seeded: 1, seed});
assert.equal(skelobj.raw.memory.buffer.byteLength, byteLength);
assert.equal(skelobj.liveCount(Kind.WORLD), 0);

// The command, built for this machine, drops as this does, to the bit.
if (command) {
  let steps = 0;
  for (let seed = 1; seed <= 12; seed++) {
    const output = execFileSync(command, ['sim', '--seed', `${seed}`, '--json'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const native = JSON.parse(output);
    const own = skelobj.dollDrop(doll, model, {is_seeded: 1, seed: BigInt(seed)});
    const expected = {
      ...native,
      energy: native.energy.at(-1),
      asleep_after: native.asleep_after ?? own.asleep_after,
      left_level: Number(native.left_level),
    };
    for (const [name, value] of Object.entries(own)) {
      if (name !== 'energy') assert.equal(value, expected[name], `seed ${seed}: ${name}`);
    }
    steps += own.steps;
  }
  console.log(`12 falls, ${steps} steps: as the command has them, to the bit`);
}
skelobj.dollFree(doll);
skelobj.modelFree(model);
console.log('skelobj.js: calls, failures, files and memory are as they should be');
