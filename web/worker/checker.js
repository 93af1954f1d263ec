// Checks of dolls, in a worker of their own: they take seconds, in which the fall goes on.
import {Skelobj} from '../skelobj.js';
import * as dolls from './dolls.js';
import {Scene} from './scene.js';

/** Starts checks, one at a time. */
export class Checker {
  #spawn;
  #stop = null;

  /** `spawn` returns a worker that answers with `examine`. */
  constructor(spawn) {
    this.#spawn = spawn;
  }

  /**
   * Checks a text on the models of a source, and returns the problems; null if `stop` ends the check.
   * `expect` hears how many seconds the drops are likely to take.
   */
  run(request, expect) {
    this.stop();
    const worker = this.#spawn();
    return new Promise((done, fail) => {
      const stop = () => end(done, null);
      const end = (settle, value) => {
        // A message that is on its way when the worker ends must not end the next check.
        if (this.#stop === stop) this.#stop = null;
        worker.terminate();
        settle(value);
      };
      this.#stop = stop;
      worker.onmessage = ({data: {seconds, problems, error}}) => {
        if (seconds !== undefined) expect(seconds);
        else if (error === undefined) end(done, problems);
        else end(fail, new Error(error));
      };
      worker.onerror = event => {
        event.preventDefault?.();
        end(fail, new Error(`the check ended: ${event.message || 'its worker did not start'}`));
      };
      worker.postMessage(request);
    });
  }

  stop() {
    this.#stop?.();
  }
}

/** Answers a request of `Checker` through `tell`. */
export async function examine({module, source, text, drops}, tell) {
  try {
    const skelobj = await Skelobj.load(module);
    // The text is checked on the model alone.
    const {model} = new Scene(skelobj, {...source, doll: {name: '', text: ''}, level: null});
    const count = drops ?? skelobj.defaultCheckDef().drops;
    const before = dolls.check(skelobj, text, model, 0);
    if (!dolls.hasErrors(before)) tell({seconds: count * timeOfDrop(skelobj, text, model)});
    tell({problems: dolls.check(skelobj, text, model, count)});
  } catch (error) {
    tell({error: error.message});
  }
}

/** Returns how long one drop takes, seconds. */
function timeOfDrop(/** @type {Skelobj} */ skelobj, text, model) {
  const {id} = dolls.parse(skelobj, text, model);
  const started = performance.now();
  try {
    skelobj.dollDrop(id, model, {is_seeded: 1, seed: 0n});
  } finally {
    skelobj.dollFree(id);
  }
  return (performance.now() - started) / 1000;
}
