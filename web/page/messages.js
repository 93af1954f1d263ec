// Messages over the scene.
import { element } from './markdown.js';

export class Messages {
    constructor(place) {
        this.place = place;
    }

    say(text, kind) {
        const close = element('button', { textContent: '×', ariaLabel: 'Close' });
        const message = element('div', { className: kind }, element('p', { textContent: text }), close);
        close.addEventListener('click', () => message.remove());
        // The same text once.
        for (const old of this.place.children) if (old.textContent === message.textContent) old.remove();
        this.place.append(message);
        while (this.place.children.length > 3) this.place.firstChild.remove();
        setTimeout(() => message.remove(), kind === 'error' ? 20000 : 7000);
    }

    error(text) {
        this.say(text, 'error');
    }

    note(text) {
        this.say(text, 'note');
    }
}
