// Floor, level, doors and water.
import * as THREE from 'three';
import {columns} from './bodies.js';
import {WATER, theme} from './colors.js';
import {MATRIX} from './frame.js';
import {MASK, sampled} from './images.js';
import {ORDER} from './order.js';
/** @import {Told} from '../protocol.d.ts' */

const GRID = `
float line(float at, float cell, float width) {
    float pixel = fwidth(at);
    float away = abs(fract(at / cell - 0.5) - 0.5) * cell;
    // Lines closer than a few pixels would shimmer.
    return (1.0 - smoothstep(width * 0.5, width * 0.5 + pixel * 1.2, away))
        * (1.0 - smoothstep(0.1, 0.45, pixel / cell));
}`;

const floor = () =>
  new THREE.ShaderMaterial({
    transparent: true,
    depthWrite: false,
    uniforms: {
      color: {value: new THREE.Color()},
      middle: {value: new THREE.Vector3()},
      reach: {value: 100},
      cell: {value: 16},
    },
    vertexShader: `
        varying vec3 world;
        void main() {
            vec4 at = modelMatrix * vec4(position, 1.0);
            world = at.xyz;
            gl_Position = projectionMatrix * viewMatrix * at;
        }`,
    fragmentShader: `
        uniform vec3 color; uniform vec3 middle; uniform float reach; uniform float cell;
        varying vec3 world;
        ${GRID}
        void main() {
            float away = distance(world.xy, middle.xy) / reach;
            float fade = exp(-0.3 * away * away);
            float fine = max(line(world.x, cell, cell * 0.009), line(world.y, cell, cell * 0.009));
            float coarse = max(line(world.x, cell * 4.0, cell * 0.018), line(world.y, cell * 4.0, cell * 0.018));
            gl_FragColor = vec4(color, fade * max(0.3 * fine, 0.62 * coarse));
            #include <colorspace_fragment>
        }`,
  });

// The surface of water blends into the backdrop away from the motion.
const surfaceOf = () =>
  new THREE.ShaderMaterial({
    transparent: true,
    depthWrite: false,
    side: THREE.DoubleSide,
    uniforms: {color: {value: new THREE.Color(WATER)}, middle: {value: new THREE.Vector3()}, reach: {value: 100}},
    vertexShader: floor().vertexShader,
    fragmentShader: `
        uniform vec3 color; uniform vec3 middle; uniform float reach;
        varying vec3 world;
        void main() {
            float away = distance(world.xy, middle.xy) / reach;
            gl_FragColor = vec4(color, 0.5 * exp(-0.22 * away * away));
            #include <colorspace_fragment>
        }`,
  });

// Walls have the grid of the floor, so that sizes can be read from them.
function wall() {
  const material = new THREE.MeshLambertMaterial({flatShading: true, shadowSide: THREE.DoubleSide});
  const [lines, cell] = [{value: new THREE.Color()}, {value: 16}];
  Object.assign(material.userData, {lines, cell});
  material.onBeforeCompile = shader => {
    Object.assign(shader.uniforms, {lines, cell});
    shader.vertexShader = shader.vertexShader
      .replace('#include <common>', '#include <common>\nvarying vec3 onWall;')
      .replace('#include <begin_vertex>', '#include <begin_vertex>\nonWall = (modelMatrix * vec4(position, 1.0)).xyz;');
    shader.fragmentShader = shader.fragmentShader
      .replace(
        '#include <common>',
        `#include <common>\nvarying vec3 onWall; uniform vec3 lines; uniform float cell;\n${GRID}`,
      )
      .replace(
        '#include <color_fragment>',
        `#include <color_fragment>
                vec3 side = abs(normalize(cross(dFdx(onWall), dFdy(onWall))));
                float drawn = 0.0;
                if (side.x < 0.9) drawn = max(drawn, line(onWall.x, cell, cell * 0.0125));
                if (side.y < 0.9) drawn = max(drawn, line(onWall.y, cell, cell * 0.0125));
                if (side.z < 0.9) drawn = max(drawn, line(onWall.z, cell, cell * 0.0125));
                diffuseColor.rgb = mix(diffuseColor.rgb, lines, drawn * 0.35);`,
      );
  };
  return material;
}

const OVERBRIGHT = 2.5;
// Side of a cell of the grid, units, where the floor is drawn as far as `CELL_REACH`. Cells are four times as large
// where it is drawn four times as far.
const CELL = 16;
const CELL_REACH = 110;
// Half of the side of the grid, as a share of what is seen: the fade hides its end.
const GRID_REACH = 3.6;
// How far the plane of shadows is below the floor, as a share of its size: soles are on the floor.
const BELOW = 0.0003;

// The wall's material with a texture of a map in place of the lines.
function textured(wall, {width, height, rgba}) {
  const material = new THREE.MeshLambertMaterial({flatShading: true, shadowSide: THREE.DoubleSide, side: wall.side});
  material.map = sampled(new THREE.DataTexture(rgba, width, height));
  // Pixels as the games showed them, which lit dark textures beyond white.
  material.map.magFilter = THREE.NearestFilter;
  material.color.setScalar(OVERBRIGHT);
  if (rgba.some((part, at) => at % 4 === 3 && part === 0)) material.alphaTest = MASK;
  return material;
}

export class Ground {
  constructor() {
    this.group = new THREE.Group();
    const plane = new THREE.PlaneGeometry(2, 2);
    this.shadow = new THREE.Mesh(plane, new THREE.ShadowMaterial({color: 0x1c2430, depthWrite: false}));
    this.shadow.receiveShadow = true;
    this.grid = new THREE.Mesh(plane, floor());
    this.shadow.renderOrder = ORDER.shadow;
    this.grid.renderOrder = ORDER.grid;
    this.wall = wall();
    this.level = new THREE.Group();
    this.doors = [];
    this.textured = [];
    this.water = null;
    // Radius of what is not a floor.
    this.extent = 0;
    this.group.add(this.shadow, this.grid, this.level);
    this.paint();
  }

  paint() {
    const {grid, wall, shadow, shade} = theme();
    this.grid.material.uniforms.color.value.set(grid);
    this.shadow.material.opacity = shadow;
    this.shadow.material.color.set(shade);
    this.wall.color.set(wall);
    this.wall.userData.lines.value.set(grid);
  }

  set(/** @type {Told<'level'>} */ {kind, positions, indices, uvs, groups, images, floor, doors, water}) {
    for (const drawn of /** @type {THREE.Mesh[]} */ ([...this.level.children])) {
      drawn.geometry.dispose();
      drawn.removeFromParent();
    }
    for (const material of this.textured) {
      material.map.dispose();
      material.dispose();
    }
    this.shadow.visible = this.grid.visible = floor !== null;
    this.grid.position.z = floor ?? 0;
    const add = (geometry, material) => {
      const drawn = new THREE.Mesh(geometry, material);
      this.level.add(drawn);
      return drawn;
    };
    this.solid = this.water = null;
    // Rooms of maps are seen through the walls that face away.
    this.wall.side = kind === 'bsp' ? THREE.FrontSide : THREE.DoubleSide;
    this.textured = (images ?? []).map(image => textured(this.wall, image));
    if (indices?.length) {
      const geometry = new THREE.BufferGeometry();
      geometry.setAttribute('position', new THREE.BufferAttribute(positions, 3));
      geometry.setIndex(new THREE.BufferAttribute(indices, 1));
      geometry.computeVertexNormals(); // Shadows are looked up off the surface.
      if (uvs) geometry.setAttribute('uv', new THREE.BufferAttribute(uvs, 2));
      for (const {start, count, image} of groups ?? []) geometry.addGroup(start, count, image === null ? 0 : image + 1);
      this.solid = add(geometry, groups ? [this.wall, ...this.textured] : this.wall);
      // The roof of a map would leave everything in the dark.
      this.solid.castShadow = kind !== 'bsp';
      this.solid.receiveShadow = true;
    }
    const boxOf = ({mins, maxs}) => {
      const [x, y, z] = maxs.map((high, axis) => high - mins[axis]);
      return new THREE.BoxGeometry(x, y, z).translate(mins[0] + x / 2, mins[1] + y / 2, mins[2] + z / 2);
    };
    this.doors = (doors ?? []).map(box => {
      const door = add(boxOf(box), this.wall);
      door.matrixAutoUpdate = false;
      door.castShadow = door.receiveShadow = true;
      return door;
    });
    if (water) {
      const [width, depth] = [water.maxs[0] - water.mins[0], water.maxs[1] - water.mins[1]];
      this.water = add(new THREE.PlaneGeometry(width, depth), surfaceOf());
      this.water.position.set(water.mins[0] + width / 2, water.mins[1] + depth / 2, water.maxs[2]);
      this.water.renderOrder = ORDER.water;
    }
    this.extent = new THREE.Box3().setFromObject(this.level).getSize(new THREE.Vector3()).length() / 2;
  }

  pose(doors) {
    this.doors.forEach((door, index) => {
      if (doors.length < (index + 1) * MATRIX) return;
      columns(doors, index * MATRIX, door.matrix.elements, 0);
      door.matrixWorldNeedsUpdate = true;
    });
  }

  // Floor beyond what is seen, and shadows beyond what casts them, would only take time.
  follow(middle, reach, caster, span) {
    for (const {material} of this.water ? [this.grid, this.water] : [this.grid]) {
      material.uniforms.middle.value.copy(middle);
      material.uniforms.reach.value = reach;
    }
    const cell = CELL * 4 ** Math.round(Math.log2(reach / CELL_REACH) / 2);
    this.grid.material.uniforms.cell.value = this.wall.userData.cell.value = cell;
    this.grid.position.setX(middle.x).setY(middle.y);
    this.grid.scale.setScalar(reach * GRID_REACH);
    this.shadow.position.set(caster.x, caster.y, this.grid.position.z - span * BELOW);
    this.shadow.scale.setScalar(span);
  }
}
