//! Models: from bytes or parts, their data, joining, players, files.

mod bundle;
mod data;
mod frame;
mod load;
mod parts;
mod player;
mod query;
mod skin;
mod view;

pub use bundle::*;
pub use data::*;
pub use frame::*;
pub use load::*;
pub use parts::*;
pub use player::*;
pub use query::*;
pub use skin::*;
pub use view::*;

use std::sync::{Arc, OnceLock};

use skelobj::Model;
use skelobj::pose::Skinner;

/// Model with the structs that C reads it through.
pub(crate) struct LoadedModel {
    // Dropped before the model into whose arrays it points.
    view: OnceLock<view::View>,
    /// Skinners of the meshes, made when a mesh is skinned first.
    skinners: Box<[OnceLock<Skinner>]>,
    model: Arc<Model>,
}

impl LoadedModel {
    pub(crate) fn new(model: impl Into<Arc<Model>>) -> Self {
        let model = model.into();
        let skinners = model.meshes.iter().map(|_| OnceLock::new()).collect();
        Self { view: OnceLock::new(), skinners, model }
    }

    pub(crate) fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// Returns the skinner of a mesh of the model.
    pub(crate) fn skinner(&self, mesh: usize) -> Option<&Skinner> {
        Some(self.skinners.get(mesh)?.get_or_init(|| Skinner::new(&self.model.meshes[mesh])))
    }

    /// Returns the structs for C, which are made for the first caller. They stay where they are until the last user of
    /// the model is gone.
    pub(crate) fn view(&self) -> &view::View {
        self.view.get_or_init(|| view::View::new(&self.model))
    }
}
