//! Entities of a machine and their fields.

use super::fault::Fault;
use super::machine::Machine;
use super::progs::Field;
use super::stdlib::{anglemod, finite};
use super::values::{UNITS_A_STATEMENT, floats};

/// Bit of `flags` of items.
const ITEM: i32 = 256;

impl Machine {
    /// Returns the number of entity numbers in use: those of the world (0), of living entities and of removed ones.
    ///
    /// # Example
    /// ```
    /// use skelobj_qcvm::{Machine, Progs};
    ///
    /// let progs = Progs::load(&std::fs::read("examples/game.dat")?)?;
    /// let mut machine = Machine::new(progs.into());
    /// let monster = machine.spawn_entity()?;
    /// machine.remove_entity(monster)?;
    /// assert_eq!(machine.entity_count(), 2); // the world and the removed monster
    ///
    /// let living = (0..machine.entity_count()).filter(|&entity| machine.is_entity_alive(entity));
    /// assert_eq!(living.count(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn entity_count(&self) -> u32 {
        self.entities.count()
    }

    /// Returns `true` if `entity` is the world, or was spawned and not removed.
    ///
    /// # Example
    /// ```
    /// use skelobj_qcvm::{Machine, Progs};
    ///
    /// let progs = Progs::load(&std::fs::read("examples/game.dat")?)?;
    /// let mut machine = Machine::new(progs.into());
    /// let monster = machine.spawn_entity()?;
    /// assert!(machine.is_entity_alive(monster));
    /// machine.remove_entity(monster)?;
    /// assert!(!machine.is_entity_alive(monster));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_entity_alive(&self, entity: u32) -> bool {
        self.entities.is_alive(entity)
    }

    /// Returns how often the number `entity` was given to a new entity: 1 from its first spawn on, 2 once a removed
    /// entity's number is used again.
    ///
    /// A host that keeps entity numbers, for example of what it has sent to clients, tells by it whether a number still
    /// means the same entity.
    ///
    /// # Example
    /// ```
    /// use skelobj_qcvm::{Limits, Machine, Progs};
    ///
    /// let progs = Progs::load(&std::fs::read("examples/game.dat")?)?;
    /// let mut machine = Machine::with_limits(progs.into(), Limits { entities: 2, ..Limits::default() });
    /// let monster = machine.spawn_entity()?;
    /// assert_eq!(machine.entity_generation(monster), 1);
    /// machine.remove_entity(monster)?;
    /// assert_eq!(machine.spawn_entity()?, monster); // no other number is left
    /// assert_eq!(machine.entity_generation(monster), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn entity_generation(&self, entity: u32) -> u32 {
        self.entities.changes(entity).div_ceil(2)
    }

    /// Spawns an entity with all fields 0 and returns its number.
    ///
    /// Numbers of removed entities are reused, oldest first, once more than 32 are free or the limit is reached.
    ///
    /// # Errors
    /// [`Fault::NoFreeEntity`] at the limit of [`Limits`](super::Limits); [`Fault::Runaway`] if the call has no
    /// statements left.
    ///
    /// # Example
    /// ```
    /// use skelobj_qcvm::{Machine, Progs};
    ///
    /// let progs = Progs::load(&std::fs::read("examples/game.dat")?)?;
    /// let mut machine = Machine::new(progs.into());
    /// let monster = machine.spawn_entity()?;
    /// let health = machine.progs().field(b"health").ok_or("no health")?;
    /// assert_eq!(machine.field_float(monster, health)?, 0.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn spawn_entity(&mut self) -> Result<u32, Fault> {
        self.charge(u64::from(self.entities.size) / UNITS_A_STATEMENT)?;
        self.entities.spawn()
    }

    /// Removes an entity. Its fields keep their values until its number is reused.
    ///
    /// Removing an entity twice has no further effect.
    ///
    /// # Errors
    /// [`Fault::RemovedWorld`] for entity 0, [`Fault::BadEntity`] for an entity that was never spawned.
    ///
    /// # Example
    /// ```
    /// use skelobj_qcvm::{Fault, Machine, Progs};
    ///
    /// let progs = Progs::load(&std::fs::read("examples/game.dat")?)?;
    /// let mut machine = Machine::new(progs.into());
    /// let monster = machine.spawn_entity()?;
    /// assert_eq!(machine.remove_entity(monster), Ok(()));
    /// assert_eq!(machine.remove_entity(0), Err(Fault::RemovedWorld));
    /// assert_eq!(machine.remove_entity(99), Err(Fault::BadEntity(99)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn remove_entity(&mut self, entity: u32) -> Result<(), Fault> {
        self.entities.remove(entity)
    }

    /// Returns all words of an entity, for reading many fields at once. A field starts at the index [`Field::offset`].
    ///
    /// # Errors
    /// [`Fault::BadEntity`] for an entity that was never spawned.
    ///
    /// # Example
    /// ```
    /// use skelobj_qcvm::{Machine, Progs};
    ///
    /// let progs = Progs::load(&std::fs::read("examples/game.dat")?)?;
    /// let mut machine = Machine::new(progs.into());
    /// let monster = machine.spawn_entity()?;
    /// let health = machine.progs().field(b"health").ok_or("no health")?;
    /// machine.set_field_float(monster, health, 40.0)?;
    /// let words = machine.fields(monster)?;
    /// assert_eq!(f32::from_bits(words[health.offset as usize]), 40.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn fields(&self, entity: u32) -> Result<&[u32], Fault> {
        let start = self.entities.index(entity, 0, 0)?;
        let size = self.progs.entity_words as usize;
        Ok(self.entities.words.get(start..start + size).unwrap_or_default())
    }

    /// Returns the words of an entity and of all entities after it; `None` for an entity that was never spawned.
    ///
    /// The slice is not cut at the entity's end, which makes this faster than [`fields`](Self::fields) for a caller who
    /// reads only offsets from [`Progs::field`](crate::Progs::field).
    #[inline]
    pub fn fields_from(&self, entity: u32) -> Option<&[u32]> {
        self.entities.words_from(entity)
    }

    /// Returns the first word of an entity's field.
    ///
    /// # Errors
    /// [`Fault::BadEntity`] for an entity that was never spawned; [`Fault::BadField`] for a field of another progs.
    ///
    /// # Example
    /// ```
    /// use skelobj_qcvm::{Machine, Progs};
    ///
    /// let progs = Progs::load(&std::fs::read("examples/game.dat")?)?;
    /// let mut machine = Machine::new(progs.into());
    /// let monster = machine.spawn_entity()?;
    /// let netname = machine.progs().field(b"netname").ok_or("no netname")?;
    /// let name = machine.permanent_string(b"ogre")?;
    /// machine.set_field(monster, netname, name)?;
    /// assert_eq!(machine.string(machine.field(monster, netname)?)?, b"ogre");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn field(&self, entity: u32, field: Field) -> Result<u32, Fault> {
        self.field_at(entity, field.offset)
    }

    /// Returns the first word of the field at `offset`, which is how QuakeC passes a field to a builtin such as `find`.
    ///
    /// # Errors
    /// [`Fault::BadEntity`] for an entity that was never spawned; [`Fault::BadField`] for an offset beyond the entity.
    ///
    /// # Example
    /// ```
    /// use skelobj_qcvm::{Fault, Machine, Progs};
    ///
    /// let progs = Progs::load(&std::fs::read("examples/game.dat")?)?;
    /// let mut machine = Machine::new(progs.into());
    /// let monster = machine.spawn_entity()?;
    /// assert_eq!(machine.field_at(monster, 0), Ok(0));
    /// assert_eq!(machine.field_at(monster, 1000), Err(Fault::BadField(1000)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn field_at(&self, entity: u32, offset: u32) -> Result<u32, Fault> {
        self.entities.word(entity, offset).copied()
    }

    /// Returns an entity's field as a float.
    ///
    /// # Errors
    /// The errors of [`field`](Self::field).
    ///
    /// # Example
    /// ```
    /// use skelobj_qcvm::{Machine, Progs};
    ///
    /// let progs = Progs::load(&std::fs::read("examples/game.dat")?)?;
    /// let mut machine = Machine::new(progs.into());
    /// let monster = machine.spawn_entity()?;
    /// let health = machine.progs().field(b"health").ok_or("no health")?;
    /// machine.set_field_float(monster, health, 100.0)?;
    /// assert_eq!(machine.field_float(monster, health)?, 100.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn field_float(&self, entity: u32, field: Field) -> Result<f32, Fault> {
        self.field(entity, field).map(f32::from_bits)
    }

    /// Returns an entity's field as a vector.
    ///
    /// # Errors
    /// [`Fault::BadEntity`] for an entity that was never spawned; [`Fault::BadField`] for a field with fewer than three
    /// words left in the entity.
    ///
    /// # Example
    /// ```
    /// use skelobj_qcvm::{Machine, Progs};
    ///
    /// let progs = Progs::load(&std::fs::read("examples/game.dat")?)?;
    /// let mut machine = Machine::new(progs.into());
    /// let monster = machine.spawn_entity()?;
    /// let origin = machine.progs().field(b"origin").ok_or("no origin")?;
    /// assert_eq!(machine.field_vector(monster, origin)?, [0.0; 3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn field_vector(&self, entity: u32, field: Field) -> Result<[f32; 3], Fault> {
        self.entity_words(entity, field.offset).map(floats)
    }

    /// Sets the first word of an entity's field.
    ///
    /// # Errors
    /// The errors of [`field`](Self::field). On error, nothing changes.
    ///
    /// # Example
    /// A game's `find` needs names that live as long as the entity.
    /// ```
    /// use skelobj_qcvm::{Machine, Progs};
    ///
    /// let progs = Progs::load(&std::fs::read("examples/game.dat")?)?;
    /// let mut machine = Machine::new(progs.into());
    /// let monster = machine.spawn_entity()?;
    /// let netname = machine.progs().field(b"netname").ok_or("no netname")?;
    /// let name = machine.permanent_string(b"shambler")?;
    /// machine.set_field(monster, netname, name)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_field(&mut self, entity: u32, field: Field, bits: u32) -> Result<(), Fault> {
        self.set_field_at(entity, field.offset, bits)
    }

    /// Sets the first word of the field at `offset`, which is how QuakeC passes a field to a builtin.
    ///
    /// # Errors
    /// The errors of [`field_at`](Self::field_at). On error, nothing changes.
    pub fn set_field_at(&mut self, entity: u32, offset: u32, bits: u32) -> Result<(), Fault> {
        let index = self.entities.index(entity, offset, 1)?;
        if let Some(word) = self.entities.words.get_mut(index) {
            *word = bits;
        }
        Ok(())
    }

    /// Sets an entity's field to a float.
    ///
    /// # Errors
    /// The errors of [`field`](Self::field). On error, nothing changes.
    ///
    /// # Example
    /// ```
    /// use skelobj_qcvm::{Fault, Machine, Progs};
    ///
    /// let progs = Progs::load(&std::fs::read("examples/game.dat")?)?;
    /// let mut machine = Machine::new(progs.into());
    /// let health = machine.progs().field(b"health").ok_or("no health")?;
    /// assert_eq!(machine.set_field_float(0, health, 1.0), Ok(())); // the world has health, too
    /// assert_eq!(machine.set_field_float(9, health, 1.0), Err(Fault::BadEntity(9)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_field_float(&mut self, entity: u32, field: Field, value: f32) -> Result<(), Fault> {
        self.set_field(entity, field, value.to_bits())
    }

    /// Sets an entity's field to a vector.
    ///
    /// # Errors
    /// The errors of [`field_vector`](Self::field_vector). On error, nothing changes.
    ///
    /// # Example
    /// ```
    /// use skelobj_qcvm::{Machine, Progs};
    ///
    /// let progs = Progs::load(&std::fs::read("examples/game.dat")?)?;
    /// let mut machine = Machine::new(progs.into());
    /// let monster = machine.spawn_entity()?;
    /// let origin = machine.progs().field(b"origin").ok_or("no origin")?;
    /// machine.set_field_vector(monster, origin, [128.0, 64.0, 24.0])?;
    /// assert_eq!(machine.field_vector(monster, origin)?, [128.0, 64.0, 24.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_field_vector(&mut self, entity: u32, field: Field, value: [f32; 3]) -> Result<(), Fault> {
        self.set_entity_words(entity, field.offset, value.map(f32::to_bits))
    }

    /// Sets `mins`, `maxs` and `size` of an entity, and what [`link_entity`](Self::link_entity) sets, in the fields
    /// that the progs has.
    ///
    /// # Errors
    /// [`Fault::BadEntity`] for an entity that was never spawned.
    ///
    /// # Example
    /// ```
    /// use skelobj_qcvm::{Fault, Machine, Progs};
    ///
    /// let progs = Progs::load(&std::fs::read("examples/game.dat")?)?;
    /// let mut machine = Machine::new(progs.into());
    /// let door = machine.spawn_entity()?;
    /// machine.set_entity_size(door, [[-16.0; 3], [16.0; 3]])?;
    /// assert_eq!(machine.set_entity_size(9, [[0.0; 3]; 2]), Err(Fault::BadEntity(9)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_entity_size(&mut self, entity: u32, [mins, maxs]: [[f32; 3]; 2]) -> Result<(), Fault> {
        let size = std::array::from_fn(|axis| finite(maxs[axis] - mins[axis]));
        for (field, value) in self.names.size.into_iter().zip([mins, maxs, size]) {
            if let Some(field) = field {
                self.set_field_vector(entity, field, value)?;
            }
        }
        self.link_entity(entity)
    }

    /// Turns an entity to the yaw in `ideal_yaw` by at most the degrees in `yaw_speed`, the shorter way, in the fields
    /// that the progs has.
    ///
    /// # Errors
    /// [`Fault::BadEntity`] for an entity that was never spawned.
    ///
    /// # Example
    /// ```
    /// use skelobj_qcvm::{Fault, Machine, Progs};
    ///
    /// let progs = Progs::load(&std::fs::read("examples/game.dat")?)?;
    /// let mut machine = Machine::new(progs.into());
    /// let monster = machine.spawn_entity()?;
    /// machine.change_yaw(monster)?; // this game turns nothing
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn change_yaw(&mut self, entity: u32) -> Result<(), Fault> {
        let Some(angles) = self.names.angles else { return Ok(()) };
        let float = |field: Option<Field>| field.map_or(Ok(0.0), |field| self.field_float(entity, field)).map(finite);
        let (ideal, speed) = (float(self.names.ideal_yaw)?, float(self.names.yaw_speed)?.abs());
        let [pitch, yaw, roll] = self.field_vector(entity, angles)?;
        let yaw = finite(yaw);
        let way = anglemod(finite(ideal - yaw));
        let way = if way > 180.0 { way - 360.0 } else { way };
        self.set_field_vector(entity, angles, [pitch, anglemod(yaw + way.clamp(-speed, speed)), roll])
    }

    /// Sets `absmin` and `absmax` of an entity to the box at its origin, as engines do after each motion: one unit
    /// wider on each side, for items (bit 256 of `flags`) 15 units wider to the sides.
    ///
    /// # Errors
    /// [`Fault::BadEntity`] for an entity that was never spawned.
    ///
    /// # Example
    /// ```
    /// use skelobj_qcvm::{Machine, Progs};
    ///
    /// let progs = Progs::load(&std::fs::read("examples/game.dat")?)?;
    /// let mut machine = Machine::new(progs.into());
    /// let monster = machine.spawn_entity()?;
    /// let origin = machine.progs().field(b"origin").ok_or("no origin")?;
    /// machine.set_field_vector(monster, origin, [0.0, 0.0, 24.0])?;
    /// machine.link_entity(monster)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn link_entity(&mut self, entity: u32) -> Result<(), Fault> {
        let vector = |field: Option<Field>| field.map_or(Ok([0.0; 3]), |field| self.field_vector(entity, field));
        let (origin, [mins, maxs, _]) = (vector(self.names.origin)?, self.names.size);
        let corners = [vector(mins)?, vector(maxs)?];
        let flags = self.names.flags.map_or(Ok(0.0), |flags| self.field_float(entity, flags))?;
        let wider = if flags as i32 & ITEM != 0 { [15.0, 15.0, 0.0] } else { [1.0; 3] };
        for ((field, corner), side) in self.names.extent.into_iter().zip(corners).zip([-1.0, 1.0]) {
            let corner = std::array::from_fn(|axis| finite(origin[axis] + corner[axis] + side * wider[axis]));
            if let Some(field) = field {
                self.set_field_vector(entity, field, corner)?;
            }
        }
        Ok(())
    }

    pub(super) fn entity_words(&self, entity: u32, field: u32) -> Result<[u32; 3], Fault> {
        let index = self.entities.index(entity, field, 3)?;
        Ok(self.entities.words.get(index..).and_then(|w| w.first_chunk()).copied().unwrap_or_default())
    }

    pub(super) fn set_entity_words(&mut self, entity: u32, field: u32, words: [u32; 3]) -> Result<(), Fault> {
        let index = self.entities.index(entity, field, 3)?;
        if let Some(place) = self.entities.words.get_mut(index..).and_then(|w| w.first_chunk_mut()) {
            *place = words;
        }
        Ok(())
    }
}
