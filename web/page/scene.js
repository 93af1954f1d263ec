// The drawn scene: camera, light, and what is in it.
import * as THREE from 'three';
import {OrbitControls} from 'three/examples/jsm/controls/OrbitControls.js';
import {Bodies, Bones, Joints} from './bodies.js';
import {dark, theme} from './colors.js';
import {Contacts} from './contacts.js';
import {Figure} from './figure.js';
import {BODY, MATRIX} from './frame.js';
import {Ground} from './ground.js';
import {Handles} from './handles.js';
import {Limits} from './limits.js';
import {ORDER} from './order.js';
/** @import {Told} from '../protocol.d.ts' */

const SUN = new THREE.Vector3(0.85, -0.15, 1.05).normalize();
// From the side on which the sun lights the figure.
const VIEW = new THREE.Vector3(0.92, 0.62, 0.42).normalize();
// From beside a door, which stands in front of the figure.
const DOOR_VIEW = new THREE.Vector3(0.3, 0.95, 0.4).normalize();
// Angle of view from the lower edge to the upper one, degrees.
const FIELD = 32;
// Size of a figure before one is known, units.
const SIZE = 70;
// Least and greatest distance of the camera, and the least at which it sees anything. All are shares of the size of a
// figure but the greatest, which is one of the size of all that falls.
const NEAREST = 0.2;
const FARTHEST = 85;
const NEAR_PLANE = 0.03;
// Half of the height of the picture, as a share of the size of what falls: a figure, a crowd. It is higher where it is
// not wide; so much of its width counts.
const IN_VIEW = 0.74;
const CROWD_IN_VIEW = 0.42;
const NARROW = 1.15;
// What falls is a little larger than the places that are known of it, and stands a little above the floor.
const AROUND = 1.05;
const ABOVE_FLOOR = 1.1;
// Least size of what falls, units; what is added around the middles of one body or two, in their radii.
const LEAST = 0.01;
const REACH = 0.6;
// Height above the floor, in sizes, from which the floor need not be in view.
const FAR_FLOOR = 4;
// Height of the middle of the picture above the floor, as a share of the size.
const MIDDLE = 0.42;
// The camera follows the middle of a figure, drawn to the floor by a quarter, within shares of the size.
const DRAWN = 0.25;
const MAX_UNDER = 0.3;
const LEAST_OVER = 0.2;
// Share of its way that the camera goes in a frame, and how far behind it may be, as a share of the size.
const FOLLOW = 0.06;
const BEHIND = 0.35;
// Share of its way that the camera comes nearer in a frame, and the share of the size of a start up to which it does.
const APPROACH = 0.04;
const LEAST_REACH = 0.62;
// Radii of the balls of joints and of the grip of the mouse, and of the ring where a shot hits, at its start and as it
// grows: shares of a figure. Milliseconds that the ring shows.
const BALL = 1 / 110;
const GRIP = 1 / 60;
const RING = 1 / 22;
const RING_START = 0.3;
const RING_TIME = 350;
// Pixels of the mouse to which a press of an arrow key is equal.
const KEY_TURN = 30;
// Time before which a frame is of the beginning of a fall, seconds.
const BEGINNING = 0.1;
// How far the floor is drawn, as a share of the distance of the camera. How far shadows are, in sizes of all that
// falls, and at most in figures, as their map has too few texels for a whole crowd; distance of the sun, in those.
const FLOOR = 0.45;
const SHADOW = 1.7;
const MAX_SHADOW = 13;
const SUN_AWAY = 4;

export class Scene {
  constructor(place, {canvas, context}) {
    this.place = place;
    this.renderer = new THREE.WebGLRenderer({canvas, context});
    // Asking for errors would wait for each program.
    this.renderer.debug.checkShaderErrors = false;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.canvas = this.renderer.domElement;
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute('role', 'application');
    this.canvas.setAttribute('aria-label', 'Scene: drag a body to pull it, drag the background to turn the view');
    place.prepend(this.canvas);

    this.scene = new THREE.Scene();
    this.camera = new THREE.PerspectiveCamera(FIELD, 1);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, this.canvas);
    Object.assign(this.controls, {
      enableDamping: true,
      dampingFactor: 0.12,
      maxPolarAngle: 1.62,
      zoomToCursor: false,
      screenSpacePanning: true,
    });
    // The arrow keys without Shift are not the camera's, so it hears only what is sent here.
    this.keys = document.createElement('i');
    this.controls.keyRotateSpeed = KEY_TURN;
    this.controls.listenToKeyEvents(this.keys);
    this.controls.addEventListener('change', () => {
      this.dirty = true;
    });
    this.controls.addEventListener('start', () => {
      this.ours = false;
    });

    this.sky = new THREE.HemisphereLight(0xdfe9f5, 0xb9b2a8, 1.5);
    this.sky.position.set(0, 0, 1);
    this.sun = new THREE.DirectionalLight(0xfff0dc, 2.6);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(1024, 1024);
    this.sun.shadow.bias = -0.0003;
    this.sun.shadow.radius = 4;
    this.scene.add(this.sky, this.sun, this.sun.target);

    this.ground = new Ground();
    this.scene.add(this.ground.group);
    this.shows = {skin: true, bones: false, bodies: true, joints: true, limits: false, contacts: false};
    this.limits = {gap: 0.5, excess: 0.5};
    this.handles = new Handles();
    this.contacts = new Contacts();
    this.shapes = false;
    this.scene.add(this.handles.group, this.contacts.group);
    this.middle = new THREE.Vector3(0, 0, 30);
    // Sizes of all that falls, and of one figure.
    this.size = this.one = SIZE;
    this.range();
    this.marks();
    this.paint();
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.paint());
    new ResizeObserver(() => this.fit()).observe(place);
    this.fit();
    this.view = VIEW;
    this.look(VIEW);
    this.canvas.addEventListener('webglcontextlost', event => event.preventDefault());
    this.canvas.addEventListener('webglcontextrestored', () => {
      this.dirty = true;
    });
  }

  marks() {
    const over = {depthTest: false, transparent: true};
    this.pull = new THREE.Line(
      new THREE.BufferGeometry().setFromPoints([this.middle, this.middle]),
      new THREE.LineBasicMaterial({color: 0xec6c0c, ...over}),
    );
    this.grip = new THREE.Mesh(
      new THREE.SphereGeometry(1, 16, 12),
      new THREE.MeshBasicMaterial({color: 0xec6c0c, ...over}),
    );
    this.burst = new THREE.Mesh(
      new THREE.RingGeometry(0.75, 1, 40),
      new THREE.MeshBasicMaterial({color: 0xe01020, side: THREE.DoubleSide, ...over}),
    );
    for (const mark of [this.pull, this.grip, this.burst]) {
      mark.visible = mark.frustumCulled = false;
      mark.renderOrder = ORDER.marks;
      this.scene.add(mark);
    }
  }

  paint() {
    const {exposure} = theme();
    this.renderer.toneMapping = THREE.NoToneMapping;
    this.sky.intensity = dark() ? 1.15 : 1.5;
    this.sun.intensity = (dark() ? 2.3 : 2.5) * exposure;
    this.ground.paint();
    this.dirty = true;
  }

  fit() {
    const {clientWidth: width, clientHeight: height} = this.place;
    if (width === 0 || height === 0) return;
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    if (this.ours) this.look(this.heading());
    this.dirty = true;
  }

  // Returns the direction from which the camera looks, or the first one.
  heading() {
    return this.last && this.counted ? this.camera.position.clone().sub(this.controls.target).normalize() : this.view;
  }

  // Shows all of what a fall begins with.
  restart() {
    this.isNew = true;
  }

  // Lets the camera be as near and as far as the size of the figures and of the ground needs.
  range() {
    this.controls.minDistance = this.one * NEAREST;
    this.controls.maxDistance = Math.max(this.size * FARTHEST, this.ground.extent * 2);
    this.camera.near = this.one * NEAR_PLANE;
    this.camera.far = this.controls.maxDistance * 2;
    this.camera.updateProjectionMatrix();
  }

  // Puts the camera where the whole fall is seen.
  look(direction) {
    this.ours = true;
    const half = THREE.MathUtils.degToRad(this.camera.fov) / 2;
    const narrow = Math.min(1, this.camera.aspect * NARROW);
    const distance = (this.size * (this.seen > 1 ? CROWD_IN_VIEW : IN_VIEW)) / Math.tan(half) / narrow;
    this.reach = this.size;
    this.controls.target.copy(this.middle);
    this.camera.position.copy(this.middle).addScaledVector(direction, distance);
    this.controls.update();
    this.dirty = true;
  }

  // Turns the camera by an arrow key that is pressed with Shift.
  turn({code}) {
    this.keys.dispatchEvent(new KeyboardEvent('keydown', {code, shiftKey: true}));
  }

  model(/** @type {Told<'model'>} */ model) {
    this.figure?.dispose();
    this.bones?.dispose();
    this.figure = new Figure(model);
    this.bones = new Bones(model);
    this.scene.add(this.figure.group, this.bones.group);
    this.last = null; // A frame of another model says nothing about the size of this one.
    this.isNew = true;
    this.counted = 0;
    this.view = VIEW;
    this.ours = true;
    this.show({});
    return this.figure.loading.then(() => {
      this.dirty = true;
      return this.figure.unreadable;
    });
  }

  doll(/** @type {Told<'doll'>} */ doll) {
    this.bodies?.dispose();
    this.joints?.dispose();
    this.ranges?.dispose();
    this.bodies = new Bodies(doll);
    this.joints = new Joints(doll);
    this.ranges = new Limits(doll);
    this.scene.add(this.bodies.group, this.joints.group, this.ranges.group);
    this.show({});
  }

  level(/** @type {Told<'level'>} */ level) {
    this.ground.set(level);
    this.restart();
    this.view = level.kind === 'door' ? DOOR_VIEW : VIEW;
    if (this.ours) this.look(this.view);
    this.dirty = true;
  }

  show(shows) {
    Object.assign(this.shows, shows);
    const {skin, bones, bodies, joints, limits, contacts} = this.shows;
    const hasSkin = Boolean(this.figure?.group.children.length);
    if (this.figure) this.figure.group.visible = skin;
    // Without a skin, such as in a file of animations, there may be nothing else to see.
    if (this.bones) this.bones.group.visible = bones || !hasSkin;
    if (this.bodies) {
      this.bodies.group.visible = bodies;
      this.bodies.alone = !skin || !hasSkin;
    }
    if (this.joints) this.joints.group.visible = joints;
    if (this.ranges) this.ranges.shows = limits;
    this.contacts.group.visible = contacts;
    if (this.last) this.pose(this.last);
    this.dirty = true;
  }

  // Shows the handles of the lit body, or hides them.
  shape(is) {
    this.shapes = is;
    if (this.last) this.pose(this.last);
  }

  light(bodies, joints) {
    this.bodies?.light(bodies);
    if (this.joints) this.joints.lit = this.ranges.lit = joints;
    this.handles.choose(bodies[0], this.bodies?.doll.bodies[bodies[0]]);
    if (this.last) this.pose(this.last);
    this.dirty = true;
  }

  pose(/** @type {Told<'frame'>} */ frame) {
    if (frame.time < (this.last?.time ?? 0) && frame.time < BEGINNING && frame.latest < BEGINNING) this.restart();
    const isStill = frame.time === this.last?.time;
    this.last = frame;
    const {count, palettes, bodies} = frame;
    this.figure?.morph(frame.morphs);
    this.figure?.pose(palettes, count);
    this.bones?.pose(palettes, count);
    this.bodies?.pose(bodies, count);
    this.joints?.pose(frame.joints, this.limits, this.one * BALL);
    this.ground.pose(frame.doors);
    // What the mouse shapes must not move away from it.
    if (this.isNew || !this.shapes || !isStill) this.aim(frame);
    this.ranges?.pose(frame, this.limits, this.one);
    this.handles.pose(frame, this.shapes, this.one);
    this.contacts.pose(frame.contacts, this.one);
    this.mark(frame);
    this.dirty = true;
  }

  // Follows the ragdolls with the camera, at the distance that the user chose.
  aim(/** @type {Told<'frame'>} */ {bodies, palettes, count}) {
    const [box, first] = [new THREE.Box3(), new THREE.Box3()];
    const point = new THREE.Vector3();
    const each = this.bodies?.meshes.length ?? 0;
    const [from, stride] = each && bodies.length >= each * count * BODY ? [bodies, BODY] : [palettes, MATRIX];
    if (this.figure?.isRigid)
      this.figure.boxes(palettes, count).forEach((one, number) => (number ? box : first).union(one));
    else
      for (let at = 0; at + MATRIX <= from.length; at += stride)
        (at < from.length / count ? first : box).expandByPoint(point.set(from[at + 3], from[at + 7], from[at + 11]));
    box.union(first);
    // The middles of one body, or of two, say nothing about their size.
    const reach = stride === BODY ? this.bodies.reach : 0;
    if (box.getSize(point).length() < 2 * reach) for (const one of [box, first]) one.expandByScalar(reach * REACH);
    if (box.isEmpty() || !Number.isFinite(box.min.x + box.max.x)) return;
    const middle = box.getCenter(new THREE.Vector3());
    const size = Math.max(LEAST, box.getSize(point).length());
    const one = Math.max(LEAST, first.getSize(point).length());
    const isFirst = this.isNew || count !== this.seen;
    this.seen = count;
    if (isFirst) {
      this.isNew = false;
      // A figure far above the floor would be too small with the floor in view.
      const floor =
        this.ground.grid.visible && box.max.z - this.ground.grid.position.z < size * FAR_FLOOR
          ? this.ground.grid.position.z
          : box.min.z;
      const low = Math.min(floor, box.min.z);
      this.size = Math.max(size * AROUND, (box.max.z - low) * ABOVE_FLOOR);
      this.middle.copy(middle).setZ(count === 1 ? low + this.size * MIDDLE : middle.z);
      this.one = count === 1 ? this.size : one * AROUND;
      this.range();
      if (this.ours || count !== this.counted) this.look(this.heading());
      else {
        this.camera.position.add(this.middle).sub(this.controls.target);
        this.controls.target.copy(this.middle);
      }
      this.counted = count;
      return;
    }
    const floor = this.ground.grid.position.z;
    const height =
      this.ground.grid.visible && count === 1
        ? Math.max(
            middle.z * (1 - DRAWN) + floor * DRAWN,
            middle.z - this.size * MAX_UNDER,
            floor + this.size * LEAST_OVER,
          )
        : middle.z;
    const step = point.set(middle.x, middle.y, height).sub(this.middle);
    // What is faster than it is large must not leave the picture.
    step.multiplyScalar(Math.max(FOLLOW, 1 - (this.size * BEHIND) / step.length()));
    this.middle.add(step);
    this.controls.target.add(step);
    this.camera.position.add(step);
    if (!this.ours) return;
    // Comes nearer to what lies down, as long as the user has not moved the camera.
    const near = Math.max(size * AROUND, this.size * LEAST_REACH);
    const nearer = 1 + (near / this.reach - 1) * APPROACH;
    this.reach *= nearer;
    this.camera.position.sub(this.controls.target).multiplyScalar(nearer).add(this.controls.target);
  }

  // Shows what the mouse holds and where a shot hit.
  mark(/** @type {Told<'frame'>} */ {drag, hit}) {
    this.pull.visible = this.grip.visible = Boolean(drag);
    if (drag) {
      this.pull.geometry.attributes.position.array.set(drag);
      this.pull.geometry.attributes.position.needsUpdate = true;
      this.grip.position.fromArray(drag);
      this.grip.scale.setScalar(this.one * GRIP);
    }
    if (hit) {
      this.burst.position.fromArray(hit);
      this.burst.visible = true;
      this.since = performance.now();
    }
  }

  ray(event) {
    const {left, top, width, height} = this.canvas.getBoundingClientRect();
    const at = new THREE.Vector2(((event.clientX - left) / width) * 2 - 1, 1 - ((event.clientY - top) / height) * 2);
    const caster = new THREE.Raycaster();
    caster.setFromCamera(at, this.camera);
    return caster;
  }

  // Returns the body under the mouse.
  pick(event) {
    if (!this.bodies) return null;
    const [hit] = this.ray(event).intersectObjects(this.bodies.meshes, false);
    return hit ? {body: hit.object.userData.body, doll: hit.instanceId, point: hit.point} : null;
  }

  // Returns where a point of the scene is on the page.
  project(point) {
    const at = point.clone().project(this.camera);
    return [((at.x + 1) / 2) * this.place.clientWidth, ((1 - at.y) / 2) * this.place.clientHeight];
  }

  draw(now) {
    this.controls.update();
    if (this.burst.visible) {
      const age = (now - this.since) / RING_TIME;
      this.burst.visible = age < 1;
      this.burst.material.opacity = Math.max(0, 1 - age);
      this.burst.scale.setScalar(this.one * RING * (RING_START + Math.max(0, age)));
      this.burst.quaternion.copy(this.camera.quaternion);
      this.dirty = true;
    }
    if (!this.dirty || !this.last) return false;
    this.dirty = false;
    const reach = Math.max(this.size, this.camera.position.distanceTo(this.controls.target) * FLOOR);
    const middle = this.controls.target;
    const span = Math.min(this.size * SHADOW, this.one * MAX_SHADOW);
    this.ground.follow(middle, reach, this.middle, span);
    const eye = this.sun.shadow.camera;
    if (eye.right !== span) {
      Object.assign(eye, {left: -span, right: span, top: span, bottom: -span, near: 0, far: span * 2 * SUN_AWAY});
      eye.updateProjectionMatrix();
      // As far as the samples of a shadow's edge reach: a surface would shade itself with less.
      this.sun.shadow.normalBias = this.sun.shadow.radius * ((2 * span) / this.sun.shadow.mapSize.x);
    }
    this.sun.position.copy(this.middle).addScaledVector(SUN, span * SUN_AWAY);
    this.sun.target.position.copy(this.middle);
    this.renderer.render(this.scene, this.camera);
    return true;
  }
}
