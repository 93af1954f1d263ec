// The simulation, in a Worker: answers the messages of protocol.d.ts. The page's loader sets two globals: `library`, a
// promise of the compiled library, and `code`, the address of this program.
import {BUILTINS} from './worker/builtins.js';
import {Checker, examine} from './worker/checker.js';
import {Session} from './worker/session.js';

const session = new Session(
  (message, moved = []) => postMessage(message, moved),
  BUILTINS,
  new Checker(() => new Worker(code)),
);
let last = null;
let queue = Promise.resolve();

addEventListener('message', ({data}) => {
  // Another worker of this program starts this one for a check.
  if (data.source) return examine(data, postMessage);
  queue = queue
    .then(() => {
      if (data.type === 'init') return library.then(module => session.handle({...data, module}));
      if (data.type === 'play') last = null; // No time passes while the page asks for no frames.
      if (data.type !== 'next') return session.handle(data);
      const now = performance.now();
      const seconds = last === null ? undefined : (now - last) / 1000;
      last = now;
      return session.handle({...data, seconds});
    })
    .catch(({message}) => postMessage({type: 'error', text: message}));
});
