// Time from an address to the first frame, as a folder and as one file, in a browser that runs already:
// `node test/load.mjs [DIST] [RUNS]`. Drawing is in software, and takes about half of it.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {pathToFileURL} from 'node:url';
import {launch, pack, serve, shown} from './browser.mjs';

const [, , dist = 'dist', runs = '7'] = process.argv;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'skelobj-load-'));
process.on('exit', () => fs.rmSync(folder, {recursive: true, force: true}));
const file = path.join(folder, 'one.html');
pack(dist, file);

const server = await serve(dist);
const browser = await launch();
const forms = {folder: server.address, 'one file': pathToFileURL(file).href};
const times = Object.fromEntries(Object.keys(forms).map(form => [form, []]));
for (let run = 0; run <= Number(runs); run++) {
  for (const [form, address] of Object.entries(forms)) {
    const context = await browser.newContext({viewport: {width: 1400, height: 860}});
    const page = await context.newPage();
    // A new window takes its own time.
    await page.goto('about:blank');
    await page.waitForTimeout(1500);
    await page.goto(address);
    const time = await shown(page);
    // The first run warms up the disk.
    if (run > 0) times[form].push(Math.round(time));
    await context.close();
  }
}
for (const [form, list] of Object.entries(times)) {
  list.sort((a, b) => a - b);
  console.log(
    `${form}: first frame after ${list[0]} to ${list.at(-1)} ms, median ${list[list.length >> 1]}; ` +
      `load of the machine ${os.loadavg()[0]}`,
  );
}
await browser.close();
server.close();
