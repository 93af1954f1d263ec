// Writes the licences of everything that is in a folder's files: `node licences.mjs FOLDER`.
import {execFileSync} from 'node:child_process';
import {existsSync, readFileSync, readdirSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const run = (command, ...parameters) => execFileSync(command, parameters, {cwd: here, encoding: 'utf8', maxBuffer: 1 << 28});

/** Packages of npm that run on nobody's page. */
const TOOLS = /^(@esbuild\/|esbuild$|playwright-core$)/;
const lock = JSON.parse(readFileSync(join(here, 'package-lock.json'), 'utf8'));
const packages = Object.entries(lock.packages).filter(([path]) => path).map(([path, {version}]) =>
  ({name: path.replace('node_modules/', ''), version, folder: join(here, path)})).filter(({name}) => !TOOLS.test(name));

const tree = run('cargo', 'tree', '--locked', '-p', 'skelobj-capi', '--features', 'enhanced-determinism', '-e', 'normal,no-proc-macro',
  '--target', 'wasm32-unknown-unknown', '--prefix', 'none', '-f', '{p}');
const metadata = JSON.parse(run('cargo', 'metadata', '--locked', '--format-version', '1'));
const crates = [...new Set(tree.split('\n').filter(Boolean).map(line => line.split(' ').slice(0, 2).join(' ')))].map(line => {
  const [name, version] = line.split(' v');
  const {manifest_path, license} = metadata.packages.find(one => one.name === name && one.version === version);
  return {name, version, folder: dirname(manifest_path), license};
}).filter(({name}) => !name.startsWith('skelobj'));

/** Texts by what they say, without blanks, with the names of what has them. */
const texts = new Map();
for (const {name, version, folder, license} of [...packages, ...crates]) {
  const files = existsSync(folder) ? readdirSync(folder).filter(file => /^(licen[cs]e|copying|unlicense)/i.test(file)) : [];
  const best = files.find(file => /mit/i.test(file)) ?? files.find(file => !/apache/i.test(file)) ?? files[0];
  if (!best && !license?.includes('Apache-2.0')) throw new Error(`${name} ${version} has no licence`);
  const text = readFileSync(best ? join(folder, best) : join(here, '../LICENSE-APACHE'), 'utf8').replaceAll('\r', '').trim();
  const key = text.replace(/\s+/g, ' ');
  const known = texts.get(key) ?? {text, names: []};
  known.names.push(`${name} ${version}`);
  texts.set(key, known);
}
const line = '-'.repeat(80);
const head = `This page contains skelobj, which is MIT OR Apache-2.0, and the following packages of npm and Rust crates.`;
const parts = [...texts.values()].map(({text, names}) => `${line}\n${names.sort().join(', ')}\n\n${text}\n`);
writeFileSync(join(process.argv[2], 'licences.txt'), `${head}\n\n${parts.sort().join('\n')}`);
