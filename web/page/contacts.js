// Contact points of the ragdolls, and the forces that push them there.
import * as THREE from 'three';
import {FORCE} from './colors.js';
import {CONTACT} from './frame.js';
import {ORDER} from './order.js';

// Length of the arrow of a ragdoll's weight, and of the longest, in sizes of a figure.
const WEIGHT = 0.36;
const LONGEST = 0.7;
// Radius of a shaft, in sizes of a figure. In radii of a shaft: the radius of the ball at its foot, the length of its
// head. In lengths of a head: the radius of the head.
const THICK = 1 / 220;
const BALL = 1.7;
const HEAD = 6;
const HEAD_RADIUS = 1 / 2.4;
// Contact points that there is room for at first.
const ROOM = 64;
const UP = new THREE.Vector3(0, 0, 1);

// Returns the length of an arrow. Impacts have a hundred times the force of a limb at rest: the root shows both.
const reach = (force, size) => size * Math.min(LONGEST, WEIGHT * Math.sqrt(force));

export class Contacts {
  constructor() {
    this.group = new THREE.Group();
    this.group.visible = false;
    this.material = new THREE.MeshBasicMaterial({color: FORCE, depthTest: false, transparent: true, opacity: 0.95});
    this.shapes = [
      new THREE.SphereGeometry(1, 12, 8),
      new THREE.CylinderGeometry(1, 1, 1, 10).rotateX(Math.PI / 2).translate(0, 0, 0.5),
      new THREE.ConeGeometry(1, 1, 12).rotateX(Math.PI / 2).translate(0, 0, -0.5),
    ];
    this.room = 0;
    this.make(ROOM);
  }

  make(room) {
    this.clear();
    this.room = room;
    this.meshes = this.shapes.map(shape => new THREE.InstancedMesh(shape, this.material, room));
    for (const mesh of this.meshes) {
      mesh.frustumCulled = false;
      mesh.renderOrder = ORDER.contacts;
      this.group.add(mesh);
    }
  }

  clear() {
    this.meshes?.forEach(mesh => {
      mesh.dispose();
      mesh.removeFromParent();
    });
  }

  pose(contacts, size) {
    if (!this.group.visible) return;
    const number = contacts.length / CONTACT;
    if (number > this.room) this.make(2 * number);
    const [point, normal, end, scale] = Array.from({length: 4}, () => new THREE.Vector3());
    const turn = new THREE.Quaternion();
    const place = new THREE.Matrix4();
    const [balls, shafts, heads] = this.meshes;
    const thick = size * THICK;
    for (let index = 0; index < number; index++) {
      const contact = contacts.subarray(index * CONTACT, (index + 1) * CONTACT);
      const force = contact[CONTACT - 1];
      const long = reach(force, size);
      const head = Math.min(long, thick * HEAD);
      turn.setFromUnitVectors(UP, normal.fromArray(contact, 3));
      end.copy(point.fromArray(contact)).addScaledVector(normal, long);
      const ball = thick * BALL;
      balls.setMatrixAt(index, place.makeScale(ball, ball, ball).setPosition(point));
      shafts.setMatrixAt(index, place.compose(point, turn, scale.set(thick, thick, long - head)));
      heads.setMatrixAt(index, place.compose(end, turn, scale.set(head * HEAD_RADIUS, head * HEAD_RADIUS, head)));
    }
    for (const mesh of this.meshes) {
      mesh.count = number;
      mesh.instanceMatrix.needsUpdate = true;
    }
  }
}
