// The worker's messages, without a browser: `node test/worker.mjs [skelobj.wasm]`.
import assert from 'node:assert/strict';
import {mkdtempSync, readFileSync, readdirSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {build} from 'esbuild';
import {md3, stretch} from './files.mjs';

const at = name => new URL(name, import.meta.url);
const folder = mkdtempSync(join(tmpdir(), 'skelobj-'));
const bundle = join(folder, 'session.mjs');
const modules = ['session', 'builtins', 'checker', 'level', 'matrix'];
await build({
  stdin: {
    contents: modules.map(name => `export * from './worker/${name}.js';`).join('\n'),
    resolveDir: at('..').pathname,
  },
  bundle: true,
  format: 'esm',
  target: 'es2022',
  outfile: bundle,
  loader: {'.iqm': 'binary', '.doll': 'text', '.md': 'text', '.svg': 'dataurl'},
});
const {Session, BUILTINS, Checker, Level, examine, inverse, product, rigid} = await import(bundle);
rmSync(folder, {recursive: true});
const module = readFileSync(process.argv[2] ?? at('../dist/skelobj.wasm.gz'));

/** Returns a file of the repository's dolls, as one that is dropped. */
const file = (name, as = name) => ({name: as, bytes: readFileSync(at(`../../dolls/${name}`))});

const told = [];
/** Stands for a worker of its own, and stays silent once it is terminated. */
function spawn() {
  let ended = false;
  const worker = {
    postMessage: request => setTimeout(() => examine(request, data => !ended && worker.onmessage({data}))),
    terminate: () => {
      ended = true;
    },
  };
  return worker;
}
const session = new Session(message => told.push(message), BUILTINS, new Checker(spawn));
const take = type => told.splice(0).filter(message => message.type === type);
let requests = 0;
async function ask(message) {
  const id = ++requests;
  await session.handle({...message, id});
  const find = () => told.find(answer => answer.type === 'answer' && answer.id === id);
  while (message.type === 'check' && !find()) await new Promise(done => setTimeout(done, 5));
  const answer = find();
  assert(answer, `an answer to ${message.type}`);
  return answer;
}
async function send(message) {
  await session.handle(message);
  const errors = told.filter(({type}) => type === 'error');
  assert.deepEqual(errors, [], JSON.stringify(message));
}
async function frames(count) {
  let last;
  for (let frame = 0; frame < count; frame++) {
    await send({type: 'next', contacts: true});
    last = told.findLast(({type}) => type === 'frame');
  }
  return last;
}
const test = async (name, run) => {
  told.splice(0);
  const before = performance.now();
  await run();
  console.log(`ok: ${name} (${Math.round(performance.now() - before)} ms)`);
};

await test('the mannequin falls at once', async () => {
  await send({type: 'init', module, scene: {}});
  const [ready, model, doll, level] = told;
  assert.deepEqual([ready.type, model.type, doll.type, level.type], ['ready', 'model', 'doll', 'level']);
  assert.deepEqual(ready.builtins, Object.keys(BUILTINS));
  assert.deepEqual(ready.limits, {gap: 0.5, excess: 0.5, sleep: 8});
  assert.equal(model.name, 'mannequin.iqm');
  assert.equal(doll.bodies.length, 16);
  assert.deepEqual(doll.problems, []);
  const start = await frames(1);
  assert.equal(start.mode, 'start');
  const end = await frames(500);
  assert.equal(end.mode, 'falling');
  assert(end.metrics.asleep, 'it rests');
  assert.equal(end.palettes.length, model.bones.length * 12);
  const heights = Array.from({length: 16}, (_, body) => end.bodies[body * 13 + 11]);
  assert(
    heights.every(z => z > 0 && z < 30),
    `${heights}`,
  );
  console.log(`    a step takes ${end.metrics.stepMs.toFixed(3)} ms asleep`);
});

/** Returns the contact points of a frame. */
const contactsOf = ({contacts}) =>
  Array.from({length: contacts.length / 7}, (_, number) => {
    const [x, y, z, right, left, up, force] = contacts.subarray(number * 7);
    return {point: [x, y, z], normal: [right, left, up], force};
  });

await test('the floor carries what lies on it', async () => {
  const carried = points => points.reduce((sum, {normal, force}) => sum + normal[2] * force, 0);
  for (const count of [1, 12]) {
    await send({type: 'crowd', count});
    await send({type: 'drop', seed: 7});
    const start = await frames(1);
    assert.equal(start.mode, 'start');
    assert.deepEqual(contactsOf(start), [], 'the animation carries itself');
    const points = contactsOf(await frames(700));
    assert(points.length > 4 * count, `${points.length} points`);
    // Of many, some lie on others.
    for (const {point, normal, force} of count === 1 ? points : [])
      assert(Math.abs(point[2]) < 1 && normal[2] > 0.99 && force > 0, `${point} ${normal} ${force}`);
    assert(Math.abs(carried(points) / count - 1) < 0.1, `${carried(points)} times the weight of one of ${count}`);
  }
  await send({type: 'next'});
  assert.equal(told.findLast(({type}) => type === 'frame').contacts.length, 0, 'nobody asked for them');
  await send({type: 'crowd', count: 1});
});

/** Runs the fall that begins, and compares it with that of `skelobj sim`. */
async function compare(what, def) {
  const {skelobj, scene, fall} = session;
  const report = skelobj.dollDrop(scene.doll.id, scene.model, def);
  let [gap, excess, step] = [0, 0, 0];
  const start = fall.playSteps;
  const end = start + report.steps;
  while (step < end) {
    const {samples} = await frames(1);
    for (let at = 0; at < samples.length; at += 6) {
      step = Math.round(samples[at] * 60);
      if (step > start && step <= end)
        [gap, excess] = [Math.max(gap, samples[at + 1]), Math.max(excess, samples[at + 2])];
    }
  }
  const {max_gap_falling, max_stop_excess} = report;
  assert.deepEqual([gap, excess], [max_gap_falling, max_stop_excess], what);
}

await test('falls have the bits of skelobj sim', async () => {
  for (const builtin of ['mannequin', 'dog']) {
    for (const seed of [null, 0, 1, 2, 3, 7, 12, 1000, 65537, 2 ** 31, 2 ** 40, 2 ** 53 - 1]) {
      assert.equal((await ask({type: 'scene', scene: {builtin, seed}})).error, undefined);
      await compare(`${builtin}, seed ${seed}`, seed === null ? null : {is_seeded: 1, seed: BigInt(seed)});
    }
  }
  for (const builtin of ['mannequin', 'dog']) {
    for (const fade of [0, 0.01, 0.3, 1]) {
      assert.equal((await ask({type: 'scene', scene: {builtin, fade}})).error, undefined);
      await compare(`${builtin}, fade ${fade}`, {animation: session.fall.state.animation, play: 0, fade});
    }
  }
  await send({type: 'scene', scene: {fade: null}});
});

await test('a death that fades goes on with its spin, back and forth', async () => {
  await send({type: 'fade', seconds: 0.5});
  await send({type: 'drop', seed: 3});
  const [{matrix, spin}] = session.fall.entities;
  const first = [];
  for (let frame = 1; frame <= 40; frame++) first.push(Array.from((await frames(1)).bodies));
  // The matrix after the fade, and what its turn from the first one is.
  const turned = product(inverse(matrix), session.fall.entities[0].matrix);
  const angle = Math.acos((turned[0] + turned[5] + turned[10] - 1) / 2);
  assert(Math.abs(angle - (Math.hypot(...spin) * 29) / 60) < 1e-3, `turned by ${angle}`);
  for (const step of [10, 29, 35]) {
    await send({type: 'seek', time: step / 60});
    const {bodies} = told.findLast(({type}) => type === 'frame');
    assert.deepEqual(Array.from(bodies), first[step - 1], `step ${step}`);
  }
  assert.match((await ask({type: 'fade', seconds: 601})).error, /0 to 600 seconds/);
  await send({type: 'fade', seconds: null});
});

await test('a seek repeats the fall to the bit', async () => {
  await send({type: 'drop', seed: 7});
  const first = [];
  for (let frame = 0; frame < 120; frame++) {
    if (frame === 40) await send({type: 'joint', name: 'elbow_l', on: false});
    if (frame === 60) await send({type: 'shoot', origin: [-200, 0, 30], direction: [1, 0, 0], speed: 40});
    first.push(Array.from((await frames(1)).bodies));
  }
  for (const step of [30, 59, 100, 90]) {
    await send({type: 'seek', time: step / 60});
    const {bodies, time} = told.findLast(({type}) => type === 'frame');
    assert.equal(Math.round(time * 60), step);
    assert.deepEqual(Array.from(bodies), first[step - 1], `step ${step}`);
  }
  assert.deepEqual(Array.from((await frames(30)).bodies), first[119], 'the future again');
});

await test('a bone is dragged, and hangs', async () => {
  await send({type: 'reset'});
  let frame = await frames(240);
  const doll = session.scene.doll;
  const hand = doll.bodies.findIndex(({name}) => name === 'hand_l');
  const place = body => [3, 7, 11].map(at => frame.bodies[body * 13 + at]);
  const from = [-150, 0, 80];
  const toward = point => point.map((part, axis) => part - from[axis]);
  const [x, y, z] = place(hand);
  await send({type: 'drag', phase: 'start', origin: [x, y, z + 100], direction: [0, 0, -1]});
  frame = await frames(1);
  assert(frame.drag, 'something is held');
  await send({type: 'drag', phase: 'end', origin: from, direction: [1, 0, 0]});
  await send({type: 'drag', phase: 'start', origin: from, direction: toward([x, y, z])});
  assert((await frames(1)).drag, 'something is held');
  await send({type: 'drag', phase: 'move', origin: from, direction: toward([0, 0, 110])});
  frame = await frames(120);
  assert(frame.drag[2] > 60, `${frame.drag}`);
  assert(frame.metrics.gap < 1.5, `gap ${frame.metrics.gap}`);
  console.log(
    `    hangs at ${frame.drag.slice(0, 3).map(Math.round)}, gap ${frame.metrics.gap.toFixed(2)}, ` +
      `excess ${frame.metrics.excess.toFixed(2)}`,
  );
  await send({type: 'drag', phase: 'end', origin: from, direction: [1, 0, 0]});
  frame = await frames(300);
  assert.equal(frame.drag, null);
  assert(frame.metrics.asleep, 'it rests');
});

await test('it gets up', async () => {
  await send({type: 'drop', seed: null});
  await frames(300);
  await send({type: 'getup'});
  const frame = await frames(150);
  assert.equal(frame.mode, 'getup');
  const head = session.scene.doll.bodies.findIndex(({name}) => name === 'head');
  assert(frame.bodies[head * 13 + 11] > 55, `${frame.bodies[head * 13 + 11]}`);
});

await test('strengths, muscles, animations, a push', async () => {
  await send({type: 'strength', body: null, value: 0.3});
  await send({type: 'strength', body: 'head', value: 0});
  await send({type: 'muscle', value: 0.5});
  await frames(30);
  await send({type: 'animation', index: 2, time: 0.2, playing: true});
  const frame = await frames(30);
  assert.equal(frame.mode, 'animation');
  assert.equal(frame.animation.index, 2);
  await send({type: 'push', origin: [-100, 0, 40], direction: [1, 0, 0], acceleration: 3000});
  await send({type: 'release'});
  assert.equal((await frames(30)).mode, 'falling');
  await send({type: 'animation', index: null, time: 0, playing: false});
  assert.equal((await frames(1)).mode, 'start');
});

await test('stairs, a door, water', async () => {
  for (const ground of ['stairs', 'door', 'water', 'floor']) {
    await send({type: 'ground', ground});
    const [level] = take('level');
    assert.equal(level.kind, ground);
    const lowestOf = ({bodies}) => Math.min(...Array.from({length: 16}, (_, body) => bodies[body * 13 + 11]));
    const early = lowestOf(await frames(60));
    if (ground === 'stairs') assert(early > 20, `the stairs carry: ${early}`);
    const frame = await frames(240);
    const lowest = lowestOf(frame);
    console.log(
      `    ${ground}: lowest middle ${lowest.toFixed(1)}, gap ${frame.metrics.gap.toFixed(2)}, ` +
        `speed ${frame.metrics.speed.toFixed(1)}`,
    );
    assert(lowest > 0 && lowest < 60, `${ground}: ${lowest}`);
    assert.equal(frame.doors.length, ground === 'door' ? 12 : 0);
  }
});

await test('stairs, a door and water are in proportion to the figure', async () => {
  const model = file('mannequin.iqm', 'figure.iqm');
  const kinds = ['stairs', 'door', 'water'];
  const lowestOf = ({bodies}) => Math.min(...bodies.filter((_, at) => at % 13 === 11));
  const grounds = async scale => {
    await ask({type: 'scene', scene: {model, scale}});
    const {unit} = take('doll').at(-1);
    const found = {};
    for (const ground of kinds) {
      await send({type: 'ground', ground});
      const [{positions, doors, water}] = take('level');
      const boxes = doors.concat(water ?? []);
      const corners = [...positions, ...boxes.flatMap(({mins, maxs}) => [...mins, ...maxs])];
      const {
        doors: [, , , x = 0, , , , y = 0],
      } = await frames(1);
      const lengths = [...corners, x, y].map(part => part / unit);
      const early = lowestOf(await frames(59)) / unit;
      found[ground] = {lengths, early, late: lowestOf(await frames(240)) / unit};
    }
    return {unit, found};
  };
  const {unit: usual, found: expected} = await grounds(1);
  assert.equal(usual, 1);
  for (const [scale, wanted] of [
    [2, 1],
    [1 / 32, 1 / 32],
    [64, 64],
  ]) {
    const {unit, found} = await grounds(scale);
    assert.equal(unit, wanted);
    for (const kind of kinds) {
      const {lengths, early, late} = found[kind];
      assert.deepEqual(lengths, expected[kind].lengths, `${kind} at ${scale}`);
      // Fitted dolls have rounded lengths, so falls differ.
      if (scale !== 2) assert(Math.abs(early - expected[kind].early) < 6, `${kind} at ${scale}: ${early}`);
      assert(late > 0 && late < 60, `${kind} at ${scale}: ${late}`);
    }
  }
  await send({type: 'ground', ground: 'stairs'});
  await send({type: 'crowd', count: 60});
  assert.equal(session.fall.spots.length, 60, 'there is room for a crowd of giants');
  // Another doll may have another unit, and the ground follows it.
  await ask({type: 'scene', scene: {model, scale: 64}});
  await send({type: 'ground', ground: 'water'});
  told.splice(0);
  await ask({type: 'doll', text: 'body head head\n\tsize 8 8 8\n'});
  assert.deepEqual(
    take('level').map(({water}) => water.maxs[0]),
    [64],
  );
  await send({type: 'scene', scene: {}});
});

await test('a faulty doll stops nothing', async () => {
  const {text} = session.scene.dollFile;
  const faulty = await ask({type: 'doll', text: text.replace(/^(\s*)shape /m, '$1shap ')});
  assert.equal(faulty.problems[0].severity, 'error');
  assert.match(faulty.problems[0].message, /did you mean/);
  assert.equal(session.scene.dollFile.text, text);
  const repaired = await ask({type: 'doll', text: text + '\n'});
  assert.deepEqual(repaired.problems, []);
  assert.equal(take('doll')[0].text, text + '\n');
  assert((await ask({type: 'doll', text: 'body a b\n'})).problems.some(({code}) => code === 'no-such-bone'));
  assert.equal((await ask({type: 'format', text: 'body  a   b'})).text, 'body a b\n');
  assert.match((await ask({type: 'fit'})).text, /^body pelvis/m);
  assert.deepEqual((await ask({type: 'check', text, drops: 2})).problems, []);
  assert(take('checking')[0].seconds > 0);
});

await test('a suggestion repairs the text at its place', async () => {
  const {text} = session.scene.dollFile;
  const faulty = text.replace(/^(\s*)shape /m, '// sch\u00f6n\n$1shap ');
  const [problem] = (await ask({type: 'doll', text: faulty})).problems;
  assert.equal(problem.suggestion, 'shape');
  const bytes = Buffer.from(faulty);
  const repaired = Buffer.concat([
    bytes.subarray(0, problem.start),
    Buffer.from(problem.suggestion),
    bytes.subarray(problem.end),
  ]);
  assert.deepEqual((await ask({type: 'doll', text: repaired.toString()})).problems, []);
  assert.equal((await ask({type: 'doll', text: `${text}\nbogus 3\n`})).problems[0].suggestion, null);
  assert.deepEqual((await ask({type: 'doll', text})).problems, []);
});

await test('a doll that is dropped is the text that the command reads', async () => {
  const text = '// sch\u00f6n\r\nbody head head\r\n\tmass\u00a03\r\n';
  const plain = text.replaceAll('\r', '');
  const utf16 = Buffer.from(`\ufeff${text}`, 'utf16le');
  const latin1 = Buffer.from(text, 'latin1');
  for (const bytes of [Buffer.from(text), Buffer.from(`\ufeff${text}`), utf16, Buffer.from(utf16).swap16(), latin1]) {
    const {problems, doll} = await ask({type: 'load', files: [{name: 'some.doll', bytes}]});
    assert.deepEqual(problems, []);
    assert.deepEqual(doll, {name: 'some.doll', text: plain, ending: '\r\n'});
    assert.equal(take('doll').at(-1).text, plain);
  }
  await send({type: 'scene', scene: {}});
});

await test('a check goes on beside the fall, and is stopped', async () => {
  const {text} = session.scene.dollFile;
  const check = {type: 'check', text, drops: 2};
  const first = ask(check);
  const {time} = await frames(2);
  const moved = await frames(5);
  assert(moved.time > time, 'time passes');
  // Both are stopped before this thread, in which they run here, gets to them.
  const second = ask({...check, drops: 40});
  await send({type: 'uncheck'});
  assert.equal((await first).problems, null, 'another check ends it');
  assert.equal((await second).problems, null, 'it is stopped');
  assert.match((await ask({...check, text: 'body a b\n'})).problems[0].message, /no bone/);
  await send({type: 'uncheck'});
});

await test('the words of the language have their pages', async () => {
  const {words} = await ask({type: 'words'});
  assert(words.length > 30, `${words.length} words`);
  assert.deepEqual(
    words.filter(({docs}) => docs.length < 40).map(({word, under}) => `${word} under ${under}`),
    [],
  );
  const stop = words.find(({word}) => word === 'LoStop2');
  assert.deepEqual([stop.under, stop.arguments], ['joint', 'RADIANS']);
  const shown = words.flatMap(({word, docs, pictures}) =>
    [...docs.matchAll(/!\[.*\]\((.*)\)/g)].map(([, place]) => [word, place, pictures[place]?.slice(0, 18)]),
  );
  assert(shown.some(([word]) => word === 'orient'));
  for (const one of shown) assert.equal(one[2], 'data:image/svg+xml', `${one}`);
  assert.deepEqual(
    words.filter(({docs}) => /Which way is positive/.test(docs)),
    [],
    'what is above the sections of words is in none of them',
  );
});

await test('every built-in falls', async () => {
  for (const builtin of Object.keys(BUILTINS)) {
    const {error} = await ask({type: 'scene', scene: {builtin, seed: 1}});
    assert.equal(error, undefined);
    const frame = await frames(200);
    assert(frame.bodies.every(Number.isFinite), builtin);
    assert(frame.metrics.gap < 1 && frame.metrics.excess < 1, builtin);
    const {lowest} = session.skelobj.ragdollInfo(session.fall.world, session.fall.objects[0]);
    assert(lowest > -1 && lowest < 60, `${builtin}: ${lowest}`);
    console.log(`    ${builtin}: gap ${frame.metrics.gap.toFixed(2)}, excess ${frame.metrics.excess.toFixed(2)}`);
  }
});

await test('the frames of joints are those of their angles', async () => {
  const rows = m => [m.slice(0, 3), m.slice(4, 7), m.slice(8, 11)];
  const times = (a, b) =>
    a.map(row => b[0].map((_, column) => row.reduce((sum, part, at) => sum + part * b[at][column], 0)));
  const flip = a => a[0].map((_, column) => a.map(row => row[column]));
  // The turn by a vector of rotation.
  const turnOf = ([x, y, z]) => {
    const angle = Math.hypot(x, y, z);
    const [s, c] = [angle ? Math.sin(angle) / angle : 1, angle ? (1 - Math.cos(angle)) / angle ** 2 : 0.5];
    const cos = Math.cos(angle);
    return [
      [cos + c * x * x, c * x * y - s * z, c * x * z + s * y],
      [c * x * y + s * z, cos + c * y * y, c * y * z - s * x],
      [c * x * z - s * y, c * y * z + s * x, cos + c * z * z],
    ];
  };
  const kinds = {};
  const stretched = (...factors) => ({
    model: {name: 'stretched.iqm', bytes: stretch(file('mannequin.iqm').bytes, 10, ...factors)},
    doll: {name: 'a.doll', text: `${file('mannequin.doll').bytes}`},
  });
  // A bone that is mirrored in the reference pose alone shows which axis gives way: Z, as in the library.
  const mirrored = stretched([1, 1, -1], [1, 1, 1]);
  for (const [name, scene] of Object.entries({
    mannequin: {builtin: 'mannequin'},
    dog: {builtin: 'dog'},
    stretched: stretched([1.5, 1.5, 1.5]),
    mirrored,
  })) {
    await ask({type: 'scene', scene: {...scene, seed: 5}});
    const {joints} = take('doll').at(-1);
    await frames(90); // Joints that the first pose violates have eased until then.
    for (let moment = 0; moment < 4; moment++) {
      await frames(15);
      const {
        skelobj,
        fall: {
          world,
          objects: [object],
        },
      } = session;
      const [bodies, states] = [skelobj.ragdollBodies(world, object), skelobj.ragdollJoints(world, object)];
      joints.forEach(({name: joint, kind, body1, body2, limits}, number) => {
        if (!limits) return;
        const [one, two] = [
          [body1, limits.frame1],
          [body2, limits.frame2],
        ].map(([body, frame]) => times(rows(bodies[body].matrix), rows(frame)));
        const {
          position: [a, b],
          twist,
        } = states[number];
        const [middle, other] = limits.ranges.map(range => (range ? (range[0] + range[1]) / 2 : 0));
        const expected =
          kind === 'cone'
            ? times(times(turnOf([-middle, -other, 0]), turnOf([middle - a, other - b, 0])), turnOf([0, 0, -twist]))
            : kind === 'hinge'
              ? turnOf([-a, 0, 0])
              : null;
        if (!expected) return;
        kinds[kind] = (kinds[kind] ?? 0) + 1;
        const found = times(flip(one), two);
        const most = Math.max(
          ...found.flatMap((row, at) => row.map((part, column) => Math.abs(part - expected[at][column]))),
        );
        assert(most < 0.02, `${name} ${joint} (${kind}): off by ${most}`);
      });
    }
  }
  assert(kinds.cone > 20 && kinds.hinge > 20, JSON.stringify(kinds));
});

await test('collapsed axes of a bone are those of the library', () => {
  const ofColumns = (x, y, z) => [0, 1, 2].flatMap(row => [x[row], y[row], z[row], 7]);
  const [x, y, z, none] = [
    [2, 0, 0],
    [0, 3, 0],
    [0, 0, 4],
    [0, 0, 0],
  ];
  const whole = ofColumns([1, 0, 0], [0, 1, 0], [0, 0, 1]);
  for (const columns of [
    [x, y, z],
    [none, y, z],
    [x, none, z],
    [x, y, none],
    [x, [5, 0, 0], z],
    [x, [-5, 0, 0], z],
  ]) {
    assert.deepEqual(
      rigid(ofColumns(...columns)).map(part => part + 0),
      whole,
      JSON.stringify(columns),
    );
  }
});

await test('a body moves along the axes of its offset', async () => {
  const text = `${file('mannequin.doll').bytes}`;
  const before = 'body thigh_l thigh_l\n\torient shin_l\n';
  assert(text.includes(before));
  for (const [lines, angles] of [
    ['\torient shin_l\n', ''],
    ['', '30 40 50'],
    ['\torient shin_l\n', '30 40 50'],
  ]) {
    const placed = async offset => {
      const doll = {
        name: 'a.doll',
        text: text.replace(before, `body thigh_l thigh_l\n${lines}\toffset ${offset.join(' ')} ${angles}\n`),
      };
      await ask({type: 'scene', scene: {doll}});
      const {bodies} = take('doll').at(-1);
      const number = bodies.findIndex(({name}) => name === 'thigh_l');
      const {
        skelobj,
        fall: {
          world,
          objects: [object],
        },
      } = session;
      return {matrix: skelobj.ragdollBodies(world, object)[number].matrix, axes: bodies[number].offsetAxes};
    };
    const {matrix: from, axes} = await placed([0, 0, 0]);
    for (const axis of [0, 1, 2]) {
      const {matrix: to} = await placed([0, 1, 2].map(other => (other === axis ? 5 : 0)));
      const way = [3, 7, 11].map(part => (to[part] - from[part]) / 5);
      const inBody = [0, 1, 2].map(column => way.reduce((sum, part, row) => sum + part * from[row * 4 + column], 0));
      const most = Math.max(...inBody.map((part, row) => Math.abs(part - axes[row * 3 + axis])));
      assert(most < 1e-3, `${lines.trim()} ${angles}, axis ${axis}: ${inBody} instead of ${axes}`);
    }
  }
});

await test('dropped files', async () => {
  assert.equal((await ask({type: 'load', files: [file('dog.iqm'), file('dog.doll')]})).error, undefined);
  assert.equal(session.scene.name, 'dog.iqm');
  assert.equal((await ask({type: 'load', files: [file('mannequin.iqm')]})).error, undefined);
  assert.equal(session.scene.dollFile.name, 'mannequin.doll');
  assert(session.scene.dollFile.text.startsWith('// Ragdoll for mannequin.iqm'), 'a doll is fitted');
  await frames(60);
  const bad = await ask({type: 'load', files: [{name: 'bad.iqm', bytes: file('dog.iqm').bytes.subarray(0, 500)}]});
  assert.match(bad.error, /^bad.iqm: header at byte/, 'a bad file is told');
  assert.equal(session.scene.name, 'mannequin.iqm');
  assert.match(
    (await ask({type: 'load', files: [{name: 'pack.zip', bytes: Uint8Array.of(80, 75, 3, 4)}]})).error,
    /archive/,
  );
  const map = {name: 'x.bsp', bytes: Uint8Array.from([...Buffer.from('FBSP'), 1, 0, 0, 0])};
  assert.match((await ask({type: 'load', files: [map]})).error, /^x.bsp: header/, 'a bad map is told');
  assert.match((await ask({type: 'scene', scene: {level: map}})).error, /\S/, 'a bad map is told');
  assert.deepEqual([session.scene.name, session.fall.ground.kind], ['mannequin.iqm', 'floor']);
  await send({type: 'drop', seed: 2});
  const large = await ask({type: 'load', files: [{name: 'a.iqm', bytes: new Uint8Array(65 << 20)}]});
  assert.match(large.error, /64/);
  await frames(2);
});

await test('dropped files of no use are named, and the others taken', async () => {
  const made = (name, text) => ({name, bytes: Buffer.from(text)});
  const isLoaded = name => assert.equal(session.scene.name, name);
  await ask({type: 'load', files: [file('mannequin.iqm'), file('mannequin.doll')]});
  for (const [one, why] of [
    [made('notes.txt', 'some notes'), /^notes.txt: it is not a model, a doll or a map, and nothing names it$/],
    [made('empty.iqm', ''), /^empty.iqm: it is empty$/],
    [made('man.fbx', 'Kaydara FBX Binary  \0\x1a\0'), /^man.fbx: it is binary FBX: export it/],
    [made('skin.png', 'a picture'), /^skin.png: mannequin.iqm has no material with this picture$/],
    // Bones and letters are no names of files, and what a file says of itself is nothing.
    [made('head.png', 'a picture'), /^head.png: mannequin.iqm has no material with this picture$/],
    [made('a.jpg', 'a picture'), /^a.jpg: mannequin.iqm has no material with this picture$/],
    [made('head', 'some notes'), /^head: it is not a model, a doll or a map, and nothing names it$/],
    [made('animation.cfg', 'sex m'), /^animation.cfg: mannequin.iqm is not a Quake III player$/],
    [made('README', 'This is the README.'), /^README: it is not a model/],
    [made('readme.md', 'see "readme.md"'), /^readme.md: it is not a model/],
  ]) {
    told.length = 0;
    const fall = session.fall;
    assert.match((await ask({type: 'load', files: [one]})).error, /** @type {RegExp} */ (why));
    assert.equal(session.fall, fall, 'the fall goes on');
  }
  const map = {name: 'x.bsp', bytes: Uint8Array.from([...Buffer.from('FBSP'), 1, 0, 0, 0])};
  const mixed = await ask({
    type: 'load',
    files: [file('dog.iqm'), made('a.txt', 'b'), map, file('rope.doll'), file('dog.doll')],
  });
  assert.equal(mixed.error, undefined);
  isLoaded('dog.iqm');
  assert.deepEqual([session.scene.dollFile.name, session.fall.ground.kind], ['dog.doll', 'floor']);
  assert.deepEqual(mixed.unused.sort(), [1, 2, 3]);
  assert.match(mixed.complaint, /^rope.doll: of several dolls, the last is used: dog.doll$/m);
  assert.match(mixed.complaint, /^x.bsp: header/m);
  assert.doesNotMatch(mixed.complaint, /x.bsp: x.bsp/);
  // A doll with them goes to the model that runs.
  const doll = await ask({type: 'load', files: [file('dog.doll', 'own.doll'), made('a.txt', 'b')]});
  assert.deepEqual([session.scene.dollFile.name, doll.unused], ['own.doll', [1]]);
  const many = Array.from({length: 9}, (_, number) => made(`${number}.txt`, 'b'));
  assert.match((await ask({type: 'load', files: many})).error, /\nand 3 more files of no use$/);
  // What a model or a text beside it names is of use, though it comes alone.
  const square = md3(4, 'models/skin');
  await ask({type: 'load', files: [{name: 'square.md3', bytes: square}]});
  for (const beside of [
    made('SKIN.png', 'a picture'),
    made('square.md3.framegroups', '0 4 10'),
    made('other.txt', 'skin'),
  ]) {
    const {error} = await ask({type: 'load', files: [beside]});
    assert.equal(error !== undefined, beside.name.endsWith('.txt'), `${beside.name}: ${error}`);
  }
  // A buffer may have any name.
  const buffer = {name: 'points', bytes: Buffer.from(Float32Array.of(0, 0, 0, 9, 0, 0, 0, 9, 0).buffer)};
  const json = {
    asset: {version: '2.0'},
    scene: 0,
    scenes: [{nodes: [0]}],
    nodes: [{mesh: 0}],
    meshes: [{primitives: [{attributes: {POSITION: 0}}]}],
    buffers: [{uri: 'points', byteLength: 36}],
    bufferViews: [{buffer: 0, byteLength: 36}],
    accessors: [{bufferView: 0, componentType: 5126, count: 3, type: 'VEC3', min: [0, 0, 0], max: [9, 9, 0]}],
  };
  const triangle = await ask({type: 'load', files: [made('triangle.gltf', JSON.stringify(json)), buffer]});
  assert.deepEqual([triangle.error, triangle.unused], [undefined, []]);
  // Of two models, the one without a bone of the other's is named.
  told.length = 0;
  await ask({type: 'load', files: [file('mannequin.iqm'), file('turret.iqm')]});
  assert(
    take('model')
      .at(-1)
      .warnings.some(text => /turret.iqm: .* no bone/.test(text)),
  );
});

await test('warnings begin with the name of the file that they are about', async () => {
  const points = [
    [0, 0, 0],
    [8, 0, 0],
    [0, 8, 0],
  ];
  const lines = [
    'MD5Version 10',
    'commandline ""',
    'numJoints 1',
    'numMeshes 2',
    'joints {',
    '"origin" -1 ( 0 0 0 ) ( 0 0 0 )',
    '}',
    'mesh {',
    'shader "skin"',
    'numverts 3',
    ...points.map((_, number) => `vert ${number} ( 0 0 ) ${number} 1`),
    'numtris 1',
    'tri 0 0 1 2',
    'numweights 3',
    ...points.map((at, number) => `weight ${number} 0 1 ( ${at.join(' ')} )`),
    '}',
    '',
  ];
  const mesh = name => ({name, bytes: Buffer.from(lines.join('\n'))});
  const warned = async (...files) => {
    told.length = 0;
    assert.equal((await ask({type: 'load', files})).error, undefined);
    return take('model').at(-1).warnings;
  };
  const what = /^(.*): header at byte \d+: accepted: a number of meshes/;
  assert.deepEqual(
    (await warned(mesh('one.md5mesh'))).map(text => text.match(what)?.[1]),
    ['one.md5mesh'],
  );
  const both = (await warned(mesh('one.md5mesh'), mesh('two.md5mesh'))).map(text => text.match(what)?.[1]);
  assert.deepEqual(both.filter(Boolean), ['one.md5mesh', 'two.md5mesh']);
});

await test('a map that is not readable leaves the model of the first scene', async () => {
  const posts = [];
  const other = new Session(message => posts.push(message), BUILTINS, new Checker(spawn));
  const dog = file('dog.iqm', 'hound.iqm');
  await other.init({module, scene: {model: dog, level: {name: 'x.bsp', bytes: Uint8Array.of(1, 2, 3, 4)}}});
  assert.equal(posts.filter(({type}) => type === 'error').length, 1);
  assert.equal(other.scene.name, 'hound.iqm');
});

await test('animations of the same bones join the model', async () => {
  await ask({type: 'load', files: [file('mannequin.iqm'), file('mannequin.doll')]});
  const before = session.scene.animations.length;
  assert.equal((await ask({type: 'load', files: [file('mannequin_getup.iqm')]})).error, undefined);
  assert.equal(session.scene.name, 'mannequin.iqm');
  assert(session.scene.animations.length > before && session.scene.getUps.length > 0);
  assert.equal(session.scene.dollFile.name, 'mannequin.doll');
});

await test('pictures in folders, and dolls in Latin-1', async () => {
  const files = [
    {name: 'square/square.md3', bytes: md3(1, 'models/Skin')},
    {name: 'square/textures/skin.PNG', bytes: Uint8Array.of(1, 2)},
  ];
  assert.equal((await ask({type: 'load', files})).error, undefined);
  assert.deepEqual(take('model')[0].meshes[0].image, {type: 'png', bytes: Uint8Array.of(1, 2)});
  const mannequin = [file('mannequin.iqm'), file('mannequin.doll')];
  mannequin[1].bytes = Buffer.concat([Buffer.from('// f\xfcr alle\n', 'latin1'), mannequin[1].bytes]);
  assert.equal((await ask({type: 'load', files: mannequin})).error, undefined);
  assert.match(session.scene.dollFile.text, /^\/\/ für alle\n/);
});

await test('a push wakes a corpse, once in a step', async () => {
  await send({type: 'scene', scene: {}});
  assert((await frames(400)).metrics.asleep, 'it rests');
  const push = {type: 'push', origin: [-200, 0, 8], direction: [1, 0, -0.02], acceleration: 300};
  const pushed = async times => {
    for (let time = 0; time < times; time++) await send(push);
    return (await frames(2)).metrics;
  };
  await send({type: 'seek', time: 6});
  const once = await pushed(1);
  assert(!once.asleep && once.speed > 0, 'it is awake');
  await send({type: 'seek', time: 6});
  assert.deepEqual((await pushed(5)).speed, once.speed);
});

await test('a model without bones plays its poses', async () => {
  assert.equal((await ask({type: 'load', files: [{name: 'square.md3', bytes: md3(4, 'skin')}]})).error, undefined);
  const {bones, animations} = take('model')[0];
  assert.deepEqual([bones, animations.length], [[], 5]);
  assert.deepEqual(animations[4], {name: 'frame', duration: 0.4, loops: true, poses: 4});
  const heights = [];
  for (let frame = 0; frame < 30; frame++) {
    const {mode, animation, morphs, palettes} = await frames(1);
    assert.deepEqual([mode, animation.index, palettes.length, morphs.length], ['animation', 4, 12, 1]);
    heights.push(morphs[0].positions[2]);
  }
  // A tenth of a second for each pose, and back to the first after the last.
  assert(
    [
      [6, 18],
      [9, 22],
      [18, 34],
      [24, 10],
    ].every(([frame, height]) => Math.abs(heights[frame - 1] - height) < 0.05),
    `${heights}`,
  );
  await send({type: 'animation', index: 3, time: 0, playing: false});
  assert.equal((await frames(1)).morphs[0].positions[2], 34);
  assert.deepEqual((await frames(1)).morphs, [], 'what stands still is not sent again');
  await send({type: 'crowd', count: 4});
  assert.equal((await frames(1)).palettes.length, 48);
  await session.handle({type: 'getup'});
  assert.match(take('error')[0].text, /nothing has fallen/);
  await send({type: 'shoot', origin: [-200, 0, 10], direction: [1, 0, 0], speed: 40});
  assert.equal((await ask({type: 'load', files: [file('dog.iqm')]})).error, undefined);
});

await test('a Quake III player of dropped parts', async () => {
  const part = (name, frames) => ({name: `players/sarge/${name}`, bytes: md3(frames, `models/${name}`)});
  const [lower, upper, head] = [part('lower.md3', 4), part('Upper.md3', 4), part('head.md3', 1)];
  const dog = file('dog.iqm');
  const skin = {name: 'players/sarge/upper_default.skin', bytes: Buffer.from('square,models/vest.tga\n')};
  const vest = {name: 'players/sarge/vest.png', bytes: Uint8Array.of(1, 2)};
  const other = {name: 'players/sarge/upper_red.skin', bytes: Buffer.from('square,models/red.tga\n')};
  const load = async (...files) => {
    told.length = 0;
    const {error, unused} = await ask({type: 'load', files});
    return {error, unused, meshes: take('model').at(-1)?.meshes};
  };
  assert.match(
    (await load(head, lower)).error,
    /^lower.md3 and head.md3 are parts of a Quake III player: drop them with upper.md3$/,
  );
  assert.equal(session.scene.name, 'dog.iqm', 'the model stays');
  // The order is that of the parts, not of the files.
  const whole = await load(head, vest, upper, other, skin, lower);
  assert.deepEqual(
    [whole.error, whole.unused, whole.meshes.length, session.scene.name],
    [undefined, [3], 3, 'lower.md3'],
  );
  assert.deepEqual(
    whole.meshes.map(({image}) => image?.type),
    [undefined, 'png', undefined],
    'the default skin dresses it',
  );
  // A part takes the place of that of the player; alone it is a model, which the others complete.
  for (const name of ['Upper.md3', 'upper.md3'])
    assert.equal((await load(part(name, 4))).meshes[1].image.type, 'png', 'the skin stays');
  await load(dog);
  told.length = 0;
  await ask({type: 'load', files: [upper, skin, vest]});
  const {meshes: alone, warnings} = take('model').at(-1);
  assert.equal(alone.length, 1);
  const isPart = 'Upper.md3 is a part of a Quake III player: drop it with lower.md3 and head.md3 to see the whole';
  assert.deepEqual(warnings, [isPart]);
  const completed = await load(lower, head);
  assert.deepEqual([completed.error, completed.meshes.length, completed.meshes[1].image?.type], [undefined, 3, 'png']);
  // A scene of `skelobj view --with` has them beside its model.
  assert.equal((await ask({type: 'scene', scene: {model: head, side: [lower, upper, skin, vest]}})).error, undefined);
  const {name, meshes} = take('model').at(-1);
  assert.deepEqual([name, meshes.length, meshes[1].image?.type], ['lower.md3', 3, 'png']);
  await load(dog);
});

await test('of several players, the last one is shown', async () => {
  const text = (name, contents) => ({name, bytes: Buffer.from(contents)});
  const parts = ['lower.md3', 'upper.md3', 'head.md3'];
  const player = (folder, number) => [
    ...parts.map(name => ({name: folder + name, bytes: md3(1, `models/${number}`)})),
    text(`${folder}upper_default.skin`, 'square,models/vest.tga\n'),
    text(`${folder}head_default.skin`, 'square,models/hat.tga\n'),
    {name: `${folder}textures/vest.png`, bytes: Uint8Array.of(number)},
  ];
  const load = async (...files) => {
    told.length = 0;
    const {error, unused, complaint} = await ask({type: 'load', files});
    assert.equal(error, undefined);
    const {meshes} = take('model').at(-1);
    const {files: kept} = session.scene;
    return {
      unused,
      complaint,
      materials: meshes.map(({material}) => material),
      images: meshes.map(({image}) => image?.bytes[0]),
      kept: kept.length,
    };
  };
  // Folders keep the players apart; a picture in none of them may be of either.
  const [first, second] = [player('players/one/', 1), player('players/two/', 2)];
  const hat = {name: 'players/hat.png', bytes: Uint8Array.of(9)};
  const mixed = await load(hat, ...first.flatMap((file, number) => [file, second[number]]));
  assert.deepEqual(mixed.images, [undefined, 2, 9]);
  assert.deepEqual([mixed.unused, mixed.kept], [[1, 3, 5, 7, 9, 11], 7]);
  assert.match(mixed.complaint, /^players\/one\/lower.md3: of several players, the last is used: players\/two$/m);
  assert.deepEqual((await load(...second, ...first)).images, [undefined, 1, undefined]);
  // Without folders, the last of each part is used.
  const [one, two] = [1, 2].map(number => parts.map(name => ({name, bytes: md3(1, `models/${number}`)})));
  const plain = await load(...one, ...two);
  assert.deepEqual([...plain.materials, ...plain.unused], ['models/2', 'models/2', 'models/2', 0, 1, 2]);
  assert.match(plain.complaint, /^lower.md3: of several players, the last file of each part is used/);
});

await test('files beside a built-in model join it', async () => {
  const names = async side => {
    assert.equal((await ask({type: 'scene', scene: {builtin: 'mannequin', side}})).error, undefined);
    const {name, animations} = take('model').at(-1);
    assert.equal(name, 'mannequin.iqm');
    return animations.map(animation => animation.name);
  };
  const plain = await names([]);
  const joined = await names([file('mannequin.iqm', 'again.iqm')]);
  assert(joined.length > plain.length, `${joined}`);
  // A damaged file beside the model is told; a damaged model is none.
  const cut = {name: 'cut.iqm', bytes: file('dog.iqm').bytes.subarray(0, 900)};
  await names([cut]);
  assert.match(session.scene.warnings.join('\n'), /^cut.iqm: /m);
  assert.match((await ask({type: 'scene', scene: {model: cut, side: [file('dog.iqm')]}})).error, /^cut.iqm: /);
});

await test('maps have the textures of their file', async () => {
  const bytes = readFileSync(at('../../tests/data/examples/floor.bsp'));
  const quake = Uint8Array.from(bytes);
  quake[0] = 29;
  const palette = (name, size = 768) => ({name, bytes: new Uint8Array(size).fill(7)});
  const load = async (...files) => {
    told.splice(0);
    const {error, unused} = await ask({type: 'load', files});
    return {error, unused, level: take('level').at(-1)};
  };
  await send({type: 'scene', scene: {}});
  assert.match((await load(palette('palette.lmp'))).error, /^palette.lmp: no map is shown/);
  const {level} = await load({name: 'floor.bsp', bytes});
  assert.deepEqual([level.kind, level.groups], ['bsp', [{start: 0, count: 6, image: 0}]]);
  const [{width, height, rgba}] = level.images;
  assert.deepEqual(
    [width, height, [...rgba.subarray(0, 8)], level.images.length],
    [16, 16, [96, 96, 96, 255, 160, 160, 160, 255], 1],
  );
  // Columns are shifted by 8 texels, and rows follow each other against Y.
  for (let corner = 0; corner < 6; corner++) {
    const [x, y] = level.positions.subarray(corner * 3);
    const [u, v] = level.uvs.subarray(corner * 2);
    assert.deepEqual([u, v], [(x + 8) / 16, -y / 16]);
  }
  // The colours of Quake are those of the game, which may come later, and stay for its other maps.
  const plain = await load({name: 'quake.bsp', bytes: quake});
  assert.deepEqual([plain.level.groups, plain.level.images], [[{start: 0, count: 6, image: null}], []]);
  assert.match(
    (await load(palette('palette.lmp', 767))).error,
    /^palette.lmp: it is not a palette, which has 768 bytes$/,
  );
  const painted = await load(palette('gfx/Palette.lmp'));
  assert.deepEqual([painted.unused, [...painted.level.images[0].rgba.subarray(0, 4)]], [[], [7, 7, 7, 255]]);
  assert.equal((await load({name: 'other.bsp', bytes: quake})).level.images.length, 1);
  assert.deepEqual([...session.scene.source.level.palette], [...palette('').bytes]);
  told.splice(0);
  await send({type: 'scene', scene: {level: {name: 'quake.bsp', bytes: quake, palette: palette('').bytes}}});
  assert.equal(take('level').at(-1).images.length, 1);
  await frames(2);
  await send({type: 'scene', scene: {}});
});

await test('textures of a map have no more pixels than its file has bytes', () => {
  const read = [];
  const surfaces = Array.from({length: 9}, (_, number) => number);
  const level = new Level(
    {
      levelLoad: () => 1,
      levelCorners: () => new Float32Array(9),
      levelTriangles: () => surfaces.flatMap(() => [0, 1, 2]),
      levelTriangleSurfaces: () => surfaces,
      levelSurface: (_, number) => ({texture: number, s: [0, 0, 0, 0], t: [0, 0, 0, 0]}),
      levelTexture: (_, number) => {
        read.push(number);
        return [{width: 10, height: 10}, new Uint8Array(400)];
      },
    },
    {name: 'overlapping.bsp', bytes: Uint8Array.from({length: 399}, () => 30)},
  );
  const {images, groups} = level.look([{model: 0, at: [0, 0, 0]}]);
  assert.deepEqual([images.length, read], [3, [0, 1, 2, 3]]);
  assert.deepEqual(
    groups.map(({count, image}) => [count, image]),
    [
      [3, 0],
      [3, 1],
      [3, 2],
      [18, null],
    ],
  );
});

const {SKELOBJ_SHARED} = process.env;
if (SKELOBJ_SHARED) {
  await test('a map', async () => {
    const bytes = readFileSync(join(SKELOBJ_SHARED, 'corpus/bsp/room/room_bsp29.bsp'));
    assert.equal((await ask({type: 'load', files: [{name: 'room.bsp', bytes}]})).error, undefined);
    const [level] = take('level');
    assert.equal(level.kind, 'bsp');
    assert(level.positions.length > 60 && level.indices.every(index => index < level.positions.length / 3));
    const frame = await frames(300);
    const lowest = Math.min(
      ...Array.from({length: frame.bodies.length / 13}, (_, body) => frame.bodies[body * 13 + 11]),
    );
    console.log(
      `    ${level.indices.length / 3} triangles, lowest middle ${lowest.toFixed(1)}, ` +
        `gap ${frame.metrics.gap.toFixed(2)}`,
    );
    const {skelobj, scene} = session;
    const [, at] = skelobj.levelPlayerStart(scene.level.id);
    const def = {level: scene.level.id, at: [...at]};
    await send({type: 'drop', seed: null});
    await compare('in a map', def);
    await send({type: 'drop', seed: 3});
    await compare('in a map, seed 3', {...def, is_seeded: 1, seed: 3n});
    told.splice(0);
    await send({type: 'crowd', count: 100});
    const {count, bodies} = await frames(120);
    const heights = Array.from({length: bodies.length / 13}, (_, body) => bodies[body * 13 + 11]);
    const floor = Math.min(...session.fall.spots.map(([, , z]) => z));
    assert(count > 1 && heights.every(z => z > floor - 2), `${Math.min(...heights)} in a map down to ${floor}`);
    assert.equal(
      told.some(({type, text}) => type === 'note' && /there is room for/.test(text)),
      count < 100,
    );
    console.log(`    room for ${count}`);
    await send({type: 'crowd', count: 1});
    await send({type: 'ground', ground: 'floor'});
  });
  await test('a player of the corpus', async () => {
    const folder = join(SKELOBJ_SHARED, 'corpus/md3/sarge');
    const files = readdirSync(folder).map(name => ({name: `sarge/${name}`, bytes: readFileSync(join(folder, name))}));
    const {error, unused} = await ask({type: 'load', files});
    assert.deepEqual([error, unused], [undefined, []]);
    const {animations, meshes} = take('model').at(-1);
    const heights = session.skelobj.floats(session.scene.meshes.at(-1).positions, 3);
    assert(animations.some(({name}) => name === 'LEGS_RUN') && meshes.length >= 3, `${meshes.length} meshes`);
    assert(heights[2] > 10, 'the head is above the legs');
  });
} else console.log('SKIPPED: a map and a player, as SKELOBJ_SHARED is not set');

await test('a hundred', async () => {
  await send({type: 'scene', scene: {}});
  await send({type: 'crowd', count: 100});
  const frame = await frames(90);
  assert.equal(frame.count, 100);
  console.log(`    ${frame.metrics.awake} awake: a step takes ${frame.metrics.stepMs.toFixed(1)} ms`);
  await send({type: 'seek', time: 0.5});
  assert.equal(Math.round(told.findLast(({type}) => type === 'frame').time * 60), 30);
  await frames(150);
  const animated = () =>
    session.fall.objects.map(object => session.skelobj.ragdollInfo(session.fall.world, object).animated);
  const [x, y] = [3, 7].map(
    at => session.skelobj.ragdollBodies(session.fall.world, session.fall.objects[0])[0].matrix[at],
  );
  await send({type: 'drag', phase: 'start', origin: [x, y, 200], direction: [0, 0, -1]});
  const {number} = session.fall.state.drag;
  assert.deepEqual(
    animated().map(Boolean),
    session.fall.objects.map((_, other) => other === number),
    'one is held',
  );
  await send({type: 'drag', phase: 'end', origin: [x, y, 200], direction: [0, 0, -1]});
  assert(
    animated().every(count => count === 0),
    'none is held',
  );
  for (const ground of ['stairs', 'door', 'water']) {
    await send({type: 'ground', ground});
    const {count, bodies, metrics} = await frames(60);
    const each = session.scene.doll.bodies.length * 13;
    assert.equal(count, 100);
    const heights = Array.from({length: bodies.length / 13}, (_, body) => bodies[body * 13 + 11]);
    assert(
      heights.every(z => z > -2 && z < 240),
      `${ground}: ${Math.min(...heights)} to ${Math.max(...heights)}`,
    );
    assert(new Set(Array.from({length: count}, (_, number) => bodies[number * each + 3])).size > 50, 'they lie apart');
    console.log(
      `    ${ground}: heights ${Math.min(...heights).toFixed(1)} to ${Math.max(...heights).toFixed(1)}, ` +
        `${metrics.awake} awake, ${metrics.stepMs.toFixed(1)} ms`,
    );
  }
  await send({type: 'ground', ground: 'floor'});
  await send({type: 'crowd', count: 1});
});

await test('a defect of the library ends nothing', async () => {
  const running = session.scene.name;
  session.skelobj.raw = {
    ...session.skelobj.raw,
    skelobj_step: () => {
      throw new WebAssembly.RuntimeError('unreachable');
    },
  };
  await session.handle({type: 'next'});
  assert.equal(take('error').length, 1);
  assert.equal(session.scene.name, running);
  assert((await frames(30)).bodies.every(Number.isFinite));
});
