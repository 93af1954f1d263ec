//! Operations that QuakeC rarely uses: compound assignments, arrays, bytes, 64-bit values and random numbers.

use super::fault::Fault;
use super::machine::{Builtins, Machine};
use super::opcode::{Instruction, Op};
use super::word::{bit_copy, truncate};

impl Machine {
    /// Returns the address that a store writes to: b, or its element c.
    #[inline]
    pub(super) fn target(&self, i: &Instruction) -> u32 {
        self.element(i.b, i.c, 4)
    }

    /// Returns the address that a load reads from: a, or its element b.
    #[inline]
    pub(super) fn source(&self, i: &Instruction) -> u32 {
        self.element(i.a, i.b, 4)
    }

    /// Moves a pointer by an index in a global. Global 0, which older compilers write for "no index", means none.
    #[inline]
    fn element(&self, pointer: u32, index: u32, size: u32) -> u32 {
        let index = if index == 0 { 0 } else { self.word(index) };
        self.word(pointer).wrapping_add(index.wrapping_mul(size))
    }

    fn index(&self, operand: u32) -> u32 {
        if operand == 0 { 0 } else { self.word(operand) }
    }

    fn wide(&self, index: u32) -> u64 {
        let [low, high, _] = self.words(index);
        u64::from(high) << 32 | u64::from(low)
    }

    fn set_wide(&mut self, index: u32, value: u64) {
        self.set_word(index, value as u32);
        self.set_word(index + 1, (value >> 32) as u32);
    }

    /// Returns the offset of an array's element; the array's last index precedes it.
    fn array_element(&self, i: &Instruction, size: u32) -> Result<u32, Fault> {
        let (index, last) = (truncate(self.float(i.b)), self.word(i.a.wrapping_sub(1)) as i32);
        if index as u32 > last as u32 {
            return Err(Fault::BadIndex { index, last });
        }
        self.global_index(i.a, (index as u32).wrapping_mul(size), size)
    }

    /// Sets a result, unless the operand is global 0: older compilers do not request it.
    fn set_optional(&mut self, index: u32, bits: u32) {
        if index != 0 {
            self.set_word(index, bits);
        }
    }

    fn modify(&mut self, i: &Instruction, operation: impl FnOnce(f32, f32) -> f32) {
        self.set_float(i.b, operation(self.float(i.b), self.float(i.a)));
    }

    fn modify_pointed<B: Builtins + ?Sized>(
        &mut self,
        i: &Instruction,
        host: &mut B,
        operation: impl FnOnce(f32, f32) -> f32,
    ) -> Result<(), Fault> {
        let address = self.word(i.b);
        let old = f32::from_bits(self.load_word(address, host)?);
        let new = operation(old, self.float(i.a)).to_bits();
        self.store_word(address, new, host)?;
        self.set_optional(i.c, new);
        Ok(())
    }

    fn modify_pointed_vector<B: Builtins + ?Sized>(
        &mut self,
        i: &Instruction,
        host: &mut B,
        a: [f32; 3],
        operation: impl Fn(f32, f32) -> f32,
    ) -> Result<(), Fault> {
        let address = self.word(i.b);
        let ([x, y, z], [ax, ay, az]) = (self.load_words(address, host)?.map(f32::from_bits), a);
        let new = [operation(x, ax), operation(y, ay), operation(z, az)].map(f32::to_bits);
        self.store_words(address, new, host)?;
        if i.c != 0 {
            self.set_words(i.c, new);
        }
        Ok(())
    }

    /// Returns a random float from 0 to below 1, or to 1 if `inclusive`.
    fn random_float(&mut self, inclusive: bool) -> f32 {
        f32::from(self.random()) / if inclusive { 32767.0 } else { 32768.0 }
    }

    fn random_vector(&mut self, low: [f32; 3], high: [f32; 3]) -> [f32; 3] {
        let mut result = low;
        for (value, high) in result.iter_mut().zip(high) {
            *value += self.random_float(true) * (high - *value);
        }
        result
    }

    /// Runs the statements that the interpreter's loop does not handle. None of them jumps or calls.
    #[inline(never)]
    pub(super) fn execute_rare<B: Builtins + ?Sized>(&mut self, i: &Instruction, host: &mut B) -> Result<(), Fault> {
        match i.op {
            Op::Wide(operation) => {
                let result = operation.apply(self.wide(i.a), self.wide(i.b));
                if operation.gives_word() { self.set_word(i.c, result as u32) } else { self.set_wide(i.c, result) }
            }
            Op::DivVF => {
                let divisor = self.float(i.b);
                self.each_component(i.c, |vm, index| vm.float(i.a + index) / divisor);
            }
            Op::MulVI => {
                let scale = self.word(i.b) as i32 as f32;
                self.each_component(i.c, |vm, index| vm.float(i.a + index) * scale);
            }
            Op::MulIV => {
                let scale = self.word(i.a) as i32 as f32;
                self.each_component(i.c, |vm, index| scale * vm.float(i.b + index));
            }
            Op::StoreWide => self.set_wide(i.b, self.wide(i.a)),
            Op::StoreIF => self.set_float(i.b, self.word(i.a) as i32 as f32),
            Op::StoreFI => self.set_word(i.b, truncate(self.float(i.a)) as u32),
            Op::StorePIF => self.store_word(self.target(i), (self.word(i.a) as i32 as f32).to_bits(), host)?,
            Op::StorePFI => self.store_word(self.target(i), truncate(self.float(i.a)) as u32, host)?,
            Op::StorePWide => {
                let ([low, high, _], address) = (self.words(i.a), self.target(i));
                self.store_word(address, low, host)?;
                self.store_word(address.wrapping_add(4), high, host)?;
            }
            Op::StorePChar => self.store_byte(self.element(i.b, i.c, 1), truncate(self.float(i.a)) as u8, host)?,
            Op::StorePByte => self.store_byte(self.element(i.b, i.c, 1), self.word(i.a) as u8, host)?,
            Op::StorePHalf => self.store_half(self.element(i.b, i.c, 2), self.word(i.a) as u16, host)?,
            Op::StoreFieldWide => self.set_field_wide(self.word(i.a), self.word(i.b), self.wide(i.c))?,
            Op::LoadWide => {
                let index = self.entities.index(self.word(i.a), self.word(i.b), 2)?;
                let words = self.entities.words.get(index..).and_then(|w| w.first_chunk()).copied().unwrap_or([0; 2]);
                self.set_wide(i.c, u64::from(words[1]) << 32 | u64::from(words[0]));
            }
            Op::LoadPV => {
                let words = self.load_words(self.source(i), host)?;
                self.set_words(i.c, words);
            }
            Op::LoadPWide => {
                let address = self.source(i);
                let low = self.load_word(address, host)?;
                let high = self.load_word(address.wrapping_add(4), host)?;
                self.set_wide(i.c, u64::from(high) << 32 | u64::from(low));
            }
            Op::LoadPIF => {
                let bits = self.load_word(self.word(i.a), host)?;
                self.set_float(i.c, bits as i32 as f32);
            }
            Op::LoadPFI => {
                let bits = self.load_word(self.word(i.a), host)?;
                self.set_word(i.c, truncate(f32::from_bits(bits)) as u32);
            }
            Op::LoadPChar => {
                let index = if i.b == 0 { 0 } else { truncate(self.float(i.b)) as u32 };
                let byte = self.load_byte(self.word(i.a), index, host)?;
                self.set_float(i.c, f32::from(byte));
            }
            Op::LoadPByte => {
                let byte = self.load_byte(self.word(i.a), self.index(i.b), host)?;
                self.set_word(i.c, u32::from(byte));
            }
            Op::LoadPSignedByte => {
                let byte = self.load_byte(self.word(i.a), self.index(i.b), host)?;
                self.set_word(i.c, i32::from(byte as i8) as u32);
            }
            Op::LoadPHalf => {
                let half = self.load_half(self.word(i.a), self.index(i.b), host)?;
                self.set_word(i.c, u32::from(half));
            }
            Op::LoadPSignedHalf => {
                let half = self.load_half(self.word(i.a), self.index(i.b), host)?;
                self.set_word(i.c, i32::from(half as i16) as u32);
            }
            Op::LoadA => {
                let index = self.global_index(i.a, self.index(i.b), 1)?;
                self.set_word(i.c, self.word(index));
            }
            Op::LoadAV => {
                let index = self.global_index(i.a, self.index(i.b), 3)?;
                self.set_words(i.c, self.words(index));
            }
            Op::LoadAWide => {
                let index = self.global_index(i.a, self.index(i.b), 2)?;
                self.set_wide(i.c, self.wide(index));
            }
            Op::LoadG => {
                let index = self.global_index(0, self.word(i.a), 1)?;
                self.set_word(i.c, self.word(index));
            }
            Op::LoadGV => {
                let index = self.global_index(0, self.word(i.a), 3)?;
                self.set_words(i.c, self.words(index));
            }
            Op::StoreG => {
                let index = self.global_index(0, self.word(i.b), 1)?;
                self.set_word(index, self.word(i.a));
            }
            Op::StoreGV => {
                let index = self.global_index(0, self.word(i.b), 3)?;
                self.set_words(index, self.words(i.a));
            }
            Op::GlobalAddress => self.set_word(i.c, self.global_address(i.a, self.index(i.b))),
            Op::Fetch => {
                let index = self.array_element(i, 1)?;
                self.set_word(i.c, self.word(index));
            }
            Op::FetchV => {
                let index = self.array_element(i, 3)?;
                self.set_words(i.c, self.words(index));
            }
            Op::BoundCheck => {
                let value = self.word(i.a);
                if value < i.c || value >= i.b {
                    return Err(Fault::OutOfBounds { value: value as i32, min: i.c, end: i.b });
                }
            }
            Op::BitCopy => self.set_word(i.c, bit_copy(self.word(i.a), self.word(i.b), self.word(i.c))),
            Op::Random => {
                let value = self.random_float(false);
                self.set_float(i.c, value);
            }
            Op::RandomScaled => {
                let value = self.random_float(false) * self.float(i.a);
                self.set_float(i.c, value);
            }
            Op::RandomBetween => {
                let (low, high) = (self.float(i.a), self.float(i.b));
                let value = low + self.random_float(false) * (high - low);
                self.set_float(i.c, value);
            }
            Op::RandomV => {
                let value = self.random_vector([0.0; 3], [1.0; 3]);
                self.set_vector(i.c, value);
            }
            Op::RandomScaledV => {
                let value = self.random_vector([0.0; 3], self.vector(i.a));
                self.set_vector(i.c, value);
            }
            Op::RandomBetweenV => {
                let value = self.random_vector(self.vector(i.a), self.vector(i.b));
                self.set_vector(i.c, value);
            }
            _ => return self.execute_compound(i, host),
        }
        Ok(())
    }

    fn set_field_wide(&mut self, entity: u32, field: u32, value: u64) -> Result<(), Fault> {
        let index = self.entities.index(entity, field, 2)?;
        if let Some(place) = self.entities.words.get_mut(index..).and_then(|w| w.first_chunk_mut()) {
            *place = [value as u32, (value >> 32) as u32];
        }
        Ok(())
    }

    fn execute_compound<B: Builtins + ?Sized>(&mut self, i: &Instruction, host: &mut B) -> Result<(), Fault> {
        let set = |old: f32, bits: f32| (truncate(old) | truncate(bits)) as f32;
        let clear = |old: f32, bits: f32| (truncate(old) & !truncate(bits)) as f32;
        match i.op {
            Op::BitSetStoreF => self.modify(i, set),
            Op::BitClearStoreF => self.modify(i, clear),
            Op::AddStoreV => self.each_component(i.b, |vm, index| vm.float(i.b + index) + vm.float(i.a + index)),
            Op::SubStoreV => self.each_component(i.b, |vm, index| vm.float(i.b + index) - vm.float(i.a + index)),
            Op::MulStoreVF => {
                let scale = self.float(i.a);
                self.each_component(i.b, |vm, index| vm.float(i.b + index) * scale);
            }
            Op::AddStorePF => self.modify_pointed(i, host, |b, a| b + a)?,
            Op::SubStorePF => self.modify_pointed(i, host, |b, a| b - a)?,
            Op::MulStorePF => self.modify_pointed(i, host, |b, a| b * a)?,
            Op::DivStorePF => self.modify_pointed(i, host, |b, a| b / a)?,
            Op::BitSetStorePF => self.modify_pointed(i, host, set)?,
            Op::BitClearStorePF => self.modify_pointed(i, host, clear)?,
            Op::AddStorePV => self.modify_pointed_vector(i, host, self.vector(i.a), |b, a| b + a)?,
            Op::SubStorePV => self.modify_pointed_vector(i, host, self.vector(i.a), |b, a| b - a)?,
            Op::MulStorePVF => self.modify_pointed_vector(i, host, [self.float(i.a); 3], |b, a| b * a)?,
            _ => {}
        }
        Ok(())
    }
}
