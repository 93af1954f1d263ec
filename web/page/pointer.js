// The mouse and fingers on the scene: dragging, pushing, shooting, shaping, and choosing a body.

/** @import {ToWorker} from '../protocol.d.ts' */
/** @import {Scene} from './scene.js' */

// Movement in pixels up to which a press is a click.
const STILL = 4;
// Speed that a shot gives to the whole figure, units per second, and acceleration by a push.
const SHOT = 100;
const PUSH = 4000;
// Steps of the simulation in a second, and the most that a frame makes up for.
const RATE = 60;
const MAX_STEPS = 4;

export class Pointer {
  // `tell` has: send(message), pressed(), chosen(body), over(body), shaping(change), shaped(change).
  constructor(
    /** @type {Scene} */ scene,
    /** @type {{send: (message: ToWorker) => void, [name: string]: any}} */ tell,
  ) {
    this.scene = scene;
    this.tell = tell;
    this.tool = 'drag';
    // Factor of lengths: giants are pushed harder.
    this.unit = 1;
    this.held = null;
    const {place, canvas} = scene;
    // The camera's controls listen on the canvas, so this hears first.
    place.addEventListener('pointerdown', event => event.target === canvas && this.down(event), {capture: true});
    addEventListener('pointermove', event => this.move(event));
    addEventListener('pointerup', event => this.up(event));
    addEventListener('pointercancel', event => this.up(event));
    canvas.addEventListener('pointerleave', () => this.tell.over(null));
  }

  ray(event) {
    const {origin, direction} = this.scene.ray(event).ray;
    return {origin: origin.toArray(), direction: direction.toArray()};
  }

  down(event) {
    this.start = {x: event.clientX, y: event.clientY};
    const {handles} = this.scene;
    const handle =
      this.tool === 'shape' && event.button === 0 && !this.held ? handles.pick(this.scene.ray(event)) : null;
    if (handle) {
      this.scene.controls.enabled = false;
      this.held = {id: event.pointerId, handle};
      handles.start(handle, this.scene.ray(event));
      this.change = null;
      this.tell.over(null);
      return this.tell.shaping(null);
    }
    const hit = event.button === 0 && !this.held ? this.scene.pick(event) : null;
    this.pressed = hit;
    if (!hit || this.tool === 'shape') return;
    this.scene.controls.enabled = false;
    this.tell.over(null);
    this.held = {id: event.pointerId, ray: this.ray(event)};
    this.tell.pressed();
    if (this.tool === 'drag') this.tell.send({type: 'drag', phase: 'start', ...this.held.ray});
    if (this.tool === 'shoot') this.tell.send({type: 'shoot', ...this.held.ray, speed: SHOT * this.unit});
  }

  move(event) {
    if (this.held?.id === event.pointerId && this.held.handle) {
      // Another doll may have come meanwhile.
      if (this.scene.handles.held !== this.held.handle) return;
      this.change = this.scene.handles.move(this.scene.ray(event));
      this.tell.shaping(this.change);
    } else if (this.held?.id === event.pointerId) {
      this.held.ray = this.ray(event);
      if (this.tool === 'drag') this.tell.send({type: 'drag', phase: 'move', ...this.held.ray});
    } else if (
      !this.held &&
      event.target === this.scene.canvas &&
      event.buttons === 0 &&
      event.pointerType === 'mouse'
    ) {
      this.tell.over(this.scene.pick(event));
    }
  }

  up(event) {
    const still = this.start && Math.hypot(event.clientX - this.start.x, event.clientY - this.start.y) < STILL;
    if (this.held?.id === event.pointerId && this.held.handle) {
      const isKept = event.type === 'pointerup' && this.scene.handles.held === this.held.handle;
      this.held = null;
      this.scene.controls.enabled = true;
      this.tell.shaped(isKept ? this.change : null);
    } else if (this.held?.id === event.pointerId) {
      if (this.tool === 'drag') this.tell.send({type: 'drag', phase: 'end', ...this.ray(event)});
      this.held = null;
      this.scene.controls.enabled = true;
      if (still && this.pressed) this.tell.chosen(this.pressed.body);
    } else if (this.tool === 'shape' && still && this.pressed) this.tell.chosen(this.pressed.body);
    this.start = null;
  }

  // Called for each frame of the simulation: pushes last while the button is down and time goes on.
  tick(time) {
    const steps = Math.round((time - (this.time ?? time)) * RATE);
    this.time = time;
    if (steps > 0 && this.held && this.tool === 'push')
      this.tell.send({type: 'push', ...this.held.ray, acceleration: PUSH * this.unit * Math.min(steps, MAX_STEPS)});
  }
}
