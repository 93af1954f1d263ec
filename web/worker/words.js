// Words of the doll language: from the table of the parser, with the page of docs/dolls.md.
import page from '../../docs/dolls.md';
import cone from '../../docs/dolls/cone.svg';
import places from '../../docs/dolls/places.svg';
import shapes from '../../docs/dolls/shapes.svg';
/** @import {Skelobj} from '../skelobj.js' */

/** Pictures in the sections of words, as addresses, by their places in the page. */
const PICTURES = {'dolls/cone.svg': cone, 'dolls/places.svg': places, 'dolls/shapes.svg': shapes};

const SCOPES = ['line', 'body', 'joint'];
const PARTS = {Lines: 'line', 'Attributes of bodies': 'body', 'Attributes of joints': 'joint'};

/** Returns the sections of the page: `{part, words, text}`. */
function sections() {
  const found = [];
  let part = null;
  let text = null;
  for (const line of page.split('\n')) {
    const [, level, title] = /^(##+) (.*)/.exec(line) ?? [];
    if (level) text = null;
    if (level === '##') part = PARTS[title] ?? null;
    else if (level && part) {
      text = [];
      found.push({part, words: [...title.matchAll(/`(\w+)/g)].map(([, word]) => word), text});
    } else text?.push(line);
  }
  return found;
}

/** Returns all words, for completion and hover. */
export function words(/** @type {Skelobj} */ skelobj) {
  const all = sections();
  return skelobj.dollDirectives().map(({word, usage, scope}) => {
    const section = all.find(({part, words}) => part === SCOPES[scope] && words.includes(word));
    const docs = section?.text.join('\n').trim() ?? '';
    const pictures = Object.fromEntries(Object.entries(PICTURES).filter(([place]) => docs.includes(`](${place})`)));
    return {word, under: SCOPES[scope], arguments: usage.slice(word.length).trim(), docs, pictures};
  });
}
