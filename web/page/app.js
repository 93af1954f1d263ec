// The page: connects the scene, the editor, the plots and the controls with the worker.
import {base} from '../worker/files.js';
import {Client} from './client.js';
import {Controls, LEFT} from './controls.js';
import {css, STATES} from './colors.js';
import {base64Of, dropped, isNamedPalette, jsonOf, read, save, sceneOf} from './files.js';
import {withNumbers} from './doll-text.js';
import {MODES, SAMPLE} from './frame.js';
import {ended, plainDoll} from './lines.js';
import {follow, isLocal, make, MAX_LINK} from './link.js';
import {element} from './markdown.js';
import {Messages} from './messages.js';
import {Plots} from './plots.js';
import {Pointer} from './pointer.js';
import {Scene} from './scene.js';
import {Conflict, Served, SERVED} from './served.js';
import shell from './shell.html';
import style from './style.css';

/** @import {FromWorker, SceneFiles, Told, ToWorker} from '../protocol.d.ts' */
/** @import {Editor} from './editor.js' */
/** @typedef {SceneFiles & {doll?: {ending?: string}}} Shown */

// Files that leave the doll as it is.
const BESIDE = /\.(bsp|lmp|png|jpe?g|tga|pcx|bmp|gif|webp)$/i;
const MAX_SEED = 1000;
// Pause after which typed text is applied, milliseconds.
const TYPING = 300;
// Factor of the gap that joints may have in a fall.
const FALLING = 8;
const LOST =
  'The browser has taken the graphics card from the page. The scene is drawn again when it gives it back; ' +
  'if it does not, save your text and load the page again.';
// Scenes in the worker; the first is shown without a choice.
const BUILTINS = ['mannequin', 'dog', 'rope', 'ponytail', 'turret'];

class App {
  /** @type {Client} */
  client;
  /** @type {Served} */
  served;

  constructor(given) {
    this.given = given;
    document.head.append(element('style', {textContent: style}));
    // The page's own markup; nothing of a file is in it.
    document.body.append(document.createRange().createContextualFragment(shell));
    this.by = id => document.getElementById(id);
    this.messages = new Messages(this.by('says'));
    this.scene = new Scene(this.by('stage'), given);
    this.plots = new Plots(this.by('plots'), time => this.seek(time));
    this.controls = new Controls(this);
    this.pointer = new Pointer(this.scene, {
      send: message => this.send(message),
      pressed: () => this.wake(),
      chosen: body => this.goTo(body),
      over: hit => this.over(hit),
      shaping: change => this.shaping(change),
      shaped: change => this.shaped(change),
    });
    this.lines = {bodies: [], joints: []};
    this.own = {files: new Map(), level: null, builtin: null};
    // Scenes with the user's models that were shown, by the names of the models.
    this.left = new Map();
    this.seed = this.fade = null;
    // Whether the doll that is shown is the one that `skelobj view` serves, and its text as loaded or saved.
    this.isServed = false;
    this.saved = '';
    this.ending = '\n';
    this.opening = 0;
    /** @type {Promise<void>} */
    this.ready = new Promise(done => {
      this.isReady = done;
    });
    /** @type {Editor} */
    this.editor = null;
    this.listen();
  }

  begin({client, scene, served, isServed, wrong = null}) {
    Object.assign(this, {client, served, isServed});
    this.keep(scene);
    if (wrong) this.messages.error(wrong.message);
    if (served?.seen) this.watch();
    addEventListener('hashchange', async () => {
      try {
        this.served?.remember();
        const linked = await follow(location.hash, BUILTINS);
        if (!linked || !this.mayReplace()) return;
        // A link without a model is one to the model that is shown.
        await this.load(linked.builtin || linked.model ? linked : {...this.shownModel(), ...linked});
      } catch (error) {
        this.messages.error(error.message);
      }
    });
    addEventListener('beforeunload', event => {
      if (this.isEdited) event.preventDefault();
    });
    const frame = now => {
      // Nothing is drawn before it is known what, as the first pictures take the longest.
      if (this.shown && this.scene.draw(now) && !this.first) {
        this.first = now;
        document.getElementById('loading')?.remove();
        performance.mark('skelobj:first-frame');
        // The editor is large, and the fall need not wait for it.
        setTimeout(() => this.edit());
      }
      this.plots.draw(now);
      // While time stands still, another frame shows only what else has changed.
      if (this.wants && (!this.controls.paused || this.isStale)) {
        this.wants = this.isStale = false;
        this.client.send({type: 'next', contacts: this.scene.shows.contacts});
      }
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  async edit() {
    const {Editor} = await import('./editor.js');
    this.editor = new Editor(this.by('text'), {
      changed: text => this.changed(text),
      cursor: block => this.light(block),
      format: () => this.tidy(),
      save: () => this.save(),
    });
    if (this.running) this.openText(this.running);
    this.recover();
    this.by('app').inert = false;
    await this.ready;
    this.editor.bones = this.boneNames ?? [];
    const {words} = await this.client.ask({type: 'words'}).catch(() => ({words: []}));
    this.editor.words = words ?? [];
  }

  send(/** @type {ToWorker} */ message) {
    this.isStale = true;
    this.client?.send(message);
  }

  // Remembers what a scene is made of, for links and for one file.
  keep(/** @type {Shown} */ {builtin, model, side, level, doll, seed, fade = this.fade}) {
    if (builtin || model) {
      this.own = {builtin: model ? null : builtin, files: new Map(), level: level ?? null};
      for (const file of [model, ...(side ?? [])]) if (file) this.own.files.set(file.name, file);
    }
    if (level) this.own.level = level;
    this.seed = seed ?? null;
    this.fade = fade;
    this.controls.fade(fade);
    if (doll || model) this.isOwnDoll = true;
    else if (builtin) this.isOwnDoll = false;
    this.ending = doll?.ending ?? '\n';
  }

  // Remembers the text of a file as what is saved. It replaced what could not be saved.
  settle(text) {
    this.saved = text;
    this.messages.done('save');
  }

  // Returns whether the editor has text that is neither on a disk nor in the page's files.
  get isEdited() {
    return this.editor !== null && this.editor.text !== this.saved;
  }

  // Asks before text that is not saved is lost.
  mayReplace() {
    if (!this.isEdited) return true;
    const may = confirm(`Your text of ${this.dollName || 'the doll'} is not saved. Replace it?`);
    if (may) this.draft = null;
    return may;
  }

  // Text that is not saved and what it was made from, which this tab keeps over a reload.
  get draft() {
    try {
      return JSON.parse(sessionStorage.getItem(`skelobj:${this.modelName}:${this.dollName}`));
    } catch {
      return null;
    }
  }

  set draft(draft) {
    try {
      sessionStorage.setItem(`skelobj:${this.modelName}:${this.dollName}`, JSON.stringify(draft));
    } catch {
      // A browser may keep nothing.
    }
  }

  // Brings back the text of before a reload; asks, if it was made from another text than the one that is shown.
  recover() {
    const {draft, dollName} = this;
    if (!draft || draft.text === this.saved) return;
    const mine = () => this.editor.replace(draft.text);
    if (draft.saved === this.saved) {
      mine();
      this.messages.note(`Your text of ${dollName}, which is not saved, is back. Ctrl+Z takes it away.`);
      return;
    }
    const theirs = () => {
      this.draft = null;
    };
    this.messages.keep('save', `${dollName} has changed since you wrote your text, which is not saved.`, {
      'Take mine': mine,
      'Take theirs': theirs,
    });
  }

  // Shows another scene, and returns whether it could. `isServed`: that of `skelobj view`; `keepsText`: with the text
  // that the editor has.
  async load(/** @type {Shown} */ scene, {isServed = false, keepsText = false} = {}) {
    clearTimeout(this.typing); // The text is of the scene before.
    const {own, seed, fade, isOwnDoll, ending, isServed: wasServed} = this;
    const before = {own: {...own}, seed, fade, isOwnDoll, ending, isServed: wasServed};
    this.leave();
    this.isServed = isServed;
    plainDoll(scene.doll);
    this.keep(scene);
    this.plots.clear();
    if (!keepsText) this.opening++;
    let loaded = true;
    try {
      await this.client.ask({type: 'scene', scene});
      this.messages.done('scene');
    } catch (error) {
      // What was shown before goes on.
      Object.assign(this, before);
      this.controls.fade(fade);
      this.controls.which();
      if (isServed) this.messages.keep('scene', error.message);
      else this.messages.error(error.message);
      loaded = false;
    }
    if (!keepsText) this.opening--;
    return loaded;
  }

  // Shows what was chosen in the list of models.
  async choose(value) {
    if (!this.mayReplace()) return this.controls.which();
    if (value.startsWith(LEFT)) {
      const {doll, ...scene} = this.left.get(value.slice(LEFT.length));
      return this.load({...scene, ...(doll && {doll: {...doll}})});
    }
    if (value !== SERVED) return this.load({builtin: value, seed: null});
    try {
      const {scene, revision} = await this.served.scene();
      this.served.loaded(revision);
      await this.load(scene, {isServed: true});
    } catch (error) {
      this.messages.error(error.message);
      this.controls.which();
    }
  }

  hear(/** @type {FromWorker} */ message) {
    /** @type {{[Type in FromWorker['type']]?: (message: Told<Type>) => void}} */
    const acts = {
      ready: ({limits, builtins}) => {
        this.limits = limits;
        this.controls.builtins(builtins);
        this.isReady();
      },
      model: model => this.model(model),
      doll: doll => this.doll(doll),
      level: level => {
        this.scene.level(level);
        this.controls.ground(level.kind);
      },
      frame: frame => this.frame(frame),
      note: ({text}) => this.messages.note(text),
      checking: ({seconds}) => this.controls.checking(true, seconds),
      error: ({text}) => {
        this.messages.error(text);
        // What stops the start must not hide behind it.
        if (!this.first) {
          document.querySelector('#loading p').textContent = text;
          document.querySelector('#loading label')?.remove();
        }
      },
    };
    acts[message.type]?.(/** @type {any} */ (message));
  }

  model(/** @type {Told<'model'>} */ model) {
    this.modelFiles = model.files;
    if (this.dropping?.some(({name}) => base(name) === model.name)) [this.own.builtin, this.isServed] = [null, false];
    // A served model that does not load leaves the mannequin.
    if (
      this.isServed &&
      this.served.seen.model &&
      ![this.served.seen.model, ...this.served.seen.side].includes(model.name)
    ) {
      this.isServed = false;
      this.own.builtin = BUILTINS[0];
    }
    this.boneNames = model.bones.map(({name}) => name).filter(Boolean);
    if (this.editor) this.editor.bones = this.boneNames;
    this.scene.model(model).then(unreadable => unreadable.forEach(text => this.messages.note(text)));
    this.isOther = this.modelName !== model.name;
    this.modelName = model.name;
    this.scale = model.scale;
    this.controls.model(model);
    this.plots.clear();
    model.warnings.forEach(text => this.messages.note(text));
  }

  doll(/** @type {Told<'doll'>} */ doll) {
    this.isStale = true;
    this.lines = doll;
    this.measures(doll.unit);
    this.scene.doll(doll);
    this.controls.doll(doll);
    this.by('name').textContent = this.dollName = doll.name;
    // The editor has the text of a request, or newer text; a new instance must not take it away.
    if (!doll.isAnswer && (this.opening > 0 || this.isOther || !this.editor)) {
      this.running = doll.text;
      this.settle(doll.text);
      this.problems(doll.problems);
      if (this.editor) this.openText(doll.text);
      if (this.editor) this.recover();
    }
    this.isOther = false;
    this.mark();
    if (this.block) this.light(this.block);
    this.plots.clear();
  }

  // Sets what depends on the size of the doll, as a check does.
  measures(unit) {
    const {gap, excess} = this.limits;
    this.scene.limits = {gap: gap * unit, excess};
    this.plots.limit({gap: gap * unit, gapFalling: gap * unit * FALLING, excess, unit});
    this.pointer.unit = unit;
  }

  openText(text) {
    clearTimeout(this.typing);
    this.editor.open(text);
    this.light(null);
    this.editor.show(this.found ?? []);
  }

  // Marks the name of a doll that is not saved.
  mark() {
    this.by('name').classList.toggle('changed', this.isEdited);
  }

  frame(/** @type {Told<'frame'>} */ frame) {
    this.wants = true;
    this.shown = true;
    for (let at = 0; at + SAMPLE <= frame.samples.length; at += SAMPLE) {
      const [time, gap, excess, speed, energy, mode] = frame.samples.subarray(at, at + SAMPLE);
      this.plots.add(time, {gap, excess, speed, energy, mode: MODES[mode]}, frame.latest);
    }
    if (frame.samples.length === 0) this.plots.mark(frame.time);
    this.scene.pose(frame);
    this.pointer.tick(frame.time);
    this.controls.frame(frame);
  }

  changed(text) {
    this.mark();
    this.draft = this.isEdited ? {saved: this.saved, text} : null;
    clearTimeout(this.typing);
    this.typing = setTimeout(() => this.apply(text), TYPING);
  }

  async apply(text) {
    this.isOwnDoll = true;
    try {
      const keeps = this.pointer.tool === 'shape';
      const {problems} = await this.client.ask({type: 'doll', text, keeps});
      if (!this.editor || this.editor.text === text) this.problems(problems);
    } catch (error) {
      this.messages.error(error.message);
    }
  }

  problems(problems, checked) {
    this.found = problems;
    this.editor?.show(problems);
    this.controls.problems(problems, checked);
  }

  async fit() {
    await this.busy('fit', 'Fit', async () => {
      const before = this.editor.text;
      const {text} = await this.client.ask({type: 'fit'});
      this.replace(before, text, 'fit');
    });
  }

  async tidy() {
    await this.busy('tidy', 'Tidy', async () => {
      const before = this.editor.text;
      const {text} = await this.client.ask({type: 'format', text: before});
      this.replace(before, text, 'tidy');
    });
  }

  // Puts a result into the editor, unless the text from which it was made has changed.
  replace(before, text, again) {
    if (this.editor.text === before) this.editor.replace(text);
    else this.messages.note(`The doll has changed since: ${again} it again.`);
  }

  async check() {
    if (!this.editor) return;
    if (this.checking) return this.send({type: 'uncheck'});
    const text = this.editor.text;
    this.controls.checking(true);
    this.checking = true;
    try {
      const {problems} = await this.client.ask({type: 'check', text});
      if (problems === null) this.messages.note('The check was stopped.');
      else if (text !== this.editor.text) this.messages.note('The doll has changed since: check it again.');
      else {
        this.problems(problems, true);
        if (problems.length === 0) this.messages.note('20 drops, nothing to report.');
      }
    } catch (error) {
      this.messages.error(error.message);
    }
    this.checking = false;
    this.controls.checking(false);
  }

  async busy(id, text, work) {
    const button = this.by(id);
    const before = button.textContent;
    if (button.disabled || !this.editor) return;
    button.disabled = true;
    button.textContent = text;
    try {
      await work();
    } catch (error) {
      this.messages.error(error.message);
    }
    button.textContent = before;
    button.disabled = false;
  }

  async save() {
    if (!this.editor) return;
    const text = this.editor.text;
    const copy = () => save(this.dollName || 'model.doll', [ended(text, this.ending)], 'text/plain');
    this.messages.done('save');
    if (this.isServed && this.served.seen.doll) {
      try {
        await this.served.save(text);
      } catch (error) {
        const {message} = error;
        if (error instanceof Conflict) return this.differs(`Not saved: ${message}`);
        copy();
        return this.messages.keep(
          'save',
          `Not saved: ${message}${message.endsWith('.') ? '' : '.'} Your browser has a copy of the text.`,
        );
      }
      this.messages.note(`${this.served.seen.doll} is saved.`);
    } else copy();
    this.saved = text;
    this.draft = null;
    this.mark();
  }

  // Asks which text of the served doll shall stay: that of the editor or that of the disk.
  differs(text) {
    const choose = act => async () => {
      try {
        act(await this.served.doll());
      } catch ({message}) {
        this.messages.error(message);
      }
    };
    this.messages.keep('save', text, {
      'Take mine': choose(({text, revision}) => {
        this.served.loaded(revision);
        this.settle(text);
        this.save();
      }),
      'Take theirs': choose(disk => this.take(disk)),
    });
  }

  // Shows the text of the served doll on disk.
  take({text, revision}) {
    this.served.loaded(revision);
    this.running = text;
    this.settle(text);
    this.draft = null;
    if (this.editor && this.editor.text !== text) this.openText(text);
    this.mark();
    return this.apply(text);
  }

  // Follows the files of `skelobj view`. Text that is not saved stays.
  watch() {
    const {served} = this;
    const keeps = () => this.differs(`${served.seen.doll} has changed on disk. Your text is kept.`);
    const takes = name => this.messages.note(`${name} has changed on disk, and is loaded again.`);
    const changed = async ({model, doll, level}, now) => {
      // Choosing the served model again loads what it is then.
      if (!this.isServed) return;
      if (model || level) {
        const {scene, revision} = await served.scene();
        const keepsText = this.isEdited && Boolean(scene.doll);
        // Text that was made from another text than the one on disk must not replace it.
        if (keepsText && scene.doll.text !== this.saved) keeps();
        else served.loaded(revision);
        if (keepsText) scene.doll.text = this.editor.text;
        if (await this.load(scene, {isServed: true, keepsText}))
          takes(model ? (served.seen.model ?? served.seen.side[0]) : served.seen.level);
      } else if (doll) {
        const text = await served.text();
        if (text !== this.saved && this.isEdited && text !== this.editor.text) return keeps();
        if (text === this.saved) return served.loaded(now.revision);
        takes(served.seen.doll);
        await this.take({text, revision: now.revision});
      }
    };
    served.watch(changed, text => (text ? this.messages.keep('served', text) : this.messages.done('served')));
  }

  async drop(files) {
    const alone = files.length === 1 ? `${files[0].name}: ` : '';
    try {
      const contents = await read(files);
      if (contents.length === 0) return;
      const replaces = contents.some(({name}) => !BESIDE.test(name));
      if (replaces && !this.mayReplace()) return;
      this.wake();
      clearTimeout(this.typing);
      this.dropping = contents;
      if (replaces) {
        this.leave();
        this.opening++;
      }
      const {problems, doll, unused, complaint} = await this.client.ask({type: 'load', files: contents}).finally(() => {
        if (replaces) this.opening--;
      });
      if (doll) [this.ending, this.isServed] = [doll.ending, false];
      if (complaint) this.messages.error(complaint);
      const taken = contents.filter((_, place) => !unused.includes(place));
      for (const {name, bytes} of taken) {
        if (/\.bsp$/i.test(name)) this.own.level = {palette: this.own.level?.palette, name: base(name), bytes};
        // The worker names models without their folders, and other files with them.
        else if (!isNamedPalette(name))
          for (const known of [name, base(name)]) this.own.files.set(known, {name: known, bytes});
      }
      // Maps before their palettes, in whatever order they were dropped.
      const palette = taken.findLast(({name}) => isNamedPalette(name));
      if (palette && this.own.level) this.own.level = {...this.own.level, palette: palette.bytes};
      if (problems) this.faulty(doll, problems);
      this.controls.which();
    } catch (error) {
      this.messages.error(error.message.includes(files[0]?.name) ? error.message : alone + error.message);
    }
    this.dropping = null;
  }

  // Shows a doll that was dropped, but does not fall, because it has errors.
  faulty(doll, problems) {
    if (!doll || !problems.some(({severity}) => severity === 'error')) return;
    const {name, text} = doll;
    if (text === this.lines.text || !this.editor) return;
    this.by('name').textContent = this.dollName = name;
    this.settle(text);
    this.openText(text);
    this.mark();
    this.problems(problems);
    this.isOwnDoll = true;
  }

  /**
   * Returns the model that is shown, as in a scene.
   * @returns {SceneFiles}
   */
  shownModel() {
    const {builtin, files} = this.own;
    const model = files.get(this.modelName);
    const side = (this.modelFiles ?? [])
      .filter(name => name !== this.modelName)
      .map(name => files.get(name))
      .filter(Boolean);
    return {...(model ? {model, scale: this.scale} : {builtin: builtin ?? BUILTINS[0]}), side};
  }

  // Keeps a model of the user's for the list, with its doll as loaded or saved, before another may be shown.
  leave() {
    const scene = this.shownModel();
    if (!scene.model || this.isServed) return;
    // A doll that is fitted to the model will be fitted again.
    const isFitted = this.lines.isFitted || !this.saved;
    const doll = {name: this.dollName, text: ended(this.saved, this.ending)};
    this.left.set(this.modelName, {...scene, ...(!isFitted && {doll})});
  }

  // Shows the model at another size, with the text of its doll unless that is fitted to this size.
  async resize(scale) {
    const isFitted = this.lines.isFitted && !this.isEdited;
    const doll = this.editor && !isFitted ? {name: this.dollName || 'model.doll', text: this.editor.text} : undefined;
    const {isServed, seed} = this;
    await this.load(
      {...this.shownModel(), scale, seed, ...(doll && {doll}), ...(this.own.level && {level: this.own.level})},
      {isServed, keepsText: Boolean(doll)},
    );
    this.controls.scale(this.scale);
  }

  // Returns the scene as it is now, for one file.
  json() {
    const doll = {name: this.dollName || 'model.doll', text: this.editor.text};
    return jsonOf({...this.shownModel(), doll, level: this.own.level, seed: this.seed, fade: this.fade});
  }

  async share() {
    if (!this.editor) return;
    const {model, builtin} = this.shownModel();
    const text = this.isOwnDoll ? this.editor.text : null;
    const link = model || isLocal() ? null : await make({text, model: builtin, seed: this.seed, fade: this.fade});
    const left = this.own.level ? ' It leaves out the map, which one file contains.' : '';
    const reason = model
      ? 'A link holds a doll, but not your model: share one file instead.'
      : link === null
        ? 'This page is on your machine, so a link to it works for nobody else: share one file instead.'
        : link.length > MAX_LINK
          ? `The link would have ${link.length} characters, more than the ${MAX_LINK} that are read: ` +
            'share one file instead.'
          : `The link carries the text of the doll; it is not sent to any server.${left}`;
    this.by('link-says').textContent = reason;
    const usable = link !== null && link.length <= MAX_LINK;
    this.by('link').hidden = this.by('copy').hidden = !usable;
    this.by('link').value = usable ? link : '';
    this.by('share-page').showModal();
    if (usable) this.by('link').select();
  }

  async one() {
    const parts = await this.given.parts;
    const files = Object.entries(parts).map(
      ([name, packed]) => `<script type="application/gzip+base64" id="${name}">${base64Of(packed)}</script>`,
    );
    const scene = JSON.stringify(this.json()).replaceAll('<', '\\u003c');
    const html = this.given.html
      .replace('<!-- skelobj:files -->', () => files.join('\n'))
      .replace('<!-- skelobj:scene -->', () => `<script type="application/json" id="scene">${scene}</script>`);
    save(`${(this.modelName || 'skelobj').replace(/\.[^.]*$/, '')}.html`, [html], 'text/html');
  }

  // Time goes on if it stood still.
  wake() {
    if (this.controls.paused) this.controls.play();
  }

  seek(time) {
    this.send({type: 'seek', time});
  }

  fall(seed) {
    this.seed = seed;
    this.plots.clear();
    this.controls.fresh();
    this.send({type: 'drop', seed});
    this.wake();
  }

  random() {
    this.fall(Math.floor(Math.random() * MAX_SEED));
  }

  again() {
    this.plots.clear();
    this.controls.fresh();
    this.send({type: 'reset'});
    this.wake();
  }

  // Lights the body or joint of a block of the text.
  light(block) {
    this.block = block;
    const number = list => list.flatMap(({name}, index) => (name === block?.name ? [index] : []));
    const bodies = block?.kind === 'body' ? number(this.lines.bodies) : [];
    const joints = block?.kind === 'joint' ? number(this.lines.joints) : [];
    this.scene.light(bodies, joints);
    this.controls.chosen(block?.kind === 'joint' && joints.length ? block.name : null);
  }

  // Shows a body as a handle shapes it. Time stands still meanwhile.
  shaping(change) {
    const {handles, bodies} = this.scene;
    if (!change) {
      this.wasPaused = this.controls.paused;
      if (!this.wasPaused) this.controls.play();
      return;
    }
    bodies.reshape(handles.index, change.size, change.shift);
    this.scene.pose(this.scene.last);
  }

  // Writes the new shape into the text, which the editor can undo. Without a change, the body is as before.
  async shaped(change) {
    const {handles, bodies} = this.scene;
    const {index, body} = handles;
    handles.end();
    if (!this.wasPaused && this.controls.paused) this.controls.play();
    const names = {size: ['size', 'dimensions'], offset: ['offset']}[change?.what];
    // One number sets all three sizes.
    const isOne = change?.what === 'size' && new Set(change.values).size === 1;
    const text =
      names && this.editor
        ? withNumbers(this.editor.text, body.name, names, change.values.slice(0, isOne ? 1 : 3))
        : null;
    if (text !== null) {
      this.editor.replace(text);
      clearTimeout(this.typing);
      await this.apply(text);
    }
    // The doll is another one, unless its text has errors.
    if (body && this.scene.bodies === bodies) bodies.reshape(index, body.size, [0, 0, 0]);
    this.scene.pose(this.scene.last);
  }

  goTo(index) {
    const body = this.lines.bodies[index];
    if (body && this.editor) this.editor.go(body.line);
  }

  over(hit) {
    const tip = this.by('tip');
    const body = hit && this.lines.bodies[hit.body];
    tip.hidden = !body;
    this.scene.canvas.style.cursor = body ? (this.pointer.tool === 'drag' ? 'grab' : 'crosshair') : '';
    if (!body) return;
    tip.textContent = body.name;
    const [x, y] = this.scene.project(hit.point);
    tip.style.left = `${x}px`;
    tip.style.top = `${y}px`;
  }

  listen() {
    let inside = 0;
    const show = (event, step) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      inside = Math.max(0, inside + step);
      this.by('drop').hidden = inside === 0;
    };
    addEventListener('dragenter', event => show(event, 1));
    addEventListener('dragleave', event => show(event, -1));
    addEventListener('dragover', event => show(event, 0));
    addEventListener('drop', async event => {
      show(event, -inside);
      if (event.dataTransfer?.types.includes('Files')) this.drop(await dropped(event.dataTransfer));
    });
    const {canvas} = this.scene;
    canvas.addEventListener('webglcontextlost', () => this.messages.keep('context', LOST));
    canvas.addEventListener('webglcontextrestored', () => this.messages.done('context'));
    this.by('files').addEventListener('change', ({target}) => {
      this.drop([...target.files]);
      target.value = '';
    });
    this.by('swatches').append(
      ...STATES.map(({name, color}) => {
        const dot = element('i');
        dot.style.background = css(color);
        return element('span', {}, dot, name);
      }),
    );
  }
}

// Finds what to show first: the files of `skelobj view`, a scene inside the page, a link, or else the mannequin.
async function firstScene(given) {
  const served = Served.find();
  /** @type {SceneFiles} */
  let scene = {builtin: BUILTINS[0], seed: null};
  let isServed = false;
  try {
    if (served) {
      const loaded = await served.scene();
      served.loaded(loaded.revision);
      [scene, isServed] = [loaded.scene, true];
    } else if (given.scene) scene = sceneOf(given.scene);
    const linked = await follow(location.hash, BUILTINS);
    if (linked) [scene, isServed] = [linked, false];
    plainDoll(scene.doll);
    return {scene, served, isServed};
  } catch (wrong) {
    return {scene, served, isServed, wrong};
  }
}

// Gives the simulation its scene first, and builds the page while it loads.
export async function start(given) {
  let app = null;
  const early = [];
  const client = new Client(given.worker, message => (app ? app.hear(message) : early.push(message)));
  const starting = firstScene(given).then(first => {
    client.send({type: 'init', scene: first.scene});
    return {client, ...first};
  });
  // Without a server, the scene is known at once, and goes to the worker before this thread is busy.
  await Promise.race([
    starting,
    new Promise(done => {
      setTimeout(done);
    }),
  ]);
  const made = new App(given);
  made.begin(await starting);
  app = made;
  early.forEach(message => app.hear(message));
  globalThis.skelobjPage = app;
  return app;
}
