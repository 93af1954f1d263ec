//! What each statement of a progs does: opcode numbers as fteqcc writes them, and the operations they decode to.

use super::word::{WideOp, WordOp};

/// Where the machine looks for a statement's operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// Operands a, b and c are globals.
    Abc,
    /// Operands a and b are globals.
    Ab,
    /// Operands a and c are globals.
    Ac,
    /// Operand a is a global.
    A,
    /// Operand c is a global.
    C,
    /// Operand a is a jump, relative to the statement.
    Jump,
    /// Operand a is a global, b a jump.
    AJump,
    /// Operands a and b are globals, c a jump.
    AbJump,
    /// Operand a is a global, b and c are numbers.
    ALimits,
    /// Operand a is the first element of an array whose length word stands before it, b its index, c the result.
    Array,
}

/// What is compared by the cases of a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SwitchKind {
    Float,
    Vector,
    String,
    Word,
}

/// An operation. `a`, `b`, `c` in the descriptions are the operands; entity, function, field, pointer and integer
/// values are all single words, so that one operation serves all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Op {
    Return,
    MulF,
    Dot,
    MulFV,
    MulVF,
    DivF,
    DivVF,
    MulVI,
    MulIV,
    AddF,
    AddV,
    SubF,
    SubV,
    EqF,
    EqV,
    EqS,
    EqWord,
    NeF,
    NeV,
    NeS,
    NeWord,
    LeF,
    GeF,
    LtF,
    GtF,
    NotF,
    NotV,
    NotS,
    NotWord,
    AndF,
    OrF,
    BitAndF,
    BitOrF,
    /// c = a.b, for a field of one word.
    Load,
    LoadV,
    LoadWide,
    /// c = &a.b.
    Address,
    /// b = a.
    Store,
    StoreV,
    StoreWide,
    StoreIF,
    StoreFI,
    /// *b = a, or b[c] = a where c is not the null global.
    StoreP,
    StorePV,
    StorePWide,
    StorePIF,
    StorePFI,
    /// One byte, from the float a.
    StorePChar,
    /// One byte, from the integer a.
    StorePByte,
    /// Two bytes.
    StorePHalf,
    /// a.b = c.
    StoreField,
    StoreFieldV,
    StoreFieldWide,
    /// c = *a, or a[b] where b is not the null global.
    LoadP,
    LoadPV,
    LoadPWide,
    LoadPIF,
    LoadPFI,
    /// One byte as a float; b is a float.
    LoadPChar,
    LoadPByte,
    LoadPSignedByte,
    LoadPHalf,
    LoadPSignedHalf,
    /// c = the global b places behind a.
    LoadA,
    LoadAV,
    LoadAWide,
    /// c = the global whose number is a.
    LoadG,
    LoadGV,
    /// The global whose number is b = a.
    StoreG,
    StoreGV,
    GlobalAddress,
    Fetch,
    FetchV,
    /// c = the string a without its first b bytes.
    AddSF,
    BoundCheck,
    Push,
    /// b = a op b.
    AddStoreF,
    SubStoreF,
    MulStoreF,
    DivStoreF,
    AddStoreV,
    SubStoreV,
    MulStoreVF,
    BitSetStoreF,
    BitClearStoreF,
    /// c = *b = *b op a.
    AddStorePF,
    SubStorePF,
    MulStorePF,
    DivStorePF,
    AddStorePV,
    SubStorePV,
    MulStorePVF,
    BitSetStorePF,
    BitClearStorePF,
    If,
    IfNot,
    IfF,
    IfNotF,
    IfS,
    IfNotS,
    Goto,
    Call,
    /// A call that brings its first argument in b.
    Call1H,
    /// A call that brings its first two arguments in b and c.
    Call2H,
    State,
    ThinkTime,
    Switch(SwitchKind),
    Case,
    CaseRange,
    Random,
    RandomScaled,
    RandomBetween,
    RandomV,
    RandomScaledV,
    RandomBetweenV,
    /// Replaces bits of c by those of a.
    BitCopy,
    /// c = op(a, b), words.
    Word(WordOp),
    /// c = op(a, b), pairs of words.
    Wide(WideOp),
}

/// One statement, its operands checked: globals are inside the table and jumps are statement numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Instruction {
    pub(super) op: Op,
    /// The number of arguments of a call.
    pub(super) argc: u8,
    pub(super) a: u32,
    pub(super) b: u32,
    pub(super) c: u32,
}

/// The operation and operands of opcode `number`, and for calls the number of arguments; `None` if it is not supported.
///
/// Left out: Hexen II's animation states (85, 86), the never finished 204, 212 and 214, and all above 281.
pub(super) fn decode(number: u32) -> Option<(Op, Shape, u8)> {
    if let Some((op, argc)) = call(number) {
        let shape = match op {
            Op::Call2H => Shape::Abc,
            Op::Call1H => Shape::Ab,
            _ => Shape::A,
        };
        return Some((op, shape, argc));
    }
    let (op, shape) = standard(number).or_else(|| extended(number)).or_else(|| arithmetic(number))?;
    Some((op, shape, 0))
}

fn call(number: u32) -> Option<(Op, u8)> {
    Some(match number {
        51..=59 => (Op::Call, (number - 51) as u8),
        105 => (Op::Call1H, 1),
        106..=112 => (Op::Call2H, (number - 104) as u8),
        _ => return None,
    })
}

/// The opcodes of every Quake progs.
fn standard(number: u32) -> Option<(Op, Shape)> {
    use Op::*;
    Some(match number {
        0 | 43 => (Return, Shape::A),
        1 => (MulF, Shape::Abc),
        2 => (Dot, Shape::Abc),
        3 => (MulFV, Shape::Abc),
        4 => (MulVF, Shape::Abc),
        5 => (DivF, Shape::Abc),
        6 => (AddF, Shape::Abc),
        7 => (AddV, Shape::Abc),
        8 => (SubF, Shape::Abc),
        9 => (SubV, Shape::Abc),
        10 => (EqF, Shape::Abc),
        11 => (EqV, Shape::Abc),
        12 => (EqS, Shape::Abc),
        13 | 14 => (EqWord, Shape::Abc),
        15 => (NeF, Shape::Abc),
        16 => (NeV, Shape::Abc),
        17 => (NeS, Shape::Abc),
        18 | 19 => (NeWord, Shape::Abc),
        20 => (LeF, Shape::Abc),
        21 => (GeF, Shape::Abc),
        22 => (LtF, Shape::Abc),
        23 => (GtF, Shape::Abc),
        24 | 26..=29 | 126 | 153 => (Load, Shape::Abc),
        25 => (LoadV, Shape::Abc),
        30 => (Address, Shape::Abc),
        31 | 33..=36 | 113 | 152 => (Store, Shape::Ab),
        32 => (StoreV, Shape::Ab),
        37 | 39..=42 | 127 => (StoreP, Shape::Abc),
        38 => (StorePV, Shape::Abc),
        44 => (NotF, Shape::Ac),
        45 => (NotV, Shape::Ac),
        46 => (NotS, Shape::Ac),
        47 | 48 => (NotWord, Shape::Ac),
        49 => (If, Shape::AJump),
        50 => (IfNot, Shape::AJump),
        60 => (State, Shape::Ab),
        61 => (Goto, Shape::Jump),
        62 => (AndF, Shape::Abc),
        63 => (OrF, Shape::Abc),
        64 => (BitAndF, Shape::Abc),
        65 => (BitOrF, Shape::Abc),
        _ => return None,
    })
}

/// FTE's opcodes that touch memory or control, and those it took over from Hexen II.
fn extended(number: u32) -> Option<(Op, Shape)> {
    use Op::*;
    Some(match number {
        66 => (MulStoreF, Shape::Ab),
        67 => (MulStoreVF, Shape::Ab),
        68 => (MulStorePF, Shape::Abc),
        69 => (MulStorePVF, Shape::Abc),
        70 => (DivStoreF, Shape::Ab),
        71 => (DivStorePF, Shape::Abc),
        72 => (AddStoreF, Shape::Ab),
        73 => (AddStoreV, Shape::Ab),
        74 => (AddStorePF, Shape::Abc),
        75 => (AddStorePV, Shape::Abc),
        76 => (SubStoreF, Shape::Ab),
        77 => (SubStoreV, Shape::Ab),
        78 => (SubStorePF, Shape::Abc),
        79 => (SubStorePV, Shape::Abc),
        80 | 82..=84 => (Fetch, Shape::Array),
        81 => (FetchV, Shape::Array),
        87 => (ThinkTime, Shape::Ab),
        88 => (BitSetStoreF, Shape::Ab),
        89 => (BitSetStorePF, Shape::Ab),
        90 => (BitClearStoreF, Shape::Ab),
        91 => (BitClearStorePF, Shape::Ab),
        92 => (Random, Shape::C),
        93 => (RandomScaled, Shape::Ac),
        94 => (RandomBetween, Shape::Abc),
        95 => (RandomV, Shape::C),
        96 => (RandomScaledV, Shape::Ac),
        97 => (RandomBetweenV, Shape::Abc),
        98 => (Switch(SwitchKind::Float), Shape::AJump),
        99 => (Switch(SwitchKind::Vector), Shape::AJump),
        100 => (Switch(SwitchKind::String), Shape::AJump),
        101 | 102 | 215 => (Switch(SwitchKind::Word), Shape::AJump),
        103 => (Case, Shape::AJump),
        104 => (CaseRange, Shape::AbJump),
        114 => (StoreIF, Shape::Ab),
        115 => (StoreFI, Shape::Ab),
        124 => (LoadPIF, Shape::Ac),
        125 => (LoadPFI, Shape::Ac),
        128 => (StorePIF, Shape::Abc),
        129 => (StorePFI, Shape::Abc),
        136 => (IfNotS, Shape::AJump),
        137 => (IfS, Shape::AJump),
        139 => (DivVF, Shape::Abc),
        143 => (GlobalAddress, Shape::Abc),
        145 | 147..=151 => (LoadA, Shape::Abc),
        146 => (LoadAV, Shape::Abc),
        154 | 156..=160 => (LoadP, Shape::Abc),
        155 => (LoadPV, Shape::Abc),
        175 => (AddSF, Shape::Abc),
        177 => (StorePChar, Shape::Abc),
        178 => (LoadPChar, Shape::Abc),
        181 => (MulVI, Shape::Abc),
        182 => (MulIV, Shape::Abc),
        197..=202 => (StoreG, Shape::Ab),
        203 => (StoreGV, Shape::Ab),
        205..=210 => (LoadG, Shape::Ac),
        211 => (BoundCheck, Shape::ALimits),
        213 => (Push, Shape::Ac),
        216 => (LoadGV, Shape::Ac),
        217 => (IfF, Shape::AJump),
        218 => (IfNotF, Shape::AJump),
        219 => (StoreFieldV, Shape::Abc),
        220..=222 => (StoreField, Shape::Abc),
        223 => (StorePByte, Shape::Abc),
        224 => (LoadPByte, Shape::Abc),
        246 => (StoreWide, Shape::Ab),
        247 => (StorePWide, Shape::Abc),
        248 => (StoreFieldWide, Shape::Abc),
        249 => (LoadWide, Shape::Abc),
        250 => (LoadAWide, Shape::Abc),
        251 => (LoadPWide, Shape::Abc),
        269 => (StorePHalf, Shape::Abc),
        270 => (LoadPSignedHalf, Shape::Abc),
        271 => (LoadPHalf, Shape::Abc),
        272 => (LoadPSignedByte, Shape::Abc),
        275 => (BitCopy, Shape::Abc),
        _ => return None,
    })
}

/// FTE's opcodes that compute a value from two others: integers, mixtures of integers and floats, 64 bits.
fn arithmetic(number: u32) -> Option<(Op, Shape)> {
    use WideOp as D;
    use WordOp as W;
    let word = match number {
        116 => W::AddI,
        117 => W::AddFI,
        118 => W::AddIF,
        119 => W::SubI,
        120 => W::SubFI,
        121 => W::SubIF,
        122 => W::IntToFloat,
        123 => W::FloatToInt,
        130 => W::BitAndI,
        131 => W::BitOrI,
        132 => W::MulI,
        133 => W::DivI,
        134 => W::EqI,
        135 => W::NeI,
        138 => W::NotI,
        140 => W::BitXorI,
        141 => W::ShiftRightI,
        142 => W::ShiftLeftI,
        144 => W::AddPointer,
        161 => W::LeI,
        162 => W::GeI,
        163 => W::LtI,
        164 => W::GtI,
        165 => W::LeIF,
        166 => W::GeIF,
        167 => W::LtIF,
        168 => W::GtIF,
        169 => W::LeFI,
        170 => W::GeFI,
        171 => W::LtFI,
        172 => W::GtFI,
        173 => W::EqIF,
        174 => W::EqFI,
        176 => W::SubI,
        179 => W::MulIF,
        180 => W::MulFI,
        183 => W::DivIF,
        184 => W::DivFI,
        185 => W::BitAndIF,
        186 => W::BitOrIF,
        187 => W::BitAndFI,
        188 => W::BitOrFI,
        189 => W::AndI,
        190 => W::OrI,
        191 => W::AndIF,
        192 => W::OrIF,
        193 => W::AndFI,
        194 => W::OrFI,
        195 => W::NeIF,
        196 => W::NeFI,
        225 => W::LeU,
        226 => W::LtU,
        227 => W::DivU,
        228 => W::ShiftRightU,
        273 => W::BitExtendI,
        274 => W::BitExtendU,
        276 => W::UnsignedToFloat,
        277 => W::FloatToUnsigned,
        _ => {
            let wide = match number {
                229 => D::Add,
                230 => D::Sub,
                231 => D::Mul,
                232 => D::DivI,
                233 => D::BitAnd,
                234 => D::BitOr,
                235 => D::BitXor,
                236 => D::ShiftLeft,
                237 => D::ShiftRightI,
                238 => D::LeI,
                239 => D::LtI,
                240 => D::Eq,
                241 => D::Ne,
                242 => D::LeU,
                243 => D::LtU,
                244 => D::DivU,
                245 => D::ShiftRightU,
                252 => D::FromUnsigned,
                253 => D::FromInt,
                254 => D::ToInt,
                255 => D::FloatToDouble,
                256 => D::DoubleToFloat,
                257 => D::ToFloat,
                258 => D::FromFloat,
                259 => D::ToDouble,
                260 => D::FromDouble,
                261 => D::AddD,
                262 => D::SubD,
                263 => D::MulD,
                264 => D::DivD,
                265 => D::LeD,
                266 => D::LtD,
                267 => D::EqD,
                268 => D::NeD,
                278 => D::UnsignedToDouble,
                279 => D::UnsignedFromDouble,
                280 => D::UnsignedToFloat,
                281 => D::UnsignedFromFloat,
                _ => return None,
            };
            let shape = if wide.is_conversion() { Shape::Ac } else { Shape::Abc };
            return Some((Op::Wide(wide), shape));
        }
    };
    let shape = if word.is_unary() { Shape::Ac } else { Shape::Abc };
    Some((Op::Word(word), shape))
}
