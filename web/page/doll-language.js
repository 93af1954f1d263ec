// The language of dolls as the editor sees it: words of a line, and which body or joint a line belongs to.
import {HighlightStyle, StreamLanguage} from '@codemirror/language';
import {tags} from '@lezer/highlight';

const DEFINING = /^(body|joint)$/i;
const SELECTING = /^(updatebody|updatejoint)$/i;

export const language = StreamLanguage.define({
  name: 'doll',
  startState: () => ({comment: false, word: 0, first: ''}),
  token(stream, state) {
    if (stream.sol() && !state.comment) Object.assign(state, {word: 0, first: ''});
    if (state.comment) {
      if (stream.skipTo('*/')) {
        stream.match('*/');
        state.comment = false;
      } else stream.skipToEnd();
      return 'comment';
    }
    if (stream.eatSpace()) return null;
    if (stream.match('//')) {
      stream.skipToEnd();
      return 'comment';
    }
    if (stream.match('/*')) {
      state.comment = true;
      return 'comment';
    }
    state.word++;
    if (stream.match(/^"(?:[^"]|"")*"?/)) return 'string';
    const [text] = /** @type {string[]} */ (stream.match(/^[^\0- \u00a0\ufeff]+/) ?? [stream.next()]);
    if (state.word === 1) {
      state.first = text;
      return DEFINING.test(text) || SELECTING.test(text) || /^refpose$/i.test(text) ? 'keyword' : 'propertyName';
    }
    if (/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(text)) return 'number';
    if ((DEFINING.test(state.first) || SELECTING.test(state.first)) && state.word === 2) return 'definition';
    return /^(shape|type)$/i.test(state.first) ? 'atom' : 'name';
  },
  tokenTable: {definition: tags.definition(tags.variableName), name: tags.variableName, atom: tags.atom},
  languageData: {commentTokens: {line: '//', block: {open: '/*', close: '*/'}}},
});

export const style = HighlightStyle.define([
  {tag: tags.comment, color: 'var(--faint)', fontStyle: 'italic'},
  {tag: tags.keyword, color: 'var(--accent)', fontWeight: '600'},
  {tag: tags.propertyName, color: 'var(--focus)'},
  {tag: tags.definition(tags.variableName), fontWeight: '600'},
  {tag: tags.number, color: 'var(--good)'},
  {tag: tags.atom, color: 'var(--warning)'},
  {tag: tags.string, color: 'var(--good)'},
]);

// Line breaks, comments, which may have several lines, strings, and other words, as in src/doll/lexer.rs.
const PIECE = /\n|\/\/[^\n]*|\/\*.*?(?:\*\/|$)|"(?:[^"\n]|"")*"?|[^\0- \u00a0\ufeff]+/gs;

// Returns the lines of a text as the library reads them: a comment joins the lines in which it is. A line has the
// numbers of its first and its last line in the text, from 0, and its words with their places in the text.
export function lines(text) {
  let line = {first: 0, last: 0, words: []};
  const found = [line];
  for (const {0: piece, index} of text.matchAll(PIECE)) {
    if (piece === '\n') {
      line = {first: line.last + 1, last: line.last + 1, words: []};
      found.push(line);
    } else if (piece.startsWith('//') || piece.startsWith('/*')) line.last += piece.split('\n').length - 1;
    else {
      const plain = piece.startsWith('"') ? piece.replace(/^"|"$/g, '').replaceAll('""', '"') : piece;
      line.words.push({text: plain, from: index, to: index + piece.length});
    }
  }
  return found;
}

// Returns the words of the library's line to which a line of a text belongs, from 1.
export const wordsAt = (text, number) => lines(text).find(({last}) => last + 1 >= number).words;

// Returns the body or joint that a line of a text belongs to, with its lines, from 1; null if there is none.
export function blockAt(text, number) {
  let block = null;
  for (const {
    first,
    last,
    words: [word, name],
  } of lines(text)) {
    if (!word) continue;
    if (DEFINING.test(word.text) || SELECTING.test(word.text)) {
      if (first >= number) break;
      block = {kind: /body/i.test(word.text) ? 'body' : 'joint', name: name?.text ?? '', from: first + 1, to: last + 1};
    } else if (block) block.to = last + 1;
  }
  return block && number <= block.to ? block : null;
}

// Returns the names of the bodies or joints that are defined above a line.
export function namesAbove(text, kind, below) {
  const above = lines(text).filter(
    ({last, words: [word, name]}) => last + 1 < below && name && word.text.toLowerCase() === kind,
  );
  return above.map(({words: [, name]}) => name.text);
}
