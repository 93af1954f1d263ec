// Drives the page in Firefox through its Marionette protocol: `node test/firefox.mjs DIST [SHOTS]`. FIREFOX is the
// browser, /usr/bin/firefox without it; XVFB=1 gives it a screen, where it draws nothing without one.
import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import {deflateRawSync, gunzipSync} from 'node:zlib';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {pack, serve} from './browser.mjs';
import {md3, tga} from './files.mjs';
import {Skelobj} from '../skelobj.js';

const [, , dist, shots] = process.argv;
const doll = name => fs.readFileSync(fileURLToPath(new URL(`../../dolls/${name}`, import.meta.url)));
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'skelobj-firefox-'));
const port = 20000 + (process.pid % 20000);
const preferences = {
  'marionette.port': port,
  'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'webgl.force-enabled': true,
  'devtools.console.stdout.content': true,
  'app.update.enabled': false,
};
fs.writeFileSync(
  path.join(scratch, 'user.js'),
  Object.entries(preferences)
    .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`)
    .join('\n'),
);
const parameters = ['--marionette', '--no-remote', '--profile', scratch, '--width', '1400', '--height', '860'];
const firefox = process.env.FIREFOX ?? '/usr/bin/firefox';
const browser = process.env.XVFB
  ? spawn('xvfb-run', ['-a', '-s', '-screen 0 1400x1000x24', firefox, ...parameters], {detached: true})
  : spawn(firefox, ['--headless', ...parameters], {detached: true});
let log = '';
for (const stream of [browser.stdout, browser.stderr])
  stream.on('data', part => {
    log += part;
  });
process.on('exit', () => {
  try {
    process.kill(-browser.pid);
  } catch {
    /* It has ended. */
  }
  fs.rmSync(scratch, {recursive: true, force: true});
});

// Connects, and returns a function that sends a command.
async function connect() {
  for (let attempt = 0; ; attempt++) {
    const socket = net.connect(port, '127.0.0.1');
    const fails = await new Promise(done => socket.once('connect', () => done(null)).once('error', done));
    if (!fails) return socket;
    if (attempt > 240) throw new Error(`Firefox does not answer:\n${log}`);
    await new Promise(done => {
      setTimeout(done, 250);
    });
  }
}
const socket = await connect();
const waiting = new Map();
let rest = Buffer.alloc(0);
socket.on('data', part => {
  rest = Buffer.concat([rest, part]);
  for (;;) {
    const colon = rest.indexOf(':');
    const size = colon < 0 ? NaN : Number(rest.subarray(0, colon));
    if (!(rest.length > colon + size)) return;
    const message = JSON.parse(rest.subarray(colon + 1, colon + 1 + size).toString());
    rest = rest.subarray(colon + 1 + size);
    if (!Array.isArray(message)) continue;
    const [, id, error, value] = message;
    const {done, fail} = waiting.get(id);
    if (error) fail(new Error(`${error.error}: ${error.message}`));
    else done(value);
  }
});
let last = 0;
const send = (name, values = {}) =>
  new Promise((done, fail) => {
    const text = JSON.stringify([0, ++last, `WebDriver:${name}`, values]);
    waiting.set(last, {done, fail});
    socket.write(`${Buffer.byteLength(text)}:${text}`);
  });
// Runs in the page, after `args` of it.
const run = async (what, ...args) =>
  (await send('ExecuteScript', {script: `return (${what}).apply(null, arguments)`, args, sandbox: null})).value;
async function until(what, ...args) {
  const end = Date.now() + 60000;
  while (!(await run(what, ...args))) {
    if (Date.now() > end) throw new Error(`not within a minute: ${what}`);
    await new Promise(done => {
      setTimeout(done, 50);
    });
  }
}
async function shot(name) {
  if (!shots) return;
  fs.mkdirSync(shots, {recursive: true});
  const {value} = await send('TakeScreenshot', {full: false});
  fs.writeFileSync(path.join(shots, `firefox-${name}.png`), Buffer.from(value, 'base64'));
}
async function visit(address) {
  await send('Navigate', {url: 'about:blank'});
  await send('Navigate', {url: address});
  await until(() => performance.getEntriesByName('skelobj:first-frame').length > 0);
  await until(() => skelobjPage.editor?.words.length > 0 && skelobjPage.editor.text.length > 0);
  return run(() => Math.round(performance.getEntriesByName('skelobj:first-frame')[0].startTime));
}
const mouse = (...actions) =>
  send('PerformActions', {actions: [{type: 'pointer', id: 'mouse', parameters: {pointerType: 'mouse'}, actions}]});
const drop = (...files) =>
  run(
    list => {
      const data = new DataTransfer();
      for (const {name, base64} of list)
        data.items.add(new File([Uint8Array.from(atob(base64), letter => letter.charCodeAt(0))], name));
      for (const type of ['dragenter', 'dragover', 'drop'])
        dispatchEvent(new DragEvent(type, {dataTransfer: data, bubbles: true, cancelable: true}));
    },
    files.map(([name, bytes]) => ({name, base64: Buffer.from(bytes).toString('base64')})),
  );
const falls = () => until(() => skelobjPage.controls.last?.mode === 'falling');
const ok = text => console.log(`ok ${text}`);

const server = await serve(dist);
const {capabilities} = await send('NewSession', {});
console.log(`${capabilities.browserName} ${capabilities.browserVersion}`);
await send('SetWindowRect', {width: 1400, height: 960});
try {
  await visit(server.address);
  const time = await visit(server.address);
  await falls();
  await shot('fall');
  ok(`loads and falls: first frame after ${time} ms`);

  await until(() => skelobjPage.controls.last.time > 1.5);
  const [x, y, low] = await run(() => {
    const {scene, lines} = skelobjPage;
    const place = scene.bodies.meshes[lines.bodies.findIndex(({name}) => name === 'chest')].instanceMatrix.array;
    const {left, top} = scene.canvas.getBoundingClientRect();
    const [across, down] = scene.project(scene.middle.clone().set(place[12], place[13], place[14]));
    return [Math.round(across + left), Math.round(down + top), place[14]];
  });
  await mouse(
    {type: 'pointerMove', x, y},
    {type: 'pointerDown', button: 0},
    {type: 'pointerMove', x, y: y - 200, duration: 300},
  );
  await until(from => skelobjPage.controls.last.drag?.[2] > from + 10, low);
  await shot('drag');
  await mouse({type: 'pointerUp', button: 0});
  ok('drags');

  const edit = (from, to) =>
    run(
      (before, after) => {
        const {editor} = skelobjPage;
        editor.replace(editor.text.replace(before, after));
      },
      from,
      to,
    );
  await edit('body head head', 'body head headx');
  await until(() => /no bone `headx`/.test(document.getElementById('problems').textContent));
  const before = await run(() => skelobjPage.controls.last.time);
  await until(past => skelobjPage.controls.last.time > past, before);
  await edit('body head headx', 'body head head');
  await until(() => /No problems/.test(document.getElementById('problems').textContent));
  ok('reports an error, goes on, and takes the repair');

  await run(() => document.getElementById('check').click());
  await until(() => document.querySelector('#progress.known:not([hidden])'));
  await until(() => /nothing to report/.test(document.getElementById('says').textContent));
  ok('checks');

  await drop(['hound.iqm', doll('dog.iqm')], ['hound.doll', doll('dog.doll')]);
  await until(() => skelobjPage.modelName === 'hound.iqm' && skelobjPage.dollName === 'hound.doll');
  await falls();
  const skelobj = await Skelobj.load(gunzipSync(fs.readFileSync(path.join(dist, 'skelobj.wasm.gz'))));
  await drop(
    ['thing.glb', skelobj.modelWrite(skelobj.modelLoad('turret.iqm', doll('turret.iqm'), null), 'glb')],
    ['thing.doll', doll('turret.doll')],
  );
  await until(() => skelobjPage.modelName === 'thing.glb');
  await falls();
  await drop(['square.md3', md3(4, 'skin')], ['skin.tga', tga([200, 40, 10])]);
  await until(() => skelobjPage.scene.figure.group.children[0].material.map?.image.width === 2);
  ok('loads an IQM with its doll, a GLB, and an MD3 with its skin');

  const text = doll('mannequin.doll').toString().replace('size 3.8', 'size 7.5');
  await visit(`${server.address}#doll=${deflateRawSync(text).toString('base64url')}&model=mannequin&seed=11`);
  assert.equal(await run(() => skelobjPage.editor.text), text);
  ok('follows a link');

  const file = path.join(scratch, 'one.html');
  pack(dist, file);
  const fromDisk = await visit(pathToFileURL(file).href);
  await falls();
  ok(`is one file, which opens from disk: first frame after ${fromDisk} ms`);
  await run(() => document.getElementById('crowd').click());
  await until(() => skelobjPage.controls.last.count === 100);
  await shot('hundred');
  ok('shows a hundred');
} catch (error) {
  await shot('failed').catch(() => {});
  console.log(`FAILED ${error.stack}`);
  process.exitCode = 1;
}
// Firefox's own, and a warning about the shadow maps of three.js, which may look coarser on some machines.
const others = /chrome:|resource:|RSLoader|Depth texture comparison requests/;
const complaints = log
  .split('\n')
  .filter(line => /^(JavaScript (error|warning)|console\.(error|warn))/.test(line) && !others.test(line));
console.log(complaints.length ? `FAILED complaints:\n${complaints.join('\n')}` : 'ok no complaint on the console');
if (complaints.length) process.exitCode = 1;
server.close();
socket.destroy();
process.exit();
