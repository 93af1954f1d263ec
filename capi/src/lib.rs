//! Libraries for C: `libskelobj.a` and `libskelobj.so`. Every function is in `skelobj-capi-calls`.
#![forbid(unsafe_code)]

pub use skelobj_capi_calls::*;

#[global_allocator]
static MEMORY: CountingAllocator = CountingAllocator;
