// Skin of a model: one draw call a mesh for any number of ragdolls, posed on the graphics card.
import * as THREE from 'three';
import {MATERIALS} from './colors.js';
import {MATRIX} from './frame.js';
import {decode, MASK} from './images.js';
/** @import {Told} from '../protocol.d.ts' */
/** @typedef {THREE.Mesh<THREE.InstancedBufferGeometry, THREE.MeshLambertMaterial>} Mesh */
/** @typedef {{children: Mesh[]} & THREE.Group} Meshes */

// Texels in a row of the palettes, a multiple of the three that a matrix takes.
const WIDTH = 1536;

// Returns colours of vertices, which are sRGB, in the linear light of shaders.
function linear(colors) {
  const light = colors.slice();
  const color = new THREE.Color();
  for (let at = 0; at < light.length; at += 4)
    color.setRGB(light[at], light[at + 1], light[at + 2], THREE.SRGBColorSpace).toArray(light, at);
  return light;
}

const HEAD = `
uniform highp sampler2D palettes;
uniform int bones;
attribute vec4 boneIndex;
attribute vec4 boneWeight;
mat4 boneMatrix(float bone) {
    int at = (gl_InstanceID * bones + int(bone)) * 3;
    ivec2 place = ivec2(at % ${WIDTH}, at / ${WIDTH});
    vec4 x = texelFetch(palettes, place, 0);
    vec4 y = texelFetch(palettes, place + ivec2(1, 0), 0);
    vec4 z = texelFetch(palettes, place + ivec2(2, 0), 0);
    return mat4(x.x, y.x, z.x, 0.0, x.y, y.y, z.y, 0.0, x.z, y.z, z.z, 0.0, x.w, y.w, z.w, 1.0);
}
mat4 skinMatrix() {
    return boneMatrix(boneIndex.x) * boneWeight.x + boneMatrix(boneIndex.y) * boneWeight.y
        + boneMatrix(boneIndex.z) * boneWeight.z + boneMatrix(boneIndex.w) * boneWeight.w;
}
`;

export class Figure {
  constructor(/** @type {Told<'model'>} */ model) {
    this.group = /** @type {Meshes} */ (new THREE.Group());
    // A model without bones has one matrix: that of its entity.
    this.isRigid = model.bones.length === 0;
    this.bones = this.isRigid ? 1 : model.bones.length;
    this.texture = null;
    this.uniforms = {palettes: {value: null}, bones: {value: this.bones}};
    this.depth = this.posed(new THREE.MeshDepthMaterial({side: THREE.DoubleSide}));
    this.unreadable = [];
    this.loading = Promise.all(model.meshes.map((mesh, number) => this.add(mesh, number)));
  }

  // Makes a material pose its vertices with the palettes.
  posed(material) {
    material.onBeforeCompile = shader => {
      Object.assign(shader.uniforms, this.uniforms);
      shader.vertexShader = shader.vertexShader
        .replace('#include <common>', `#include <common>\n${HEAD}`)
        .replace('#include <beginnormal_vertex>', 'vec3 objectNormal = mat3(skinMatrix()) * normal;')
        .replace('#include <begin_vertex>', 'vec3 transformed = (skinMatrix() * vec4(position, 1.0)).xyz;');
    };
    return material;
  }

  async add(/** @type {Told<'model'>['meshes'][number]} */ mesh, number) {
    const count = mesh.positions.length / 3;
    const geometry = new THREE.InstancedBufferGeometry();
    geometry.instanceCount = 1;
    geometry.setAttribute('position', new THREE.BufferAttribute(mesh.positions, 3));
    geometry.setIndex(new THREE.BufferAttribute(mesh.indices, 1));
    if (mesh.normals) geometry.setAttribute('normal', new THREE.BufferAttribute(mesh.normals, 3));
    else geometry.computeVertexNormals();
    if (mesh.uvs) geometry.setAttribute('uv', new THREE.BufferAttribute(mesh.uvs, 2));
    const weights = mesh.weights ?? Float32Array.from({length: count * 4}, (_, at) => (at % 4 ? 0 : 1));
    geometry.setAttribute(
      'boneIndex',
      new THREE.BufferAttribute(Float32Array.from(mesh.joints ?? new Uint16Array(count * 4)), 4),
    );
    geometry.setAttribute('boneWeight', new THREE.BufferAttribute(weights, 4));
    /** @type {THREE.MeshLambertMaterialParameters} */
    const look = {side: THREE.DoubleSide};
    if (mesh.colors) {
      geometry.setAttribute('color', new THREE.BufferAttribute(linear(mesh.colors), 4));
      look.vertexColors = true;
    } else if (!mesh.image) look.color = MATERIALS[number % MATERIALS.length];
    const material = this.posed(new THREE.MeshLambertMaterial(look));
    if (mesh.color && !mesh.color.slice(0, 3).every(part => part === 1))
      material.color.setRGB(mesh.color[0], mesh.color[1], mesh.color[2]);
    const drawn = new THREE.Mesh(geometry, material);
    drawn.frustumCulled = false;
    drawn.castShadow = drawn.receiveShadow = true;
    drawn.customDepthMaterial = this.depth;
    this.group.add(drawn);
    if (mesh.image && mesh.uvs) {
      try {
        material.map = await decode(mesh.image.bytes);
        if (!mesh.isOpaque) material.alphaTest = MASK;
      } catch (error) {
        material.color.set(MATERIALS[number % MATERIALS.length]);
        this.unreadable.push(`${mesh.material || mesh.name}: ${error.message}`);
      }
      material.needsUpdate = true;
    }
  }

  // Returns the boxes around all that is drawn of a model without bones.
  boxes(palettes, count) {
    const box = new THREE.Box3();
    for (const {geometry} of this.group.children) {
      geometry.computeBoundingBox();
      box.union(geometry.boundingBox);
    }
    const matrix = number =>
      new THREE.Matrix4()
        .fromArray([...palettes.subarray(number * MATRIX, (number + 1) * MATRIX), 0, 0, 0, 1])
        .transpose();
    return Array.from({length: count}, (_, number) => box.clone().applyMatrix4(matrix(number)));
  }

  // Moves the vertices of meshes that bones alone do not move.
  morph(/** @type {Told<'frame'>['morphs']} */ morphs) {
    for (const {mesh, positions, normals} of morphs) {
      const {attributes} = this.group.children[mesh].geometry;
      attributes.position.array.set(positions);
      attributes.normal.array.set(normals);
      attributes.position.needsUpdate = attributes.normal.needsUpdate = true;
    }
  }

  pose(palettes, count) {
    const texels = count * this.bones * 3;
    const rows = Math.max(1, Math.ceil(texels / WIDTH));
    if (!this.texture || this.texture.image.height !== rows) {
      this.texture?.dispose();
      this.texture = new THREE.DataTexture(
        new Float32Array(WIDTH * rows * 4),
        WIDTH,
        rows,
        THREE.RGBAFormat,
        THREE.FloatType,
      );
      this.uniforms.palettes.value = this.texture;
    }
    this.texture.image.data.set(palettes.subarray(0, texels * 4));
    this.texture.needsUpdate = true;
    for (const mesh of this.group.children) mesh.geometry.instanceCount = count;
  }

  dispose() {
    for (const mesh of this.group.children) {
      mesh.geometry.dispose();
      mesh.material.map?.dispose();
      mesh.material.dispose();
    }
    this.depth.dispose();
    this.texture?.dispose();
    this.group.removeFromParent();
  }
}
