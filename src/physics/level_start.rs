//! Positions at which players start in a level.

use glam::Vec3;

use super::Level;
use crate::model::Name;

/// Classes of the entities at which players start, the most common first.
const STARTS: [&str; 5] = [
    "info_player_start",
    "info_player_deathmatch",
    "info_player_coop",
    "team_CTF_redplayer",
    "info_player_intermission",
];

impl Level {
    /// Returns the origin of the first entity at which players start, world space in Quake units.
    ///
    /// A start of a single player comes before those of deathmatch, cooperative play and teams. `None` if the level has
    /// none of them. A player's origin is above its feet, by 24 units in most games.
    ///
    /// ```
    /// use skelobj::math::Vec3;
    /// use skelobj::physics::{Entity, Level};
    ///
    /// let mut level = Level::default();
    /// for (class, origin) in [("info_player_deathmatch", "512 0 24"), ("info_player_start", "0 64 24")] {
    ///     let mut entity = Entity::default();
    ///     entity.pairs = vec![("classname".into(), class.into()), ("origin".into(), origin.into())];
    ///     level.entities.push(entity);
    /// }
    /// assert_eq!(level.player_start(), Some(Vec3::new(0.0, 64.0, 24.0)));
    /// ```
    #[must_use]
    pub fn player_start(&self) -> Option<Vec3> {
        let of_class = |class: &str| {
            let is_of = |name: &Name| *name == *class;
            self.entities.iter().find(|entity| entity.get("classname").is_some_and(is_of))
        };
        STARTS.into_iter().find_map(of_class).map(|entity| entity.vector("origin"))
    }
}
