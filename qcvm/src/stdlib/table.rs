//! The list of builtins.

use super::{StdBuiltin, entities, math, print, strings, vectors};

macro_rules! table {
    ($($number:literal $name:ident $signature:literal $doc:literal => $function:path;)*) => {
        /// Every builtin of the standard library, by number.
        pub static TABLE: &[StdBuiltin] = &[$(StdBuiltin {
            number: $number,
            name: stringify!($name),
            signature: $signature,
            doc: $doc,
            function: $function,
        },)*];
    };
}

table! {
    1 makevectors "void(vector angles)"
        "Sets v_forward, v_right and v_up to the axes of pitch, yaw and roll in degrees."
        => vectors::makevectors;
    2 setorigin "void(entity ent, vector org)"
        "Moves an entity."
        => entities::setorigin;
    7 random "float(optional float max, optional float max2)"
        "Returns a random number from 0 to below 1, from 0 to one number, or from the first to the second of two."
        => math::random;
    9 normalize "vector(vector v)"
        "Returns a vector of length 1 in the same direction, zero for zero."
        => vectors::normalize;
    10 error "void(string text, ...)"
        "Ends the script with a message."
        => print::error;
    12 vlen "float(vector v)"
        "Returns a vector's length."
        => vectors::vlen;
    13 vectoyaw "float(vector v)"
        "Returns a direction's yaw in whole degrees from 0 to 360."
        => vectors::vectoyaw;
    14 spawn "entity()"
        "Returns a new entity, all fields 0."
        => entities::spawn;
    15 remove "void(entity ent)"
        "Removes an entity. What the host keeps for it, such as a skeletal object, stays."
        => entities::remove;
    18 find "entity(entity start, .string field, string match)"
        "Returns the first entity after start whose field has this text, the world if there is none."
        => entities::find;
    25 dprint "void(string text, ...)"
        "Prints."
        => print::print;
    26 ftos "string(float value)"
        "Returns a number as text: whole ones without a point, others with as many digits as they have."
        => strings::ftos;
    27 vtos "string(vector value)"
        "Returns a vector as text in single quotes, with six decimals."
        => strings::vtos;
    36 rint "float(float value)"
        "Returns the nearest whole number; halves go away from 0."
        => math::rint;
    37 floor "float(float value)"
        "Returns the next whole number down."
        => math::floor;
    38 ceil "float(float value)"
        "Returns the next whole number up."
        => math::ceil;
    43 fabs "float(float value)"
        "Returns the value without its sign."
        => math::fabs;
    47 nextent "entity(entity ent)"
        "Returns the next entity, the world after the last."
        => entities::nextent;
    51 vectoangles "vector(vector fwd, optional vector up)"
        "Returns pitch, yaw and, with up, roll of a direction in degrees from 0 to 360. They are those of an entity that \
    shows a mesh: for makevectors the pitch is the other way round."
        => vectors::vectoangles;
    60 sin "float(float angle)"
        "Returns the sine of an angle in radians."
        => math::sin;
    61 cos "float(float angle)"
        "Returns the cosine of an angle in radians."
        => math::cos;
    62 sqrt "float(float value)"
        "Returns the square root, 0 of negative numbers."
        => math::sqrt;
    65 etos "string(entity ent)"
        "Returns entity and its number."
        => strings::etos;
    81 stof "float(string text)"
        "Returns the number that a text begins with, 0 if there is none."
        => strings::stof;
    91 randomvec "vector()"
        "Returns a random vector, shorter than 1."
        => vectors::randomvec;
    94 min "float(float a, float b, ...)"
        "Returns the smallest."
        => math::min;
    95 max "float(float a, float b, ...)"
        "Returns the largest."
        => math::max;
    96 bound "float(float min, float value, float max)"
        "Returns value, at least min and at most max."
        => math::bound;
    97 pow "float(float value, float exponent)"
        "Returns a power, 0 where there is none."
        => math::pow;
    98 findfloat "entity(entity start, .float field, float match)"
        "Returns the first entity after start whose field has this value, the world if there is none."
        => entities::findfloat;
    99 checkextension "float(string name)"
        "Returns whether an extension is there as a whole, such as DP_QC_SINCOSSQRTPOW."
        => print::checkextension;
    114 strlen "float(string text)"
        "Returns how many bytes a text has."
        => strings::strlen;
    115 strcat "string(string text, ...)"
        "Returns all texts, one after the other."
        => strings::strcat;
    116 substring "string(string text, float start, float length)"
        "Returns part of a text. A negative start counts from the end, length -1 is to the end, -2 to one before."
        => strings::substring;
    117 stov "vector(string text)"
        "Returns the vector that a text has, with or without single quotes."
        => strings::stov;
    339 print "void(string text, ...)"
        "Prints."
        => print::print;
    471 asin "float(float value)"
        "Returns an angle in radians, 0 where there is none."
        => math::asin;
    472 acos "float(float value)"
        "Returns an angle in radians, 0 where there is none."
        => math::acos;
    473 atan "float(float value)"
        "Returns an angle in radians."
        => math::atan;
    474 atan2 "float(float y, float x)"
        "Returns a direction's angle in radians."
        => math::atan2;
    475 tan "float(float angle)"
        "Returns the tangent of an angle in radians."
        => math::tan;
    627 sprintf "string(string format, ...)"
        "Returns a text made as C's printf does: d, i, u, x, X, o, c, s, e, f, g, and v for vectors; numbers are floats, with i \
    or l integers. Positions such as 2$ are not known."
        => strings::sprintf;
}
