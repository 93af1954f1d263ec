//! Builtins that print, end the script, or ask about extensions.

use super::EXTENSIONS;
use super::call::Call;
use super::strings::joined;
use crate::Fault;

/// Cost of looking up an extension and its builtins, in statements.
const EXTENSION: u64 = 256;

/// Runs `print` (#339) and `dprint` (#25): all arguments, one after the other.
pub(super) fn print(call: &mut Call<'_>) -> Result<(), Fault> {
    let text = joined(call, 0)?;
    call.charge_bytes(text.len())?;
    call.host.print(&text);
    Ok(())
}

/// Runs `error` (#10): ends the script.
pub(super) fn error(call: &mut Call<'_>) -> Result<(), Fault> {
    Err(Fault::Script(joined(call, 0)?.trim_ascii_end().into()))
}

/// Runs `checkextension` (#99): names are compared case-insensitively.
pub(super) fn checkextension(call: &mut Call<'_>) -> Result<(), Fault> {
    let name = call.string(0)?;
    call.machine.charge(EXTENSION)?;
    let ours = EXTENSIONS.iter().any(|extension| extension.is_named(name));
    let known = ours || call.host.has_extension(name);
    call.return_float(f32::from(u8::from(known)))
}
