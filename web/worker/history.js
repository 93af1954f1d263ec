// The past of a fall: snapshots, and what was done between them.

/** Steps between snapshots, and their greatest number, for one figure and for a crowd. */
const ALONE = {every: 6, most: 300};
const CROWD = {every: 30, most: 20};

/** @import {Fall} from './fall.js' */

export class History {
  constructor(/** @type {Fall} */ fall) {
    this.fall = fall;
    const {every, most} = fall.objects.length > 1 ? CROWD : ALONE;
    this.every = every;
    this.most = most;
    this.snapshots = [];
    /** What was done, and at which step: before the step after it. */
    this.log = [];
    /** Number of entries of the log that are done. */
    this.done = 0;
    this.latest = 0;
    this.keep();
  }

  get earliest() {
    return this.snapshots[0].step;
  }

  /** Keeps a snapshot if it is time, and forgets the oldest. */
  keep() {
    const {skelobj, world, state, moment} = this.fall;
    const {step} = state;
    this.latest = Math.max(this.latest, step);
    if (step % this.every !== 0 || this.snapshots.at(-1)?.step >= step) return;
    this.snapshots.push({step, id: skelobj.snapshotTake(world), moment});
    if (this.snapshots.length <= this.most) return;
    skelobj.snapshotFree(this.snapshots.shift().id);
    const old = this.log.findIndex(entry => entry.step >= this.earliest);
    const count = old < 0 ? this.log.length : old;
    this.log.splice(0, count);
    this.done = Math.max(0, this.done - count);
  }

  /** Adds something that is being done: another future begins. */
  add(action) {
    const {step} = this.fall.state;
    this.log.length = this.done;
    this.log.push({step, action});
    this.done++;
    this.latest = step;
    while (this.snapshots.length > 1 && this.snapshots.at(-1).step > step) {
      this.fall.skelobj.snapshotFree(this.snapshots.pop().id);
    }
  }

  /** Does what was done at this step. */
  replay() {
    const {log, fall} = this;
    while (log[this.done]?.step === fall.state.step) {
      try {
        fall.perform(log[this.done].action);
      } catch (error) {
        // What failed the first time fails again, and changes as little.
        if (fall.skelobj.isDead) throw error;
      }
      this.done++;
    }
  }

  /** Restores the last snapshot that is not after a step. */
  restore(step) {
    const {fall, log} = this;
    const found = this.snapshots.findLast(snapshot => snapshot.step <= step) ?? this.snapshots[0];
    fall.skelobj.snapshotRestore(fall.world, found.id);
    fall.moment = found.moment;
    const next = log.findIndex(entry => entry.step >= found.step);
    this.done = next < 0 ? log.length : next;
  }

  free() {
    this.snapshots.forEach(({id}) => this.fall.skelobj.snapshotFree(id));
  }
}
