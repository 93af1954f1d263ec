// Buttons, sliders and lists around the scene.
import {adviceOf} from './advice.js';
import {css, STATES} from './colors.js';
import {keys, listen} from './keys.js';
import {element} from './markdown.js';
import {SERVED} from './served.js';
/** @import {Told, ToWorker} from '../protocol.d.ts' */

const PAUSE = '<svg viewBox="0 0 16 16"><path class="solid" d="M4 3h2.5v10H4zM9.5 3H12v10H9.5z" stroke="none"/></svg>';
const PLAY = '<svg viewBox="0 0 16 16"><path class="solid" d="M4 2.5l9 5.5-9 5.5z"/></svg>';
const icon = markup => document.createRange().createContextualFragment(markup);

const TITLES = {mannequin: 'Mannequin', dog: 'Dog', rope: 'Rope', ponytail: 'Pony tail', turret: 'Turret on a chain'};
const CHECK = 'Drop it 20 times and report all that is wrong, as skelobj check does';
// Begins the values of the user's models in the list, which no scene in the worker does.
export const LEFT = 'left:';
// Index of the bind pose among the animations.
const BIND = -1;
// Indices of STATES.
const LIMP = 0;
const FOLLOWING = 3;
const ASLEEP = 5;
const CROWD = 100;
// Least and greatest factor of a model's size, as for the worker.
const SMALLEST = 0.001;
const LARGEST = 1000;
// Problems that are listed at most.
const MAX_PROBLEMS = 100;
// How long a button says that it has copied, and the time between two measurements that are told, milliseconds.
const COPIED = 1500;
const TELLING = 250;
// Length of a time bar without a past, seconds.
const NO_TIME = 0.001;

export class Controls {
  constructor(/** @type {{send: (message: ToWorker) => void, [name: string]: any}} */ app) {
    this.app = app;
    const {by} = app;
    this.by = by;
    this.paused = false;
    this.shown = null;
    const on = (id, action, event = 'click') => by(id).addEventListener(event, action);
    const act = {
      play: () => this.play(),
      step: () => this.step(),
      slower: () => this.slower(),
      fall: () => app.random(),
      again: () => app.again(),
      release: () => {
        app.send({type: 'release'});
        this.fresh();
        app.wake();
      },
      getup: () => {
        app.send({type: 'getup'});
        app.wake();
      },
      hold: () => this.hold(!by('hold').checked),
      crowd: () => this.crowd(),
      camera: () => app.scene.look(app.scene.view),
      help: () => (by('help-page').open ? by('help-page').close() : by('help-page').showModal()),
      save: () => app.save(),
      tidy: () => app.tidy(),
      undo: () => app.editor?.undo(),
      redo: () => app.editor?.redo(),
      leave: () => app.scene.canvas.focus(),
      turn: event => app.scene.turn(event),
      seekBy: by => this.seekBy(by),
      tool: tool => this.tool(tool),
      show: what => this.show(what, !app.scene.shows[what]),
    };
    for (const [id, action] of [
      ['fall', act.fall],
      ['again', act.again],
      ['getup', act.getup],
      ['release', act.release],
      ['crowd', act.crowd],
      ['play', act.play],
      ['step', act.step],
      ['help', act.help],
    ])
      on(id, action);
    on('open', () => by('files').click());
    on('share', () => app.share());
    on('one', () => app.one());
    on('copy', async () => {
      by('link').select();
      await navigator.clipboard?.writeText(by('link').value).catch(() => document.execCommand('copy'));
      by('copy').textContent = 'Copied';
      setTimeout(() => {
        by('copy').textContent = 'Copy the link';
      }, COPIED);
    });
    on('fit', () => app.fit());
    on('tidy', () => app.tidy());
    on('check', () => app.check());
    on('save', () => app.save());
    on('which', ({target}) => app.choose(target.value), 'change');
    on('ground', ({target}) => this.restart({type: 'ground', ground: target.value}), 'change');
    on('speed', () => this.tellPlay(), 'change');
    on('scrub', ({target}) => this.scrub(Number(target.value)), 'input');
    on('animation', ({target}) => this.animate(target.value === '' ? null : Number(target.value)), 'change');
    on('hold', ({target}) => this.hold(target.checked), 'change');
    on('cut', () => this.cut());
    on(
      'fade',
      ({target}) => {
        const {value, validity} = target;
        if (validity.valid) app.fade = value === '' ? null : Number(value);
        else this.fade(app.fade);
        this.restart({type: 'fade', seconds: app.fade});
      },
      'change',
    );
    on(
      'scale',
      ({target}) => {
        const scale = Number(target.value);
        if (scale >= SMALLEST && scale <= LARGEST) app.resize(scale);
        else this.scale(app.scale);
      },
      'change',
    );
    this.tellers = [];
    for (const [type, more] of Object.entries({strength: {body: null}, muscle: {}})) {
      const tell = () => {
        by(`${type}-value`).textContent = `${Math.round(by(type).value * 100)} %`;
      };
      tell();
      this.tellers.push(tell);
      on(
        type,
        ({target}) => {
          tell();
          app.send(/** @type {any} */ ({type, ...more, value: Number(target.value)}));
        },
        'input',
      );
    }
    for (const box of document.querySelectorAll('[data-show]')) {
      app.scene.shows[box.dataset.show] = box.checked;
      box.addEventListener('change', () => this.show(box.dataset.show, box.checked));
    }
    for (const button of document.querySelectorAll('[data-tool]'))
      button.addEventListener('click', () => this.tool(button.dataset.tool));
    for (const button of document.querySelectorAll('#tabs [data-tab]'))
      button.addEventListener('click', () => this.tab(button.dataset.tab));
    on('menu', event => {
      event.stopPropagation();
      by('side').classList.toggle('open');
    });
    const close = () => by('side').classList.remove('open');
    app.scene.canvas.addEventListener('pointerdown', close);
    addEventListener('keydown', ({key}) => key === 'Escape' && close());
    const list = keys(act);
    by('keys').append(
      ...list.map(([name, does]) =>
        element(
          'div',
          {},
          element(
            'dt',
            {},
            ...name
              .split(' ')
              .filter(Boolean)
              .flatMap(key => [element('kbd', {textContent: key}), ' ']),
          ),
          element('dd', {textContent: does}),
        ),
      ),
    );
    listen(list, act);
    this.paint();
    this.checking(false);
    this.problems(null);
  }

  paint() {
    const {by} = this;
    by('play').replaceChildren(icon(this.paused ? PLAY : PAUSE));
    by('play').setAttribute('aria-label', this.paused ? 'Play' : 'Pause');
  }

  builtins(names) {
    this.names = names;
    this.which();
  }

  // Lists the models, and chooses the one that is shown.
  which() {
    const {own, served, isServed, modelName, left} = this.app;
    const isOwn = !isServed && !own.builtin && Boolean(modelName);
    const list = this.by('which');
    const options = (this.names ?? []).map(name => element('option', {value: name, textContent: TITLES[name] ?? name}));
    if (served?.seen?.model) options.unshift(element('option', {value: SERVED, textContent: served.seen.model}));
    const others = [...left.keys()].filter(name => !isOwn || name !== modelName);
    options.unshift(...others.map(name => element('option', {value: LEFT + name, textContent: name})));
    if (isOwn) options.unshift(element('option', {value: '', textContent: modelName}));
    list.replaceChildren(...options);
    list.value = isServed && served.seen.model ? SERVED : (own.builtin ?? '');
  }

  fade(seconds) {
    this.by('fade').value = seconds ?? '';
  }

  scale(value) {
    this.by('scale').value = value;
  }

  model(/** @type {Told<'model'>} */ {animations, scale, bones}) {
    this.which();
    this.scale(scale);
    // The dolls of the built-in models have their size.
    this.by('scale').disabled = Boolean(this.app.own.builtin) && !this.app.isServed;
    const none = element('option', {value: '', textContent: 'Fall'});
    const bind = element('option', {value: BIND, textContent: 'Bind pose', hidden: bones.length === 0});
    this.animations = animations;
    const options = animations.map(({name: title, duration, poses}, index) => {
      const length = poses > 1 ? `${poses} poses` : `${duration.toFixed(1)} s`;
      return element('option', {value: index, textContent: `${title || `animation ${index}`} (${length})`});
    });
    // Sequences go before the poses that they consist of.
    const sequences = options.filter((_, index) => animations[index].poses > 1);
    this.by('animation').replaceChildren(
      none,
      bind,
      ...sequences,
      ...options.filter(option => !sequences.includes(option)),
    );
  }

  // Shows the values that a fall begins with.
  fresh() {
    this.by('strength').value = 0;
    this.by('muscle').value = 1;
    this.tellers.forEach(tell => tell());
    this.off = new Set();
    this.by('hold').checked = true;
    this.chosen(this.joint);
  }

  doll(/** @type {Told<'doll'>} */ {bodies, joints, text, isKept}) {
    this.joints = joints;
    this.by('animation').options[0].hidden = bodies.length === 0; // Nothing falls.
    if (!isKept) this.fresh();
    const limp = !/^[ \t]*muscle[ \t]/im.test(text);
    this.by('muscle').disabled = limp;
    this.by('muscle').title = limp
      ? 'No joint of this doll has a muscle'
      : "Factor of the stiffness of the doll's muscles";
    this.by('hold').disabled = joints.length === 0;
  }

  ground(kind) {
    const list = this.by('ground');
    if (kind === 'bsp') {
      const map = list.querySelector('[value=bsp]');
      map.disabled = false;
      map.textContent = 'Map';
    }
    list.value = kind;
  }

  frame(/** @type {Told<'frame'>} */ frame) {
    const {by} = this;
    const {time, earliest, latest, mode, metrics, animation, count} = frame;
    this.last = frame;
    const playing = mode === 'animation' && animation;
    if (this.wasPlaying && !playing) by('animation').value = '';
    if (playing && by('animation').value !== String(animation.index)) by('animation').value = animation.index;
    this.wasPlaying = Boolean(playing);
    const scrub = by('scrub');
    if (playing) {
      Object.assign(scrub, {
        min: 0,
        max: this.animations?.[animation.index]?.duration ?? NO_TIME,
        value: animation.time,
      });
    } else {
      Object.assign(scrub, {min: earliest, max: Math.max(latest, earliest + NO_TIME), value: time});
    }
    const clock = playing ? animation.time : time;
    by('clock').textContent = `${clock.toFixed(2)} s`;
    const [title, under] = by('what').children;
    title.textContent = `${clock.toFixed(2)} s`;
    const states = {
      start: ['plays', FOLLOWING],
      animation: ['animation', FOLLOWING],
      getup: ['gets up', FOLLOWING],
      falling: metrics.asleep ? ['at rest', ASLEEP] : ['falls', LIMP],
    };
    const [says, color] = states[mode] ?? states.falling;
    const title2 = animation && mode !== 'falling' ? this.animations?.[animation.index]?.name : null;
    const drop = this.app.seed === null || mode === 'animation' ? '' : `, drop ${this.app.seed}`;
    const text = `${says}${title2 && mode === 'start' ? ` ${title2}` : ''}${drop}`;
    if (this.says !== text) {
      this.says = text;
      const dot = element('i', {className: 'dot'});
      dot.style.color = css(STATES[color].color);
      under.replaceChildren(dot, text);
    }
    if (count !== this.count) this.frames = 0;
    this.count = count;
    this.frames++;
    this.cost = metrics.stepMs;
    const now = performance.now();
    // The first steps, while the page still loads, say nothing.
    if (now - (this.told ?? 0) > TELLING && this.frames > 3) {
      this.told = now;
      const crowd = count > 1 ? `${count} ragdolls, ${metrics.awake} awake · ` : '';
      by('cost').textContent = `${crowd}${this.cost.toFixed(this.cost < 10 ? 2 : 1)} ms a step`;
    }
    by('crowd').setAttribute('aria-pressed', String(count > 1));
    by('crowd').textContent = count > 1 ? 'One' : `× ${CROWD}`;
  }

  tellPlay() {
    this.app.send({type: 'play', speed: Number(this.by('speed').value), paused: this.paused});
  }

  play() {
    this.paused = !this.paused;
    this.paint();
    this.tellPlay();
  }

  step() {
    if (!this.paused) this.play();
    this.app.send({type: 'step'});
  }

  slower() {
    const list = this.by('speed');
    list.selectedIndex = (list.selectedIndex + 1) % list.options.length;
    this.tellPlay();
  }

  scrub(value) {
    if (!this.paused) this.play();
    if (this.last?.mode === 'animation' && this.last.animation)
      this.app.send({type: 'animation', index: this.last.animation.index, time: value, playing: false});
    else this.app.seek(value);
  }

  seekBy(seconds) {
    if (!this.last) return;
    if (!this.paused) this.play();
    const {mode, animation, time, earliest, latest} = this.last;
    if (mode === 'animation' && animation) this.scrub(Math.max(0, animation.time + seconds));
    else this.app.seek(Math.min(Math.max(time + seconds, earliest), Math.max(latest, time)));
  }

  animate(index) {
    /** @type {ToWorker} */
    const message = {type: 'animation', index, time: 0, playing: index !== BIND};
    if (index === null) return this.restart(message);
    this.app.plots.clear();
    this.app.send(message);
    if (this.paused) this.play();
  }

  hold(is) {
    this.by('hold').checked = is;
    this.off = new Set(is ? [] : this.joints?.map(({name}) => name));
    this.app.send({type: 'joint', name: null, on: is});
    this.chosen(this.joint);
  }

  // Offers to cut the joint under the cursor.
  chosen(joint) {
    this.joint = joint;
    const button = this.by('cut');
    button.hidden = !joint;
    if (joint) button.textContent = `${this.off?.has(joint) ? 'Join' : 'Cut'} ${joint}`;
  }

  cut() {
    const on = this.off.has(this.joint);
    if (on) this.off.delete(this.joint);
    else this.off.add(this.joint);
    this.app.send({type: 'joint', name: this.joint, on});
    this.app.wake();
    this.by('hold').checked = this.off.size === 0;
    this.chosen(this.joint);
  }

  crowd() {
    this.restart({type: 'crowd', count: this.count > 1 ? 1 : CROWD});
  }

  // Sends what starts the fall again.
  restart(message) {
    this.app.plots.clear();
    this.fresh();
    this.app.send(message);
    this.app.wake();
  }

  tool(tool) {
    this.app.pointer.tool = tool;
    this.app.scene.shape(tool === 'shape');
    for (const button of document.querySelectorAll('[data-tool]'))
      button.setAttribute('aria-pressed', String(button.dataset.tool === tool));
  }

  show(what, is) {
    document.querySelector(`[data-show=${what}]`).checked = is;
    this.app.scene.show({[what]: is});
    this.app.isStale = true; // Frames have contacts only where they show.
  }

  tab(tab) {
    this.by('app').dataset.tab = tab;
    // What is hidden does not scroll.
    if (tab === 'doll') this.app.editor?.reveal();
    for (const button of document.querySelectorAll('#tabs [data-tab]'))
      button.setAttribute('aria-pressed', String(button.dataset.tab === tab));
  }

  // Shows that a check runs, and how far it is if it is known how long it takes.
  checking(is, seconds) {
    const button = this.by('check');
    button.textContent = is ? 'Stop' : 'Check';
    button.title = is ? 'Stop the check' : CHECK;
    const bar = this.by('progress');
    bar.hidden = !is;
    bar.classList.toggle('known', seconds !== undefined);
    bar.style.setProperty('--seconds', `${seconds ?? 0}s`);
  }

  // Lists the problems under the text. `checked`: those of a check, which do not stop the doll.
  problems(problems, checked = false) {
    const errors = problems?.filter(({severity}) => severity === 'error').length ?? 0;
    const warnings = (problems?.length ?? 0) - errors;
    const many = (number, word) => (number ? [`${number} ${word}${number > 1 ? 's' : ''}`] : []);
    const text =
      problems === null ? ' ' : [...many(errors, 'error'), ...many(warnings, 'warning')].join(', ') || '✓ No problems';
    const kind = errors ? 'error' : problems?.length ? '' : 'good';
    const note = errors && !checked ? ': the last valid doll keeps running' : '';
    const head = element('div', {className: `head ${kind}`, textContent: text + note});
    const list = element(
      'ul',
      {},
      ...(problems ?? []).slice(0, MAX_PROBLEMS).map(problem => {
        const {line, message, severity, suggestion} = problem;
        const item = element(
          'li',
          {className: severity, tabIndex: 0},
          element('b', {textContent: line}),
          element('span', {textContent: message}),
        );
        item.addEventListener('click', () => this.app.editor?.go(line, true));
        item.addEventListener(
          'keydown',
          event => event.key === 'Enter' && event.target === item && this.app.editor?.go(line, true),
        );
        if (suggestion !== null) {
          const repair = element('button', {textContent: 'Repair', title: adviceOf(problem)});
          repair.addEventListener('click', event => {
            event.stopPropagation();
            this.app.editor?.repair(problem);
          });
          item.append(repair);
        }
        return item;
      }),
    );
    this.by('problems').replaceChildren(head, list);
    // On a narrow page, the list is behind this button.
    const tab = document.querySelector('#tabs [data-tab=doll]');
    tab.textContent = errors ? `Doll (${errors})` : 'Doll';
    tab.ariaLabel = ['Doll', ...many(errors, 'error')].join(', ');
    tab.classList.toggle('error', errors > 0);
  }
}
