//! Quake III players: three models with tags.

use std::ffi::c_char;

use skelobj::math::Mat3x4;
use skelobj::model::{Player, PlayerFrames};

use super::{SkelobjFrameDef, SkelobjLoadDef, load, skelobj_default_load_def};
use crate::SkelobjStatus;
use crate::error::Failure;
use crate::guard;
use crate::id::{Id, SkelobjModel, SkelobjPlayer};
use crate::numbers;
use crate::pointer::{In, InMatrix, Out, OutMatrix};
use crate::table::{self, Entry};
use skelobj::LoadOptions;

/// Part of a player.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SkelobjPart {
    /// Legs, which stand where the entity stands.
    Lower = 0,
    /// Torso.
    Upper = 1,
    /// Head.
    Head = 2,
    /// All three as one vertex-animated model in the space of the legs, with the animations of animation.cfg.
    Whole = 3,
}

/// Loads the player in a folder, with the named skin, through the files of a load def, and returns its id; none on
/// failure. The folder is a plain path.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_player_load(folder: In<c_char>, skin: In<c_char>, def: In<SkelobjLoadDef>) -> SkelobjPlayer {
    guard::value(SkelobjPlayer::NONE, || {
        let (folder, skin, def) = (folder.text()?, skin.text()?, def.def_or(skelobj_default_load_def)?);
        let player = Player::load_with(&LoadOptions::default().with_limits(def.limits.into()), folder, skin, |name| {
            def.files.find(name)
        })?;
        table::insert(Entry::Player(player.into()))
    })
}

/// Returns 1 if a player has this id, otherwise 0.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_player_is_valid(player: SkelobjPlayer) -> i32 {
    guard::value(0, || Ok(numbers::flag(table::has(player))))
}

/// Frees a player. Models made from its parts stay.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_player_free(player: SkelobjPlayer) -> SkelobjStatus {
    guard::status(|| table::remove(player))
}

/// Makes a model of a part (SKELOBJ_PART_...) of a player, or of all three, to be drawn, and returns its id; none on
/// failure. A whole player may take 256 MiB.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_player_model(player: SkelobjPlayer, part: i32) -> SkelobjModel {
    guard::value(SkelobjModel::NONE, || {
        let player = table::player(player)?;
        let model = match part {
            0 => player.lower.clone(),
            1 => player.upper.clone(),
            2 => player.head.clone(),
            3 => player.to_model()?,
            _ => return Err(Failure::not_found(format_args!("part {part}"))),
        };
        load::insert(model)
    })
}

/// Writes the frame of an animation that animation.cfg names, such as "LEGS_RUN", at `time` seconds.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_player_frame(
    player: SkelobjPlayer,
    animation: In<c_char>,
    time: f64,
    frame: Out<SkelobjFrameDef>,
) -> SkelobjStatus {
    guard::status(|| {
        let (place, player, name) = (frame.place()?, table::player(player)?, animation.text()?);
        let found = player.frame_state(name, time);
        let state = found.ok_or_else(|| Failure::not_found(format_args!("animation \"{name}\" of a player")))?;
        place.set(SkelobjFrameDef::new(&state));
        Ok(())
    })
}

/// Writes where torso, head and weapon are, relative to the legs. Frames that are null play the start; turns of torso
/// and head that are null do not turn. Results that are null are not wanted.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_player_place(
    player: SkelobjPlayer,
    lower: In<SkelobjFrameDef>,
    upper: In<SkelobjFrameDef>,
    torso_turn: InMatrix,
    head_turn: InMatrix,
    upper_matrix: OutMatrix,
    head_matrix: OutMatrix,
    weapon_matrix: OutMatrix,
) -> SkelobjStatus {
    guard::status(|| {
        let player = table::player(player)?;
        let places = [upper_matrix.wanted()?, head_matrix.wanted()?, weapon_matrix.wanted()?];
        let turn = |turn: InMatrix| if turn.is_null() { Ok(Mat3x4::IDENTITY) } else { turn.matrix() };
        let mut pose =
            PlayerFrames { torso_turn: turn(torso_turn)?, head_turn: turn(head_turn)?, ..PlayerFrames::default() };
        if !lower.is_null() {
            pose.lower = lower.state()?;
        }
        if !upper.is_null() {
            pose.upper = upper.state()?;
        }
        let parts = player.place(&pose);
        for (place, matrix) in places.into_iter().zip([parts.upper, parts.head, parts.weapon]) {
            if let Some(place) = place {
                place.set(matrix.0);
            }
        }
        Ok(())
    })
}
