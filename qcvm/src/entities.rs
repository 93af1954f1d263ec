//! Entities: numbered records of words. Number 0 is the world.

use super::fault::Fault;
use std::collections::VecDeque;

/// Number of removed entities that wait before the first is reused, so that a stale number rarely finds a new owner.
const REUSE_DELAY: usize = 32;

/// Entities of a machine, in one run of words.
#[derive(Debug)]
pub(super) struct Entities {
    pub(super) words: Vec<u32>,
    /// Number of words per entity.
    pub(super) size: u32,
    /// Numbers of times that each entity was spawned or removed: odd while it is alive.
    changes: Vec<u32>,
    free: VecDeque<u32>,
    limit: u32,
}

impl Entities {
    /// Creates the world alone, with room for `limit` entities of `size` words, or `words` words in total.
    pub(super) fn new(size: u32, limit: u32, words: u32) -> Self {
        let limit = limit.min(words.checked_div(size).unwrap_or(limit)).max(1);
        Entities { words: vec![0; size as usize], size, changes: vec![1], free: VecDeque::new(), limit }
    }

    /// Returns the number of entity numbers in use, those of removed entities included.
    pub(super) fn count(&self) -> u32 {
        self.changes.len() as u32
    }

    pub(super) fn is_alive(&self, entity: u32) -> bool {
        self.changes.get(entity as usize).is_some_and(|changes| changes & 1 == 1)
    }

    pub(super) fn changes(&self, entity: u32) -> u32 {
        self.changes.get(entity as usize).copied().unwrap_or(0)
    }

    /// Creates an entity with all fields 0, and returns its number: that of the entity longest removed if many wait,
    /// else a new number, else that of any removed entity.
    pub(super) fn spawn(&mut self) -> Result<u32, Fault> {
        let full = self.count() >= self.limit;
        if full || self.free.len() > REUSE_DELAY {
            let entity = self.free.pop_front().ok_or(Fault::NoFreeEntity { most: self.limit })?;
            let start = entity as usize * self.size as usize;
            if let Some(words) = self.words.get_mut(start..start + self.size as usize) {
                words.fill(0);
            }
            if let Some(changes) = self.changes.get_mut(entity as usize) {
                *changes = changes.wrapping_add(1);
            }
            return Ok(entity);
        }
        let entity = self.count();
        self.words.resize(self.words.len() + self.size as usize, 0);
        self.changes.push(1);
        Ok(entity)
    }

    /// Removes an entity; its fields keep their values until its number is reused. Removing it twice has no effect.
    pub(super) fn remove(&mut self, entity: u32) -> Result<(), Fault> {
        if entity == 0 {
            return Err(Fault::RemovedWorld);
        }
        let changes = self.changes.get_mut(entity as usize).ok_or(Fault::BadEntity(entity))?;
        if *changes & 1 == 1 {
            *changes = changes.wrapping_add(1);
            self.free.push_back(entity);
        }
        Ok(())
    }

    /// Returns the first word of a field.
    #[inline]
    pub(super) fn word(&self, entity: u32, field: u32) -> Result<&u32, Fault> {
        let index = usize::try_from(u64::from(entity) * u64::from(self.size) + u64::from(field));
        match index.ok().and_then(|index| self.words.get(index)) {
            Some(word) if field < self.size => Ok(word),
            _ => Err(self.index(entity, field, 1).err().unwrap_or(Fault::BadField(field))),
        }
    }

    /// Returns the words of an entity and of all entities after it.
    #[inline]
    pub(super) fn words_from(&self, entity: u32) -> Option<&[u32]> {
        self.words.get(usize::try_from(u64::from(entity) * u64::from(self.size)).ok()?..)
    }

    /// Returns the index in [`words`](Self::words) of a field of `words` words.
    #[inline]
    pub(super) fn index(&self, entity: u32, field: u32, words: u32) -> Result<usize, Fault> {
        if u64::from(field) + u64::from(words) > u64::from(self.size) {
            return Err(Fault::BadField(field));
        }
        if entity >= self.count() {
            return Err(Fault::BadEntity(entity));
        }
        Ok(entity as usize * self.size as usize + field as usize)
    }
}
