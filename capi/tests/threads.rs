//! A world is used by one thread at a time; other worlds and models go on meanwhile.

use std::ffi::c_char;
use std::sync::{Barrier, LazyLock, PoisonError};
use std::thread;

use skelobj_capi_calls::*;

use crate::ALONE;

/// Met twice: when the first thread is inside of its world, and when the second one has made its calls.
static MET: LazyLock<Barrier> = LazyLock::new(|| Barrier::new(2));

extern "C" fn load(_user: SkelobjUser, _name: *const c_char, _size: *mut usize) -> In<u8> {
    MET.wait();
    MET.wait();
    In::NULL
}

#[test]
fn a_second_thread_is_refused_and_does_not_wait() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let mut def = skelobj_default_world_def();
    def.files.load = Some(load);
    // SAFETY: a struct and a text that live during the calls.
    let (def, name) = unsafe { (In::new(&raw const def), In::new(c"some.iqm".as_ptr())) };
    let (world, other) = (skelobj_world_create(def), skelobj_world_create(In::NULL));
    thread::scope(|scope| {
        scope.spawn(move || {
            // SAFETY: as above.
            let name = unsafe { In::new(c"some.iqm".as_ptr()) };
            assert_eq!(skelobj_world_load_model(world, name).id, 0);
            assert_eq!(skelobj_last_status(), SkelobjStatus::NotFound);
        });
        MET.wait();
        assert_eq!(skelobj_step(world, 0.1, Out::NULL), SkelobjStatus::Busy);
        assert_eq!(skelobj_world_free(world), SkelobjStatus::Busy);
        assert_eq!((skelobj_world_is_valid(world), skelobj_live_count(1)), (1, 2));
        assert_eq!(skelobj_step(other, 0.1, Out::NULL), SkelobjStatus::Ok);
        // The failures of the other thread are not this one's.
        assert_eq!(skelobj_world_find_model(other, name).id, 0);
        assert_eq!(skelobj_last_status(), SkelobjStatus::Busy);
        MET.wait();
    });
    assert_eq!(skelobj_world_free(world), SkelobjStatus::Ok);
    assert_eq!(skelobj_world_free(other), SkelobjStatus::Ok);
}
