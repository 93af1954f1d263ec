// Converts models to binary glTF, draws falls into it, and checks them with Khronos' validator:
// `node validate.mjs PATH/TO/skelobj`. Models: the mannequin, those of tests/golden, and the shared corpus
// (SKELOBJ_SHARED), if there is one.
import {execFileSync, spawnSync} from 'node:child_process';
import fs from 'node:fs';
import {createRequire} from 'node:module';
import os from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

const VALIDATOR = 'gltf-validator@2.0.0-dev.3.10';

// Accepted remarks: the models name materials without textures, so texture coordinates and tangents are unused; files
// without meshes are animations for other files, so their nodes are empty; textures of Half-Life models have any size.
const EXPECTED = [
  ({code}) => code === 'IMAGE_NPOT_DIMENSIONS',
  ({code, pointer}) => code === 'UNUSED_OBJECT' && pointer.endsWith('/attributes/TEXCOORD_0'),
  ({code}) => code === 'UNUSED_MESH_TANGENT',
  ({code}, model) => code === 'NODE_EMPTY' && !model.meshes,
  ({code, pointer}, model) => code === 'UNUSED_OBJECT' && pointer === '/skins/0' && !model.meshes,
];
// Errors of a shape whose skeleton is in another file, of animations without bones, of maps, dolls, and other files.
const NOT_MODELS =
  /is a map, not a model|is a doll, not a model|is the source of a map, not a model|match no known model format/;
const REFUSED = new RegExp(
  `${NOT_MODELS.source}|the skeleton has no bind pose|has no frames, or frames|at byte \\d+: `,
);

const skelobj = path.resolve(process.argv[2]);
const project = fileURLToPath(new URL('../..', import.meta.url));
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'skelobj-gltf-'));
process.on('exit', () => fs.rmSync(folder, {recursive: true, force: true}));
const quietly = ['--ignore-scripts', '--no-audit', '--no-fund', '--silent'];
execFileSync('npm', ['install', '--prefix', folder, ...quietly, VALIDATOR], {stdio: 'inherit'});
const validator = createRequire(path.join(folder, 'node_modules/'))('gltf-validator');

const below = directory =>
  fs
    .readdirSync(directory, {withFileTypes: true})
    .flatMap(entry => {
      const at = path.join(directory, entry.name);
      return entry.isDirectory() ? below(at) : [at];
    })
    .sort();
const models = [path.join(project, 'dolls/mannequin.iqm'), ...below(path.join(project, 'tests/golden/models'))];
const shared = process.env.SKELOBJ_SHARED ?? path.join(project, '../shared');
if (fs.existsSync(path.join(shared, 'corpus'))) {
  models.push(...below(path.join(shared, 'corpus')));
} else {
  console.log('SKIPPED validate.mjs on the corpus: no shared folder');
}

const commands = models.map(model => [model, path.extname(model), ['convert', model]]);
for (const options of [
  ['--seed', '3'],
  ['--water', '40', '--no-bodies'],
  ['--anim', 'walk'],
]) {
  commands.push([`draw ${options.join(' ')}`, 'drawn', ['draw', ...options, '-o']]);
}

const counts = {};
let failed = 0;
for (const [model, kind, command] of commands) {
  const written = path.join(folder, 'model.glb');
  fs.rmSync(written, {force: true});
  const {status, stderr} = spawnSync(skelobj, [...command, written], {encoding: 'utf8'});
  if (status !== 0) {
    if (!REFUSED.test(stderr) || stderr.includes('could not be read again')) {
      console.log(`${model}: ${stderr}`);
      failed++;
    }
    continue;
  }
  const bytes = new Uint8Array(fs.readFileSync(written));
  const json = JSON.parse(
    new TextDecoder().decode(bytes.subarray(20, 20 + new DataView(bytes.buffer).getUint32(12, true))),
  );
  const {issues} = await validator.validateBytes(bytes, {maxIssues: 0});
  const serious = issues.messages.filter(issue => !EXPECTED.some(expected => expected(issue, json)));
  for (const {severity, code, message, pointer} of serious.slice(0, 5)) {
    console.log(`${model}: severity ${severity}, ${code}: ${message} ${pointer}`);
  }
  failed += serious.length > 0 ? 1 : 0;
  counts[kind] = (counts[kind] ?? 0) + 1;
}
const total = Object.values(counts).reduce((a, b) => a + b, 0);
console.log(`validated ${total} files, ${failed} failed:`, counts);
process.exit(failed > 0 || total < 5 ? 1 : 0);
