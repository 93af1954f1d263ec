// Runs a WebAssembly program with node: `node .ci/wasi.mjs PROGRAM.wasm [ARGUMENT]...`. Cargo calls it as a runner.
import {readFile} from 'node:fs/promises';
import {WASI} from 'node:wasi';

const [program, ...rest] = process.argv.slice(2);
const wasi = new WASI({version: 'preview1', args: [program, ...rest], env: process.env, preopens: {'/': '/'}});
const {instance} = await WebAssembly.instantiate(await readFile(program), /** @type {any} */ (wasi.getImportObject()));
process.exitCode = wasi.start(instance);
