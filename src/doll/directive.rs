//! List of all directives, for editors and other tools.

use super::attribute::{BODY, JOINT};

/// Spelling of the directives that are not attributes.
pub(super) const BODY_LINE: &str = "body NAME BONE";
pub(super) const JOINT_LINE: &str = "joint NAME BODY [BODY]";
pub(super) const UPDATE_BODY_LINE: &str = "updatebody NAME|default";
pub(super) const UPDATE_JOINT_LINE: &str = "updatejoint NAME|default";
pub(super) const REFPOSE_LINE: &str = "refpose skin|ANIMATION SECONDS";
pub(super) const DIRECTIVES: [Directive; 5] = [
    Directive::new("body", BODY_LINE, DirectiveScope::File),
    Directive::new("joint", JOINT_LINE, DirectiveScope::File),
    Directive::new("updatebody", UPDATE_BODY_LINE, DirectiveScope::File),
    Directive::new("updatejoint", UPDATE_JOINT_LINE, DirectiveScope::File),
    Directive::new("refpose", REFPOSE_LINE, DirectiveScope::File),
];

/// Directive of a `.doll` file.
///
/// ```
/// use skelobj::doll::{DirectiveScope, directives};
///
/// let size = directives().find(|directive| directive.word == "size").expect("a directive");
/// assert_eq!((size.usage, size.scope), ("size X [[Y] Z]", DirectiveScope::Body));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Directive {
    /// First word of the line, in its usual case; any case is accepted.
    pub word: &'static str,
    /// Spelling of the line: capitals stand for arguments, `[brackets]` for those that may be left out, `a|b` for a
    /// choice.
    pub usage: &'static str,
    /// Places in a doll where the directive may stand.
    pub scope: DirectiveScope,
}

impl Directive {
    pub(super) const fn new(word: &'static str, usage: &'static str, scope: DirectiveScope) -> Self {
        Self { word, usage, scope }
    }
}

/// Place in a doll where a directive may stand: before all bodies and joints, or under one.
///
/// ```
/// use skelobj::doll::{DirectiveScope, directives};
///
/// let scopes: Vec<_> = directives().filter(|directive| directive.word == "draw").map(|d| d.scope).collect();
/// assert_eq!(scopes, [DirectiveScope::Body, DirectiveScope::Joint]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum DirectiveScope {
    /// No block: the line stands for itself.
    File,
    /// Body of the last `body` or `updatebody`.
    Body,
    /// Joint of the last `joint` or `updatejoint`.
    Joint,
}

/// Returns all directives of the language: first the lines that stand for themselves, then the attributes of bodies and
/// of joints. `draw` and `offset` are in both lists.
///
/// ```
/// use skelobj::doll::directives;
///
/// let words: Vec<&str> = directives().map(|directive| directive.word).collect();
/// assert!(words.starts_with(&["body", "joint"]) && words.contains(&"LoStop"));
/// ```
pub fn directives() -> impl Iterator<Item = Directive> {
    let body = BODY.iter().map(|a| Directive::new(a.word, a.usage, DirectiveScope::Body));
    let joint = JOINT.iter().map(|a| Directive::new(a.word, a.usage, DirectiveScope::Joint));
    DIRECTIVES.into_iter().chain(body).chain(joint)
}
