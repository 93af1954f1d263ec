//! The table of builtins, the only place that defines their numbers.

use super::Host;
use super::builtins::{
    animation, contents, edit, events, getup, history, impacts, memory, models, objects, posing, ragdoll, replication,
    scene, status, steps, surfaces, tags, trace,
};
use super::call::Call;
use crate::runtime::Runtime;

/// Subject of a builtin.
///
/// # Example
/// ```
/// use skelobj::qc::{Family, TABLE};
///
/// let tags = TABLE.iter().filter(|builtin| builtin.family == Family::Tags);
/// assert!(tags.map(|builtin| builtin.name).eq(["gettagindex", "gettaginfo"]));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Family {
    /// Skeletal objects.
    Objects,
    /// Bones of skeletal objects.
    Bones,
    /// Places on entities.
    Tags,
    /// Animations and skins of models.
    Models,
    /// Builtins of every Quake engine, for standalone machines; omitted from the header.
    ///
    /// Builtins that need only a machine are in the standard library of `skelobj-qcvm`.
    Engine,
}

/// Builtin with its number, names, QuakeC type and description.
///
/// # Example
/// ```
/// use skelobj::qc::Builtin;
///
/// let mul_bone = Builtin::by_number(272).ok_or("no builtin #272")?;
/// assert_eq!(mul_bone.name, "skel_mul_bone");
/// assert_eq!(mul_bone.aliases, ["skel_premul_bone"]);
/// assert!(mul_bone.signature.starts_with("void(float skel, float bonenum, vector org"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct Builtin {
    /// Number of the builtin; 0 for builtins that are bound only by name.
    pub number: u32,
    /// Name of the builtin.
    pub name: &'static str,
    /// Other names of the builtin.
    pub aliases: &'static [&'static str],
    /// QuakeC type as FTE writes it, with `optional`, `__inout`, `__out` and pointer types.
    pub signature: &'static str,
    /// Description of the builtin, one or more sentences.
    pub doc: &'static str,
    /// Subject of the builtin.
    pub family: Family,
    operation: Operation,
}

impl std::fmt::Debug for Builtin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} #{}", self.name, self.number)
    }
}

impl Builtin {
    /// Returns the builtin with this number, `None` for 0: builtins with number 0 are bound by name.
    ///
    /// # Example
    /// ```
    /// use skelobj::qc::Builtin;
    ///
    /// assert_eq!(Builtin::by_number(264).map(|builtin| builtin.name), Some("skel_build"));
    /// assert!(Builtin::by_number(0).is_none());
    /// ```
    #[must_use]
    pub fn by_number(number: u32) -> Option<&'static Self> {
        TABLE.iter().find(|builtin| builtin.number == number && number != 0)
    }

    /// Returns the builtin with this name or alias, compared case-sensitively.
    ///
    /// # Example
    /// ```
    /// use skelobj::qc::Builtin;
    ///
    /// assert_eq!(Builtin::by_name("skel_premul_bone").map(|builtin| builtin.number), Some(272));
    /// assert!(Builtin::by_name("SKEL_BUILD").is_none());
    /// ```
    #[must_use]
    pub fn by_name(name: impl AsRef<[u8]>) -> Option<&'static Self> {
        let name = name.as_ref();
        TABLE.iter().find(|builtin| {
            builtin.name.as_bytes() == name || builtin.aliases.iter().any(|alias| alias.as_bytes() == name)
        })
    }

    /// Runs the builtin with the arguments that `host` holds, and leaves the result there.
    ///
    /// No argument can make it fail. It prints invalid arguments, and returns 0 or an empty value where nothing was
    /// done.
    ///
    /// # Example
    /// ```
    /// # mod engine { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/qc_host.rs")); }
    /// use engine::Engine; // examples/qc_host.rs
    /// use skelobj::qc::Builtin;
    ///
    /// let (mut runtime, mut engine) = Engine::with_mannequin()?;
    /// let create = Builtin::by_name("skel_create").ok_or("no skel_create")?;
    /// engine.arguments = vec![[1.0, 0.0, 0.0]]; // model index 1
    /// create.call(&mut runtime, &mut engine);
    /// let [object, ..] = engine.result;
    /// assert_ne!(object, 0.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline(always)]
    pub fn call(&self, runtime: &mut Runtime, host: &mut (impl Host + ?Sized)) {
        let mut call = Call { runtime, host, builtin: self };
        self.operation.function()(&mut call);
        if call.runtime.has_warnings() {
            call.print_warnings();
        }
    }
}

macro_rules! table {
    ($($family:ident { $($number:literal $name:ident $([$($alias:ident)*])? $signature:literal $doc:literal => $function:path;)* })*) => {
        /// All builtins, in the order of the reference page.
        pub const TABLE: &[Builtin] = &[$($(Builtin {
            number: $number,
            name: stringify!($name),
            aliases: &[$($(stringify!($alias),)*)?],
            signature: $signature,
            doc: $doc,
            family: Family::$family,
            operation: Operation::$name,
        },)*)*];

        /// Operations of the builtins.
        #[derive(Clone, Copy)]
        #[allow(non_camel_case_types)]
        enum Operation {
            $($($name,)*)*
        }

        impl Operation {
            /// Returns the function of the operation, compiled for each host so that arguments are read without
            /// indirection.
            #[inline(always)]
            fn function<H: Host + ?Sized>(self) -> fn(&mut Call<'_, H>) {
                match self {
                    $($(Self::$name => $function,)*)*
                }
            }
        }
    };
}

table! {
Objects {
    263 skel_create "float(float modlindex, optional float useabstransforms)"
        "Creates a skeletal object for a model and returns its handle, 0 if there is no such model, it has no bones, or \
        16,383 objects are alive. Its bones are zero until built. With useabstransforms 1 they are relative to the entity \
        instead of their parents. Delete every object with skel_delete; removing an entity does not delete its object."
        => objects::create;
    264 skel_build "float(float skel, entity ent, float modelindex, float retainfrac, float firstbone, float lastbone, optional float addfrac)"
        "Blends the pose that the entity's frame fields select in a model into the bones: old * retainfrac + new * addfrac. \
        addfrac defaults to 1 - retainfrac. Bones are numbered from 1; firstbone 0 is 1; lastbone is the first bone that stays \
        unchanged, 0 or less means to the end (DarkPlaces: it is the last bone built, 0 means none). Skel 0 creates an \
        object. An object in model space must be built completely with retainfrac 0 and becomes relative. Returns the \
        handle, 0 if nothing was built."
        => objects::build;
    0 skel_build_ptr "float(float skel, int numblends, skelblend_t *weights, int structsize)"
        "Builds from consecutive structures skelblend_t in memory: model, reserved, first and last bone (int), prescale, \
        four weights (float), four animations (int), four times, two sub-blends, five controllers (float). prescale is the \
        retained fraction; the weights are not normalized. Returns the handle, 0 on an error."
        => memory::build_ptr;
    265 skel_get_numbones "float(float skel)"
        "Returns the number of bones, 0 for an invalid handle. Bones are numbered from 1 to that number."
        => objects::get_numbones;
    266 skel_get_bonename "string(float skel, float bonenum)"
        "Returns the name of a bone, \"\" if there is no such bone."
        => objects::get_bonename;
    267 skel_get_boneparent "float(float skel, float bonenum)"
        "Returns the number of a bone's parent, 0 for roots."
        => objects::get_boneparent;
    268 skel_find_bone "float(float skel, string tagname)"
        "Returns the number of the first bone with that name, 0 if there is none. Case matters, except in DarkPlaces."
        => objects::find_bone;
    274 skel_copybones "void(float skeldst, float skelsrc, float startbone, float entbone)"
        "Copies bones from one object to another, with ranges as in skel_build. Matrices are converted between an object \
        that is relative and one in model space."
        => objects::copybones;
    275 skel_delete "void(float skel)"
        "Deletes an object at the end of the frame. Until then every builtin can use it."
        => objects::delete;
    282 skel_mmap "float*(float skel)"
        "Returns a pointer to the bones, 12 floats each from bone 1 on: fwd_x, lft_x, up_x, org_x, fwd_y, lft_y, up_y, \
        org_y, fwd_z, lft_z, up_z, org_z. The pointer is valid as long as the object. Values written through it take effect from the next call on."
        => memory::mmap;
    281 skel_ragupdate "float(entity skelent, string dollcommand, float animskel)"
        "Commands the ragdoll of the entity's object and updates its bones, which become relative to the entity. Commands: \
        doll FILE, dollstring TEXT, cleardoll, animate STRENGTH [SECONDS], animatebody BODY STRENGTH [SECONDS], \
        animatelimb BODY STRENGTH [SECONDS], enablejoint JOINT TRUTH, muscle STRENGTH, musclejoint JOINT STRENGTH, \
        awake TRUTH, or nothing. animatelimb, an extension by skelobj, applies to a body and all that hangs on it. With SECONDS, another \
        one, a limp ragdoll takes that long to get up, and other strengths change at constant pace. Bones without bodies \
        take their pose from animskel, a relative object, else from the pose built since the last update, else from the \
        bind pose. While the frame of the entity is 65535, all bodies are limp but for those of a later animatebody or \
        animatelimb; afterwards the last animate applies to all. Returns 1 for success (animatebody and animatelimb: the \
        number of animated bodies), else 0."
        => ragdoll::ragupdate;
    0 skel_ragimpulse "float(entity skelent, float bonenum, vector point, vector impulse, optional float seconds, optional float strength, optional float spread)"
        "Applies an impulse (mass * units per second) at a point in world space to the ragdoll of the entity's object: \
        to the body that drives a bone or its nearest ancestor, with bonenum 0 to the nearest body. Animated bodies \
        lose a share of their strength (0 to 1, default 0.9) and recover it within seconds (default 0.5); so do \
        neighbours up to spread joints away (default 3), less. Returns 1 if a body was hit, else 0. An extension by \
        skelobj."
        => ragdoll::ragimpulse;
    0 skel_ragvelocity "float(entity skelent, vector velocity, vector spin)"
        "Adds a velocity (units per second) and a spin (degrees per second about the axes of the world, about the centre \
        of mass) to the ragdoll of the entity's object. All bodies but those that follow the animation exactly take them. \
        Returns 1 for success, 0 without a ragdoll. An extension by skelobj."
        => ragdoll::ragvelocity;
    0 precache_doll "float(float modlindex)"
        "Loads the default doll of a model, so that the first skel_ragupdate need not. Returns 1 if the model has one, else \
        0. An extension by skelobj."
        => ragdoll::precache_doll;
    0 skel_matchpose "float(entity skelent, string animations, float tolerance, optional float modelindex)"
        "Finds the pose that comes nearest to the ragdoll of the entity's object in some animations of a model, by default \
        the entity's: names separated by spaces, in which * stands for any text. tolerance is the greatest distance in \
        units, 0 for the usual 12. Returns the animation's number + 1, and sets skel_match_origin and skel_match_yaw to the \
        place where the entity has to stand to get up from there, and skel_match_time to the time in the animation. \
        Returns 0 if nothing comes near. An extension by skelobj."
        => getup::matchpose;
    0 skel_raggroups "float(entity skelent, float groups)"
        "Puts the ragdoll of the entity's object into collision groups, the sum of 1 (level), 2 (ragdolls, the first \
        group of each), 4 (entity boxes) and 8 (corpses). Entity boxes pass through corpses. Returns 1 for success, 0 \
        without a ragdoll. An extension by skelobj."
        => ragdoll::raggroups;
    0 skel_issolid "float(vector point)"
        "Returns 1 if a point in world space is solid in the level of the engine: in a wall, box, hull or closed mesh, or in \
        a door or lift where it is now. Returns 0 in the open, and where only faces are known. An extension by skelobj."
        => ragdoll::issolid;
    0 skel_impactthreshold "float(float impulse)"
        "Starts to note impacts of ragdolls with at least this impulse (mass * units per second), for skel_impact. A \
        negative number stops, which is the default. Returns 1, or 0 if the number is out of range. An extension by \
        skelobj."
        => impacts::threshold;
    0 skel_impact "vector(float index, optional __out float skel, optional __out float bonenum, optional __out float impulse, optional __out float otherskel)"
        "Returns the point of an impact of the last frame, world space, and sets v_forward to its normal, away from what \
        was hit, with v_right and v_up across. Impacts are numbered from 0; skel is 0 after the last one. skel and bonenum \
        are the object and the bone that hit something; otherskel is the object that was hit, 0 for the level or a body of \
        the engine. They are also in skel_impact_skel, skel_impact_bone, skel_impact_impulse and skel_impact_other. \
        Nothing is noted before skel_impactthreshold. An extension by skelobj."
        => impacts::impact;
    0 skel_status "float(entity skelent, float what)"
        "Returns a number about the ragdoll of the entity's object: 1 returns 1 if it is asleep, 2 the number of animated \
        bodies, 3 the greatest gap between two bodies at a joint, in units, 4 the greatest impulse of its impacts in the \
        last frame, after skel_impactthreshold, 5 returns 1 if it fell out of the level and is no longer simulated. \
        Returns 0 without a ragdoll. An extension by skelobj."
        => status::status;
    0 skel_send "float(float skel, float kind, float buffer)"
        "Replaces the contents of a buffer with the bones of an object in model space, for its copy on a client: kind 0 \
        with rotations, 14 bytes per bone, kind 1 without, 6 bytes. Positions reach 512 units from the entity in each \
        direction, or as far as the animations of the object's model lead. Buffers are numbered by the engine, not pointers of \
        createbuffer; skelobj's own VM has 1 to 255. Returns the number of bytes, 0 on an error. An extension by skelobj."
        => replication::send;
    0 skel_receive "float(float skel, float buffer, float time)"
        "Keeps the bones that skel_send put into a buffer for skel_show, with the time at which they were sent. The last \
        four are kept. Returns 1 if the message fits the object and is newer than the last one, else 0. An extension by \
        skelobj."
        => replication::receive;
    0 skel_show "float(float skel, float time)"
        "Sets the bones of an object to those received around a time of the sender, interpolated. Returns 1, or 0 if \
        none were received. An extension by skelobj."
        => replication::show;
    0 skel_trace "float(entity skelent, vector start, vector end, optional __out float bonenum, optional __out float fraction, optional float time, optional entity skip)"
        "Traces a line through the entity's object in its current pose: the bodies of its ragdoll and the skin between \
        them, else its model's hit boxes, else its skin. With world, or an entity without skeletonindex, it traces \
        through all ragdolls. With a time, it traces through the poses that skel_record has recorded, as they were then: \
        of the entity, or of all entities except skip; a time outside of the recorded ones stands for the nearest of them. \
        Returns the object's handle and the bone's number, 0 if nothing was hit; fraction is the part of the line before \
        the hit. They are also in skel_trace_bone and skel_trace_fraction. On skelobj's own VM the trace_ globals are also \
        set. An extension by skelobj."
        => ragdoll::trace;
    0 skel_history "float(float seconds, optional float packed)"
        "Keeps the poses that skel_record records for some seconds, at most 3600; none for 0. packed stores them in a \
        third of the memory, 0.02 units off at most. It removes all earlier records. Returns 1, or 0 on an error. An \
        extension by skelobj."
        => history::keep;
    0 skel_record "float(entity skelent, float time)"
        "Records the object, the ragdoll and the place of an entity for skel_trace. Call it in every frame for all \
        entities that can be hit, with the same time and after they were posed. Returns 1 if it was recorded; 0 if it \
        already was, on an error, and for a time before the newest one. An extension by skelobj."
        => history::record;
    0 skel_record_break "void(float skel)"
        "Marks that the next record of an object does not continue its last one, as after a spawn or a teleport. An \
        extension by skelobj."
        => history::record_break;
}
Bones {
    269 skel_get_bonerel "vector(float skel, float bonenum)"
        "Returns a bone's origin relative to its parent, and sets v_forward, v_right and v_up to its axes."
        => objects::get_bonerel;
    270 skel_get_boneabs "vector(float skel, float bonenum)"
        "Returns a bone's origin relative to the entity, and sets v_forward, v_right and v_up to its axes."
        => objects::get_boneabs;
    271 skel_set_bone "void(float skel, float bonenum, vector org, optional vector fwd, optional vector right, optional vector up)"
        "Replaces a bone's transform relative to its parent. The globals v_forward, v_right and v_up are used unless all \
        three vectors are given."
        => edit::set_bone;
    272 skel_mul_bone [skel_premul_bone] "void(float skel, float bonenum, vector org, optional vector fwd, optional vector right, optional vector up)"
        "Moves and rotates a bone, with its offset, about its parent's origin: bone = given * bone. Vectors as in \
        skel_set_bone."
        => edit::mul_bone;
    273 skel_mul_bones [skel_premul_bones] "void(float skel, float startbone, float endbone, vector org, optional vector fwd, optional vector right, optional vector up)"
        "Moves and rotates each bone of a range about its parent's origin: bone = given * bone. The range is as in \
        skel_build, but a negative startbone does nothing. Vectors as in skel_set_bone."
        => edit::mul_bones;
    0 skel_postmul_bone "void(float skel, float bonenum, vector org, optional vector fwd, optional vector right, optional vector up)"
        "Rotates a bone about its own origin: bone = bone * given. Vectors as in skel_set_bone."
        => edit::postmul_bone;
    283 skel_set_bone_world "void(entity ent, float bonenum, vector org, optional vector angorfwd, optional vector right, optional vector up)"
        "Sets the world-space transform of a bone of the entity's object, with the rotation of angles (four arguments), \
        three axes (six), or the globals v_forward, v_right and v_up. Angles are those of vectoangles(target - org); \
        makevectors needs the negative pitch."
        => edit::set_bone_world;
    0 skel_aim "float(entity skelent, string bones, vector point, optional float weight, optional float maxangle)"
        "Turns bones of the entity's object, so that the direction that is forward in the bind pose of the last one points \
        at a point in world space. bones are names with their shares of the turn: \"chest 0.2, neck 0.3, head 0.5\". The last \
        bone is kept upright. weight is from 0 to 1 (default 1), maxangle is in degrees; by default, also for 0, it is the sum \
        of the narrowest stops of the bones in the doll if the object has a ragdoll, else 180. Within 5 degrees of straight \
        behind, the weight falls to 0. Case matters in names, also in DarkPlaces. Call it after skel_build, in every frame. \
        Returns the angle by which it misses, in degrees, -1 if nothing was done. An extension by skelobj."
        => posing::aim;
    0 skel_turn "float(float skel, string bones, vector angles, optional float weight, optional float maxangle)"
        "Turns bones of an object by a pitch and a yaw about the axes of the entity, as makevectors does: a positive pitch \
        looks down. Everything else is as in skel_aim, but maxangle is 180 by default. Returns the angle that maxangle leaves, in degrees, -1 if nothing was \
        done. An extension by skelobj."
        => posing::turn;
    0 skel_reach "float(entity skelent, string bones, vector point, optional vector pole, optional float weight)"
        "Bends a limb of the entity's object, so that its last bone comes to a point in world space. bones are the names of \
        three bones, each below the one before it: \"thigh_l, shin_l, foot_l\". The middle one bends to the side of pole, a \
        direction in world space; without it, as it is bent; and if the object has a ragdoll, about the hinge of its doll \
        and within its stops. Two bones are the ends of a longer chain, all of which turns: \"tail1, tail6\". weight is from 0 to 1 (default 1). Call it after skel_build, \
        in every frame. Returns the distance in units by which it misses, -1 if nothing was done. The scale of the entity \
        applies, as in skel_aim and skel_trace; gettaginfo says how to get there from its places. An extension by skelobj."
        => posing::reach;
    0 skel_feet "float(entity skelent, string bones, float seconds, optional float weight, optional float floor, optional float step)"
        "Places the feet of the entity's object on the level, for a frame of some seconds: a foot that stands stays on its \
        ground and takes the slope of it, a foot that swings rises to the step ahead, and the pelvis follows on a spring. \
        bones are the pelvis, and a thigh, a shin and a foot for each leg: \"pelvis, thigh_l, shin_l, foot_l, thigh_r, \
        shin_r, foot_r\". weight is 1 on the ground (default) and 0 in the air, and may change at once. floor is the height \
        of the floor relative to the entity's origin, such as self.mins_z (default 0), step the greatest height of a step \
        (default 18, also for 0). Feet stand on the level, doors and lifts. They begin anew after a jump of the entity and \
        after half a second. Call it after skel_build, in every frame. Returns 1 for success, else 0. An extension by \
        skelobj."
        => posing::feet;
    0 skel_feet_reset "void(float skel)"
        "Lets the feet of an object begin anew on the ground of the next frame, as after a teleport. An extension by \
        skelobj."
        => posing::feet_reset;
    0 skel_motion "vector(entity skelent, string bone, float seconds, optional float parts)"
        "Takes the motion of a root bone out of the pose of the entity's object, so that the character stays with its \
        entity, and returns the translation in world space by which to move the entity for the last seconds of its \
        animations. parts is the sum of 1 for the distance, 2 for the height and 4 for the yaw (default 5). Get the yaw from \
        skel_motionyaw. Times of an animation that loops must go on beyond its duration. Call it after a skel_build of all \
        bones, in every frame. Returns the zero vector if nothing was done. An extension by skelobj."
        => posing::motion;
    0 skel_motionyaw "float(entity skelent, string bone, float seconds)"
        "Returns by how many degrees a root bone has turned about the up axis in the last seconds of the entity's \
        animations, to add to the entity's yaw; 0 if nothing was done. An extension by skelobj."
        => posing::motionyaw;
    0 skel_spring "float(entity skelent, string bones, float seconds, optional float frequency, optional float damping, optional vector gravity, optional string colliders, optional float share)"
        "Swings the bones of the entity's object behind its motion: a tail, hair, an antenna. bones are the first one and the \
        end, which does not turn: \"tail1, tail6\". frequency is in swings per second (default 2, also for 0), damping from 0 \
        to 1 (default 0.3), gravity in world space, in units per second squared. colliders are bones with radii that keep the \
        bones out: \"chest 7, pelvis 6\". share is the part of the swing of the bone above that a bone follows, from 0 to 1 \
        (default 0.5). The motion hardly depends on the frame rate. It begins anew after a jump of four lengths of the chain \
        and after half a second. Call it after skel_build, or after skel_ragupdate for bones without bodies, in every frame. \
        Returns 1 for success, else 0. An extension by skelobj."
        => posing::spring;
    0 skel_spring_reset "void(float skel)"
        "Lets the springs of an object begin anew in the pose of the next frame, as after a teleport. An extension by \
        skelobj."
        => posing::spring_reset;
    0 skel_mask "float(float skel, string bones)"
        "Limits later calls of skel_build, skel_add, skel_mul_bones, skel_copybones and skel_copybones_named for an object \
        to bones, until it is called with \"\". bones are names with weights from 0 to 1, for the bone and everything below \
        it, of which later ones replace earlier ones: \"spine 1 2, head 0\". A second number is the count of generations \
        over which the weight rises. Returns 1 for success, 0 on an error, which changes nothing. An extension by \
        skelobj."
        => posing::mask;
    0 skel_blending "float(float skel, float blending)"
        "Sets how later calls mix the poses of an object. 0, as for a new object, sums matrices as FTE does, so that poses \
        far apart shorten and shear a bone between them. 1 keeps each bone a rotation times its own scale: in \
        skel_build, between two frames of an animation, between animations and with retainfrac; in skel_add and \
        skel_motion; and where skel_mask gives a weight between 0 and 1. Returns 1 for success, else 0. An extension by \
        skelobj."
        => posing::blending;
    0 skel_add "float(float skel, entity ent, float modelindex, float weight, optional float refframe)"
        "Adds the pose that the entity's frame fields select in a model to the bones, as its difference to the first frame of \
        its first animation, or of animation refframe, or with -1 to the bind pose. weight is from -1 to 1. Call it after \
        skel_build, in every frame. Returns 1 for success, else 0. An extension by skelobj."
        => posing::add;
    0 skel_set_bone_axes "void(float skel, float bonenum, optional vector fwd, optional vector right, optional vector up)"
        "Turns a bone so that its axes relative to the entity are those given, or v_forward, v_right and v_up; it stays at \
        its place, and its children follow. After skel_get_boneabs of another layer, it keeps the rotation of that layer. \
        An extension by skelobj."
        => posing::set_bone_axes;
    0 skel_copybones_named "float(float skeldst, float skelsrc)"
        "Copies the places relative to the entity of all bones that have the same names in both objects, whose models may \
        differ. Other bones follow their parents. Returns the number of bones copied. An extension by skelobj."
        => posing::copybones_named;
}
Tags {
    451 gettagindex "float(entity ent, string tagname)"
        "Returns the number of a tag of the entity's model, 0 if there is none. Bones are tags."
        => tags::gettagindex;
    452 gettaginfo "vector(entity ent, float tagindex)"
        "Returns a tag's origin in world space, and sets v_forward, v_right and v_up to its axes. The entity's object takes \
        precedence over its frame fields. Attachments by tag_entity and tag_index are followed through up to ten \
        entities. If there is no such tag, the result is the entity's own transform. Under FTE's rules the scale \
        of an entity is left out: its place with it is ent.origin + (gettaginfo(ent, tag) - ent.origin) * ent.scale."
        => tags::gettaginfo;
}
Models {
    276 frameforname "float(float modlindex, string framename)"
        "Returns the number of the first animation with that name, -1 if there is none."
        => animation::frameforname;
    284 frametoname "string(float modlindex, float framenum)"
        "Returns the name of an animation, \"\" if there is none."
        => animation::frametoname;
    277 frameduration "float(float modlindex, float framenum)"
        "Returns the length of an animation in seconds, 0 if there is none."
        => animation::frameduration;
    0 modelframecount "float(float modlindex)"
        "Returns the number of animations of a model."
        => animation::modelframecount;
    0 frameforaction "float(float modlindex, int actionid)"
        "Returns a random animation of an action, chosen by weight, -1 if there is none."
        => animation::frameforaction;
    0 processmodelevents "void(float modlindex, float framenum, __inout float basetime, float targettime, void(float timestamp, int code, string data) callback)"
        "Calls a function for every event of an animation from basetime to before targettime, and sets basetime to \
        targettime. The calls are made after the builtin has returned. During a call modelevent_time, modelevent_code and \
        modelevent_data hold its arguments, the code as a float; after the last one modelevent_time is targettime."
        => events::processmodelevents;
    0 getnextmodelevent "float(float modlindex, float framenum, __inout float basetime, float targettime, optional __out int code, optional __out string data)"
        "Returns 1 if an animation has an event after basetime and until targettime, else 0. basetime becomes the time of \
        the event, or targettime. Of simultaneous events only the first is found. The results are also in modelevent_time, \
        modelevent_code, as a float, and modelevent_data."
        => events::getnextmodelevent;
    0 getmodeleventidx "float(float modlindex, float framenum, int eventidx, optional __out float timestamp, optional __out int code, optional __out string data)"
        "Returns 1 if an animation has an event with that number, else 0. Events are numbered from 0; loops add none. \
        The results are also in modelevent_time, modelevent_code, as a float, and modelevent_data."
        => events::getmodeleventidx;
    237 skinforname "float(float modlindex, string skinname)"
        "Returns the number of a skin of the model's first mesh, -1 if there is none."
        => animation::skinforname;
    285 skintoname "string(float modlindex, float skin)"
        "Returns the name of a skin of the model's first mesh, \"\" if there is none."
        => animation::skintoname;
}
Engine {
    3 setmodel "void(entity ent, string modelname)"
        "Sets model and modelindex, and loads a new model."
        => models::setmodel;
    16 traceline "void(vector start, vector end, float nomonsters, entity forent)"
        "Traces a line through the physics level and the boxes of solid entities and sets trace_fraction, trace_endpos, \
        trace_plane_normal, trace_plane_dist and trace_ent to its first hit, 1/32 of a unit before the surface. A line \
        that starts in something solid sets trace_startsolid and goes on to the open, trace_allsolid if it never gets \
        there. forent, its owner and what it owns are not hit; with bit 1 of nomonsters only parts of the map are. \
        Ragdolls are not hit."
        => trace::traceline;
    19 precache_sound "string(string sample)"
        "Returns its argument. Sounds are not played."
        => models::precache_file;
    20 precache_model "string(string modelname)"
        "Loads a model and returns its name."
        => models::precache_model;
    32 walkmove "float(float yaw, float dist, optional float settraceglobals)"
        "Moves self over the physics level in a direction in degrees, up and down steps of 18 units and not over edges, and \
        returns 1; returns 0 and moves nothing if the level or an entity with a solid box is in the way, or self neither \
        stands on the ground (bit 512 of flags) nor flies (1) nor swims (2)."
        => steps::walkmove;
    34 droptofloor "float()"
        "Moves self down to the physics level, at most 256 units, sets flags and groundentity, and returns 1; returns 0 \
        where there is no floor."
        => trace::droptofloor;
    40 checkbottom "float(entity ent)"
        "Returns 1 if an entity stands on the physics level with all corners, else 0."
        => steps::checkbottom;
    41 pointcontents "float(vector org)"
        "Returns what fills a place of the physics level: -1 nothing, -2 solid matter, -3 water, -4 slime, -5 lava."
        => contents::pointcontents;
    67 movetogoal "void(float step)"
        "Takes a step as walkmove does, towards goalentity or, where the way is blocked, in another direction, and turns \
        self by at most yaw_speed degrees."
        => steps::movetogoal;
    68 precache_file "string(string file)"
        "Returns its argument."
        => models::precache_file;
    75 precache_model2 "string(string modelname)"
        "Loads a model and returns its name, as precache_model does."
        => models::precache_model;
    76 precache_sound2 "string(string sample)"
        "Returns its argument. Sounds are not played."
        => models::precache_file;
    77 precache_file2 "string(string file)"
        "Returns its argument."
        => models::precache_file;
    90 tracebox "void(vector start, vector mins, vector maxs, vector end, float nomonsters, entity forent)"
        "Traces a box and sets the trace_ globals as traceline does."
        => trace::tracebox;
    200 getmodelindex "float(string modelname, optional float queryonly)"
        "Returns the index of a model, and loads a new model, or with queryonly returns 0 for one."
        => models::getmodelindex;
    238 shaderforname "float(string shadername, optional string defaultshader, ...)"
        "Returns a number for a shader, the same for the same name. Shaders are not drawn."
        => models::shaderforname;
    244 rotatevectorsbytag "vector(entity ent, float tagnum)"
        "Rotates v_forward, v_right and v_up by a tag, and returns the entity's origin plus the tag's offset \
        along the axes before the rotation."
        => tags::rotatevectorsbytag;
    300 clearscene "void()"
        "Removes all entities and view properties from the scene."
        => scene::clearscene;
    301 addentities "void(float mask)"
        "Adds every entity whose drawmask has a bit of mask to the scene, after a call of its predraw. An entity whose \
        predraw returns a number other than 0 is not added; DarkPlaces adds it."
        => scene::addentities;
    302 addentity "void(entity ent)"
        "Adds an entity to the scene, as it is now."
        => scene::addentity;
    303 setproperty "float(float property, ...)"
        "Sets a view property by its VF_ number. Returns 1 if there is such a property, else 0."
        => scene::setproperty;
    304 renderscene "void()"
        "Counts the scene as rendered. The host draws it."
        => scene::renderscene;
    309 getproperty "__variant(float property)"
        "Returns a view property, 0 if it was not set."
        => scene::getproperty;
    333 setmodelindex "void(entity ent, float mdlindex)"
        "Sets model and modelindex of an entity to a model that was loaded, or to none."
        => models::setmodelindex;
    334 modelnameforindex "string(float mdlindex)"
        "Returns the name of a model, \"\" if there is none."
        => models::modelnameforindex;
    376 setcustomskin "void(entity ent, string skinfilename, optional string skindata)"
        "Does nothing. Skins are not drawn."
        => models::setcustomskin;
    434 getsurfacenumpoints "float(entity ent, float surface)"
        "Returns the number of points of a surface, a mesh of the entity's model."
        => surfaces::numpoints;
    435 getsurfacepoint "vector(entity ent, float surface, float point)"
        "Returns a point of a surface in the entity's pose, in world space."
        => surfaces::point;
    436 getsurfacenormal "vector(entity ent, float surface)"
        "Returns the normal of a surface's first triangle in the entity's pose, in world space."
        => surfaces::normal;
    437 getsurfacetexture "string(entity ent, float surface)"
        "Returns the material of a surface."
        => surfaces::texture;
    438 getsurfacenearpoint "float(entity ent, vector place)"
        "Returns the surface that is nearest to a place in world space, -1 if there is none."
        => surfaces::nearpoint;
    439 getsurfaceclippedpoint "vector(entity ent, float surface, vector place)"
        "Returns the point of a surface that is nearest to a place in world space, and the place itself if there \
        is no surface."
        => surfaces::clippedpoint;
    443 setattachment "void(entity ent, entity tagentity, string tagname)"
        "Attaches an entity to a tag of another entity."
        => tags::setattachment;
    486 getsurfacepointattribute "vector(entity ent, float surface, float point, float attribute)"
        "Returns an attribute of a point: 0 its position and 3 its normal in the entity's pose, in world space, 4 \
        its texture coordinates, 6 its colour."
        => surfaces::pointattribute;
    628 getsurfacenumtriangles "float(entity ent, float surface)"
        "Returns the number of triangles of a surface."
        => surfaces::numtriangles;
    629 getsurfacetriangle "vector(entity ent, float surface, float triangle)"
        "Returns the numbers of a triangle's points."
        => surfaces::triangle;
}
}
