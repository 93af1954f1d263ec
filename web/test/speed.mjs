// Time of a step in WebAssembly: one awake mannequin, and a hundred. `node test/speed.mjs [skelobj.wasm]`.
// `cargo run --release -p skelobj --features enhanced-determinism --example frame_time` measures the same natively.
import {readFileSync} from 'node:fs';
import {Skelobj, Space} from '../skelobj.js';

const at = name => new URL(name, import.meta.url);
const skelobj = await Skelobj.load(readFileSync(process.argv[2] ?? at('../dist/skelobj.wasm.gz')));
for (const name of ['mannequin.iqm', 'mannequin.doll']) skelobj.putFile(name, readFileSync(at(`../../dolls/${name}`)));

/** Returns the mean time of a frame of the first second of a fall, milliseconds. */
function frameTime(count) {
  const world = skelobj.worldCreate({files: skelobj.files});
  const {raw} = skelobj;
  skelobj.addFloor(world, 0);
  const model = skelobj.worldLoadModel(world, 'mannequin.iqm');
  const entities = skelobj.alloc(48 * count);
  const objects = Array.from({length: count}, (_, number) => {
    const place = [Math.floor(number / 10) * 60, (number % 10) * 60, 40];
    skelobj.floats(entities + 48 * number, 12).set(skelobj.entityMatrix(world, place, [0, 37 * number, 0], 1));
    const object = skelobj.objectCreate(world, model, Space.LOCAL);
    skelobj.build(world, object, model, skelobj.frameSingle(2, 0.1), null);
    skelobj.ragdollCommand(world, object, skelobj.floats(entities + 48 * number, 12).slice(), 'animate 0', 0);
    return object;
  });
  const frames = 60;
  const started = performance.now();
  for (let frame = 0; frame < frames; frame++) {
    objects.forEach((object, number) => raw.skelobj_ragdoll_update(world, object, entities + 48 * number, 0));
    raw.skelobj_step(world, 1 / 60, 0);
  }
  const time = (performance.now() - started) / frames;
  skelobj.free(entities);
  skelobj.worldFree(world);
  return time;
}

for (const count of [1, 100]) {
  const times = Array.from({length: count === 1 ? 40 : 8}, () => frameTime(count)).sort((a, b) => a - b);
  console.log(
    `${count} awake: ${times[0].toFixed(3)} ms a frame, least of ${times.length} runs; ` +
      `median ${times[times.length >> 1].toFixed(3)} ms`,
  );
}
