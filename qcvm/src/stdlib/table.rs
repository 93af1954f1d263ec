//! The table of builtins.

use super::{StdBuiltin, entities, math, print, strings, vectors};

macro_rules! table {
    ($($number:literal $name:ident $signature:literal $doc:literal => $function:path;)*) => {
        /// All builtins of the standard library, by number.
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
        "Returns the vector of length 1 in the direction of v, zero for the zero vector."
        => vectors::normalize;
    10 error "void(string text, ...)"
        "Ends the script with a message."
        => print::error;
    12 vlen "float(vector v)"
        "Returns the length of a vector."
        => vectors::vlen;
    13 vectoyaw "float(vector v)"
        "Returns a direction's yaw in whole degrees from 0 to 360."
        => vectors::vectoyaw;
    14 spawn "entity()"
        "Returns a new entity with all fields 0."
        => entities::spawn;
    15 remove "void(entity ent)"
        "Removes an entity. Objects of the host, such as its skeletal object, stay."
        => entities::remove;
    18 find "entity(entity start, .string field, string match)"
        "Returns the first entity after start whose field equals match, the world if there is none."
        => entities::find;
    25 dprint "void(string text, ...)"
        "Prints the texts, one after the other."
        => print::print;
    26 ftos "string(float value)"
        "Returns a number as text: whole numbers without a point, others with all their digits."
        => strings::ftos;
    27 vtos "string(vector value)"
        "Returns a vector as text in single quotes, with six decimals."
        => strings::vtos;
    36 rint "float(float value)"
        "Returns the nearest whole number; halves are rounded away from 0."
        => math::rint;
    37 floor "float(float value)"
        "Returns the largest whole number not above value."
        => math::floor;
    38 ceil "float(float value)"
        "Returns the smallest whole number not below value."
        => math::ceil;
    43 fabs "float(float value)"
        "Returns the absolute value."
        => math::fabs;
    47 nextent "entity(entity ent)"
        "Returns the next entity, the world after the last one."
        => entities::nextent;
    51 vectoangles "vector(vector fwd, optional vector up)"
        "Returns pitch, yaw and, with up, roll of a direction in degrees from 0 to 360, as the angles of an entity that \
    shows a mesh. makevectors takes the opposite pitch."
        => vectors::vectoangles;
    60 sin "float(float angle)"
        "Returns the sine of an angle in radians."
        => math::sin;
    61 cos "float(float angle)"
        "Returns the cosine of an angle in radians."
        => math::cos;
    62 sqrt "float(float value)"
        "Returns the square root, 0 for negative numbers."
        => math::sqrt;
    65 etos "string(entity ent)"
        "Returns the word entity and the entity's number."
        => strings::etos;
    81 stof "float(string text)"
        "Returns the number at the start of a text, 0 if there is none."
        => strings::stof;
    91 randomvec "vector()"
        "Returns a random vector of length below 1."
        => vectors::randomvec;
    94 min "float(float a, float b, ...)"
        "Returns the smallest argument."
        => math::min;
    95 max "float(float a, float b, ...)"
        "Returns the largest argument."
        => math::max;
    96 bound "float(float min, float value, float max)"
        "Returns value limited to the range from min to max."
        => math::bound;
    97 pow "float(float value, float exponent)"
        "Returns value to the power of exponent, 0 where that is undefined or too large."
        => math::pow;
    98 findfloat "entity(entity start, .float field, float match)"
        "Returns the first entity after start whose field equals match, the world if there is none."
        => entities::findfloat;
    99 checkextension "float(string name)"
        "Returns 1 if all of an extension, such as DP_QC_SINCOSSQRTPOW, is available, else 0."
        => print::checkextension;
    114 strlen "float(string text)"
        "Returns the length of a text in bytes."
        => strings::strlen;
    115 strcat "string(string text, ...)"
        "Returns the texts joined into one."
        => strings::strcat;
    116 substring "string(string text, float start, float length)"
        "Returns a part of a text. A negative start counts from the end. Length -1 is to the end, -2 to one byte before it."
        => strings::substring;
    117 stov "vector(string text)"
        "Returns the vector in a text, with or without single quotes."
        => strings::stov;
    339 print "void(string text, ...)"
        "Prints the texts, one after the other."
        => print::print;
    471 asin "float(float value)"
        "Returns the arc sine in radians, 0 outside -1 to 1."
        => math::asin;
    472 acos "float(float value)"
        "Returns the arc cosine in radians, 0 outside -1 to 1."
        => math::acos;
    473 atan "float(float value)"
        "Returns the arc tangent in radians."
        => math::atan;
    474 atan2 "float(float y, float x)"
        "Returns the angle of the direction (x, y) in radians."
        => math::atan2;
    475 tan "float(float angle)"
        "Returns the tangent of an angle in radians."
        => math::tan;
    627 sprintf "string(string format, ...)"
        "Returns a text formatted as by C's printf: d, i, u, x, X, o, c, s, e, f, g, and v for vectors. Numbers are floats, with i \
    or l integers. Positions such as 2$ are not supported."
        => strings::sprintf;
}
