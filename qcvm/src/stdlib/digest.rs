//! Digests of texts.

use super::call::Call;
use super::strings::joined;
use crate::Fault;

/// Returns the CRC of Quake's files: 16 bits, polynomial 0x1021, initial value 0xffff, not reflected.
fn crc16(bytes: &[u8]) -> u16 {
    bytes.iter().fold(0xffff, |crc, byte| {
        (0..8).fold(crc ^ (u16::from(*byte) << 8), |crc, _| (crc << 1) ^ if crc & 0x8000 == 0 { 0 } else { 0x1021 })
    })
}

/// Returns the arguments from the second on as one text, whose bytes are charged.
fn text(call: &mut Call<'_>) -> Result<Vec<u8>, Fault> {
    let text = joined(call, 1)?;
    call.machine.charge(text.len() as u64)?;
    Ok(text)
}

/// Runs `crc16` (#494).
pub(super) fn crc(call: &mut Call<'_>) -> Result<(), Fault> {
    let ignores_case = call.float(0) != 0.0;
    let mut text = text(call)?;
    if ignores_case {
        text.make_ascii_lowercase();
    }
    call.return_float(f32::from(crc16(&text)))
}

/// Runs `digest_hex` (#639): the bytes of the CRC from the lowest on, as FTE writes them.
pub(super) fn digest_hex(call: &mut Call<'_>) -> Result<(), Fault> {
    if call.string(0)? != b"CRC16" {
        call.machine.return_bits(0);
        return Ok(());
    }
    let [low, high] = crc16(&text(call)?).to_le_bytes();
    call.return_string(format!("{low:02x}{high:02x}").as_bytes())
}
