// Writes the licences of everything that is in the page's files into a folder: `node licences.mjs FOLDER`.
// `node licences.mjs FOLDER --crates TARGET PACKAGE...` writes those of packages of this workspace, built for a target.
import {execFileSync} from 'node:child_process';
import {existsSync, readFileSync, readdirSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const run = (command, ...parameters) =>
  execFileSync(command, parameters, {cwd: here, encoding: 'utf8', maxBuffer: 1 << 28});

/** Packages of npm that run on nobody's page: tools, and types with what they need. */
const TOOLS = RegExp(
  '^(@biomejs/|@dimforge/|@esbuild/|@tweenjs/|@types/|@typescript/|esbuild$|fflate$|meshoptimizer$|' +
    'playwright-core$|typescript$|undici-types$)',
);
const [folder, , target = 'wasm32-unknown-unknown', ...own] = process.argv.slice(2);
const isPage = own.length === 0;
const lock = JSON.parse(readFileSync(join(here, 'package-lock.json'), 'utf8'));
const packages = !isPage
  ? []
  : Object.entries(lock.packages)
      .filter(([path]) => path)
      .map(([path, {version, license}]) => ({
        name: path.replace('node_modules/', ''),
        version,
        folder: join(here, path),
        license,
      }))
      .filter(({name}) => !TOOLS.test(name));

const chosen = isPage
  ? ['-p', 'skelobj-capi', '--features', 'enhanced-determinism']
  : own.flatMap(name => ['-p', name]);
const tree = run(
  'cargo',
  'tree',
  '--locked',
  ...chosen,
  '-e',
  'normal,no-proc-macro',
  '--target',
  target,
  '--prefix',
  'none',
  '-f',
  '{p}',
);
const metadata = JSON.parse(run('cargo', 'metadata', '--locked', '--format-version', '1'));
const crates = [
  ...new Set(
    tree
      .split('\n')
      .filter(Boolean)
      .map(line => line.split(' ').slice(0, 2).join(' ')),
  ),
]
  .map(line => {
    const [name, version] = line.split(' v');
    const {manifest_path, license} = metadata.packages.find(one => one.name === name && one.version === version);
    return {name, version, folder: dirname(manifest_path), license};
  })
  .filter(({name}) => !name.startsWith('skelobj'));

/** Texts by what they say, without blanks, with the names of what has them. */
const texts = new Map();
for (const {name, version, folder, license} of [...packages, ...crates]) {
  const files = existsSync(folder)
    ? readdirSync(folder).filter(file => /^(licen[cs]e|copying|unlicense)/i.test(file))
    : [];
  const best = files.find(file => /mit/i.test(file)) ?? files.find(file => !/apache/i.test(file)) ?? files[0];
  if (!best && !license?.includes('Apache-2.0')) throw new Error(`${name} ${version} has no licence`);
  const text = readFileSync(best ? join(folder, best) : join(here, '../LICENSE-APACHE'), 'utf8')
    .replaceAll('\r', '')
    .trim();
  const key = text.replace(/\s+/g, ' ');
  const known = texts.get(key) ?? {text, names: []};
  known.names.push(`${name} ${version}`);
  texts.set(key, known);
}
const line = '-'.repeat(80);
const head = isPage
  ? 'This page contains skelobj, which is MIT OR Apache-2.0, and the following packages of npm and Rust crates.'
  : `${own.join(' and ')}: skelobj is MIT OR Apache-2.0, and contains the following Rust crates.`;
const parts = [...texts.values()].map(({text, names}) => `${line}\n${names.sort().join(', ')}\n\n${text}\n`);
writeFileSync(join(folder, 'licences.txt'), `${head}\n\n${parts.sort().join('\n')}`);
