/// @file
// skelobj: skeletal animation and ragdolls for Quake-style engines. Made by cbindgen from capi/; do not edit.
//
// Rules
// - A call returns a status, an id that is none on failure, or a number that is 0 (or as documented) on failure.
//   skelobj_last_error has the text. A call that fails changes nothing.
// - An id is a struct of one number, `id`, and each kind of thing has a struct of its own; all zeros, {0}, are none.
//   Bits 24 to 27 are the kind (SKELOBJ_KIND_...), bits 0 to 23 the number that QuakeC has of an object
//   (skelobj_object_number). An id may be copied, compared (SKELOBJ_IS_NONE, SKELOBJ_IS_SAME), and saved. Ids of
//   worlds, models, dolls, players, levels, snapshots and receivers are process-wide; those of objects, level bodies
//   and water belong to a world. An id that was freed is refused, and so is one whose bits are of another kind. One
//   exception: a world that has a model builds from its freed id until skelobj_world_remove_model.
// - Bones and tags are numbered from 1, as in QuakeC; 0 is none. Animations, skins, meshes and bodies begin at 0.
// - A matrix is 12 floats, three rows of four: forward x, left x, up x, origin x, then y, then z. X points forward,
//   Y left, Z up.
// - A struct whose name ends in Def comes from its skelobj_default function; its cookie is checked.
// - Bytes, texts and lists are written into the caller's buffer, and their number to a place beside it:
//   1. With both null and a capacity of 0, the call leaves them out and does all else.
//   2. With a capacity of 0 and a place for the number, the call writes the number, does nothing else, and returns
//      SKELOBJ_STATUS_OK. The buffer may be null.
//   3. With too little room, the call writes the number, does nothing else, and returns
//      SKELOBJ_STATUS_BUFFER_TOO_SMALL. With that much room it succeeds.
//   A text needs one more character for its terminating zero. Matrices have no place for their number, which is that of
//   the bones.
// Order of the functions
// - Ids, versions, failures, memory; matrices; worlds and frames; models; levels, doors, boxes, water; objects; poses;
//   dolls; ragdolls; traces, contacts, tags; poses of the past; saves; network. Each has a heading.
// Units of parameters, unless a function states others
// - Seconds: `seconds`, `time`, `after`, `until`. Degrees, pitch, yaw and roll: `angles`. Quake units: `origin`,
//   `point`, `centre`, `mins`, `maxs`, `z`, `positions`, `corners`, `tolerance`. Units/s: `velocity`. Radians/s: `spin`.
//   Mass * units/s: `impulse`, `threshold`. Mass * units/s^2: `force`. Without a unit: `scale`, `strength`, `choice`.
//   Directions of length 1: `forward`, `right`, `up`, `normals`, `tangents`.
// - Matrices with units in their last column: `matrix`, `matrices`, `entity`, `palette`, `inverse`, `a`, `b`, `product`,
//   and those whose names end in _matrix or _turn. `entity` is the matrix of an entity, model space to world space.
// - Points, boxes and velocities of a world or a level are in world space.
// Threads
// - A call with a SkelobjWorld has the world alone, and any thread may make it. A call that finds the world in use, by
//   another thread or by the call whose callback makes it, returns SKELOBJ_STATUS_BUSY and does nothing; debug builds
//   also report it on stderr. Calls on different worlds may run at the same time.
// - A call on a model, doll, player, level, snapshot or receiver may run beside every other call, also on the same
//   thing. A call on something that another call frees at the same time either finishes or refuses the id.
// - A call without an id may run beside every other call.
// - Calls of a thread about its own failures: skelobj_last_status, skelobj_last_error, skelobj_clear_error.
// Ownership
// - A call that returns the id of a world, model, doll, player, level, snapshot or receiver makes it for the host, which
//   frees it with skelobj_NOUN_free. Calls that find one instead: skelobj_world_find_model, and skelobj_world_load_model
//   for a name that the world knows.
// - A call that returns the id of an object, level body or body of water makes it in its world, which frees it at the
//   latest. The host may do so before, with skelobj_object_delete, skelobj_level_body_remove, skelobj_water_remove.
//   Calls that find one instead: skelobj_object_from_number, skelobj_water_at.
// Pointers
// - A pointer points to as much as the function says; a buffer that is written overlaps nothing else. It may be null
//   where the function says so, for a list or text that is left out (rule 1), and for a Def whose default is of use:
//   SkelobjLoadDef, SkelobjLevelDef, SkelobjBuildDef, SkelobjAimDef, SkelobjReachDef, SkelobjSpringDef, SkelobjFeetDef,
//   SkelobjSkinDef, SkelobjFlinchDef, SkelobjCheckDef, SkelobjDropDef, SkelobjFitDef. Null anywhere else is refused
//   with SKELOBJ_STATUS_NULL_POINTER.
// - A call copies what it needs and keeps no pointer. Calls whose pointers a world keeps, callbacks and what these are
//   handed, until skelobj_world_set_settings or skelobj_world_free: skelobj_world_create, skelobj_world_set_settings.
// - Calls that give pointers to the host: skelobj_model_data, valid until skelobj_model_free; skelobj_status_name, valid
//   for ever; skelobj_world_settings, those that the world keeps. Other structs come with null pointers.
// Callbacks
// - They run on the thread of the call, during the call, and may make calls that do not use that world. They must
//   return: a longjmp or an exception through the library is undefined behaviour, and leaves the world in use for ever.


#ifndef SKELOBJ_H
#define SKELOBJ_H

#include <stddef.h>
#include <stdint.h>

// Stands before every function. A host on Windows that links the DLL defines SKELOBJ_SHARED.
#if defined(_WIN32) && defined(SKELOBJ_SHARED)
#define SKELOBJ_API __declspec(dllimport)
#elif defined(__GNUC__) && !defined(_WIN32)
#define SKELOBJ_API __attribute__((visibility("default")))
#else
#define SKELOBJ_API
#endif

// Stands before every function that returns a status, but for those that free something. A host that lets
// SkelobjWorldDef.log report all failures defines it as nothing before it includes the header.
#ifndef SKELOBJ_NODISCARD
#if (defined(__cplusplus) && __cplusplus >= 201703L) || (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 202311L)
#define SKELOBJ_NODISCARD [[nodiscard]]
#elif defined(__GNUC__)
#define SKELOBJ_NODISCARD __attribute__((warn_unused_result))
#elif defined(_MSC_VER)
#define SKELOBJ_NODISCARD _Check_return_
#else
#define SKELOBJ_NODISCARD
#endif
#endif

/// 1 for an id that is none.
#define SKELOBJ_IS_NONE(thing) ((thing).id == 0)
/// 1 for two ids of the same thing.
#define SKELOBJ_IS_SAME(a, b) ((a).id == (b).id)

/// Version of the interface that the header declares: 10000 * major + 100 * minor + patch. Structs and functions of one
/// minor version stay as they are. It is counted apart from the version of the Rust packages, and is in the name of the
/// shared library: 0.1 is `libskelobj.so.0.1`.
#define SKELOBJ_VERSION 100

/// Outcome of a call. `skelobj_last_error` returns the text that belongs to the last failure.
typedef enum {
  /// The call did what it says.
  SKELOBJ_STATUS_OK = 0,
  /// A pointer that must not be null is null.
  SKELOBJ_STATUS_NULL_POINTER = 1,
  /// A pointer is not aligned for its type.
  SKELOBJ_STATUS_MISALIGNED = 2,
  /// The id is 0, was never given out, was deleted, or belongs to something of another kind.
  SKELOBJ_STATUS_BAD_ID = 3,
  /// A def does not come from its `skelobj_default_..._def` function.
  SKELOBJ_STATUS_BAD_DEF = 4,
  /// A text is not UTF-8 where it must be.
  SKELOBJ_STATUS_BAD_TEXT = 5,
  /// A number is not finite, negative where it must not be, or out of range.
  SKELOBJ_STATUS_BAD_NUMBER = 6,
  /// No bone, animation, mesh, body, file or the like has this number or name.
  SKELOBJ_STATUS_NOT_FOUND = 7,
  /// The buffer is too small. Nothing was written into it; the needed size was.
  SKELOBJ_STATUS_BUFFER_TOO_SMALL = 8,
  /// The world is in use: by a call whose callback makes this one, or by another thread.
  SKELOBJ_STATUS_BUSY = 9,
  /// A limit is exceeded.
  SKELOBJ_STATUS_LIMIT = 10,
  /// A model, level or player cannot be read or written.
  SKELOBJ_STATUS_BAD_FILE = 11,
  /// A call on models or objects does not fit them.
  SKELOBJ_STATUS_MISMATCH = 12,
  /// The ragdoll or its doll cannot do this.
  SKELOBJ_STATUS_RAGDOLL = 13,
  /// The level or the water cannot do this.
  SKELOBJ_STATUS_LEVEL = 14,
  /// A snapshot is damaged or does not fit the world.
  SKELOBJ_STATUS_BAD_SNAPSHOT = 15,
  /// A message of bones is damaged or does not fit the object.
  SKELOBJ_STATUS_BAD_MESSAGE = 16,
  /// skelobj has met a bug of its own and has stopped the call. The only thing left to do with the world of the call
  /// is `skelobj_world_free`.
  SKELOBJ_STATUS_PANIC = 17,
} SkelobjStatus;

/// Kind of thing, which bits 24 to 27 of its id state.
typedef enum {
  /// Nothing: the id is all zeros.
  SKELOBJ_KIND_NONE = 0,
  /// World: a runtime with its objects, ragdolls and physics.
  SKELOBJ_KIND_WORLD = 1,
  /// Model.
  SKELOBJ_KIND_MODEL = 2,
  /// Doll.
  SKELOBJ_KIND_DOLL = 3,
  /// Player of three models.
  SKELOBJ_KIND_PLAYER = 4,
  /// Level from a BSP file.
  SKELOBJ_KIND_LEVEL = 5,
  /// Snapshot of a world.
  SKELOBJ_KIND_SNAPSHOT = 6,
  /// Receiver of bones from a network.
  SKELOBJ_KIND_RECEIVER = 7,
  /// Skeletal object of a world.
  SKELOBJ_KIND_OBJECT = 8,
  /// Level body of a world: a floor, a wall, a door, or the box of an entity.
  SKELOBJ_KIND_LEVEL_BODY = 9,
  /// Body of water in a world.
  SKELOBJ_KIND_WATER = 10,
} SkelobjKind;

/// Level of a text for a log.
typedef enum {
  /// Something was repaired or left out.
  SKELOBJ_LOG_LEVEL_WARNING = 1,
  /// A call on the world failed.
  SKELOBJ_LOG_LEVEL_ERROR = 2,
} SkelobjLogLevel;

/// Part of a player.
typedef enum {
  /// Legs, which stand where the entity stands.
  SKELOBJ_PART_LOWER = 0,
  /// Torso.
  SKELOBJ_PART_UPPER = 1,
  /// Head.
  SKELOBJ_PART_HEAD = 2,
  /// All three as one vertex-animated model in the space of the legs, with the animations of animation.cfg.
  SKELOBJ_PART_WHOLE = 3,
} SkelobjPart;

/// Kind of a file among others.
typedef enum {
  /// Of no use.
  SKELOBJ_FILE_KIND_UNUSED = 0,
  /// Model. Among several models, one with a surface.
  SKELOBJ_FILE_KIND_MODEL = 1,
  /// One of several models that has no surface: animations or a skeleton, for skelobj_model_join.
  SKELOBJ_FILE_KIND_ANIMATIONS = 2,
  /// Part of a Quake III player.
  SKELOBJ_FILE_KIND_PART = 3,
  /// animation.cfg of a Quake III player, or the default skin of a part.
  SKELOBJ_FILE_KIND_PLAYER_FILE = 4,
  /// Text of a doll.
  SKELOBJ_FILE_KIND_DOLL = 5,
  /// Map, for skelobj_level_load.
  SKELOBJ_FILE_KIND_LEVEL = 6,
  /// Palette of a game, for the textures of its maps.
  SKELOBJ_FILE_KIND_PALETTE = 7,
  /// Picture, if a material names it.
  SKELOBJ_FILE_KIND_PICTURE = 8,
  /// Side file, if a model or a side file names it; otherwise it is of no use.
  SKELOBJ_FILE_KIND_SIDE = 9,
} SkelobjFileKind;

/// Space of an object's bones.
typedef enum {
  /// Bones relative to their parents: the object can be built and have a ragdoll.
  SKELOBJ_SPACE_LOCAL = 0,
  /// Bones relative to the entity.
  SKELOBJ_SPACE_MODEL = 1,
} SkelobjSpace;

/// Rule by which the poses of an object are mixed.
typedef enum {
  /// Sum of matrices, as in FTE. Poses far apart shorten and shear a bone between them.
  SKELOBJ_BLENDING_LINEAR = 0,
  /// Each bone is a rotation times its own scale.
  SKELOBJ_BLENDING_ROTATIONS = 1,
} SkelobjBlending;

/// Shape of a body.
typedef enum {
  /// Box: `size` is its extent along x, y and z.
  SKELOBJ_BODY_SHAPE_BOX = 0,
  /// Sphere.
  SKELOBJ_BODY_SHAPE_SPHERE = 1,
  /// Capsule along z.
  SKELOBJ_BODY_SHAPE_CAPSULE = 2,
  /// Cylinder along z.
  SKELOBJ_BODY_SHAPE_CYLINDER = 3,
} SkelobjBodyShape;

/// Mode of a body of a ragdoll.
typedef enum {
  /// Physics alone moves the body.
  SKELOBJ_BODY_MODE_LIMP = 0,
  /// Physics moves the body, and the animation pulls it.
  SKELOBJ_BODY_MODE_PULLED = 1,
  /// The body moves to the animation, which it will follow exactly.
  SKELOBJ_BODY_MODE_APPROACHING = 2,
  /// The body is exactly where the animation is.
  SKELOBJ_BODY_MODE_FOLLOWING = 3,
  /// The body is out of the simulation for a step: its position or velocity was non-finite.
  SKELOBJ_BODY_MODE_QUARANTINED = 4,
} SkelobjBodyMode;

/// Mode of a joint of a ragdoll.
typedef enum {
  /// The joint holds its bodies together.
  SKELOBJ_JOINT_MODE_HOLDING = 0,
  /// The joint was enabled with its anchors apart, and pulls them together softly.
  SKELOBJ_JOINT_MODE_CATCHING = 1,
  /// The joint is disabled.
  SKELOBJ_JOINT_MODE_SEVERED = 2,
  /// The animation holds both bodies; the joint is not solved.
  SKELOBJ_JOINT_MODE_IDLE = 3,
} SkelobjJointMode;

/// Way of a ragdoll to rest.
typedef enum {
  /// The ragdoll falls or was pushed.
  SKELOBJ_REST_MODE_MOVING = 0,
  /// The ragdoll is slow, and has more angular damping.
  SKELOBJ_REST_MODE_SETTLING = 1,
  /// The ragdoll trembles in place, is damped strongly, and may sleep at any speed.
  SKELOBJ_REST_MODE_CALMED = 2,
  /// The ragdoll sleeps.
  SKELOBJ_REST_MODE_ASLEEP = 3,
} SkelobjRestMode;

/// Length of skinned normals and tangents.
typedef enum {
  /// Unit length, by square root and division.
  SKELOBJ_NORMAL_LENGTH_EXACT = 0,
  /// Unit length within 0.066 %, by one Newton step.
  SKELOBJ_NORMAL_LENGTH_NEWTON = 1,
  /// Length that the matrices give, for shaders that normalise.
  SKELOBJ_NORMAL_LENGTH_UNSCALED = 2,
} SkelobjNormalLength;

/// Collision groups. Corpses collide with the level and with ragdolls, but not with boxes of entities.
typedef enum {
  /// Level: the world, doors, lifts.
  SKELOBJ_GROUP_LEVEL = 1,
  /// Bodies of ragdolls.
  SKELOBJ_GROUP_RAGDOLLS = 2,
  /// Boxes of entities.
  SKELOBJ_GROUP_BOXES = 4,
  /// Bodies of ragdolls that boxes of entities pass through.
  SKELOBJ_GROUP_CORPSES = 8,
  /// All groups.
  SKELOBJ_GROUP_ALL = 15,
} SkelobjGroup;

/// Kind of a shape.
typedef enum {
  /// Box around the origin of its body: `size` is its extent.
  SKELOBJ_SHAPE_KIND_BOX = 0,
  /// Convex hull of points.
  SKELOBJ_SHAPE_KIND_HULL = 1,
  /// Triangles between points, solid inside.
  SKELOBJ_SHAPE_KIND_MESH = 2,
  /// Polygons, such as the faces of a map. Corners of neighbours are welded.
  SKELOBJ_SHAPE_KIND_POLYGONS = 3,
} SkelobjShapeKind;

/// Kind of a liquid.
typedef enum {
  /// Water.
  SKELOBJ_LIQUID_KIND_WATER = 0,
  /// Slime.
  SKELOBJ_LIQUID_KIND_SLIME = 1,
  /// Lava.
  SKELOBJ_LIQUID_KIND_LAVA = 2,
} SkelobjLiquidKind;

/// Geometry of an object that a trace is aimed at.
typedef enum {
  /// The most exact that the object has.
  SKELOBJ_GEOMETRY_BEST = 0,
  /// Bodies of its ragdoll.
  SKELOBJ_GEOMETRY_RAGDOLL = 1,
  /// Hit boxes.
  SKELOBJ_GEOMETRY_HIT_BOXES = 2,
  /// Triangles of its skin.
  SKELOBJ_GEOMETRY_SKIN = 3,
} SkelobjGeometry;

/// Kind of what a trace hit.
typedef enum {
  /// Nothing.
  SKELOBJ_SURFACE_KIND_NONE = 0,
  /// Body of a ragdoll: `index` is its number.
  SKELOBJ_SURFACE_KIND_BODY = 1,
  /// Hit box: `index` is its number.
  SKELOBJ_SURFACE_KIND_HIT_BOX = 2,
  /// Skin: `index` is the mesh, `triangle` the triangle.
  SKELOBJ_SURFACE_KIND_SKIN = 3,
  /// Level: `level_body` is the body, `index` the shape, `triangle` the triangle or -1.
  SKELOBJ_SURFACE_KIND_LEVEL = 4,
} SkelobjSurfaceKind;

/// Contents of a message of bones.
typedef enum {
  /// Positions and rotations of all bones.
  SKELOBJ_REPLICATION_FULL = 0,
  /// Positions of all bones, from which rotations are guessed.
  SKELOBJ_REPLICATION_POSITIONS = 1,
} SkelobjReplication;

/// Place in a doll where a line may stand.
typedef enum {
  /// No block: the line stands for itself.
  SKELOBJ_DIRECTIVE_SCOPE_FILE = 0,
  /// Body above the line.
  SKELOBJ_DIRECTIVE_SCOPE_BODY = 1,
  /// Joint above the line.
  SKELOBJ_DIRECTIVE_SCOPE_JOINT = 2,
} SkelobjDirectiveScope;

/// Rotation of the bone at the end of a limb that reaches.
typedef enum {
  /// The bone turns with the limb.
  SKELOBJ_END_ROTATION_WITH_LIMB = 0,
  /// The bone keeps the rotation in model space that it had in the pose.
  SKELOBJ_END_ROTATION_KEPT = 1,
  /// The rotation that the bone had in the pose, and `end_turn` after it, in model space.
  SKELOBJ_END_ROTATION_KEPT_THEN = 2,
} SkelobjEndRotation;

/// Parts of a root bone's motion that move the entity, a sum of SKELOBJ_MOTION_PART_... for skelobj_motion.
typedef enum {
  /// Along X and Y of model space.
  SKELOBJ_MOTION_PART_DISTANCE = 1,
  /// Along Z of model space.
  SKELOBJ_MOTION_PART_HEIGHT = 2,
  /// About Z of model space.
  SKELOBJ_MOTION_PART_YAW = 4,
} SkelobjMotionPart;

/// Id of a skeletal object of a world; all zeros are none.
typedef struct {
  /// Kind in bits 24 to 27, number below; 0 is none.
  uint32_t id;
} SkelobjObject;

/// Limits on the contents of a file.
typedef struct {
  /// Memory of a model, bytes.
  uint64_t memory;
  /// Memory of a model for each byte of its files, above a free allowance.
  uint32_t memory_per_byte;
  /// Number of bones.
  uint32_t bones;
  /// Number of frames.
  uint32_t frames;
  /// Number of triangles.
  uint32_t triangles;
  /// Number of warnings that are kept.
  uint32_t warnings;
  /// Not used.
  uint32_t reserved;
} SkelobjLimits;

/// Pointer that the library hands back to callbacks and never reads.
typedef void *SkelobjUser;

/// Files of a host.
typedef struct {
  /// Finds a file: a model, a file beside it, a doll. Returns its bytes and writes their number, or returns null if
  /// there is no such file. `name` is a plain path (skelobj_is_plain_path), whoever states it: script, model or host.
  /// Under any other name, `load` is not called, and the failure or warning states the name. The bytes must stay
  /// until `unload` is called, or for the rest of the call if that is null. Null if there are no files.
  const uint8_t *(*load)(SkelobjUser user, const char *name, size_t *size);
  /// Takes back what `load` returned, once; may be null.
  void (*unload)(SkelobjUser user, const uint8_t *bytes, size_t size);
  /// Handed to both.
  SkelobjUser user;
} SkelobjFiles;

/// Settings of a world. Get one from skelobj_default_world_def.
typedef struct {
  /// Proof that the def was initialised.
  uint32_t cookie;
  /// Number of bones of all objects that a world may have. Default 2097152.
  uint32_t max_bones;
  /// Acceleration, units per second squared. Default 0 0 -800.
  float gravity[3];
  /// Length of a metre, units: the scale of the world's tolerances. Default 40.
  float length_unit;
  /// Length of a physics step, seconds. Default 1/60.
  float step;
  /// Maximum time that one call simulates, seconds; time beyond it is dropped. Default 0.1.
  float max_step_debt;
  /// Solver iterations a step. Default 6; 4 makes awake ragdolls 22 % cheaper, with joint gaps up to twice as wide.
  int32_t iterations;
  /// Sweeps over the joints in an iteration. Default 4.
  int32_t internal_iterations;
  /// Linear damping of bodies, 1/s. Default 0.2.
  float linear_damping;
  /// Angular damping of bodies, 1/s. Default 1.
  float angular_damping;
  /// Friction coefficient of bodies and level. Default 0.65.
  float friction;
  /// Speed below which a body may sleep, units/s. Default 8.
  float sleep_speed;
  /// Number of pairs of bodies of ragdolls that may be near enough to touch in a step; beyond it ragdolls lose
  /// contacts, and the log names them. Default 100000.
  uint32_t max_contact_pairs;
  /// Sign of the pitch of entities with a skeletal model: -1 (default) as in Quake, or 1.
  float mesh_pitch;
  /// Factor of the roll of entities with a skeletal model. Default 1.
  float mesh_roll;
  /// 1 (default) if bones without bodies, such as fingers, keep the local pose of the last build in frames in which
  /// the game does not build; 0 if they return to the bind pose, as QuakeC's skel_ragupdate has it.
  int32_t keep_bones;
  /// Limits on the models that the world loads.
  SkelobjLimits limits;
  /// Files of the host, for models by name and for dolls.
  SkelobjFiles files;
  /// Receives the warnings and failures of the world; may be null. `level` is SKELOBJ_LOG_LEVEL_...
  void (*log)(SkelobjUser user, int32_t level, const char *text);
  /// Handed to `log`.
  SkelobjUser log_user;
} SkelobjWorldDef;

/// Id of a world; all zeros are none.
typedef struct {
  /// Kind in bits 24 to 27, number below; 0 is none.
  uint32_t id;
} SkelobjWorld;

/// Outcome of a frame's simulation.
typedef struct {
  /// Number of physics steps that were made.
  int32_t steps;
  /// Time that was dropped because it was too much, seconds.
  float dropped;
} SkelobjStepped;

/// Id of a model; all zeros are none.
typedef struct {
  /// Kind in bits 24 to 27, number below; 0 is none.
  uint32_t id;
} SkelobjModel;

/// File in memory.
typedef struct {
  /// Name, with or without a folder.
  const char *name;
  /// Contents.
  const uint8_t *bytes;
  /// Size of the contents, bytes.
  size_t size;
} SkelobjFile;

/// Settings for loading a model. Get one from skelobj_default_load_def.
typedef struct {
  /// Proof that the def was initialised.
  uint32_t cookie;
  /// 1 to read files as DarkPlaces does where it differs from FTE. Default 0.
  int32_t as_darkplaces;
  /// Limits on the contents.
  SkelobjLimits limits;
  /// Files beside the model: framegroups, skins, skeletons, animations.
  SkelobjFiles files;
} SkelobjLoadDef;

/// Use of a file among others.
typedef struct {
  /// Kind, SKELOBJ_FILE_KIND_...
  int32_t kind;
  /// Part of a player, SKELOBJ_PART_...; 0 for other files.
  int32_t part;
  /// Reason of an unused file, or of a side file that nothing names, cut to 255 bytes: "it is empty".
  char reason[256];
} SkelobjFileUse;

/// Bone of a model. Bones are numbered from 1, as in QuakeC: number N is `bones[N - 1]`.
typedef struct {
  /// Name; may be empty.
  const char *name;
  /// Number of the parent, less than the bone's own; 0 for a root.
  int32_t parent;
  /// Bind pose, relative to the parent.
  float bind[12];
  /// Inverse of the bind pose in model space, which a palette contains.
  float inverse_bind[12];
} SkelobjBone;

/// Event of an animation.
typedef struct {
  /// Seconds from the start of the animation.
  float time;
  /// Code of the event.
  uint32_t code;
  /// Text of the event.
  const char *data;
} SkelobjEvent;

/// Animation (framegroup) of a model. Animations are numbered from 0, as an entity's frame.
typedef struct {
  /// Name; may be empty.
  const char *name;
  /// Number of poses.
  int32_t poses;
  /// Poses per second.
  float rate;
  /// Duration, seconds.
  float duration;
  /// 1 if the animation starts again after its end.
  int32_t looping;
  /// 1 if the animation shows the bind pose only.
  int32_t is_rest_pose;
  /// Action (activity) that the animation shows; -1 for none.
  int32_t action;
  /// Share of the animation in the choices for its action.
  float action_weight;
  /// Number of events.
  int32_t event_count;
  /// Events in the order of their times.
  const SkelobjEvent *events;
} SkelobjAnimation;

/// Extent of a model in one frame.
typedef struct {
  /// Lowest corner, model space.
  float mins[3];
  /// Highest corner, model space.
  float maxs[3];
  /// Radius around the Z axis.
  float xy_radius;
  /// Radius around the origin.
  float radius;
} SkelobjBounds;

/// Bones that move a vertex.
typedef struct {
  /// Indices of up to four bones in a palette: they begin at 0.
  uint16_t bones[4];
  /// Weights of the bones; their sum is 1.
  float weights[4];
} SkelobjInfluences;

/// Mesh of a model. Arrays without data are null; all others have `vertex_count` elements.
typedef struct {
  /// Name; may be empty.
  const char *name;
  /// Name of the material or texture.
  const char *material;
  /// Number of vertices.
  int32_t vertex_count;
  /// Number of triangles.
  int32_t triangle_count;
  /// Positions: 3 floats each, model space.
  const float *positions;
  /// Normals: 3 floats each.
  const float *normals;
  /// Tangents: 4 floats each; the fourth is the sign of the bitangent.
  const float *tangents;
  /// Texture coordinates: 2 floats each.
  const float *texcoords;
  /// Colours: red, green, blue (sRGB) and alpha, 4 floats each, 0 to 1.
  const float *colors;
  /// Bones of each vertex.
  const SkelobjInfluences *influences;
  /// Indices of vertices: 3 for each triangle.
  const uint32_t *triangles;
  /// Group of each triangle; null if all are in one.
  const uint32_t *triangle_groups;
  /// Number of morph targets.
  int32_t morph_count;
  /// 1 if the vertices move by frames or morph targets: skelobj_skin takes a frame.
  int32_t is_morphed;
  /// Contents of the surface, as in a map.
  uint32_t contents;
  /// Flags of the surface, as in a map.
  uint32_t flags;
  /// Part of the body that the mesh belongs to.
  uint32_t body;
  /// Set of meshes of which one is shown; 4294967295 for none.
  uint32_t geomset;
  /// Number of the mesh in its set.
  uint32_t geomid;
  /// Distance from which on the mesh is shown, units.
  float min_distance;
  /// Distance up to which the mesh is shown, units; 0 for any.
  float max_distance;
} SkelobjMesh;

/// Material of a skin.
typedef struct {
  /// Name of the material.
  const char *material;
  /// Name of the shader; may be empty.
  const char *shader;
} SkelobjSkinMaterial;

/// Materials that replace that of a mesh. Skins are numbered from 0, as an entity's skin, for each mesh.
typedef struct {
  /// Index of the mesh.
  int32_t mesh;
  /// Number of materials, at least 1.
  int32_t material_count;
  /// Materials in the order in which they are shown.
  const SkelobjSkinMaterial *materials;
  /// Seconds for which each material is shown.
  float interval;
} SkelobjSkin;

/// Appearance of a material.
typedef struct {
  /// Name, by which meshes refer to it.
  const char *name;
  /// Colour that multiplies the texture: red, green, blue (linear light), alpha, 0 to 1.
  float color[4];
  /// 1 if the texture has holes: a pixel is drawn if its opacity is one half or more.
  int32_t is_masked;
  /// 1 if the surface is as transparent as its colour and texture. It is opaque where this and `is_masked` are 0.
  int32_t is_blended;
  /// 1 if the file has more of the material than this.
  int32_t has_more;
  /// Name of the texture's file; null if there is none.
  const char *texture;
  /// Texture inside the model, as a picture file; null if there is none.
  const uint8_t *texture_bytes;
  /// Number of those bytes.
  size_t texture_size;
  /// Media type of those bytes, such as "image/png"; null if there are none.
  const char *texture_type;
} SkelobjMaterial;

/// Box around a bone, for traces.
typedef struct {
  /// Number of the bone.
  int32_t bone;
  /// Group of the box, such as 1 for a head in studio models.
  int32_t group;
  /// Lowest corner, relative to the bone.
  float mins[3];
  /// Highest corner, relative to the bone.
  float maxs[3];
} SkelobjHitBox;

/// Tag of a model: a bone, an attachment of a bone, or a tag of a vertex-animated model. Tags are numbered from 1 in
/// this order, so the number of a bone is that of its tag.
typedef struct {
  /// Name; may be empty.
  const char *name;
  /// Number of the tag that it moves with; 0 for none.
  int32_t parent;
  /// Place relative to its bone, for attachments; otherwise the identity.
  float offset[12];
} SkelobjTag;

/// Data of a model. All pointers are valid until skelobj_model_free, and constant.
typedef struct {
  /// Bones.
  const SkelobjBone *bones;
  /// Animations.
  const SkelobjAnimation *animations;
  /// Poses of all frames, relative to the parents: 12 floats for each bone of each frame.
  const float *frames;
  /// Bounds of the frames; null if they are not known, otherwise one for each.
  const SkelobjBounds *bounds;
  /// Meshes.
  const SkelobjMesh *meshes;
  /// Skins.
  const SkelobjSkin *skins;
  /// Materials; those of most formats are only names in the meshes.
  const SkelobjMaterial *materials;
  /// Hit boxes.
  const SkelobjHitBox *hit_boxes;
  /// Tags.
  const SkelobjTag *tags;
  /// Comments of the author.
  const char *const *comments;
  /// Defects that were repaired while loading, as texts.
  const char *const *warnings;
  /// Number of bones.
  int32_t bone_count;
  /// Number of animations.
  int32_t animation_count;
  /// Number of frames.
  int32_t frame_count;
  /// Number of bounds: 0 or that of the frames.
  int32_t bounds_count;
  /// Number of meshes.
  int32_t mesh_count;
  /// Number of skins.
  int32_t skin_count;
  /// Number of materials.
  int32_t material_count;
  /// Number of hit boxes.
  int32_t hit_box_count;
  /// Number of tags.
  int32_t tag_count;
  /// Number of comments.
  int32_t comment_count;
  /// Number of warnings.
  int32_t warning_count;
  /// 1 if the bones have a bind pose; 0 for files that only have animations.
  int32_t has_bind;
  /// Effect flags of the file.
  uint32_t flags;
} SkelobjModelData;

/// One animation at one time with one weight.
typedef struct {
  /// Seconds from the start of the animation; it need not be wrapped.
  double time;
  /// Number of the animation.
  int32_t animation;
  /// Weight in the sum; 0 for none.
  float weight;
} SkelobjBlend;

/// Animations that pose a model. Get one from skelobj_default_frame_def.
typedef struct {
  /// Proof that the def was initialised.
  uint32_t cookie;
  /// Number of bones at the start that `base` poses instead of `blends`. Default 0.
  int32_t base_bones;
  /// Animations of all bones. Default: the start of animation 0.
  SkelobjBlend blends[4];
  /// Animations of the first bones.
  SkelobjBlend base[2];
  /// Controllers of studio models, 0 to 1 each; the fifth is the mouth.
  float controllers[5];
  /// Blending of studio models, 0 to 1 each.
  float blending[2];
  /// An entity's 17 frame fields, which replace `blends` and `base` if this is not null: frame, frame2, frame3,
  /// frame4, frame1time, frame2time, frame3time, frame4time, lerpfrac, lerpfrac3, lerpfrac4, basebone, baseframe,
  /// baseframe2, baseframe1time, baseframe2time, baselerpfrac. They are read with FTE's rounding.
  const float *fields;
  /// 1 if the fields are a server's: only frame, frame1time, basebone and baseframe are read, and both frames play at
  /// frame1time. Default 0.
  int32_t is_server;
} SkelobjFrameDef;

/// Fit of the bones of two models.
typedef struct {
  /// Number of bones that both have.
  int32_t matched;
  /// Number of bones that the added model lacks.
  int32_t missing;
  /// Number of bones that only the added model has.
  int32_t unused;
  /// Number of bones with different parents.
  int32_t reparented;
} SkelobjBoneMatch;

/// Format of models.
typedef struct {
  /// Usual extension of its files, without a dot.
  char extension[16];
  /// Name for people.
  char name[64];
  /// 1 if skelobj_model_write writes it.
  int32_t is_writable;
} SkelobjFormat;

/// Bone of a model to be made.
typedef struct {
  /// Name; null for none.
  const char *name;
  /// Number of the parent (from 1), less than the bone's own; 0 for a root.
  int32_t parent;
  /// Bind pose, relative to the parent.
  float bind[12];
} SkelobjBonePart;

/// Animation of a model to be made.
typedef struct {
  /// Name; null for none.
  const char *name;
  /// First of its frames.
  int32_t first;
  /// Number of its frames.
  int32_t count;
  /// Frames per second.
  float rate;
  /// 1 if it starts again after its end.
  int32_t looping;
} SkelobjAnimationPart;

/// Mesh of a model to be made. Arrays that a mesh does not have are null.
typedef struct {
  /// Name; null for none.
  const char *name;
  /// Name of the material; null for none.
  const char *material;
  /// Number of vertices.
  int32_t vertex_count;
  /// Number of triangles.
  int32_t triangle_count;
  /// Positions: 3 floats for each vertex, model space.
  const float *positions;
  /// Normals: 3 floats for each vertex.
  const float *normals;
  /// Texture coordinates: 2 floats for each vertex.
  const float *texcoords;
  /// Bones of each vertex.
  const SkelobjInfluences *influences;
  /// Indices of vertices: 3 for each triangle.
  const uint32_t *triangles;
} SkelobjMeshPart;

/// Place on a bone, for a model to be made.
typedef struct {
  /// Name.
  const char *name;
  /// Number of the bone.
  int32_t bone;
  /// Place relative to the bone.
  float offset[12];
} SkelobjAttachmentPart;

/// Parts of a model. Get one from skelobj_default_model_def.
typedef struct {
  /// Proof that the def was initialised.
  uint32_t cookie;
  /// Effect flags.
  uint32_t flags;
  /// Bones; parents come before children.
  const SkelobjBonePart *bones;
  /// Animations.
  const SkelobjAnimationPart *animations;
  /// Poses of all frames, relative to the parents: 12 floats for each bone of each frame.
  const float *frames;
  /// Meshes.
  const SkelobjMeshPart *meshes;
  /// Attachments.
  const SkelobjAttachmentPart *attachments;
  /// Hit boxes.
  const SkelobjHitBox *hit_boxes;
  /// Number of bones.
  int32_t bone_count;
  /// Number of animations.
  int32_t animation_count;
  /// Number of frames.
  int32_t frame_count;
  /// Number of meshes.
  int32_t mesh_count;
  /// Number of attachments.
  int32_t attachment_count;
  /// Number of hit boxes.
  int32_t hit_box_count;
} SkelobjModelDef;

/// Id of a player; all zeros are none.
typedef struct {
  /// Kind in bits 24 to 27, number below; 0 is none.
  uint32_t id;
} SkelobjPlayer;

/// Event that an animation passes.
typedef struct {
  /// Time at which it is passed, on the clock of the call, seconds.
  float time;
  /// Code of the event.
  uint32_t code;
  /// Start of its text; SkelobjAnimation has the whole.
  char data[64];
} SkelobjPassedEvent;

/// Poses around a time of an animation.
typedef struct {
  /// Frame of the pose before; -1 if the pose is not one of the model's frames.
  int32_t before;
  /// Frame of the pose after; -1 as above.
  int32_t after;
  /// Share of the pose after, 0 to 1.
  float share;
} SkelobjPosesAt;

/// Arithmetic of skinning. Get one from skelobj_default_skin_def.
typedef struct {
  /// Proof that the def was initialised.
  uint32_t cookie;
  /// Length of normals and tangents, SKELOBJ_NORMAL_LENGTH_... Default SKELOBJ_NORMAL_LENGTH_EXACT.
  int32_t normals;
  /// 1 to let the processor round once where it multiplies and adds: faster, and slightly different from machine to
  /// machine. Default 0.
  int32_t fused;
} SkelobjSkinDef;

/// Shape of a level body. Get one from skelobj_default_shape.
typedef struct {
  /// Kind, SKELOBJ_SHAPE_KIND_...
  int32_t kind;
  /// Extent of a box along x, y and z, units.
  float size[3];
  /// Points of a hull or mesh, or the corners of one polygon after another; relative to the body.
  const float *points;
  /// Indices of points: 3 for each triangle of a mesh.
  const uint32_t *triangles;
  /// Number of corners of each polygon.
  const uint32_t *corners;
  /// Number of points.
  int32_t point_count;
  /// Number of triangles.
  int32_t triangle_count;
  /// Number of polygons.
  int32_t polygon_count;
  /// 1 if triangles and polygons are clockwise seen from outside, as Quake's are; 0 if counter-clockwise.
  int32_t is_clockwise;
} SkelobjShape;

/// Level body to be added. Get one from skelobj_default_level_body_def.
typedef struct {
  /// Proof that the def was initialised.
  uint32_t cookie;
  /// 1 for a body that moves, such as a door or a lift: skelobj_level_body_set_target. Default 0.
  int32_t is_moving;
  /// Shapes.
  const SkelobjShape *shapes;
  /// Number of shapes.
  int32_t shape_count;
  /// Place, without scale. Default: the identity.
  float matrix[12];
} SkelobjLevelBodyDef;

/// Id of a level body of a world; all zeros are none.
typedef struct {
  /// Kind in bits 24 to 27, number below; 0 is none.
  uint32_t id;
} SkelobjLevelBody;

/// Level from a BSP file: which of its bodies to add. Get one from skelobj_default_level_def.
typedef struct {
  /// Proof that the def was initialised.
  uint32_t cookie;
  /// 1 to add what only players bump into. Default 0.
  int32_t clip;
  /// 1 to add the sky. Default 1.
  int32_t sky;
} SkelobjLevelDef;

/// Id of a level; all zeros are none.
typedef struct {
  /// Kind in bits 24 to 27, number below; 0 is none.
  uint32_t id;
} SkelobjLevel;

/// Summary of a level.
typedef struct {
  /// Number of brush models; the first is the world.
  int32_t model_count;
  /// Number of entities in its text.
  int32_t entity_count;
  /// Number of triangles of the world.
  int32_t triangle_count;
  /// Number of liquids of the world.
  int32_t liquid_count;
  /// Number of defects that were repaired.
  int32_t warning_count;
  /// Number of surfaces.
  int32_t surface_count;
} SkelobjLevelInfo;

/// Level body of an entity.
typedef struct {
  /// Index of the entity in the level's text.
  int32_t entity;
  /// Number of the brush model that it shows: 6 for "*6".
  int32_t model;
  /// Body of that entity.
  SkelobjLevelBody body;
} SkelobjEntityBody;

/// Body of water to be added. Get one from skelobj_default_water_def.
typedef struct {
  /// Proof that the def was initialised.
  uint32_t cookie;
  /// Number of planes; 0 (default) for a box.
  int32_t plane_count;
  /// Planes around the water: normal and distance each; the normals point outwards.
  const float *planes;
  /// Lowest corner of a box.
  float mins[3];
  /// Highest corner of a box.
  float maxs[3];
  /// Density relative to water. Default 1.
  float density;
  /// Drag.
  float drag;
  /// Current, units per second.
  float current[3];
} SkelobjWaterDef;

/// Id of a body of water in a world; all zeros are none.
typedef struct {
  /// Kind in bits 24 to 27, number below; 0 is none.
  uint32_t id;
} SkelobjWater;

/// Surface of a part of a level: its texture or shader.
typedef struct {
  /// Surface flags as the file's format defines them; 0 where it has none.
  uint32_t flags;
  /// Contents bits as the file's format defines them; 0 where it has none.
  uint32_t contents;
  /// Texture in the file, for skelobj_level_texture. -1 if there is none, as in Quake II and III, whose textures are
  /// files, or if its projection is not finite; `s` and `t` are 0 then.
  int32_t texture;
  /// Column of the texture at a point of the brush model's space: the products with the first three numbers and the
  /// fourth, added up, texels.
  float s[4];
  /// Row of the texture at a point, from the top, like `s`.
  float t[4];
} SkelobjLevelSurface;

/// Texture in a BSP file.
typedef struct {
  /// Width, pixels.
  int32_t width;
  /// Height, pixels.
  int32_t height;
  /// 1 if the texture has its own palette, as in Half-Life; 0 if it has that of the game, as in Quake.
  int32_t has_palette;
} SkelobjLevelTexture;

/// Summary of an object.
typedef struct {
  /// Model of the object; none if it was removed from the world, or the host has freed its id.
  SkelobjModel model;
  /// Number of bones.
  int32_t bone_count;
  /// Space of the bones, SKELOBJ_SPACE_...
  int32_t space;
  /// 1 if the object has been built.
  int32_t is_built;
  /// 1 if the object has been built since its ragdoll last read it.
  int32_t is_built_since_ragdoll;
  /// 1 if the object has a ragdoll.
  int32_t has_ragdoll;
  /// Rule by which poses are mixed, SKELOBJ_BLENDING_...
  int32_t blending;
} SkelobjObjectInfo;

/// Mix of the new pose with the old one in skelobj_build. Get one from skelobj_default_build_def.
typedef struct {
  /// Proof that the def was initialised.
  uint32_t cookie;
  /// First bone to build. Default 1.
  int32_t first_bone;
  /// Last bone to build; 0 (default) for the object's last.
  int32_t last_bone;
  /// Weight of the old pose. Default 0.
  float retain;
  /// Weight of the new pose. Default 1.
  float add;
  /// 1 to normalise the rotations afterwards. Default 0.
  int32_t normalized;
} SkelobjBuildDef;

/// Id of a doll; all zeros are none.
typedef struct {
  /// Kind in bits 24 to 27, number below; 0 is none.
  uint32_t id;
} SkelobjDoll;

/// Aim of a chain of bones. Get one from skelobj_default_aim_def.
typedef struct {
  /// Proof that the def was initialised.
  uint32_t cookie;
  /// Part of the turn that is made, 0 to 1 (default).
  float weight;
  /// Greatest angle by which the axis turns from its direction in the pose, radians. Default: half a turn.
  float limit;
  /// Direction in the last bone's own space that points at the target; 0 (default) for the one that is forward in the
  /// bind pose.
  float axis[3];
  /// Direction in the last bone's own space that turns to the side of the pole; 0 (default) for the one that is up in
  /// the bind pose, or forward if the axis is up.
  float up[3];
  /// Direction in model space that keeps the last bone upright; 0 to add no roll. Default: up.
  float pole[3];
  /// Place in the last bone's own space from which the axis begins. Default 0.
  float offset[3];
  /// Doll whose stops replace the limit by the sum of the narrowest stop of each bone. Default none.
  SkelobjDoll doll;
} SkelobjAimDef;

/// Reach of a limb. Get one from skelobj_default_reach_def.
typedef struct {
  /// Proof that the def was initialised.
  uint32_t cookie;
  /// Part of the correction that is made, 0 to 1 (default).
  float weight;
  /// Part of the limb's length from which the end falls behind the target, 0 to 1. Default 0.97.
  float soften;
  /// Turn of the limb about the line to the target, radians. Default 0.
  float twist;
  /// Least angle between the segments, radians. Default 0.
  float least_bend;
  /// Greatest angle between the segments, radians. Default: half a turn, straight.
  float greatest_bend;
  /// Direction in model space to whose side the middle points; 0 (default) to keep the plane in which it is bent.
  float pole[3];
  /// Axis in the middle bone's own space about which a positive turn opens the limb; 0 (default) for the one of the
  /// pose, or of the bind pose where it is straight.
  float hinge[3];
  /// Rotation of the bone at the end, SKELOBJ_END_ROTATION_...
  int32_t end;
  /// Quaternion x, y, z, w for SKELOBJ_END_ROTATION_KEPT_THEN.
  float end_turn[4];
  /// Doll whose hinge in the middle of the limb gives the hinge and both bends. Default none.
  SkelobjDoll doll;
} SkelobjReachDef;

/// Spring of a chain of bones. Get one from skelobj_default_spring_def.
typedef struct {
  /// Proof that the def was initialised.
  uint32_t cookie;
  /// Swings per second without damping, 0.01 to 100. Default 2.
  float frequency;
  /// Damping ratio, from 0, with which a single bone swings for ever, to 1, with which it does not overshoot. Default
  /// 0.3.
  float damping;
  /// Acceleration in world space, Quake units per second squared. Default 0.
  float gravity[3];
  /// Greatest angle from the animation, radians. Default: half a turn, none.
  float limit;
  /// Radius of the bones for colliders, Quake units of the model. Default 0.
  float radius;
  /// Distance from where its speed would have brought it, in lengths of the chain, beyond which the start of the
  /// chain has jumped, so that the spring begins anew; 0 for never. Default 4.
  float teleport;
  /// Part of the swing that is shown, 0 to 1. Default 1.
  float weight;
  /// Part of the swing of the bone above that a bone follows, 0 to 1. Default 0.5.
  float share;
} SkelobjSpringDef;

/// Feet of a character. Get one from skelobj_default_feet_def.
typedef struct {
  /// Proof that the def was initialised.
  uint32_t cookie;
  /// Height of the floor of the animations in model space: -24 for a model whose origin is that of Quake's player.
  /// Default 0.
  float floor;
  /// Greatest height of a step from one foot to another, Quake units of the model. Default 18.
  float step;
  /// Greatest angle by which the ground tilts a sole, radians. Default 0.6.
  float slope;
  /// Frequency of the critically damped spring of the pelvis, swings per second, 0.1 to 100. Default 3.
  float frequency;
  /// Part of the correction that is made, 0 to 1: 1 (default) on the ground, 0 in the air.
  float weight;
  /// Finds the first ground on a line straight down from `from` to `to`, world space. Returns the fraction of the
  /// line before the ground, and writes the normal of the ground there; returns 2 if there is none, or if the line
  /// starts in something solid. It must not call the world. Null (default) for the level of the world.
  float (*trace)(SkelobjUser user, const float *from, const float *to, float *normal);
  /// Handed to `trace`.
  SkelobjUser user;
} SkelobjFeetDef;

/// Problem in the text of a doll.
typedef struct {
  /// 1 for an error: a line was left out or changed; 0 for a warning.
  int32_t is_error;
  /// Line of the text, from 1.
  int32_t line;
  /// Column in bytes of UTF-8, from 1.
  int32_t column;
  /// First byte that the problem is about, in the text as skelobj_doll_decode returns it.
  int32_t start;
  /// End of those bytes.
  int32_t end;
  /// Short name of the kind of problem, such as "stop-in-degrees", which stays the same between versions.
  char code[32];
  /// Message, "line:column: severity: what is wrong".
  char text[256];
  /// Text to write in the place of those bytes; empty if none is known.
  char suggestion[256];
} SkelobjDollProblem;

/// Body of a doll.
typedef struct {
  /// Name.
  char name[32];
  /// Name of the bone that it drives, cut to 63 bytes.
  char bone[64];
  /// Name of the bone that it points to, cut to 63 bytes; empty for none.
  char toward[64];
  /// Number of the bone that it drives in the model of the call; 0 for none.
  int32_t bone_number;
  /// Number of the bone that it points to in the model of the call; 0 for none.
  int32_t toward_number;
  /// Shape: box, sphere, capsule or cylinder, as SKELOBJ_BODY_SHAPE_...
  int32_t shape;
  /// Size along its axes, units.
  float size[3];
  /// Mass.
  float mass;
  /// Density relative to water.
  float density;
  /// Share of the animation: 0 is limp.
  float animate;
  /// 1 if `offset` and `angles` place it relative to its bone.
  int32_t has_offset;
  /// Position relative to its bone, units.
  float offset[3];
  /// Angles relative to its bone, degrees.
  float angles[3];
  /// 1 if debug drawing shows it.
  int32_t draw;
  /// Line of the text.
  int32_t line;
} SkelobjDollBody;

/// Joint of a doll.
typedef struct {
  /// Name.
  char name[32];
  /// Kind, such as "hinge", as in the text.
  char kind[16];
  /// Name of the bone at which it turns, cut to 63 bytes; empty for that of the first body.
  char pivot[64];
  /// Number of the bone at which it turns in the model of the call; 0 for none.
  int32_t pivot_number;
  /// Index of its first body.
  int32_t body1;
  /// Index of its second body; -1 for the world.
  int32_t body2;
  /// First axis.
  float axis[3];
  /// Second axis.
  float axis2[3];
  /// Position relative to the pivot, units.
  float offset[3];
  /// Lowest angles (radians) or distances (units) of both axes.
  float stop_lo[2];
  /// Highest angles or distances of both axes.
  float stop_hi[2];
  /// Lowest and highest twist of a cone joint, radians.
  float twist[2];
  /// Greatest friction of both axes.
  float fmax[2];
  /// Softness of both axes.
  float cfm[2];
  /// Share of an error that a step repairs, of both axes.
  float erp[2];
  /// Strength of the muscle.
  float muscle;
  /// Damping of the muscle; negative for that of its strength.
  float muscle_damping;
  /// Time over which the muscle slackens once the joint is limp, seconds; 0 if it does not.
  float slacken;
  /// 1 if the joint holds.
  int32_t enabled;
  /// 1 if debug drawing shows it.
  int32_t draw;
  /// Line of the text.
  int32_t line;
} SkelobjDollJoint;

/// Limits of a check. Get one from skelobj_default_check_def.
typedef struct {
  /// Proof that the def was initialised.
  uint32_t cookie;
  /// Number of drops, 0 to 10000. Default 20.
  int32_t drops;
  /// Maximum gap of a joint at rest, units, of a doll of the mannequin's size; the limit follows the size in steps of
  /// two. Eight times as much is allowed while falling. Default 0.5.
  float max_gap;
  /// Maximum time to come to rest, 0 to 600 seconds. Default 8.
  float max_sleep;
  /// Maximum excess of a joint beyond a stop, radians. Default 0.5.
  float max_stop_excess;
  /// Maximum excess of a slider beyond a stop, units, of a doll of the mannequin's size. Default 4.
  float max_slide_excess;
} SkelobjCheckDef;

/// Fall of a doll in a world of its own, to judge it. Get one from skelobj_default_drop_def.
typedef struct {
  /// Proof that the def was initialised.
  uint32_t cookie;
  /// Animation that plays first; -1 for the bind pose, -2 (default) for the first that is a death.
  int32_t animation;
  /// Time for which the animation plays, 0 to 600 seconds.
  float play;
  /// Time over which the bodies become limp while the animation plays on, seconds, 0 to 600; 0 is at once.
  float fade;
  /// Maximum time of the fall, at most 600 seconds; negative (default) for the usual one, 10 seconds.
  float seconds;
  /// Height of the entity above the floor, units, at most 1e6; negative (default) for the usual one.
  float height;
  /// Angles of the entity, degrees.
  float angles[3];
  /// Velocity that is added to that of the animation, units per second.
  float velocity[3];
  /// Angular velocity, radians per second.
  float angular_velocity[3];
  /// 1 if there is water up to `water`.
  int32_t has_water;
  /// Surface of the water, units.
  float water;
  /// 1 to take height, angles and spin from `seed`.
  int32_t is_seeded;
  /// Number of a random fall.
  uint64_t seed;
  /// Level to fall in; none (default) for a floor at z = 0.
  SkelobjLevel level;
  /// Position of the entity, to which the height is added, units.
  float at[3];
} SkelobjDropDef;

/// Result of a fall.
typedef struct {
  /// Number of bodies.
  int32_t bodies;
  /// Number of joints.
  int32_t joints;
  /// Number of physics steps.
  int32_t steps;
  /// Length of a step, seconds.
  float dt;
  /// Time until all bodies slept, seconds; negative if they did not.
  float asleep_after;
  /// 1 if the doll fell out of the level through a hole.
  int32_t left_level;
  /// Widest gap of a joint during the fall, units.
  float max_gap_falling;
  /// Widest gap of a joint at rest, units.
  float max_gap_resting;
  /// Farthest beyond a stop during the fall, radians; for sliders units.
  float max_stop_excess;
  /// Farthest beyond a stop at rest, radians; for sliders units.
  float resting_stop_excess;
  /// Greatest speed at the end, units per second.
  float rest_speed;
  /// Lowest point of a body, units.
  float lowest_z;
  /// Number of positions, rotations, velocities and bones that were not finite, summed over all steps.
  int32_t non_finite;
  /// Kinetic and potential energy within the last tenth of a second, mass * (units / s)^2.
  float energy;
} SkelobjDropReport;

/// Start of a fall.
typedef struct {
  /// Matrix of the entity.
  float matrix[12];
  /// Velocity to add at the moment of letting go, units per second.
  float velocity[3];
  /// Angular velocity at the moment of letting go, about the centre of mass, radians per second.
  float angular_velocity[3];
  /// Animation that plays first; -1 for the bind pose.
  int32_t animation;
  /// Number of physics steps for which the animation plays.
  int32_t play_steps;
} SkelobjDropStart;

/// Options of skelobj_doll_fit. Get one from skelobj_default_fit_def.
typedef struct {
  /// Proof that the def was initialised.
  uint32_t cookie;
  /// Maximum number of bodies, 1 to 256; the smallest are left out. Default 48.
  int32_t max_bodies;
  /// 1 to fit bodies along the bones of a model whose skin has fewer than four vertices. Default 0, a failure.
  int32_t without_skin;
  /// Name of the model for the first line of the text. Default null: no name.
  const char *name;
} SkelobjFitDef;

/// Word that begins a line of a .doll file, for editors.
typedef struct {
  /// Word in its usual case; any case is accepted.
  char word[16];
  /// Spelling of the line: capitals stand for arguments, brackets for those that may be left out, bars for a choice.
  char usage[80];
  /// Place in a doll where the line may stand, SKELOBJ_DIRECTIVE_SCOPE_...
  int32_t scope;
} SkelobjDirective;

/// Flinch of a living character. Get one from skelobj_default_flinch_def.
typedef struct {
  /// Proof that the def was initialised.
  uint32_t cookie;
  /// Number of joints over which a flinch spreads. Default 3.
  int32_t spread;
  /// Duration of the flinch, seconds. Default 0.5.
  float seconds;
  /// Strength of the flinch, 0 to 1. Default 0.9.
  float strength;
} SkelobjFlinchDef;

/// Owner of a body that something touches.
typedef struct {
  /// Object whose ragdoll the body belongs to; none for a level body.
  SkelobjObject object;
  /// Number of the bone that the body drives; 0 for none.
  int32_t bone;
  /// Index of the body in its ragdoll; -1 for none.
  int32_t body;
  /// Level body; none for the body of a ragdoll.
  SkelobjLevelBody level_body;
} SkelobjOwner;

/// Impact of a ragdoll in the last frame.
typedef struct {
  /// Body of the ragdoll.
  SkelobjOwner own;
  /// Body that it hit.
  SkelobjOwner other;
  /// Point, world space.
  float point[3];
  /// Direction away from what it hit.
  float normal[3];
  /// Impulse, mass * units per second.
  float impulse;
  /// Speed against each other, units per second.
  float speed;
} SkelobjImpact;

/// Animation from which a ragdoll can get up.
typedef struct {
  /// Number of the animation.
  int32_t animation;
  /// Time in the animation, seconds.
  double time;
  /// Distance between the ragdoll and the pose, units: the root mean square over the boxes around the bodies, each
  /// weighted by its mass.
  float distance;
  /// Origin for the entity, world space.
  float origin[3];
  /// Yaw for the entity, degrees.
  float yaw;
} SkelobjPoseMatch;

/// Summary of a ragdoll.
typedef struct {
  /// Number of bodies.
  int32_t body_count;
  /// Number of joints.
  int32_t joint_count;
  /// Number of bodies that follow the animation.
  int32_t animated;
  /// 1 if all bodies sleep.
  int32_t is_asleep;
  /// Number of times that bodies were put back because their numbers ran away.
  int32_t resets;
  /// Share of the animation, 0 to 1.
  float drive_strength;
  /// Centre of mass, world space.
  float centre[3];
  /// Lowest point of a body, world space.
  float lowest;
  /// Kinetic and potential energy.
  float energy;
  /// Collision groups of the bodies, SKELOBJ_GROUP_...
  uint32_t groups;
  /// Way to rest, SKELOBJ_REST_MODE_...
  int32_t rest_mode;
  /// 1 if the ragdoll fell out of the level and is no longer simulated.
  int32_t has_left_level;
} SkelobjRagdollInfo;

/// Body of a ragdoll, for debug drawing and game code.
typedef struct {
  /// Name.
  char name[32];
  /// Number of the bone that it drives.
  int32_t bone;
  /// Shape, SKELOBJ_BODY_SHAPE_...
  int32_t shape;
  /// Size along its axes, units.
  float size[3];
  /// Place, world space.
  float matrix[12];
  /// Velocity, units per second.
  float velocity[3];
  /// Angular velocity, radians per second.
  float angular_velocity[3];
  /// Share of the animation: 0 is limp.
  float strength;
  /// 1 if it sleeps.
  int32_t is_sleeping;
  /// Mode, SKELOBJ_BODY_MODE_...
  int32_t mode;
} SkelobjBodyState;

/// Joint of a ragdoll.
typedef struct {
  /// Name.
  char name[32];
  /// 1 if it holds.
  int32_t is_enabled;
  /// Distance of its anchors, units; 0, as the excess below, if it is disabled.
  float gap;
  /// Anchor on the first body, world space.
  float anchor1[3];
  /// Anchor on the second body, world space.
  float anchor2[3];
  /// Angles (radians) or distances (units) of both axes.
  float position[2];
  /// Distance beyond their stops.
  float excess[2];
  /// Twist of a cone joint, radians.
  float twist;
  /// Angle beyond its stops, radians.
  float twist_excess;
  /// Mode, SKELOBJ_JOINT_MODE_...
  int32_t mode;
} SkelobjJointState;

/// Point at which a body of a ragdoll touches something else.
typedef struct {
  /// Index of the body in its ragdoll.
  int32_t body;
  /// Body that it touches; none for one of the host's own.
  SkelobjOwner other;
  /// Point, world space.
  float point[3];
  /// Direction in which the contact pushes the body.
  float normal[3];
  /// Depth by which the surfaces overlap, units; negative if they are apart.
  float depth;
  /// Force along the normal without friction, mass * units/s^2: the mean over the last step that moved the ragdoll.
  float force;
} SkelobjContactPoint;

/// Line, or box that moves along a line. Get one from skelobj_default_trace_def.
typedef struct {
  /// Proof that the def was initialised.
  uint32_t cookie;
  /// Collision groups that are hit, a sum of SKELOBJ_GROUP_... Default: all.
  uint32_t groups;
  /// Start, world space.
  float start[3];
  /// End, world space.
  float end[3];
  /// Lowest corner of the box, relative to the line; 0 for a line.
  float mins[3];
  /// Highest corner of the box, relative to the line; 0 for a line.
  float maxs[3];
  /// Object whose ragdoll is ignored; none (default) for no object.
  SkelobjObject excluded;
  /// Object to trace alone, without the world; none (default) for the world. Only objects with a ragdoll are in the
  /// world.
  SkelobjObject object;
  /// Geometry of that object, SKELOBJ_GEOMETRY_...
  int32_t geometry;
  /// Matrix of that object's entity; ignored in the past.
  float entity[12];
  /// 1 to trace through recorded poses, of all objects with the level of the present or of `object` alone, as they
  /// were at `time`; 0 (default) for the present. See skelobj_keep_history.
  int32_t is_past;
  /// 1 if a time outside of the recorded ones stands for the nearest of them; 0 (default) if it is an error.
  int32_t is_clamped;
  /// Time of the past, seconds, on the clock of skelobj_record_pose.
  double time;
} SkelobjTraceDef;

/// Hit of a trace.
typedef struct {
  /// Fraction of the line, 0 to 1; 1 if nothing was hit.
  float fraction;
  /// Point at which the line or the origin of the box stopped, world space.
  float point[3];
  /// Normal of the surface; 0 if the trace starts inside what it hits, or meets nothing after that.
  float normal[3];
  /// Object that was hit; none for anything else.
  SkelobjObject object;
  /// Number of the bone that was hit; 0 for none.
  int32_t bone;
  /// Kind of the surface, SKELOBJ_SURFACE_KIND_...
  int32_t surface;
  /// Level body that was hit; none for anything else.
  SkelobjLevelBody level_body;
  /// Number of body, hit box, mesh or shape; -1 for none.
  int32_t index;
  /// Number of the triangle; -1 for none.
  int32_t triangle;
  /// 1 if the trace starts inside something solid; else 0. It goes on to the open, but a line from inside a body of a
  /// ragdoll hits that body.
  int32_t start_solid;
  /// 1 if the trace never leaves what it starts in; else 0.
  int32_t all_solid;
} SkelobjHit;

/// Contact of a level body.
typedef struct {
  /// Body that touches it.
  SkelobjOwner other;
  /// Depth by which it is inside, units.
  float depth;
} SkelobjContact;

/// Entity with a model, for tags.
typedef struct {
  /// Matrix, model space to world space; of an attached entity, to the tag that it hangs on.
  float matrix[12];
  /// Model of the world that it shows; none for no model.
  SkelobjModel model;
  /// Object that poses it; none for no object.
  SkelobjObject object;
  /// Animations that it plays without an object; null for the start of animation 0.
  const SkelobjFrameDef *frame;
  /// Number of its tag that is asked for, or that the entity before it in a list hangs on; 0 for the entity itself.
  int32_t tag;
} SkelobjEntity;

/// Settings of a history of poses. Get one from skelobj_default_history_def.
typedef struct {
  /// Proof that the def was initialised.
  uint32_t cookie;
  /// Time before the newest record that the history covers, seconds; at most 3600. Default 1.
  float seconds;
  /// Memory for records, bytes; the oldest ones make room for new ones. Default 64 MiB.
  uint64_t max_bytes;
  /// 1 for 14 to 24 bytes per bone, off by 0.02 units at most; 0 (default) for 48 bytes, which are exact.
  int32_t is_packed;
} SkelobjHistoryDef;

/// Id of a snapshot; all zeros are none.
typedef struct {
  /// Kind in bits 24 to 27, number below; 0 is none.
  uint32_t id;
} SkelobjSnapshot;

/// Id of a receiver of bones; all zeros are none.
typedef struct {
  /// Kind in bits 24 to 27, number below; 0 is none.
  uint32_t id;
} SkelobjReceiver;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Ids, versions, failures, memory
// -------------------------------

/// Returns the number that QuakeC has for an object, 1 to 16777215, which a float holds exactly; 0 for none and for ids
/// of anything else. Whether an object has it is not looked up.
SKELOBJ_API
int32_t skelobj_object_number(SkelobjObject object);

/// Returns the id of the object with the number that QuakeC has; none for 0, and for numbers that no object can have.
/// Whether an object has it is not looked up: calls refuse the id if none has.
SKELOBJ_API
SkelobjObject skelobj_object_from_number(int32_t number);

/// Returns the version of the interface that the library has, as in SKELOBJ_VERSION. A host that loads the shared
/// library compares both.
SKELOBJ_API
int32_t skelobj_version(void);

/// Returns the status of the last call of this thread that failed; SKELOBJ_STATUS_OK if none did since
/// skelobj_clear_error. Calls that succeed do not change it.
SKELOBJ_NODISCARD SKELOBJ_API SkelobjStatus skelobj_last_status(void);

/// Copies the text of the last failure of this thread and a terminating zero, cut to the capacity, and returns the
/// length of the whole text. `buffer` may be null if `capacity` is 0.
SKELOBJ_API
size_t skelobj_last_error(char *buffer,
                          size_t capacity);

/// Forgets the last failure of this thread: skelobj_last_status is SKELOBJ_STATUS_OK again, and skelobj_last_error has
/// no text. A host calls it before a call that returns 0 both as an answer and on failure.
SKELOBJ_API
void skelobj_clear_error(void);

/// Returns the name of a status, such as "bad id"; never null.
SKELOBJ_API const char *skelobj_status_name(int32_t status);

/// Returns how many things of a kind (SKELOBJ_KIND_...) exist, for a host that looks for what it forgot to free.
/// Objects, level bodies and water go with their world and are not counted: 0.
SKELOBJ_API
int32_t skelobj_live_count(int32_t kind);

/// Returns 1 if a file name is a relative path that cannot leave the folder it is looked up in, otherwise 0.
/// SkelobjFiles gets only such names. Names that a host takes from models and game code for files of its own deserve
/// this check before it opens them.
SKELOBJ_API
int32_t skelobj_is_plain_path(const char *name);

/// Returns the bytes that the library holds for all worlds, models and the rest, without what the allocator of the
/// system adds to them. The difference of two calls is what a world or a model takes, if no other thread calls the
/// library meanwhile.
SKELOBJ_API
size_t skelobj_memory_in_use(void);

// Matrices
// --------

/// Writes the product of two matrices: `b` is applied first. The result may be one of them.
SKELOBJ_NODISCARD SKELOBJ_API SkelobjStatus skelobj_matrix_multiply(const float a[12], const float b[12], float product[12]);

/// Writes the inverse of a matrix. The result may be the matrix itself.
SKELOBJ_NODISCARD SKELOBJ_API SkelobjStatus skelobj_matrix_inverse(const float matrix[12], float inverse[12]);

/// Writes where a matrix takes a point. The `result`, in the space that the matrix leads to, may be the point itself.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_matrix_transform(const float matrix[12],
                                       const float point[3],
                                       float result[3]);

/// Writes the matrix of an origin and the axes of game code (v_forward, v_right, v_up).
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_matrix_from_axes(const float forward[3],
                                       const float right[3],
                                       const float up[3],
                                       const float origin[3],
                                       float matrix[12]);

/// Writes the axes of game code and the origin of a matrix. Results that are null are not wanted.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_matrix_axes(const float matrix[12],
                                  float forward[3],
                                  float right[3],
                                  float up[3],
                                  float origin[3]);

// Worlds and frames
// -----------------

/// Returns the default settings of a world.
SKELOBJ_API SkelobjWorldDef skelobj_default_world_def(void);

/// Creates a world and returns its id; none on failure. `def` may be null for the default settings.
SKELOBJ_API SkelobjWorld skelobj_world_create(const SkelobjWorldDef *def);

/// Returns 1 if a world has this id, otherwise 0.
SKELOBJ_API int32_t skelobj_world_is_valid(SkelobjWorld world);

/// Frees a world with its objects, ragdolls and level. Models stay: they belong to the host.
SKELOBJ_API SkelobjStatus skelobj_world_free(SkelobjWorld world);

/// Writes the settings of a world, with its files and log.
SKELOBJ_NODISCARD SKELOBJ_API SkelobjStatus skelobj_world_settings(SkelobjWorld world, SkelobjWorldDef *def);

/// Changes all settings of a world, its files and its log. A new gravity wakes all ragdolls.
SKELOBJ_NODISCARD SKELOBJ_API SkelobjStatus skelobj_world_set_settings(SkelobjWorld world, const SkelobjWorldDef *def);

/// Simulates a frame: ragdolls, doors, water. `seconds` is the host's frame time. `stepped` may be null.
///
/// A frame is: build poses, skelobj_ragdoll_update every object, trace and draw, step.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_step(SkelobjWorld world,
                           float seconds,
                           SkelobjStepped *stepped);

/// Returns how far the shown frame is between the last two physics steps, 0 to 1; 0 on failure.
SKELOBJ_API float skelobj_step_blend(SkelobjWorld world);

/// Frees objects whose deletion waits for the end of the frame.
SKELOBJ_NODISCARD SKELOBJ_API SkelobjStatus skelobj_flush_deleted(SkelobjWorld world);

/// Writes the matrix of an entity, model space to world space, from its origin and Quake's angles (pitch, yaw, roll,
/// degrees), with the signs of the world's settings.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_entity_matrix(SkelobjWorld world,
                                    const float origin[3],
                                    const float angles[3],
                                    float scale,
                                    float matrix[12]);

/// Adds a model to a world under the name by which the game knows it. The same model may be in many worlds.
///
/// The doll of the model is in the file with this name and ".doll" appended, or in place of the extension.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_world_add_model(SkelobjWorld world,
                                      const char *name,
                                      SkelobjModel model);

/// Loads a model through the world's files, adds it under its file name and returns its id; none on failure. If a model
/// was added under this name before, its id is returned; if the host has freed that id, the model gets a new one.
SKELOBJ_API
SkelobjModel skelobj_world_load_model(SkelobjWorld world,
                                      const char *name);

/// Returns the id of the model that was added under a name; none if the world has none, or the host has freed its id.
SKELOBJ_API
SkelobjModel skelobj_world_find_model(SkelobjWorld world,
                                      const char *name);

/// Writes the name under which a model was added, and its length without the terminating zero (may be null).
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_world_model_name(SkelobjWorld world,
                                       SkelobjModel model,
                                       char *buffer,
                                       size_t capacity,
                                       size_t *length);

/// Writes the ids of the models in a world, and their number (may be null). An id that the host has freed is not among
/// them, though the world has its model until skelobj_world_remove_model.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_world_models(SkelobjWorld world,
                                   SkelobjModel *models,
                                   int32_t capacity,
                                   int32_t *count);

/// Removes a model from a world. Its objects and their ragdolls stay as they are; the model itself stays valid.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_world_remove_model(SkelobjWorld world,
                                         SkelobjModel model);

// Models
// ------

/// Sorts files that came together, such as what was dropped on a window: writes the use of each, in their order, and
/// the number of files (may be null). At most one doll, map and palette and at most one player remain: the last of
/// each. Of side files with one name, a model has that of its own folder, else the last. Apart from that, the order of
/// the files does not matter. If there are several models, they are read, with the limits of `def` (may be null), to
/// tell models from animations.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_sort_files(const SkelobjFile *files,
                                 int32_t count,
                                 const SkelobjLoadDef *def,
                                 SkelobjFileUse *uses,
                                 int32_t capacity,
                                 int32_t *use_count);

/// Writes pointers to the data of a model, which are valid until it is freed.
SKELOBJ_NODISCARD SKELOBJ_API SkelobjStatus skelobj_model_data(SkelobjModel model, SkelobjModelData *data);

/// Returns the number of the bone or other tag with a name; 0 if there is none.
SKELOBJ_API int32_t skelobj_model_find_tag(SkelobjModel model, const char *name);

/// Returns the number of the animation with a name; -1 if there is none.
SKELOBJ_API int32_t skelobj_model_find_animation(SkelobjModel model, const char *name);

/// Returns the number of the skin with a name; -1 if there is none.
SKELOBJ_API int32_t skelobj_model_find_skin(SkelobjModel model, const char *name);

/// Writes the name of a skin, and its length (may be null).
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_model_skin_name(SkelobjModel model,
                                      int32_t skin,
                                      char *buffer,
                                      size_t capacity,
                                      size_t *length);

/// Returns an animation for an action (activity): `choice`, 0 to 1, picks one by their weights. -1 if there is none.
SKELOBJ_API
int32_t skelobj_model_animation_for_action(SkelobjModel model,
                                           int32_t action,
                                           float choice);

/// Returns a def that plays the start of animation 0.
SKELOBJ_API SkelobjFrameDef skelobj_default_frame_def(void);

/// Returns a def that plays one animation at `time` seconds.
SKELOBJ_API SkelobjFrameDef skelobj_frame_single(int32_t animation, double time);

/// Returns the default settings for loading.
SKELOBJ_API SkelobjLoadDef skelobj_default_load_def(void);

/// Reads a model of any supported format and returns its id; none on failure. The bytes decide the format; `name` is
/// the file's name, after which side files are named: if it is not a plain path, none are read, and the model has a
/// warning. `def` may be null for the default settings.
SKELOBJ_API
SkelobjModel skelobj_model_load(const char *name,
                                const uint8_t *bytes,
                                size_t size,
                                const SkelobjLoadDef *def);

/// Returns 1 if a model has this id, otherwise 0.
SKELOBJ_API int32_t skelobj_model_is_valid(SkelobjModel model);

/// Frees a model. Pointers to its data end here. A world that has the model keeps it, and builds from its id, until
/// skelobj_world_remove_model or skelobj_world_free.
SKELOBJ_API
SkelobjStatus skelobj_model_free(SkelobjModel model);

/// Makes a model with what two files have together, such as the skin of one and the skeleton or animations of the
/// other, and returns its id; none on failure. Both stay as they are. `found` (may be null) tells how the bones fit.
SKELOBJ_API
SkelobjModel skelobj_model_join(SkelobjModel model,
                                SkelobjModel other,
                                SkelobjBoneMatch *found);

/// Makes a model with the animations of another one appended, and returns its id; none on failure. `found` may be null.
SKELOBJ_API
SkelobjModel skelobj_model_add_animations(SkelobjModel model,
                                          SkelobjModel other,
                                          SkelobjBoneMatch *found);

/// Makes a copy of `model` with the animations that the text of a .framegroups file lists. Returns the copy's id; none
/// on failure.
SKELOBJ_API
SkelobjModel skelobj_model_with_framegroups(SkelobjModel model,
                                            const char *name,
                                            const uint8_t *text,
                                            size_t size);

/// Makes a model that wears the materials of the text of a .skin file, and returns its id; none on failure.
SKELOBJ_API
SkelobjModel skelobj_model_with_skin(SkelobjModel model,
                                     const uint8_t *text,
                                     size_t size);

/// Makes a model whose animations are frames only, for writing, and returns its id; none on failure.
SKELOBJ_API SkelobjModel skelobj_model_bake(SkelobjModel model);

/// Makes a model with all lengths multiplied by `factor`, 0.001 to 1000, and returns its id; none on failure.
SKELOBJ_API
SkelobjModel skelobj_model_scale(SkelobjModel model,
                                 float factor);

/// Makes a model with the bones and the animations of `model`, on bones with the lengths of those of `other` that have
/// the same names, for skelobj_model_add_animations, and returns its id; none on failure. The bones down to the hips
/// move in proportion to the legs, the others only turn.
SKELOBJ_API
SkelobjModel skelobj_model_in_proportions_of(SkelobjModel model,
                                             SkelobjModel other);

/// Makes a model with at least `rate` poses per second, 1 to 1000, in each animation of frames, and returns its id;
/// none on failure. The added poses turn along the shorter arc, so that bones keep their size.
SKELOBJ_API
SkelobjModel skelobj_model_resample(SkelobjModel model,
                                    float rate);

/// Writes a model as a file of a format, given by the extension "iqm" or "glb", and its size in bytes (may be null).
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_model_write(SkelobjModel model,
                                  const char *extension,
                                  uint8_t *buffer,
                                  size_t capacity,
                                  size_t *size);

/// Writes a text with one line for each thing of the model that a file with this extension cannot hold. `length`
/// receives the length of the text, and may be null.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_model_losses(SkelobjModel model,
                                   const char *extension,
                                   char *buffer,
                                   size_t capacity,
                                   size_t *length);

/// Writes the formats that are read, and their number (may be null).
SKELOBJ_NODISCARD SKELOBJ_API SkelobjStatus skelobj_formats(SkelobjFormat *formats, int32_t capacity, int32_t *count);

/// Tells the format of a file from its bytes: returns 1 and writes it, or returns 0 if no format is known.
SKELOBJ_API
int32_t skelobj_format_detect(const uint8_t *bytes,
                              size_t size,
                              SkelobjFormat *format);

/// Returns a def without parts.
SKELOBJ_API SkelobjModelDef skelobj_default_model_def(void);

/// Makes a model from parts, for hosts with readers of their own, and returns its id; none on failure. Everything is
/// copied.
SKELOBJ_API
SkelobjModel skelobj_model_create(const SkelobjModelDef *def);

/// Loads the player in a folder, with the named skin, through the files of a load def, and returns its id; none on
/// failure. The folder is a plain path.
SKELOBJ_API
SkelobjPlayer skelobj_player_load(const char *folder,
                                  const char *skin,
                                  const SkelobjLoadDef *def);

/// Returns 1 if a player has this id, otherwise 0.
SKELOBJ_API int32_t skelobj_player_is_valid(SkelobjPlayer player);

/// Frees a player. Models made from its parts stay.
SKELOBJ_API SkelobjStatus skelobj_player_free(SkelobjPlayer player);

/// Makes a model of a part (SKELOBJ_PART_...) of a player, or of all three, to be drawn, and returns its id; none on
/// failure. A whole player may take 256 MiB.
SKELOBJ_API
SkelobjModel skelobj_player_model(SkelobjPlayer player,
                                  int32_t part);

/// Writes the frame of an animation that animation.cfg names, such as "LEGS_RUN", at `time` seconds.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_player_frame(SkelobjPlayer player,
                                   const char *animation,
                                   double time,
                                   SkelobjFrameDef *frame);

/// Writes where torso, head and weapon are, relative to the legs. Frames that are null play the start; turns of torso
/// and head that are null do not turn. Results that are null are not wanted.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_player_place(SkelobjPlayer player,
                                   const SkelobjFrameDef *lower,
                                   const SkelobjFrameDef *upper,
                                   const float torso_turn[12],
                                   const float head_turn[12],
                                   float upper_matrix[12],
                                   float head_matrix[12],
                                   float weapon_matrix[12]);

/// Finds the first event of an animation after one time and until another, seconds; a looping animation repeats its
/// events. Returns 1 and writes it, or returns 0 if there is none.
SKELOBJ_API
int32_t skelobj_model_next_event(SkelobjModel model,
                                 int32_t animation,
                                 float after,
                                 float until,
                                 SkelobjPassedEvent *event);

/// Returns 1 if a word of an animation's name begins with these letters, regardless of case, otherwise 0: "die" begins
/// a word of "soldier_die2", not of "soldier_idle", and "getup" one of "ogre_get_up".
SKELOBJ_API
int32_t skelobj_model_animation_has_word(SkelobjModel model,
                                         int32_t animation,
                                         const char *word);

/// Writes the frames that an animation shows at a time, for hosts with kernels of their own.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_model_poses_at(SkelobjModel model,
                                     int32_t animation,
                                     double time,
                                     SkelobjPosesAt *poses);

/// Writes the matrix of a tag, model space, of a model that plays a frame and has no object. `frame` may be null.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_model_tag(SkelobjModel model,
                                int32_t tag,
                                const SkelobjFrameDef *frame,
                                float matrix[12]);

/// Writes a pose of a model that plays a frame and has no object: the matrices of all bones, relative to their parents
/// or in model space. `capacity` is the number of matrices that there is room for.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_model_pose(SkelobjModel model,
                                 const SkelobjFrameDef *frame,
                                 int32_t model_space,
                                 float *matrices,
                                 int32_t capacity);

/// Returns the default arithmetic, which gives the same bits on every machine.
SKELOBJ_API SkelobjSkinDef skelobj_default_skin_def(void);

/// Moves the vertices of a mesh by a palette (skelobj_palette), for hosts that skin on the processor.
///
/// `palette` has `bone_count` matrices. `positions` and `normals` have room for 3 floats for each vertex of the mesh;
/// `normals` may be null. `frame` is what the model plays, for meshes that are morphed; null for others.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_model_skin(SkelobjModel model,
                                 int32_t mesh,
                                 const float *palette,
                                 int32_t bone_count,
                                 const SkelobjFrameDef *frame,
                                 float *positions,
                                 float *normals);

/// Moves the vertices of a mesh by a palette as `def` says (null for the default), with tangents. Each of `positions`
/// (3 floats a vertex), `normals` (3) and `tangents` (4; the last is the side of the bitangent) may be null.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_model_skin_vertices(SkelobjModel model,
                                          int32_t mesh,
                                          const float *palette,
                                          int32_t bone_count,
                                          const SkelobjSkinDef *def,
                                          float *positions,
                                          float *normals,
                                          float *tangents);

// Levels, doors, boxes, water
// ---------------------------

/// Returns a box without extent, with no points, triangles or polygons.
SKELOBJ_API SkelobjShape skelobj_default_shape(void);

/// Returns a def without shapes at the origin.
SKELOBJ_API SkelobjLevelBodyDef skelobj_default_level_body_def(void);

/// Adds a floor: everything below `z` is solid. Returns the id of its body; none on failure.
SKELOBJ_API SkelobjLevelBody skelobj_add_floor(SkelobjWorld world, float z);

/// Adds a level body and returns its id; none on failure. Limbs catch on the seams between bodies, so a level is
/// best one body with one mesh.
SKELOBJ_API
SkelobjLevelBody skelobj_add_level_body(SkelobjWorld world,
                                        const SkelobjLevelBodyDef *def);

/// Adds the box of an entity, which pushes ragdolls: a player or monster. Returns the id of its body; none on failure.
SKELOBJ_API
SkelobjLevelBody skelobj_add_entity_box(SkelobjWorld world,
                                        const float *mins,
                                        const float *maxs,
                                        const float origin[3]);

/// Returns 1 if a level body has this id, otherwise 0.
SKELOBJ_API int32_t skelobj_level_body_is_valid(SkelobjWorld world, SkelobjLevelBody body);

/// Writes the ids of all level bodies of a world, such as those of a restored snapshot, and their number (may be null).
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_world_level_bodies(SkelobjWorld world,
                                         SkelobjLevelBody *bodies,
                                         int32_t capacity,
                                         int32_t *count);

/// Keeps a number for a level body, such as that of its entity. Snapshots keep it, too.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_level_body_set_user_data(SkelobjWorld world,
                                               SkelobjLevelBody body,
                                               uint64_t user_data);

/// Returns the number that is kept for a level body; 0 if there is none, and on failure.
SKELOBJ_API uint64_t skelobj_level_body_user_data(SkelobjWorld world, SkelobjLevelBody body);

/// Removes a level body.
SKELOBJ_NODISCARD SKELOBJ_API SkelobjStatus skelobj_level_body_remove(SkelobjWorld world, SkelobjLevelBody body);

/// Moves a door or the box of an entity to a place during the next frame, and pushes what is in the way.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_level_body_set_target(SkelobjWorld world,
                                            SkelobjLevelBody body,
                                            const float matrix[12]);

/// Puts a level body elsewhere at once, without pushing.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_level_body_teleport(SkelobjWorld world,
                                          SkelobjLevelBody body,
                                          const float matrix[12]);

/// Makes a level body solid (1), or lets everything through (0).
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_level_body_set_solid(SkelobjWorld world,
                                           SkelobjLevelBody body,
                                           int32_t solid);

/// Replaces the shapes of a level body.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_level_body_set_shapes(SkelobjWorld world,
                                            SkelobjLevelBody body,
                                            const SkelobjShape *shapes,
                                            int32_t shape_count);

/// Limits the force with which the box of an entity pushes.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_level_body_set_push_force(SkelobjWorld world,
                                                SkelobjLevelBody body,
                                                float force);

/// Returns the default options of a level.
SKELOBJ_API SkelobjLevelDef skelobj_default_level_def(void);

/// Reads a BSP file of Quake, Half-Life, Quake II or Quake III and returns the id of the level; none on failure.
/// `limits` may be null for the default ones.
SKELOBJ_API
SkelobjLevel skelobj_level_load(const uint8_t *bytes,
                                size_t size,
                                const SkelobjLimits *limits);

/// Returns 1 if a level has this id, otherwise 0.
SKELOBJ_API int32_t skelobj_level_is_valid(SkelobjLevel level);

/// Frees a level. Bodies and water that were added from it stay.
SKELOBJ_API SkelobjStatus skelobj_level_free(SkelobjLevel level);

/// Writes a summary of a level.
SKELOBJ_NODISCARD SKELOBJ_API SkelobjStatus skelobj_level_info(SkelobjLevel level, SkelobjLevelInfo *info);

/// Writes the origin of the first entity at which players start, and returns 1; 0 if the level has none. A
/// start of a single player comes before those of deathmatch, cooperative play and teams.
SKELOBJ_API
int32_t skelobj_level_player_start(SkelobjLevel level,
                                   float origin[3]);

/// Returns 1 if a point in world space is in a wall of a level, or in a solid brush entity at its origin in the map; 0
/// in the open, and where the map only has faces. skelobj_is_solid knows where doors have moved.
SKELOBJ_API
int32_t skelobj_level_is_solid(SkelobjLevel level,
                               const float point[3]);

/// Returns 1 if a point in world space is solid: in a wall of a level that was added to a world, in a box, hull or
/// closed mesh of the host, or in a door or lift where it is now. Meshes with openings, floors and entity boxes do not
/// count.
SKELOBJ_API
int32_t skelobj_is_solid(SkelobjWorld world,
                         const float point[3]);

/// Writes the value of a key of an entity (from 0) in a level's text, and its length (may be null).
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_level_entity_value(SkelobjLevel level,
                                         int32_t entity,
                                         const char *key,
                                         char *buffer,
                                         size_t capacity,
                                         size_t *length);

/// Adds the world of a level, and a body for each solid brush entity, such as a door or a lift. Writes the body of the
/// world (none if it has none), the bodies of entities, and their number; all of these may be null. With a list and too
/// little room, or a number alone, nothing is added.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_add_level(SkelobjWorld world,
                                SkelobjLevel level,
                                const SkelobjLevelDef *def,
                                SkelobjLevelBody *world_body,
                                SkelobjEntityBody *entities,
                                int32_t capacity,
                                int32_t *number);

/// Returns a def of a liquid, SKELOBJ_LIQUID_KIND_..., without extent. Any other kind is a failure: the def is all
/// zeros, which every call refuses.
SKELOBJ_API
SkelobjWaterDef skelobj_default_water_def(int32_t kind);

/// Adds a body of water and returns its id; none on failure.
SKELOBJ_API SkelobjWater skelobj_add_water(SkelobjWorld world, const SkelobjWaterDef *def);

/// Adds the water of a level. Writes the ids and their number; both may be null. With a list and too little room, or a
/// number alone, nothing is added.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_add_level_water(SkelobjWorld world,
                                      SkelobjLevel level,
                                      SkelobjWater *waters,
                                      int32_t capacity,
                                      int32_t *number);

/// Returns 1 if a body of water has this id, otherwise 0.
SKELOBJ_API int32_t skelobj_water_is_valid(SkelobjWorld world, SkelobjWater water);

/// Writes the ids of all bodies of water of a world, and their number (may be null).
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_world_waters(SkelobjWorld world,
                                   SkelobjWater *waters,
                                   int32_t capacity,
                                   int32_t *count);

/// Keeps a number for a body of water, such as that of its entity. Snapshots keep it, too.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_water_set_user_data(SkelobjWorld world,
                                          SkelobjWater water,
                                          uint64_t user_data);

/// Returns the number that is kept for a body of water; 0 if there is none, and on failure.
SKELOBJ_API uint64_t skelobj_water_user_data(SkelobjWorld world, SkelobjWater water);

/// Removes a body of water.
SKELOBJ_NODISCARD SKELOBJ_API SkelobjStatus skelobj_water_remove(SkelobjWorld world, SkelobjWater water);

/// Moves a body of water: `origin` is relative to where it was added.
SKELOBJ_NODISCARD SKELOBJ_API SkelobjStatus skelobj_water_move(SkelobjWorld world, SkelobjWater water, const float origin[3]);

/// Changes density, drag and current of a body of water to those of a def.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_water_set_liquid(SkelobjWorld world,
                                       SkelobjWater water,
                                       const SkelobjWaterDef *def);

/// Returns the body of water that contains a point in world space; none where there is no water.
SKELOBJ_API SkelobjWater skelobj_water_at(SkelobjWorld world, const float point[3]);

/// Writes the corners of the solid triangles of a brush model (0 is the world), three floats each in the model's own
/// space, and the number of floats (may be null). `capacity` is the number of floats that there is room for.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_level_corners(SkelobjLevel level,
                                    int32_t model,
                                    float *corners,
                                    int32_t capacity,
                                    int32_t *number);

/// Writes the solid triangles of a brush model (0 is the world), three indices of corners each, and the number of
/// indices (may be null). They are counter-clockwise seen from the side that is not solid. The index of a triangle in a
/// hit is that of these.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_level_triangles(SkelobjLevel level,
                                      int32_t model,
                                      uint32_t *indices,
                                      int32_t capacity,
                                      int32_t *number);

/// Writes the surface of each solid triangle of a brush model (0 is the world), an index for skelobj_level_surface, and
/// the number of triangles (may be null).
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_level_triangle_surfaces(SkelobjLevel level,
                                              int32_t model,
                                              uint32_t *surfaces,
                                              int32_t capacity,
                                              int32_t *number);

/// Writes a surface of a level (from 0).
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_level_surface(SkelobjLevel level,
                                    int32_t index,
                                    SkelobjLevelSurface *surface);

/// Writes the name of a surface's texture or shader, and its length (may be null).
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_level_surface_name(SkelobjLevel level,
                                         int32_t index,
                                         char *buffer,
                                         size_t capacity,
                                         size_t *length);

/// Writes a texture (from 0) of a BSP file of Quake or Half-Life: its size, and red, green, blue (sRGB) and alpha of
/// each pixel from the top left, and their number of bytes (each may be null). `palette` is the game's
/// gfx/palette.lmp, 768 bytes; null for textures with their own.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_level_texture(const uint8_t *bytes,
                                    size_t size,
                                    int32_t index,
                                    const uint8_t *palette,
                                    SkelobjLevelTexture *texture,
                                    uint8_t *rgba,
                                    int32_t capacity,
                                    int32_t *number);

// Objects
// -------

/// Creates an object of a model of the world, and returns its id; none on failure. `space` is one of SKELOBJ_SPACE_...
SKELOBJ_API
SkelobjObject skelobj_object_create(SkelobjWorld world,
                                    SkelobjModel model,
                                    int32_t space);

/// Deletes an object at the end of the frame: calls reach it until skelobj_step or skelobj_flush_deleted frees it.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_object_delete(SkelobjWorld world,
                                    SkelobjObject object);

/// Returns 1 if an object has this id, otherwise 0.
SKELOBJ_API int32_t skelobj_object_is_valid(SkelobjWorld world, SkelobjObject object);

/// Writes the ids of all objects of a world, and their number (may be null).
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_world_objects(SkelobjWorld world,
                                    SkelobjObject *objects,
                                    int32_t capacity,
                                    int32_t *count);

/// Writes a summary of an object.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_object_info(SkelobjWorld world,
                                  SkelobjObject object,
                                  SkelobjObjectInfo *info);

/// Keeps a number for an object, such as that of its entity. Snapshots keep it, too.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_object_set_user_data(SkelobjWorld world,
                                           SkelobjObject object,
                                           uint64_t user_data);

/// Returns the number that is kept for an object; 0 if there is none, and on failure.
SKELOBJ_API uint64_t skelobj_object_user_data(SkelobjWorld world, SkelobjObject object);

/// Sets the rule (SKELOBJ_BLENDING_...) by which later calls mix the poses of an object: skelobj_build, between two
/// frames of an animation, between animations and with the old pose; skelobj_add_pose and skelobj_take_motion; and
/// where a mask has a weight between 0 and 1. A new object has SKELOBJ_BLENDING_LINEAR. Snapshots keep the rule.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_object_set_blending(SkelobjWorld world,
                                          SkelobjObject object,
                                          int32_t blending);

/// Returns a def that replaces the pose of all bones.
SKELOBJ_API SkelobjBuildDef skelobj_default_build_def(void);

/// Poses an object with the animations of a model of the world, its own or another with the same skeleton: bones are
/// matched by number. `build` may be null to replace the pose of all bones.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_build(SkelobjWorld world,
                            SkelobjObject object,
                            SkelobjModel model,
                            const SkelobjFrameDef *frame,
                            const SkelobjBuildDef *build);

/// Returns the number of bones of an object; 0 on failure.
SKELOBJ_API int32_t skelobj_bone_count(SkelobjWorld world, SkelobjObject object);

/// Writes the name of a bone, and its length (may be null).
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_bone_name(SkelobjWorld world,
                                SkelobjObject object,
                                int32_t bone,
                                char *buffer,
                                size_t capacity,
                                size_t *length);

/// Returns the number of a bone's parent; 0 for a root and on failure.
SKELOBJ_API int32_t skelobj_bone_parent(SkelobjWorld world, SkelobjObject object, int32_t bone);

/// Returns the number of the bone with a name; 0 if there is none.
SKELOBJ_API int32_t skelobj_find_bone(SkelobjWorld world, SkelobjObject object, const char *name);

/// Writes the matrix of a bone relative to its parent.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_bone_local(SkelobjWorld world,
                                 SkelobjObject object,
                                 int32_t bone,
                                 float matrix[12]);

/// Writes the matrix of a bone in model space.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_bone_model(SkelobjWorld world,
                                 SkelobjObject object,
                                 int32_t bone,
                                 float matrix[12]);

/// Sets the matrix of a bone, in the space of the object.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_set_bone(SkelobjWorld world,
                               SkelobjObject object,
                               int32_t number,
                               const float matrix[12]);

/// Sets the matrix of a bone in model space. Its children move with it if the object is in local space.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_set_bone_model(SkelobjWorld world,
                                     SkelobjObject object,
                                     int32_t number,
                                     const float matrix[12]);

/// Sets the matrix of a bone in world space, on an entity with a matrix.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_set_bone_world(SkelobjWorld world,
                                     SkelobjObject object,
                                     const float entity[12],
                                     int32_t number,
                                     const float matrix[12]);

/// Turns and moves a bone by a matrix in the space of the object, of the bone's parent or of the model: the matrix is
/// applied after the bone.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_mul_bone(SkelobjWorld world,
                               SkelobjObject object,
                               int32_t number,
                               const float matrix[12]);

/// Turns and moves a bone by a matrix in its own space: the matrix is applied before the bone.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_post_mul_bone(SkelobjWorld world,
                                    SkelobjObject object,
                                    int32_t number,
                                    const float matrix[12]);

/// Applies skelobj_mul_bone to bones from `first` to `last`; 0 means the object's last.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_mul_bones(SkelobjWorld world,
                                SkelobjObject object,
                                int32_t first,
                                int32_t last,
                                const float matrix[12]);

/// Copies bones from `first` to `last` (0 means the last) from another object, converting between spaces.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_copy_bones(SkelobjWorld world,
                                 SkelobjObject to,
                                 SkelobjObject from,
                                 int32_t first,
                                 int32_t last);

/// Sets the first `count` bones of an object at once. The others keep their pose relative to their parents, or their
/// place in model space if that is the `space` (SKELOBJ_SPACE_...) of the matrices, and of the object afterwards. More
/// matrices than bones are refused.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_set_pose(SkelobjWorld world,
                               SkelobjObject object,
                               int32_t space,
                               const float *matrices,
                               int32_t count);

/// Writes all bones of an object. `space` (SKELOBJ_SPACE_...) is that of the matrices; `capacity` is the number of
/// matrices that there is room for.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_pose(SkelobjWorld world,
                           SkelobjObject object,
                           int32_t space,
                           float *matrices,
                           int32_t capacity);

/// Writes the palette of an object: the matrices that a renderer skins with. `capacity` is the number of matrices that
/// there is room for.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_palette(SkelobjWorld world,
                              SkelobjObject object,
                              float *matrices,
                              int32_t capacity);

/// Writes the palettes of many objects at once. That of object `i` begins at matrix `i * stride` and has at most
/// `stride` matrices; a stride below the number of its bones is an error. There must be room for `count * stride`
/// matrices.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_palettes(SkelobjWorld world,
                               const SkelobjObject *objects,
                               int32_t count,
                               int32_t stride,
                               float *matrices,
                               int32_t capacity);

/// Returns a number that changes whenever the bones of an object may have changed, so that a renderer can keep a
/// palette; 0 on failure.
SKELOBJ_API
uint64_t skelobj_object_revision(SkelobjWorld world,
                                 SkelobjObject object);

// Poses
// -----

/// Returns a def that turns all the way.
SKELOBJ_API SkelobjAimDef skelobj_default_aim_def(void);

/// Returns a def that reaches as far as the limb is soft.
SKELOBJ_API SkelobjReachDef skelobj_default_reach_def(void);

/// Turns a chain of bones, so that an axis of the last one points at `target`, model space, Quake units. `bones` are
/// names with their shares of the turn: "chest 0.2, neck 0.3, head 0.5". `def` may be null for the default. Writes the
/// angle by which the axis misses to `missed`, radians in model space (may be null).
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_aim(SkelobjWorld world,
                          SkelobjObject object,
                          const char *bones,
                          const float target[3],
                          const SkelobjAimDef *def,
                          float *missed);

/// Turns a chain of bones by `pitch` and `yaw`, radians about the axes of model space: a positive pitch turns down, a
/// positive yaw to the left. `bones` and `def` are as in skelobj_aim. Writes the angle that is left by the limit or the
/// weight to `missed`, radians (may be null).
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_turn(SkelobjWorld world,
                           SkelobjObject object,
                           const char *bones,
                           float pitch,
                           float yaw,
                           const SkelobjAimDef *def,
                           float *missed);

/// Bends a limb, so that its last bone comes to `target`, model space, Quake units. `bones` are the names of three
/// bones, each below the one before it: "thigh_l, shin_l, foot_l". Two names are the first and the last bone of a
/// longer chain: all of its bones turn, and only the weight of `def` counts. `def` may be null for the default. Writes
/// the distance by which the limb misses to `missed`, Quake units (may be null).
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_reach(SkelobjWorld world,
                            SkelobjObject object,
                            const char *bones,
                            const float target[3],
                            const SkelobjReachDef *def,
                            float *missed);

/// Limits later builds, copies, edits of ranges and added poses of an object to bones, until it is called with "".
/// `bones` are names with weights from 0 to 1, for the bone and everything below it, of which later ones replace
/// earlier ones: "spine 1 2, head 0". A second number is the count of generations over which the weight rises.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_object_set_mask(SkelobjWorld world,
                                      SkelobjObject object,
                                      const char *bones);

/// Adds the difference of a pose of a model to a reference to an object's pose, with a `weight` from -1 to 1.
/// `reference` selects the pose that adds nothing; null for the bind pose.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_add_pose(SkelobjWorld world,
                               SkelobjObject object,
                               SkelobjModel model,
                               const SkelobjFrameDef *frame,
                               const SkelobjFrameDef *reference,
                               float weight);

/// Returns a def of a spring that swings twice a second.
SKELOBJ_API SkelobjSpringDef skelobj_default_spring_def(void);

/// Swings a chain of bones behind the motion of its entity for a frame of some `seconds`. `bones` are the first one and
/// the end, which does not turn: "tail1, tail6". `colliders` are bones with radii that keep them out: "chest 7, pelvis
/// 6"; null for none. `def` may be null for the default. Call it in every frame after the build.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_swing(SkelobjWorld world,
                            SkelobjObject object,
                            const char *bones,
                            const float entity[12],
                            float seconds,
                            const char *colliders,
                            const SkelobjSpringDef *def);

/// Lets all springs of an object begin anew in the next frame, at rest, after a teleport for instance.
SKELOBJ_NODISCARD SKELOBJ_API SkelobjStatus skelobj_reset_springs(SkelobjWorld world, SkelobjObject object);

/// Returns a def of feet that stand on the level of the world.
SKELOBJ_API SkelobjFeetDef skelobj_default_feet_def(void);

/// Places the feet of an object on the ground, for a frame of some `seconds`. `bones` are the pelvis, and a thigh, a
/// shin and a foot for each leg: "pelvis, thigh_l, shin_l, foot_l, thigh_r, shin_r, foot_r". `def` may be null for the
/// default. Call it in every frame after the build.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_place_feet(SkelobjWorld world,
                                 SkelobjObject object,
                                 const char *bones,
                                 const float entity[12],
                                 float seconds,
                                 const SkelobjFeetDef *def);

/// Lets the feet of an object begin anew on the ground of the next frame, after a teleport for instance.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_reset_feet(SkelobjWorld world,
                                 SkelobjObject object);

/// Writes the motion of a root bone from one frame state of a model to another: `translation`, Quake units in the space
/// that the entity had at the first one, and `yaw`, radians. `parts` is a sum of SKELOBJ_MOTION_PART_...; each result
/// may be null. Times of an animation that loops go on beyond its duration.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_motion(SkelobjWorld world,
                             SkelobjModel model,
                             const char *bone,
                             const SkelobjFrameDef *from,
                             const SkelobjFrameDef *to,
                             uint32_t parts,
                             float *translation,
                             float *yaw);

/// Takes the motion of a root bone out of an object's pose, which was built, whole, of a frame state of `model`.
/// `parts` is as in skelobj_motion.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_take_motion(SkelobjWorld world,
                                  SkelobjObject object,
                                  SkelobjModel model,
                                  const SkelobjFrameDef *frame,
                                  const char *bone,
                                  uint32_t parts);

/// Turns a bone so that its axes in model space are those of a matrix, whose origin is not used; the bone stays at its
/// place. Its children turn with it if the object is in local space.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_set_bone_axes(SkelobjWorld world,
                                    SkelobjObject object,
                                    int32_t number,
                                    const float matrix[12]);

/// Copies the places in model space of all bones that have the same names in both objects, whose models may differ.
/// `to_own_matrix` takes the model space of `from` to that of `to`; null if both are the same. Writes the number of
/// bones copied (may be null).
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_copy_bones_by_name(SkelobjWorld world,
                                         SkelobjObject to,
                                         SkelobjObject from,
                                         const float to_own_matrix[12],
                                         int32_t *copied);

// Dolls
// -----

/// Writes the text of a .doll file as UTF-8 without a byte order mark, and its length (may be null). The file is UTF-8,
/// UTF-16 with a byte order mark, or Latin-1. All functions that read dolls decode them in this way; the places of
/// problems are those of the decoded text.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_doll_decode(const char *source,
                                  size_t size,
                                  char *buffer,
                                  size_t capacity,
                                  size_t *length);

/// Reads the text of a .doll file and returns the id of the doll; none on failure. Lines with errors are left out, as
/// in FTE: skelobj_doll_problems tells them. A doll for a `model` lacks bodies whose bones the model lacks; none is for
/// any model.
SKELOBJ_API
SkelobjDoll skelobj_doll_parse(const char *source,
                               size_t size,
                               SkelobjModel model);

/// Returns 1 if a doll has this id, otherwise 0.
SKELOBJ_API int32_t skelobj_doll_is_valid(SkelobjDoll doll);

/// Frees a doll. Ragdolls that were made from it stay.
SKELOBJ_API SkelobjStatus skelobj_doll_free(SkelobjDoll doll);

/// Writes the problems of the text that a doll was read from, and their number (may be null).
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_doll_problems(SkelobjDoll doll,
                                    SkelobjDollProblem *problems,
                                    int32_t capacity,
                                    int32_t *count);

/// Writes what a careful reader says about the text of a doll, beyond its errors: masses that do not fit, bodies
/// without joints, and bones that a `model` (may be none) lacks; and their number (may be null).
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_doll_lint(const char *source,
                                size_t size,
                                SkelobjModel model,
                                SkelobjDollProblem *problems,
                                int32_t capacity,
                                int32_t *count);

/// Writes the text of a .doll file with tidy blanks and line breaks, and its length (may be null). Words and comments
/// stay as they are, so the text is that of the same doll. A Latin-1 text stays Latin-1; others become UTF-8.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_doll_format(const char *source,
                                  size_t size,
                                  char *buffer,
                                  size_t capacity,
                                  size_t *length);

/// Writes a doll as text, and its length (may be null).
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_doll_text(SkelobjDoll doll,
                                char *buffer,
                                size_t capacity,
                                size_t *length);

/// Returns 1 if a model has all bones of a doll, otherwise 0.
SKELOBJ_API int32_t skelobj_doll_is_compatible(SkelobjDoll doll, SkelobjModel model);

/// Writes the bodies of a doll, with the numbers that their bones have in a `model` (may be none), and their number
/// (may be null). Their indices are those of skelobj_ragdoll_bodies.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_doll_bodies(SkelobjDoll doll,
                                  SkelobjModel model,
                                  SkelobjDollBody *bodies,
                                  int32_t capacity,
                                  int32_t *number);

/// Writes the joints of a doll, with the numbers that their bones have in a `model` (may be none), and their number
/// (may be null). Their indices are those of skelobj_ragdoll_joints.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_doll_joints(SkelobjDoll doll,
                                  SkelobjModel model,
                                  SkelobjDollJoint *joints,
                                  int32_t capacity,
                                  int32_t *number);

/// Writes the animation and time in which the bodies of a doll are placed; animation -1 is the bind pose.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_doll_reference(SkelobjDoll doll,
                                     int32_t *animation,
                                     float *time);

/// Returns the default limits.
SKELOBJ_API SkelobjCheckDef skelobj_default_check_def(void);

/// Checks the text of a .doll file on a model, as `skelobj check` does: beyond what skelobj_doll_lint finds, joints far
/// from their bodies, odd shapes, animations beyond stops, and drops that break the limits of `def` (null for the
/// default). Returns the id of a doll whose problems (skelobj_doll_problems) are those of the check; none on failure.
SKELOBJ_API
SkelobjDoll skelobj_doll_check(const char *source,
                               size_t size,
                               SkelobjModel model,
                               const SkelobjCheckDef *def);

/// Returns a def for the usual fall.
SKELOBJ_API SkelobjDropDef skelobj_default_drop_def(void);

/// Drops a doll on a floor or in a level and reports what happened. `def` may be null for the usual fall.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_doll_drop(SkelobjDoll doll,
                                SkelobjModel model,
                                const SkelobjDropDef *def,
                                SkelobjDropReport *report);

/// Writes the settings of a world for falls of a doll on a model: the default, or with gravity, length unit and sleep
/// speed in proportion to a doll whose longest side is below 11 or above 362 units, as its lengths are then likely to
/// be in another unit. skelobj_doll_drop and skelobj_doll_check use them.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_drop_world_def(SkelobjDoll doll,
                                     SkelobjModel model,
                                     SkelobjWorldDef *def);

/// Writes the start of a fall, for a host that runs the fall of skelobj_doll_drop in a world of its own, with the
/// settings of skelobj_drop_world_def. `def` may be null for the usual fall. The height above the floor is measured
/// with a ragdoll that is added to the world and removed again: a fall has the same bits if the world is new, and the
/// floor or level is added after this call. Then make the ragdoll in the first pose of the animation, and "animate 1".
/// In each of the first steps pose the object, update the ragdoll, and step the world. To let go, update it, "animate
/// 0", and add the velocity and the angular velocity.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_drop_start(SkelobjWorld world,
                                 SkelobjDoll doll,
                                 SkelobjModel model,
                                 const SkelobjDropDef *def,
                                 SkelobjDropStart *start);

/// Returns the default options.
SKELOBJ_API SkelobjFitDef skelobj_default_fit_def(void);

/// Writes the text of a .doll file for a model, with comments that tell the origin of its numbers, and its length (may
/// be null). `def` may be null for the default. The text is the same in each call, and rarely longer than 64 KB.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_doll_fit(SkelobjModel model,
                               const SkelobjFitDef *def,
                               char *buffer,
                               size_t capacity,
                               size_t *length);

/// Writes the words of the language, and their number (may be null). Two of them are words of bodies and of joints, and
/// listed twice.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_doll_directives(SkelobjDirective *words,
                                      int32_t capacity,
                                      int32_t *number);

// Ragdolls
// --------

/// Runs a command of skel_ragupdate on an object of an entity, such as "animate 0.5", "animatelimb upperarm_l 0 0.3",
/// "enablejoint neck 0", "muscle 0.4", "doll progs/other.doll" or "cleardoll", as text that game code has. A host's own
/// code has skelobj_ragdoll_animate, skelobj_ragdoll_enable_joint and the like. Writes the result of the builtin (may
/// be null): the number of animated bodies for "animatebody" and "animatelimb", 0 for "cleardoll" without a doll, else
/// 1. `source` is an object whose pose the bodies follow; none is the object's own.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_ragdoll_command(SkelobjWorld world,
                                      SkelobjObject object,
                                      const float entity[12],
                                      const char *command,
                                      SkelobjObject source,
                                      int32_t *result);

/// Updates the ragdoll of an object once per frame: bodies follow the pose while the character lives, bones follow the
/// bodies once it is limp. The first call makes the ragdoll from the model's doll. `source` is an object whose pose the
/// bodies follow; none is the object's own.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_ragdoll_update(SkelobjWorld world,
                                     SkelobjObject object,
                                     const float entity[12],
                                     SkelobjObject source);

/// Makes all bodies follow the animation with the doll's strengths times `strength`, 0 to 1: exactly at 1, limp at 0,
/// as at a death. The strengths change within `seconds`, 0 to 3600. A negative number is the usual time: 0.3 seconds
/// for limp bodies that are to follow exactly from far away, as when a corpse gets up, and 0 for all others. Also
/// updates the ragdoll.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_ragdoll_animate(SkelobjWorld world,
                                      SkelobjObject object,
                                      const float entity[12],
                                      float strength,
                                      float seconds,
                                      SkelobjObject source);

/// Makes one body, by its name in the doll, follow the animation with a strength of its own, 0 to 1, whatever the
/// doll's is: a hand drags the corpse. `seconds` is as in skelobj_ragdoll_animate. Also updates the ragdoll, and writes
/// the number of bodies that follow the animation (may be null).
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_ragdoll_animate_body(SkelobjWorld world,
                                           SkelobjObject object,
                                           const float entity[12],
                                           const char *body,
                                           float strength,
                                           float seconds,
                                           SkelobjObject source,
                                           int32_t *animated);

/// Makes a body, by its name in the doll, and all that hangs on it follow the animation with a strength of their own, 0
/// to 1, whatever the doll's is: a shot in the upper arm paralyses forearm and hand, too. A body hangs on another if
/// enabled joints connect it with the body on the topmost bone by way of that other body alone. The rest is as in
/// skelobj_ragdoll_animate_body.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_ragdoll_animate_limb(SkelobjWorld world,
                                           SkelobjObject object,
                                           const float entity[12],
                                           const char *body,
                                           float strength,
                                           float seconds,
                                           SkelobjObject source,
                                           int32_t *animated);

/// Enables (1) or disables (0) a joint, by its name in the doll. A disabled joint severs the bodies that hang on it,
/// also on an animated character: they become limp and keep their velocity, until the joint is enabled again. Also
/// updates the ragdoll.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_ragdoll_enable_joint(SkelobjWorld world,
                                           SkelobjObject object,
                                           const float entity[12],
                                           const char *joint,
                                           int32_t enabled,
                                           SkelobjObject source);

/// Sets the strength of all muscles, a factor of the doll's own stiffness: at 0 the corpse is slack. Also updates the
/// ragdoll.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_ragdoll_muscle(SkelobjWorld world,
                                     SkelobjObject object,
                                     const float entity[12],
                                     float strength,
                                     SkelobjObject source);

/// Sets the strength of the muscle of one joint, by its name in the doll: a factor of the doll's own stiffness. Also
/// updates the ragdoll.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_ragdoll_muscle_joint(SkelobjWorld world,
                                           SkelobjObject object,
                                           const float entity[12],
                                           const char *joint,
                                           float strength,
                                           SkelobjObject source);

/// Wakes the ragdoll (1), or lets it sleep where it is (0), from the end of the next step on. It stays awake while it
/// touches something that moves, and while bodies of it follow an animation. Also updates the ragdoll.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_ragdoll_set_awake(SkelobjWorld world,
                                        SkelobjObject object,
                                        const float entity[12],
                                        int32_t awake,
                                        SkelobjObject source);

/// Updates the ragdoll of an entity that has its model's default doll and receives no commands. The ragdoll follows the
/// animation with the doll's strengths, or with that of the last skelobj_ragdoll_animate. The ragdoll is limp while
/// `frame`, the entity's frame, is positive and has bit 15 set, such as 65535.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_ragdoll_update_default(SkelobjWorld world,
                                             SkelobjObject object,
                                             const float entity[12],
                                             float frame);

/// Makes the ragdoll of an object from a doll.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_ragdoll_set(SkelobjWorld world,
                                  SkelobjObject object,
                                  const float entity[12],
                                  SkelobjDoll doll);

/// Removes the ragdoll of an object; its bones keep their pose. Returns 1 if there was one, otherwise 0.
SKELOBJ_API
int32_t skelobj_ragdoll_clear(SkelobjWorld world,
                              SkelobjObject object);

/// Reads the doll of a model now rather than at the first update. Returns 1 if there is one with bodies, otherwise 0.
SKELOBJ_API
int32_t skelobj_precache_doll(SkelobjWorld world,
                              SkelobjModel model);

/// Reads all doll files again and changes the ragdolls in place. Returns the number of dolls that changed.
SKELOBJ_API
int32_t skelobj_reload_dolls(SkelobjWorld world);

/// Returns the index of the body that drives a bone; -1 if there is none.
SKELOBJ_API int32_t skelobj_ragdoll_bone_body(SkelobjWorld world, SkelobjObject object, int32_t bone);

/// Returns the default flinch.
SKELOBJ_API SkelobjFlinchDef skelobj_default_flinch_def(void);

/// Pushes a ragdoll with an impulse (mass * units per second) at a point, both in world space. `bone` is the bone that
/// was hit; 0 pushes the nearest body. A body that the animation holds flinches as `hit` (null for the default) says.
/// Returns 1 if there was a body, otherwise 0.
SKELOBJ_API
int32_t skelobj_ragdoll_impulse(SkelobjWorld world,
                                SkelobjObject object,
                                int32_t bone,
                                const float point[3],
                                const float impulse[3],
                                const SkelobjFlinchDef *hit);

/// Adds a velocity (units per second) and a spin (radians per second) about a centre in world space to all limp and
/// partly animated bodies. Those that follow the animation exactly stay as they are.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_ragdoll_add_velocity(SkelobjWorld world,
                                           SkelobjObject object,
                                           const float velocity[3],
                                           const float spin[3],
                                           const float centre[3]);

/// Sets the collision groups of an object's ragdoll: a sum of SKELOBJ_GROUP_...
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_ragdoll_set_groups(SkelobjWorld world,
                                         SkelobjObject object,
                                         uint32_t groups);

/// Sets the impulse from which on impacts are recorded; a negative number (default) records none.
SKELOBJ_NODISCARD SKELOBJ_API SkelobjStatus skelobj_set_impact_threshold(SkelobjWorld world, float threshold);

/// Writes the impacts of the last skelobj_step, and their number (may be null).
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_impacts(SkelobjWorld world,
                              SkelobjImpact *impacts,
                              int32_t capacity,
                              int32_t *number);

/// Finds where in some animations of a model a ragdoll lies as it does now, for getting up. `tolerance` is the greatest
/// distance, of the kind in SkelobjPoseMatch.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_match_pose(SkelobjWorld world,
                                 SkelobjObject object,
                                 SkelobjModel model,
                                 const int32_t *animations,
                                 int32_t animation_count,
                                 float tolerance,
                                 SkelobjPoseMatch *found);

/// Writes a summary of the ragdoll of an object.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_ragdoll_info(SkelobjWorld world,
                                   SkelobjObject object,
                                   SkelobjRagdollInfo *info);

/// Writes the bodies of a ragdoll, and their number (may be null).
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_ragdoll_bodies(SkelobjWorld world,
                                     SkelobjObject object,
                                     SkelobjBodyState *bodies,
                                     int32_t capacity,
                                     int32_t *number);

/// Writes the joints of a ragdoll, and their number (may be null).
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_ragdoll_joints(SkelobjWorld world,
                                     SkelobjObject object,
                                     SkelobjJointState *joints,
                                     int32_t capacity,
                                     int32_t *number);

/// Writes the points at which a ragdoll touches anything but itself, in the order of its bodies, and their number (may
/// be null). Those with boxes of entities bear no force.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_ragdoll_contact_points(SkelobjWorld world,
                                             SkelobjObject object,
                                             SkelobjContactPoint *points,
                                             int32_t capacity,
                                             int32_t *number);

// Traces, contacts, tags
// ----------------------

/// Returns a def of a line from the origin to itself through the world.
SKELOBJ_API SkelobjTraceDef skelobj_default_trace_def(void);

/// Traces a line or box through the world, or through one object. Writes what it hit; the fraction is 1 if nothing.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_trace(SkelobjWorld world,
                            const SkelobjTraceDef *def,
                            SkelobjHit *hit);

/// Writes what touches a level body, such as a door that is blocked, and their number (may be null).
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_contacts(SkelobjWorld world,
                               SkelobjLevelBody body,
                               SkelobjContact *contacts,
                               int32_t capacity,
                               int32_t *number);

/// Writes the matrix of a tag in world space. The first entity has the tag; each further one is what the entity before
/// it hangs on, by its `tag`. A list of one entity is the usual case.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_tag(SkelobjWorld world,
                          const SkelobjEntity *entities,
                          int32_t count,
                          float matrix[12]);

/// Writes the matrix of an entity's tag relative to its parent, and the number of that tag or 0 (may be null).
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_tag_local(SkelobjWorld world,
                                const SkelobjEntity *link,
                                float matrix[12],
                                int32_t *parent);

// Poses of the past
// -----------------

/// Returns a def of a second, exact.
SKELOBJ_API SkelobjHistoryDef skelobj_default_history_def(void);

/// Replaces the history of poses with an empty one of these settings; a null `def` ends it. A new world keeps none.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_keep_history(SkelobjWorld world,
                                   const SkelobjHistoryDef *def);

/// Records the pose of an object, its ragdoll and the matrix of its entity, at `time` in seconds. Writes 1, or 0 for a
/// time before the newest one and for an object that is already recorded at this time (may be null). Call it for every
/// object that can be hit, once per tick and with the same time, after poses and commands.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_record_pose(SkelobjWorld world,
                                  SkelobjObject object,
                                  double time,
                                  const float entity[12],
                                  int32_t *is_recorded);

/// Marks that an object's next record does not continue its last one, because it spawned or was teleported.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_break_history(SkelobjWorld world,
                                    SkelobjObject object);

/// Writes the recorded times, seconds: that of the `oldest` and of the `newest` record (each may be null).
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_history_window(SkelobjWorld world,
                                     double *oldest,
                                     double *newest);

/// Writes the matrix of an object's entity and the matrices of its bones in model space, as they were at a time. The
/// object may be deleted since. With `is_clamped` 1, a time outside of the recorded ones stands for the nearest one;
/// with 0 it is an error. `capacity` is the number of matrices that there is room for.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_past_pose(SkelobjWorld world,
                                SkelobjObject object,
                                double time,
                                int32_t is_clamped,
                                float entity[12],
                                float *matrices,
                                int32_t capacity);

// Saves
// -----

/// Takes a snapshot of a world and returns its id; none on failure. A history of frames is a list of these.
SKELOBJ_API
SkelobjSnapshot skelobj_snapshot_take(SkelobjWorld world);

/// Puts a world into the state of a snapshot: of this world, or of another with the same models under the same names.
/// Ids of objects, level bodies and water are those of the snapshot.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_snapshot_restore(SkelobjWorld world,
                                       SkelobjSnapshot snapshot);

/// Returns 1 if a snapshot has this id, otherwise 0.
SKELOBJ_API int32_t skelobj_snapshot_is_valid(SkelobjSnapshot snapshot);

/// Frees a snapshot.
SKELOBJ_API SkelobjStatus skelobj_snapshot_free(SkelobjSnapshot snapshot);

/// Writes a snapshot as bytes for a file, and their number (may be null). The bytes hold nothing of the host: entities
/// and the ids that they hold are saved beside them.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_snapshot_write(SkelobjSnapshot snapshot,
                                     uint8_t *buffer,
                                     size_t capacity,
                                     size_t *size);

/// Reads a snapshot from bytes and returns its id; none on failure. Bytes from strangers must be authenticated first.
SKELOBJ_API
SkelobjSnapshot skelobj_snapshot_read(const uint8_t *bytes,
                                      size_t size);

/// Writes the names of the models that a snapshot needs, one on each line, and the length of the text (may be null).
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_snapshot_models(SkelobjSnapshot snapshot,
                                      char *buffer,
                                      size_t capacity,
                                      size_t *length);

// Network
// -------

/// Writes a message with the bones of an object, and its size in bytes (may be null). `what` is SKELOBJ_REPLICATION_...
/// Positions reach 512 units from the entity in each direction, or as far as the animations of the object's model lead.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_encode_bones(SkelobjWorld world,
                                   SkelobjObject object,
                                   int32_t what,
                                   uint8_t *buffer,
                                   size_t capacity,
                                   size_t *size);

/// Sets the bones of an object to those of a message.
SKELOBJ_NODISCARD SKELOBJ_API
SkelobjStatus skelobj_apply_bones(SkelobjWorld world,
                                  SkelobjObject object,
                                  const uint8_t *message,
                                  size_t size);

/// Creates a receiver, which keeps the last messages of one object and interpolates between them, and returns its id;
/// none on failure.
SKELOBJ_API
SkelobjReceiver skelobj_receiver_create(void);

/// Returns 1 if a receiver has this id, otherwise 0.
SKELOBJ_API int32_t skelobj_receiver_is_valid(SkelobjReceiver receiver);

/// Frees a receiver.
SKELOBJ_API SkelobjStatus skelobj_receiver_free(SkelobjReceiver receiver);

/// Hands a message for an object to a receiver. `time` is the sender's, seconds. Returns 1 if it is new, 0 if it is
/// late or damaged.
SKELOBJ_API
int32_t skelobj_receiver_receive(SkelobjWorld world,
                                 SkelobjObject object,
                                 SkelobjReceiver receiver,
                                 double time,
                                 const uint8_t *message,
                                 size_t size);

/// Sets the bones of an object to those at a time of the sender, interpolated. Returns 1 if there are any, otherwise 0.
SKELOBJ_API
int32_t skelobj_receiver_show(SkelobjWorld world,
                              SkelobjObject object,
                              SkelobjReceiver receiver,
                              double time);

/// Returns the time of the newest message of a receiver; -1 if there is none.
SKELOBJ_API double skelobj_receiver_newest(SkelobjReceiver receiver);

/// Forgets all messages of a receiver, for an object that jumps.
SKELOBJ_NODISCARD SKELOBJ_API SkelobjStatus skelobj_receiver_clear(SkelobjReceiver receiver);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* SKELOBJ_H */
