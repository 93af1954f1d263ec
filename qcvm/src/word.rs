//! Arithmetic on words and pairs of words: the integer, mixed and 64-bit operations of FTE's instruction set.

/// Truncates `f` toward zero as x86 does: NaN and values out of range give -2147483648.
pub(super) fn truncate(f: f32) -> i32 {
    if (-2147483648.0..2147483648.0).contains(&f) { f as i32 } else { i32::MIN }
}

fn truncate_wide(f: f64) -> i64 {
    if (-9223372036854775808.0..9223372036854775808.0).contains(&f) { f as i64 } else { i64::MIN }
}

/// Truncates to 64 unsigned bits as compilers for x86-64 do: negative values wrap, 2^64 and NaN give 2^63.
fn truncate_unsigned(f: f64) -> u64 {
    if f >= 9223372036854775808.0 {
        (truncate_wide(f - 9223372036854775808.0) as u64) ^ (1 << 63)
    } else {
        truncate_wide(f) as u64
    }
}

/// Returns the float that a comparison results in.
#[inline(always)]
pub(super) fn truth(value: bool) -> f32 {
    if value { 1.0 } else { 0.0 }
}

/// Returns `true` for floats other than zero of either sign.
pub(super) fn is_true(bits: u32) -> bool {
    bits & 0x7fff_ffff != 0
}

/// Operation on two words. I is an integer, U an unsigned one, F a float; the letters name the operands in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WordOp {
    AddI,
    AddFI,
    AddIF,
    SubI,
    SubFI,
    SubIF,
    MulI,
    MulIF,
    MulFI,
    DivI,
    DivIF,
    DivFI,
    DivU,
    IntToFloat,
    FloatToInt,
    UnsignedToFloat,
    FloatToUnsigned,
    BitAndI,
    BitOrI,
    BitXorI,
    BitAndIF,
    BitOrIF,
    BitAndFI,
    BitOrFI,
    ShiftLeftI,
    ShiftRightI,
    ShiftRightU,
    BitExtendI,
    BitExtendU,
    AddPointer,
    NotI,
    AndI,
    OrI,
    AndIF,
    OrIF,
    AndFI,
    OrFI,
    EqI,
    NeI,
    LeI,
    GeI,
    LtI,
    GtI,
    EqIF,
    NeIF,
    LeIF,
    GeIF,
    LtIF,
    GtIF,
    EqFI,
    NeFI,
    LeFI,
    GeFI,
    LtFI,
    GtFI,
    LeU,
    LtU,
}

impl WordOp {
    /// Returns `true` if only the first operand is read.
    pub(super) fn is_unary(self) -> bool {
        use WordOp::*;
        matches!(self, IntToFloat | FloatToInt | UnsignedToFloat | FloatToUnsigned | NotI)
    }

    /// Computes the result. Integers wrap; division by zero gives 0 for integers and IEEE's results for floats.
    pub(super) fn apply(self, a: u32, b: u32) -> u32 {
        use WordOp::*;
        let (ai, bi) = (a as i32, b as i32);
        let (af, bf) = (f32::from_bits(a), f32::from_bits(b));
        // C compares and computes an int with a float as two floats.
        let (aif, bif) = (ai as f32, bi as f32);
        match self {
            AddI => a.wrapping_add(b),
            AddFI => (af + bif).to_bits(),
            AddIF => (aif + bf).to_bits(),
            SubI => a.wrapping_sub(b),
            SubFI => (af - bif).to_bits(),
            SubIF => (aif - bf).to_bits(),
            MulI => a.wrapping_mul(b),
            MulIF => (aif * bf).to_bits(),
            MulFI => (af * bif).to_bits(),
            DivI => match bi {
                0 => 0,
                _ => ai.saturating_div(bi) as u32,
            },
            DivIF => (aif / bf).to_bits(),
            DivFI => (af / bif).to_bits(),
            DivU => a.checked_div(b).unwrap_or(0),
            IntToFloat => aif.to_bits(),
            FloatToInt => truncate(af) as u32,
            UnsignedToFloat => (a as f32).to_bits(),
            FloatToUnsigned => truncate_wide(f64::from(af)) as u32,
            BitAndI => a & b,
            BitOrI => a | b,
            BitXorI => a ^ b,
            BitAndIF => a & truncate(bf) as u32,
            BitOrIF => a | truncate(bf) as u32,
            BitAndFI => truncate(af) as u32 & b,
            BitOrFI => truncate(af) as u32 | b,
            ShiftLeftI => a.wrapping_shl(b),
            ShiftRightI => ai.wrapping_shr(b) as u32,
            ShiftRightU => a.wrapping_shr(b),
            BitExtendI => {
                let (up, down) = bit_field(b);
                (a.wrapping_shl(up) as i32).wrapping_shr(down) as u32
            }
            BitExtendU => {
                let (up, down) = bit_field(b);
                a.wrapping_shl(up).wrapping_shr(down)
            }
            AddPointer => a.wrapping_add(b.wrapping_mul(4)),
            NotI => u32::from(a == 0),
            AndI => u32::from(a != 0 && b != 0),
            OrI => u32::from(a != 0 || b != 0),
            AndIF => u32::from(a != 0 && is_true(b)),
            OrIF => u32::from(a != 0 || is_true(b)),
            AndFI => u32::from(is_true(a) && b != 0),
            OrFI => u32::from(is_true(a) || b != 0),
            EqI => u32::from(a == b),
            NeI => u32::from(a != b),
            LeI => u32::from(ai <= bi),
            GeI => u32::from(ai >= bi),
            LtI => u32::from(ai < bi),
            GtI => u32::from(ai > bi),
            EqIF => u32::from(aif == bf),
            NeIF => u32::from(aif != bf),
            LeIF => u32::from(aif <= bf),
            GeIF => u32::from(aif >= bf),
            LtIF => u32::from(aif < bf),
            GtIF => u32::from(aif > bf),
            EqFI => u32::from(af == bif),
            NeFI => u32::from(af != bif),
            LeFI => u32::from(af <= bif),
            GeFI => u32::from(af >= bif),
            LtFI => u32::from(af < bif),
            GtFI => u32::from(af > bif),
            LeU => u32::from(a <= b),
            LtU => u32::from(a < b),
        }
    }
}

/// Converts a bit field (low byte the width, the rest the lowest bit) to the shifts up and down that extract it.
fn bit_field(field: u32) -> (u32, u32) {
    let (width, low) = (field & 0xff, field >> 8);
    (32u32.wrapping_sub(width).wrapping_sub(low), 32u32.wrapping_sub(width))
}

/// Returns `to` with the bits of `field` (low byte the width, the rest the lowest bit) replaced by the lowest of
/// `from`.
pub(super) fn bit_copy(from: u32, field: u32, to: u32) -> u32 {
    let (mask, low) = (1u32.wrapping_shl(field & 0xff).wrapping_sub(1), field >> 8);
    (to & !mask.wrapping_shl(low)) | (from & mask).wrapping_shl(low)
}

/// Operation on 64-bit integers or doubles. A D at the end means doubles, I and U signed and unsigned integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WideOp {
    Add,
    Sub,
    Mul,
    DivI,
    DivU,
    BitAnd,
    BitOr,
    BitXor,
    ShiftLeft,
    ShiftRightI,
    ShiftRightU,
    LeI,
    LtI,
    LeU,
    LtU,
    Eq,
    Ne,
    AddD,
    SubD,
    MulD,
    DivD,
    LeD,
    LtD,
    EqD,
    NeD,
    FromInt,
    FromUnsigned,
    ToInt,
    FloatToDouble,
    DoubleToFloat,
    ToFloat,
    FromFloat,
    ToDouble,
    FromDouble,
    UnsignedToDouble,
    UnsignedFromDouble,
    UnsignedToFloat,
    UnsignedFromFloat,
}

impl WideOp {
    /// Returns `true` if only the first operand is read.
    pub(super) fn is_conversion(self) -> bool {
        self as u8 >= WideOp::FromInt as u8
    }

    /// Returns `true` if the result is one word.
    pub(super) fn gives_word(self) -> bool {
        use WideOp::*;
        matches!(
            self,
            LeI | LtI | LeU | LtU | Eq | Ne | LeD | LtD | EqD | NeD | ToInt | DoubleToFloat | ToFloat | UnsignedToFloat
        )
    }

    /// Computes the result; single words are in the low half. Division by zero gives 0 for integers.
    pub(super) fn apply(self, a: u64, b: u64) -> u64 {
        use WideOp::*;
        let (ai, bi) = (a as i64, b as i64);
        let (ad, bd) = (f64::from_bits(a), f64::from_bits(b));
        let af = f32::from_bits(a as u32);
        match self {
            Add => a.wrapping_add(b),
            Sub => a.wrapping_sub(b),
            Mul => a.wrapping_mul(b),
            DivI => match bi {
                0 => 0,
                _ => ai.saturating_div(bi) as u64,
            },
            DivU => a.checked_div(b).unwrap_or(0),
            BitAnd => a & b,
            BitOr => a | b,
            BitXor => a ^ b,
            ShiftLeft => a.wrapping_shl(b as u32),
            ShiftRightI => ai.wrapping_shr(b as u32) as u64,
            ShiftRightU => a.wrapping_shr(b as u32),
            LeI => u64::from(ai <= bi),
            LtI => u64::from(ai < bi),
            LeU => u64::from(a <= b),
            LtU => u64::from(a < b),
            Eq => u64::from(a == b),
            Ne => u64::from(a != b),
            AddD => (ad + bd).to_bits(),
            SubD => (ad - bd).to_bits(),
            MulD => (ad * bd).to_bits(),
            DivD => (ad / bd).to_bits(),
            LeD => u64::from(ad <= bd),
            LtD => u64::from(ad < bd),
            EqD => u64::from(ad == bd),
            NeD => u64::from(ad != bd),
            FromInt => i64::from(a as u32 as i32) as u64,
            FromUnsigned => u64::from(a as u32),
            ToInt => u64::from(a as u32),
            FloatToDouble => f64::from(af).to_bits(),
            DoubleToFloat => u64::from((ad as f32).to_bits()),
            ToFloat => u64::from((ai as f32).to_bits()),
            FromFloat => truncate_wide(f64::from(af)) as u64,
            ToDouble => (ai as f64).to_bits(),
            FromDouble => truncate_wide(ad) as u64,
            UnsignedToDouble => (a as f64).to_bits(),
            UnsignedFromDouble => truncate_unsigned(ad),
            UnsignedToFloat => u64::from((a as f32).to_bits()),
            UnsignedFromFloat => truncate_unsigned(f64::from(af)),
        }
    }
}
