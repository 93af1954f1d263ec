//! The table of builtins.

use super::{StdBuiltin, compare, cvars, entities, math, messages, print, strings, tokens, vectors};

macro_rules! table {
    ($($number:literal $name:ident $([$($alias:ident)*])? $signature:literal $doc:literal => $function:path;)*) => {
        /// All builtins of the standard library, by number.
        pub static TABLE: &[StdBuiltin] = &[$(StdBuiltin {
            number: $number,
            name: stringify!($name),
            aliases: &[$($(stringify!($alias),)*)?],
            signature: $signature,
            doc: $doc,
            function: $function,
        },)*];
    };
}

table! {
    0 argc "float()"
        "Returns the number of tokens."
        => tokens::argc;
    0 ftoi "int(float value)"
        "Returns a number as an integer, truncated toward zero."
        => compare::ftoi;
    0 itof "float(int value, optional float shift, optional float count)"
        "Returns an integer as a number; with shift, the count (default 24) bits from bit shift on."
        => compare::itof;
    1 makevectors "void(vector angles)"
        "Sets v_forward, v_right and v_up to the axes of pitch, yaw and roll in degrees."
        => vectors::makevectors;
    2 setorigin "void(entity ent, vector org)"
        "Moves an entity."
        => entities::setorigin;
    4 setsize "void(entity ent, vector min, vector max)"
        "Sets mins, maxs and size of an entity."
        => entities::setsize;
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
    45 cvar "float(string cvarname)"
        "Returns the number that a console variable starts with, 0 if there is none."
        => cvars::cvar;
    47 nextent "entity(entity ent)"
        "Returns the next entity, the world after the last one."
        => entities::nextent;
    51 vectoangles "vector(vector fwd, optional vector up)"
        "Returns pitch, yaw and, with up, roll of a direction in degrees from 0 to 360, as the angles of an entity that \
    shows a mesh. makevectors takes the opposite pitch."
        => vectors::vectoangles;
    52 WriteByte "void(float to, float val)"
        "Writes 8 bits to a message, which the host logs."
        => messages::byte;
    53 WriteChar "void(float to, float val)"
        "Writes 8 bits with a sign to a message."
        => messages::char;
    54 WriteShort "void(float to, float val)"
        "Writes 16 bits with a sign to a message."
        => messages::short;
    55 WriteLong "void(float to, float val)"
        "Writes 32 bits with a sign to a message."
        => messages::long;
    56 WriteCoord "void(float to, float val)"
        "Writes a coordinate to a message."
        => messages::coord;
    57 WriteAngle "void(float to, float val)"
        "Writes an angle in degrees to a message."
        => messages::angle;
    58 WriteString "void(float to, string val)"
        "Writes a text to a message."
        => messages::string;
    59 WriteEntity "void(float to, entity val)"
        "Writes the number of an entity to a message."
        => messages::entity;
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
    72 cvar_set "void(string cvarname, string value)"
        "Sets a console variable, and creates it if it does not exist."
        => cvars::cvar_set;
    81 stof "float(string text)"
        "Returns the number at the start of a text, 0 if there is none."
        => strings::stof;
    91 randomvec "vector()"
        "Returns a random vector of length below 1."
        => vectors::randomvec;
    93 registercvar "float(string cvarname, string value, optional float flags)"
        "Creates a console variable and returns 1, or 0 if it exists. The flags are ignored."
        => cvars::registercvar;
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
    118 strzone "string(string text, ...)"
        "Returns the texts joined into one. Like every text it lives until nothing refers to it."
        => strings::strcat;
    119 strunzone "void(string text)"
        "Does nothing: texts live until nothing refers to them."
        => strings::strunzone;
    176 cvar_setf "void(string cvarname, float value)"
        "Sets a console variable to a number."
        => cvars::cvar_setf;
    218 bitshift "float(float number, float quantity)"
        "Shifts the bits of a whole number to the left, or to the right for a negative quantity."
        => math::bitshift;
    221 strstrofs "float(string text, string sub, optional float start)"
        "Returns the offset of the first sub in a text from start on, -1 if there is none."
        => compare::strstrofs;
    222 str2chr "float(string text, optional float index)"
        "Returns the byte at an offset of a text, 0 outside. Negative offsets count from the end."
        => compare::str2chr;
    223 chr2str "string(float chr, ...)"
        "Returns the text of some bytes."
        => compare::chr2str;
    228 strncmp [strcmp] "float(string a, string b, optional float len, optional float aofs, optional float bofs)"
        "Returns -1, 0 or 1 as a comes before b, equals b or comes after b. With len, at most that many bytes are \
        compared, from the offsets on."
        => compare::strncmp;
    229 strcasecmp "float(string a, string b)"
        "Compares as strncmp does, but ignores the case of ASCII letters."
        => compare::strncasecmp;
    230 strncasecmp "float(string a, string b, float len, optional float aofs, optional float bofs)"
        "Compares as strncmp does, but ignores the case of ASCII letters."
        => compare::strncasecmp;
    245 mod "float(float dividend, float divisor)"
        "Returns the remainder of a division, with the sign of the dividend; 0 for a division by 0."
        => math::modulo;
    259 stoi "int(string text)"
        "Returns the decimal integer at the start of a text, 0 if there is none."
        => compare::stoi;
    260 itos "string(int value)"
        "Returns an integer as text."
        => compare::itos;
    280 WriteFloat "void(float to, float val)"
        "Writes a float to a message."
        => messages::float;
    339 print "void(string text, ...)"
        "Prints the texts, one after the other."
        => print::print;
    353 wasfreed "float(entity ent)"
        "Returns 1 if an entity was removed and its number is not in use again, else 0."
        => entities::wasfreed;
    441 tokenize "float(string text)"
        "Splits a text at white space and returns the number of tokens, for argv. Quoted texts, brackets and the \
        characters ':,; are tokens. Two slashes begin a comment."
        => tokens::tokenize;
    442 argv "string(float index)"
        "Returns a token of the last text that was split. Negative numbers count from the end."
        => tokens::argv;
    448 cvar_string "string(string cvarname)"
        "Returns the value of a console variable, \"\" if there is none."
        => cvars::cvar_string;
    459 edict_num "entity(float entnum)"
        "Returns the entity with a number, the world if there is none."
        => entities::edict_num;
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
    479 tokenizebyseparator "float(string text, string separator, ...)"
        "Splits a text at every separator and returns the number of tokens, which may be empty."
        => tokens::tokenizebyseparator;
    480 strtolower "string(string text)"
        "Returns a text with ASCII letters in lower case."
        => compare::strtolower;
    481 strtoupper "string(string text)"
        "Returns a text with ASCII letters in upper case."
        => compare::strtoupper;
    482 cvar_defstring "string(string cvarname)"
        "Returns the value that a console variable was created with."
        => cvars::cvar_defstring;
    495 cvar_type "float(string cvarname)"
        "Returns 1 if a console variable exists, else 0."
        => cvars::cvar_type;
    512 num_for_edict "float(entity ent)"
        "Returns the number of an entity."
        => entities::num_for_edict;
    514 tokenize_console "float(string text)"
        "Splits a text as the console does: at white space, with quoted texts and comments."
        => tokens::tokenize_console;
    515 argv_start_index "float(float index)"
        "Returns the offset at which a token begins, -1 if there is no such token."
        => tokens::argv_start_index;
    516 argv_end_index "float(float index)"
        "Returns the offset behind a token, -1 if there is no such token."
        => tokens::argv_end_index;
    627 sprintf "string(string format, ...)"
        "Returns a text formatted as by C's printf: d, i, u, x, X, o, c, s, e, f, g, and v for vectors. Numbers are floats, \
        with i or l integers. A position such as 2$ selects an argument."
        => strings::sprintf;
}
