//! PNG files of pictures with a palette.

/// Number of colours of a palette, each red, green and blue.
const COLORS: usize = 256;
/// Size of a palette, bytes.
pub(super) const PALETTE: usize = COLORS * 3;

/// Size of a chunk without its contents: length, name and checksum.
const CHUNK: usize = 12;
/// Maximum size of a block of uncompressed data.
const BLOCK: usize = 0xffff;

/// Picture of at least one pixel.
pub(super) struct Picture<'a> {
    pub width: u32,
    /// Rows of pixels from the top, each the number of a colour.
    pub pixels: &'a [u8],
    pub palette: [u8; PALETTE],
    /// Colour that is clear.
    pub clear: Option<u8>,
}

impl Picture<'_> {
    /// Returns an upper bound of the size of the file, bytes.
    pub fn memory(&self) -> u64 {
        let rows = self.pixels.len() / self.width as usize;
        let data = self.pixels.len() + rows;
        let blocks = data / BLOCK + 1;
        (5 * CHUNK + 32 + PALETTE + COLORS + data + blocks * 5) as u64
    }

    /// Encodes the picture without compression, which would be work for nothing: models are read to be drawn.
    pub fn png(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.memory() as usize);
        out.extend(b"\x89PNG\r\n\x1a\n");
        let rows = self.pixels.chunks(self.width as usize);
        // Eight bits per pixel, numbers of colours, and the only methods of compression, filtering and order.
        let [width, height] = [self.width, rows.len() as u32].map(u32::to_be_bytes);
        chunk(&mut out, b"IHDR", |out| out.extend([&width[..], &height, &[8, 3, 0, 0, 0]].concat()));
        chunk(&mut out, b"PLTE", |out| out.extend(self.palette));
        if let Some(clear) = self.clear {
            let opacity = |color: usize| if color == usize::from(clear) { 0 } else { 255 };
            chunk(&mut out, b"tRNS", |out| out.extend((0..COLORS).map(opacity)));
        }
        chunk(&mut out, b"IDAT", |out| deflate(out, rows));
        chunk(&mut out, b"IEND", |_| {});
        out
    }
}

fn chunk(out: &mut Vec<u8>, name: &[u8; 4], contents: impl FnOnce(&mut Vec<u8>)) {
    let start = out.len();
    out.extend([0; 4]);
    out.extend(name);
    contents(out);
    let length = (out.len() - start - 8) as u32;
    out[start..start + 4].copy_from_slice(&length.to_be_bytes());
    let checksum = !out[start + 4..].iter().fold(!0, |sum, byte| CHECKSUMS[(sum as u8 ^ byte) as usize] ^ sum >> 8);
    out.extend(checksum.to_be_bytes());
}

/// Appends rows, none of them filtered, in blocks that are not compressed.
fn deflate<'a>(out: &mut Vec<u8>, rows: impl Iterator<Item = &'a [u8]>) {
    const FILTER: [u8; 1] = [0];
    const MODULUS: u32 = 65521;
    out.extend([0x78, 0x01]);
    let mut block = out.len();
    let start = |out: &mut Vec<u8>| out.extend([0; 5]);
    start(out);
    let (mut a, mut b) = (1, 0);
    for mut part in rows.flat_map(|row| [&FILTER[..], row]) {
        while !part.is_empty() {
            let room = BLOCK + 5 - (out.len() - block);
            let (now, rest) = part.split_at(part.len().min(room));
            out.extend(now);
            // So few bytes do not overflow the sums.
            for few in now.chunks(4096) {
                for &byte in few {
                    a += u32::from(byte);
                    b += a;
                }
                (a, b) = (a % MODULUS, b % MODULUS);
            }
            if now.len() == room {
                finish(&mut out[block..], false);
                block = out.len();
                start(out);
            }
            part = rest;
        }
    }
    finish(&mut out[block..], true);
    out.extend((b << 16 | a).to_be_bytes());
}

/// Writes the header of a block.
fn finish(block: &mut [u8], is_last: bool) {
    let length = (block.len() - 5) as u16;
    block[0] = u8::from(is_last);
    block[1..3].copy_from_slice(&length.to_le_bytes());
    block[3..5].copy_from_slice(&(!length).to_le_bytes());
}

/// Checksum of each byte.
const CHECKSUMS: [u32; 256] = {
    let mut all = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut sum = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            sum = if sum & 1 == 1 { 0xedb8_8320 ^ sum >> 1 } else { sum >> 1 };
            bit += 1;
        }
        all[byte] = sum;
        byte += 1;
    }
    all
};
