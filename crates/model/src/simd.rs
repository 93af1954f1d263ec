//! Choice of the processor's vector instructions, made once per call of a kernel.

use std::sync::atomic::{AtomicU8, Ordering};

use fearless_simd::prelude::*;
use fearless_simd::{Level, Simd, f32x4};

/// Vector instructions that the kernels over bones and vertices use.
///
/// The library uses the best level of the processor. All levels give the same bits: only skinning with
/// [`SkinOptions::fused`](super::pose::SkinOptions::fused) fuses a multiplication
/// with an addition or changes the order of a sum. [`select`](Self::select) chooses another level for the whole
/// process, to measure it or to narrow down a fault.
///
/// ```
/// use skelobj::pose::raw::SimdLevel;
/// let best = SimdLevel::current();
/// assert!(SimdLevel::Scalar.select());
/// assert_eq!(SimdLevel::current(), SimdLevel::Scalar);
/// assert!(best.select());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
#[repr(u8)]
pub enum SimdLevel {
    /// Instructions that every target has; the compiler may still vectorize them.
    Scalar = 1,
    /// SSE2, on every x86-64 processor.
    Sse2,
    /// AVX2, on x86-64 processors since about 2013.
    Avx2,
    /// NEON, on every aarch64 processor.
    Neon,
    /// 128-bit vectors of WebAssembly, if the module was compiled for them.
    Simd128,
}

/// Level selected for the process; 0 for the best one.
static SELECTED: AtomicU8 = AtomicU8::new(0);

impl SimdLevel {
    const ALL: [Self; 5] = [Self::Scalar, Self::Sse2, Self::Avx2, Self::Neon, Self::Simd128];

    /// Returns the levels of this processor, the best one last.
    ///
    /// ```
    /// use skelobj::pose::raw::SimdLevel;
    /// assert_eq!(SimdLevel::available().next(), Some(SimdLevel::Scalar));
    /// ```
    pub fn available() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|level| level.is_available())
    }

    /// Returns `true` if this processor has the level.
    fn is_available(self) -> bool {
        let best = Level::new();
        match self {
            Self::Scalar => true,
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Self::Sse2 => best.as_sse2().is_some(),
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Self::Avx2 => best.as_avx2().is_some(),
            #[cfg(target_arch = "aarch64")]
            Self::Neon => best.as_neon().is_some(),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Self::Simd128 => best.as_wasm_simd128().is_some(),
            _ => {
                let _ = best;
                false
            }
        }
    }

    /// Returns the level that kernels of this process use: the selected one, otherwise the best one.
    ///
    /// ```
    /// use skelobj::pose::raw::SimdLevel;
    /// assert_eq!(SimdLevel::available().last(), Some(SimdLevel::current())); // unless another one was selected
    /// ```
    #[must_use]
    pub fn current() -> Self {
        let selected = SELECTED.load(Ordering::Relaxed);
        let best = || Self::available().last().unwrap_or(Self::Scalar);
        Self::ALL.into_iter().find(|level| *level as u8 == selected).unwrap_or_else(best)
    }

    /// Makes all kernels of this process use the level, on every thread; `false`, and no change, if the processor lacks
    /// it.
    ///
    /// ```
    /// use skelobj::pose::raw::SimdLevel;
    /// for level in SimdLevel::available() {
    ///     assert!(level.select());
    ///     assert_eq!(SimdLevel::current(), level); // measure here
    /// }
    /// ```
    pub fn select(self) -> bool {
        let is_available = self.is_available();
        if is_available {
            SELECTED.store(self as u8, Ordering::Relaxed);
        }
        is_available
    }
}

/// Proof that the processor has the instructions of the level to use.
#[derive(Clone, Copy)]
pub(crate) enum Token {
    Scalar(fearless_simd::Fallback),
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    Sse2(fearless_simd::Sse2),
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    Avx2(fearless_simd::Avx2),
    #[cfg(target_arch = "aarch64")]
    Neon(fearless_simd::Neon),
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Simd128(fearless_simd::WasmSimd128),
}

/// Returns the level to use, which [`dispatch!`] matches.
#[inline]
pub(crate) fn token() -> Token {
    let selected = SELECTED.load(Ordering::Relaxed);
    if selected == SimdLevel::Scalar as u8 {
        return Token::Scalar(fearless_simd::Fallback::new());
    }
    let best = Level::new();
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    {
        // Levels above AVX2 have wider vectors, of which bones have no use.
        if selected != SimdLevel::Sse2 as u8
            && let Some(avx2) = best.as_avx2()
        {
            return Token::Avx2(avx2);
        }
        if let Some(sse2) = best.as_sse2() {
            return Token::Sse2(sse2);
        }
    }
    #[cfg(target_arch = "aarch64")]
    if let Some(neon) = best.as_neon() {
        return Token::Neon(neon);
    }
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    if let Some(simd128) = best.as_wasm_simd128() {
        return Token::Simd128(simd128);
    }
    let _ = best;
    Token::Scalar(fearless_simd::Fallback::new())
}

/// Evaluates an expression with the vector instructions of the level to use.
///
/// `dispatch!(simd => kernel(simd, slices))` calls `kernel`, generic over [`Simd`](fearless_simd::Simd), compiled for
/// the level. The kernel and all that it calls must be `#[inline(always)]`. It runs inside of a closure, so it cannot
/// return from the caller. Dispatch over a slice, never per bone or vertex.
macro_rules! dispatch {
    ($simd:ident => $kernel:expr) => {
        match $crate::simd::token() {
            $crate::simd::Token::Scalar($simd) => $crate::simd::dispatch!(@run $simd => $kernel),
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            $crate::simd::Token::Sse2($simd) => $crate::simd::dispatch!(@run $simd => $kernel),
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            $crate::simd::Token::Avx2($simd) => $crate::simd::dispatch!(@run $simd => $kernel),
            #[cfg(target_arch = "aarch64")]
            $crate::simd::Token::Neon($simd) => $crate::simd::dispatch!(@run $simd => $kernel),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            $crate::simd::Token::Simd128($simd) => $crate::simd::dispatch!(@run $simd => $kernel),
        }
    };
    (@run $simd:ident => $kernel:expr) => {
        ::fearless_simd::Simd::vectorize($simd, #[inline(always)] || $kernel)
    };
}
pub(crate) use dispatch;

/// Exchanges rows and columns of four vectors.
#[inline(always)]
pub(crate) fn transposed<S: Simd>([a, b, c, d]: [f32x4<S>; 4]) -> [f32x4<S>; 4] {
    let (ac, bd) = (a.zip_low(c), b.zip_low(d));
    let (ac_high, bd_high) = (a.zip_high(c), b.zip_high(d));
    [ac.zip_low(bd), ac.zip_high(bd), ac_high.zip_low(bd_high), ac_high.zip_high(bd_high)]
}
