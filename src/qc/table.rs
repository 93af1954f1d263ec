//! The one list of builtins, and the only place that knows their numbers.

use super::Host;
use super::builtins::{animation, edit, events, memory, models, objects, ragdoll, tags, trace};
use super::call::Call;
use crate::runtime::Runtime;

/// The subject of a builtin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Family {
    /// Skeletal objects.
    Objects,
    /// Their bones.
    Bones,
    /// Places on entities.
    Tags,
    /// Animations and skins of models.
    Models,
    /// Builtins that every Quake engine has; here for machines that stand alone, left out of the header. Those that need
    /// only a machine are in the standard library of `skelobj-qcvm`.
    Engine,
}

/// A builtin: everything about it that is not code.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct Builtin {
    /// Number of the builtin; 0 for builtins that are bound by name alone.
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
    /// The builtin with this number. 0 is none: those builtins have names.
    #[must_use]
    pub fn by_number(number: u32) -> Option<&'static Self> {
        TABLE.iter().find(|builtin| builtin.number == number && number != 0)
    }

    /// The builtin with this name or alias; case matters.
    #[must_use]
    pub fn by_name(name: &[u8]) -> Option<&'static Self> {
        TABLE.iter().find(|builtin| {
            builtin.name.as_bytes() == name || builtin.aliases.iter().any(|alias| alias.as_bytes() == name)
        })
    }

    /// Runs it with the call that `host` is in.
    ///
    /// No arguments can make it fail: what is wrong with them is printed, and the result says nothing was done.
    #[inline(always)]
    pub fn call(&self, runtime: &mut Runtime, host: &mut (impl Host + ?Sized)) {
        let mut call = Call { runtime, host, builtin: self };
        self.operation.function()(&mut call);
        if call.runtime.has_warnings() {
            call.print_warnings();
        }
    }
}

/// The extensions that the builtins of [`TABLE`] provide as a whole: for an engine's checkextension.
pub const EXTENSIONS: &[&str] =
    &["DP_QC_GETTAGINFO", "FTE_CSQC_BASEFRAME", "FTE_CSQC_HALFLIFE_MODELS", "FTE_CSQC_SKELETONOBJECTS"];

macro_rules! table {
    ($($family:ident { $($number:literal $name:ident $([$($alias:ident)*])? $signature:literal $doc:literal => $function:path;)* })*) => {
        /// Every builtin, in the order in which the reference shows them.
        pub const TABLE: &[Builtin] = &[$($(Builtin {
            number: $number,
            name: stringify!($name),
            aliases: &[$($(stringify!($alias),)*)?],
            signature: $signature,
            doc: $doc,
            family: Family::$family,
            operation: Operation::$name,
        },)*)*];

        /// The operations of the builtins.
        #[derive(Clone, Copy)]
        #[allow(non_camel_case_types)]
        enum Operation {
            $($($name,)*)*
        }

        impl Operation {
            /// Compiled for each host, so that its arguments are as near as those of a function.
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
        instead of their parents. Every object must be deleted again; removing an entity does not."
        => objects::create;
    264 skel_build "float(float skel, entity ent, float modelindex, float retainfrac, float firstbone, float lastbone, optional float addfrac)"
        "Mixes the pose that the entity's frame fields select in a model into the bones: old * retainfrac + new * addfrac, \
        addfrac being 1 - retainfrac unless given. Bones count from 1; firstbone 0 is 1; lastbone is the first one left \
        alone, 0 or less means to the end (DarkPlaces: it is the last one built, 0 means none). Skel 0 makes an object. An \
        object in model space must be built whole with retainfrac 0 and becomes relative. Returns the handle, 0 if \
        nothing was built."
        => objects::build;
    0 skel_build_ptr "float(float skel, int numblends, void *weights, int structsize)"
        "Builds from structures in memory, one after the other: model, reserved, first and last bone (int), prescale, four \
        weights (float), four animations (int), four times, two sub-blends, five controllers (float). prescale is the \
        retained fraction, the weights are used as they are. Returns the handle, 0 if something was wrong."
        => memory::build_ptr;
    265 skel_get_numbones "float(float skel)"
        "Returns how many bones there are; they are numbered 1 to that. 0 for a bad handle."
        => objects::get_numbones;
    266 skel_get_bonename "string(float skel, float bonenum)"
        "Returns a bone's name, \"\" if there is no such bone."
        => objects::get_bonename;
    267 skel_get_boneparent "float(float skel, float bonenum)"
        "Returns the number of the bone that a bone hangs on, 0 for roots."
        => objects::get_boneparent;
    268 skel_find_bone "float(float skel, string tagname)"
        "Returns the number of the first bone of that name, 0 if there is none. Case matters (not in DarkPlaces)."
        => objects::find_bone;
    274 skel_copybones "void(float skeldst, float skelsrc, float startbone, float entbone)"
        "Copies bones from one object to another, ranges as in skel_build. Between an object that is relative and one in \
        model space the matrices are converted."
        => objects::copybones;
    275 skel_delete "void(float skel)"
        "Deletes an object at the end of the frame: until then every builtin still reaches it."
        => objects::delete;
    282 skel_mmap "float*(float skel)"
        "Returns a pointer to the bones, 12 floats each from bone 1 on: fwd_x, lft_x, up_x, org_x, fwd_y, lft_y, up_y, \
        org_y, fwd_z, lft_z, up_z, org_z. It is valid as long as the object; what is written counts from the next call on."
        => memory::mmap;
    281 skel_ragupdate "float(entity skelent, string dollcommand, float animskel)"
        "Commands the ragdoll of the entity's object and updates its bones, which become relative to the entity. Commands: \
        doll FILE, dollstring TEXT, cleardoll, animate STRENGTH, animatebody BODY STRENGTH, enablejoint JOINT TRUTH, or \
        nothing. Bones without bodies take their pose from animskel, a relative object, else from what was built since the \
        last update, else from the bind pose. Returns 1 for success (animatebody: the number of animated bodies), else 0."
        => ragdoll::ragupdate;
    0 skel_ragimpulse "float(entity skelent, float bonenum, vector point, vector impulse)"
        "Hits the ragdoll of the entity's object with an impulse, mass * units a second, at a point in the world: \
        the body that drives a bone or the nearest of its parents, with bonenum 0 the nearest body. Animated bodies \
        flinch and recover. Returns 1 if there was one, else 0. An addition of skelobj's."
        => ragdoll::ragimpulse;
    0 skel_trace "float(entity skelent, vector start, vector end, __out float bonenum, __out float fraction)"
        "Traces a line through the entity's object as it is posed: the bodies of its ragdoll, else its model's hit \
        boxes, else its skin; with world, or an entity without skeletonindex, through all ragdolls. Returns the \
        object's handle and the bone's number, 0 if nothing was hit; fraction is how far the line got. Where the \
        engine is skelobj's own machine the trace_ globals are set too. An addition of skelobj's."
        => ragdoll::trace;
}
Bones {
    269 skel_get_bonerel "vector(float skel, float bonenum)"
        "Returns a bone's origin relative to its parent, its axes in v_forward, v_right and v_up."
        => objects::get_bonerel;
    270 skel_get_boneabs "vector(float skel, float bonenum)"
        "Returns a bone's origin relative to the entity, its axes in v_forward, v_right and v_up."
        => objects::get_boneabs;
    271 skel_set_bone "void(float skel, float bonenum, vector org, optional vector fwd, optional vector right, optional vector up)"
        "Replaces a bone's transform relative to its parent. The globals v_forward, v_right and v_up are used unless all \
        three vectors are given."
        => edit::set_bone;
    272 skel_mul_bone [skel_premul_bone] "void(float skel, float bonenum, vector org, optional vector fwd, optional vector right, optional vector up)"
        "Moves and turns a bone, with its offset, about its parent's origin: bone = given * bone. Vectors as in \
        skel_set_bone."
        => edit::mul_bone;
    273 skel_mul_bones [skel_premul_bones] "void(float skel, float startbone, float endbone, vector org, optional vector fwd, optional vector right, optional vector up)"
        "The same for each of a range of bones, as in skel_build; a negative startbone does nothing."
        => edit::mul_bones;
    0 skel_postmul_bone "void(float skel, float bonenum, vector org, optional vector fwd, optional vector right, optional vector up)"
        "Turns a bone in its own place: bone = bone * given. Vectors as in skel_set_bone."
        => edit::postmul_bone;
    283 skel_set_bone_world "void(entity ent, float bonenum, vector org, optional vector angorfwd, optional vector right, optional vector up)"
        "Puts a bone of the entity's object to a place in the world, turned by angles (four arguments), three axes (six), or \
        the globals v_forward, v_right and v_up."
        => edit::set_bone_world;
}
Tags {
    451 gettagindex "float(entity ent, string tagname)"
        "Returns the number of a tag of the entity's model, 0 if there is none. Bones are tags."
        => tags::gettagindex;
    452 gettaginfo "vector(entity ent, float tagindex)"
        "Returns where a tag is in the world, its axes in v_forward, v_right and v_up. The entity's object takes \
        precedence over its frame fields. Through tag_entity and tag_index of up to ten entities. Without such a tag, the entity's own place."
        => tags::gettaginfo;
}
Models {
    276 frameforname "float(float modlindex, string framename)"
        "Returns the number of the first animation of that name, -1 if there is none."
        => animation::frameforname;
    284 frametoname "string(float modlindex, float framenum)"
        "Returns the name of an animation, \"\" if there is none."
        => animation::frametoname;
    277 frameduration "float(float modlindex, float framenum)"
        "Returns how many seconds an animation lasts, 0 if there is none."
        => animation::frameduration;
    0 modelframecount "float(float modlindex)"
        "Returns how many animations a model has."
        => animation::modelframecount;
    0 frameforaction "float(float modlindex, int actionid)"
        "Returns one of the animations of an action, at random by their weights, -1 if there is none."
        => animation::frameforaction;
    0 processmodelevents "void(float modlindex, float framenum, __inout float basetime, float targettime, void(float timestamp, int code, string data) callback)"
        "Calls a function for every event of an animation after basetime and until targettime, and sets basetime to \
        targettime. The calls are made when the builtin is done."
        => events::processmodelevents;
    0 getnextmodelevent "float(float modlindex, float framenum, __inout float basetime, float targettime, __out int code, __out string data)"
        "Returns whether an animation has an event after basetime and until targettime; basetime becomes its moment, or \
        targettime. Of events at the same moment only the first is found."
        => events::getnextmodelevent;
    0 getmodeleventidx "float(float modlindex, float framenum, int eventidx, __out float timestamp, __out int code, __out string data)"
        "Returns whether an animation has an event of that number, from 0; loops are not followed."
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
        "Sets model and modelindex; the model is read if it is new."
        => models::setmodel;
    16 traceline "void(vector start, vector end, float nomonsters, entity forent)"
        "Sets trace_fraction, trace_endpos, trace_plane_normal, trace_plane_dist and trace_startsolid to what of the physics \
        level is first on the way from start to end. Entities and dolls are not in the way."
        => trace::traceline;
    20 precache_model "string(string modelname)"
        "Reads a model and returns its name."
        => models::precache_model;
    200 getmodelindex "float(string modelname)"
        "Returns a model's index; the model is read if it is new."
        => models::getmodelindex;
    443 setattachment "void(entity ent, entity tagentity, string tagname)"
        "Attaches an entity to a tag of another one."
        => tags::setattachment;
}
}
