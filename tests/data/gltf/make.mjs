// Makes the models, and records the positions of their nodes and vertices according to three.js.
import fs from 'node:fs';
import {Document, NodeIO} from '@gltf-transform/core';
import * as THREE from 'three';
import {GLTFLoader} from 'three/examples/jsm/loaders/GLTFLoader.js';

globalThis.self = globalThis;
const io = new NodeIO();

/** A document with short ways to fill it. */
function maker() {
  const document = new Document();
  const buffer = document.createBuffer('data');
  const scene = document.createScene('scene');
  document.getRoot().setDefaultScene(scene);
  const accessor = (type, array, {normalized = false, sparse = false} = {}) =>
    document
      .createAccessor()
      .setType(type)
      .setArray(array)
      .setNormalized(normalized)
      .setSparse(sparse)
      .setBuffer(buffer);
  const floats = (type, values, options) => accessor(type, new Float32Array(values.flat(2)), options);
  const node = (name, parent, {t, r, s, matrix} = {}) => {
    const node = document.createNode(name);
    if (matrix) node.setMatrix(matrix);
    if (t) node.setTranslation(t);
    if (r) node.setRotation(r);
    if (s) node.setScale(s);
    (parent ?? scene).addChild(node);
    return node;
  };
  const animation = name => {
    const animation = document.createAnimation(name);
    const channel = (target, path, times, values, interpolation = 'LINEAR') => {
      const type = {rotation: 'VEC4', weights: 'SCALAR'}[path] ?? 'VEC3';
      const sampler = document
        .createAnimationSampler()
        .setInterpolation(interpolation)
        .setInput(floats('SCALAR', times))
        .setOutput(floats(type, values));
      const channel = document.createAnimationChannel().setTargetNode(target).setTargetPath(path).setSampler(sampler);
      animation.addSampler(sampler).addChannel(channel);
    };
    return channel;
  };
  const mesh = (name, attributes, {indices, mode, targets = []} = {}) => {
    const primitive = document.createPrimitive();
    for (const [semantic, accessor] of Object.entries(attributes)) primitive.setAttribute(semantic, accessor);
    if (indices) primitive.setIndices(accessor('SCALAR', new Uint16Array(indices)));
    if (mode) primitive.setMode(mode);
    for (const target of targets)
      primitive.addTarget(document.createPrimitiveTarget().setAttribute('POSITION', target));
    primitive.setMaterial(document.createMaterial(`${name}_skin`));
    return document.createMesh(name).addPrimitive(primitive);
  };
  const skin = (joints, inverses) => {
    const skin = document.createSkin();
    joints.forEach(joint => skin.addJoint(joint));
    return skin.setInverseBindMatrices(
      floats(
        'MAT4',
        inverses.map(m => m.toArray()),
      ),
    );
  };
  return {document, accessor, floats, node, animation, mesh, skin};
}

const quaternion = (axis, angle) =>
  new THREE.Quaternion().setFromAxisAngle(new THREE.Vector3(...axis).normalize(), angle).toArray();

/** A square tube along Y: rings of four vertices. */
function tube(rings, radius, height) {
  const [positions, normals, indices] = [[], [], []];
  for (let ring = 0; ring < rings; ring++) {
    for (let side = 0; side < 4; side++) {
      const [x, z] = [Math.cos((side * Math.PI) / 2), Math.sin((side * Math.PI) / 2)];
      positions.push([x * radius, (ring * height) / (rings - 1), z * radius]);
      normals.push([x, 0, z]);
      if (ring > 0) {
        const [a, b, c, d] = [
          ring * 4 + side,
          ring * 4 + ((side + 1) % 4),
          (ring - 1) * 4 + side,
          (ring - 1) * 4 + ((side + 1) % 4),
        ];
        indices.push(a, b, c, b, d, c);
      }
    }
  }
  return {positions, normals, indices};
}

function walker() {
  const {document, accessor, floats, node, animation, mesh, skin} = maker();
  const shown = node('body_node', null, {t: [9, 9, 9]});
  const armature = document
    .createNode('armature')
    .setRotation(quaternion([1, 0, 0], -Math.PI / 2))
    .setScale([0.01, 0.01, 0.01]);
  document.getRoot().getDefaultScene().addChild(armature);
  // The tip is created before its parent.
  const tip = document.createNode('tip').setTranslation([0, 0, 30]);
  const hips = node('hips', armature, {t: [0, 0, 20], r: quaternion([0, 0, 1], 0.4)});
  const bridge = node('bridge', hips, {t: [0, 5, 40], r: quaternion([1, 1, 0], 0.3)});
  bridge.addChild(tip);
  node('marker', tip, {t: [0, 0, 12]});
  // Stored in the space of the armature, along Z.
  const {positions, normals, indices} = tube(6, 12, 110);
  const lie = ([x, y, z]) => [x, -z, y];
  const weights = positions.map(([, y]) => {
    const upper = Math.max(0, Math.min(255, Math.round((y - 40) * 5)));
    return [255 - upper, upper, 0, 0];
  });
  const joints = positions.map(() => [1, 0, 0, 0]);
  const worlds = Object.fromEntries(
    [
      [hips, 'hips'],
      [tip, 'tip'],
    ].map(([n, k]) => [k, new THREE.Matrix4().fromArray(n.getWorldMatrix())]),
  );
  const under = new THREE.Matrix4().fromArray(armature.getWorldMatrix()).invert();
  const inverse = world => under.clone().multiply(world).invert();
  const surface = mesh(
    'body',
    {
      POSITION: floats('VEC3', positions.map(lie)),
      NORMAL: floats('VEC3', normals.map(lie)),
      JOINTS_0: accessor('VEC4', new Uint8Array(joints.flat())),
      WEIGHTS_0: accessor('VEC4', new Uint8Array(weights.flat()), {normalized: true}),
    },
    {indices},
  );
  shown.setMesh(surface).setSkin(skin([tip, hips], [inverse(worlds.tip), inverse(worlds.hips)]));

  const at = (...frames) => frames.map(frame => frame / 24);
  const walk = animation('walk');
  walk(hips, 'translation', at(0, 6, 24), [
    [0, 0, 20],
    [3, -8, 24],
    [0, 0, 20],
  ]);
  const [a, b, c] = [quaternion([0, 0, 1], 0.4), quaternion([1, 0, 1], 1.1), quaternion([0, 1, 0], -0.6)];
  const slope = [0.8, -0.4, 0.3, 0.1];
  walk(tip, 'rotation', at(0, 7, 24), [slope, a, slope, slope, b, [0, 0, 0, 0], slope, c, slope], 'CUBICSPLINE');
  walk(
    bridge,
    'scale',
    at(0, 5, 13),
    [
      [1, 1, 1],
      [1.5, 1.5, 1.5],
      [0.75, 0.75, 0.75],
    ],
    'STEP',
  );
  const turn = animation('turn');
  turn(hips, 'rotation', at(2, 10, 14), [quaternion([0, 0, 1], 0), quaternion([0, 0, 1], 3), quaternion([0, 0, 1], 6)]);
  turn(
    bridge,
    'translation',
    at(0, 14),
    [
      [0, 0, 0],
      [0, 5, 40],
      [1, 2, 3],
      [0, 0, 0],
      [4, 5, 46],
      [0, 0, 0],
    ],
    'CUBICSPLINE',
  );
  return {
    document,
    frames: {walk: [0, 3, 5, 7, 11, 13, 20, 24], turn: [0, 2, 5, 9, 12, 14]},
    rates: {walk: 24, turn: 24},
  };
}

function parts() {
  const {document, floats, node, animation, mesh} = maker();
  const stand = node('stand', null, {
    matrix: new THREE.Matrix4()
      .compose(
        new THREE.Vector3(1, 0, -2),
        new THREE.Quaternion(...quaternion([0, 1, 0], 0.7)),
        new THREE.Vector3(1, 2, 1),
      )
      .toArray(),
  });
  const wheel = node('wheel', stand, {t: [0, 1, 0]});
  const hub = node('hub', wheel, {t: [0.5, 0, 0], s: [1, 1, -1]});
  const blade = node('blade', wheel, {t: [-0.5, 0, 0.25], r: quaternion([0, 0, 1], 1)});
  const square = [
    [0, 0, 0],
    [1, 0, 0],
    [0, 1, 0],
    [1, 1, 0],
  ];
  const ring = [
    [0, 0, 0],
    [1, 0, 0],
    [0.7, 0.7, 0],
    [0, 1, 0.2],
    [-0.7, 0.7, 0],
  ];
  stand.setMesh(
    mesh('plain', {
      POSITION: floats('VEC3', [
        [0, 0, 0],
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
      ]),
    }),
  );
  hub.setMesh(
    mesh(
      'strip',
      {
        POSITION: floats('VEC3', square),
        TEXCOORD_0: floats(
          'VEC2',
          square.map(([x, y]) => [x, 1 - y]),
        ),
      },
      {mode: 5},
    ),
  );
  blade.setMesh(mesh('fan', {POSITION: floats('VEC3', ring)}, {mode: 6, indices: [0, 1, 2, 3, 4]}));
  const spin = animation('spin');
  const times = [0, 0.1, 0.2, 0.3, 0.4];
  spin(
    wheel,
    'rotation',
    times,
    times.map(t => quaternion([0, 0, 1], t * 5 * Math.PI)),
  );
  spin(
    blade,
    'translation',
    [0, 0.4],
    [
      [-0.5, 0, 0.25],
      [-1.5, 1, 0],
    ],
  );
  return {document, frames: {spin: [0, 1, 3, 4, 6]}, rates: {spin: 20}};
}

function posed() {
  const {document, accessor, floats, node, animation, mesh, skin} = maker();
  const root = node('root', null, {t: [0, 0.2, 0]});
  const joints = [root];
  for (let i = 1; i < 4; i++) {
    // The rest pose is bent.
    joints.push(node(`joint${i}`, joints[i - 1], {t: [0, 0.5, 0], r: quaternion([1, 0, i], 0.5)}));
  }
  const straight = joints.map((_, i) => new THREE.Matrix4().makeTranslation(0, -0.2 - 0.5 * i, 0));
  const build = (name, {rings, radius, sparse}) => {
    const {positions, normals, indices} = tube(rings, radius, 1.9);
    const influences = positions.map(([, y]) => {
      const at = Math.max(0, Math.min(2.999, (y - 0.2) / 0.5));
      const [i, f] = [Math.floor(at), at % 1];
      return {joints: [i, i + 1, 0, 0], weights: [1 - f, f, 0, 0]};
    });
    const bulge = positions.map(([x, , z], i) => (i >= 4 && i < 8 ? [x * 0.5, 0, z * 0.5] : [0, 0, 0]));
    const options = sparse ? {targets: [floats('VEC3', bulge, {sparse: true})]} : {};
    return mesh(
      name,
      {
        POSITION: floats('VEC3', positions),
        NORMAL: floats('VEC3', normals),
        JOINTS_0: accessor('VEC4', new Uint16Array(influences.flatMap(i => i.joints))),
        WEIGHTS_0: floats(
          'VEC4',
          influences.map(i => i.weights),
        ),
      },
      {indices, ...options},
    );
  };
  const outer = build('outer', {rings: 9, radius: 0.2, sparse: true});
  outer.setWeights([0.5]);
  node('outer_node', null).setMesh(outer).setSkin(skin(joints, straight));
  node('inner_node', null)
    .setMesh(build('inner', {rings: 3, radius: 0.1}))
    .setSkin(skin([...joints].slice(0, 4), straight));
  const wave = animation('wave');
  wave(
    joints[1],
    'rotation',
    [0, 0.31, 0.77, 1],
    [0, 1, -1, 0.5].map(a => quaternion([0, 0, 1], a)),
  );
  wave(
    joints[2],
    'rotation',
    [0.05, 0.5, 1],
    [0, -1.2, 2].map(a => quaternion([1, 0, 0.2], a)),
  );
  wave(
    root,
    'scale',
    [0, 1],
    [
      [1, 1, 1],
      [1.5, 1.5, 1.5],
    ],
  );
  return {document, frames: {wave: [0, 4, 11, 22, 30]}, rates: {wave: 30}};
}

const rounded = numbers => Array.from(numbers, n => Number(n.toFixed(6)));

/** What three.js makes of a model at the times of these frames. */
async function evaluate({document, frames, rates}) {
  const binary = await io.writeBinary(document);
  const gltf = await new GLTFLoader().parseAsync(
    binary.buffer.slice(binary.byteOffset, binary.byteOffset + binary.byteLength),
    '',
  );
  const animations = [];
  for (const clip of gltf.animations) {
    const mixer = new THREE.AnimationMixer(gltf.scene);
    const action = mixer.clipAction(clip);
    action.setLoop(THREE.LoopOnce);
    action.clampWhenFinished = true;
    action.play();
    const rate = rates[clip.name];
    const poses = [];
    for (const frame of frames[clip.name]) {
      mixer.setTime(frame / rate);
      gltf.scene.updateMatrixWorld(true);
      const [nodes, meshes] = [{}, {}];
      gltf.scene.traverse(object => {
        if (object.name) nodes[object.name] = rounded(object.matrixWorld.elements);
        if (!object.isMesh) return;
        object.skeleton?.update();
        const vertex = new THREE.Vector3();
        const positions = [];
        for (let i = 0; i < object.geometry.attributes.position.count; i++) {
          object.getVertexPosition(i, vertex).applyMatrix4(object.matrixWorld);
          positions.push(rounded(vertex.toArray()));
        }
        const name = gltf.parser.json.meshes[gltf.parser.associations.get(object).meshes].name;
        meshes[name] = positions;
      });
      poses.push({frame, nodes, meshes});
    }
    animations.push({name: clip.name, rate, poses});
    mixer.stopAllAction();
  }
  return {animations};
}

const line = value => JSON.stringify(value).replaceAll('{"frame"', '\n{"frame"') + '\n';
for (const [name, make] of Object.entries({walker, parts, posed})) {
  const made = make();
  fs.writeFileSync(`${name}.json`, line(await evaluate(made)));
  if (name === 'walker') {
    await io.write('walker.glb', made.document);
    continue;
  }
  const {json, resources} = await io.writeJSON(made.document, {basename: name});
  const [uri] = Object.keys(resources);
  if (name === 'posed') {
    json.buffers[0].uri = `data:application/octet-stream;base64,${Buffer.from(resources[uri]).toString('base64')}`;
  } else {
    fs.writeFileSync(uri, resources[uri]);
  }
  fs.writeFileSync(`${name}.gltf`, JSON.stringify(json, null, 1) + '\n');
}
