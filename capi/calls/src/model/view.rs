//! Data of a model as structs for C.

use std::ffi::{c_char, c_void};

use skelobj::Model;
use skelobj::model::{Mesh, Name, Texture};

use crate::numbers::{bone_number, count, flag};
use crate::text::Texts;

/// Bone of a model. Bones are numbered from 1, as in QuakeC: number N is `bones[N - 1]`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SkelobjBone {
    /// Name; may be empty.
    pub name: *const c_char,
    /// Number of the parent, less than the bone's own; 0 for a root.
    pub parent: i32,
    /// Bind pose, relative to the parent.
    pub bind: [f32; 12],
    /// Inverse of the bind pose in model space, which a palette contains.
    pub inverse_bind: [f32; 12],
}

/// Event of an animation.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SkelobjEvent {
    /// Seconds from the start of the animation.
    pub time: f32,
    /// Code of the event.
    pub code: u32,
    /// Text of the event.
    pub data: *const c_char,
}

/// Animation (framegroup) of a model. Animations are numbered from 0, as an entity's frame.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SkelobjAnimation {
    /// Name; may be empty.
    pub name: *const c_char,
    /// Number of poses.
    pub poses: i32,
    /// Poses per second.
    pub rate: f32,
    /// Duration, seconds.
    pub duration: f32,
    /// 1 if the animation starts again after its end.
    pub looping: i32,
    /// 1 if the animation shows the bind pose only.
    pub is_rest_pose: i32,
    /// Action (activity) that the animation shows; -1 for none.
    pub action: i32,
    /// Share of the animation in the choices for its action.
    pub action_weight: f32,
    /// Number of events.
    pub event_count: i32,
    /// Events in the order of their times.
    pub events: *const SkelobjEvent,
}

/// Bones that move a vertex.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SkelobjInfluences {
    /// Indices of up to four bones in a palette: they begin at 0.
    pub bones: [u16; 4],
    /// Weights of the bones; their sum is 1.
    pub weights: [f32; 4],
}

/// Mesh of a model. Arrays without data are null; all others have `vertex_count` elements.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SkelobjMesh {
    /// Name; may be empty.
    pub name: *const c_char,
    /// Name of the material or texture.
    pub material: *const c_char,
    /// Number of vertices.
    pub vertex_count: i32,
    /// Number of triangles.
    pub triangle_count: i32,
    /// Positions: 3 floats each, model space.
    pub positions: *const f32,
    /// Normals: 3 floats each.
    pub normals: *const f32,
    /// Tangents: 4 floats each; the fourth is the sign of the bitangent.
    pub tangents: *const f32,
    /// Texture coordinates: 2 floats each.
    pub texcoords: *const f32,
    /// Colours: red, green, blue (sRGB) and alpha, 4 floats each, 0 to 1.
    pub colors: *const f32,
    /// Bones of each vertex.
    pub influences: *const SkelobjInfluences,
    /// Indices of vertices: 3 for each triangle.
    pub triangles: *const u32,
    /// Group of each triangle; null if all are in one.
    pub triangle_groups: *const u32,
    /// Number of morph targets.
    pub morph_count: i32,
    /// 1 if the vertices move by frames or morph targets: skelobj_skin takes a frame.
    pub is_morphed: i32,
    /// Contents of the surface, as in a map.
    pub contents: u32,
    /// Flags of the surface, as in a map.
    pub flags: u32,
    /// Part of the body that the mesh belongs to.
    pub body: u32,
    /// Set of meshes of which one is shown; 4294967295 for none.
    pub geomset: u32,
    /// Number of the mesh in its set.
    pub geomid: u32,
    /// Distance from which on the mesh is shown, units.
    pub min_distance: f32,
    /// Distance up to which the mesh is shown, units; 0 for any.
    pub max_distance: f32,
}

/// Material of a skin.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SkelobjSkinMaterial {
    /// Name of the material.
    pub material: *const c_char,
    /// Name of the shader; may be empty.
    pub shader: *const c_char,
}

/// Materials that replace that of a mesh. Skins are numbered from 0, as an entity's skin, for each mesh.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SkelobjSkin {
    /// Index of the mesh.
    pub mesh: i32,
    /// Number of materials, at least 1.
    pub material_count: i32,
    /// Materials in the order in which they are shown.
    pub materials: *const SkelobjSkinMaterial,
    /// Seconds for which each material is shown.
    pub interval: f32,
}

/// Appearance of a material.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SkelobjMaterial {
    /// Name, by which meshes refer to it.
    pub name: *const c_char,
    /// Colour that multiplies the texture: red, green, blue (linear light), alpha, 0 to 1.
    pub color: [f32; 4],
    /// 1 if the texture has holes: a pixel is drawn if its opacity is one half or more.
    pub is_masked: i32,
    /// 1 if the surface is as transparent as its colour and texture. It is opaque where this and `is_masked` are 0.
    pub is_blended: i32,
    /// 1 if the file has more of the material than this.
    pub has_more: i32,
    /// Name of the texture's file; null if there is none.
    pub texture: *const c_char,
    /// Texture inside the model, as a picture file; null if there is none.
    pub texture_bytes: *const u8,
    /// Number of those bytes.
    pub texture_size: usize,
    /// Media type of those bytes, such as "image/png"; null if there are none.
    pub texture_type: *const c_char,
}

/// Box around a bone, for traces.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SkelobjHitBox {
    /// Number of the bone.
    pub bone: i32,
    /// Group of the box, such as 1 for a head in studio models.
    pub group: i32,
    /// Lowest corner, relative to the bone.
    pub mins: [f32; 3],
    /// Highest corner, relative to the bone.
    pub maxs: [f32; 3],
}

/// Tag of a model: a bone, an attachment of a bone, or a tag of a vertex-animated model. Tags are numbered from 1 in
/// this order, so the number of a bone is that of its tag.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SkelobjTag {
    /// Name; may be empty.
    pub name: *const c_char,
    /// Number of the tag that it moves with; 0 for none.
    pub parent: i32,
    /// Place relative to its bone, for attachments; otherwise the identity.
    pub offset: [f32; 12],
}

/// Extent of a model in one frame.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SkelobjBounds {
    /// Lowest corner, model space.
    pub mins: [f32; 3],
    /// Highest corner, model space.
    pub maxs: [f32; 3],
    /// Radius around the Z axis.
    pub xy_radius: f32,
    /// Radius around the origin.
    pub radius: f32,
}

/// Data of a model. All pointers are valid until skelobj_model_free, and constant.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SkelobjModelData {
    /// Bones.
    pub bones: *const SkelobjBone,
    /// Animations.
    pub animations: *const SkelobjAnimation,
    /// Poses of all frames, relative to the parents: 12 floats for each bone of each frame.
    pub frames: *const f32,
    /// Bounds of the frames; null if they are not known, otherwise one for each.
    pub bounds: *const SkelobjBounds,
    /// Meshes.
    pub meshes: *const SkelobjMesh,
    /// Skins.
    pub skins: *const SkelobjSkin,
    /// Materials; those of most formats are only names in the meshes.
    pub materials: *const SkelobjMaterial,
    /// Hit boxes.
    pub hit_boxes: *const SkelobjHitBox,
    /// Tags.
    pub tags: *const SkelobjTag,
    /// Comments of the author.
    pub comments: *const *const c_char,
    /// Defects that were repaired while loading, as texts.
    pub warnings: *const *const c_char,
    /// Number of bones.
    pub bone_count: i32,
    /// Number of animations.
    pub animation_count: i32,
    /// Number of frames.
    pub frame_count: i32,
    /// Number of bounds: 0 or that of the frames.
    pub bounds_count: i32,
    /// Number of meshes.
    pub mesh_count: i32,
    /// Number of skins.
    pub skin_count: i32,
    /// Number of materials.
    pub material_count: i32,
    /// Number of hit boxes.
    pub hit_box_count: i32,
    /// Number of tags.
    pub tag_count: i32,
    /// Number of comments.
    pub comment_count: i32,
    /// Number of warnings.
    pub warning_count: i32,
    /// 1 if the bones have a bind pose; 0 for files that only have animations.
    pub has_bind: i32,
    /// Effect flags of the file.
    pub flags: u32,
}

/// Structs that point into each other and into a model.
pub(crate) struct View {
    data: SkelobjModelData,
    /// Arrays to which `data` points, apart from those of the model.
    _arrays: Arrays,
}

// SAFETY: the pointers refer to arrays of the same `View` and of the model that holds it, which nobody changes.
unsafe impl Send for View {}
// SAFETY: as for `Send`.
unsafe impl Sync for View {}

#[derive(Default)]
struct Arrays {
    texts: Texts,
    bones: Vec<SkelobjBone>,
    events: Vec<Vec<SkelobjEvent>>,
    animations: Vec<SkelobjAnimation>,
    influences: Vec<Vec<SkelobjInfluences>>,
    meshes: Vec<SkelobjMesh>,
    skin_materials: Vec<Vec<SkelobjSkinMaterial>>,
    skins: Vec<SkelobjSkin>,
    materials: Vec<SkelobjMaterial>,
    hit_boxes: Vec<SkelobjHitBox>,
    bounds: Vec<SkelobjBounds>,
    tags: Vec<SkelobjTag>,
    comments: Vec<*const c_char>,
    warnings: Vec<*const c_char>,
}

impl View {
    pub(crate) fn data(&self) -> SkelobjModelData {
        self.data
    }

    pub(crate) fn new(model: &Model) -> Self {
        let mut arrays = Arrays::default();
        arrays.add_bones(model);
        arrays.add_animations(model);
        for mesh in &model.meshes {
            arrays.add_mesh(mesh);
        }
        arrays.add_looks(model);
        arrays.add_places(model);
        let mut texts = std::mem::take(&mut arrays.texts);
        arrays.comments = model.comments.iter().map(|comment| texts.keep(comment)).collect();
        arrays.warnings = model.warnings.iter().map(|warning| texts.keep(warning.to_string())).collect();
        arrays.texts = texts;
        let data = SkelobjModelData {
            bones: start(&arrays.bones),
            animations: start(&arrays.animations),
            frames: start(&model.frames).cast(),
            bounds: start(&arrays.bounds),
            meshes: start(&arrays.meshes),
            skins: start(&arrays.skins),
            materials: start(&arrays.materials),
            hit_boxes: start(&arrays.hit_boxes),
            tags: start(&arrays.tags),
            comments: start(&arrays.comments),
            warnings: start(&arrays.warnings),
            bone_count: count(arrays.bones.len()),
            animation_count: count(arrays.animations.len()),
            frame_count: count(model.frame_count()),
            bounds_count: count(arrays.bounds.len()),
            mesh_count: count(arrays.meshes.len()),
            skin_count: count(arrays.skins.len()),
            material_count: count(arrays.materials.len()),
            hit_box_count: count(arrays.hit_boxes.len()),
            tag_count: count(arrays.tags.len()),
            comment_count: count(arrays.comments.len()),
            warning_count: count(arrays.warnings.len()),
            has_bind: flag(model.skeleton.has_bind()),
            flags: model.flags,
        };
        Self { data, _arrays: arrays }
    }
}

impl Arrays {
    fn add_bones(&mut self, model: &Model) {
        let skeleton = &model.skeleton;
        let matrix = |matrices: &[skelobj::math::Mat3x4], bone: usize| {
            matrices.get(bone).map_or(skelobj::math::Mat3x4::IDENTITY.0, |matrix| matrix.0)
        };
        for bone in 0..skeleton.len() {
            self.bones.push(SkelobjBone {
                name: self.texts.keep(skeleton.name(bone).map_or(&[][..], Name::as_bytes)),
                parent: bone_number(skeleton.parent(bone)),
                bind: matrix(skeleton.bind_local(), bone),
                inverse_bind: matrix(skeleton.inverse_bind(), bone),
            });
        }
    }

    fn add_animations(&mut self, model: &Model) {
        for animation in &model.animations {
            let texts = &mut self.texts;
            let events = animation.events.iter().map(|event| SkelobjEvent {
                time: event.time,
                code: event.code,
                data: texts.keep(&event.data),
            });
            self.events.push(events.collect());
            let events = self.events.last().map(Vec::as_slice).unwrap_or_default();
            self.animations.push(SkelobjAnimation {
                name: self.texts.keep(&animation.name),
                poses: count(animation.pose_count()),
                rate: animation.rate,
                duration: animation.duration(),
                looping: flag(animation.looping),
                is_rest_pose: flag(animation.is_rest_pose()),
                action: animation.action.id,
                action_weight: animation.action.weight,
                event_count: count(events.len()),
                events: start(events),
            });
        }
    }

    fn add_mesh(&mut self, mesh: &Mesh) {
        let influences =
            mesh.influences.iter().map(|from| SkelobjInfluences { bones: from.bones, weights: from.weights });
        self.influences.push(influences.collect());
        let surface = &mesh.surface;
        self.meshes.push(SkelobjMesh {
            name: self.texts.keep(&mesh.name),
            material: self.texts.keep(&mesh.material),
            vertex_count: count(mesh.positions.len()),
            triangle_count: count(mesh.triangles.len()),
            positions: start(&mesh.positions).cast(),
            normals: start(&mesh.normals).cast(),
            tangents: start(&mesh.tangents).cast(),
            texcoords: start(&mesh.texcoords).cast(),
            colors: start(&mesh.colors).cast(),
            influences: self.influences.last().map_or(std::ptr::null(), |influences| start(influences)),
            triangles: start(&mesh.triangles).cast(),
            triangle_groups: start(&mesh.triangle_groups),
            morph_count: count(mesh.morphs.len()),
            is_morphed: flag(mesh.is_morphed()),
            contents: surface.contents,
            flags: surface.flags,
            body: surface.body,
            geomset: surface.geomset,
            geomid: surface.geomid,
            min_distance: surface.min_distance,
            max_distance: surface.max_distance,
        });
    }

    fn add_looks(&mut self, model: &Model) {
        for skin in &model.skins {
            let texts = &mut self.texts;
            let materials = skin.materials.iter().map(|material| SkelobjSkinMaterial {
                material: texts.keep(&material.material),
                shader: texts.keep(&material.shader),
            });
            self.skin_materials.push(materials.collect());
            self.skins.push(SkelobjSkin {
                mesh: count(skin.mesh),
                material_count: count(skin.materials.len()),
                materials: self.skin_materials.last().map_or(std::ptr::null(), |materials| start(materials)),
                interval: skin.interval,
            });
        }
        for material in &model.materials {
            let mut own = SkelobjMaterial {
                name: self.texts.keep(&material.name),
                color: material.color,
                is_masked: flag(material.is_masked),
                is_blended: flag(material.is_blended),
                has_more: flag(material.has_more),
                texture: std::ptr::null(),
                texture_bytes: std::ptr::null(),
                texture_size: 0,
                texture_type: std::ptr::null(),
            };
            match &material.texture {
                Some(Texture::File(name)) => own.texture = self.texts.keep(name),
                Some(Texture::Embedded { mime, bytes }) => {
                    own.texture_bytes = start(bytes);
                    own.texture_size = bytes.len();
                    own.texture_type = self.texts.keep(mime);
                }
                _ => {}
            }
            self.materials.push(own);
        }
    }

    fn add_places(&mut self, model: &Model) {
        let boxes = model.hit_boxes.iter().map(|hit_box| SkelobjHitBox {
            bone: bone_number(Some(hit_box.bone)),
            group: hit_box.group,
            mins: hit_box.mins,
            maxs: hit_box.maxs,
        });
        self.hit_boxes = boxes.collect();
        let bounds = model.bounds.iter().map(|bounds| SkelobjBounds {
            mins: bounds.mins,
            maxs: bounds.maxs,
            xy_radius: bounds.xy_radius,
            radius: bounds.radius,
        });
        self.bounds = bounds.collect();
        for tag in 0..model.tag_count() {
            let attachment = tag.checked_sub(model.skeleton.len()).and_then(|number| model.attachments.get(number));
            self.tags.push(SkelobjTag {
                name: self.texts.keep(model.tag_name(tag).map_or(&[][..], Name::as_bytes)),
                parent: bone_number(model.tag_parent(tag)),
                offset: attachment.map_or(skelobj::math::Mat3x4::IDENTITY, |attachment| attachment.offset).0,
            });
        }
    }
}

/// Returns the start of an array, or null for an empty one.
fn start<T>(array: &[T]) -> *const T {
    if array.is_empty() { std::ptr::null::<c_void>().cast() } else { array.as_ptr() }
}
