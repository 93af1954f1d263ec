// What the meshes of a model look like, as its file states it.

/** @import {Skelobj} from '../skelobj.js' */

/** Returns the materials of a model's data, and its skins. */
export const materialsOf = (/** @type {Skelobj} */ skelobj, {materials, material_count, skins, skin_count}) => ({
  materials: skelobj.structs('SkelobjMaterial', materials, material_count),
  skins: skelobj.structs('SkelobjSkin', skins, skin_count),
});

/** Returns the material of a mesh, if the file describes it. */
export const materialOf = ({materials}, mesh) => materials.find(({name}) => name === mesh.material);

/** Returns the names under which a file may have the picture of the mesh with a number, the likeliest first. */
export function pictureNames(/** @type {Skelobj} */ skelobj, look, mesh, number) {
  const ofSkin = look.skins
    .filter(skin => skin.mesh === number)
    .slice(0, 1)
    .flatMap(skin => {
      const [{shader, material}] = skelobj.structs('SkelobjSkinMaterial', skin.materials, 1);
      return [shader, material];
    });
  return [materialOf(look, mesh)?.texture, ...ofSkin, mesh.material].filter(Boolean);
}
