//! Fuzzes messages of bones: received in sequence and shown at odd times.
#![no_main]

use skelobj::math::Mat3x4;
use skelobj::object::Space;
use skelobj::runtime::BoneReceiver;
use skelobj::{Runtime, assets};
use skelobj_fuzz::watched;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let mut runtime = Runtime::default();
    runtime.set_files(|name: &str| (name == "mannequin.iqm").then(|| assets::MANNEQUIN_IQM.to_vec()));
    let model = runtime.load_model("mannequin.iqm").expect("our own");
    let object = runtime.create_object(model, Space::Model).expect("it has bones");
    let mut receiver = BoneReceiver::default();
    let mut palette = [Mat3x4::IDENTITY; 64];
    // Each message follows a byte of its length and eight bytes of its time.
    let mut rest = bytes;
    while let Some((&length, after)) = rest.split_first() {
        let Some((time, after)) = after.split_first_chunk() else { break };
        let (message, after) = after.split_at(after.len().min(2 * usize::from(length)));
        rest = after;
        let time = f64::from_le_bytes(*time);
        match watched(message, || runtime.decode_bones(object, message)) {
            Ok(pose) => drop(receiver.receive(time, pose)),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
        let _ = runtime.apply_bones(object, message);
        let _ = runtime.show_bones(object, &receiver, time);
        runtime.write_palette(object, &mut palette).expect("it lives");
        assert!(palette.iter().all(Mat3x4::is_finite));
    }
});
