//! What scripts say.

use super::strings::joined;
use crate::qc::Host;
use crate::qc::call::Call;

/// #339, #25: all arguments, one after the other.
pub(crate) fn print(call: &mut Call<'_, impl Host + ?Sized>) {
    let text = joined(call, 0);
    call.host.print(&String::from_utf8_lossy(&text));
}

/// #10: ends the script.
pub(crate) fn error(call: &mut Call<'_, impl Host + ?Sized>) {
    let text = joined(call, 0);
    match call.host.script() {
        Some(host) => host.fail(&text),
        None => call.complain(&String::from_utf8_lossy(&text)),
    }
}
