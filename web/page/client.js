// The worker, and the requests to it that are answered.

/** @import {FromWorker, Question, Told, ToWorker} from '../protocol.d.ts' */

export class Client {
  constructor(/** @type {Worker} */ worker, /** @type {(message: FromWorker) => void} */ hear) {
    this.worker = worker;
    this.waiting = new Map();
    this.last = 0;
    this.worker.onmessage = ({data}) => {
      if (data.type !== 'answer') return hear(data);
      const {done, fail} = this.waiting.get(data.id) ?? {};
      this.waiting.delete(data.id);
      if (data.error === undefined) done?.(data);
      else fail?.(new Error(data.error));
    };
    this.worker.onerror = event => {
      event.preventDefault();
      hear({type: 'error', text: `The simulation stopped: ${event.message || 'the worker did not start'}`});
    };
  }

  send(/** @type {ToWorker} */ message) {
    this.worker.postMessage(message);
  }

  /** @returns {Promise<Told<'answer'>>} */
  ask(/** @type {Question} */ message) {
    const id = ++this.last;
    return new Promise((done, fail) => {
      this.waiting.set(id, {done, fail});
      this.worker.postMessage({...message, id});
    });
  }
}
