// What the tests of the page share: a web server for a folder, and Chromium without a network.
import {once} from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import {chromium} from 'playwright-core';
/** @import {AddressInfo} from 'node:net' */

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.gz': 'application/octet-stream',
  '.wasm': 'application/wasm',
};

// Serves a folder. `answer(request, response)` is asked first and returns true if it answered.
export async function serve(folder, /** @type {(request: any, response: any) => any} */ answer = () => false) {
  const root = path.resolve(folder);
  const server = http.createServer(async (request, response) => {
    if (await answer(request, response)) return;
    const {pathname} = new URL(request.url, 'http://here');
    const file = path.join(root, pathname === '/' ? 'index.html' : decodeURIComponent(pathname));
    if (!file.startsWith(root + path.sep) || !fs.existsSync(file)) return response.writeHead(404).end();
    response
      .writeHead(200, {'Content-Type': TYPES[path.extname(file)] ?? 'application/octet-stream'})
      .end(fs.readFileSync(file));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const {port} = /** @type {AddressInfo} */ (server.address());
  return {
    address: `http://127.0.0.1:${port}/`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

// Writes a page and all that it loads into one file.
export function pack(folder, file) {
  const scripts = ['page.js', 'worker.js', 'skelobj.wasm'].map(name => {
    const bytes = fs.readFileSync(path.join(folder, `${name}.gz`), 'base64');
    return `<script type="application/gzip+base64" id="${name}">${bytes}</script>`;
  });
  const page = fs.readFileSync(path.join(folder, 'index.html'), 'utf8');
  fs.writeFileSync(
    file,
    page.replace('<!-- skelobj:files -->', () => scripts.join('\n')),
  );
}

export const launch = () =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // Names for this machine's server: pages know when they are on localhost.
      '--host-resolver-rules=MAP skelobj.test 127.0.0.1',
      '--use-angle=swiftshader',
      '--enable-unsafe-swiftshader',
      '--ignore-gpu-blocklist',
    ],
  });

// Opens a page and records everything that it complains about.
export async function open(browser, address, options = {}) {
  const context = await browser.newContext({viewport: {width: 1400, height: 860}, acceptDownloads: true, ...options});
  const page = await context.newPage();
  const complaints = [];
  page.on(
    'console',
    message => ['error', 'warning'].includes(message.type()) && complaints.push(`${message.type()}: ${message.text()}`),
  );
  // Answered by tests; a question that nobody expects is answered with yes.
  const asked = [];
  page.on('dialog', dialog => {
    asked.push(`${dialog.type()}: ${dialog.message()}`);
    return page.refuses ? dialog.dismiss() : dialog.accept();
  });
  page.on('pageerror', error => complaints.push(`exception: ${error.message}`));
  page.on('request', request => {
    const {protocol, origin} = new URL(request.url());
    if (/^(blob|data|file):$/.test(protocol) || origin === new URL(address).origin) return;
    complaints.push(`request to elsewhere: ${request.url()}`);
  });
  await page.goto(address);
  return {page, context, complaints, asked};
}

// Waits for the first frame and returns its time, milliseconds after navigation.
export async function shown(page) {
  await page.waitForFunction(() => performance.getEntriesByName('skelobj:first-frame').length > 0, null, {
    timeout: 30000,
  });
  return page.evaluate(() => performance.getEntriesByName('skelobj:first-frame')[0].startTime);
}
