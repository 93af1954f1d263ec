// Contact points of the ragdolls, and the forces that push them there.
import * as THREE from 'three';
import {FORCE} from './colors.js';

// Floats of a contact point in a frame: point, normal, and the force as a share of a ragdoll's weight.
const CONTACT = 7;
// Length of the arrow of a ragdoll's weight, and of the longest, in sizes of a figure.
const WEIGHT = 0.36;
const LONGEST = 0.7;
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
    this.make(64);
  }

  make(room) {
    this.clear();
    this.room = room;
    this.meshes = this.shapes.map(shape => new THREE.InstancedMesh(shape, this.material, room));
    for (const mesh of this.meshes) {
      mesh.frustumCulled = false;
      mesh.renderOrder = 14;
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
    const [point, normal, end, turn, scale, place] = [
      new THREE.Vector3(),
      new THREE.Vector3(),
      new THREE.Vector3(),
      new THREE.Quaternion(),
      new THREE.Vector3(),
      new THREE.Matrix4(),
    ];
    const [balls, shafts, heads] = this.meshes;
    const thick = size / 220;
    for (let index = 0; index < number; index++) {
      const at = index * CONTACT;
      const long = reach(contacts[at + 6], size);
      const head = Math.min(long, thick * 6);
      turn.setFromUnitVectors(UP, normal.fromArray(contacts, at + 3));
      end.copy(point.fromArray(contacts, at)).addScaledVector(normal, long);
      balls.setMatrixAt(index, place.makeScale(thick * 1.7, thick * 1.7, thick * 1.7).setPosition(point));
      shafts.setMatrixAt(index, place.compose(point, turn, scale.set(thick, thick, long - head)));
      heads.setMatrixAt(index, place.compose(end, turn, scale.set(head / 2.4, head / 2.4, head)));
    }
    for (const mesh of this.meshes) {
      mesh.count = number;
      mesh.instanceMatrix.needsUpdate = true;
    }
  }
}
