// Words of the doll language: from the table of the parser, with the page of docs/dolls.md.
import page from '../../docs/dolls.md';

const SCOPES = ['line', 'body', 'joint'];
const PARTS = {'Lines': 'line', 'Attributes of bodies': 'body', 'Attributes of joints': 'joint'};

/** Returns the sections of the page: `{part, words, text}`. */
function sections() {
  const found = [];
  let part = null;
  for (const line of page.split('\n')) {
    const [, level, title] = /^(##+) (.*)/.exec(line) ?? [];
    if (level === '##') part = PARTS[title] ?? null;
    else if (level && part) found.push({part, words: [...title.matchAll(/`(\w+)/g)].map(([, word]) => word), text: []});
    else if (part && !title) found.at(-1)?.text.push(line);
  }
  return found;
}

/** Returns all words, for completion and hover. */
export function words(skelobj) {
  const all = sections();
  return skelobj.dollDirectives().map(({word, usage, scope}) => {
    const section = all.find(({part, words}) => part === SCOPES[scope] && words.includes(word));
    return {
      word, under: SCOPES[scope], arguments: usage.slice(word.length).trim(), docs: section?.text.join('\n').trim() ?? '',
    };
  });
}
