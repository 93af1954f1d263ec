//! Memory and files for JavaScript, which has neither `malloc` nor function pointers. Only WebAssembly has these calls.

use std::collections::BTreeMap;
use std::ffi::c_char;
use std::sync::Mutex;

use crate::error::Result;
use crate::guard;
use crate::pointer::{In, Out};
use crate::user::SkelobjUser;
use crate::world::SkelobjFiles;

/// Unit of memory, with the alignment of C's `malloc`.
type Unit = u128;

/// Memory handed out, by its address. Not in boxes: a box that moves, as entries of the map do, ends the use of
/// pointers to its contents.
static MEMORY: Mutex<BTreeMap<usize, Vec<Unit>>> = Mutex::new(BTreeMap::new());

/// Files that JavaScript has put, by their names.
static FILES: Mutex<BTreeMap<String, Box<[u8]>>> = Mutex::new(BTreeMap::new());

/// Maximum size of one piece of memory, bytes.
const MAX_SIZE: usize = 1 << 30;

/// Returns zeroed memory that is aligned to 16 bytes; null if there is not so much.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_wasm_alloc(size: usize) -> Out<u8> {
    let mut units: Vec<Unit> = Vec::new();
    let count = size.div_ceil(size_of::<Unit>()).max(1);
    let (true, Ok(mut memory)) = (size <= MAX_SIZE && units.try_reserve_exact(count).is_ok(), MEMORY.lock()) else {
        return Out::NULL;
    };
    units.resize(count, 0);
    let address = units.as_mut_ptr();
    memory.insert(address.addr(), units);
    // SAFETY: the memory lives until it is freed, and Rust code neither reads nor writes it except through pointers
    // that JavaScript passes to calls.
    unsafe { Out::new(address.cast()) }
}

/// Frees memory of [`skelobj_wasm_alloc`]; other addresses are ignored.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_wasm_free(address: usize) {
    if let Ok(mut memory) = MEMORY.lock() {
        memory.remove(&address);
    }
}

/// Puts a file where models and worlds find it by its name, and replaces an earlier one. If no file has the exact name
/// that is asked for, one is found regardless of case, and with fewer or more folders above.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_wasm_put_file(name: In<c_char>, bytes: In<u8>, size: usize) -> i32 {
    guard::value(0, || {
        let (name, bytes) = (name.text()?.to_owned(), bytes.slice(size)?.into());
        if let Ok(mut files) = FILES.lock() {
            files.insert(name, bytes);
        }
        Ok(1)
    })
}

/// Removes all files.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_wasm_clear_files() {
    if let Ok(mut files) = FILES.lock() {
        files.clear();
    }
}

/// Writes the source of the files that were put, for a world or a load.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_wasm_files(files: Out<SkelobjFiles>) -> i32 {
    guard::value(0, || {
        files.place()?.set(SkelobjFiles { load: Some(load), unload: None, user: SkelobjUser::NULL });
        Ok(1)
    })
}

extern "C" fn load(_: SkelobjUser, name: *const c_char, size: *mut usize) -> In<u8> {
    // SAFETY: the library calls this with a text that ends with a zero and with a place for the size.
    let (name, size) = unsafe { (In::new(name), Out::new(size)) };
    find(name, size).unwrap_or(In::NULL)
}

fn find(name: In<c_char>, size: Out<usize>) -> Result<In<u8>> {
    let Ok(files) = FILES.lock() else { return Ok(In::NULL) };
    let name = name.text()?;
    let like = || files.iter().find(|(file, _)| is_like(file, name)).map(|(_, bytes)| bytes);
    let Some(bytes) = files.get(name).or_else(like) else { return Ok(In::NULL) };
    size.place()?.set(bytes.len());
    // SAFETY: the file stays as it is until the call that asked for it is over: no other thread exists.
    Ok(unsafe { In::new(bytes.as_ptr()) })
}

/// Returns `true` if one path ends with the other, regardless of case: folders are dropped with or without those above.
fn is_like(file: &str, wanted: &str) -> bool {
    let [file, wanted] = [file, wanted].map(|path| format!("/{}", path.replace('\\', "/").to_ascii_lowercase()));
    file.ends_with(&wanted) || wanted.ends_with(&file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::CStr;

    #[test]
    fn memory_and_files_stay_where_they_are_while_others_come_and_go() {
        let pieces: Vec<Out<u8>> = (0..40).map(|number| skelobj_wasm_alloc(number * 7)).collect();
        for (number, piece) in pieces.iter().enumerate() {
            // SAFETY: memory of as many bytes, which nothing else refers to.
            let bytes = unsafe { std::slice::from_raw_parts_mut(piece.pointer(), number * 7) };
            assert!(bytes.iter().all(|byte| *byte == 0));
            bytes.fill(number as u8);
        }
        pieces.iter().step_by(2).for_each(|piece| skelobj_wasm_free(piece.pointer().addr()));
        for (number, piece) in pieces.iter().enumerate().skip(1).step_by(2) {
            // SAFETY: as above, and not freed.
            let bytes = unsafe { std::slice::from_raw_parts(piece.pointer(), number * 7) };
            assert!(bytes.iter().all(|byte| *byte == number as u8));
            skelobj_wasm_free(piece.pointer().addr());
        }
        assert!(skelobj_wasm_alloc(usize::MAX).pointer().is_null());
        skelobj_wasm_free(1);
    }

    #[test]
    fn files_are_found_by_like_names() {
        let text = |text: &'static CStr| {
            // SAFETY: a constant text.
            unsafe { In::new(text.as_ptr()) }
        };
        // SAFETY: constant bytes.
        let bytes = unsafe { In::new(b"abc".as_ptr()) };
        assert_eq!(skelobj_wasm_put_file(text(c"progs/Ogre.iqm"), bytes, 3), 1);
        let mut size = 0;
        let found = load(SkelobjUser::NULL, c"ogre.iqm".as_ptr(), &raw mut size);
        assert_eq!((found.slice(size).ok(), size), (Some(&b"abc"[..]), 3));
        skelobj_wasm_clear_files();
        assert!(load(SkelobjUser::NULL, c"ogre.iqm".as_ptr(), &raw mut size).is_null());
    }
}
