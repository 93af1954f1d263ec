// The language of dolls as the editor sees it: words of a line, and which body or joint a line belongs to.
import { HighlightStyle, StreamLanguage } from '@codemirror/language';
import { tags } from '@lezer/highlight';

const DEFINING = /^(body|joint)$/i;
const SELECTING = /^(updatebody|updatejoint)$/i;

export const language = StreamLanguage.define({
    name: 'doll',
    startState: () => ({ comment: false, word: 0, first: '' }),
    token(stream, state) {
        if (stream.sol()) Object.assign(state, { word: 0, first: '' });
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
        const [text] = stream.match(/^(?:[^\s/]|\/(?![/*]))+/) ?? [stream.next()];
        if (state.word === 1) {
            state.first = text;
            return DEFINING.test(text) || SELECTING.test(text) || /^refpose$/i.test(text) ? 'keyword' : 'propertyName';
        }
        if (/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(text)) return 'number';
        if ((DEFINING.test(state.first) || SELECTING.test(state.first)) && state.word === 2) return 'definition';
        return /^(shape|type)$/i.test(state.first) ? 'atom' : 'name';
    },
    tokenTable: { definition: tags.definition(tags.variableName), name: tags.variableName, atom: tags.atom },
    languageData: { commentTokens: { line: '//', block: { open: '/*', close: '*/' } } },
});

export const style = HighlightStyle.define([
    { tag: tags.comment, color: 'var(--faint)', fontStyle: 'italic' },
    { tag: tags.keyword, color: 'var(--accent)', fontWeight: '600' },
    { tag: tags.propertyName, color: 'var(--focus)' },
    { tag: tags.definition(tags.variableName), fontWeight: '600' },
    { tag: tags.number, color: 'var(--good)' },
    { tag: tags.atom, color: 'var(--warning)' },
    { tag: tags.string, color: 'var(--good)' },
]);

// Comments, which may have several lines, and strings.
const COMMENT_OR_STRING = String.raw`\/\/.*|\/\*[^]*?(?:\*\/|$)|"(?:[^"\n]|"")*"?`;

// Splits a line into its words with their places; comments are left out.
export function words(line) {
    const found = [];
    const pattern = new RegExp(String.raw`${COMMENT_OR_STRING}|(?:[^\s/"]|\/(?![/*]))+`, 'g');
    for (const match of line.matchAll(pattern)) {
        const [text] = match;
        if (text.startsWith('//') || text.startsWith('/*')) continue;
        const plain = text.startsWith('"') ? text.replace(/^"|"$/g, '').replaceAll('""', '"') : text;
        found.push({ text: plain, from: match.index, to: match.index + text.length });
    }
    return found;
}

// Returns the lines of a text with spaces for comments, which may have several lines, and for each line the last one of
// the comment in which it ends, or itself.
export function uncommented(text) {
    const ends = text.split('\n').map((_, number) => number);
    let [line, seen] = [0, 0];
    const lines = text.replace(new RegExp(COMMENT_OR_STRING, 'g'), (part, from) => {
        if (part.startsWith('"')) return part;
        line += text.slice(seen, from).split('\n').length - 1;
        seen = from;
        const last = line + part.split('\n').length - 1;
        if (last > line) ends.fill(last, line, last);
        return part.replace(/./g, ' ');
    });
    return { lines: lines.split('\n'), ends };
}

// Returns the body or joint that a line of a document belongs to, with its lines; null if there is none.
export function blockAt(document, number) {
    const { lines } = uncommented(document.toString());
    const wordsOf = (line) => words(lines[line - 1]);
    const head = (line) => {
        const [first, name] = wordsOf(line);
        if (!first || !(DEFINING.test(first.text) || SELECTING.test(first.text))) return null;
        return { kind: /body/i.test(first.text) ? 'body' : 'joint', name: name?.text ?? '' };
    };
    let from = number;
    while (from > 0 && !head(from)) from--;
    if (from === 0) return null;
    let to = from;
    for (let line = from + 1; line <= document.lines && !head(line); line++) {
        if (wordsOf(line).length) to = line;
    }
    if (number > to) return null;
    return { ...head(from), from, to };
}

// Returns the names of the bodies or joints that are defined above a line.
export function namesAbove(document, kind, below) {
    const names = [];
    for (const line of uncommented(document.toString()).lines.slice(0, below - 1)) {
        const [first, name] = words(line);
        if (first && name && first.text.toLowerCase() === kind) names.push(name.text);
    }
    return names;
}
