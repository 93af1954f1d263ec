// Messages that tell the page what is loaded.
import {STRUCTS} from '../layout.js';
import {BodyShape} from '../skelobj.js';
import {picture} from './files.js';
import {materialOf, materialsOf, pictureNames} from './materials.js';
import {inverse, ofAngles} from './matrix.js';
/** @import {Told} from '../protocol.d.ts' */
/** @import {Skelobj} from '../skelobj.js' */
/** @import {Scene} from './scene.js' */

/** @type {Record<number, Told<'doll'>['bodies'][number]['shape']>} */
const SHAPES = {
  [BodyShape.BOX]: 'box',
  [BodyShape.SPHERE]: 'sphere',
  [BodyShape.CAPSULE]: 'capsule',
  [BodyShape.CYLINDER]: 'cylinder',
};

/** Returns the influences of a mesh, as separate arrays. */
function influences(/** @type {Skelobj} */ skelobj, address, count) {
  const {size, fields} = STRUCTS.SkelobjInfluences;
  const joints = new Uint16Array(count * 4);
  const weights = new Float32Array(count * 4);
  const view = new DataView(skelobj.raw.memory.buffer, address, count * size);
  for (let vertex = 0; vertex < count; vertex++) {
    for (let part = 0; part < 4; part++) {
      joints[vertex * 4 + part] = view.getUint16(vertex * size + fields.bones[0] + part * 2, true);
      weights[vertex * 4 + part] = view.getFloat32(vertex * size + fields.weights[0] + part * 4, true);
    }
  }
  return {joints, weights};
}

function lookOf(/** @type {Skelobj} */ skelobj, scene, materials, mesh) {
  const material = materialOf(materials, mesh);
  const image = material?.texture_bytes
    ? {type: material.texture_type, bytes: skelobj.bytes(material.texture_bytes, material.texture_size).slice()}
    : (pictureNames(skelobj, materials, mesh, mesh.number)
        .map(name => picture(scene.files, name))
        .find(Boolean) ?? null);
  const isWhite = material?.color.every(part => part === 1) ?? true;
  const isOpaque = material ? !material.is_masked && !material.is_blended : Boolean(mesh.is_morphed);
  return {image, isOpaque, color: isWhite ? null : material.color};
}

/**
 * Returns the message about the model.
 * @returns {Told<'model'>}
 */
export function model(/** @type {Skelobj} */ skelobj, /** @type {Scene} */ scene) {
  const {data} = scene;
  const materials = materialsOf(skelobj, data);
  const bones = skelobj.structs('SkelobjBone', data.bones, data.bone_count).map(({name, parent, inverse_bind}) => ({
    name: name ?? '',
    parent: parent - 1,
    bind: skelobj.matrixInverse(inverse_bind),
  }));
  const meshes = scene.meshes.map(mesh => {
    const {vertex_count: count, triangle_count} = mesh;
    const floats = (address, each) => (address ? skelobj.floats(address, count * each).slice() : null);
    // Quake's triangles are clockwise.
    const indices = skelobj.words(mesh.triangles, triangle_count * 3).slice();
    for (let at = 0; at < indices.length; at += 3)
      [indices[at + 1], indices[at + 2]] = [indices[at + 2], indices[at + 1]];
    return {
      name: mesh.name ?? '',
      material: mesh.material ?? '',
      positions: floats(mesh.positions, 3),
      normals: floats(mesh.normals, 3),
      uvs: floats(mesh.texcoords, 2),
      colors: floats(mesh.colors, 4),
      ...(mesh.influences ? influences(skelobj, mesh.influences, count) : {joints: null, weights: null}),
      indices,
      ...lookOf(skelobj, scene, materials, mesh),
    };
  });
  return {
    type: 'model',
    name: scene.name,
    scale: scene.scale,
    files: [...new Set([...scene.models, ...scene.files].map(({name}) => name))],
    bones,
    meshes,
    animations: scene.clips.map(({name, duration, looping, count}) => ({name, duration, loops: looping, poses: count})),
    warnings: scene.warnings,
  };
}

/**
 * Returns the message about the doll, with its problems, as its fall has it. `answer`: whether the page has its text,
 * and whether the fall goes on.
 * @returns {Told<'doll'>}
 */
export function doll(/** @type {Skelobj} */ skelobj, /** @type {Scene} */ scene, {limits}, problems, answer) {
  const {bodies = [], joints = []} = scene.doll ?? {};
  return {
    type: 'doll',
    text: scene.dollFile?.text ?? '',
    name: scene.dollFile?.name ?? '',
    ...answer,
    isFitted: scene.dollFile?.isFitted ?? false,
    unit: scene.unit,
    bodies: bodies.map(({name, bone, shape, size, has_offset: hasOffset, offset, angles, line}) => ({
      name,
      bone: skelobj.modelFindTag(scene.model, bone) - 1,
      shape: SHAPES[shape],
      size,
      offset: hasOffset ? offset : [0, 0, 0],
      line,
      offsetAxes: inverse(ofAngles(hasOffset ? angles : [0, 0, 0])).filter((_, at) => at % 4 < 3),
    })),
    joints: joints.map(({name, kind, body1, body2, line}, index) => ({
      name,
      kind,
      body1,
      body2,
      line,
      limits: limits[index],
    })),
    problems,
  };
}
