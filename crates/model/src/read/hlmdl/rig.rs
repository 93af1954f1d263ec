//! Bones with their controllers, attachments and hit boxes.

use std::sync::Arc;

use super::super::cursor::{File, finite_or_zero};
use super::super::finite_skeleton;
use super::bone_pose::BonePose;
use super::header::Header;
use crate::math::{Mat3x4, Vec3};
use crate::model::{Attachment, Bone, BoneController, HitBox, ModelError, ModelProblem, Name, Skeleton};

const NAME: usize = 32;

/// Bone with six channels: positions along X, Y and Z (Quake units), angles about X, Y and Z (radians).
#[derive(Debug)]
pub(super) struct Channels {
    /// Controller that adds to each channel, an index into [`Rig::controllers`], or -1.
    pub controllers: [i32; 6],
    /// Channels of the bind pose.
    pub values: [f32; 6],
    /// Factors from the numbers of an animation to channel values.
    pub scales: [f32; 6],
}

/// Data for the evaluation of poses, shared by all sequences.
#[derive(Debug)]
pub(super) struct Rig {
    pub bones: Arc<[Channels]>,
    pub controllers: Arc<[BoneController]>,
    /// Bind pose in parent space; shown by a bone whose channels overflow an `f32`.
    pub bind: Vec<Mat3x4>,
}

impl Header {
    /// Reads the bones and the data for their poses.
    pub fn rig(&self, file: &mut File) -> Result<(Skeleton, Rig), ModelError> {
        const SIZE: usize = 112;
        let table = self.bones.cursor(file, "bones", SIZE)?;
        let mut described: Vec<Channels> = file.reserve("bones", table.offset(), self.bones.count.into())?;
        let mut bones: Vec<Bone> = file.reserve("bones", table.offset(), self.bones.count.into())?;
        let mut bad = 0;
        for mut record in table.records(SIZE) {
            let at = record.offset();
            let name = Name::new(record.take(NAME)?);
            let name = file.name("bones", at, name.as_bytes())?;
            let parent = record.ranged::<i32>("parent", -1..=bones.len() as i64 - 1)?;
            record.get::<i32>()?;
            let controllers = record.get()?;
            let [mut values, mut scales] = record.get::<[[f32; 6]; 2]>()?;
            finite_or_zero(&mut values, &mut bad);
            finite_or_zero(&mut scales, &mut bad);
            bones.push(Bone { name, parent: usize::try_from(parent).ok(), bind: BonePose::of(values).matrix() });
            described.push(Channels { controllers, values, scales });
        }
        file.warn_not_finite("bones", table.offset(), bad);
        let skeleton = finite_skeleton::skeleton(file, "bones", || table.offset(), bones)?;
        let bind = skeleton.bind_local().to_vec();
        let controllers = self.bone_controllers(file)?.into();
        Ok((skeleton, Rig { bones: described.into(), controllers, bind }))
    }

    fn bone_controllers(&self, file: &mut File) -> Result<Vec<BoneController>, ModelError> {
        const SIZE: usize = 24;
        let table = self.controllers.cursor(file, "bonecontrollers", SIZE)?;
        let mut controllers = file.reserve("bonecontrollers", table.offset(), self.controllers.count.into())?;
        let mut bad = 0;
        for mut record in table.records(SIZE) {
            let [_bone, kind] = record.get()?;
            let mut range = record.get::<[f32; 2]>()?;
            finite_or_zero(&mut range, &mut bad);
            let [_rest, input] = record.get()?;
            controllers.push(BoneController { kind, start: range[0], end: range[1], input });
        }
        file.warn_not_finite("bonecontrollers", table.offset(), bad);
        Ok(controllers)
    }

    pub fn attachments(&self, file: &mut File) -> Result<Vec<Attachment>, ModelError> {
        const SIZE: usize = 88;
        let table = self.attachments.cursor(file, "attachments", SIZE)?;
        let mut attachments = file.reserve("attachments", table.offset(), self.attachments.count.into())?;
        let mut bad = 0;
        for mut record in table.records(SIZE) {
            let at = record.offset();
            let name = Name::new(record.take(NAME)?);
            let name = file.name("attachments", at, name.as_bytes())?;
            record.get::<i32>()?;
            let bone = record.ranged::<i32>("bone", 0..=i64::from(self.bones.count) - 1)? as usize;
            let mut origin = record.get::<[f32; 3]>()?;
            finite_or_zero(&mut origin, &mut bad);
            attachments.push(Attachment { name, bone, offset: Mat3x4::from_translation(Vec3::from(origin)) });
        }
        file.warn_not_finite("attachments", table.offset(), bad);
        Ok(attachments)
    }

    pub fn hit_boxes(&self, file: &mut File) -> Result<Vec<HitBox>, ModelError> {
        const SIZE: usize = 32;
        let table = self.hit_boxes.cursor(file, "hitboxes", SIZE)?;
        let mut boxes = file.reserve("hitboxes", table.offset(), self.hit_boxes.count.into())?;
        let mut bad = 0;
        for mut record in table.records(SIZE) {
            let bone = record.ranged::<i32>("bone", 0..=i64::from(self.bones.count) - 1)? as usize;
            let group = record.get()?;
            let [mut mins, mut maxs] = record.get::<[[f32; 3]; 2]>()?;
            finite_or_zero(&mut mins, &mut bad);
            finite_or_zero(&mut maxs, &mut bad);
            boxes.push(HitBox { bone, group, mins, maxs });
        }
        file.warn_not_finite("hitboxes", table.offset(), bad);
        Ok(boxes)
    }

    /// Reads the transition table: the number of nodes, and the next node on the way from each node to each other.
    pub fn transitions(&self, file: &mut File) -> Result<(usize, Vec<u8>), ModelError> {
        let nodes = self.transitions.count as usize;
        let table = self.transitions.cursor(file, "transitions", nodes)?;
        let mut next = file.reserve("transitions", table.offset(), table.rest().len() as u64)?;
        for &node in table.rest() {
            if usize::from(node) > nodes {
                let problem = ModelProblem::OutOfRange { field: "node", found: node.into(), min: 0, max: nodes as i64 };
                return Err(table.error(problem));
            }
            next.push(node);
        }
        Ok((nodes, next))
    }
}
