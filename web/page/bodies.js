// Bodies, bones and joints of the ragdolls.
import * as THREE from 'three';
import {BONE, BONE_EDGE, CALM, GAP, LIT, OFF, STATES, STOP} from './colors.js';
import {ANCHORS, BODY, JOINT, MATRIX} from './frame.js';
import {ORDER} from './order.js';
/** @import {Told} from '../protocol.d.ts' */

// Fineness of the bodies of a crowd.
const COARSE = 0.5;
// Thickness of a bone, and where it is thickest, as shares of its length.
const THICKNESS = 0.09;
const THICKEST = 0.16;
// Size of the ball of a joint beside those of calm ones: what is lit, and what is wrong.
const LIT_BALL = 2.2;
const WRONG_BALL = 1.5;

const GLASS = {
  transparent: true,
  depthWrite: false,
  depthTest: false,
  vertexShader: `
        varying vec3 seen; varying vec3 facing; varying vec3 tint; varying vec2 onFace;
        void main() {
            onFace = uv;
            mat4 place = modelViewMatrix * instanceMatrix;
            vec4 at = place * vec4(position, 1.0);
            seen = at.xyz;
            facing = mat3(place) * normal;
            tint = instanceColor;
            gl_Position = projectionMatrix * at;
        }`,
  fragmentShader: `
        uniform float lit; uniform float alone; uniform float flatSides;
        varying vec3 seen; varying vec3 facing; varying vec3 tint; varying vec2 onFace;
        void main() {
            // Round shapes show their outline, boxes their edges.
            float outline = smoothstep(0.5, 1.0, 1.0 - abs(dot(normalize(facing), normalize(seen))));
            vec2 within = min(onFace, 1.0 - onFace) / fwidth(onFace);
            // A box of a few pixels is not all edge.
            float near = 1.0 - smoothstep(0.03, 0.2, max(fwidth(onFace).x, fwidth(onFace).y));
            float border = near * (1.0 - smoothstep(0.6, 1.9, min(within.x, within.y)));
            float line = mix(outline, border, flatSides);
            float alpha = mix(0.06, 0.26, alone) + line * 0.66 + lit * 0.36;
            gl_FragColor = vec4(mix(tint, vec3(1.0, 0.80, 0.05), lit * 0.6), min(alpha, 0.94));
            #include <colorspace_fragment>
        }`,
};

// `fine` is 1 for one ragdoll, and less for many.
function geometryOf(shape, /** @type {number[]} */ [x, y, z], fine) {
  const radius = (x + y) / 2;
  if (shape === 'box') return new THREE.BoxGeometry(x, y, z);
  if (shape === 'sphere') return new THREE.SphereGeometry((x + y + z) / 3, 24 * fine, 16 * fine);
  const round =
    shape === 'capsule'
      ? new THREE.CapsuleGeometry(radius, z, 8 * fine, 24 * fine)
      : new THREE.CylinderGeometry(radius, radius, z, 24 * fine);
  return round.rotateX(Math.PI / 2);
}

// Writes a matrix of three rows as one of four columns.
export function columns(rows, from, to, at) {
  for (let column = 0; column < 4; column++) {
    for (let row = 0; row < 3; row++) to[at + column * 4 + row] = rows[from + row * 4 + column];
    to[at + column * 4 + 3] = column === 3 ? 1 : 0;
  }
}

export class Bodies {
  constructor(/** @type {Told<'doll'>} */ doll) {
    this.group = new THREE.Group();
    this.doll = doll;
    this.count = 0;
    this.colors = STATES.map(({color}) => new THREE.Color(color));
    this.meshes = [];
    this.make(1);
  }

  make(count) {
    const lit = this.meshes.map(mesh => mesh.material.uniforms.lit.value);
    this.clear();
    this.count = count;
    this.meshes = this.doll.bodies.map((body, index) => {
      const material = new THREE.ShaderMaterial({
        ...GLASS,
        uniforms: {
          lit: {value: lit[index] ?? 0},
          alone: {value: this.isAlone ? 1 : 0},
          flatSides: {value: body.shape === 'box' ? 1 : 0},
        },
      });
      const mesh = new THREE.InstancedMesh(geometryOf(body.shape, body.size, count > 1 ? COARSE : 1), material, count);
      mesh.setColorAt(0, this.colors[0]);
      mesh.frustumCulled = false;
      mesh.renderOrder = ORDER.bodies;
      mesh.userData.body = index;
      return mesh;
    });
    if (this.meshes.length) this.group.add(...this.meshes);
    for (const {geometry} of this.meshes) geometry.computeBoundingSphere();
    this.reach = Math.max(0, ...this.meshes.map(({geometry}) => geometry.boundingSphere.radius));
  }

  clear() {
    for (const mesh of this.meshes) {
      mesh.geometry.dispose();
      mesh.material.dispose();
      mesh.dispose();
      mesh.removeFromParent();
    }
  }

  pose(bodies, count) {
    const number = this.meshes.length;
    if (bodies.length < number * count * BODY) return;
    if (count !== this.count) this.make(count);
    for (let index = 0; index < number; index++) {
      const mesh = this.meshes[index];
      for (let doll = 0; doll < count; doll++) {
        const from = (doll * number + index) * BODY;
        columns(bodies, from, mesh.instanceMatrix.array, doll * 16);
        mesh.setColorAt(doll, this.colors[bodies[from + MATRIX]] ?? this.colors[0]);
      }
      mesh.instanceMatrix.needsUpdate = true;
      mesh.instanceColor.needsUpdate = true;
      mesh.boundingSphere = null;
    }
  }

  // Shows a body with another size, or moved in its own space, until the doll is another one.
  reshape(index, size, [x, y, z]) {
    const mesh = this.meshes[index];
    mesh.geometry.dispose();
    mesh.geometry = geometryOf(this.doll.bodies[index].shape, size, 1).translate(x, y, z);
  }

  // Lights the bodies with these indices.
  light(indices) {
    this.meshes.forEach((mesh, index) => {
      mesh.material.uniforms.lit.value = indices.includes(index) ? 1 : 0;
    });
  }

  // Without a skin, bodies are less transparent.
  set alone(is) {
    this.isAlone = is;
    for (const mesh of this.meshes) mesh.material.uniforms.alone.value = is ? 1 : 0;
  }

  dispose() {
    this.clear();
    this.group.removeFromParent();
  }
}

const bone = () => {
  const shape = new THREE.OctahedronGeometry(1, 0);
  const places = shape.attributes.position;
  // An octahedron along z from 0 to 1, thickest near its start.
  for (let at = 0; at < places.count; at++) {
    const z = places.getZ(at);
    places.setXYZ(at, places.getX(at) * THICKNESS, places.getY(at) * THICKNESS, z > 0.5 ? 1 : z < -0.5 ? 0 : THICKEST);
  }
  return shape;
};

// Width of the edge of a bone, as a share of half the height of the picture, and as one of its own thickness or length.
const EDGE = 0.005;
const MAX_EDGE = 0.5;

// Makes a material draw the octahedron above a little larger, all around.
function enlarged(material) {
  material.onBeforeCompile = shader => {
    shader.vertexShader = shader.vertexShader.replace(
      '#include <project_vertex>',
      `#include <project_vertex>
            vec4 inside = vec4(0.0, 0.0, position.x == 0.0 && position.y == 0.0 ? 0.5 : position.z, 1.0);
            vec4 middle = projectionMatrix * modelViewMatrix * instanceMatrix * inside;
            vec2 square = vec2(projectionMatrix[1][1] / projectionMatrix[0][0], 1.0);
            vec2 way = (gl_Position.xy / gl_Position.w - middle.xy / middle.w) * square;
            float far = max(length(way), 1e-6);
            gl_Position.xy += way / far * min(${EDGE}, far * ${MAX_EDGE}) / square * gl_Position.w;`,
    );
  };
  return material;
}

export class Bones {
  constructor(/** @type {Told<'model'>} */ model) {
    this.group = new THREE.Group();
    this.bones = model.bones;
    this.pairs = model.bones.flatMap(({parent}, index) => (parent >= 0 ? [[parent, index]] : []));
    // What is farther from its parent than the skin is large is no limb, but a mark or a target.
    const skin = new THREE.Box3();
    for (const {positions} of model.meshes) skin.union(new THREE.Box3().setFromArray(positions));
    this.longest = skin.isEmpty() ? Infinity : skin.getSize(new THREE.Vector3()).length();
    this.geometry = bone();
    const look = {depthTest: false, transparent: true, opacity: 0.9};
    this.material = new THREE.MeshBasicMaterial({color: BONE, ...look});
    this.edge = enlarged(new THREE.MeshBasicMaterial({color: BONE_EDGE, ...look}));
    this.mesh = this.edges = null;
    this.heads = new Float32Array(model.bones.length * 3);
  }

  pose(palettes, count) {
    if (!this.group.visible || this.pairs.length === 0) return;
    const most = this.pairs.length * count;
    if (this.mesh?.count !== most) {
      this.clear();
      this.mesh = new THREE.InstancedMesh(this.geometry, this.material, most);
      this.edges = new THREE.InstancedMesh(this.geometry, this.edge, most);
      this.edges.instanceMatrix = this.mesh.instanceMatrix;
      this.mesh.frustumCulled = this.edges.frustumCulled = false;
      [this.edges.renderOrder, this.mesh.renderOrder] = [ORDER.boneEdges, ORDER.bones];
      this.group.add(this.edges, this.mesh);
    }
    const [from, to, along, place, turn, size] = [
      new THREE.Vector3(),
      new THREE.Vector3(),
      new THREE.Vector3(),
      new THREE.Matrix4(),
      new THREE.Quaternion(),
      new THREE.Vector3(),
    ];
    const up = new THREE.Vector3(0, 0, 1);
    for (let doll = 0; doll < count; doll++) {
      this.bones.forEach(({bind}, index) => {
        const at = (doll * this.bones.length + index) * MATRIX;
        for (let row = 0; row < 3; row++) {
          const m = at + row * 4;
          this.heads[index * 3 + row] =
            palettes[m] * bind[3] + palettes[m + 1] * bind[7] + palettes[m + 2] * bind[11] + palettes[m + 3];
        }
      });
      this.pairs.forEach(([parent, child], index) => {
        from.fromArray(this.heads, parent * 3);
        to.fromArray(this.heads, child * 3);
        along.subVectors(to, from);
        const length = along.length();
        turn.setFromUnitVectors(up, length > 0 ? along.divideScalar(length) : up);
        place.compose(from, turn, size.setScalar(length > this.longest ? 0 : length));
        this.mesh.setMatrixAt(doll * this.pairs.length + index, place);
      });
    }
    this.mesh.instanceMatrix.needsUpdate = true;
  }

  clear() {
    this.group.clear();
    this.mesh?.dispose();
    this.edges?.dispose();
  }

  dispose() {
    this.clear();
    this.geometry.dispose();
    this.material.dispose();
    this.edge.dispose();
    this.group.removeFromParent();
  }
}

export class Joints {
  constructor(/** @type {Told<'doll'>} */ doll) {
    this.group = new THREE.Group();
    this.number = doll.joints.length;
    this.lit = [];
    this.balls = new THREE.InstancedMesh(
      new THREE.SphereGeometry(1, 14, 10),
      new THREE.MeshBasicMaterial({depthTest: false, transparent: true, opacity: 0.95}),
      Math.max(1, this.number),
    );
    this.balls.renderOrder = ORDER.joints;
    this.balls.frustumCulled = false;
    this.balls.count = 0;
    this.gaps = new THREE.LineSegments(
      new THREE.BufferGeometry(),
      new THREE.LineBasicMaterial({color: GAP, depthTest: false, transparent: true}),
    );
    this.gaps.geometry.setAttribute(
      'position',
      new THREE.BufferAttribute(new Float32Array(Math.max(1, this.number) * 6), 3),
    );
    this.gaps.renderOrder = ORDER.gaps;
    this.gaps.frustumCulled = false;
    this.group.add(this.balls, this.gaps);
    this.kinds = {
      calm: new THREE.Color(CALM),
      gap: new THREE.Color(GAP),
      stop: new THREE.Color(STOP),
      off: new THREE.Color(OFF),
      lit: new THREE.Color(LIT),
    };
  }

  pose(joints, limits, radius) {
    if (joints.length < this.number * JOINT) return;
    const place = new THREE.Matrix4();
    const lines = this.gaps.geometry.attributes.position;
    this.balls.count = this.number;
    for (let index = 0; index < this.number; index++) {
      const at = index * JOINT;
      const [gap, excess, mode] = joints.subarray(at, at + 3);
      const lit = this.lit.includes(index);
      const kind = lit ? 'lit' : mode > 0 ? 'off' : gap > limits.gap ? 'gap' : excess > limits.excess ? 'stop' : 'calm';
      const size = radius * (lit ? LIT_BALL : kind === 'calm' ? 1 : WRONG_BALL);
      const anchors = joints.subarray(at + ANCHORS, at + ANCHORS + 6);
      place.makeScale(size, size, size).setPosition(anchors[0], anchors[1], anchors[2]);
      this.balls.setMatrixAt(index, place);
      this.balls.setColorAt(index, this.kinds[kind]);
      lines.array.set(anchors, index * 6);
    }
    lines.needsUpdate = true;
    this.balls.instanceMatrix.needsUpdate = true;
    if (this.balls.instanceColor) this.balls.instanceColor.needsUpdate = true;
  }

  dispose() {
    this.balls.geometry.dispose();
    this.balls.material.dispose();
    this.balls.dispose();
    this.gaps.geometry.dispose();
    this.gaps.material.dispose();
    this.group.removeFromParent();
  }
}
