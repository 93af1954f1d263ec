//! Operations of statements, and the places of their operands.

use super::word::{WideOp, WordOp};

/// Places of a statement's operands.
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
    /// Operand a is the first element of an array preceded by a length word, b its index, c the result.
    Array,
}

/// Type of the values that the cases of a switch compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SwitchKind {
    Float,
    Vector,
    String,
    Word,
}

/// Operation of a statement.
///
/// `a`, `b` and `c` in the descriptions are the operands. Entity, function, field, pointer and integer values are all
/// single words, so one operation serves all of them.
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
    /// Comparisons whose result the next statement tests: it jumps if the result is false.
    EqFIfNot,
    NeFIfNot,
    LeFIfNot,
    GeFIfNot,
    LtFIfNot,
    GtFIfNot,
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
    /// Store or StoreV, followed by `more` more of them. They copy from a to b in the progs' copies.
    Stores,
    /// Store or StoreV, followed by `more` more of them, the last of which is a Call of c. The stores put its arguments
    /// in place; they copy from a to b in the progs' copies.
    Arguments,
    StoreWide,
    StoreIF,
    StoreFI,
    /// *b = a, or b[c] = a where c is not the null global.
    StoreP,
    StorePV,
    StorePWide,
    StorePIF,
    StorePFI,
    /// Store of one byte, from the float a.
    StorePChar,
    /// Store of one byte, from the integer a.
    StorePByte,
    /// Store of two bytes.
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
    /// Load of one byte as a float; b is a float.
    LoadPChar,
    LoadPByte,
    LoadPSignedByte,
    LoadPHalf,
    LoadPSignedHalf,
    /// c = the global b places after a.
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
    /// Call with its first argument in b.
    Call1H,
    /// Call with its first two arguments in b and c.
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
    /// Replaces bits of c with those of a.
    BitCopy,
    /// c = op(a, b), words.
    Word(WordOp),
    /// c = op(a, b), pairs of words.
    Wide(WideOp),
}

impl Op {
    /// Returns the operation that compares as this one and does what the next statement, a test of the result, does.
    pub(super) fn with_test(self) -> Option<Self> {
        Some(match self {
            Op::EqF => Op::EqFIfNot,
            Op::NeF => Op::NeFIfNot,
            Op::LeF => Op::LeFIfNot,
            Op::GeF => Op::GeFIfNot,
            Op::LtF => Op::LtFIfNot,
            Op::GtF => Op::GtFIfNot,
            _ => return None,
        })
    }

    /// Returns `true` for copies of a global, or of three, to another place.
    pub(super) fn is_store(self) -> bool {
        matches!(self, Op::Store | Op::StoreV)
    }
}

/// Statement with checked operands: globals are inside the table, and jumps are statement numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Instruction {
    pub(super) op: Op,
    /// Number of arguments of a call.
    pub(super) argc: u8,
    /// Number of following statements that are part of this one.
    pub(super) more: u8,
    pub(super) a: u32,
    pub(super) b: u32,
    pub(super) c: u32,
}
