//! The table of builtins.

use super::{
    StdBuiltin, buffers, compare, cvars, digest, engine, entities, files, hashes, incoming, math, memory, messages,
    print, replace, strings, tokens, vectors,
};

/// Returns the number of parameters of a signature that are not optional, 0 if there may be any number of others.
const fn required(signature: &str) -> u8 {
    let bytes = signature.as_bytes();
    let (mut at, mut count, mut is_optional) = (0, 0, false);
    while at < bytes.len() {
        match bytes[at] {
            b'.' if at + 1 < bytes.len() && bytes[at + 1] == b'.' => return 0,
            b'(' if at + 1 < bytes.len() && bytes[at + 1] != b')' => count = 1,
            b',' if !is_optional => count += 1,
            _ => {}
        }
        // The comma before the first optional parameter was counted.
        if !is_optional && matches!(bytes[at], b' ' | b'(') && begins_optional(bytes, at + 1) {
            is_optional = true;
            count -= 1;
        }
        at += 1;
    }
    count
}

/// Returns `true` if the word `optional` begins at a byte.
const fn begins_optional(bytes: &[u8], at: usize) -> bool {
    let word = b"optional ";
    let mut same = 0;
    while same < word.len() && at + same < bytes.len() && bytes[at + same] == word[same] {
        same += 1;
    }
    same == word.len()
}

macro_rules! table {
    ($($number:literal $name:ident $([$($alias:ident)*])? $signature:literal $doc:literal => $function:path;)*) => {
        /// All builtins of the standard library, by number.
        pub static TABLE: &[StdBuiltin] = &[$(StdBuiltin {
            number: $number,
            name: stringify!($name),
            aliases: &[$($(stringify!($alias),)*)?],
            signature: $signature,
            doc: $doc,
            required: required($signature),
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
    0 memcmp "int(void *first, void *second, int size, optional int firstoffset, optional int secondoffset)"
        "Compares bytes. Returns -1, 0 or 1 as the first come before the second, equal them or come after them."
        => memory::memcmp;
    0 memrealloc "void*(void *ptr, int size)"
        "Returns a new block with the contents of an old one, which is freed, and zeros behind them."
        => memory::memrealloc;
    0 memstrsize "float(string text)"
        "Returns the length of a text in bytes."
        => memory::memstrsize;
    0 fread "int(float fhandle, void *ptr, int size, optional int offset)"
        "Reads bytes of an open file to an address. Returns their number, which is smaller at the end of the file."
        => files::fread;
    0 fwrite "int(float fhandle, void *ptr, int size, optional int offset)"
        "Writes bytes from an address to an open file. Returns their number."
        => files::fwrite;
    0 fseek "int(float fhandle, optional int newoffset)"
        "Returns the place in an open file, in bytes, and moves it, at most to the end."
        => files::fseek;
    0 fsize "int(float fhandle, optional int newsize)"
        "Returns the size of an open file in bytes, and changes that of a file that is written."
        => files::fsize;
    0 serverkeyfloat "float(string key, optional float assumevalue)"
        "Returns assumevalue. There is no server whose keys could be asked for."
        => engine::serverkeyfloat;
    0 checkbuiltin "float(__variant funcref)"
        "Returns 1 if a function exists, and for a builtin if it is known, else 0."
        => engine::checkbuiltin;
    0 getplayerkeyfloat "float(float playernum, string keyname, optional float assumevalue)"
        "Returns assumevalue. There are no keys of players."
        => engine::getplayerkeyfloat;
    0 WriteInt "void(float buf, int fl)"
        "Writes an integer to a message."
        => messages::int;
    0 readint "int()"
        "Returns the next 32 bits of the message as an integer, -1 past its end."
        => incoming::int;
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
    8 sound "void(entity ent, float channel, string sample, float volume, float attenuation, ...)"
        "Does nothing. Sounds are not played."
        => engine::nothing;
    9 normalize "vector(vector v)"
        "Returns the vector of length 1 in the direction of v, zero for the zero vector."
        => vectors::normalize;
    10 error "void(string text, ...)"
        "Ends the script with a message."
        => print::error;
    11 objerror "void(string text, ...)"
        "Prints the texts with self and its class, and removes self. The script goes on, as in FTE."
        => entities::objerror;
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
    17 checkclient "entity()"
        "Returns the player, entity 1, if its flags have bit 8 and not bit 128 and its health is above 0, else the \
        world. It need not be in sight."
        => entities::checkclient;
    18 find "entity(entity start, .string field, string match)"
        "Returns the first entity after start whose field equals match, the world if there is none."
        => entities::find;
    21 stuffcmd "void(entity client, string command, ...)"
        "Does nothing. There are no clients."
        => engine::nothing;
    22 findradius "entity(vector org, float rad)"
        "Returns the first of the entities whose solid is not 0 and whose middle is within a distance; each leads to \
        the next through its field chain."
        => entities::findradius;
    23 bprint [ex_bprint] "void(string text, ...)"
        "Prints the texts, one after the other. In QuakeWorld's code (checksum 54730) a level comes before them."
        => engine::print_to_all;
    24 sprint [ex_sprint] "void(entity client, string text, ...)"
        "Prints the texts, one after the other. In QuakeWorld's code a level comes before them."
        => engine::print_to;
    25 dprint "void(string text, ...)"
        "Prints the texts, one after the other."
        => print::print;
    26 ftos "string(float value)"
        "Returns a number as text: whole numbers without a point, others with all their digits."
        => strings::ftos;
    27 vtos "string(vector value)"
        "Returns a vector as text in single quotes, with six decimals."
        => strings::vtos;
    31 eprint "void(entity ent)"
        "Prints the number of an entity, and its fields that are not 0."
        => entities::eprint;
    35 lightstyle "void(float style, string text, ...)"
        "Does nothing. Lights are not drawn."
        => engine::nothing;
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
    44 aim "vector(entity ent, float missilespeed)"
        "Returns v_forward. Nothing is aimed at."
        => vectors::aim;
    45 cvar "float(string cvarname)"
        "Returns the number that a console variable starts with, 0 if there is none."
        => cvars::cvar;
    46 localcmd "void(string command, ...)"
        "Does nothing. There is no console."
        => engine::nothing;
    47 nextent "entity(entity ent)"
        "Returns the next entity, the world after the last one."
        => entities::nextent;
    48 particle "void(vector pos, vector dir, float colour, float count)"
        "Does nothing. Particles are not drawn."
        => engine::nothing;
    49 ChangeYaw [changeyaw] "void()"
        "Turns self to ideal_yaw by at most yaw_speed degrees."
        => entities::changeyaw;
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
    69 makestatic "void(entity ent)"
        "Removes an entity. What engines keep of it, a model that never changes, is not drawn."
        => entities::remove;
    70 changelevel "void(string mapname, optional string newmapstartspot)"
        "Tells the host that the level is to change. The script goes on until the host ends it."
        => engine::changelevel;
    72 cvar_set "void(string cvarname, string value)"
        "Sets a console variable, and creates it if it does not exist."
        => cvars::cvar_set;
    73 centerprint [ex_centerprint] "void(entity client, string text, ...)"
        "Prints the texts, one after the other, and a line end."
        => engine::print_centre;
    74 ambientsound "void(vector pos, string sample, float volume, float attenuation)"
        "Does nothing. Sounds are not played."
        => engine::nothing;
    78 setspawnparms "void(entity client)"
        "Does nothing. The globals parm1 to parm16 keep their values."
        => engine::nothing;
    79 logfrag "void(entity killer, entity killee)"
        "Does nothing. There is no log of frags."
        => engine::nothing;
    80 infokey "string(entity client, string key)"
        "Returns \"\". There are no keys of clients or of a server."
        => engine::serverkey;
    81 stof "float(string text)"
        "Returns the number at the start of a text, 0 if there is none."
        => strings::stof;
    82 multicast "void(vector where, float set)"
        "Does nothing. Messages go to the host's log."
        => engine::nothing;
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
    102 anglemod "float(float value)"
        "Returns an angle in degrees from 0 to below 360."
        => math::wrapped;
    110 fopen "float(string filename, float mode)"
        "Opens a file of the host: mode 0 reads lines, 1 appends, 2 writes, 4 reads the whole file. Returns a number, -1 if \
        there is no such file or the name leads out of its folder."
        => files::fopen;
    111 fclose "void(float fhandle)"
        "Closes a file. The host gets what was written."
        => files::fclose;
    112 fgets "string(float fhandle)"
        "Returns the next line of a file without its end, the null string after the last one."
        => files::fgets;
    113 fputs "void(float fhandle, string text, ...)"
        "Writes texts to a file, one after the other."
        => files::fputs;
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
    202 addprogs "float(string progsname)"
        "Returns -1. There is one progs."
        => engine::minus_one;
    203 externvalue "__variant(float prnum, string varname)"
        "Returns a global, or a function, by its name; 0 if there is none. prnum is 0 or -1: there is one progs."
        => engine::externvalue;
    204 externset "void(float prnum, __variant newval, string varname)"
        "Sets a global by its name. prnum is 0 or -1: there is one progs."
        => engine::externset;
    213 forceinfokey "void(entity player, string key, string value)"
        "Does nothing. There are no keys of clients."
        => engine::nothing;
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
    224 strconv "string(float ccase, float redalpha, float redchars, string text, ...)"
        "Returns the texts joined, in a case (1 lower, 2 upper) and with colours of letters and digits (1 white, \
        2 red, for digits 3 and 4 special ones, for letters 5 and 6 alternating)."
        => replace::strconv;
    225 strpad "string(float pad, string text, ...)"
        "Returns the texts joined and padded with spaces on the right, with a negative pad on the left."
        => replace::strpad;
    226 infoadd "string(string old, string key, string value, ...)"
        "Returns an infostring with a value under a key, or without the key for an empty value."
        => replace::infoadd;
    227 infoget "string(string info, string key)"
        "Returns the value of a key of an infostring, \"\" if there is none."
        => replace::infoget;
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
    232 clientstat [AddStat addstat SV_AddStat] "void(float num, float type, .__variant fld)"
        "Does nothing. There are no statistics of clients."
        => engine::nothing;
    233 globalstat "void(float num, float type, string name)"
        "Does nothing. There are no statistics of clients."
        => engine::nothing;
    245 mod "float(float dividend, float divisor)"
        "Returns the remainder of a division, with the sign of the dividend; 0 for a division by 0."
        => math::modulo;
    259 stoi "int(string text)"
        "Returns the decimal integer at the start of a text, 0 if there is none."
        => compare::stoi;
    260 itos "string(int value)"
        "Returns an integer as text."
        => compare::itos;
    261 stoh "int(string text)"
        "Returns the hexadecimal integer at the start of a text, with or without 0x, 0 if there is none."
        => compare::stoh;
    262 htos "string(int value)"
        "Returns an integer as text of eight hexadecimal digits."
        => compare::htos;
    280 WriteFloat "void(float to, float val)"
        "Writes a float to a message."
        => messages::float;
    287 hash_createtab "float(float tabsize, optional float defaulttype)"
        "Returns the number of a new table. The size is ignored. Values have the default type, 3 for vectors, if hash_add \
        states none. Table 0 always exists, for texts."
        => hashes::createtab;
    288 hash_destroytab "void(float table)"
        "Destroys a table. Table 0 becomes empty."
        => hashes::destroytab;
    289 hash_add "void(float table, string name, __variant value, optional float typeandflags)"
        "Adds a value under a name, and removes the last one of that name unless flag 512 is set without flag 256. Type 1 \
        is a text, which is copied."
        => hashes::add;
    290 hash_get "__variant(float table, string name, optional __variant deflt, optional float requiretype, optional float index)"
        "Returns the last value of a name, deflt if there is none. With requiretype, values of other types are passed, \
        with index as many values as it says."
        => hashes::get;
    291 hash_delete "__variant(float table, string name)"
        "Removes the last value of a name and returns it, 0 if there is none."
        => hashes::delete;
    292 hash_getkey "string(float table, float idx)"
        "Returns the name of a value by its place, from 0; \"\" after the last one. Removals change the places."
        => hashes::getkey;
    315 drawline "float(float width, vector pos1, vector pos2, vector rgb, float alpha, optional float drawflag)"
        "Does nothing. The screen is not drawn."
        => engine::nothing;
    316 iscachedpic "float(string name)"
        "Returns 0. Pictures are not drawn."
        => engine::nothing;
    317 precache_pic "string(string name, optional float flags)"
        "Returns the name. Pictures are not drawn."
        => engine::name;
    318 drawgetimagesize "vector(string picname)"
        "Returns the zero vector. Pictures are not drawn."
        => engine::nothing;
    319 freepic "void(string name)"
        "Does nothing. Pictures are not drawn."
        => engine::nothing;
    320 drawcharacter "float(vector position, float character, vector size, vector rgb, float alpha, optional float drawflag)"
        "Does nothing. The screen is not drawn."
        => engine::nothing;
    321 drawrawstring "float(vector position, string text, vector size, vector rgb, float alpha, optional float drawflag)"
        "Does nothing. The screen is not drawn."
        => engine::nothing;
    322 drawpic "float(vector position, string pic, vector size, vector rgb, float alpha, optional float drawflag)"
        "Does nothing. The screen is not drawn."
        => engine::nothing;
    323 drawfill "float(vector position, vector size, vector rgb, float alpha, optional float drawflag)"
        "Does nothing. The screen is not drawn."
        => engine::nothing;
    324 drawsetcliparea "void(float x, float y, float width, float height)"
        "Does nothing. The screen is not drawn."
        => engine::nothing;
    325 drawresetcliparea "void()"
        "Does nothing. The screen is not drawn."
        => engine::nothing;
    326 drawstring "float(vector position, string text, vector size, vector rgb, float alpha, optional float drawflag)"
        "Does nothing. The screen is not drawn."
        => engine::nothing;
    327 stringwidth "float(string text, float usecolours, optional vector fontsize)"
        "Returns the width of a text, 8 or fontsize_x for each byte."
        => engine::stringwidth;
    328 drawsubpic "void(vector pos, vector size, string pic, vector srcpos, vector srcsize, vector rgb, float alpha, optional float drawflag)"
        "Does nothing. The screen is not drawn."
        => engine::nothing;
    330 getstati "int(float stnum)"
        "Returns 0. There is no server that sends statistics."
        => engine::nothing;
    331 getstatf "float(float stnum, optional float firstbit, optional float bitcount)"
        "Returns 0. There is no server that sends statistics."
        => engine::nothing;
    332 getstats "string(float stnum)"
        "Returns \"\". There is no server that sends statistics."
        => engine::nothing;
    335 particleeffectnum "float(string effectname)"
        "Returns 0. Particles are not drawn."
        => engine::nothing;
    336 trailparticles "void(float effectnum, entity ent, vector start, vector end)"
        "Does nothing. Particles are not drawn."
        => engine::nothing;
    337 pointparticles "void(float effectnum, vector origin, optional vector dir, optional float count)"
        "Does nothing. Particles are not drawn."
        => engine::nothing;
    339 print "void(string text, ...)"
        "Prints the texts, one after the other."
        => print::print;
    348 getplayerkeyvalue "string(float playernum, string keyname)"
        "Returns \"\". There are no keys of players."
        => engine::serverkey;
    352 registercommand "void(string cmdname, optional string desc)"
        "Does nothing. There is no console."
        => engine::nothing;
    353 wasfreed "float(entity ent)"
        "Returns 1 if an entity was removed and its number is not in use again, else 0."
        => entities::wasfreed;
    354 serverkey "string(string key)"
        "Returns \"\". There is no server whose keys could be asked for."
        => engine::serverkey;
    355 getentitytoken "string(optional string resetstring)"
        "Returns the next token of the text of the map's entities, the null string behind the last one. With an \
        argument the next call begins at the first token."
        => tokens::getentitytoken;
    357 loadfont "float(string fontname, string fontmaps, string sizes, float slot, ...)"
        "Returns 0. The screen is not drawn."
        => engine::nothing;
    360 readbyte [ReadByte] "float()"
        "Returns the next 8 bits of the message that is being read, -1 past its end."
        => incoming::byte;
    361 readchar [ReadChar] "float()"
        "Returns the next 8 bits of the message, with a sign."
        => incoming::char;
    362 readshort [ReadShort] "float()"
        "Returns the next 16 bits of the message, with a sign."
        => incoming::short;
    363 readlong [ReadLong] "float()"
        "Returns the next 32 bits of the message, with a sign."
        => incoming::long;
    364 readcoord [ReadCoord] "float()"
        "Returns the next coordinate of the message."
        => incoming::coord;
    365 readangle [ReadAngle] "float()"
        "Returns the next angle of the message in degrees, from -180 to below 180."
        => incoming::angle;
    366 readstring [ReadString] "string()"
        "Returns the next text of the message, \"\" past its end."
        => incoming::string;
    367 readfloat [ReadFloat] "float()"
        "Returns the next float of the message."
        => incoming::float;
    368 readentitynum [ReadEntityNum] "float()"
        "Returns the next number of an entity of the message. It is a number of the server."
        => incoming::entity;
    384 memalloc "void*(int size)"
        "Returns the address of a new block of zeros, at least one word."
        => memory::memalloc;
    385 memfree "void(void *ptr)"
        "Frees a block. The null pointer is ignored."
        => memory::memfree;
    386 memcpy "void(void *dst, void *src, int size, optional int dstoffset, optional int srcoffset)"
        "Copies bytes, which may overlap."
        => memory::memcpy;
    387 memfill8 "void(void *dst, int val, int size, optional int offset)"
        "Sets bytes to a value."
        => memory::memfill8;
    388 memgetval "__variant(void *dst, float ofs)"
        "Returns the word at an address and an offset in bytes."
        => memory::memgetval;
    389 memsetval "void(void *dst, float ofs, __variant val)"
        "Sets the word at an address and an offset in bytes."
        => memory::memsetval;
    390 memptradd "void*(void *base, float ofs)"
        "Returns an address with an offset in bytes."
        => memory::memptradd;
    400 copyentity "entity(entity from, optional entity to)"
        "Copies all fields of an entity to another, or to a new one, and returns that."
        => entities::copyentity;
    402 findchain "entity(.string field, string match, optional .entity chainfield)"
        "Returns the first of the entities whose field equals match; each leads to the next through chain or \
        chainfield."
        => entities::findchain;
    403 findchainfloat "entity(.float fld, float match, optional .entity chainfield)"
        "Returns a chain as findchain does, of entities whose field equals match."
        => entities::findchainfloat;
    404 effect "void(vector org, string modelname, float startframe, float endframe, float framerate)"
        "Does nothing. Effects are not drawn."
        => engine::nothing;
    405 te_blood "void(vector org, vector dir, float count)"
        "Does nothing. Effects are not drawn."
        => engine::nothing;
    406 te_bloodshower "void(vector mincorner, vector maxcorner, float explosionspeed, float howmany)"
        "Does nothing. Effects are not drawn."
        => engine::nothing;
    407 te_explosionrgb "void(vector org, vector color)"
        "Does nothing. Effects are not drawn."
        => engine::nothing;
    408 te_particlecube "void(vector mincorner, vector maxcorner, vector vel, float howmany, float color, float gravityflag, float randomveljitter)"
        "Does nothing. Effects are not drawn."
        => engine::nothing;
    409 te_particlerain "void(vector mincorner, vector maxcorner, vector vel, float howmany, float color)"
        "Does nothing. Effects are not drawn."
        => engine::nothing;
    410 te_particlesnow "void(vector mincorner, vector maxcorner, vector vel, float howmany, float color)"
        "Does nothing. Effects are not drawn."
        => engine::nothing;
    411 te_spark "void(vector org, vector vel, float howmany)"
        "Does nothing. Effects are not drawn."
        => engine::nothing;
    412 te_gunshotquad "void(vector org)"
        "Does nothing. Effects are not drawn."
        => engine::nothing;
    413 te_spikequad "void(vector org)"
        "Does nothing. Effects are not drawn."
        => engine::nothing;
    414 te_superspikequad "void(vector org)"
        "Does nothing. Effects are not drawn."
        => engine::nothing;
    415 te_explosionquad "void(vector org)"
        "Does nothing. Effects are not drawn."
        => engine::nothing;
    416 te_smallflash "void(vector org)"
        "Does nothing. Effects are not drawn."
        => engine::nothing;
    417 te_customflash "void(vector org, float radius, float lifetime, vector color)"
        "Does nothing. Effects are not drawn."
        => engine::nothing;
    418 te_gunshot "void(vector org, optional float count)"
        "Does nothing. Effects are not drawn."
        => engine::nothing;
    419 te_spike "void(vector org)"
        "Does nothing. Effects are not drawn."
        => engine::nothing;
    420 te_superspike "void(vector org)"
        "Does nothing. Effects are not drawn."
        => engine::nothing;
    421 te_explosion "void(vector org)"
        "Does nothing. Effects are not drawn."
        => engine::nothing;
    422 te_tarexplosion "void(vector org)"
        "Does nothing. Effects are not drawn."
        => engine::nothing;
    423 te_wizspike "void(vector org)"
        "Does nothing. Effects are not drawn."
        => engine::nothing;
    424 te_knightspike "void(vector org)"
        "Does nothing. Effects are not drawn."
        => engine::nothing;
    425 te_lavasplash "void(vector org)"
        "Does nothing. Effects are not drawn."
        => engine::nothing;
    426 te_teleport "void(vector org)"
        "Does nothing. Effects are not drawn."
        => engine::nothing;
    427 te_explosion2 "void(vector org, float color, float colorlength)"
        "Does nothing. Effects are not drawn."
        => engine::nothing;
    428 te_lightning1 "void(entity own, vector start, vector end)"
        "Does nothing. Effects are not drawn."
        => engine::nothing;
    429 te_lightning2 "void(entity own, vector start, vector end)"
        "Does nothing. Effects are not drawn."
        => engine::nothing;
    430 te_lightning3 "void(entity own, vector start, vector end)"
        "Does nothing. Effects are not drawn."
        => engine::nothing;
    431 te_beam "void(entity own, vector start, vector end)"
        "Does nothing. Effects are not drawn."
        => engine::nothing;
    433 te_plasmaburn "void(vector org)"
        "Does nothing. Effects are not drawn."
        => engine::nothing;
    440 clientcommand "void(entity ent, string text)"
        "Does nothing. There are no clients."
        => engine::nothing;
    441 tokenize "float(string text)"
        "Splits a text at white space and returns the number of tokens, for argv. Quoted texts, brackets and the \
        characters ':,; are tokens. Two slashes begin a comment."
        => tokens::tokenize;
    442 argv "string(float index)"
        "Returns a token of the last text that was split. Negative numbers count from the end."
        => tokens::argv;
    444 search_begin "float(string pattern, float flags, float quiet, optional string package)"
        "Searches the names of the host's files for a pattern in which * and ? stand for any text and any byte but \
        slashes. Returns a number, -1 if nothing was found."
        => files::search_begin;
    445 search_end "void(float handle)"
        "Ends a search."
        => files::search_end;
    446 search_getsize "float(float handle)"
        "Returns the number of files that a search has found."
        => files::search_getsize;
    447 search_getfilename "string(float handle, float num)"
        "Returns the name of a file that a search has found, from 0; \"\" after the last one."
        => files::search_getfilename;
    448 cvar_string "string(string cvarname)"
        "Returns the value of a console variable, \"\" if there is none."
        => cvars::cvar_string;
    449 findflags "entity(entity start, .float fld, float match)"
        "Returns the first entity after start whose field has a bit of match, the world if there is none."
        => entities::findflags;
    450 findchainflags "entity(.float fld, float match, optional .entity chainfield)"
        "Returns a chain as findchain does, of entities whose field has a bit of match."
        => entities::findchainflags;
    455 clienttype "float(entity client)"
        "Returns 0. Entities are not clients."
        => engine::nothing;
    457 te_flamejet "void(vector org, vector vel, float howmany)"
        "Does nothing. Effects are not drawn."
        => engine::nothing;
    459 edict_num "entity(float entnum)"
        "Returns the entity with a number, the world if there is none."
        => entities::edict_num;
    460 buf_create "float(optional string type, optional float flags)"
        "Returns the number of a new buffer of texts, -1 for another type."
        => buffers::create;
    461 buf_del "void(float bufhandle)"
        "Destroys a buffer."
        => buffers::del;
    462 buf_getsize "float(float bufhandle)"
        "Returns the number of places in a buffer, -1 if there is no such buffer."
        => buffers::getsize;
    463 buf_copy "void(float bufhandle_from, float bufhandle_to)"
        "Replaces the texts of a buffer by those of another."
        => buffers::copy;
    464 buf_sort "void(float bufhandle, float sortprefixlen, float backward)"
        "Sorts the texts of a buffer, by their first bytes if sortprefixlen is above 0, and removes empty places."
        => buffers::sort;
    465 buf_implode "string(float bufhandle, string glue)"
        "Returns the texts of a buffer as one, with glue between them, without the empty ones at its beginning."
        => buffers::implode;
    466 bufstr_get "string(float bufhandle, float string_index)"
        "Returns a text of a buffer, \"\" if there is none."
        => buffers::get;
    467 bufstr_set "void(float bufhandle, float string_index, string str)"
        "Sets a text of a buffer. Places up to 1048576 exist."
        => buffers::set;
    468 bufstr_add "float(float bufhandle, string str, float ordered)"
        "Adds a text to a buffer, at its end if ordered is not 0, else at the first empty place. Returns the place, -1 if \
        there is none."
        => buffers::add;
    469 bufstr_free "void(float bufhandle, float string_index)"
        "Removes a text from a buffer and leaves its place empty."
        => buffers::free;
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
    476 strlennocol "float(string text)"
        "Returns the length of a text without colour codes such as ^1 and ^xf80; ^^ is one character."
        => compare::strlennocol;
    477 strdecolorize "string(string text)"
        "Returns a text without colour codes such as ^1 and ^xf80; ^^ stays."
        => compare::strdecolorize;
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
    484 strreplace "string(string search, string replace, string subject)"
        "Returns a text with every part that equals search replaced."
        => replace::strreplace;
    485 strireplace "string(string search, string replace, string subject)"
        "Replaces as strreplace does, but ignores the case of ASCII letters."
        => replace::strireplace;
    494 crc16 "float(float caseinsensitive, string text, ...)"
        "Returns the CRC of texts, one after the other: 16 bits, polynomial 0x1021, initial value 0xffff."
        => digest::crc;
    495 cvar_type "float(string cvarname)"
        "Returns 1 if a console variable exists, else 0."
        => cvars::cvar_type;
    503 whichpack "string(string filename, optional float flags)"
        "Returns the package of a file: \"\" for a file of the host, the null string if there is none."
        => files::whichpack;
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
    519 gettime "float(optional float timetype)"
        "Returns the time of the game in seconds."
        => engine::gettime;
    605 callfunction "void(...)"
        "Calls the function that the last argument names with the other arguments. Does nothing without such a function."
        => engine::callfunction;
    607 isfunction "float(string s)"
        "Returns 1 if the progs has a function with a name, else 0."
        => engine::isfunction;
    627 sprintf "string(string format, ...)"
        "Returns a text formatted as by C's printf: d, i, u, x, X, o, c, s, e, f, g, and v for vectors. Numbers are floats, \
        with i or l integers. A position such as 2$ selects an argument."
        => strings::sprintf;
    639 digest_hex "string(string digest, string data, ...)"
        "Returns the CRC of texts for the digest CRC16, its low byte first, as hexadecimal digits; the null string for \
        other digests."
        => digest::digest_hex;
    653 fexists "float(string filename)"
        "Returns 1 if the host has a file, else 0."
        => files::fexists;
}
