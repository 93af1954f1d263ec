//! Words of the language of dolls.

use std::ffi::c_char;

use skelobj::doll::{DirectiveScope, directives};

use crate::SkelobjStatus;
use crate::guard;
use crate::numbers;
use crate::pointer::Out;
use crate::text;

/// Word that begins a line of a .doll file, for editors.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SkelobjDirective {
    /// Word in its usual case; any case is accepted.
    pub word: [c_char; 16],
    /// Spelling of the line: capitals stand for arguments, brackets for those that may be left out, bars for a choice.
    pub usage: [c_char; 80],
    /// Place in a doll where the line may stand, SKELOBJ_DIRECTIVE_SCOPE_...
    pub scope: i32,
}

/// Place in a doll where a line may stand.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SkelobjDirectiveScope {
    /// No block: the line stands for itself.
    File = 0,
    /// Body above the line.
    Body = 1,
    /// Joint above the line.
    Joint = 2,
}

impl From<DirectiveScope> for SkelobjDirectiveScope {
    fn from(scope: DirectiveScope) -> Self {
        match scope {
            DirectiveScope::Body => Self::Body,
            DirectiveScope::Joint => Self::Joint,
            _ => Self::File,
        }
    }
}

/// Writes the words of the language, and their number (may be null). Two of them are words of bodies and of joints, and
/// listed twice.
#[unsafe(no_mangle)]
pub extern "C" fn skelobj_doll_directives(
    words: Out<SkelobjDirective>,
    capacity: i32,
    number: Out<i32>,
) -> SkelobjStatus {
    guard::status(|| {
        let (buffer, number) = (words.buffer(numbers::size(capacity)?)?, number.wanted()?);
        let all = directives().map(|directive| SkelobjDirective {
            word: text::array(directive.word),
            usage: text::array(directive.usage),
            scope: SkelobjDirectiveScope::from(directive.scope) as i32,
        });
        buffer.fill(&all.collect::<Vec<_>>(), number)
    })
}
