// Changes of a doll's text that come from the scene.
import {lines} from './doll-language.js';

// Returns the text with other numbers of an attribute of a body, where the last of its lines states it, or else below
// its name. `names` has the attribute's words, the one that is written first. Further numbers of the line stay.
export function withNumbers(text, body, names, numbers) {
  let [isInside, head, place] = [false, null, null];
  for (const {
    last,
    words: [first, name, ...rest],
  } of lines(text)) {
    if (!first) continue;
    const word = first.text.toLowerCase();
    if (/^(update)?(body|joint)$/.test(word)) {
      isInside = word.endsWith('body') && name?.text === body;
      if (isInside) head ??= last;
    } else if (isInside && names.includes(word) && name)
      place = {from: name.from, to: [name, ...rest].slice(0, 3).at(-1).to};
  }
  if (head === null) return text;
  const values = numbers.join(' ');
  if (place) return text.slice(0, place.from) + values + text.slice(place.to);
  return text
    .split('\n')
    .toSpliced(head + 1, 0, `\t${names[0]} ${values}`)
    .join('\n');
}
