// Types of skelobj.js. Made by make_layout.mjs from include/skelobj.h; do not edit.

/** Address in the memory of the instance; 0 is null. */
export type Address = number;

/** Id of a skeletal object of a world; 0 is none. */
export type SkelobjObject = 0 | (number & {readonly kind: 'Object'});

/** Id of a world; 0 is none. */
export type SkelobjWorld = 0 | (number & {readonly kind: 'World'});

/** Id of a model; 0 is none. */
export type SkelobjModel = 0 | (number & {readonly kind: 'Model'});

/** Id of a player; 0 is none. */
export type SkelobjPlayer = 0 | (number & {readonly kind: 'Player'});

/** Id of a level body of a world; 0 is none. */
export type SkelobjLevelBody = 0 | (number & {readonly kind: 'LevelBody'});

/** Id of a level; 0 is none. */
export type SkelobjLevel = 0 | (number & {readonly kind: 'Level'});

/** Id of a body of water in a world; 0 is none. */
export type SkelobjWater = 0 | (number & {readonly kind: 'Water'});

/** Id of a doll; 0 is none. */
export type SkelobjDoll = 0 | (number & {readonly kind: 'Doll'});

/** Id of a snapshot; 0 is none. */
export type SkelobjSnapshot = 0 | (number & {readonly kind: 'Snapshot'});

/** Id of a receiver of bones; 0 is none. */
export type SkelobjReceiver = 0 | (number & {readonly kind: 'Receiver'});

/** Limits on the contents of a file. */
export interface SkelobjLimits {
  /** Memory of a model, bytes. */
  memory: bigint;
  /** Memory of a model for each byte of its files, above a free allowance. */
  memory_per_byte: number;
  /** Number of bones. */
  bones: number;
  /** Number of frames. */
  frames: number;
  /** Number of triangles. */
  triangles: number;
  /** Number of warnings that are kept. */
  warnings: number;
  /** Not used. */
  reserved: number;
}

/** Files of a host. */
export interface SkelobjFiles {
  /**
   * Finds a file: a model, a file beside it, a doll. Returns its bytes and writes their number, or returns null if
   * there is no such file. `name` is a plain path (skelobj_is_plain_path), whoever states it: script, model or host.
   * Under any other name, `load` is not called, and the failure or warning states the name. The bytes must stay until
   * `unload` is called, or for the rest of the call if that is null. Null if there are no files.
   */
  load: Address;
  /** Takes back what `load` returned, once; may be null. */
  unload: Address;
  /** Handed to both. */
  user: Address;
}

/** Settings of a world. Get one from skelobj_default_world_def. */
export interface SkelobjWorldDef {
  /** Proof that the def was initialised. */
  cookie: number;
  /** Number of bones of all objects that a world may have. Default 2097152. */
  max_bones: number;
  /** Acceleration, units per second squared. Default 0 0 -800. */
  gravity: number[];
  /** Length of a metre, units: the scale of the world's tolerances. Default 40. */
  length_unit: number;
  /** Length of a physics step, seconds. Default 1/60. */
  step: number;
  /** Maximum time that one call simulates, seconds; time beyond it is dropped. Default 0.1. */
  max_step_debt: number;
  /** Solver iterations a step. Default 6; 4 makes awake ragdolls 22 % cheaper, with joint gaps up to twice as wide. */
  iterations: number;
  /** Sweeps over the joints in an iteration. Default 4. */
  internal_iterations: number;
  /** Linear damping of bodies, 1/s. Default 0.2. */
  linear_damping: number;
  /** Angular damping of bodies, 1/s. Default 1. */
  angular_damping: number;
  /** Friction coefficient of bodies and level. Default 0.65. */
  friction: number;
  /** Speed below which a body may sleep, units/s. Default 8. */
  sleep_speed: number;
  /**
   * Number of pairs of bodies of ragdolls that may be near enough to touch in a step; beyond it ragdolls lose
   * contacts, and the log names them. Default 100000.
   */
  max_contact_pairs: number;
  /** Sign of the pitch of entities with a skeletal model: -1 (default) as in Quake, or 1. */
  mesh_pitch: number;
  /** Factor of the roll of entities with a skeletal model. Default 1. */
  mesh_roll: number;
  /**
   * 1 (default) if bones without bodies, such as fingers, keep the local pose of the last build in frames in which
   * the game does not build; 0 if they return to the bind pose, as QuakeC's skel_ragupdate has it.
   */
  keep_bones: number;
  /** Limits on the models that the world loads. */
  limits: SkelobjLimits;
  /** Files of the host, for models by name and for dolls. */
  files: SkelobjFiles;
  /** Receives the warnings and failures of the world; may be null. `level` is SKELOBJ_LOG_LEVEL_... */
  log: Address;
  /** Handed to `log`. */
  log_user: Address;
}

/** Outcome of a frame's simulation. */
export interface SkelobjStepped {
  /** Number of physics steps that were made. */
  steps: number;
  /** Time that was dropped because it was too much, seconds. */
  dropped: number;
}

/** File in memory. */
export interface SkelobjFile {
  /** Name, with or without a folder. */
  name: string | null;
  /** Contents. */
  bytes: Uint8Array | Address;
  /** Size of the contents, bytes. */
  size: number;
}

/** Settings for loading a model. Get one from skelobj_default_load_def. */
export interface SkelobjLoadDef {
  /** Proof that the def was initialised. */
  cookie: number;
  /** 1 to read files as DarkPlaces does where it differs from FTE. Default 0. */
  as_darkplaces: number;
  /** Limits on the contents. */
  limits: SkelobjLimits;
  /** Files beside the model: framegroups, skins, skeletons, animations. */
  files: SkelobjFiles;
}

/** Use of a file among others. */
export interface SkelobjFileUse {
  /** Kind, SKELOBJ_FILE_KIND_... */
  kind: number;
  /** Part of a player, SKELOBJ_PART_...; 0 for other files. */
  part: number;
  /** Reason of an unused file, or of a side file that nothing names, cut to 255 bytes: "it is empty". */
  reason: string;
}

/** Bone of a model. Bones are numbered from 1, as in QuakeC: number N is `bones[N - 1]`. */
export interface SkelobjBone {
  /** Name; may be empty. */
  name: string | null;
  /** Number of the parent, less than the bone's own; 0 for a root. */
  parent: number;
  /** Bind pose, relative to the parent. */
  bind: number[];
  /** Inverse of the bind pose in model space, which a palette contains. */
  inverse_bind: number[];
}

/** Event of an animation. */
export interface SkelobjEvent {
  /** Seconds from the start of the animation. */
  time: number;
  /** Code of the event. */
  code: number;
  /** Text of the event. */
  data: string | null;
}

/** Animation (framegroup) of a model. Animations are numbered from 0, as an entity's frame. */
export interface SkelobjAnimation {
  /** Name; may be empty. */
  name: string | null;
  /** Number of poses. */
  poses: number;
  /** Poses per second. */
  rate: number;
  /** Duration, seconds. */
  duration: number;
  /** 1 if the animation starts again after its end. */
  looping: number;
  /** 1 if the animation shows the bind pose only. */
  is_rest_pose: number;
  /** Action (activity) that the animation shows; -1 for none. */
  action: number;
  /** Share of the animation in the choices for its action. */
  action_weight: number;
  /** Number of events. */
  event_count: number;
  /** Events in the order of their times. */
  events: Address;
}

/** Extent of a model in one frame. */
export interface SkelobjBounds {
  /** Lowest corner, model space. */
  mins: number[];
  /** Highest corner, model space. */
  maxs: number[];
  /** Radius around the Z axis. */
  xy_radius: number;
  /** Radius around the origin. */
  radius: number;
}

/** Bones that move a vertex. */
export interface SkelobjInfluences {
  /** Indices of up to four bones in a palette: they begin at 0. */
  bones: number[];
  /** Weights of the bones; their sum is 1. */
  weights: number[];
}

/** Mesh of a model. Arrays without data are null; all others have `vertex_count` elements. */
export interface SkelobjMesh {
  /** Name; may be empty. */
  name: string | null;
  /** Name of the material or texture. */
  material: string | null;
  /** Number of vertices. */
  vertex_count: number;
  /** Number of triangles. */
  triangle_count: number;
  /** Positions: 3 floats each, model space. */
  positions: Address;
  /** Normals: 3 floats each. */
  normals: Address;
  /** Tangents: 4 floats each; the fourth is the sign of the bitangent. */
  tangents: Address;
  /** Texture coordinates: 2 floats each. */
  texcoords: Address;
  /** Colours: red, green, blue (sRGB) and alpha, 4 floats each, 0 to 1. */
  colors: Address;
  /** Bones of each vertex. */
  influences: Address;
  /** Indices of vertices: 3 for each triangle. */
  triangles: Address;
  /** Group of each triangle; null if all are in one. */
  triangle_groups: Address;
  /** Number of morph targets. */
  morph_count: number;
  /** 1 if the vertices move by frames or morph targets: skelobj_skin takes a frame. */
  is_morphed: number;
  /** Contents of the surface, as in a map. */
  contents: number;
  /** Flags of the surface, as in a map. */
  flags: number;
  /** Part of the body that the mesh belongs to. */
  body: number;
  /** Set of meshes of which one is shown; 4294967295 for none. */
  geomset: number;
  /** Number of the mesh in its set. */
  geomid: number;
  /** Distance from which on the mesh is shown, units. */
  min_distance: number;
  /** Distance up to which the mesh is shown, units; 0 for any. */
  max_distance: number;
}

/** Material of a skin. */
export interface SkelobjSkinMaterial {
  /** Name of the material. */
  material: string | null;
  /** Name of the shader; may be empty. */
  shader: string | null;
}

/** Materials that replace that of a mesh. Skins are numbered from 0, as an entity's skin, for each mesh. */
export interface SkelobjSkin {
  /** Index of the mesh. */
  mesh: number;
  /** Number of materials, at least 1. */
  material_count: number;
  /** Materials in the order in which they are shown. */
  materials: Address;
  /** Seconds for which each material is shown. */
  interval: number;
}

/** Appearance of a material. */
export interface SkelobjMaterial {
  /** Name, by which meshes refer to it. */
  name: string | null;
  /** Colour that multiplies the texture: red, green, blue (linear light), alpha, 0 to 1. */
  color: number[];
  /** 1 if the texture has holes: a pixel is drawn if its opacity is one half or more. */
  is_masked: number;
  /** 1 if the surface is as transparent as its colour and texture. It is opaque where this and `is_masked` are 0. */
  is_blended: number;
  /** 1 if the file has more of the material than this. */
  has_more: number;
  /** Name of the texture's file; null if there is none. */
  texture: string | null;
  /** Texture inside the model, as a picture file; null if there is none. */
  texture_bytes: Address;
  /** Number of those bytes. */
  texture_size: number;
  /** Media type of those bytes, such as "image/png"; null if there are none. */
  texture_type: string | null;
}

/** Box around a bone, for traces. */
export interface SkelobjHitBox {
  /** Number of the bone. */
  bone: number;
  /** Group of the box, such as 1 for a head in studio models. */
  group: number;
  /** Lowest corner, relative to the bone. */
  mins: number[];
  /** Highest corner, relative to the bone. */
  maxs: number[];
}

/**
 * Tag of a model: a bone, an attachment of a bone, or a tag of a vertex-animated model. Tags are numbered from 1 in
 * this order, so the number of a bone is that of its tag.
 */
export interface SkelobjTag {
  /** Name; may be empty. */
  name: string | null;
  /** Number of the tag that it moves with; 0 for none. */
  parent: number;
  /** Place relative to its bone, for attachments; otherwise the identity. */
  offset: number[];
}

/** Data of a model. All pointers are valid until skelobj_model_free, and constant. */
export interface SkelobjModelData {
  /** Bones. */
  bones: Address;
  /** Animations. */
  animations: Address;
  /** Poses of all frames, relative to the parents: 12 floats for each bone of each frame. */
  frames: Address;
  /** Bounds of the frames; null if they are not known, otherwise one for each. */
  bounds: Address;
  /** Meshes. */
  meshes: Address;
  /** Skins. */
  skins: Address;
  /** Materials; those of most formats are only names in the meshes. */
  materials: Address;
  /** Hit boxes. */
  hit_boxes: Address;
  /** Tags. */
  tags: Address;
  /** Comments of the author. */
  comments: Address;
  /** Defects that were repaired while loading, as texts. */
  warnings: Address;
  /** Number of bones. */
  bone_count: number;
  /** Number of animations. */
  animation_count: number;
  /** Number of frames. */
  frame_count: number;
  /** Number of bounds: 0 or that of the frames. */
  bounds_count: number;
  /** Number of meshes. */
  mesh_count: number;
  /** Number of skins. */
  skin_count: number;
  /** Number of materials. */
  material_count: number;
  /** Number of hit boxes. */
  hit_box_count: number;
  /** Number of tags. */
  tag_count: number;
  /** Number of comments. */
  comment_count: number;
  /** Number of warnings. */
  warning_count: number;
  /** 1 if the bones have a bind pose; 0 for files that only have animations. */
  has_bind: number;
  /** Effect flags of the file. */
  flags: number;
}

/** One animation at one time with one weight. */
export interface SkelobjBlend {
  /** Seconds from the start of the animation; it need not be wrapped. */
  time: number;
  /** Number of the animation. */
  animation: number;
  /** Weight in the sum; 0 for none. */
  weight: number;
}

/** Animations that pose a model. Get one from skelobj_default_frame_def. */
export interface SkelobjFrameDef {
  /** Proof that the def was initialised. */
  cookie: number;
  /** Number of bones at the start that `base` poses instead of `blends`. Default 0. */
  base_bones: number;
  /** Animations of all bones. Default: the start of animation 0. */
  blends: SkelobjBlend[];
  /** Animations of the first bones. */
  base: SkelobjBlend[];
  /** Controllers of studio models, 0 to 1 each; the fifth is the mouth. */
  controllers: number[];
  /** Blending of studio models, 0 to 1 each. */
  blending: number[];
  /**
   * An entity's 17 frame fields, which replace `blends` and `base` if this is not null: frame, frame2, frame3,
   * frame4, frame1time, frame2time, frame3time, frame4time, lerpfrac, lerpfrac3, lerpfrac4, basebone, baseframe,
   * baseframe2, baseframe1time, baseframe2time, baselerpfrac. They are read with FTE's rounding.
   */
  fields: Address;
  /**
   * 1 if the fields are a server's: only frame, frame1time, basebone and baseframe are read, and both frames play at
   * frame1time. Default 0.
   */
  is_server: number;
}

/** Fit of the bones of two models. */
export interface SkelobjBoneMatch {
  /** Number of bones that both have. */
  matched: number;
  /** Number of bones that the added model lacks. */
  missing: number;
  /** Number of bones that only the added model has. */
  unused: number;
  /** Number of bones with different parents. */
  reparented: number;
}

/** Format of models. */
export interface SkelobjFormat {
  /** Usual extension of its files, without a dot. */
  extension: string;
  /** Name for people. */
  name: string;
  /** 1 if skelobj_model_write writes it. */
  is_writable: number;
}

/** Bone of a model to be made. */
export interface SkelobjBonePart {
  /** Name; null for none. */
  name: string | null;
  /** Number of the parent (from 1), less than the bone's own; 0 for a root. */
  parent: number;
  /** Bind pose, relative to the parent. */
  bind: number[];
}

/** Animation of a model to be made. */
export interface SkelobjAnimationPart {
  /** Name; null for none. */
  name: string | null;
  /** First of its frames. */
  first: number;
  /** Number of its frames. */
  count: number;
  /** Frames per second. */
  rate: number;
  /** 1 if it starts again after its end. */
  looping: number;
}

/** Mesh of a model to be made. Arrays that a mesh does not have are null. */
export interface SkelobjMeshPart {
  /** Name; null for none. */
  name: string | null;
  /** Name of the material; null for none. */
  material: string | null;
  /** Number of vertices. */
  vertex_count: number;
  /** Number of triangles. */
  triangle_count: number;
  /** Positions: 3 floats for each vertex, model space. */
  positions: Address;
  /** Normals: 3 floats for each vertex. */
  normals: Address;
  /** Texture coordinates: 2 floats for each vertex. */
  texcoords: Address;
  /** Bones of each vertex. */
  influences: Address;
  /** Indices of vertices: 3 for each triangle. */
  triangles: Address;
}

/** Place on a bone, for a model to be made. */
export interface SkelobjAttachmentPart {
  /** Name. */
  name: string | null;
  /** Number of the bone. */
  bone: number;
  /** Place relative to the bone. */
  offset: number[];
}

/** Parts of a model. Get one from skelobj_default_model_def. */
export interface SkelobjModelDef {
  /** Proof that the def was initialised. */
  cookie: number;
  /** Effect flags. */
  flags: number;
  /** Bones; parents come before children. */
  bones: Address;
  /** Animations. */
  animations: Address;
  /** Poses of all frames, relative to the parents: 12 floats for each bone of each frame. */
  frames: Address;
  /** Meshes. */
  meshes: Address;
  /** Attachments. */
  attachments: Address;
  /** Hit boxes. */
  hit_boxes: Address;
  /** Number of bones. */
  bone_count: number;
  /** Number of animations. */
  animation_count: number;
  /** Number of frames. */
  frame_count: number;
  /** Number of meshes. */
  mesh_count: number;
  /** Number of attachments. */
  attachment_count: number;
  /** Number of hit boxes. */
  hit_box_count: number;
}

/** Event that an animation passes. */
export interface SkelobjPassedEvent {
  /** Time at which it is passed, on the clock of the call, seconds. */
  time: number;
  /** Code of the event. */
  code: number;
  /** Start of its text; SkelobjAnimation has the whole. */
  data: string;
}

/** Poses around a time of an animation. */
export interface SkelobjPosesAt {
  /** Frame of the pose before; -1 if the pose is not one of the model's frames. */
  before: number;
  /** Frame of the pose after; -1 as above. */
  after: number;
  /** Share of the pose after, 0 to 1. */
  share: number;
}

/** Arithmetic of skinning. Get one from skelobj_default_skin_def. */
export interface SkelobjSkinDef {
  /** Proof that the def was initialised. */
  cookie: number;
  /** Length of normals and tangents, SKELOBJ_NORMAL_LENGTH_... Default SKELOBJ_NORMAL_LENGTH_EXACT. */
  normals: number;
  /**
   * 1 to let the processor round once where it multiplies and adds: faster, and slightly different from machine to
   * machine. Default 0.
   */
  fused: number;
}

/** Shape of a level body. Get one from skelobj_default_shape. */
export interface SkelobjShape {
  /** Kind, SKELOBJ_SHAPE_KIND_... */
  kind: number;
  /** Extent of a box along x, y and z, units. */
  size: number[];
  /** Points of a hull or mesh, or the corners of one polygon after another; relative to the body. */
  points: Address;
  /** Indices of points: 3 for each triangle of a mesh. */
  triangles: Address;
  /** Number of corners of each polygon. */
  corners: Address;
  /** Number of points. */
  point_count: number;
  /** Number of triangles. */
  triangle_count: number;
  /** Number of polygons. */
  polygon_count: number;
  /** 1 if triangles and polygons are clockwise seen from outside, as Quake's are; 0 if counter-clockwise. */
  is_clockwise: number;
}

/** Level body to be added. Get one from skelobj_default_level_body_def. */
export interface SkelobjLevelBodyDef {
  /** Proof that the def was initialised. */
  cookie: number;
  /** 1 for a body that moves, such as a door or a lift: skelobj_level_body_set_target. Default 0. */
  is_moving: number;
  /** Shapes. */
  shapes: Address;
  /** Number of shapes. */
  shape_count: number;
  /** Place, without scale. Default: the identity. */
  matrix: number[];
}

/** Level from a BSP file: which of its bodies to add. Get one from skelobj_default_level_def. */
export interface SkelobjLevelDef {
  /** Proof that the def was initialised. */
  cookie: number;
  /** 1 to add what only players bump into. Default 0. */
  clip: number;
  /** 1 to add the sky. Default 1. */
  sky: number;
}

/** Summary of a level. */
export interface SkelobjLevelInfo {
  /** Number of brush models; the first is the world. */
  model_count: number;
  /** Number of entities in its text. */
  entity_count: number;
  /** Number of triangles of the world. */
  triangle_count: number;
  /** Number of liquids of the world. */
  liquid_count: number;
  /** Number of defects that were repaired. */
  warning_count: number;
  /** Number of surfaces. */
  surface_count: number;
}

/** Level body of an entity. */
export interface SkelobjEntityBody {
  /** Index of the entity in the level's text. */
  entity: number;
  /** Number of the brush model that it shows: 6 for "*6". */
  model: number;
  /** Body of that entity. */
  body: SkelobjLevelBody;
}

/** Body of water to be added. Get one from skelobj_default_water_def. */
export interface SkelobjWaterDef {
  /** Proof that the def was initialised. */
  cookie: number;
  /** Number of planes; 0 (default) for a box. */
  plane_count: number;
  /** Planes around the water: normal and distance each; the normals point outwards. */
  planes: Address;
  /** Lowest corner of a box. */
  mins: number[];
  /** Highest corner of a box. */
  maxs: number[];
  /** Density relative to water. Default 1. */
  density: number;
  /** Drag. */
  drag: number;
  /** Current, units per second. */
  current: number[];
}

/** Surface of a part of a level: its texture or shader. */
export interface SkelobjLevelSurface {
  /** Surface flags as the file's format defines them; 0 where it has none. */
  flags: number;
  /** Contents bits as the file's format defines them; 0 where it has none. */
  contents: number;
  /**
   * Texture in the file, for skelobj_level_texture. -1 if there is none, as in Quake II and III, whose textures are
   * files, or if its projection is not finite; `s` and `t` are 0 then.
   */
  texture: number;
  /**
   * Column of the texture at a point of the brush model's space: the products with the first three numbers and the
   * fourth, added up, texels.
   */
  s: number[];
  /** Row of the texture at a point, from the top, like `s`. */
  t: number[];
}

/** Texture in a BSP file. */
export interface SkelobjLevelTexture {
  /** Width, pixels. */
  width: number;
  /** Height, pixels. */
  height: number;
  /** 1 if the texture has its own palette, as in Half-Life; 0 if it has that of the game, as in Quake. */
  has_palette: number;
}

/** Summary of an object. */
export interface SkelobjObjectInfo {
  /** Model of the object; none if it was removed from the world, or the host has freed its id. */
  model: SkelobjModel;
  /** Number of bones. */
  bone_count: number;
  /** Space of the bones, SKELOBJ_SPACE_... */
  space: number;
  /** 1 if the object has been built. */
  is_built: number;
  /** 1 if the object has been built since its ragdoll last read it. */
  is_built_since_ragdoll: number;
  /** 1 if the object has a ragdoll. */
  has_ragdoll: number;
  /** Rule by which poses are mixed, SKELOBJ_BLENDING_... */
  blending: number;
}

/** Mix of the new pose with the old one in skelobj_build. Get one from skelobj_default_build_def. */
export interface SkelobjBuildDef {
  /** Proof that the def was initialised. */
  cookie: number;
  /** First bone to build. Default 1. */
  first_bone: number;
  /** Last bone to build; 0 (default) for the object's last. */
  last_bone: number;
  /** Weight of the old pose. Default 0. */
  retain: number;
  /** Weight of the new pose. Default 1. */
  add: number;
  /** 1 to normalise the rotations afterwards. Default 0. */
  normalized: number;
}

/** Aim of a chain of bones. Get one from skelobj_default_aim_def. */
export interface SkelobjAimDef {
  /** Proof that the def was initialised. */
  cookie: number;
  /** Part of the turn that is made, 0 to 1 (default). */
  weight: number;
  /** Greatest angle by which the axis turns from its direction in the pose, radians. Default: half a turn. */
  limit: number;
  /**
   * Direction in the last bone's own space that points at the target; 0 (default) for the one that is forward in the
   * bind pose.
   */
  axis: number[];
  /**
   * Direction in the last bone's own space that turns to the side of the pole; 0 (default) for the one that is up in
   * the bind pose, or forward if the axis is up.
   */
  up: number[];
  /** Direction in model space that keeps the last bone upright; 0 to add no roll. Default: up. */
  pole: number[];
  /** Place in the last bone's own space from which the axis begins. Default 0. */
  offset: number[];
  /** Doll whose stops replace the limit by the sum of the narrowest stop of each bone. Default none. */
  doll: SkelobjDoll;
}

/** Reach of a limb. Get one from skelobj_default_reach_def. */
export interface SkelobjReachDef {
  /** Proof that the def was initialised. */
  cookie: number;
  /** Part of the correction that is made, 0 to 1 (default). */
  weight: number;
  /** Part of the limb's length from which the end falls behind the target, 0 to 1. Default 0.97. */
  soften: number;
  /** Turn of the limb about the line to the target, radians. Default 0. */
  twist: number;
  /** Least angle between the segments, radians. Default 0. */
  least_bend: number;
  /** Greatest angle between the segments, radians. Default: half a turn, straight. */
  greatest_bend: number;
  /** Direction in model space to whose side the middle points; 0 (default) to keep the plane in which it is bent. */
  pole: number[];
  /**
   * Axis in the middle bone's own space about which a positive turn opens the limb; 0 (default) for the one of the
   * pose, or of the bind pose where it is straight.
   */
  hinge: number[];
  /** Rotation of the bone at the end, SKELOBJ_END_ROTATION_... */
  end: number;
  /** Quaternion x, y, z, w for SKELOBJ_END_ROTATION_KEPT_THEN. */
  end_turn: number[];
  /** Doll whose hinge in the middle of the limb gives the hinge and both bends. Default none. */
  doll: SkelobjDoll;
}

/** Spring of a chain of bones. Get one from skelobj_default_spring_def. */
export interface SkelobjSpringDef {
  /** Proof that the def was initialised. */
  cookie: number;
  /** Swings per second without damping, 0.01 to 100. Default 2. */
  frequency: number;
  /**
   * Damping ratio, from 0, with which a single bone swings for ever, to 1, with which it does not overshoot. Default
   * 0.3.
   */
  damping: number;
  /** Acceleration in world space, Quake units per second squared. Default 0. */
  gravity: number[];
  /** Greatest angle from the animation, radians. Default: half a turn, none. */
  limit: number;
  /** Radius of the bones for colliders, Quake units of the model. Default 0. */
  radius: number;
  /**
   * Distance from where its speed would have brought it, in lengths of the chain, beyond which the start of the chain
   * has jumped, so that the spring begins anew; 0 for never. Default 4.
   */
  teleport: number;
  /** Part of the swing that is shown, 0 to 1. Default 1. */
  weight: number;
  /** Part of the swing of the bone above that a bone follows, 0 to 1. Default 0.5. */
  share: number;
}

/** Feet of a character. Get one from skelobj_default_feet_def. */
export interface SkelobjFeetDef {
  /** Proof that the def was initialised. */
  cookie: number;
  /**
   * Height of the floor of the animations in model space: -24 for a model whose origin is that of Quake's player.
   * Default 0.
   */
  floor: number;
  /** Greatest height of a step from one foot to another, Quake units of the model. Default 18. */
  step: number;
  /** Greatest angle by which the ground tilts a sole, radians. Default 0.6. */
  slope: number;
  /** Frequency of the critically damped spring of the pelvis, swings per second, 0.1 to 100. Default 3. */
  frequency: number;
  /** Part of the correction that is made, 0 to 1: 1 (default) on the ground, 0 in the air. */
  weight: number;
  /**
   * Finds the first ground on a line straight down from `from` to `to`, world space. Returns the fraction of the line
   * before the ground, and writes the normal of the ground there; returns 2 if there is none, or if the line starts
   * in something solid. It must not call the world. Null (default) for the level of the world.
   */
  trace: Address;
  /** Handed to `trace`. */
  user: Address;
}

/** Problem in the text of a doll. */
export interface SkelobjDollProblem {
  /** 1 for an error: a line was left out or changed; 0 for a warning. */
  is_error: number;
  /** Line of the text, from 1. */
  line: number;
  /** Column in bytes of UTF-8, from 1. */
  column: number;
  /** First byte that the problem is about, in the text as skelobj_doll_decode returns it. */
  start: number;
  /** End of those bytes. */
  end: number;
  /** Short name of the kind of problem, such as "stop-in-degrees", which stays the same between versions. */
  code: string;
  /** Message, "line:column: severity: what is wrong". */
  text: string;
  /** Text to write in the place of those bytes; empty if none is known. */
  suggestion: string;
}

/** Body of a doll. */
export interface SkelobjDollBody {
  /** Name. */
  name: string;
  /** Name of the bone that it drives, cut to 63 bytes. */
  bone: string;
  /** Name of the bone that it points to, cut to 63 bytes; empty for none. */
  toward: string;
  /** Number of the bone that it drives in the model of the call; 0 for none. */
  bone_number: number;
  /** Number of the bone that it points to in the model of the call; 0 for none. */
  toward_number: number;
  /** Shape: box, sphere, capsule or cylinder, as SKELOBJ_BODY_SHAPE_... */
  shape: number;
  /** Size along its axes, units. */
  size: number[];
  /** Mass. */
  mass: number;
  /** Density relative to water. */
  density: number;
  /** Share of the animation: 0 is limp. */
  animate: number;
  /** 1 if `offset` and `angles` place it relative to its bone. */
  has_offset: number;
  /** Position relative to its bone, units. */
  offset: number[];
  /** Angles relative to its bone, degrees. */
  angles: number[];
  /** 1 if debug drawing shows it. */
  draw: number;
  /** Line of the text. */
  line: number;
}

/** Joint of a doll. */
export interface SkelobjDollJoint {
  /** Name. */
  name: string;
  /** Kind, such as "hinge", as in the text. */
  kind: string;
  /** Name of the bone at which it turns, cut to 63 bytes; empty for that of the first body. */
  pivot: string;
  /** Number of the bone at which it turns in the model of the call; 0 for none. */
  pivot_number: number;
  /** Index of its first body. */
  body1: number;
  /** Index of its second body; -1 for the world. */
  body2: number;
  /** First axis. */
  axis: number[];
  /** Second axis. */
  axis2: number[];
  /** Position relative to the pivot, units. */
  offset: number[];
  /** Lowest angles (radians) or distances (units) of both axes. */
  stop_lo: number[];
  /** Highest angles or distances of both axes. */
  stop_hi: number[];
  /** Lowest and highest twist of a cone joint, radians. */
  twist: number[];
  /** Greatest friction of both axes. */
  fmax: number[];
  /** Softness of both axes. */
  cfm: number[];
  /** Share of an error that a step repairs, of both axes. */
  erp: number[];
  /** Strength of the muscle. */
  muscle: number;
  /** Damping of the muscle; negative for that of its strength. */
  muscle_damping: number;
  /** Time over which the muscle slackens once the joint is limp, seconds; 0 if it does not. */
  slacken: number;
  /** 1 if the joint holds. */
  enabled: number;
  /** 1 if debug drawing shows it. */
  draw: number;
  /** Line of the text. */
  line: number;
}

/** Limits of a check. Get one from skelobj_default_check_def. */
export interface SkelobjCheckDef {
  /** Proof that the def was initialised. */
  cookie: number;
  /** Number of drops, 0 to 10000. Default 20. */
  drops: number;
  /**
   * Maximum gap of a joint at rest, units, of a doll of the mannequin's size; the limit follows the size in steps of
   * two. Eight times as much is allowed while falling. Default 0.5.
   */
  max_gap: number;
  /** Maximum time to come to rest, 0 to 600 seconds. Default 8. */
  max_sleep: number;
  /** Maximum excess of a joint beyond a stop, radians. Default 0.5. */
  max_stop_excess: number;
  /** Maximum excess of a slider beyond a stop, units, of a doll of the mannequin's size. Default 4. */
  max_slide_excess: number;
}

/** Fall of a doll in a world of its own, to judge it. Get one from skelobj_default_drop_def. */
export interface SkelobjDropDef {
  /** Proof that the def was initialised. */
  cookie: number;
  /** Animation that plays first; -1 for the bind pose, -2 (default) for the first that is a death. */
  animation: number;
  /** Time for which the animation plays, 0 to 600 seconds. */
  play: number;
  /** Time over which the bodies become limp while the animation plays on, seconds, 0 to 600; 0 is at once. */
  fade: number;
  /** Maximum time of the fall, at most 600 seconds; negative (default) for the usual one, 10 seconds. */
  seconds: number;
  /** Height of the entity above the floor, units, at most 1e6; negative (default) for the usual one. */
  height: number;
  /** Angles of the entity, degrees. */
  angles: number[];
  /** Velocity that is added to that of the animation, units per second. */
  velocity: number[];
  /** Angular velocity, radians per second. */
  angular_velocity: number[];
  /** 1 if there is water up to `water`. */
  has_water: number;
  /** Surface of the water, units. */
  water: number;
  /** 1 to take height, angles and spin from `seed`. */
  is_seeded: number;
  /** Number of a random fall. */
  seed: bigint;
  /** Level to fall in; none (default) for a floor at z = 0. */
  level: SkelobjLevel;
  /** Position of the entity, to which the height is added, units. */
  at: number[];
}

/** Result of a fall. */
export interface SkelobjDropReport {
  /** Number of bodies. */
  bodies: number;
  /** Number of joints. */
  joints: number;
  /** Number of physics steps. */
  steps: number;
  /** Length of a step, seconds. */
  dt: number;
  /** Time until all bodies slept, seconds; negative if they did not. */
  asleep_after: number;
  /** 1 if the doll fell out of the level through a hole. */
  left_level: number;
  /** Widest gap of a joint during the fall, units. */
  max_gap_falling: number;
  /** Widest gap of a joint at rest, units. */
  max_gap_resting: number;
  /** Farthest beyond a stop during the fall, radians; for sliders units. */
  max_stop_excess: number;
  /** Farthest beyond a stop at rest, radians; for sliders units. */
  resting_stop_excess: number;
  /** Greatest speed at the end, units per second. */
  rest_speed: number;
  /** Lowest point of a body, units. */
  lowest_z: number;
  /** Number of positions, rotations, velocities and bones that were not finite, summed over all steps. */
  non_finite: number;
  /** Kinetic and potential energy within the last tenth of a second, mass * (units / s)^2. */
  energy: number;
}

/** Start of a fall. */
export interface SkelobjDropStart {
  /** Matrix of the entity. */
  matrix: number[];
  /** Velocity to add at the moment of letting go, units per second. */
  velocity: number[];
  /** Angular velocity at the moment of letting go, about the centre of mass, radians per second. */
  angular_velocity: number[];
  /** Animation that plays first; -1 for the bind pose. */
  animation: number;
  /** Number of physics steps for which the animation plays. */
  play_steps: number;
}

/** Options of skelobj_doll_fit. Get one from skelobj_default_fit_def. */
export interface SkelobjFitDef {
  /** Proof that the def was initialised. */
  cookie: number;
  /** Maximum number of bodies, 1 to 256; the smallest are left out. Default 48. */
  max_bodies: number;
  /** 1 to fit bodies along the bones of a model whose skin has fewer than four vertices. Default 0, a failure. */
  without_skin: number;
  /** Name of the model for the first line of the text. Default null: no name. */
  name: string | null;
}

/** Word that begins a line of a .doll file, for editors. */
export interface SkelobjDirective {
  /** Word in its usual case; any case is accepted. */
  word: string;
  /** Spelling of the line: capitals stand for arguments, brackets for those that may be left out, bars for a choice. */
  usage: string;
  /** Place in a doll where the line may stand, SKELOBJ_DIRECTIVE_SCOPE_... */
  scope: number;
}

/** Flinch of a living character. Get one from skelobj_default_flinch_def. */
export interface SkelobjFlinchDef {
  /** Proof that the def was initialised. */
  cookie: number;
  /** Number of joints over which a flinch spreads. Default 3. */
  spread: number;
  /** Duration of the flinch, seconds. Default 0.5. */
  seconds: number;
  /** Strength of the flinch, 0 to 1. Default 0.9. */
  strength: number;
}

/** Owner of a body that something touches. */
export interface SkelobjOwner {
  /** Object whose ragdoll the body belongs to; none for a level body. */
  object: SkelobjObject;
  /** Number of the bone that the body drives; 0 for none. */
  bone: number;
  /** Index of the body in its ragdoll; -1 for none. */
  body: number;
  /** Level body; none for the body of a ragdoll. */
  level_body: SkelobjLevelBody;
}

/** Impact of a ragdoll in the last frame. */
export interface SkelobjImpact {
  /** Body of the ragdoll. */
  own: SkelobjOwner;
  /** Body that it hit. */
  other: SkelobjOwner;
  /** Point, world space. */
  point: number[];
  /** Direction away from what it hit. */
  normal: number[];
  /** Impulse, mass * units per second. */
  impulse: number;
  /** Speed against each other, units per second. */
  speed: number;
}

/** Animation from which a ragdoll can get up. */
export interface SkelobjPoseMatch {
  /** Number of the animation. */
  animation: number;
  /** Time in the animation, seconds. */
  time: number;
  /**
   * Distance between the ragdoll and the pose, units: the root mean square over the boxes around the bodies, each
   * weighted by its mass.
   */
  distance: number;
  /** Origin for the entity, world space. */
  origin: number[];
  /** Yaw for the entity, degrees. */
  yaw: number;
}

/** Summary of a ragdoll. */
export interface SkelobjRagdollInfo {
  /** Number of bodies. */
  body_count: number;
  /** Number of joints. */
  joint_count: number;
  /** Number of bodies that follow the animation. */
  animated: number;
  /** 1 if all bodies sleep. */
  is_asleep: number;
  /** Number of times that bodies were put back because their numbers ran away. */
  resets: number;
  /** Share of the animation, 0 to 1. */
  drive_strength: number;
  /** Centre of mass, world space. */
  centre: number[];
  /** Lowest point of a body, world space. */
  lowest: number;
  /** Kinetic and potential energy. */
  energy: number;
  /** Collision groups of the bodies, SKELOBJ_GROUP_... */
  groups: number;
  /** Way to rest, SKELOBJ_REST_MODE_... */
  rest_mode: number;
  /** 1 if the ragdoll fell out of the level and is no longer simulated. */
  has_left_level: number;
}

/** Body of a ragdoll, for debug drawing and game code. */
export interface SkelobjBodyState {
  /** Name. */
  name: string;
  /** Number of the bone that it drives. */
  bone: number;
  /** Shape, SKELOBJ_BODY_SHAPE_... */
  shape: number;
  /** Size along its axes, units. */
  size: number[];
  /** Place, world space. */
  matrix: number[];
  /** Velocity, units per second. */
  velocity: number[];
  /** Angular velocity, radians per second. */
  angular_velocity: number[];
  /** Share of the animation: 0 is limp. */
  strength: number;
  /** 1 if it sleeps. */
  is_sleeping: number;
  /** Mode, SKELOBJ_BODY_MODE_... */
  mode: number;
}

/** Joint of a ragdoll. */
export interface SkelobjJointState {
  /** Name. */
  name: string;
  /** 1 if it holds. */
  is_enabled: number;
  /** Distance of its anchors, units; 0, as the excess below, if it is disabled. */
  gap: number;
  /** Anchor on the first body, world space. */
  anchor1: number[];
  /** Anchor on the second body, world space. */
  anchor2: number[];
  /** Angles (radians) or distances (units) of both axes. */
  position: number[];
  /** Distance beyond their stops. */
  excess: number[];
  /** Twist of a cone joint, radians. */
  twist: number;
  /** Angle beyond its stops, radians. */
  twist_excess: number;
  /** Mode, SKELOBJ_JOINT_MODE_... */
  mode: number;
}

/** Point at which a body of a ragdoll touches something else. */
export interface SkelobjContactPoint {
  /** Index of the body in its ragdoll. */
  body: number;
  /** Body that it touches; none for one of the host's own. */
  other: SkelobjOwner;
  /** Point, world space. */
  point: number[];
  /** Direction in which the contact pushes the body. */
  normal: number[];
  /** Depth by which the surfaces overlap, units; negative if they are apart. */
  depth: number;
  /** Force along the normal without friction, mass * units/s^2: the mean over the last step that moved the ragdoll. */
  force: number;
}

/** Line, or box that moves along a line. Get one from skelobj_default_trace_def. */
export interface SkelobjTraceDef {
  /** Proof that the def was initialised. */
  cookie: number;
  /** Collision groups that are hit, a sum of SKELOBJ_GROUP_... Default: all. */
  groups: number;
  /** Start, world space. */
  start: number[];
  /** End, world space. */
  end: number[];
  /** Lowest corner of the box, relative to the line; 0 for a line. */
  mins: number[];
  /** Highest corner of the box, relative to the line; 0 for a line. */
  maxs: number[];
  /** Object whose ragdoll is ignored; none (default) for no object. */
  excluded: SkelobjObject;
  /**
   * Object to trace alone, without the world; none (default) for the world. Only objects with a ragdoll are in the
   * world.
   */
  object: SkelobjObject;
  /** Geometry of that object, SKELOBJ_GEOMETRY_... */
  geometry: number;
  /** Matrix of that object's entity; ignored in the past. */
  entity: number[];
  /**
   * 1 to trace through recorded poses, of all objects with the level of the present or of `object` alone, as they
   * were at `time`; 0 (default) for the present. See skelobj_keep_history.
   */
  is_past: number;
  /** 1 if a time outside of the recorded ones stands for the nearest of them; 0 (default) if it is an error. */
  is_clamped: number;
  /** Time of the past, seconds, on the clock of skelobj_record_pose. */
  time: number;
}

/** Hit of a trace. */
export interface SkelobjHit {
  /** Fraction of the line, 0 to 1; 1 if nothing was hit. */
  fraction: number;
  /** Point at which the line or the origin of the box stopped, world space. */
  point: number[];
  /** Normal of the surface; 0 if the trace starts inside what it hits, or meets nothing after that. */
  normal: number[];
  /** Object that was hit; none for anything else. */
  object: SkelobjObject;
  /** Number of the bone that was hit; 0 for none. */
  bone: number;
  /** Kind of the surface, SKELOBJ_SURFACE_KIND_... */
  surface: number;
  /** Level body that was hit; none for anything else. */
  level_body: SkelobjLevelBody;
  /** Number of body, hit box, mesh or shape; -1 for none. */
  index: number;
  /** Number of the triangle; -1 for none. */
  triangle: number;
  /**
   * 1 if the trace starts inside something solid; else 0. It goes on to the open, but a line from inside a body of a
   * ragdoll hits that body.
   */
  start_solid: number;
  /** 1 if the trace never leaves what it starts in; else 0. */
  all_solid: number;
}

/** Contact of a level body. */
export interface SkelobjContact {
  /** Body that touches it. */
  other: SkelobjOwner;
  /** Depth by which it is inside, units. */
  depth: number;
}

/** Entity with a model, for tags. */
export interface SkelobjEntity {
  /** Matrix, model space to world space; of an attached entity, to the tag that it hangs on. */
  matrix: number[];
  /** Model of the world that it shows; none for no model. */
  model: SkelobjModel;
  /** Object that poses it; none for no object. */
  object: SkelobjObject;
  /** Animations that it plays without an object; null for the start of animation 0. */
  frame: Address;
  /** Number of its tag that is asked for, or that the entity before it in a list hangs on; 0 for the entity itself. */
  tag: number;
}

/** Settings of a history of poses. Get one from skelobj_default_history_def. */
export interface SkelobjHistoryDef {
  /** Proof that the def was initialised. */
  cookie: number;
  /** Time before the newest record that the history covers, seconds; at most 3600. Default 1. */
  seconds: number;
  /** Memory for records, bytes; the oldest ones make room for new ones. Default 64 MiB. */
  max_bytes: bigint;
  /** 1 for 14 to 24 bytes per bone, off by 0.02 units at most; 0 (default) for 48 bytes, which are exact. */
  is_packed: number;
}

/** Outcome of a call. `skelobj_last_error` returns the text that belongs to the last failure. */
export declare const Status: {
  /** The call did what it says. */
  readonly OK: 0;
  /** A pointer that must not be null is null. */
  readonly NULL_POINTER: 1;
  /** A pointer is not aligned for its type. */
  readonly MISALIGNED: 2;
  /** The id is 0, was never given out, was deleted, or belongs to something of another kind. */
  readonly BAD_ID: 3;
  /** A def does not come from its `skelobj_default_..._def` function. */
  readonly BAD_DEF: 4;
  /** A text is not UTF-8 where it must be. */
  readonly BAD_TEXT: 5;
  /** A number is not finite, negative where it must not be, or out of range. */
  readonly BAD_NUMBER: 6;
  /** No bone, animation, mesh, body, file or the like has this number or name. */
  readonly NOT_FOUND: 7;
  /** The buffer is too small. Nothing was written into it; the needed size was. */
  readonly BUFFER_TOO_SMALL: 8;
  /** The world is in use: by a call whose callback makes this one, or by another thread. */
  readonly BUSY: 9;
  /** A limit is exceeded. */
  readonly LIMIT: 10;
  /** A model, level or player cannot be read or written. */
  readonly BAD_FILE: 11;
  /** A call on models or objects does not fit them. */
  readonly MISMATCH: 12;
  /** The ragdoll or its doll cannot do this. */
  readonly RAGDOLL: 13;
  /** The level or the water cannot do this. */
  readonly LEVEL: 14;
  /** A snapshot is damaged or does not fit the world. */
  readonly BAD_SNAPSHOT: 15;
  /** A message of bones is damaged or does not fit the object. */
  readonly BAD_MESSAGE: 16;
  /**
   * skelobj has met a bug of its own and has stopped the call. The only thing left to do with the world of the call
   * is `skelobj_world_free`.
   */
  readonly PANIC: 17;
};

/** Kind of thing, which bits 24 to 27 of its id state. */
export declare const Kind: {
  /** Nothing: the id is all zeros. */
  readonly NONE: 0;
  /** World: a runtime with its objects, ragdolls and physics. */
  readonly WORLD: 1;
  /** Model. */
  readonly MODEL: 2;
  /** Doll. */
  readonly DOLL: 3;
  /** Player of three models. */
  readonly PLAYER: 4;
  /** Level from a BSP file. */
  readonly LEVEL: 5;
  /** Snapshot of a world. */
  readonly SNAPSHOT: 6;
  /** Receiver of bones from a network. */
  readonly RECEIVER: 7;
  /** Skeletal object of a world. */
  readonly OBJECT: 8;
  /** Level body of a world: a floor, a wall, a door, or the box of an entity. */
  readonly LEVEL_BODY: 9;
  /** Body of water in a world. */
  readonly WATER: 10;
};

/** Level of a text for a log. */
export declare const LogLevel: {
  /** Something was repaired or left out. */
  readonly WARNING: 1;
  /** A call on the world failed. */
  readonly ERROR: 2;
};

/** Part of a player. */
export declare const Part: {
  /** Legs, which stand where the entity stands. */
  readonly LOWER: 0;
  /** Torso. */
  readonly UPPER: 1;
  /** Head. */
  readonly HEAD: 2;
  /** All three as one vertex-animated model in the space of the legs, with the animations of animation.cfg. */
  readonly WHOLE: 3;
};

/** Kind of a file among others. */
export declare const FileKind: {
  /** Of no use. */
  readonly UNUSED: 0;
  /** Model. Among several models, one with a surface. */
  readonly MODEL: 1;
  /** One of several models that has no surface: animations or a skeleton, for skelobj_model_join. */
  readonly ANIMATIONS: 2;
  /** Part of a Quake III player. */
  readonly PART: 3;
  /** animation.cfg of a Quake III player, or the default skin of a part. */
  readonly PLAYER_FILE: 4;
  /** Text of a doll. */
  readonly DOLL: 5;
  /** Map, for skelobj_level_load. */
  readonly LEVEL: 6;
  /** Palette of a game, for the textures of its maps. */
  readonly PALETTE: 7;
  /** Picture, if a material names it. */
  readonly PICTURE: 8;
  /** Side file, if a model or a side file names it; otherwise it is of no use. */
  readonly SIDE: 9;
};

/** Space of an object's bones. */
export declare const Space: {
  /** Bones relative to their parents: the object can be built and have a ragdoll. */
  readonly LOCAL: 0;
  /** Bones relative to the entity. */
  readonly MODEL: 1;
};

/** Rule by which the poses of an object are mixed. */
export declare const Blending: {
  /** Sum of matrices, as in FTE. Poses far apart shorten and shear a bone between them. */
  readonly LINEAR: 0;
  /** Each bone is a rotation times its own scale. */
  readonly ROTATIONS: 1;
};

/** Shape of a body. */
export declare const BodyShape: {
  /** Box: `size` is its extent along x, y and z. */
  readonly BOX: 0;
  /** Sphere. */
  readonly SPHERE: 1;
  /** Capsule along z. */
  readonly CAPSULE: 2;
  /** Cylinder along z. */
  readonly CYLINDER: 3;
};

/** Mode of a body of a ragdoll. */
export declare const BodyMode: {
  /** Physics alone moves the body. */
  readonly LIMP: 0;
  /** Physics moves the body, and the animation pulls it. */
  readonly PULLED: 1;
  /** The body moves to the animation, which it will follow exactly. */
  readonly APPROACHING: 2;
  /** The body is exactly where the animation is. */
  readonly FOLLOWING: 3;
  /** The body is out of the simulation for a step: its position or velocity was non-finite. */
  readonly QUARANTINED: 4;
};

/** Mode of a joint of a ragdoll. */
export declare const JointMode: {
  /** The joint holds its bodies together. */
  readonly HOLDING: 0;
  /** The joint was enabled with its anchors apart, and pulls them together softly. */
  readonly CATCHING: 1;
  /** The joint is disabled. */
  readonly SEVERED: 2;
  /** The animation holds both bodies; the joint is not solved. */
  readonly IDLE: 3;
};

/** Way of a ragdoll to rest. */
export declare const RestMode: {
  /** The ragdoll falls or was pushed. */
  readonly MOVING: 0;
  /** The ragdoll is slow, and has more angular damping. */
  readonly SETTLING: 1;
  /** The ragdoll trembles in place, is damped strongly, and may sleep at any speed. */
  readonly CALMED: 2;
  /** The ragdoll sleeps. */
  readonly ASLEEP: 3;
};

/** Length of skinned normals and tangents. */
export declare const NormalLength: {
  /** Unit length, by square root and division. */
  readonly EXACT: 0;
  /** Unit length within 0.066 %, by one Newton step. */
  readonly NEWTON: 1;
  /** Length that the matrices give, for shaders that normalise. */
  readonly UNSCALED: 2;
};

/** Collision groups. Corpses collide with the level and with ragdolls, but not with boxes of entities. */
export declare const Group: {
  /** Level: the world, doors, lifts. */
  readonly LEVEL: 1;
  /** Bodies of ragdolls. */
  readonly RAGDOLLS: 2;
  /** Boxes of entities. */
  readonly BOXES: 4;
  /** Bodies of ragdolls that boxes of entities pass through. */
  readonly CORPSES: 8;
  /** All groups. */
  readonly ALL: 15;
};

/** Kind of a shape. */
export declare const ShapeKind: {
  /** Box around the origin of its body: `size` is its extent. */
  readonly BOX: 0;
  /** Convex hull of points. */
  readonly HULL: 1;
  /** Triangles between points, solid inside. */
  readonly MESH: 2;
  /** Polygons, such as the faces of a map. Corners of neighbours are welded. */
  readonly POLYGONS: 3;
};

/** Kind of a liquid. */
export declare const LiquidKind: {
  /** Water. */
  readonly WATER: 0;
  /** Slime. */
  readonly SLIME: 1;
  /** Lava. */
  readonly LAVA: 2;
};

/** Geometry of an object that a trace is aimed at. */
export declare const Geometry: {
  /** The most exact that the object has. */
  readonly BEST: 0;
  /** Bodies of its ragdoll. */
  readonly RAGDOLL: 1;
  /** Hit boxes. */
  readonly HIT_BOXES: 2;
  /** Triangles of its skin. */
  readonly SKIN: 3;
};

/** Kind of what a trace hit. */
export declare const SurfaceKind: {
  /** Nothing. */
  readonly NONE: 0;
  /** Body of a ragdoll: `index` is its number. */
  readonly BODY: 1;
  /** Hit box: `index` is its number. */
  readonly HIT_BOX: 2;
  /** Skin: `index` is the mesh, `triangle` the triangle. */
  readonly SKIN: 3;
  /** Level: `level_body` is the body, `index` the shape, `triangle` the triangle or -1. */
  readonly LEVEL: 4;
};

/** Contents of a message of bones. */
export declare const Replication: {
  /** Positions and rotations of all bones. */
  readonly FULL: 0;
  /** Positions of all bones, from which rotations are guessed. */
  readonly POSITIONS: 1;
};

/** Place in a doll where a line may stand. */
export declare const DirectiveScope: {
  /** No block: the line stands for itself. */
  readonly FILE: 0;
  /** Body above the line. */
  readonly BODY: 1;
  /** Joint above the line. */
  readonly JOINT: 2;
};

/** Rotation of the bone at the end of a limb that reaches. */
export declare const EndRotation: {
  /** The bone turns with the limb. */
  readonly WITH_LIMB: 0;
  /** The bone keeps the rotation in model space that it had in the pose. */
  readonly KEPT: 1;
  /** The rotation that the bone had in the pose, and `end_turn` after it, in model space. */
  readonly KEPT_THEN: 2;
};

/** Parts of a root bone's motion that move the entity, a sum of SKELOBJ_MOTION_PART_... for skelobj_motion. */
export declare const MotionPart: {
  /** Along X and Y of model space. */
  readonly DISTANCE: 1;
  /** Along Z of model space. */
  readonly HEIGHT: 2;
  /** About Z of model space. */
  readonly YAW: 4;
};

/** Failure of a call. */
export declare class SkelobjError extends Error {
  /** Name of the status, such as "BAD_FILE". */
  readonly status: string;
}

/** Instance of the library. */
export declare class Skelobj {
  /**
   * Starts an instance. `source` is the file skelobj.wasm, as bytes, as a response, or compiled; it may be compressed
   * by gzip.
   */
  static load(source: BufferSource | Response | WebAssembly.Module | Promise<Response>): Promise<Skelobj>;
  /** Compiled file, from which other instances can be loaded. */
  readonly module: WebAssembly.Module;
  /** Functions of C as they are, with numbers and addresses, and the memory. */
  readonly raw: Record<string, (...parameters: (number | bigint)[]) => any> & {readonly memory: WebAssembly.Memory};
  /**
   * `true` after a defect of skelobj ended the instance; every further call throws. Set it after a function of `raw`
   * has thrown: only a defect makes it throw.
   */
  isDead: boolean;
  /** Returns zeroed memory, aligned to 16 bytes. */
  alloc(size: number): Address;
  /** Frees memory of `alloc`. */
  free(address: Address): void;
  /** Returns a view of memory, which is valid until the next call. */
  floats(address: Address, count: number): Float32Array;
  /** Returns a view of memory, which is valid until the next call. */
  words(address: Address, count: number): Uint32Array;
  /** Returns a view of memory, which is valid until the next call. */
  bytes(address: Address, count: number): Uint8Array;
  /** Returns a text that ends with a zero; `null` for the address 0. */
  text(address: Address): string | null;
  /** Returns a copy of a struct. */
  struct<T>(name: string, address: Address): T;
  /** Returns copies of structs. */
  structs<T>(name: string, address: Address, count: number): T[];
  /** Writes some fields of a struct. */
  setStruct(name: string, address: Address, fields: Record<string, unknown>): void;
  /** Throws the last failure if a status of a function of `raw` is not `Status.OK`. */
  expect(status: number): void;
  /** Puts a file where models and worlds find it by its name. */
  putFile(name: string, bytes: Uint8Array): void;
  /** Removes all files. */
  clearFiles(): void;
  /** Source of the files that were put, for a SkelobjLoadDef or a SkelobjWorldDef. */
  readonly files: SkelobjFiles;
}

/** Functions of the C API under their names without `skelobj_`, such as `modelLoad`. They throw a SkelobjError. */
export interface Skelobj {
  /**
   * Returns the number that QuakeC has for an object, 1 to 16777215, which a float holds exactly; 0 for none and for
   * ids of anything else. Whether an object has it is not looked up.
   */
  objectNumber(object: SkelobjObject): number;
  /**
   * Returns the id of the object with the number that QuakeC has; none for 0, and for numbers that no object can
   * have. Whether an object has it is not looked up: calls refuse the id if none has.
   */
  objectFromNumber(number: number): SkelobjObject;
  /**
   * Returns the version of the interface that the library has, as in SKELOBJ_VERSION. A host that loads the shared
   * library compares both.
   */
  version(): number;
  /**
   * Returns the status of the last call of this thread that failed; SKELOBJ_STATUS_OK if none did since
   * skelobj_clear_error. Calls that succeed do not change it.
   */
  lastStatus(): void;
  /**
   * Copies the text of the last failure of this thread and a terminating zero, cut to the capacity, and returns the
   * length of the whole text. `buffer` may be null if `capacity` is 0.
   */
  lastError(buffer: Address, capacity: number): number;
  /**
   * Forgets the last failure of this thread: skelobj_last_status is SKELOBJ_STATUS_OK again, and skelobj_last_error
   * has no text. A host calls it before a call that returns 0 both as an answer and on failure.
   */
  clearError(): void;
  /** Returns the name of a status, such as "bad id"; never null. */
  statusName(status: number): string;
  /**
   * Returns how many things of a kind (SKELOBJ_KIND_...) exist, for a host that looks for what it forgot to free.
   * Objects, level bodies and water go with their world and are not counted: 0.
   */
  liveCount(kind: number): number;
  /**
   * Returns 1 if a file name is a relative path that cannot leave the folder it is looked up in, otherwise 0.
   * SkelobjFiles gets only such names. Names that a host takes from models and game code for files of its own deserve
   * this check before it opens them.
   */
  isPlainPath(name: string | null): number;
  /**
   * Returns the bytes that the library holds for all worlds, models and the rest, without what the allocator of the
   * system adds to them. The difference of two calls is what a world or a model takes, if no other thread calls the
   * library meanwhile.
   */
  memoryInUse(): number;
  /** Writes the product of two matrices: `b` is applied first. The result may be one of them. */
  matrixMultiply(a: ArrayLike<number> | null, b: ArrayLike<number> | null): Float32Array;
  /** Writes the inverse of a matrix. The result may be the matrix itself. */
  matrixInverse(matrix: ArrayLike<number> | null): Float32Array;
  /**
   * Writes where a matrix takes a point. The `result`, in the space that the matrix leads to, may be the point
   * itself.
   */
  matrixTransform(matrix: ArrayLike<number> | null, point: ArrayLike<number> | null): Float32Array;
  /** Writes the matrix of an origin and the axes of game code (v_forward, v_right, v_up). */
  matrixFromAxes(forward: ArrayLike<number> | null, right: ArrayLike<number> | null, up: ArrayLike<number> | null, origin: ArrayLike<number> | null): Float32Array;
  /** Writes the axes of game code and the origin of a matrix. Results that are null are not wanted. */
  matrixAxes(matrix: ArrayLike<number> | null): [Float32Array, Float32Array, Float32Array, Float32Array];
  /** Returns the default settings of a world. */
  defaultWorldDef(): SkelobjWorldDef;
  /** Creates a world and returns its id; none on failure. `def` may be null for the default settings. */
  worldCreate(def: Partial<SkelobjWorldDef> | Address | null): SkelobjWorld;
  /** Returns 1 if a world has this id, otherwise 0. */
  worldIsValid(world: SkelobjWorld): number;
  /** Frees a world with its objects, ragdolls and level. Models stay: they belong to the host. */
  worldFree(world: SkelobjWorld): void;
  /** Writes the settings of a world, with its files and log. */
  worldSettings(world: SkelobjWorld): SkelobjWorldDef;
  /** Changes all settings of a world, its files and its log. A new gravity wakes all ragdolls. */
  worldSetSettings(world: SkelobjWorld, def: Partial<SkelobjWorldDef> | Address | null): void;
  /**
   * Simulates a frame: ragdolls, doors, water. `seconds` is the host's frame time. `stepped` may be null.  A frame
   * is: build poses, skelobj_ragdoll_update every object, trace and draw, step.
   */
  step(world: SkelobjWorld, seconds: number): SkelobjStepped;
  /** Returns how far the shown frame is between the last two physics steps, 0 to 1; 0 on failure. */
  stepBlend(world: SkelobjWorld): number;
  /** Frees objects whose deletion waits for the end of the frame. */
  flushDeleted(world: SkelobjWorld): void;
  /**
   * Writes the matrix of an entity, model space to world space, from its origin and Quake's angles (pitch, yaw, roll,
   * degrees), with the signs of the world's settings.
   */
  entityMatrix(world: SkelobjWorld, origin: ArrayLike<number> | null, angles: ArrayLike<number> | null, scale: number): Float32Array;
  /**
   * Adds a model to a world under the name by which the game knows it. The same model may be in many worlds.  The
   * doll of the model is in the file with this name and ".doll" appended, or in place of the extension.
   */
  worldAddModel(world: SkelobjWorld, name: string | null, model: SkelobjModel): void;
  /**
   * Loads a model through the world's files, adds it under its file name and returns its id; none on failure. If a
   * model was added under this name before, its id is returned; if the host has freed that id, the model gets a new
   * one.
   */
  worldLoadModel(world: SkelobjWorld, name: string | null): SkelobjModel;
  /**
   * Returns the id of the model that was added under a name; none if the world has none, or the host has freed its
   * id.
   */
  worldFindModel(world: SkelobjWorld, name: string | null): SkelobjModel;
  /** Writes the name under which a model was added, and its length without the terminating zero (may be null). */
  worldModelName(world: SkelobjWorld, model: SkelobjModel): string;
  /**
   * Writes the ids of the models in a world, and their number (may be null). An id that the host has freed is not
   * among them, though the world has its model until skelobj_world_remove_model.
   */
  worldModels(world: SkelobjWorld): SkelobjModel[];
  /** Removes a model from a world. Its objects and their ragdolls stay as they are; the model itself stays valid. */
  worldRemoveModel(world: SkelobjWorld, model: SkelobjModel): void;
  /**
   * Sorts files that came together, such as what was dropped on a window: writes the use of each, in their order, and
   * the number of files (may be null). At most one doll, map and palette and at most one player remain: the last of
   * each. Of side files with one name, a model has that of its own folder, else the last. Apart from that, the order
   * of the files does not matter. If there are several models, they are read, with the limits of `def` (may be null),
   * to tell models from animations.
   */
  sortFiles(files: Partial<SkelobjFile>[], def: Partial<SkelobjLoadDef> | Address | null): SkelobjFileUse[];
  /** Writes pointers to the data of a model, which are valid until it is freed. */
  modelData(model: SkelobjModel): SkelobjModelData;
  /** Returns the number of the bone or other tag with a name; 0 if there is none. */
  modelFindTag(model: SkelobjModel, name: string | null): number;
  /** Returns the number of the animation with a name; -1 if there is none. */
  modelFindAnimation(model: SkelobjModel, name: string | null): number;
  /** Returns the number of the skin with a name; -1 if there is none. */
  modelFindSkin(model: SkelobjModel, name: string | null): number;
  /** Writes the name of a skin, and its length (may be null). */
  modelSkinName(model: SkelobjModel, skin: number): string;
  /** Returns an animation for an action (activity): `choice`, 0 to 1, picks one by their weights. -1 if there is none. */
  modelAnimationForAction(model: SkelobjModel, action: number, choice: number): number;
  /** Returns a def that plays the start of animation 0. */
  defaultFrameDef(): SkelobjFrameDef;
  /** Returns a def that plays one animation at `time` seconds. */
  frameSingle(animation: number, time: number): SkelobjFrameDef;
  /** Returns the default settings for loading. */
  defaultLoadDef(): SkelobjLoadDef;
  /**
   * Reads a model of any supported format and returns its id; none on failure. The bytes decide the format; `name` is
   * the file's name, after which side files are named: if it is not a plain path, none are read, and the model has a
   * warning. `def` may be null for the default settings.
   */
  modelLoad(name: string | null, bytes: Uint8Array, def: Partial<SkelobjLoadDef> | Address | null): SkelobjModel;
  /** Returns 1 if a model has this id, otherwise 0. */
  modelIsValid(model: SkelobjModel): number;
  /**
   * Frees a model. Pointers to its data end here. A world that has the model keeps it, and builds from its id, until
   * skelobj_world_remove_model or skelobj_world_free.
   */
  modelFree(model: SkelobjModel): void;
  /**
   * Makes a model with what two files have together, such as the skin of one and the skeleton or animations of the
   * other, and returns its id; none on failure. Both stay as they are. `found` (may be null) tells how the bones fit.
   */
  modelJoin(model: SkelobjModel, other: SkelobjModel): [SkelobjModel, SkelobjBoneMatch];
  /**
   * Makes a model with the animations of another one appended, and returns its id; none on failure. `found` may be
   * null.
   */
  modelAddAnimations(model: SkelobjModel, other: SkelobjModel): [SkelobjModel, SkelobjBoneMatch];
  /**
   * Makes a copy of `model` with the animations that the text of a .framegroups file lists. Returns the copy's id;
   * none on failure.
   */
  modelWithFramegroups(model: SkelobjModel, name: string | null, text: Uint8Array): SkelobjModel;
  /** Makes a model that wears the materials of the text of a .skin file, and returns its id; none on failure. */
  modelWithSkin(model: SkelobjModel, text: Uint8Array): SkelobjModel;
  /** Makes a model whose animations are frames only, for writing, and returns its id; none on failure. */
  modelBake(model: SkelobjModel): SkelobjModel;
  /** Makes a model with all lengths multiplied by `factor`, 0.001 to 1000, and returns its id; none on failure. */
  modelScale(model: SkelobjModel, factor: number): SkelobjModel;
  /**
   * Makes a model with the bones and the animations of `model`, on bones with the lengths of those of `other` that
   * have the same names, for skelobj_model_add_animations, and returns its id; none on failure. The bones down to the
   * hips move in proportion to the legs, the others only turn.
   */
  modelInProportionsOf(model: SkelobjModel, other: SkelobjModel): SkelobjModel;
  /**
   * Makes a model with at least `rate` poses per second, 1 to 1000, in each animation of frames, and returns its id;
   * none on failure. The added poses turn along the shorter arc, so that bones keep their size.
   */
  modelResample(model: SkelobjModel, rate: number): SkelobjModel;
  /** Writes a model as a file of a format, given by the extension "iqm" or "glb", and its size in bytes (may be null). */
  modelWrite(model: SkelobjModel, extension: string | null): Uint8Array;
  /**
   * Writes a text with one line for each thing of the model that a file with this extension cannot hold. `length`
   * receives the length of the text, and may be null.
   */
  modelLosses(model: SkelobjModel, extension: string | null): string;
  /** Writes the formats that are read, and their number (may be null). */
  formats(): SkelobjFormat[];
  /** Tells the format of a file from its bytes: returns 1 and writes it, or returns 0 if no format is known. */
  formatDetect(bytes: Uint8Array): [number, SkelobjFormat];
  /** Returns a def without parts. */
  defaultModelDef(): SkelobjModelDef;
  /**
   * Makes a model from parts, for hosts with readers of their own, and returns its id; none on failure. Everything is
   * copied.
   */
  modelCreate(def: Partial<SkelobjModelDef> | Address | null): SkelobjModel;
  /**
   * Loads the player in a folder, with the named skin, through the files of a load def, and returns its id; none on
   * failure. The folder is a plain path.
   */
  playerLoad(folder: string | null, skin: string | null, def: Partial<SkelobjLoadDef> | Address | null): SkelobjPlayer;
  /** Returns 1 if a player has this id, otherwise 0. */
  playerIsValid(player: SkelobjPlayer): number;
  /** Frees a player. Models made from its parts stay. */
  playerFree(player: SkelobjPlayer): void;
  /**
   * Makes a model of a part (SKELOBJ_PART_...) of a player, or of all three, to be drawn, and returns its id; none on
   * failure. A whole player may take 256 MiB.
   */
  playerModel(player: SkelobjPlayer, part: number): SkelobjModel;
  /** Writes the frame of an animation that animation.cfg names, such as "LEGS_RUN", at `time` seconds. */
  playerFrame(player: SkelobjPlayer, animation: string | null, time: number): SkelobjFrameDef;
  /**
   * Writes where torso, head and weapon are, relative to the legs. Frames that are null play the start; turns of
   * torso and head that are null do not turn. Results that are null are not wanted.
   */
  playerPlace(player: SkelobjPlayer, lower: Partial<SkelobjFrameDef> | Address | null, upper: Partial<SkelobjFrameDef> | Address | null, torso_turn: ArrayLike<number> | null, head_turn: ArrayLike<number> | null): [Float32Array, Float32Array, Float32Array];
  /**
   * Finds the first event of an animation after one time and until another, seconds; a looping animation repeats its
   * events. Returns 1 and writes it, or returns 0 if there is none.
   */
  modelNextEvent(model: SkelobjModel, animation: number, after: number, until: number): [number, SkelobjPassedEvent];
  /**
   * Returns 1 if a word of an animation's name begins with these letters, regardless of case, otherwise 0: "die"
   * begins a word of "soldier_die2", not of "soldier_idle", and "getup" one of "ogre_get_up".
   */
  modelAnimationHasWord(model: SkelobjModel, animation: number, word: string | null): number;
  /** Writes the frames that an animation shows at a time, for hosts with kernels of their own. */
  modelPosesAt(model: SkelobjModel, animation: number, time: number): SkelobjPosesAt;
  /** Writes the matrix of a tag, model space, of a model that plays a frame and has no object. `frame` may be null. */
  modelTag(model: SkelobjModel, tag: number, frame: Partial<SkelobjFrameDef> | Address | null): Float32Array;
  /**
   * Writes a pose of a model that plays a frame and has no object: the matrices of all bones, relative to their
   * parents or in model space. `capacity` is the number of matrices that there is room for.
   */
  modelPose(model: SkelobjModel, frame: Partial<SkelobjFrameDef> | Address | null, model_space: number, matrices: Address, capacity: number): void;
  /** Returns the default arithmetic, which gives the same bits on every machine. */
  defaultSkinDef(): SkelobjSkinDef;
  /**
   * Moves the vertices of a mesh by a palette (skelobj_palette), for hosts that skin on the processor.  `palette` has
   * `bone_count` matrices. `positions` and `normals` have room for 3 floats for each vertex of the mesh; `normals`
   * may be null. `frame` is what the model plays, for meshes that are morphed; null for others.
   */
  modelSkin(model: SkelobjModel, mesh: number, palette: Address, bone_count: number, frame: Partial<SkelobjFrameDef> | Address | null, positions: Address, normals: Address): void;
  /**
   * Moves the vertices of a mesh by a palette as `def` says (null for the default), with tangents. Each of
   * `positions` (3 floats a vertex), `normals` (3) and `tangents` (4; the last is the side of the bitangent) may be
   * null.
   */
  modelSkinVertices(model: SkelobjModel, mesh: number, palette: Address, bone_count: number, def: Partial<SkelobjSkinDef> | Address | null, positions: Address, normals: Address, tangents: Address): void;
  /** Returns a box without extent, with no points, triangles or polygons. */
  defaultShape(): SkelobjShape;
  /** Returns a def without shapes at the origin. */
  defaultLevelBodyDef(): SkelobjLevelBodyDef;
  /** Adds a floor: everything below `z` is solid. Returns the id of its body; none on failure. */
  addFloor(world: SkelobjWorld, z: number): SkelobjLevelBody;
  /**
   * Adds a level body and returns its id; none on failure. Limbs catch on the seams between bodies, so a level is
   * best one body with one mesh.
   */
  addLevelBody(world: SkelobjWorld, def: Partial<SkelobjLevelBodyDef> | Address | null): SkelobjLevelBody;
  /**
   * Adds the box of an entity, which pushes ragdolls: a player or monster. Returns the id of its body; none on
   * failure.
   */
  addEntityBox(world: SkelobjWorld, mins: Address, maxs: Address, origin: ArrayLike<number> | null): SkelobjLevelBody;
  /** Returns 1 if a level body has this id, otherwise 0. */
  levelBodyIsValid(world: SkelobjWorld, body: SkelobjLevelBody): number;
  /**
   * Writes the ids of all level bodies of a world, such as those of a restored snapshot, and their number (may be
   * null).
   */
  worldLevelBodies(world: SkelobjWorld): SkelobjLevelBody[];
  /** Keeps a number for a level body, such as that of its entity. Snapshots keep it, too. */
  levelBodySetUserData(world: SkelobjWorld, body: SkelobjLevelBody, user_data: bigint): void;
  /** Returns the number that is kept for a level body; 0 if there is none, and on failure. */
  levelBodyUserData(world: SkelobjWorld, body: SkelobjLevelBody): bigint;
  /** Removes a level body. */
  levelBodyRemove(world: SkelobjWorld, body: SkelobjLevelBody): void;
  /** Moves a door or the box of an entity to a place during the next frame, and pushes what is in the way. */
  levelBodySetTarget(world: SkelobjWorld, body: SkelobjLevelBody, matrix: ArrayLike<number> | null): void;
  /** Puts a level body elsewhere at once, without pushing. */
  levelBodyTeleport(world: SkelobjWorld, body: SkelobjLevelBody, matrix: ArrayLike<number> | null): void;
  /** Makes a level body solid (1), or lets everything through (0). */
  levelBodySetSolid(world: SkelobjWorld, body: SkelobjLevelBody, solid: number): void;
  /** Replaces the shapes of a level body. */
  levelBodySetShapes(world: SkelobjWorld, body: SkelobjLevelBody, shapes: Partial<SkelobjShape> | Address | null, shape_count: number): void;
  /** Limits the force with which the box of an entity pushes. */
  levelBodySetPushForce(world: SkelobjWorld, body: SkelobjLevelBody, force: number): void;
  /** Returns the default options of a level. */
  defaultLevelDef(): SkelobjLevelDef;
  /**
   * Reads a BSP file of Quake, Half-Life, Quake II or Quake III and returns the id of the level; none on failure.
   * `limits` may be null for the default ones.
   */
  levelLoad(bytes: Uint8Array, limits: Partial<SkelobjLimits> | Address | null): SkelobjLevel;
  /** Returns 1 if a level has this id, otherwise 0. */
  levelIsValid(level: SkelobjLevel): number;
  /** Frees a level. Bodies and water that were added from it stay. */
  levelFree(level: SkelobjLevel): void;
  /** Writes a summary of a level. */
  levelInfo(level: SkelobjLevel): SkelobjLevelInfo;
  /**
   * Writes the origin of the first entity at which players start, and returns 1; 0 if the level has none. A start of
   * a single player comes before those of deathmatch, cooperative play and teams.
   */
  levelPlayerStart(level: SkelobjLevel): [number, Float32Array];
  /**
   * Returns 1 if a point in world space is in a wall of a level, or in a solid brush entity at its origin in the map;
   * 0 in the open, and where the map only has faces. skelobj_is_solid knows where doors have moved.
   */
  levelIsSolid(level: SkelobjLevel, point: ArrayLike<number> | null): number;
  /**
   * Returns 1 if a point in world space is solid: in a wall of a level that was added to a world, in a box, hull or
   * closed mesh of the host, or in a door or lift where it is now. Meshes with openings, floors and entity boxes do
   * not count.
   */
  isSolid(world: SkelobjWorld, point: ArrayLike<number> | null): number;
  /** Writes the value of a key of an entity (from 0) in a level's text, and its length (may be null). */
  levelEntityValue(level: SkelobjLevel, entity: number, key: string | null): string;
  /**
   * Adds the world of a level, and a body for each solid brush entity, such as a door or a lift. Writes the body of
   * the world (none if it has none), the bodies of entities, and their number; all of these may be null. With a list
   * and too little room, or a number alone, nothing is added.
   */
  addLevel(world: SkelobjWorld, level: SkelobjLevel, def: Partial<SkelobjLevelDef> | Address | null): [SkelobjLevelBody, SkelobjEntityBody[]];
  /**
   * Returns a def of a liquid, SKELOBJ_LIQUID_KIND_..., without extent. Any other kind is a failure: the def is all
   * zeros, which every call refuses.
   */
  defaultWaterDef(kind: number): SkelobjWaterDef;
  /** Adds a body of water and returns its id; none on failure. */
  addWater(world: SkelobjWorld, def: Partial<SkelobjWaterDef> | Address | null): SkelobjWater;
  /**
   * Adds the water of a level. Writes the ids and their number; both may be null. With a list and too little room, or
   * a number alone, nothing is added.
   */
  addLevelWater(world: SkelobjWorld, level: SkelobjLevel): SkelobjWater[];
  /** Returns 1 if a body of water has this id, otherwise 0. */
  waterIsValid(world: SkelobjWorld, water: SkelobjWater): number;
  /** Writes the ids of all bodies of water of a world, and their number (may be null). */
  worldWaters(world: SkelobjWorld): SkelobjWater[];
  /** Keeps a number for a body of water, such as that of its entity. Snapshots keep it, too. */
  waterSetUserData(world: SkelobjWorld, water: SkelobjWater, user_data: bigint): void;
  /** Returns the number that is kept for a body of water; 0 if there is none, and on failure. */
  waterUserData(world: SkelobjWorld, water: SkelobjWater): bigint;
  /** Removes a body of water. */
  waterRemove(world: SkelobjWorld, water: SkelobjWater): void;
  /** Moves a body of water: `origin` is relative to where it was added. */
  waterMove(world: SkelobjWorld, water: SkelobjWater, origin: ArrayLike<number> | null): void;
  /** Changes density, drag and current of a body of water to those of a def. */
  waterSetLiquid(world: SkelobjWorld, water: SkelobjWater, def: Partial<SkelobjWaterDef> | Address | null): void;
  /** Returns the body of water that contains a point in world space; none where there is no water. */
  waterAt(world: SkelobjWorld, point: ArrayLike<number> | null): SkelobjWater;
  /**
   * Writes the corners of the solid triangles of a brush model (0 is the world), three floats each in the model's own
   * space, and the number of floats (may be null). `capacity` is the number of floats that there is room for.
   */
  levelCorners(level: SkelobjLevel, model: number): number[];
  /**
   * Writes the solid triangles of a brush model (0 is the world), three indices of corners each, and the number of
   * indices (may be null). They are counter-clockwise seen from the side that is not solid. The index of a triangle
   * in a hit is that of these.
   */
  levelTriangles(level: SkelobjLevel, model: number): number[];
  /**
   * Writes the surface of each solid triangle of a brush model (0 is the world), an index for skelobj_level_surface,
   * and the number of triangles (may be null).
   */
  levelTriangleSurfaces(level: SkelobjLevel, model: number): number[];
  /** Writes a surface of a level (from 0). */
  levelSurface(level: SkelobjLevel, index: number): SkelobjLevelSurface;
  /** Writes the name of a surface's texture or shader, and its length (may be null). */
  levelSurfaceName(level: SkelobjLevel, index: number): string;
  /**
   * Writes a texture (from 0) of a BSP file of Quake or Half-Life: its size, and red, green, blue (sRGB) and alpha of
   * each pixel from the top left, and their number of bytes (each may be null). `palette` is the game's
   * gfx/palette.lmp, 768 bytes; null for textures with their own.
   */
  levelTexture(bytes: Uint8Array, index: number, palette: Address): [SkelobjLevelTexture, Uint8Array];
  /**
   * Creates an object of a model of the world, and returns its id; none on failure. `space` is one of
   * SKELOBJ_SPACE_...
   */
  objectCreate(world: SkelobjWorld, model: SkelobjModel, space: number): SkelobjObject;
  /** Deletes an object at the end of the frame: calls reach it until skelobj_step or skelobj_flush_deleted frees it. */
  objectDelete(world: SkelobjWorld, object: SkelobjObject): void;
  /** Returns 1 if an object has this id, otherwise 0. */
  objectIsValid(world: SkelobjWorld, object: SkelobjObject): number;
  /** Writes the ids of all objects of a world, and their number (may be null). */
  worldObjects(world: SkelobjWorld): SkelobjObject[];
  /** Writes a summary of an object. */
  objectInfo(world: SkelobjWorld, object: SkelobjObject): SkelobjObjectInfo;
  /** Keeps a number for an object, such as that of its entity. Snapshots keep it, too. */
  objectSetUserData(world: SkelobjWorld, object: SkelobjObject, user_data: bigint): void;
  /** Returns the number that is kept for an object; 0 if there is none, and on failure. */
  objectUserData(world: SkelobjWorld, object: SkelobjObject): bigint;
  /**
   * Sets the rule (SKELOBJ_BLENDING_...) by which later calls mix the poses of an object: skelobj_build, between two
   * frames of an animation, between animations and with the old pose; skelobj_add_pose and skelobj_take_motion; and
   * where a mask has a weight between 0 and 1. A new object has SKELOBJ_BLENDING_LINEAR. Snapshots keep the rule.
   */
  objectSetBlending(world: SkelobjWorld, object: SkelobjObject, blending: number): void;
  /** Returns a def that replaces the pose of all bones. */
  defaultBuildDef(): SkelobjBuildDef;
  /**
   * Poses an object with the animations of a model of the world, its own or another with the same skeleton: bones are
   * matched by number. `build` may be null to replace the pose of all bones.
   */
  build(world: SkelobjWorld, object: SkelobjObject, model: SkelobjModel, frame: Partial<SkelobjFrameDef> | Address | null, build: Partial<SkelobjBuildDef> | Address | null): void;
  /** Returns the number of bones of an object; 0 on failure. */
  boneCount(world: SkelobjWorld, object: SkelobjObject): number;
  /** Writes the name of a bone, and its length (may be null). */
  boneName(world: SkelobjWorld, object: SkelobjObject, bone: number): string;
  /** Returns the number of a bone's parent; 0 for a root and on failure. */
  boneParent(world: SkelobjWorld, object: SkelobjObject, bone: number): number;
  /** Returns the number of the bone with a name; 0 if there is none. */
  findBone(world: SkelobjWorld, object: SkelobjObject, name: string | null): number;
  /** Writes the matrix of a bone relative to its parent. */
  boneLocal(world: SkelobjWorld, object: SkelobjObject, bone: number): Float32Array;
  /** Writes the matrix of a bone in model space. */
  boneModel(world: SkelobjWorld, object: SkelobjObject, bone: number): Float32Array;
  /** Sets the matrix of a bone, in the space of the object. */
  setBone(world: SkelobjWorld, object: SkelobjObject, number: number, matrix: ArrayLike<number> | null): void;
  /** Sets the matrix of a bone in model space. Its children move with it if the object is in local space. */
  setBoneModel(world: SkelobjWorld, object: SkelobjObject, number: number, matrix: ArrayLike<number> | null): void;
  /** Sets the matrix of a bone in world space, on an entity with a matrix. */
  setBoneWorld(world: SkelobjWorld, object: SkelobjObject, entity: ArrayLike<number> | null, number: number, matrix: ArrayLike<number> | null): void;
  /**
   * Turns and moves a bone by a matrix in the space of the object, of the bone's parent or of the model: the matrix
   * is applied after the bone.
   */
  mulBone(world: SkelobjWorld, object: SkelobjObject, number: number, matrix: ArrayLike<number> | null): void;
  /** Turns and moves a bone by a matrix in its own space: the matrix is applied before the bone. */
  postMulBone(world: SkelobjWorld, object: SkelobjObject, number: number, matrix: ArrayLike<number> | null): void;
  /** Applies skelobj_mul_bone to bones from `first` to `last`; 0 means the object's last. */
  mulBones(world: SkelobjWorld, object: SkelobjObject, first: number, last: number, matrix: ArrayLike<number> | null): void;
  /** Copies bones from `first` to `last` (0 means the last) from another object, converting between spaces. */
  copyBones(world: SkelobjWorld, to: SkelobjObject, from: SkelobjObject, first: number, last: number): void;
  /**
   * Sets the first `count` bones of an object at once. The others keep their pose relative to their parents, or their
   * place in model space if that is the `space` (SKELOBJ_SPACE_...) of the matrices, and of the object afterwards.
   * More matrices than bones are refused.
   */
  setPose(world: SkelobjWorld, object: SkelobjObject, space: number, matrices: Address, count: number): void;
  /**
   * Writes all bones of an object. `space` (SKELOBJ_SPACE_...) is that of the matrices; `capacity` is the number of
   * matrices that there is room for.
   */
  pose(world: SkelobjWorld, object: SkelobjObject, space: number, matrices: Address, capacity: number): void;
  /**
   * Writes the palette of an object: the matrices that a renderer skins with. `capacity` is the number of matrices
   * that there is room for.
   */
  palette(world: SkelobjWorld, object: SkelobjObject, matrices: Address, capacity: number): void;
  /**
   * Writes the palettes of many objects at once. That of object `i` begins at matrix `i * stride` and has at most
   * `stride` matrices; a stride below the number of its bones is an error. There must be room for `count * stride`
   * matrices.
   */
  palettes(world: SkelobjWorld, objects: Address, count: number, stride: number, matrices: Address, capacity: number): void;
  /**
   * Returns a number that changes whenever the bones of an object may have changed, so that a renderer can keep a
   * palette; 0 on failure.
   */
  objectRevision(world: SkelobjWorld, object: SkelobjObject): bigint;
  /** Returns a def that turns all the way. */
  defaultAimDef(): SkelobjAimDef;
  /** Returns a def that reaches as far as the limb is soft. */
  defaultReachDef(): SkelobjReachDef;
  /**
   * Turns a chain of bones, so that an axis of the last one points at `target`, model space, Quake units. `bones` are
   * names with their shares of the turn: "chest 0.2, neck 0.3, head 0.5". `def` may be null for the default. Writes
   * the angle by which the axis misses to `missed`, radians in model space (may be null).
   */
  aim(world: SkelobjWorld, object: SkelobjObject, bones: string | null, target: ArrayLike<number> | null, def: Partial<SkelobjAimDef> | Address | null): number;
  /**
   * Turns a chain of bones by `pitch` and `yaw`, radians about the axes of model space: a positive pitch turns down,
   * a positive yaw to the left. `bones` and `def` are as in skelobj_aim. Writes the angle that is left by the limit
   * or the weight to `missed`, radians (may be null).
   */
  turn(world: SkelobjWorld, object: SkelobjObject, bones: string | null, pitch: number, yaw: number, def: Partial<SkelobjAimDef> | Address | null): number;
  /**
   * Bends a limb, so that its last bone comes to `target`, model space, Quake units. `bones` are the names of three
   * bones, each below the one before it: "thigh_l, shin_l, foot_l". Two names are the first and the last bone of a
   * longer chain: all of its bones turn, and only the weight of `def` counts. `def` may be null for the default.
   * Writes the distance by which the limb misses to `missed`, Quake units (may be null).
   */
  reach(world: SkelobjWorld, object: SkelobjObject, bones: string | null, target: ArrayLike<number> | null, def: Partial<SkelobjReachDef> | Address | null): number;
  /**
   * Limits later builds, copies, edits of ranges and added poses of an object to bones, until it is called with "".
   * `bones` are names with weights from 0 to 1, for the bone and everything below it, of which later ones replace
   * earlier ones: "spine 1 2, head 0". A second number is the count of generations over which the weight rises.
   */
  objectSetMask(world: SkelobjWorld, object: SkelobjObject, bones: string | null): void;
  /**
   * Adds the difference of a pose of a model to a reference to an object's pose, with a `weight` from -1 to 1.
   * `reference` selects the pose that adds nothing; null for the bind pose.
   */
  addPose(world: SkelobjWorld, object: SkelobjObject, model: SkelobjModel, frame: Partial<SkelobjFrameDef> | Address | null, reference: Partial<SkelobjFrameDef> | Address | null, weight: number): void;
  /** Returns a def of a spring that swings twice a second. */
  defaultSpringDef(): SkelobjSpringDef;
  /**
   * Swings a chain of bones behind the motion of its entity for a frame of some `seconds`. `bones` are the first one
   * and the end, which does not turn: "tail1, tail6". `colliders` are bones with radii that keep them out: "chest 7,
   * pelvis 6"; null for none. `def` may be null for the default. Call it in every frame after the build.
   */
  swing(world: SkelobjWorld, object: SkelobjObject, bones: string | null, entity: ArrayLike<number> | null, seconds: number, colliders: string | null, def: Partial<SkelobjSpringDef> | Address | null): void;
  /** Lets all springs of an object begin anew in the next frame, at rest, after a teleport for instance. */
  resetSprings(world: SkelobjWorld, object: SkelobjObject): void;
  /** Returns a def of feet that stand on the level of the world. */
  defaultFeetDef(): SkelobjFeetDef;
  /**
   * Places the feet of an object on the ground, for a frame of some `seconds`. `bones` are the pelvis, and a thigh, a
   * shin and a foot for each leg: "pelvis, thigh_l, shin_l, foot_l, thigh_r, shin_r, foot_r". `def` may be null for
   * the default. Call it in every frame after the build.
   */
  placeFeet(world: SkelobjWorld, object: SkelobjObject, bones: string | null, entity: ArrayLike<number> | null, seconds: number, def: Partial<SkelobjFeetDef> | Address | null): void;
  /** Lets the feet of an object begin anew on the ground of the next frame, after a teleport for instance. */
  resetFeet(world: SkelobjWorld, object: SkelobjObject): void;
  /**
   * Writes the motion of a root bone from one frame state of a model to another: `translation`, Quake units in the
   * space that the entity had at the first one, and `yaw`, radians. `parts` is a sum of SKELOBJ_MOTION_PART_...; each
   * result may be null. Times of an animation that loops go on beyond its duration.
   */
  motion(world: SkelobjWorld, model: SkelobjModel, bone: string | null, from: Partial<SkelobjFrameDef> | Address | null, to: Partial<SkelobjFrameDef> | Address | null, parts: number): [number, number];
  /**
   * Takes the motion of a root bone out of an object's pose, which was built, whole, of a frame state of `model`.
   * `parts` is as in skelobj_motion.
   */
  takeMotion(world: SkelobjWorld, object: SkelobjObject, model: SkelobjModel, frame: Partial<SkelobjFrameDef> | Address | null, bone: string | null, parts: number): void;
  /**
   * Turns a bone so that its axes in model space are those of a matrix, whose origin is not used; the bone stays at
   * its place. Its children turn with it if the object is in local space.
   */
  setBoneAxes(world: SkelobjWorld, object: SkelobjObject, number: number, matrix: ArrayLike<number> | null): void;
  /**
   * Copies the places in model space of all bones that have the same names in both objects, whose models may differ.
   * `to_own_matrix` takes the model space of `from` to that of `to`; null if both are the same. Writes the number of
   * bones copied (may be null).
   */
  copyBonesByName(world: SkelobjWorld, to: SkelobjObject, from: SkelobjObject, to_own_matrix: ArrayLike<number> | null): number;
  /**
   * Writes the text of a .doll file as UTF-8 without a byte order mark, and its length (may be null). The file is
   * UTF-8, UTF-16 with a byte order mark, or Latin-1. All functions that read dolls decode them in this way; the
   * places of problems are those of the decoded text.
   */
  dollDecode(source: string | Uint8Array): string;
  /**
   * Reads the text of a .doll file and returns the id of the doll; none on failure. Lines with errors are left out,
   * as in FTE: skelobj_doll_problems tells them. A doll for a `model` lacks bodies whose bones the model lacks; none
   * is for any model.
   */
  dollParse(source: string | Uint8Array, model: SkelobjModel): SkelobjDoll;
  /** Returns 1 if a doll has this id, otherwise 0. */
  dollIsValid(doll: SkelobjDoll): number;
  /** Frees a doll. Ragdolls that were made from it stay. */
  dollFree(doll: SkelobjDoll): void;
  /** Writes the problems of the text that a doll was read from, and their number (may be null). */
  dollProblems(doll: SkelobjDoll): SkelobjDollProblem[];
  /**
   * Writes what a careful reader says about the text of a doll, beyond its errors: masses that do not fit, bodies
   * without joints, and bones that a `model` (may be none) lacks; and their number (may be null).
   */
  dollLint(source: string | Uint8Array, model: SkelobjModel): SkelobjDollProblem[];
  /**
   * Writes the text of a .doll file with tidy blanks and line breaks, and its length (may be null). Words and
   * comments stay as they are, so the text is that of the same doll. A Latin-1 text stays Latin-1; others become
   * UTF-8.
   */
  dollFormat(source: string | Uint8Array): string;
  /** Writes a doll as text, and its length (may be null). */
  dollText(doll: SkelobjDoll): string;
  /** Returns 1 if a model has all bones of a doll, otherwise 0. */
  dollIsCompatible(doll: SkelobjDoll, model: SkelobjModel): number;
  /**
   * Writes the bodies of a doll, with the numbers that their bones have in a `model` (may be none), and their number
   * (may be null). Their indices are those of skelobj_ragdoll_bodies.
   */
  dollBodies(doll: SkelobjDoll, model: SkelobjModel): SkelobjDollBody[];
  /**
   * Writes the joints of a doll, with the numbers that their bones have in a `model` (may be none), and their number
   * (may be null). Their indices are those of skelobj_ragdoll_joints.
   */
  dollJoints(doll: SkelobjDoll, model: SkelobjModel): SkelobjDollJoint[];
  /** Writes the animation and time in which the bodies of a doll are placed; animation -1 is the bind pose. */
  dollReference(doll: SkelobjDoll): [number, number];
  /** Returns the default limits. */
  defaultCheckDef(): SkelobjCheckDef;
  /**
   * Checks the text of a .doll file on a model, as `skelobj check` does: beyond what skelobj_doll_lint finds, joints
   * far from their bodies, odd shapes, animations beyond stops, and drops that break the limits of `def` (null for
   * the default). Returns the id of a doll whose problems (skelobj_doll_problems) are those of the check; none on
   * failure.
   */
  dollCheck(source: string | Uint8Array, model: SkelobjModel, def: Partial<SkelobjCheckDef> | Address | null): SkelobjDoll;
  /** Returns a def for the usual fall. */
  defaultDropDef(): SkelobjDropDef;
  /** Drops a doll on a floor or in a level and reports what happened. `def` may be null for the usual fall. */
  dollDrop(doll: SkelobjDoll, model: SkelobjModel, def: Partial<SkelobjDropDef> | Address | null): SkelobjDropReport;
  /**
   * Writes the settings of a world for falls of a doll on a model: the default, or with gravity, length unit and
   * sleep speed in proportion to a doll whose longest side is below 11 or above 362 units, as its lengths are then
   * likely to be in another unit. skelobj_doll_drop and skelobj_doll_check use them.
   */
  dropWorldDef(doll: SkelobjDoll, model: SkelobjModel): SkelobjWorldDef;
  /**
   * Writes the start of a fall, for a host that runs the fall of skelobj_doll_drop in a world of its own, with the
   * settings of skelobj_drop_world_def. `def` may be null for the usual fall. The height above the floor is measured
   * with a ragdoll that is added to the world and removed again: a fall has the same bits if the world is new, and
   * the floor or level is added after this call. Then make the ragdoll in the first pose of the animation, and
   * "animate 1". In each of the first steps pose the object, update the ragdoll, and step the world. To let go,
   * update it, "animate 0", and add the velocity and the angular velocity.
   */
  dropStart(world: SkelobjWorld, doll: SkelobjDoll, model: SkelobjModel, def: Partial<SkelobjDropDef> | Address | null): SkelobjDropStart;
  /** Returns the default options. */
  defaultFitDef(): SkelobjFitDef;
  /**
   * Writes the text of a .doll file for a model, with comments that tell the origin of its numbers, and its length
   * (may be null). `def` may be null for the default. The text is the same in each call, and rarely longer than 64
   * KB.
   */
  dollFit(model: SkelobjModel, def: Partial<SkelobjFitDef> | Address | null): string;
  /**
   * Writes the words of the language, and their number (may be null). Two of them are words of bodies and of joints,
   * and listed twice.
   */
  dollDirectives(): SkelobjDirective[];
  /**
   * Runs a command of skel_ragupdate on an object of an entity, such as "animate 0.5", "animatelimb upperarm_l 0
   * 0.3", "enablejoint neck 0", "muscle 0.4", "doll progs/other.doll" or "cleardoll", as text that game code has. A
   * host's own code has skelobj_ragdoll_animate, skelobj_ragdoll_enable_joint and the like. Writes the result of the
   * builtin (may be null): the number of animated bodies for "animatebody" and "animatelimb", 0 for "cleardoll"
   * without a doll, else 1. `source` is an object whose pose the bodies follow; none is the object's own.
   */
  ragdollCommand(world: SkelobjWorld, object: SkelobjObject, entity: ArrayLike<number> | null, command: string | null, source: SkelobjObject): number;
  /**
   * Updates the ragdoll of an object once per frame: bodies follow the pose while the character lives, bones follow
   * the bodies once it is limp. The first call makes the ragdoll from the model's doll. `source` is an object whose
   * pose the bodies follow; none is the object's own.
   */
  ragdollUpdate(world: SkelobjWorld, object: SkelobjObject, entity: ArrayLike<number> | null, source: SkelobjObject): void;
  /**
   * Makes all bodies follow the animation with the doll's strengths times `strength`, 0 to 1: exactly at 1, limp at
   * 0, as at a death. The strengths change within `seconds`, 0 to 3600. A negative number is the usual time: 0.3
   * seconds for limp bodies that are to follow exactly from far away, as when a corpse gets up, and 0 for all others.
   * Also updates the ragdoll.
   */
  ragdollAnimate(world: SkelobjWorld, object: SkelobjObject, entity: ArrayLike<number> | null, strength: number, seconds: number, source: SkelobjObject): void;
  /**
   * Makes one body, by its name in the doll, follow the animation with a strength of its own, 0 to 1, whatever the
   * doll's is: a hand drags the corpse. `seconds` is as in skelobj_ragdoll_animate. Also updates the ragdoll, and
   * writes the number of bodies that follow the animation (may be null).
   */
  ragdollAnimateBody(world: SkelobjWorld, object: SkelobjObject, entity: ArrayLike<number> | null, body: string | null, strength: number, seconds: number, source: SkelobjObject): number;
  /**
   * Makes a body, by its name in the doll, and all that hangs on it follow the animation with a strength of their
   * own, 0 to 1, whatever the doll's is: a shot in the upper arm paralyses forearm and hand, too. A body hangs on
   * another if enabled joints connect it with the body on the topmost bone by way of that other body alone. The rest
   * is as in skelobj_ragdoll_animate_body.
   */
  ragdollAnimateLimb(world: SkelobjWorld, object: SkelobjObject, entity: ArrayLike<number> | null, body: string | null, strength: number, seconds: number, source: SkelobjObject): number;
  /**
   * Enables (1) or disables (0) a joint, by its name in the doll. A disabled joint severs the bodies that hang on it,
   * also on an animated character: they become limp and keep their velocity, until the joint is enabled again. Also
   * updates the ragdoll.
   */
  ragdollEnableJoint(world: SkelobjWorld, object: SkelobjObject, entity: ArrayLike<number> | null, joint: string | null, enabled: number, source: SkelobjObject): void;
  /**
   * Sets the strength of all muscles, a factor of the doll's own stiffness: at 0 the corpse is slack. Also updates
   * the ragdoll.
   */
  ragdollMuscle(world: SkelobjWorld, object: SkelobjObject, entity: ArrayLike<number> | null, strength: number, source: SkelobjObject): void;
  /**
   * Sets the strength of the muscle of one joint, by its name in the doll: a factor of the doll's own stiffness. Also
   * updates the ragdoll.
   */
  ragdollMuscleJoint(world: SkelobjWorld, object: SkelobjObject, entity: ArrayLike<number> | null, joint: string | null, strength: number, source: SkelobjObject): void;
  /**
   * Wakes the ragdoll (1), or lets it sleep where it is (0), from the end of the next step on. It stays awake while
   * it touches something that moves, and while bodies of it follow an animation. Also updates the ragdoll.
   */
  ragdollSetAwake(world: SkelobjWorld, object: SkelobjObject, entity: ArrayLike<number> | null, awake: number, source: SkelobjObject): void;
  /**
   * Updates the ragdoll of an entity that has its model's default doll and receives no commands. The ragdoll follows
   * the animation with the doll's strengths, or with that of the last skelobj_ragdoll_animate. The ragdoll is limp
   * while `frame`, the entity's frame, is positive and has bit 15 set, such as 65535.
   */
  ragdollUpdateDefault(world: SkelobjWorld, object: SkelobjObject, entity: ArrayLike<number> | null, frame: number): void;
  /** Makes the ragdoll of an object from a doll. */
  ragdollSet(world: SkelobjWorld, object: SkelobjObject, entity: ArrayLike<number> | null, doll: SkelobjDoll): void;
  /** Removes the ragdoll of an object; its bones keep their pose. Returns 1 if there was one, otherwise 0. */
  ragdollClear(world: SkelobjWorld, object: SkelobjObject): number;
  /**
   * Reads the doll of a model now rather than at the first update. Returns 1 if there is one with bodies, otherwise
   * 0.
   */
  precacheDoll(world: SkelobjWorld, model: SkelobjModel): number;
  /** Reads all doll files again and changes the ragdolls in place. Returns the number of dolls that changed. */
  reloadDolls(world: SkelobjWorld): number;
  /** Returns the index of the body that drives a bone; -1 if there is none. */
  ragdollBoneBody(world: SkelobjWorld, object: SkelobjObject, bone: number): number;
  /** Returns the default flinch. */
  defaultFlinchDef(): SkelobjFlinchDef;
  /**
   * Pushes a ragdoll with an impulse (mass * units per second) at a point, both in world space. `bone` is the bone
   * that was hit; 0 pushes the nearest body. A body that the animation holds flinches as `hit` (null for the default)
   * says. Returns 1 if there was a body, otherwise 0.
   */
  ragdollImpulse(world: SkelobjWorld, object: SkelobjObject, bone: number, point: ArrayLike<number> | null, impulse: ArrayLike<number> | null, hit: Partial<SkelobjFlinchDef> | Address | null): number;
  /**
   * Adds a velocity (units per second) and a spin (radians per second) about a centre in world space to all limp and
   * partly animated bodies. Those that follow the animation exactly stay as they are.
   */
  ragdollAddVelocity(world: SkelobjWorld, object: SkelobjObject, velocity: ArrayLike<number> | null, spin: ArrayLike<number> | null, centre: ArrayLike<number> | null): void;
  /** Sets the collision groups of an object's ragdoll: a sum of SKELOBJ_GROUP_... */
  ragdollSetGroups(world: SkelobjWorld, object: SkelobjObject, groups: number): void;
  /** Sets the impulse from which on impacts are recorded; a negative number (default) records none. */
  setImpactThreshold(world: SkelobjWorld, threshold: number): void;
  /** Writes the impacts of the last skelobj_step, and their number (may be null). */
  impacts(world: SkelobjWorld): SkelobjImpact[];
  /**
   * Finds where in some animations of a model a ragdoll lies as it does now, for getting up. `tolerance` is the
   * greatest distance, of the kind in SkelobjPoseMatch.
   */
  matchPose(world: SkelobjWorld, object: SkelobjObject, model: SkelobjModel, animations: Address, animation_count: number, tolerance: number): SkelobjPoseMatch;
  /** Writes a summary of the ragdoll of an object. */
  ragdollInfo(world: SkelobjWorld, object: SkelobjObject): SkelobjRagdollInfo;
  /** Writes the bodies of a ragdoll, and their number (may be null). */
  ragdollBodies(world: SkelobjWorld, object: SkelobjObject): SkelobjBodyState[];
  /** Writes the joints of a ragdoll, and their number (may be null). */
  ragdollJoints(world: SkelobjWorld, object: SkelobjObject): SkelobjJointState[];
  /**
   * Writes the points at which a ragdoll touches anything but itself, in the order of its bodies, and their number
   * (may be null). Those with boxes of entities bear no force.
   */
  ragdollContactPoints(world: SkelobjWorld, object: SkelobjObject): SkelobjContactPoint[];
  /** Returns a def of a line from the origin to itself through the world. */
  defaultTraceDef(): SkelobjTraceDef;
  /** Traces a line or box through the world, or through one object. Writes what it hit; the fraction is 1 if nothing. */
  trace(world: SkelobjWorld, def: Partial<SkelobjTraceDef> | Address | null): SkelobjHit;
  /** Writes what touches a level body, such as a door that is blocked, and their number (may be null). */
  contacts(world: SkelobjWorld, body: SkelobjLevelBody): SkelobjContact[];
  /**
   * Writes the matrix of a tag in world space. The first entity has the tag; each further one is what the entity
   * before it hangs on, by its `tag`. A list of one entity is the usual case.
   */
  tag(world: SkelobjWorld, entities: Partial<SkelobjEntity>[]): Float32Array;
  /** Writes the matrix of an entity's tag relative to its parent, and the number of that tag or 0 (may be null). */
  tagLocal(world: SkelobjWorld, link: Partial<SkelobjEntity> | Address | null): [Float32Array, number];
  /** Returns a def of a second, exact. */
  defaultHistoryDef(): SkelobjHistoryDef;
  /** Replaces the history of poses with an empty one of these settings; a null `def` ends it. A new world keeps none. */
  keepHistory(world: SkelobjWorld, def: Partial<SkelobjHistoryDef> | Address | null): void;
  /**
   * Records the pose of an object, its ragdoll and the matrix of its entity, at `time` in seconds. Writes 1, or 0 for
   * a time before the newest one and for an object that is already recorded at this time (may be null). Call it for
   * every object that can be hit, once per tick and with the same time, after poses and commands.
   */
  recordPose(world: SkelobjWorld, object: SkelobjObject, time: number, entity: ArrayLike<number> | null): number;
  /** Marks that an object's next record does not continue its last one, because it spawned or was teleported. */
  breakHistory(world: SkelobjWorld, object: SkelobjObject): void;
  /** Writes the recorded times, seconds: that of the `oldest` and of the `newest` record (each may be null). */
  historyWindow(world: SkelobjWorld, oldest: Address, newest: Address): void;
  /**
   * Writes the matrix of an object's entity and the matrices of its bones in model space, as they were at a time. The
   * object may be deleted since. With `is_clamped` 1, a time outside of the recorded ones stands for the nearest one;
   * with 0 it is an error. `capacity` is the number of matrices that there is room for.
   */
  pastPose(world: SkelobjWorld, object: SkelobjObject, time: number, is_clamped: number, matrices: Address, capacity: number): Float32Array;
  /** Takes a snapshot of a world and returns its id; none on failure. A history of frames is a list of these. */
  snapshotTake(world: SkelobjWorld): SkelobjSnapshot;
  /**
   * Puts a world into the state of a snapshot: of this world, or of another with the same models under the same
   * names. Ids of objects, level bodies and water are those of the snapshot.
   */
  snapshotRestore(world: SkelobjWorld, snapshot: SkelobjSnapshot): void;
  /** Returns 1 if a snapshot has this id, otherwise 0. */
  snapshotIsValid(snapshot: SkelobjSnapshot): number;
  /** Frees a snapshot. */
  snapshotFree(snapshot: SkelobjSnapshot): void;
  /**
   * Writes a snapshot as bytes for a file, and their number (may be null). The bytes hold nothing of the host:
   * entities and the ids that they hold are saved beside them.
   */
  snapshotWrite(snapshot: SkelobjSnapshot): Uint8Array;
  /**
   * Reads a snapshot from bytes and returns its id; none on failure. Bytes from strangers must be authenticated
   * first.
   */
  snapshotRead(bytes: Uint8Array): SkelobjSnapshot;
  /** Writes the names of the models that a snapshot needs, one on each line, and the length of the text (may be null). */
  snapshotModels(snapshot: SkelobjSnapshot): string;
  /**
   * Writes a message with the bones of an object, and its size in bytes (may be null). `what` is
   * SKELOBJ_REPLICATION_... Positions reach 512 units from the entity in each direction, or as far as the animations
   * of the object's model lead.
   */
  encodeBones(world: SkelobjWorld, object: SkelobjObject, what: number): Uint8Array;
  /** Sets the bones of an object to those of a message. */
  applyBones(world: SkelobjWorld, object: SkelobjObject, message: Uint8Array): void;
  /**
   * Creates a receiver, which keeps the last messages of one object and interpolates between them, and returns its
   * id; none on failure.
   */
  receiverCreate(): SkelobjReceiver;
  /** Returns 1 if a receiver has this id, otherwise 0. */
  receiverIsValid(receiver: SkelobjReceiver): number;
  /** Frees a receiver. */
  receiverFree(receiver: SkelobjReceiver): void;
  /**
   * Hands a message for an object to a receiver. `time` is the sender's, seconds. Returns 1 if it is new, 0 if it is
   * late or damaged.
   */
  receiverReceive(world: SkelobjWorld, object: SkelobjObject, receiver: SkelobjReceiver, time: number, message: Uint8Array): number;
  /**
   * Sets the bones of an object to those at a time of the sender, interpolated. Returns 1 if there are any, otherwise
   * 0.
   */
  receiverShow(world: SkelobjWorld, object: SkelobjObject, receiver: SkelobjReceiver, time: number): number;
  /** Returns the time of the newest message of a receiver; -1 if there is none. */
  receiverNewest(receiver: SkelobjReceiver): number;
  /** Forgets all messages of a receiver, for an object that jumps. */
  receiverClear(receiver: SkelobjReceiver): void;
}
