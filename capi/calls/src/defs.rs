//! Every def and its number in the cookie.

use crate::pointer::Def;

macro_rules! defs {
    ($($name:ty = $number:expr;)*) => {$(
        // SAFETY: the struct consists of numbers, raw pointers and optional function pointers; its first field is the
        // cookie.
        unsafe impl Def for $name {
            const KIND: u32 = $number;
        }
    )*};
}

defs! {
    crate::SkelobjWorldDef = 1;
    crate::SkelobjLoadDef = 2;
    crate::SkelobjModelDef = 3;
    crate::SkelobjFrameDef = 4;
    crate::SkelobjBuildDef = 5;
    crate::SkelobjTraceDef = 6;
    crate::SkelobjLevelBodyDef = 7;
    crate::SkelobjWaterDef = 8;
    crate::SkelobjFlinchDef = 9;
    crate::SkelobjDropDef = 10;
    crate::SkelobjLevelDef = 11;
    crate::SkelobjCheckDef = 12;
    crate::SkelobjSkinDef = 13;
    crate::SkelobjFitDef = 14;
    crate::SkelobjAimDef = 15;
    crate::SkelobjReachDef = 16;
    crate::SkelobjSpringDef = 17;
    crate::SkelobjHistoryDef = 18;
    crate::SkelobjFeetDef = 19;
}
