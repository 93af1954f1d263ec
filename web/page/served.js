// The server of `skelobj view`: its files, their changes, and saving the one doll that it lets the page write.
import { ended, plain } from './lines.js';

// The served model in the list of models.
export const SERVED = 'skelobj view';
// Failures in a row after which files are no longer followed, and the pause after each, milliseconds.
const MOST_FAILURES = 10;
const PAUSE = 2000;

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
        this.headers = { 'X-Skelobj-Token': token };
        this.seen = null;
    }

    // Keeps the token in the entry of the history that is shown; a link starts another entry.
    remember() {
        const address = new URL(location.href);
        address.searchParams.delete('token');
        history.replaceState({ token: this.token }, '', address);
    }

    async get(path) {
        const answer = await fetch(path, { headers: this.headers, cache: 'no-store' });
        if (!answer.ok) throw new Error(`skelobj view answers ${answer.status} to ${path}`);
        return answer;
    }

    async bytes(path) {
        return new Uint8Array(await (await this.get(path)).arrayBuffer());
    }

    // Returns the doll's text on disk, which the server decodes, with the line ends of the editor.
    async text() {
        const text = new TextDecoder().decode(await this.bytes('/api/file/doll'));
        this.ending = plain(text).ending;
        return plain(text).text;
    }

    // Returns the scene for the worker, and the revision of its files.
    async scene() {
        const seen = await (await this.get('/api/scene')).json();
        const { model, side, doll, level } = seen;
        const scene = model ? { model: { name: model, bytes: await this.bytes('/api/file/model') } } : { builtin: 'mannequin' };
        if (side.length) scene.side = await Promise.all(side.map(async (name, index) => ({ name, bytes: await this.bytes(`/api/file/side/${index}`) })));
        if (level) scene.level = { name: level, bytes: await this.bytes('/api/file/level') };
        if (doll) scene.doll = { name: doll, text: await this.text() };
        // If a file changes meanwhile, the wait for changes ends at once.
        this.seen = seen;
        return { scene, revision: seen.revision };
    }

    // Remembers the revision of the doll that the page's text comes from.
    loaded(revision) {
        this.revision = revision;
    }

    get writable() {
        return Boolean(this.seen?.writable);
    }

    // Calls `changed` with what changed, for as long as the server answers: {model, doll, level}, as truths. A failure is
    // tried again: an exporter removes a file for a moment, and a machine sleeps.
    async watch(changed) {
        for (let failures = 0; failures < MOST_FAILURES;) {
            try {
                const before = this.seen;
                const now = await (await this.get(`/api/wait?revision=${before.revision}`)).json();
                const news = Object.fromEntries(Object.entries(now.revisions).map(([kind, revision]) => [kind, revision !== before.revisions[kind]]));
                if (Object.values(news).includes(true)) await changed(news, now);
                // Another load may have seen more since.
                if (this.seen === before) this.seen = now;
                failures = 0;
            } catch {
                failures++;
                await new Promise((done) => { setTimeout(done, PAUSE); });
            }
        }
    }

    // Writes the doll unless it has changed on disk.
    async save(text) {
        const headers = { ...this.headers, 'If-Match': `"${this.revision}"`, 'Content-Type': 'text/plain; charset=utf-8' };
        const answer = await fetch('/api/doll', { method: 'PUT', headers, body: ended(text, this.ending) });
        if (answer.status === 409) throw new Error(`Not saved: another program has changed ${this.seen.doll} since it was loaded. Copy your text, load the page again, and merge the two.`);
        if (!answer.ok) throw new Error(`Not saved: ${await answer.text()}`);
        this.loaded(Number(answer.headers.get('ETag')?.replaceAll('"', '')));
    }
}
