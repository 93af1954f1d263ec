// The editor of the doll's text.
import {autocompletion, completionKeymap} from '@codemirror/autocomplete';
import {defaultKeymap, history, historyKeymap, indentWithTab, isolateHistory, redo, undo} from '@codemirror/commands';
import {indentUnit, syntaxHighlighting} from '@codemirror/language';
import {forEachDiagnostic, lintGutter, lintKeymap, nextDiagnostic, setDiagnostics} from '@codemirror/lint';
import {highlightSelectionMatches, searchKeymap} from '@codemirror/search';
import {EditorState, StateEffect, StateField} from '@codemirror/state';
import {
  Decoration,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  hoverTooltip,
  keymap,
  lineNumbers,
} from '@codemirror/view';
/** @import {StateEffectType, Text} from '@codemirror/state' */
import {adviceOf} from './advice.js';
import {blockAt, language, lines, namesAbove, style, wordsAt} from './doll-language.js';
import {element, render} from './markdown.js';

/** @type {StateEffectType<{document: Text, block: {from: number, to: number} | null}>} */
const light = StateEffect.define();
const lit = StateField.define({
  create: () => Decoration.none,
  update(marks, transaction) {
    const effect = transaction.effects.find(one => one.is(light));
    if (!effect) return marks.map(transaction.changes);
    const {document, block} = effect.value;
    if (!block) return Decoration.none;
    const line = Decoration.line({class: 'cm-lit'});
    const ranges = [];
    for (let number = block.from; number <= block.to; number++) ranges.push(line.range(document.line(number).from));
    return Decoration.set(ranges);
  },
  provide: field => EditorView.decorations.from(field),
});

// Turns a number of UTF-8 bytes into a number of UTF-16 units. The library does not count byte order marks at the
// beginning, which pasted text may have.
function unitsOf(text) {
  const rest = text.replace(/^\uFEFF+/, '');
  const marks = text.length - rest.length;
  const bytes = new TextEncoder().encode(rest);
  if (bytes.length === rest.length) return at => marks + Math.min(Math.max(at, 0), rest.length);
  const decoder = new TextDecoder();
  return at => marks + decoder.decode(bytes.subarray(0, Math.max(at, 0))).length;
}

// Pixels of the text above the cursor that are shown: a comment of a line or two.
const ABOVE = 48;

// Words of the panel in which text is found, as the page's buttons have them.
const PHRASES = {
  next: 'Next',
  previous: 'Previous',
  all: 'Select all',
  'match case': 'Match case',
  regexp: 'Regular expression',
  'by word': 'Whole words',
  replace: 'Replace',
  'replace all': 'Replace all',
};

export class Editor {
  // `tell` has: changed(text), cursor(block), format(), save().
  constructor(place, tell) {
    this.tell = tell;
    this.words = [];
    this.bones = [];
    this.quiet = false;
    const keys = [
      {key: 'Mod-Shift-f', run: () => (tell.format(), true), preventDefault: true},
      {key: 'Mod-s', run: () => (tell.save(), true), preventDefault: true},
      {key: 'F8', run: nextDiagnostic},
    ];
    this.extensions = [
      lineNumbers(),
      EditorView.lineWrapping,
      highlightActiveLine(),
      highlightActiveLineGutter(),
      history(),
      lit,
      lintGutter(),
      highlightSelectionMatches(),
      language,
      syntaxHighlighting(style),
      indentUnit.of('\t'),
      EditorState.tabSize.of(4),
      EditorState.phrases.of(PHRASES),
      autocompletion({override: [context => this.complete(context)], icons: false}),
      hoverTooltip((view, at) => this.hover(view, at)),
      keymap.of([
        ...keys,
        ...completionKeymap,
        ...lintKeymap,
        ...searchKeymap,
        ...historyKeymap,
        ...defaultKeymap,
        indentWithTab,
      ]),
      EditorView.contentAttributes.of({
        'aria-label': 'Text of the doll',
        tabindex: '0',
        spellcheck: 'false',
        autocapitalize: 'off',
      }),
      // The page loads files that are dropped here, too.
      EditorView.domEventHandlers({drop: event => event.dataTransfer?.types.includes('Files') ?? false}),
      EditorView.updateListener.of(update => this.updated(update)),
    ];
    this.view = new EditorView({parent: place, state: EditorState.create({extensions: this.extensions})});
  }

  get text() {
    return this.view.state.doc.toString();
  }

  // Shows a text with a history of its own, from its first body on: a tutorial or defaults may be before it.
  open(text) {
    const first = lines(text).find(({words: [word]}) => /^body$/i.test(word?.text));
    const anchor = first?.words[0].from ?? 0;
    this.quiet = true;
    this.view.setState(EditorState.create({doc: text, selection: {anchor}, extensions: this.extensions}));
    this.quiet = false;
    this.block = null;
    this.reveal();
  }

  // Scrolls to the cursor.
  reveal() {
    const {head} = this.view.state.selection.main;
    this.view.dispatch({effects: EditorView.scrollIntoView(head, {y: 'start', yMargin: ABOVE})});
  }

  // Replaces the text in one step that can be undone; the cursor stays on its line.
  replace(text) {
    const {doc, selection} = this.view.state;
    const line = doc.lineAt(selection.main.head).number;
    const old = this.text;
    if (old === text) return;
    let from = 0;
    while (from < Math.min(old.length, text.length) && old[from] === text[from]) from++;
    let same = 0;
    while (
      same < Math.min(old.length, text.length) - from &&
      old[old.length - 1 - same] === text[text.length - 1 - same]
    )
      same++;
    this.view.dispatch({
      changes: {from, to: old.length - same, insert: text.slice(from, text.length - same)},
      annotations: isolateHistory.of('full'),
    });
    const now = this.view.state.doc;
    this.view.dispatch({selection: {anchor: now.line(Math.min(line, now.lines)).from}});
  }

  undo() {
    undo(this.view);
  }

  redo() {
    redo(this.view);
  }

  updated(update) {
    if (update.docChanged && !this.quiet) this.tell.changed(this.text);
    if (!this.quiet && (update.selectionSet || update.docChanged)) {
      const {doc, selection} = update.state;
      const block = blockAt(doc.toString(), doc.lineAt(selection.main.head).number);
      const key = JSON.stringify(block);
      if (key === this.block) return;
      this.block = key;
      // A view must not be changed while it updates.
      queueMicrotask(() => {
        this.view.dispatch({effects: light.of({document: this.view.state.doc, block})});
        this.tell.cursor(block);
      });
    }
  }

  show(problems) {
    const units = unitsOf(this.text);
    const length = this.view.state.doc.length;
    const marks = problems.map(problem => {
      const {start, end, severity, message, code, suggestion} = problem;
      const from = Math.min(units(start), length);
      const apply = (view, first, last) =>
        view.dispatch({changes: {from: first, to: last, insert: suggestion}, userEvent: 'input.complete'});
      const actions = suggestion === null ? [] : [{name: adviceOf(problem), apply}];
      return {
        from,
        to: Math.max(from, Math.min(units(end), length)),
        severity,
        message,
        source: code,
        actions,
        problem,
      };
    });
    this.view.dispatch(
      setDiagnostics(
        this.view.state,
        marks.sort((one, other) => one.from - other.from),
      ),
    );
  }

  // Writes the suggestion of a problem that is shown.
  repair(problem) {
    const found = [];
    forEachDiagnostic(
      this.view.state,
      (/** @type {any} */ mark, from, to) => mark.problem === problem && found.push([mark, from, to]),
    );
    for (const [
      {
        actions: [action],
      },
      from,
      to,
    ] of found.slice(0, 1))
      action.apply(this.view, from, to);
  }

  // Moves the cursor to a line and shows it.
  go(line, focus = false) {
    const {doc} = this.view.state;
    const at = doc.line(Math.min(Math.max(line, 1), doc.lines)).from;
    this.view.dispatch({selection: {anchor: at}, effects: EditorView.scrollIntoView(at, {y: 'center'})});
    if (focus) this.view.focus();
  }

  complete(context) {
    const {doc} = context.state;
    const line = doc.lineAt(context.pos);
    const text = doc.toString();
    const before = wordsAt(text, line.number).filter(({from}) => from < context.pos);
    const last = before.at(-1);
    const open = last && last.to >= context.pos ? last : null;
    if (!open && !context.explicit) return null;
    const from = open ? open.from : context.pos;
    const done = open ? before.slice(0, -1) : before;
    const options = this.options(
      done.map(word => word.text),
      text,
      line.number,
    );
    return options.length ? {from, options, validFor: /^"?[^\s"]*$/} : null;
  }

  options(done, text, number) {
    const name = (label, detail) => ({
      label: /[\s/"]/.test(label) ? `"${label.replaceAll('"', '""')}"` : label,
      detail,
    });
    if (done.length === 0) {
      const block = blockAt(text, number) ?? blockAt(text, Math.max(1, number - 1));
      const fits = ({under}) => under === 'line' || !block || under === block.kind;
      return this.words.map(word => ({
        label: word.word,
        detail: word.arguments,
        boost: fits(word) ? 1 : -1,
        info: () => this.page(word),
      }));
    }
    const first = done[0].toLowerCase();
    const word = this.word(first, text, number);
    if (first === 'body' && done.length === 2) return this.bones.map(bone => name(bone, 'bone'));
    if ((first === 'orient' || first === 'pivot') && done.length === 1)
      return this.bones.map(bone => name(bone, 'bone'));
    if (first === 'joint' && done.length > 1 && done.length < 4)
      return namesAbove(text, 'body', number).map(body => name(body, 'body'));
    if (first === 'updatebody' && done.length === 1)
      return ['default', ...namesAbove(text, 'body', number)].map(body => name(body, 'body'));
    if (first === 'updatejoint' && done.length === 1)
      return ['default', ...namesAbove(text, 'joint', number)].map(joint => name(joint, 'joint'));
    const choices = word?.arguments.split(' ')[done.length - 1] ?? '';
    return choices.includes('|')
      ? choices
          .split('|')
          .filter(one => /^[a-z0-9]+$/.test(one))
          .map(label => name(label))
      : [];
  }

  page({word, arguments: rest, docs, pictures}) {
    return render(`### ${word} ${rest}\n${docs}`, pictures);
  }

  word(name, text, number) {
    const named = this.words.filter(({word}) => word.toLowerCase() === name.toLowerCase());
    const block = blockAt(text, number);
    return named.find(({under}) => under === block?.kind) ?? named[0];
  }

  hover(view, at) {
    const {doc} = view.state;
    const [text, {number}] = [doc.toString(), doc.lineAt(at)];
    const [first] = wordsAt(text, number);
    if (!first || at < first.from || at > first.to) return null;
    const word = this.word(first.text, text, number);
    if (!word) return null;
    return {
      pos: first.from,
      end: first.to,
      create: () => ({dom: element('div', {}, this.page(word))}),
    };
  }
}
