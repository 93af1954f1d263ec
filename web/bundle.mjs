// Bundles the page and the worker into a folder: node bundle.mjs FOLDER
import {createHash} from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {build} from 'esbuild';
/** @import {BuildOptions} from 'esbuild' */

const here = path.dirname(fileURLToPath(import.meta.url));
const out = path.resolve(process.argv[2]);
const worker = process.argv[3] ?? path.join(here, 'worker.js');
fs.mkdirSync(out, {recursive: true});

/** @type {BuildOptions} */
const options = {
  bundle: true,
  format: 'esm',
  target: 'es2022',
  minify: true,
  legalComments: 'none',
  loader: {'.css': 'text', '.html': 'text', '.iqm': 'binary', '.doll': 'text', '.md': 'text', '.svg': 'dataurl'},
};
await build({...options, entryPoints: [path.join(here, 'page/app.js')], outfile: path.join(out, 'page.js')});
await build({...options, format: 'iife', entryPoints: [worker], outfile: path.join(out, 'worker.js')});

// The one script of index.html may run because the policy names its hash.
const page = fs.readFileSync(path.join(here, 'index.html'), 'utf8');
const [, script] = page.match(/<script>(.*?)<\/script>/s);
const hash = `sha256-${createHash('sha256').update(script).digest('base64')}`;
fs.writeFileSync(path.join(out, 'index.html'), page.replace("'HASH'", `'${hash}'`));
