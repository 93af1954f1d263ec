//! Parser: text to doll, line by line.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use skelobj_model::internal::nearest;

use super::attribute::{Arguments, BODY, BoneLookup, JOINT};
use super::bone_names::Bones;
use super::directive::{
    BODY_LINE, DIRECTIVES, JOINT_LINE, REFPOSE_LINE, UPDATE_BODY_LINE, UPDATE_JOINT_LINE, directives,
};
use super::draft::{BodyDraft, Draft, JointDraft};
use super::encoding::{Encoding, Source};
use super::lexer::{self, Line, Word};
use super::problem::Problems;
use super::{Doll, DollProblemKind, ReferencePose, Requirement, c_number, synonyms};
use crate::model::{Name, Skeleton};

/// Parses a whole text. Without a skeleton every bone is assumed to exist.
pub(super) fn parse<'a>(source: &'a Source<'a>, skeleton: Option<&'a Skeleton>) -> Draft<'a> {
    let text = source.text.as_bytes();
    let bones = skeleton.map(Bones::new);
    let mut parser = Parser { encoding: source.encoding, bones, line: 1, ..Parser::default() };
    let mut counted = 0;
    for line in lexer::lines(text) {
        if let Some(first) = line.words.first() {
            parser.line += newlines(text, counted..first.span.start);
            counted = first.span.start;
        }
        parser.read(&line);
    }
    if parser.bodies.is_empty() && !parser.has_lost_bodies {
        parser.problems.add(&(text.len()..text.len()), || DollProblemKind::NoBodies);
    }
    parser.into_draft(text)
}

fn newlines(text: &[u8], range: Range<usize>) -> usize {
    debug_assert!(range.start <= range.end && range.end <= text.len(), "words ascend");
    text.get(range).unwrap_or_default().iter().filter(|&&b| b == b'\n').count()
}

/// Object that attributes belong to.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
enum Current {
    #[default]
    None,
    DefaultBody,
    DefaultJoint,
    Body(usize),
    Joint(usize),
    /// Body that was skipped; problems of its attributes are still reported.
    LostBody,
    /// Joint that was skipped; problems of its attributes are still reported.
    LostJoint,
}

impl Current {
    /// Returns the body that attributes belong to.
    fn body<'b>(
        self,
        bodies: &'b mut [BodyDraft],
        default: &'b mut BodyDraft,
        lost: &'b mut BodyDraft,
    ) -> Option<&'b mut BodyDraft> {
        debug_assert!(!matches!(self, Self::Body(index) if index >= bodies.len()), "the current body exists");
        match self {
            Self::DefaultBody => Some(default),
            Self::Body(index) => bodies.get_mut(index),
            Self::LostBody => Some(lost),
            Self::None | Self::DefaultJoint | Self::Joint(_) | Self::LostJoint => None,
        }
    }
}

#[derive(Default)]
struct Parser<'a> {
    encoding: Encoding,
    bones: Option<Bones<'a>>,
    /// Line of the current directive, 1-based.
    line: usize,
    current: Current,
    /// `true` after a line that misspells `body`, `joint` or the like: what follows belongs to what it means.
    is_misspelt: bool,
    /// `true` once a mistake has left out a body.
    has_lost_bodies: bool,
    reference: (ReferencePose, Range<usize>),
    bodies: Vec<BodyDraft>,
    joints: Vec<JointDraft>,
    default_body: BodyDraft,
    default_joint: JointDraft,
    lost_body: BodyDraft,
    lost_joint: JointDraft,
    body_names: Names,
    joint_names: Names,
    problems: Problems,
}

/// Names of objects, and of objects that were skipped.
#[derive(Default)]
struct Names {
    /// Index of the first object of each name.
    first: HashMap<Name, usize>,
    /// Names whose absence has been explained.
    lost: HashSet<Name>,
}

impl<'a> Parser<'a> {
    /// Reads a line, and reports the cause alone of what a quote or a comment makes wrong in it.
    fn read(&mut self, line: &Line) {
        let before = self.problems.len();
        self.directive(&line.words);
        let (is_wrong, is_skipped) = (self.problems.len() > before, self.problems.has_errors_since(before));
        if let Some(quote) = &line.unclosed_quote {
            self.problems.truncate(before);
            self.problems.add(quote, || DollProblemKind::UnclosedQuote { is_skipped });
        } else if is_wrong && let Some((place, mark)) = self.comment_mark(&line.words, before) {
            self.problems.truncate(before);
            self.problems.add(&place, || DollProblemKind::CommentMark { mark, is_skipped });
        }
        if let Some(span) = &line.unclosed_comment {
            self.problems.add(span, || DollProblemKind::UnclosedComment);
            self.has_lost_bodies = true;
        }
    }

    /// Returns the place and the text of `#` or `;` before a comment that explains one of the problems of a line, those
    /// after the first `before`.
    fn comment_mark(&self, words: &[Word], before: usize) -> Option<(Range<usize>, Name)> {
        let explains = |word: &Word| {
            self.problems.since(before).any(|(span, kind)| {
                let is_there = span.start <= word.span.start && word.span.end <= span.end;
                is_there || matches!(kind, DollProblemKind::WrongCount { .. })
            })
        };
        let mark = |word: &Word| {
            let marks = word.bytes.iter().take_while(|b| is_comment_mark(b)).count();
            // Within quotes it is a name.
            let is_bare = word.span.len() == word.bytes.len();
            let place = word.span.start..word.span.start + marks;
            (marks > 0 && is_bare && explains(word)).then(|| (place, Name::new(&word.bytes[..marks])))
        };
        words.iter().find_map(mark)
    }

    fn directive(&mut self, words: &[Word]) {
        let [directive, arguments @ ..] = words else { return };
        let was_misspelt = std::mem::take(&mut self.is_misspelt);
        match directive.bytes.to_ascii_lowercase().as_slice() {
            b"body" => self.body(directive, arguments),
            b"joint" => self.joint(directive, arguments),
            b"updatebody" => self.update_body(directive, arguments),
            b"updatejoint" => self.update_joint(directive, arguments),
            b"refpose" => self.refpose(directive, arguments),
            word => {
                self.is_misspelt = was_misspelt;
                self.attribute(word, directive, arguments);
            }
        }
    }

    fn cut(&self, word: &Word) -> Name {
        cut(&self.encoding.name(&word.bytes))
    }

    fn body(&mut self, directive: &Word, arguments: &[Word]) {
        self.current = Current::LostBody;
        let [name_word, bone_word] = arguments else {
            self.wrong_count(directive, BODY_LINE);
            return self.lose_body(arguments);
        };
        let name = self.new_name(name_word);
        let bones = BoneLookup { encoding: self.encoding, bones: self.bones.as_ref() };
        let Some(bone) = bones.bone(bone_word, &mut self.problems) else {
            return self.lose_body(arguments);
        };
        if let Some(&first) = self.body_names.first.get(&name) {
            let first = self.bodies[first].body.line;
            self.problems.add(&name_word.span, || DollProblemKind::DuplicateName { name: name.clone(), first });
        }
        let index = self.bodies.len();
        self.body_names.first.entry(name.clone()).or_insert(index);
        let mut draft = self.default_body.clone();
        (draft.body.name, draft.body.bone, draft.body.line) = (name, bone, self.line);
        draft.places.name = name_word.span.clone();
        self.bodies.push(draft);
        self.current = Current::Body(index);
    }

    fn joint(&mut self, directive: &Word, arguments: &[Word]) {
        self.current = Current::LostJoint;
        let [name_word, body1_word, more @ ..] = arguments else {
            self.wrong_count(directive, JOINT_LINE);
            return self.lose_joint(arguments);
        };
        let name = self.new_name(name_word);
        let (body2_word, extra) = more.split_first().map_or((None, more), |(word, extra)| (Some(word), extra));
        if let [first, .., last] | [first @ last] = extra {
            self.problems.add(&(first.span.start..last.span.end), || DollProblemKind::ExtraWords);
        }
        // Both bodies are looked up before either can end the function, so that both are reported.
        let body1 = self.find_body(body1_word);
        let body2 = body2_word.map(|word| self.find_body(word));
        let (Some(body1), Some(body2)) = (body1, body2.map_or(Some(None), |found| found.map(Some))) else {
            return self.lose_joint(arguments);
        };
        if body2 == Some(body1) {
            let span = body2_word.unwrap_or(body1_word).span.clone();
            self.problems.add(&span, || DollProblemKind::JointToItself);
            return self.lose_joint(arguments);
        }
        if let Some(&first) = self.joint_names.first.get(&name) {
            let first = self.joints[first].joint.line;
            self.problems.add(&name_word.span, || DollProblemKind::DuplicateName { name: name.clone(), first });
        }
        let index = self.joints.len();
        self.joint_names.first.entry(name.clone()).or_insert(index);
        let mut draft = self.default_joint.clone();
        (draft.joint.name, draft.joint.line) = (name, self.line);
        debug_assert!(body1.max(body2.unwrap_or(0)) < self.bodies.len(), "the bodies of a joint exist");
        (draft.joint.body1, draft.joint.body2) = (body1, body2);
        draft.places.name = name_word.span.clone();
        self.joints.push(draft);
        self.current = Current::Joint(index);
    }

    fn update_body(&mut self, directive: &Word, arguments: &[Word]) {
        self.current = Current::LostBody;
        match arguments {
            [name] if name.bytes.eq_ignore_ascii_case(b"default") => self.current = Current::DefaultBody,
            [name] => {
                if let Some(index) = self.find_body(name) {
                    self.current = Current::Body(index);
                }
            }
            _ => self.wrong_count(directive, UPDATE_BODY_LINE),
        }
    }

    fn update_joint(&mut self, directive: &Word, arguments: &[Word]) {
        self.current = Current::LostJoint;
        match arguments {
            [name] if name.bytes.eq_ignore_ascii_case(b"default") => self.current = Current::DefaultJoint,
            [word] => {
                let name = self.cut(word);
                match self.joint_names.first.get(&name) {
                    Some(&index) => self.current = Current::Joint(index),
                    None if self.joint_names.lost.contains(&name) => {}
                    None => self.problems.add(&word.span, || DollProblemKind::UnknownJoint {
                        suggestion: nearest(name.as_bytes(), self.joints.iter().map(|j| j.joint.name.as_bytes())),
                        name,
                    }),
                }
            }
            _ => self.wrong_count(directive, UPDATE_JOINT_LINE),
        }
    }

    fn refpose(&mut self, directive: &Word, arguments: &[Word]) {
        let pose = match arguments {
            [pose] if pose.bytes.eq_ignore_ascii_case(b"skin") => ReferencePose::BindPose,
            [pose, _] if pose.bytes.eq_ignore_ascii_case(b"skin") => return self.wrong_count(directive, REFPOSE_LINE),
            [pose, ..] if arguments.len() <= 2 && c_number::integer(&pose.bytes).is_none() => {
                let suggestion = synonyms::pose(&pose.bytes).filter(|_| arguments.len() == 1);
                let word = Name::new(&pose.bytes);
                self.problems.add(&pose.span, || DollProblemKind::UnknownPose { word, suggestion });
                return;
            }
            [_, _] => {
                let mut arguments =
                    Arguments { attribute: "refpose", words: arguments, problems: &mut self.problems, bones: None };
                let index =
                    arguments.integer(0).filter(|&index| index >= 0 || arguments.refuse(0, Requirement::NotNegative));
                let time = arguments.number_that_is(1, Requirement::NotNegative);
                let (Some(index), Some(time)) = (index, time) else { return };
                ReferencePose::Animation { index: u32::try_from(index).unwrap_or(u32::MAX), time }
            }
            _ => return self.wrong_count(directive, REFPOSE_LINE),
        };
        self.reference = (pose, arguments.first().unwrap_or(directive).span.clone());
    }

    fn attribute(&mut self, word: &[u8], directive: &Word, words: &[Word]) {
        let before = self.problems.len();
        self.set_attribute(word, directive, words);
        if let Current::Joint(index) = self.current
            && let Some(joint) = self.joints.get_mut(index)
        {
            joint.places.has_error |= self.problems.has_errors_since(before);
        }
    }

    fn set_attribute(&mut self, word: &[u8], directive: &Word, words: &[Word]) {
        let body_attribute = BODY.iter().find(|a| a.word.as_bytes().eq_ignore_ascii_case(word));
        let joint_attribute = JOINT.iter().find(|a| a.word.as_bytes().eq_ignore_ascii_case(word));
        if body_attribute.is_none() && joint_attribute.is_none() {
            return self.unknown(word, directive, words);
        }
        let body = self.current.body(&mut self.bodies, &mut self.default_body, &mut self.lost_body);
        debug_assert!(
            !matches!(self.current, Current::Joint(joint) if joint >= self.joints.len()),
            "the current joint exists"
        );
        let joint = match self.current {
            Current::DefaultJoint => Some(&mut self.default_joint),
            Current::Joint(index) => self.joints.get_mut(index),
            Current::LostJoint => Some(&mut self.lost_joint),
            _ => None,
        };
        let problems = &mut self.problems;
        let bones = BoneLookup { encoding: self.encoding, bones: self.bones.as_ref() };
        match (body, joint, body_attribute, joint_attribute) {
            (Some(body), _, Some(attribute), _) => {
                attribute.set(body, directive, words, problems, bones);
            }
            (_, Some(_), _, Some(attribute)) if attribute.word == "pivot" && self.current == Current::DefaultJoint => {
                problems.add(&directive.span, || DollProblemKind::PivotOnDefault);
            }
            (_, Some(joint), _, Some(attribute)) => {
                joint.has_type_line |= attribute.word == "type";
                attribute.set(joint, directive, words, problems, bones);
            }
            _ if self.is_misspelt => {}
            (.., body, joint) => {
                let [body, joint] = [body.map(|a| a.word), joint.map(|a| a.word)];
                let owner = match (body, joint) {
                    (Some(_), None) => "body",
                    (None, _) => "joint",
                    (Some(_), Some(_)) => "body or joint",
                };
                let Some(attribute) = body.or(joint) else { return };
                problems.add(&directive.span, || DollProblemKind::Misplaced { attribute, owner });
            }
        }
    }

    /// Reports a line that begins with an unknown word.
    fn unknown(&mut self, word: &[u8], directive: &Word, words: &[Word]) {
        // Suggestions take long in a text of unknown words alone.
        if self.problems.is_full() {
            return;
        }
        let body = self.current.body(&mut self.bodies, &mut self.default_body, &mut self.lost_body);
        if let (Some(body), [number]) = (body, words)
            && let Some(size) = body.meant_size(word, number)
        {
            let (word, suggestion) = (Name::new(&directive.bytes), Some(size.as_str().into()));
            let span = directive.span.start..number.span.end;
            return self.problems.add(&span, || DollProblemKind::UnknownDirective { word, suggestion });
        }
        // The first word of a comment was not misspelt.
        let is_comment = word.first().is_some_and(is_comment_mark);
        let directives = directives().map(|directive| directive.word.as_bytes());
        let suggestion = if is_comment { None } else { synonyms::directive(word, directives) };
        let meant = suggestion.as_ref().and_then(|meant| DIRECTIVES.iter().find(|d| *meant == *d.word));
        match meant.map(|directive| directive.word) {
            Some("body") => self.lose_body(words),
            Some("joint") => self.lose_joint(words),
            _ => {}
        }
        self.is_misspelt |= meant.is_some_and(|directive| directive.word != "refpose");
        let word = Name::new(&directive.bytes);
        self.problems.add(&directive.span, || DollProblemKind::UnknownDirective { word, suggestion });
    }

    /// Remembers the name of a body whose line is reported, so that lines that use the name are not.
    fn lose_body(&mut self, arguments: &[Word]) {
        self.has_lost_bodies = true;
        let name = arguments.first().map(|word| self.cut(word));
        self.body_names.lost.extend(name);
    }

    /// Remembers the name of a joint whose line is reported, so that lines that use the name are not.
    fn lose_joint(&mut self, arguments: &[Word]) {
        let name = arguments.first().map(|word| self.cut(word));
        self.joint_names.lost.extend(name);
    }

    fn find_body(&mut self, word: &Word) -> Option<usize> {
        let name = self.cut(word);
        let found = self.body_names.first.get(&name).copied();
        if found.is_none() && !self.body_names.lost.contains(&name) {
            self.problems.add(&word.span, || DollProblemKind::UnknownBody {
                suggestion: nearest(name.as_bytes(), self.bodies.iter().map(|b| b.body.name.as_bytes())),
                name,
            });
        }
        found
    }

    fn new_name(&mut self, word: &Word) -> Name {
        let name = self.cut(word);
        if name != self.encoding.name(&word.bytes) {
            self.problems.add(&word.span, || DollProblemKind::NameTooLong { kept: name.clone() });
        }
        name
    }

    fn wrong_count(&mut self, directive: &Word, usage: &'static str) {
        self.problems.add(&directive.span, || DollProblemKind::WrongCount { usage });
    }

    /// Reports one problem in place of all bones that the model lacks, if it looks like the wrong model.
    fn blame_model(&mut self) {
        let missing = |(span, kind): &'_ (Range<usize>, DollProblemKind)| match kind {
            DollProblemKind::NoSuchBone { bone, suggestion } => {
                Some((span.clone(), bone.clone(), suggestion.is_some()))
            }
            _ => None,
        };
        let missing: Vec<_> = self.problems.since(0).filter_map(missing).collect();
        let bones = missing.iter().map(|(_, bone, _)| bone).collect::<HashSet<_>>().len();
        let similar = missing.iter().filter(|(.., is_similar)| *is_similar).count();
        let has_found = self.bones.as_ref().is_none_or(Bones::has_found);
        if let [(first, ..), _, ..] = missing.as_slice()
            && bones > 1
            && !has_found
            && 2 * similar < missing.len()
        {
            self.problems.retain(|kind| !matches!(kind, DollProblemKind::NoSuchBone { .. }));
            self.problems.add(first, || DollProblemKind::OtherModel { bones, model: None });
        }
    }

    fn into_draft(mut self, text: &'a [u8]) -> Draft<'a> {
        self.blame_model();
        self.joints.retain(|draft| {
            if draft.kind.is_none() && !draft.has_type_line {
                let joint = draft.joint.name.clone();
                self.problems.add(&draft.places.name, || DollProblemKind::JointWithoutType { joint });
            }
            draft.kind.is_some()
        });
        let mut draft = Draft {
            text,
            bones: self.bones,
            doll: Doll { reference: self.reference.0, ..Doll::default() },
            reference_span: self.reference.1,
            bodies: self.bodies.iter().map(|b| b.places.clone()).collect(),
            joints: self.joints.iter().map(|j| j.places.clone()).collect(),
            problems: self.problems,
        };
        super::draft::warn(text, &self.joints, &mut draft.problems);
        draft.doll.bodies = self.bodies.into_iter().map(|b| b.body).collect();
        draft.doll.joints = self.joints.into_iter().filter_map(JointDraft::into_joint).collect();
        draft
    }
}

/// Returns `true` for a byte that begins comments in other languages.
fn is_comment_mark(byte: &u8) -> bool {
    matches!(byte, b'#' | b';')
}

/// Returns the name of a body or joint: the first 31 bytes.
fn cut(name: &Name) -> Name {
    name.as_bytes().get(..Doll::MAX_NAME).map_or_else(|| name.clone(), Name::new)
}

impl JointDraft {
    fn into_joint(self) -> Option<super::Joint> {
        let kind = self.kind()?;
        Some(super::Joint { kind, ..self.joint })
    }
}
