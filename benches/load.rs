//! Loading speed of models: every file of the shared corpus that is large enough to measure, or else the mannequin.
//!
//! Goals: 200 MB/s for binary formats, 60 MB/s for the text of MD5, as geometric means.

mod median;

use std::collections::BTreeMap;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use skelobj::{Model, assets};

/// Minimum size of a file, bytes; for smaller ones the clock dominates.
const LEAST: usize = 32 << 10;

struct File {
    /// Folder of the format in the corpus.
    format: String,
    name: String,
    bytes: Vec<u8>,
}

/// Returns the folder of shared reference material: `SKELOBJ_SHARED`, or `../shared` beside the project.
fn shared() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared");
    let path = std::env::var_os("SKELOBJ_SHARED").map_or_else(beside, PathBuf::from);
    path.is_dir().then_some(path)
}

fn files() -> Vec<File> {
    let Some(shared) = shared() else {
        println!("no shared folder: the mannequin alone is measured");
        let (format, name) = ("iqm".to_owned(), "mannequin.iqm".to_owned());
        return vec![File { format, name, bytes: assets::MANNEQUIN_IQM.to_vec() }];
    };
    let corpus = shared.join("corpus");
    let mut paths = Vec::new();
    walk(&corpus, &mut paths);
    let read = |path: PathBuf| {
        let name = path.strip_prefix(&corpus).ok()?.to_str()?.to_owned();
        let bytes = std::fs::read(&path).ok()?;
        let fits = bytes.len() >= LEAST && Model::load(&name, &bytes, |_| None).is_ok();
        fits.then(|| File { format: name.split('/').next().unwrap_or_default().to_owned(), name, bytes })
    };
    paths.into_iter().filter_map(read).collect()
}

fn walk(folder: &Path, out: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() { walk(&path, out) } else { out.push(path) }
    }
}

fn load(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("load");
    group.sample_size(20).warm_up_time(Duration::from_millis(200)).measurement_time(Duration::from_millis(800));
    let mut speeds: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for File { format, name, bytes } in files() {
        group.throughput(Throughput::Bytes(bytes.len() as u64));
        let seconds = median::median(&mut group, &name, || Model::load(&name, black_box(&bytes), |_| None));
        speeds.entry(format).or_default().extend(seconds.map(|seconds| bytes.len() as f64 / seconds));
    }
    group.finish();
    speeds.retain(|_, speeds| !speeds.is_empty());
    for (format, speeds) in &speeds {
        println!("{format:12} {:8.0} MB/s, {} files", mean(speeds) / 1e6, speeds.len());
    }
    for (kind, is_text, goal) in [("binary", false, 200), ("MD5 text", true, 60)] {
        let means: Vec<f64> =
            speeds.iter().filter(|(format, _)| (*format == "md5") == is_text).map(|(_, speeds)| mean(speeds)).collect();
        if !means.is_empty() {
            println!("{kind}: {:.0} MB/s, geometric mean of {} formats (goal {goal})", mean(&means) / 1e6, means.len());
        }
    }
}

/// Returns the geometric mean.
fn mean(values: &[f64]) -> f64 {
    (values.iter().map(|value| value.ln()).sum::<f64>() / values.len().max(1) as f64).exp()
}

criterion_group!(benches, load);
criterion_main!(benches);
