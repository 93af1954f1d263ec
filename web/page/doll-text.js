// Changes of a doll's text that come from the scene.
import { uncommented, words } from './doll-language.js';

// Returns the text with other numbers of an attribute of a body, where the last of its lines states it, or else below its name.
// `names` has the attribute's words, the one that is written first. Further numbers of the line stay.
export function withNumbers(text, body, names, numbers) {
    const lines = text.split('\n');
    let [isInside, head, place] = [false, null, null];
    const plain = uncommented(text);
    plain.lines.forEach((line, number) => {
        const [first, name, ...rest] = words(line);
        if (!first) return;
        const word = first.text.toLowerCase();
        if (/^(update)?(body|joint)$/.test(word)) {
            isInside = word.endsWith('body') && name?.text === body;
            if (isInside) head ??= number;
        } else if (isInside && names.includes(word) && name) place = { number, from: name.from, to: [name, ...rest].slice(0, 3).at(-1).to };
    });
    if (head === null) return text;
    const values = numbers.join(' ');
    if (place) {
        const line = lines[place.number];
        lines[place.number] = line.slice(0, place.from) + values + line.slice(place.to);
    } else {
        let last = head;
        while (plain.ends[last] !== last) last = plain.ends[last];
        lines.splice(last + 1, 0, `\t${names[0]} ${values}`);
    }
    return lines.join('\n');
}
