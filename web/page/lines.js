// Line ends: the editor and the worker have LF, so that places in the text agree; a file keeps its own.

// Returns a text with LF alone, and the line end that it had.
export function plain(text) {
  return {text: text.replaceAll(/\r\n?/g, '\n'), ending: text.includes('\r\n') ? '\r\n' : '\n'};
}

// Gives the doll of a scene a text with LF alone, and the line end that it had.
export const plainDoll = doll => doll && Object.assign(doll, plain(doll.text));

// Returns the text as it goes into a file.
export const ended = (text, ending = '\n') => (ending === '\n' ? text : text.replaceAll('\n', ending));
