// Curves of what `skelobj check` measures, with its limits.
import {element} from './markdown.js';

// Seconds that a plot shows at least, and at most.
const SPAN = 4;
const LONGEST = 20;
// Samples that are kept.
const MOST = 40000;
// Milliseconds between two drawings: curves need not move as smoothly as figures.
const PAUSE = 45;
// Seconds by which two times are one.
const SAME = 1e-3;
// Seconds by which rounding makes a sample later than its time.
const ROUNDING = 1e-6;
// Speed to which the axis goes at least, units per second.
const LEAST_SPEED = 40;
// Factor of the energy of the release that a fall must not have.
const GAIN = 1.25;
// A limit is in view up to so many times the highest value, and then with so much above it.
const NEAR = 2.2;
const HEADROOM = 1.15;

const PREFIXES = ['', 'k', 'M', 'G', 'T', 'P'];
// Height of a label, and where the caption over it ends.
const LETTERS = 11;
const CAPTION = 27;
// Distances of a label from its line, the best first.
const AWAY = [0, 2, 4, 6, 8, 10, 12, 14];
// Pixels between a label and the edges, above and below the curve, and its width; radius of the mark at the time.
const BESIDE = 8;
const OVER = 30;
const UNDER = 9;
const THICK = 1.6;
const MARK = 3;
const DASH = [4, 3];
// Numbers from this one on have a prefix.
const PREFIXED = 10000;
const MAX_DECIMALS = 6;

// Returns three digits of a number; below `least`, as many decimals as that has.
const number = (value, least = 1) => {
  if (!Number.isFinite(value)) return '–';
  const size = Math.abs(value);
  const thousands = size >= PREFIXED ? Math.min(Math.floor(Math.log10(size) / 3), PREFIXES.length - 1) : 0;
  const shown = value / 1000 ** thousands;
  const decimals = 2 - Math.max(Math.floor(Math.log10(Math.abs(shown))), Math.round(Math.log10(Math.min(1, least))));
  const prefix = thousands ? ` ${PREFIXES[thousands]}` : '';
  return `${shown.toFixed(Math.min(Math.max(decimals, 0), MAX_DECIMALS))}${prefix}`;
};

const overlap = (one, other) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

// Places labels at lines: above or below, at the right or at the left, as near as nothing else is. What has no room
// is left out.
function placeLabels(pen, labels, width, height) {
  const placed = [];
  const lines = labels.map(({line}) => ({left: 0, right: width, top: line, bottom: line + 1}));
  // From the edge that they are near, so that they are in the order of their lines.
  const isHigh = labels.reduce((sum, {line}) => sum + line, 0) < (labels.length * height) / 2;
  for (const {line, texts} of [...labels].sort((one, other) =>
    isHigh ? one.line - other.line : other.line - one.line,
  )) {
    const text = texts.find(one => pen.measureText(one).width < width - 2 * BESIDE) ?? texts.at(-1);
    const wide = pen.measureText(text).width;
    const isUnder = labels.some(other => other.line < line && other.line > line - LETTERS);
    const tops = away =>
      isUnder ? [line + 2 + away, line - LETTERS - 1 - away] : [line - LETTERS - 1 - away, line + 2 + away];
    const spots = AWAY.flatMap(away =>
      [width - BESIDE - wide, BESIDE].flatMap(left =>
        tops(away).map(top => ({text, left, right: left + wide, top, bottom: top + LETTERS})),
      ),
    );
    const isFree = spot => spot.top >= CAPTION && spot.bottom <= height && !placed.some(other => overlap(spot, other));
    const found = spots.find(spot => isFree(spot) && !lines.some(other => overlap(spot, other))) ?? spots.find(isFree);
    if (found) placed.push(found);
  }
  return placed;
}

export class Plots {
  constructor(place, seek) {
    this.samples = [];
    this.curves = [
      {key: 'gap', title: 'Joint gap', unit: 'units', limits: [], least: 1},
      {key: 'excess', title: 'Beyond a stop', unit: 'rad', limits: [], least: 0.75},
      {key: 'speed', title: 'Speed', unit: 'units/s', limits: [], least: LEAST_SPEED},
      {
        key: 'energy',
        title: 'Energy',
        unit: 'units²/s²',
        about: 'Kinetic and potential energy; masses have no unit',
        limits: [],
        least: 1,
      },
    ];
    for (const curve of this.curves) {
      curve.canvas = element('canvas', {title: 'Click to go to that time'});
      curve.value = element('b', {title: curve.about ?? ''});
      curve.label = element('span', {textContent: curve.title});
      const figure = element('figure', {}, curve.canvas, element('figcaption', {}, curve.label, curve.value));
      curve.canvas.addEventListener('pointerdown', event => {
        const {left, width} = curve.canvas.getBoundingClientRect();
        seek(this.from + ((event.clientX - left) / width) * (this.to - this.from));
      });
      place.append(figure);
    }
    // Sizes are read here, as a drawing would have the page laid out for them.
    new ResizeObserver(() => {
      for (const curve of this.curves) curve.size = [curve.canvas.clientWidth, curve.canvas.clientHeight];
      this.dirty = true;
    }).observe(place);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
      this.dirty = true;
    });
    this.from = 0;
    this.to = SPAN;
    this.time = 0;
    this.drawn = 0;
  }

  // Limits: those of a check; `unit` is the factor of lengths.
  limit({gap, gapFalling, excess, unit}) {
    [this.curves[0].least, this.curves[2].least] = [unit, LEAST_SPEED * unit];
    this.curves[0].limits = [
      {at: gap, name: 'at rest'},
      {at: gapFalling, name: 'falling'},
    ];
    this.curves[1].limits = [{at: excess, name: 'limit'}];
    this.dirty = true;
  }

  clear() {
    this.samples = [];
    this.dirty = true;
  }

  // `latest` is the end of what is known: after a step back, the curves go on to there until something else happens.
  // What plays before the release is not part of the fall.
  add(time, metrics, latest) {
    this.time = time;
    this.dirty = true;
    const {samples} = this;
    while (samples.length > 0 && samples.at(-1).time > latest + SAME) samples.pop();
    if (metrics.mode === 'start') return;
    let at = samples.length;
    while (at > 0 && samples[at - 1].time > time - SAME) at--;
    const isKnown = at < samples.length && samples[at].time < time + SAME;
    samples.splice(at, isKnown ? 1 : 0, {time, ...metrics});
    if (this.samples.length > MOST) this.samples.splice(0, MOST / 4);
  }

  // Moves the mark without a new sample.
  mark(time) {
    this.time = time;
    this.dirty = true;
  }

  draw(now) {
    if (!this.dirty || now - this.drawn < PAUSE) return;
    this.dirty = false;
    this.drawn = now;
    const last = this.samples.at(-1)?.time ?? 0;
    const first = this.samples[0]?.time ?? 0;
    this.to = Math.max(last, first + SPAN);
    this.from = Math.max(first, this.to - LONGEST);
    const styles = getComputedStyle(document.documentElement);
    const color = name => styles.getPropertyValue(name).trim();
    const colors = {plot: color('--plot'), limit: color('--limit'), line: color('--line'), faint: color('--faint')};
    const energy = this.release();
    this.curves[3].limits = energy > 0 ? [{at: energy * GAIN, name: `${GAIN} × release`}] : [];
    for (const curve of this.curves) this.curve(curve, colors);
  }

  // Returns the energy with which the fall began: what falls must not gain a quarter of it. Null if nothing falls.
  release() {
    let at = this.samples.indexOf(this.at(this.time));
    const mode = this.samples[at]?.mode;
    if (mode !== 'falling') return null;
    while (at > 0 && this.samples[at - 1].mode === mode) at--;
    return this.samples[at].energy;
  }

  curve(curve, colors) {
    const {canvas, key, limits, least, size} = curve;
    if (!size?.[0]) return;
    const [width, height] = size;
    const scale = devicePixelRatio;
    if (canvas.width !== Math.round(width * scale)) canvas.width = Math.round(width * scale);
    if (canvas.height !== Math.round(height * scale)) canvas.height = Math.round(height * scale);
    const pen = canvas.getContext('2d', {willReadFrequently: true});
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    pen.clearRect(0, 0, width, height);
    const shown = this.samples.filter(({time}) => time >= this.from);
    let [low, high] = [
      Math.min(0, ...shown.map(sample => sample[key])),
      Math.max(least, ...shown.map(sample => sample[key])),
    ];
    // A limit that is near is always in view.
    for (const {at} of limits) if (at < high * NEAR) high = Math.max(high, at * HEADROOM);
    const [top, bottom] = [OVER, height - UNDER];
    const x = time => ((time - this.from) / (this.to - this.from)) * width;
    const y = value => bottom - ((value - low) / (high - low)) * (bottom - top);
    const rule = (at, stroke, dash = []) => {
      pen.beginPath();
      pen.setLineDash(dash);
      pen.moveTo(0, Math.round(y(at)) + 0.5);
      pen.lineTo(width, Math.round(y(at)) + 0.5);
      pen.strokeStyle = stroke;
      pen.lineWidth = 1;
      pen.stroke();
      pen.setLineDash([]);
    };
    rule(0, colors.line);
    pen.font = '10px system-ui, sans-serif';
    const inView = limits.filter(({at}) => at <= high);
    for (const {at} of inView) rule(at, colors.limit, DASH);
    curve.labels = placeLabels(
      pen,
      inView.map(({at, name}) => ({
        line: y(at),
        texts: [`${name} ${number(at, least)} ${curve.unit}`, `${name} ${number(at, least)}`],
      })),
      width,
      height,
    );
    for (const {text, left, bottom} of curve.labels) {
      pen.fillStyle = colors.limit;
      pen.textAlign = 'left';
      pen.fillText(text, left, bottom - 2);
    }
    if (shown.length > 1) {
      pen.beginPath();
      for (const sample of shown) pen.lineTo(x(sample.time), y(sample[key]));
      pen.strokeStyle = colors.plot;
      pen.lineWidth = THICK;
      pen.lineJoin = 'round';
      pen.stroke();
      pen.lineTo(x(shown.at(-1).time), y(low));
      pen.lineTo(x(shown[0].time), y(low));
      pen.closePath();
      // test/contrast.mjs reads this number.
      pen.globalAlpha = 0.1;
      pen.fillStyle = colors.plot;
      pen.fill();
      pen.globalAlpha = 1;
    }
    const now = this.at(this.time);
    if (now) {
      pen.beginPath();
      pen.arc(Math.min(x(now.time), width - MARK), y(now[key]), MARK, 0, 2 * Math.PI);
      pen.fillStyle = colors.plot;
      pen.fill();
    }
    const value = now?.[key] ?? NaN;
    curve.value.replaceChildren(
      number(value, least),
      ...(curve.unit ? [' ', element('small', {textContent: curve.unit})] : []),
    );
    const limit = limits.at(-1)?.at ?? Infinity;
    curve.value.className = value > limit ? 'over' : '';
  }

  at(time) {
    for (let at = this.samples.length - 1; at >= 0; at--)
      if (this.samples[at].time <= time + ROUNDING) return this.samples[at];
    return undefined;
  }
}
