//! Settings of the physics in a recording: builds may have other defaults.

use serde_json::{Value, json};
use skelobj::physics::PhysicsSettings;

use super::fields::Fields;

/// Maximum work of the physics of a recording, as a multiple of that of `skelobj sim`, which has no options for it:
/// other builds may have other defaults, but none that take hours.
const MAX_WORK: f32 = 4.0;

/// Returns the settings as JSON.
pub fn to_json(settings: &PhysicsSettings) -> Value {
    json!({
        "gravity": settings.gravity.to_array(),
        "length_unit": settings.length_unit,
        "step": settings.step,
        "max_step_debt": settings.max_step_debt,
        "iterations": settings.iterations,
        "internal_iterations": settings.internal_iterations,
        "linear_damping": settings.linear_damping,
        "angular_damping": settings.angular_damping,
        "friction": settings.friction,
        "sleep_speed": settings.sleep_speed,
        "max_contact_pairs": settings.max_contact_pairs,
    })
}

/// Returns the settings in JSON.
///
/// # Errors
/// The field that is absent or wrong.
pub fn from_json(fields: &Fields) -> Result<PhysicsSettings, String> {
    let mut settings = PhysicsSettings::default();
    settings.gravity = fields.vector("gravity")?;
    // Recordings from before the setting lack it.
    if fields.0.get("length_unit").is_some() {
        settings.length_unit = fields.number("length_unit")?;
    }
    settings.step = fields.number("step")?;
    settings.max_step_debt = fields.number("max_step_debt")?;
    settings.iterations = fields.count("iterations")?;
    settings.internal_iterations = fields.count("internal_iterations")?;
    settings.linear_damping = fields.number("linear_damping")?;
    settings.angular_damping = fields.number("angular_damping")?;
    settings.friction = fields.number("friction")?;
    settings.sleep_speed = fields.number("sleep_speed")?;
    // Recordings from before the limit lack it.
    if fields.0.get("max_contact_pairs").is_some() {
        settings.max_contact_pairs = u32::try_from(fields.count("max_contact_pairs")?).unwrap_or(u32::MAX);
    }
    settings.check().map_err(|error| format!("its header is wrong: {error}"))?;
    let ours = PhysicsSettings::default();
    let times = work(&settings) / work(&ours);
    if times > MAX_WORK {
        return Err(format!(
            "its physics take {times:.0} times the work of those of `skelobj sim`, expected at most {MAX_WORK}"
        ));
    }
    if settings.max_contact_pairs > ours.max_contact_pairs {
        let (found, most) = (settings.max_contact_pairs, ours.max_contact_pairs);
        return Err(format!("its header is wrong: max_contact_pairs is {found}, expected at most {most}"));
    }
    Ok(settings)
}

/// Returns a measure of the work of a second of physics.
fn work(settings: &PhysicsSettings) -> f32 {
    (settings.iterations * settings.internal_iterations) as f32 / settings.step
}
