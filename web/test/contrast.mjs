// Text of the page can be read in both themes: WCAG contrast of each text colour on each background that it is shown
// on. Needs no browser: node test/contrast.mjs [--all], which prints every pair.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import {style} from '../page/doll-language.js';

const LEAST = 4.5;
const read = name => fs.readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');

// Splits CSS into rules; `media` is the condition around a rule.
function rulesOf(css, media = '') {
  const rules = [];
  const text = css.replace(/\/\*.*?\*\//gs, '');
  for (let at = 0; text.indexOf('{', at) >= 0; ) {
    const open = text.indexOf('{', at);
    const head = text.slice(at, open).trim();
    let close = open + 1;
    for (let depth = 1; depth > 0; close++) depth += {'{': 1, '}': -1}[text[close]] ?? 0;
    const inside = text.slice(open + 1, close - 1);
    at = close;
    if (head.startsWith('@media')) rules.push(...rulesOf(inside, head.slice(6).trim()));
    else if (!head.startsWith('@')) {
      const pairs = inside
        .split(';')
        .filter(one => one.includes(':'))
        .map(one => [
          one.slice(0, one.indexOf(':')).trim(),
          one
            .slice(one.indexOf(':') + 1)
            .replace('!important', '')
            .trim(),
        ]);
      rules.push({media, selector: head.replace(/\s+/g, ' '), ...Object.fromEntries(pairs)});
    }
  }
  return rules.map(({background, 'background-color': color, ...rule}) => ({...rule, background: background ?? color}));
}

const DARK = '(prefers-color-scheme: dark)';
const sheet = [
  ...rulesOf(read('page/style.css')),
  ...rulesOf(read('index.html').match(/<style>(.*?)<\/style>/s)[1]).map(rule => ({
    ...rule,
    selector: `loading ${rule.selector}`,
  })),
];
const sheetOf = theme => sheet.filter(({media}) => media !== DARK || theme === 'dark');
const last = (theme, selector, property) =>
  sheetOf(theme).findLast(rule => rule.selector === selector && rule[property])?.[property];

// A color is [red, green, blue, alpha], each 0 to 1. A gradient has several.
function colorsOf(theme, text) {
  const name = text.match(/^var\((--[\w-]+)\)$/)?.[1];
  if (name) return colorsOf(theme, last(theme, ':root', name) ?? assert.fail(`${name} is not set`));
  if (text === 'transparent' || text === 'none') return [[0, 0, 0, 0]];
  const hex = text.match(/^#([0-9a-f]{3,8})$/i)?.[1];
  if (hex) {
    const parts = hex.length < 6 ? [...hex].map(one => one + one) : hex.match(/../g);
    const [red, green, blue, alpha = 1] = parts.map(part => parseInt(part, 16) / 255);
    return [[red, green, blue, alpha]];
  }
  const mix = text.match(/^color-mix\(in srgb, (\S+) ([\d.]+)%, (\S+)\)$/);
  if (mix) {
    const [[one], [other], part] = [colorsOf(theme, mix[1]), colorsOf(theme, mix[3]), mix[2] / 100];
    const alpha = one[3] * part + other[3] * (1 - part);
    return [
      [...[0, 1, 2].map(at => (one[at] * one[3] * part + other[at] * other[3] * (1 - part)) / (alpha || 1)), alpha],
    ];
  }
  if (text.startsWith('radial-gradient')) return text.match(/#[0-9a-f]+/gi).flatMap(stop => colorsOf(theme, stop));
  return assert.fail(`what colour is "${text}"?`);
}

const over = ([red, green, blue, alpha], under) =>
  [red, green, blue].map((part, at) => part * alpha + under[at] * (1 - alpha)).concat(1);
const luminance = color => {
  const [red, green, blue] = color.map(part => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};
const contrast = (one, other) => {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
};
assert.equal(contrast([0, 0, 0], [1, 1, 1]).toFixed(2), '21.00');
assert.equal(contrast(colorsOf('light', '#777')[0], [1, 1, 1]).toFixed(2), '4.48');

// Backgrounds: selectors of style.css, from the lowest to the highest.
const SCENE = [['anything']];
const BARS = [['header'], ['#side'], ['#time'], ['#tabs'], ['#doll'], ['dialog'], ['#plots']];
const TIPS = [['.cm-tooltip'], ['.cm-tooltip', '.page code'], ['.cm-tooltip', '.page pre']];
const EDITOR = ['#text .cm-editor'];
const LINES = [
  [],
  ['#text .cm-activeLine, #text .cm-activeLineGutter'],
  ['#text .cm-lit'],
  ['#text .cm-lit.cm-activeLine'],
].map(line => [...EDITOR, ...line]);
const MATCHES = [
  '#text .cm-lintRange-active',
  '#text .cm-selectionMatch',
  '#text .cm-searchMatch',
  '#text .cm-searchMatch-selected',
];
const CODE = [...LINES, ...LINES.flatMap(line => MATCHES.map(match => [...line, match]))];
const PROBLEMS = [['#doll'], ['#doll', '#problems li:hover']];
const PANELS = [
  ['.cm-panels'],
  ['.cm-panels', '.cm-panels input, .cm-panels button:not(.cm-diagnosticAction)'],
  ['.cm-panels', '.cm-panels .cm-panel-lint ul [aria-selected]'],
];
const BUTTONS = [['button, select'], ['button:hover, select:hover'], ['.set'], ['#side', '.slide input[type=number]']];

// What each rule that colours text is shown on. A background of the rule itself is put above.
const SHOWN = {
  'html, body': [
    ['html, body'],
    ...BARS,
    ...BUTTONS,
    ...TIPS,
    ...CODE,
    ...PROBLEMS,
    ...PANELS,
    ['#says div'],
    ['#says div', 'button:hover, select:hover'],
    ['dialog', 'dialog input[type=text]'],
    ['anything', '#what, #cost'],
    ['anything', '#drop'],
  ],
  '::placeholder': PANELS,
  'button:disabled': BARS,
  'button.main': [[]],
  'button.main:hover': [[]],
  '#side h2': [['#side']],
  '.set button[aria-pressed=true]': [['.set']],
  '#tabs button.error': [['.set'], ['button:hover, select:hover'], ['.set', '.set button[aria-pressed=true]']],
  '.slide output': [['#side']],
  '.note': [['#side']],
  'kbd, .key': [['#side'], ['dialog']],
  '.key': [['#side'], ['dialog']],
  '#what span': [['anything', '#what, #cost']],
  '#cost': [['anything', '#what, #cost']],
  '#tip': SCENE,
  '#drop': SCENE,
  '#says button': [['#says div'], ['#says div', 'button:hover, select:hover']],
  '#plots figcaption': [['#plots']],
  '#plots b': [['#plots']],
  '#plots b.over': [['#plots']],
  '#plots b small': [['#plots']],
  '#clock': [['#time']],
  '#doll .bar strong.changed::after': [['#doll']],
  '#text .cm-editor': [[]],
  '#text .cm-gutters': [[], ['#text .cm-activeLine, #text .cm-activeLineGutter']],
  '#text ::selection': LINES,
  '.cm-tooltip': [[]],
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': [['.cm-tooltip']],
  '.cm-completionDetail': [['.cm-tooltip']],
  '.page h3': TIPS,
  '.cm-diagnostic > .cm-diagnosticSource': [['.cm-tooltip']],
  '.cm-panels': [[]],
  '.cm-panels .cm-panel-lint ul [aria-selected]': [['.cm-panels']],
  '#problems .head': [['#doll']],
  '#problems .head.error': [['#doll']],
  '#problems .head.good': [['#doll']],
  '#problems li b': PROBLEMS,
  '#problems li.error b': PROBLEMS,
  '.cm-diagnosticAction': [['.cm-tooltip'], ['.cm-panels']],
  dialog: [[]],
  'loading html, #loading': [[]],
};
// Backgrounds without text.
const BARE = [
  '#stage',
  '#what .dot',
  '#progress',
  'dialog::backdrop',
  '.page pre code',
  '.cm-lintRange-error',
  '.cm-lintRange-warning',
];

// The table knows every colour and background of the page.
const colored = new Set(sheet.filter(({color}) => color && color !== 'inherit').map(({selector}) => selector));
for (const selector of colored)
  assert(SHOWN[selector], `style.css colours the text of "${selector}": say in SHOWN on what it is shown`);
for (const selector of Object.keys(SHOWN))
  assert(colored.has(selector), `style.css no longer colours the text of "${selector}"`);
const used = new Set([...Object.values(SHOWN).flat(2), ...colored, ...BARE]);
for (const {selector, background} of sheet)
  assert(!background || used.has(selector), `"${selector}" has a background: say in SHOWN which text is on it`);
for (const rule of sheet)
  assert(
    (rule.opacity ?? '1') === '1' && !rule.filter,
    `${rule.selector}: opacity and filters change contrasts unseen`,
  );

const all = process.argv.includes('--all');
const failed = [];
let [pairs, lowest] = [0, Infinity];
function compare(theme, what, text, stack) {
  // A scene, or a page under a veil, may have any colour.
  let grounds =
    stack[0] === 'anything'
      ? [[0, 0, 0, 1], [1, 1, 1, 1], ...colorsOf(theme, last(theme, '#stage', 'background'))]
      : [colorsOf(theme, 'var(--back)')[0]];
  for (const layer of stack.filter(one => one !== 'anything')) {
    const value = layer.startsWith('=')
      ? layer.slice(1)
      : (last(theme, layer, 'background') ?? assert.fail(`"${layer}" has no background`));
    grounds = grounds.flatMap(ground => colorsOf(theme, value).map(color => over(color, ground)));
  }
  for (const ground of grounds) {
    const ratio = contrast(over(colorsOf(theme, text)[0], ground), ground);
    pairs++;
    lowest = Math.min(lowest, ratio);
    const line = `${theme}: ${ratio.toFixed(2)} ${what} on ${stack.join(' + ')}`;
    if (all) console.log(line);
    if (ratio < LEAST) failed.push(line);
  }
}

const plots = read('page/plots.js');
const [, limit] = plots.match(/fillStyle = colors\.(\w+);\n +pen\.textAlign[^\n]+\n +pen\.fillText/);
const [, veil] = plots.match(/globalAlpha = ([\d.]+)/);
for (const theme of ['light', 'dark']) {
  for (const [selector, stacks] of Object.entries(SHOWN)) {
    const color = last(theme, selector, 'color');
    if (color === undefined) {
      // The browser's own.
      compare(theme, selector, theme === 'dark' ? '#fff' : '#000', [selector]);
      continue;
    }
    const own = last(theme, selector, 'background');
    for (const stack of stacks) compare(theme, selector, color, own ? [...stack, selector] : stack);
  }
  for (const {tag, color} of style.specs)
    if (color) for (const stack of CODE) compare(theme, `word (${tag})`, color, stack);
  // The limits of curves, and these with the area of a curve over them.
  compare(theme, 'limit of a curve', `var(--${limit})`, ['#plots']);
  const area = `var(--plot) ${100 * Number(veil)}%`;
  compare(theme, 'limit under a curve', `color-mix(in srgb, ${area}, var(--${limit}))`, [
    '#plots',
    `=color-mix(in srgb, ${area}, transparent)`,
  ]);
}
assert.equal(failed.length, 0, `contrasts below ${LEAST}:\n${failed.join('\n')}`);
console.log(`${pairs} contrasts of text are at least ${lowest.toFixed(2)}`);
