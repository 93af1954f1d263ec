//! The chapters of `docs/guide` as doc tests. Nothing else uses this file.

#[doc = include_str!("../docs/guide/frame-loop.md")]
struct FrameLoop;

#[doc = include_str!("../docs/guide/models-and-side-files.md")]
struct ModelsAndSideFiles;

#[doc = include_str!("../docs/guide/blending-and-layers.md")]
struct BlendingAndLayers;

#[doc = include_str!("../docs/guide/aiming-and-reaching.md")]
struct AimingAndReaching;

#[doc = include_str!("../docs/guide/springs.md")]
struct Springs;

#[doc = include_str!("../docs/guide/root-motion.md")]
struct RootMotion;

#[doc = include_str!("../docs/guide/attachments.md")]
struct Attachments;

#[doc = include_str!("../docs/guide/dolls-and-death.md")]
struct DollsAndDeath;

#[doc = include_str!("../docs/guide/getting-up.md")]
struct GettingUp;

#[doc = include_str!("../docs/guide/levels-and-doors.md")]
struct LevelsAndDoors;

#[doc = include_str!("../docs/guide/water.md")]
struct Water;

#[doc = include_str!("../docs/guide/traces-and-hits.md")]
struct TracesAndHits;

#[cfg(feature = "serde")]
#[doc = include_str!("../docs/guide/saving.md")]
struct Saving;

#[doc = include_str!("../docs/guide/networking.md")]
struct Networking;

#[doc = include_str!("../docs/guide/the-past.md")]
struct ThePast;

#[cfg(feature = "serde")]
#[doc = include_str!("../docs/guide/determinism.md")]
struct Determinism;

#[doc = include_str!("../docs/guide/testing-your-ragdolls.md")]
struct TestingYourRagdolls;

#[doc = include_str!("../docs/guide/scripting.md")]
struct Scripting;

#[doc = include_str!("../docs/guide/engines.md")]
struct Engines;

#[doc = include_str!("../docs/guide/when-not-to-use-skelobj.md")]
struct WhenNotToUseSkelobj;
