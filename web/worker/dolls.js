// Dolls as text: problems, tidy text, fitted dolls.
import {SkelobjError} from '../skelobj.js';
/** @import {Skelobj} from '../skelobj.js' */

const problem = ({is_error, line, column, start, end, code, text, suggestion}) => ({
  severity: is_error ? 'error' : 'warning',
  code,
  line,
  column,
  start,
  end,
  suggestion: suggestion || null,
  message: text.replace(/^\d+:\d+: (error|warning): /, ''),
});

/** Returns what a careful reader says about a text. */
export const lint = (/** @type {Skelobj} */ skelobj, text, model) => skelobj.dollLint(text, model).map(problem);

/** Returns what `skelobj check` says about a text. */
export function check(/** @type {Skelobj} */ skelobj, text, model, drops) {
  const doll = skelobj.dollCheck(text, model, {drops});
  try {
    return skelobj.dollProblems(doll).map(problem);
  } finally {
    skelobj.dollFree(doll);
  }
}

/** Returns the doll of a text: `{id, bodies, joints}`; its faulty lines are left out. */
export function parse(/** @type {Skelobj} */ skelobj, text, model) {
  const id = skelobj.dollParse(text, model);
  return {id, bodies: skelobj.dollBodies(id, model), joints: skelobj.dollJoints(id, model)};
}

export const hasErrors = problems => problems.some(({severity}) => severity === 'error');

/** Returns the text of a doll for a model, or null if it has nothing that could fall. */
export function fit(/** @type {Skelobj} */ skelobj, model, name) {
  try {
    return skelobj.dollFit(model, {name, without_skin: 1});
  } catch (error) {
    if (error instanceof SkelobjError && !skelobj.isDead) return null;
    throw error;
  }
}
