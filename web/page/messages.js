// Messages over the scene.
import {element} from './markdown.js';

// How long errors and notes show, milliseconds, and how many messages show at most; those that are kept always do.
const ERROR = 20000;
const NOTE = 7000;
const MOST = 3;

export class Messages {
  constructor(place) {
    this.place = place;
    this.kept = new Map();
  }

  // Shows an error that lasts until `done` ends it, or the user; `what` tells it from others. `choices`: what else the
  // user can do, by the names of the buttons.
  keep(what, text, choices = {}) {
    if (this.kept.get(what)?.text === text) return;
    this.done(what);
    const message = this.say(text, 'error', Infinity);
    for (const [name, act] of Object.entries(choices)) {
      const button = element('button', {className: 'choice', textContent: name});
      button.addEventListener('click', () => {
        this.done(what);
        act();
      });
      message.lastChild.before(button);
    }
    this.kept.set(what, {text, message});
  }

  done(what) {
    this.kept.get(what)?.message.remove();
    this.kept.delete(what);
  }

  say(text, kind, milliseconds) {
    const kept = new Map([...this.kept.values()].map(one => [one.message, one.text]));
    const same = [...this.place.children].find(old => kept.get(old) === text);
    if (same) return same;
    const close = element('button', {textContent: '×', ariaLabel: 'Close'});
    const message = element('div', {className: kind}, element('p', {textContent: text}), close);
    close.addEventListener('click', () => message.remove());
    // The same text once.
    for (const old of this.place.children) if (old.textContent === message.textContent) old.remove();
    this.place.append(message);
    const passing = [...this.place.children].filter(old => old !== message && !kept.has(old));
    while (this.place.children.length > MOST && passing.length > 0) passing.shift().remove();
    this.place.scrollTop = message.offsetTop; // the newest from its beginning
    if (milliseconds !== Infinity) setTimeout(() => message.remove(), milliseconds);
    return message;
  }

  error(text) {
    this.say(text, 'error', ERROR);
  }

  note(text) {
    this.say(text, 'note', NOTE);
  }
}
