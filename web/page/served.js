// The server of `skelobj view`: its files, their changes, and saving the one doll that it lets the page write.
import {ended, plain} from './lines.js';

// The served model in the list of models.
export const SERVED = 'skelobj view';
// Seconds of the pause after a failure.
const PAUSE = 2;
// Seconds for which the server waits for a change.
const WAIT = 10;
// Seconds without more of an answer after which the server is silent: the system takes requests for a process that
// stands still, too. A slow machine needs a while for a large model.
const PATIENCE = 15;
const SILENT =
  'skelobj view does not answer: changes of files are not seen, and nothing can be saved. ' +
  'If it was stopped, start it again, and open the address that it prints.';
const OTHER =
  'skelobj view was started again: changes of files are not seen here, and nothing can be saved. ' +
  'Open the address that it printed.';
const UNKNOWN = 'The address of this page is not the one that skelobj view printed. Open that one.';

const decoder = new TextDecoder();

// The file is another one than the page has.
export class Conflict extends Error {}

export class Served {
  // Returns null if the page is not served by `skelobj view`. Takes the token out of the address bar, and keeps it in
  // the history's entry, so that loading the page again finds it.
  static find() {
    const address = new URL(location.href);
    const token = address.searchParams.get('token') ?? history.state?.token;
    if (!token || !/^https?:$/.test(address.protocol)) return null;
    const served = new Served(token);
    served.remember();
    return served;
  }

  constructor(token) {
    this.token = token;
    this.headers = {'X-Skelobj-Token': token};
    this.seen = null;
    this.wait = WAIT;
    this.patience = PATIENCE;
    this.pause = PAUSE;
  }

  // Keeps the token in the entry of the history that is shown; a link starts another entry.
  remember() {
    const address = new URL(location.href);
    address.searchParams.delete('token');
    history.replaceState({token: this.token}, '', address);
  }

  // Returns the answer to a request with its bytes. Fails if none of it comes for some seconds; those do not count in
  // which the page itself is busy or asleep, as it hears nothing then.
  async fetch(path, options, {seconds = this.patience, silent = SILENT} = {}) {
    const stop = new AbortController();
    let left = seconds;
    const clock = setInterval(() => {
      if (--left < 0) stop.abort();
    }, 1000);
    try {
      const {ok, status, headers, body} = await fetch(path, {...options, signal: stop.signal});
      const [reader, parts] = [body?.getReader(), []];
      for (let part = await reader?.read(); part && !part.done; part = await reader.read()) {
        parts.push(part.value);
        left = seconds;
      }
      return {ok, status, headers, bytes: new Uint8Array(await new Blob(parts).arrayBuffer())};
    } catch {
      throw new Error(silent);
    } finally {
      clearInterval(clock);
    }
  }

  async bytes(path, seconds) {
    const {ok, status, bytes} = await this.fetch(path, {headers: this.headers, cache: 'no-store'}, {seconds});
    if (!ok)
      throw new Error(status === 403 ? (this.seen ? OTHER : UNKNOWN) : `skelobj view answers ${status} to ${path}`);
    return bytes;
  }

  async json(path, seconds) {
    return JSON.parse(decoder.decode(await this.bytes(path, seconds)));
  }

  // Returns the doll's text on disk, which the server decodes, with the line ends of the editor.
  async text() {
    const text = decoder.decode(await this.bytes('/api/file/doll'));
    this.ending = plain(text).ending;
    return plain(text).text;
  }

  // Returns the doll on disk, for which another text may be given up.
  async doll() {
    const {revision} = await this.json('/api/scene');
    return {revision, text: await this.text()};
  }

  // Returns the scene for the worker, and the revision of its files.
  async scene() {
    const seen = await this.json('/api/scene');
    const {model, side, doll, level, palette, scale, fade} = seen;
    const scene = model ? {model: {name: model, bytes: await this.bytes('/api/file/model')}} : {builtin: 'mannequin'};
    // One after another, as a browser keeps requests back while others run.
    if (side.length) scene.side = [];
    for (const [index, name] of side.entries())
      scene.side.push({name, bytes: await this.bytes(`/api/file/side/${index}`)});
    if (level) scene.level = {name: level, bytes: await this.bytes('/api/file/level')};
    if (palette) scene.level.palette = await this.bytes('/api/file/palette');
    if (doll) scene.doll = {name: doll, text: await this.text()};
    if (scale) scene.scale = scale;
    // Later, it is the page's.
    if (!this.seen) scene.fade = fade;
    // If a file changes meanwhile, the wait for changes ends at once.
    this.seen = seen;
    return {scene, revision: seen.revision};
  }

  // Remembers the revision of the doll that the page's text comes from.
  loaded(revision) {
    this.revision = revision;
  }

  // Calls `changed` with what changed, {model, doll, level}, as truths, and `tells` with the reason why changes are not
  // shown, null once they are. A failure is tried again: an exporter removes a file for a moment, and a machine sleeps.
  async watch(changed, tells) {
    let isMissed = false;
    for (;;) {
      try {
        const before = this.seen;
        // A server that was missed is asked for what it has now, as a wait may take long.
        const news = `/api/wait?revision=${before.revision}&seconds=${this.wait}`;
        const now = await (isMissed ? this.json('/api/scene') : this.json(news, this.wait + this.patience));
        isMissed = false;
        tells(now.problem && `Not loaded: ${now.problem}`);
        const differs = Object.fromEntries(
          Object.entries(now.revisions).map(([kind, revision]) => [kind, revision !== before.revisions[kind]]),
        );
        if (Object.values(differs).includes(true)) await changed(differs, now);
        // Another load may have seen more since.
        if (this.seen === before) this.seen = now;
      } catch (error) {
        isMissed = true;
        tells(error.message);
        await new Promise(done => {
          setTimeout(done, 1000 * this.pause);
        });
      }
    }
  }

  // Writes the doll unless it has changed on disk.
  async save(text) {
    const headers = {...this.headers, 'If-Match': `"${this.revision}"`, 'Content-Type': 'text/plain; charset=utf-8'};
    const answer = await this.fetch(
      '/api/doll',
      {method: 'PUT', headers, body: ended(text, this.ending)},
      {silent: 'skelobj view does not answer.'},
    );
    if (answer.status === 409) throw new Conflict(`another program has changed ${this.seen.doll} since it was loaded.`);
    if (!answer.ok) throw new Error(decoder.decode(answer.bytes).trim());
    this.loaded(Number(answer.headers.get('ETag')?.replaceAll('"', '')));
  }
}
