//! Layout of the bits of an id.

/// Layout of an id: a slot of a table, the number of earlier uses of the slot, and a kind.
///
/// | bits | contents |
/// |---|---|
/// | 0 to 13 | slot, 1 to 16383; tables leave slot 0 out, because the number 0 is none |
/// | 14 to 23 | use of the slot, 0 to 1023 |
/// | 24 to 27 | kind, 0 to 15 |
///
/// Bits 0 to 23 are the [number](Self::number). Rust and QuakeC have the number alone, with the kind 0: a type or a
/// builtin says what it stands for. The C API gives each of its id structs a kind of its own.
///
/// ```
/// use skelobj::runtime::{IdBits, ObjectId};
///
/// let object = ObjectId::new(5 | 3 << 14).expect("an id");
/// let bits = IdBits::from_bits(object.get()).expect("below 2^28");
/// assert_eq!((bits.slot(), bits.generation(), bits.kind()), (5, 3, 0));
/// let in_c = bits.with_kind(8).expect("a kind below 16");
/// assert_eq!((in_c.bits(), in_c.number()), (object.get() | 8 << 24, object.get()));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct IdBits(pub(super) u32);

impl IdBits {
    /// Number of slots. The first is never used.
    pub const SLOTS: usize = 1 << Self::SLOT_BITS;
    /// Number of uses of a slot before its numbers repeat.
    pub const GENERATIONS: u16 = 1 << 10;
    pub(super) const SLOT_BITS: u32 = 14;
    const NUMBER_BITS: u32 = 24;
    const BITS: u32 = 28;

    /// Returns the id of a use of a slot, with the kind 0; `None` for slot 0, for slots of 16384 and above, and for
    /// uses of 1024 and above.
    ///
    /// ```
    /// use skelobj::runtime::IdBits;
    ///
    /// assert_eq!(IdBits::new(7, 0).map(IdBits::bits), Some(7));
    /// assert_eq!(IdBits::new(0, 0), None);
    /// assert_eq!(IdBits::new(16_384, 0), None);
    /// assert_eq!(IdBits::new(7, 1024), None);
    /// ```
    #[inline]
    #[must_use]
    pub const fn new(slot: u16, generation: u16) -> Option<Self> {
        if slot == 0 || slot as usize >= Self::SLOTS || generation >= Self::GENERATIONS {
            return None;
        }
        Some(Self((generation as u32) << Self::SLOT_BITS | slot as u32))
    }

    /// Returns the parts of 28 bits; `None` for numbers of 2^28 and above.
    ///
    /// ```
    /// use skelobj::runtime::IdBits;
    ///
    /// assert_eq!(IdBits::from_bits(2 << 24 | 9).map(IdBits::kind), Some(2));
    /// assert_eq!(IdBits::from_bits(1 << 28), None);
    /// ```
    #[inline]
    #[must_use]
    pub const fn from_bits(bits: u32) -> Option<Self> {
        if bits >> Self::BITS == 0 { Some(Self(bits)) } else { None }
    }

    /// Returns all 28 bits.
    ///
    /// ```
    /// use skelobj::runtime::IdBits;
    /// assert_eq!(IdBits::from_bits(0x0a00_4003).map(IdBits::bits), Some(0x0a00_4003));
    /// ```
    #[inline]
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// Returns slot and use as one number below 2^24, as Rust and QuakeC have it.
    ///
    /// ```
    /// use skelobj::runtime::IdBits;
    /// assert_eq!(IdBits::from_bits(0x0a00_4003).map(IdBits::number), Some(0x4003));
    /// ```
    #[inline]
    #[must_use]
    pub const fn number(self) -> u32 {
        self.0 & ((1 << Self::NUMBER_BITS) - 1)
    }

    /// Returns the slot, 0 to 16383.
    ///
    /// ```
    /// use skelobj::runtime::IdBits;
    /// assert_eq!(IdBits::from_bits(0x0a00_4003).map(IdBits::slot), Some(3));
    /// ```
    #[inline]
    #[must_use]
    pub const fn slot(self) -> u16 {
        (self.0 & ((1 << Self::SLOT_BITS) - 1)) as u16
    }

    /// Returns the number of earlier uses of the slot, 0 to 1023; after 1023 follows 0.
    ///
    /// ```
    /// use skelobj::runtime::IdBits;
    /// assert_eq!(IdBits::from_bits(0x0a00_4003).map(IdBits::generation), Some(1));
    /// ```
    #[inline]
    #[must_use]
    pub const fn generation(self) -> u16 {
        (self.number() >> Self::SLOT_BITS) as u16
    }

    /// Returns the kind, 0 to 15.
    ///
    /// ```
    /// use skelobj::runtime::IdBits;
    /// assert_eq!(IdBits::from_bits(0x0a00_4003).map(IdBits::kind), Some(10));
    /// ```
    #[inline]
    #[must_use]
    pub const fn kind(self) -> u8 {
        (self.0 >> Self::NUMBER_BITS) as u8
    }

    /// Returns the same slot and use with another kind; `None` for a kind of 16 and above.
    ///
    /// ```
    /// use skelobj::runtime::IdBits;
    ///
    /// let id = IdBits::new(7, 0).expect("a slot");
    /// assert_eq!(id.with_kind(2).map(IdBits::bits), Some(2 << 24 | 7));
    /// assert_eq!(id.with_kind(16), None);
    /// ```
    #[inline]
    #[must_use]
    pub const fn with_kind(self, kind: u8) -> Option<Self> {
        if kind < 16 { Some(Self((kind as u32) << Self::NUMBER_BITS | self.number())) } else { None }
    }

    /// Returns the id that the slot has after this one was freed.
    ///
    /// ```
    /// use skelobj::runtime::IdBits;
    ///
    /// let mut id = IdBits::new(7, 0).expect("a slot");
    /// assert_eq!(id.next_use().bits(), 1 << 14 | 7);
    /// for _ in 0..IdBits::GENERATIONS {
    ///     id = id.next_use();
    /// }
    /// assert_eq!(id.bits(), 7);
    /// ```
    #[inline]
    #[must_use]
    pub const fn next_use(self) -> Self {
        let generation = (self.generation() + 1) % Self::GENERATIONS;
        Self((self.kind() as u32) << Self::NUMBER_BITS | (generation as u32) << Self::SLOT_BITS | self.slot() as u32)
    }
}
