//! Textures, with smaller copies for surfaces that are far away.

use std::sync::Arc;

use skelobj::math::Vec3;

use super::decode::Image;
use super::surface;

/// Image on a surface.
pub struct Texture {
    /// Image and its copies, each half as wide and high as the one before.
    levels: Arc<[Image]>,
    /// Linear light of each byte.
    linear: [f32; 256],
    has_holes: bool,
}

impl Texture {
    pub fn new(image: Image) -> Self {
        let has_holes = image.pixels.iter().any(|[.., alpha]| *alpha < 128);
        let mut levels = vec![image];
        while let Some(last) = levels.last().filter(|last| last.size != [1, 1]) {
            levels.push(halved(last));
        }
        let linear = std::array::from_fn(|byte| surface::linear([byte as u8; 3]).x);
        Self { levels: levels.into(), linear, has_holes }
    }

    /// Returns the same image without holes.
    pub fn opaque(&self) -> Self {
        Self { levels: self.levels.clone(), has_holes: false, ..*self }
    }

    /// Returns `true` if the image is transparent in places.
    pub fn has_holes(&self) -> bool {
        self.has_holes
    }

    /// Encodes the image as PNG.
    ///
    /// # Errors
    /// The reason for which the encoder refuses it.
    pub fn png(&self) -> Result<Vec<u8>, String> {
        let Image { size: [width, height], pixels } = &self.levels[0];
        let mut out = Vec::new();
        let mut encoder = png::Encoder::new(&mut out, *width as u32, *height as u32);
        encoder.set_color(png::ColorType::Rgba);
        let mut writer = encoder.write_header().map_err(|error| error.to_string())?;
        writer.write_image_data(pixels.as_flattened()).map_err(|error| error.to_string())?;
        writer.finish().map_err(|error| error.to_string())?;
        Ok(out)
    }

    /// Returns the number of texels of an area of texture coordinates.
    pub fn texels(&self, area: f32) -> f32 {
        let [width, height] = self.levels[0].size;
        area * width as f32 * height as f32
    }

    /// Returns the colour in linear light and the opacity at a texture coordinate, where `texels` of the full image
    /// fall on one sample.
    pub fn at(&self, texcoord: [f32; 2], texels: f32) -> (Vec3, f32) {
        let level = (texels.max(1.0).log2() * 0.5).floor() as usize;
        let image = &self.levels[level.min(self.levels.len() - 1)];
        let [width, height] = image.size;
        // Texture coordinates repeat.
        let place = |part: f32, size: usize| {
            let at = part.rem_euclid(1.0) * size as f32 - 0.5;
            let low = at.floor();
            let index = |step: f32| ((low + step).rem_euclid(size as f32) as usize).min(size - 1);
            (index(0.0), index(1.0), at - low)
        };
        let (left, right, x) = place(finite(texcoord[0]), width);
        let (top, bottom, y) = place(finite(texcoord[1]), height);
        let mut color = Vec3::ZERO;
        let mut opacity = 0.0;
        for (row, share) in [(top, 1.0 - y), (bottom, y)] {
            for (column, share) in [(left, share * (1.0 - x)), (right, share * x)] {
                let [red, green, blue, alpha] = image.pixels[row * width + column];
                let light = [red, green, blue].map(|byte| self.linear[usize::from(byte)]);
                color += Vec3::from_array(light) * share;
                opacity += f32::from(alpha) / 255.0 * share;
            }
        }
        (color, opacity)
    }
}

fn finite(number: f32) -> f32 {
    if number.is_finite() { number } else { 0.0 }
}

fn halved(image: &Image) -> Image {
    let [width, height] = image.size;
    let size = [width.div_ceil(2), height.div_ceil(2)];
    let mean = |[a, b, c, d]: [[u8; 4]; 4]| {
        std::array::from_fn(|part| ([a, b, c, d].iter().map(|pixel| u32::from(pixel[part])).sum::<u32>() / 4) as u8)
    };
    let mut pixels = Vec::with_capacity(size[0] * size[1]);
    for rows in image.pixels.chunks(width * 2) {
        let (above, below) = rows.split_at(width);
        let below = if below.is_empty() { above } else { below };
        let pairs = above.chunks(2).zip(below.chunks(2));
        pixels.extend(
            pairs.map(|(above, below)| mean([above[0], above[above.len() - 1], below[0], below[below.len() - 1]])),
        );
    }
    Image { size, pixels }
}
