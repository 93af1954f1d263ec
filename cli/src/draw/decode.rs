//! Decoding of images: PNG, JPEG, TGA and PCX.

use std::io::Cursor;

use png::{BitDepth, ColorType, Transformations};
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

/// Greatest width and height of an image, pixels.
const LARGEST: usize = 8192;
/// Maximum number of pixels of an image.
const MAX_PIXELS: usize = 1 << 24;
/// Number of passes over the pixels of a progressive JPEG.
const USUAL_SCANS: usize = 16;

/// Image as rows of RGBA from the top.
pub struct Image {
    /// Width and height, pixels.
    pub size: [usize; 2],
    /// Pixels, sRGB with straight alpha.
    pub pixels: Vec<[u8; 4]>,
}

/// Decodes an image; the first bytes tell the format, and what is neither PNG, JPEG nor PCX is TGA. The pixels that its
/// header states are taken from `room` before any is decoded, and stay taken if the image turns out to be damaged.
///
/// # Errors
/// The reason for which the image is not usable.
pub fn image(bytes: &[u8], room: &mut usize) -> Result<Image, String> {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => png(bytes, room),
        [0xff, 0xd8, ..] => jpeg(bytes, room),
        [0x0a, 0..=5, 1, 8, ..] => pcx(bytes, room),
        _ => tga(bytes, room),
    }
}

/// Returns the number of pixels of an image of some size, and takes `layers` times as many from `room`.
fn area(size: [usize; 2], layers: usize, room: &mut usize) -> Result<usize, String> {
    let [width, height] = size;
    let fits = (1..=LARGEST).contains(&width) && (1..=LARGEST).contains(&height) && width * height <= MAX_PIXELS;
    if !fits {
        return Err(format!("it is {width} x {height} pixels"));
    }
    *room = room.checked_sub(width * height * layers).ok_or("the textures are too large together")?;
    Ok(width * height)
}

fn png(bytes: &[u8], room: &mut usize) -> Result<Image, String> {
    let mut decoder = png::Decoder::new_with_limits(Cursor::new(bytes), png::Limits { bytes: MAX_PIXELS * 8 });
    decoder.set_transformations(Transformations::normalize_to_color8());
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    let mut reader = decoder.read_info().map_err(|error| error.to_string())?;
    let size = [reader.info().width as usize, reader.info().height as usize];
    // Images of 16 bits take twice the time.
    let layers = if reader.info().bit_depth == BitDepth::Sixteen { 2 } else { 1 };
    let area = area(size, layers, room)?;
    let mut out = vec![0; reader.output_buffer_size().ok_or("it is too large")?];
    let frame = reader.next_frame(&mut out).map_err(|error| error.to_string())?;
    let channels = frame.color_type.samples();
    let pixel = |part: &[u8]| match (frame.color_type, part) {
        (ColorType::Grayscale, [gray]) => [*gray, *gray, *gray, 255],
        (ColorType::GrayscaleAlpha, [gray, alpha]) => [*gray, *gray, *gray, *alpha],
        (_, [red, green, blue, alpha]) => [*red, *green, *blue, *alpha],
        (_, [red, green, blue]) => [*red, *green, *blue, 255],
        _ => [0; 4],
    };
    let pixels: Vec<[u8; 4]> = out.chunks_exact(channels).take(area).map(pixel).collect();
    whole(size, pixels)
}

fn jpeg(bytes: &[u8], room: &mut usize) -> Result<Image, String> {
    let options = DecoderOptions::default()
        .set_max_width(LARGEST)
        .set_max_height(LARGEST)
        .jpeg_set_out_colorspace(ColorSpace::RGB);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    decoder.decode_headers().map_err(|error| error.to_string())?;
    let (width, height) = decoder.dimensions().ok_or("it has no size")?;
    // A file of a few bytes may go over all of its pixels a thousand times.
    let scans = bytes.windows(2).filter(|mark| *mark == [0xff, 0xda]).count();
    let area = area([width, height], scans.div_ceil(USUAL_SCANS), room)?;
    let out = decoder.decode().map_err(|error| error.to_string())?;
    let pixels = out.chunks_exact(3).take(area).map(|part| [part[0], part[1], part[2], 255]).collect();
    whole([width, height], pixels)
}

/// Decodes TGA: colours with and without alpha, grey, or a palette; plain or run-length encoded.
fn tga(bytes: &[u8], room: &mut usize) -> Result<Image, String> {
    const HEADER: usize = 18;
    let header = bytes.get(..HEADER).ok_or("it is not PNG, JPEG, PCX or TGA")?;
    let word = |at: usize| usize::from(u16::from_le_bytes([header[at], header[at + 1]]));
    let (kind, depth, order) = (header[2], header[16], header[17]);
    let size = [word(12), word(14)];
    let paletted = header[1] == 1 && matches!(kind, 1 | 9) && depth == 8;
    let known = paletted || matches!((kind, depth), (2 | 10, 16 | 24 | 32) | (3 | 11, 8));
    if !known {
        return Err("it is not PNG, JPEG, PCX or TGA".to_owned());
    }
    let area = area(size, 1, room)?;
    let rest = &bytes[HEADER..];
    let entry = usize::from(header[7].div_ceil(8));
    let palette_bytes = if header[1] == 1 { word(5) * entry } else { 0 };
    let after_name = rest.get(usize::from(header[0])..).ok_or("it ends too early")?;
    let (palette, data) = after_name.split_at_checked(palette_bytes).ok_or("it ends too early")?;
    let first = word(3);
    let pixel = |part: &[u8]| -> [u8; 4] {
        match *part {
            [index] if paletted => {
                let at = usize::from(index).wrapping_sub(first).wrapping_mul(entry);
                palette.get(at..).and_then(|rest| rest.get(..entry)).map_or([0, 0, 0, 255], color)
            }
            ref part => color(part),
        }
    };
    let wide = usize::from(depth / 8);
    let mut pixels = Vec::with_capacity(area);
    if kind < 8 {
        pixels.extend(data.chunks_exact(wide).take(area).map(pixel));
    } else {
        let mut data = data;
        while pixels.len() < area {
            let Some((&packet, rest)) = data.split_first() else { break };
            let count = usize::from(packet & 127) + 1;
            let repeated = packet & 128 != 0;
            let Some((part, rest)) = rest.split_at_checked(if repeated { wide } else { wide * count }) else { break };
            data = rest;
            let room = area - pixels.len();
            let times = if repeated { count.min(room) } else { 1 };
            for _ in 0..times {
                let room = area - pixels.len();
                pixels.extend(part.chunks_exact(wide).take(room).map(pixel));
            }
        }
    }
    let mut image = whole(size, pixels)?;
    if order & 0x20 == 0 {
        let rows: Vec<Vec<[u8; 4]>> = image.pixels.chunks_exact(size[0]).rev().map(<[_]>::to_vec).collect();
        image.pixels = rows.concat();
    }
    if order & 0x10 != 0 {
        image.pixels.chunks_exact_mut(size[0]).for_each(<[_]>::reverse);
    }
    Ok(image)
}

/// Returns the colour of a pixel of TGA: grey, or blue, green, red and alpha.
fn color(part: &[u8]) -> [u8; 4] {
    match *part {
        [gray] => [gray, gray, gray, 255],
        [low, high] => {
            let word = u16::from_le_bytes([low, high]);
            let five = |shift: u16| ((word >> shift & 31) * 255 / 31) as u8;
            [five(10), five(5), five(0), 255]
        }
        [blue, green, red] => [red, green, blue, 255],
        [blue, green, red, alpha] => [red, green, blue, alpha],
        _ => [0, 0, 0, 255],
    }
}

/// Decodes PCX with 8 bits per pixel and a palette, or with three planes.
fn pcx(bytes: &[u8], room: &mut usize) -> Result<Image, String> {
    const HEADER: usize = 128;
    const PALETTE: usize = 768;
    let header = bytes.get(..HEADER).ok_or("it ends too early")?;
    let word = |at: usize| usize::from(u16::from_le_bytes([header[at], header[at + 1]]));
    let side = |low: usize, high: usize| (word(high) + 1).saturating_sub(word(low));
    let size = [side(4, 8), side(6, 10)];
    let area = area(size, 1, room)?;
    let (planes, line) = (usize::from(header[65]), word(66));
    if !matches!(planes, 1 | 3) || !(size[0]..=size[0] + 64).contains(&line) {
        return Err("only PCX with 256 colours or three planes is known".to_owned());
    }
    let palette = if planes == 1 { bytes.len().checked_sub(PALETTE).map(|at| &bytes[at..]) } else { None };
    let row_bytes = planes * line;
    let mut rows = Vec::with_capacity(row_bytes * size[1]);
    let mut data = bytes[HEADER..].iter().copied();
    while rows.len() < row_bytes * size[1] {
        let Some(byte) = data.next() else { break };
        let (count, value) = if byte >= 0xc0 { (usize::from(byte & 63), data.next().unwrap_or(0)) } else { (1, byte) };
        rows.extend(std::iter::repeat_n(value, count.min(row_bytes * size[1] - rows.len())));
    }
    let mut pixels = Vec::with_capacity(area);
    for row in rows.chunks_exact(row_bytes) {
        pixels.extend((0..size[0]).map(|x| match palette {
            Some(palette) => {
                let at = usize::from(row[x]) * 3;
                [palette[at], palette[at + 1], palette[at + 2], 255]
            }
            None => [row[x], row[(planes - 1).min(1) * line + x], row[(planes - 1) * line + x], 255],
        }));
    }
    whole(size, pixels)
}

/// Returns the image if it has all of its pixels.
fn whole(size: [usize; 2], pixels: Vec<[u8; 4]>) -> Result<Image, String> {
    if pixels.len() == size[0] * size[1] { Ok(Image { size, pixels }) } else { Err("it ends too early".to_owned()) }
}
