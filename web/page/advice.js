// Suggestions of problems, as buttons show them.

const WIDEST = 40;

// Returns what a click on the suggestion of a problem does, in one line.
export function adviceOf({suggestion}) {
  const line = suggestion.replaceAll(/\s+/g, ' ');
  return `Write ${line.length > WIDEST ? `${line.slice(0, WIDEST - 1)}…` : line}`;
}
