//! Parser: text to doll, line by line.

use std::collections::HashMap;
use std::ops::Range;

use super::attribute::{Arguments, BODY, JOINT};
use super::bone_names::Bones;
use super::directive::{Directive, DirectiveScope, directives};
use super::draft::{BodyDraft, Draft, JointDraft};
use super::lexer::{self, Word};
use super::problem::Problems;
use super::suggest::nearest;
use super::{Doll, DollProblemKind, ReferencePose, Requirement};
use crate::model::{Name, Skeleton};

/// Spelling of the directives that are not attributes.
const BODY_LINE: &str = "body NAME BONE";
const JOINT_LINE: &str = "joint NAME BODY [BODY]";
const UPDATE_BODY_LINE: &str = "updatebody NAME|default";
const UPDATE_JOINT_LINE: &str = "updatejoint NAME|default";
const REFPOSE_LINE: &str = "refpose skin|ANIMATION SECONDS";
pub(super) const DIRECTIVES: [Directive; 5] = [
    Directive::new("body", BODY_LINE, DirectiveScope::File),
    Directive::new("joint", JOINT_LINE, DirectiveScope::File),
    Directive::new("updatebody", UPDATE_BODY_LINE, DirectiveScope::File),
    Directive::new("updatejoint", UPDATE_JOINT_LINE, DirectiveScope::File),
    Directive::new("refpose", REFPOSE_LINE, DirectiveScope::File),
];

/// Parses a whole text. Without a skeleton every bone is assumed to exist.
pub(super) fn parse<'a>(text: &'a [u8], skeleton: Option<&'a Skeleton>) -> Draft<'a> {
    let mut parser = Parser { bones: skeleton.map(Bones::new), ..Parser::default() };
    let mut counted = 0;
    parser.line = 1;
    for line in lexer::lines(text) {
        if let Some(first) = line.words.first() {
            parser.line += newlines(text, counted..first.span.start);
            counted = first.span.start;
            parser.directive(&line.words);
        }
        for span in &line.unclosed_quotes {
            parser.problems.add(span, || DollProblemKind::UnclosedQuote);
        }
        if let Some(span) = &line.unclosed_comment {
            parser.problems.add(span, || DollProblemKind::UnclosedComment);
        }
    }
    if parser.bodies.is_empty() {
        parser.problems.add(&(text.len()..text.len()), || DollProblemKind::NoBodies);
    }
    parser.into_draft(text)
}

fn newlines(text: &[u8], range: Range<usize>) -> usize {
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

#[derive(Default)]
struct Parser<'a> {
    bones: Option<Bones<'a>>,
    /// Line of the current directive, 1-based.
    line: usize,
    current: Current,
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

/// Places where names were first given: to objects, and to objects that were skipped.
#[derive(Default)]
struct Names {
    first: HashMap<Name, usize>,
    lost: HashMap<Name, usize>,
}

impl<'a> Parser<'a> {
    fn directive(&mut self, words: &[Word]) {
        let [directive, arguments @ ..] = words else { return };
        match directive.bytes.to_ascii_lowercase().as_slice() {
            b"body" => self.body(directive, arguments),
            b"joint" => self.joint(directive, arguments),
            b"updatebody" => self.update_body(directive, arguments),
            b"updatejoint" => self.update_joint(directive, arguments),
            b"refpose" => self.refpose(directive, arguments),
            word => self.attribute(word, directive, arguments),
        }
    }

    fn body(&mut self, directive: &Word, arguments: &[Word]) {
        self.current = Current::LostBody;
        let [name_word, bone_word] = arguments else {
            self.wrong_count(directive, BODY_LINE);
            if let [name, ..] = arguments {
                self.body_names.lost.entry(cut(&name.bytes)).or_insert(self.line);
            }
            return;
        };
        let name = self.new_name(name_word);
        let bone = Name::new(&bone_word.bytes);
        if let Some(bones) = &self.bones
            && bones.find(&bone).is_none()
        {
            self.problems.add(&bone_word.span, || bones.missing(bone));
            self.body_names.lost.entry(name).or_insert(self.line);
            return;
        }
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
            if let [name] = arguments {
                self.joint_names.lost.entry(cut(&name.bytes)).or_insert(self.line);
            }
            return;
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
            self.joint_names.lost.entry(name).or_insert(self.line);
            return;
        };
        if body2 == Some(body1) {
            let span = body2_word.unwrap_or(body1_word).span.clone();
            self.problems.add(&span, || DollProblemKind::JointToItself);
            self.joint_names.lost.entry(name).or_insert(self.line);
            return;
        }
        if let Some(&first) = self.joint_names.first.get(&name) {
            let first = self.joints[first].joint.line;
            self.problems.add(&name_word.span, || DollProblemKind::DuplicateName { name: name.clone(), first });
        }
        let index = self.joints.len();
        self.joint_names.first.entry(name.clone()).or_insert(index);
        let mut draft = self.default_joint.clone();
        (draft.joint.name, draft.joint.line) = (name, self.line);
        (draft.joint.body1, draft.joint.body2) = (body1, body2);
        (draft.places.name, draft.type_reported) = (name_word.span.clone(), false);
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
                let name = cut(&word.bytes);
                match self.joint_names.first.get(&name) {
                    Some(&index) => self.current = Current::Joint(index),
                    None => self.problems.add(&word.span, || DollProblemKind::UnknownJoint {
                        dropped: self.joint_names.lost.get(&name).copied(),
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
            [pose, ..] if arguments.len() <= 2 && super::c_number::integer(&pose.bytes).is_none() => {
                self.problems.add(&pose.span, || DollProblemKind::UnknownPose { word: Name::new(&pose.bytes) });
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
        self.reference = (pose, directive.span.clone());
    }

    fn attribute(&mut self, word: &[u8], directive: &Word, words: &[Word]) {
        let body_attribute = BODY.iter().find(|a| a.word.as_bytes().eq_ignore_ascii_case(word));
        let joint_attribute = JOINT.iter().find(|a| a.word.as_bytes().eq_ignore_ascii_case(word));
        let body = match self.current {
            Current::DefaultBody => Some(&mut self.default_body),
            Current::Body(index) => self.bodies.get_mut(index),
            Current::LostBody => Some(&mut self.lost_body),
            _ => None,
        };
        let joint = match self.current {
            Current::DefaultJoint => Some(&mut self.default_joint),
            Current::Joint(index) => self.joints.get_mut(index),
            Current::LostJoint => Some(&mut self.lost_joint),
            _ => None,
        };
        let (problems, bones) = (&mut self.problems, self.bones.as_ref());
        match (body, joint, body_attribute, joint_attribute) {
            (Some(body), _, Some(attribute), _) => {
                attribute.set(body, directive, words, problems, bones);
            }
            (_, Some(_), _, Some(attribute)) if attribute.word == "pivot" && self.current == Current::DefaultJoint => {
                problems.add(&directive.span, || DollProblemKind::PivotOnDefault);
            }
            (_, Some(joint), _, Some(attribute)) => {
                attribute.set(joint, directive, words, problems, bones);
            }
            (_, _, Some(attribute), None) => problems
                .add(&directive.span, || DollProblemKind::Misplaced { attribute: attribute.word, owner: "body" }),
            (_, _, None, Some(attribute)) => problems
                .add(&directive.span, || DollProblemKind::Misplaced { attribute: attribute.word, owner: "joint" }),
            (_, _, Some(attribute), Some(_)) => problems.add(&directive.span, || DollProblemKind::Misplaced {
                attribute: attribute.word,
                owner: "body or joint",
            }),
            (.., None, None) => problems.add(&directive.span, || DollProblemKind::UnknownDirective {
                suggestion: nearest(word, directives().map(|d| d.word.as_bytes())),
                word: Name::new(&directive.bytes),
            }),
        }
    }

    fn find_body(&mut self, word: &Word) -> Option<usize> {
        let name = cut(&word.bytes);
        let found = self.body_names.first.get(&name).copied();
        if found.is_none() {
            self.problems.add(&word.span, || DollProblemKind::UnknownBody {
                dropped: self.body_names.lost.get(&name).copied(),
                suggestion: nearest(name.as_bytes(), self.bodies.iter().map(|b| b.body.name.as_bytes())),
                name,
            });
        }
        found
    }

    fn new_name(&mut self, word: &Word) -> Name {
        let name = cut(&word.bytes);
        if name.as_bytes().len() < Name::new(&word.bytes).as_bytes().len() {
            self.problems.add(&word.span, || DollProblemKind::NameTooLong { kept: name.clone() });
        }
        name
    }

    fn wrong_count(&mut self, directive: &Word, usage: &'static str) {
        self.problems.add(&directive.span, || DollProblemKind::WrongCount { usage });
    }

    fn into_draft(mut self, text: &'a [u8]) -> Draft<'a> {
        self.joints.retain(|draft| {
            if draft.kind.is_none() && !draft.type_reported {
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
        super::draft::warn(&self.joints, &mut draft.problems);
        draft.doll.bodies = self.bodies.into_iter().map(|b| b.body).collect();
        draft.doll.joints = self.joints.into_iter().filter_map(JointDraft::into_joint).collect();
        draft
    }
}

/// Returns the name of a body or joint: the first 31 bytes.
fn cut(bytes: &[u8]) -> Name {
    let name = Name::new(bytes);
    match name.as_bytes().get(..Doll::MAX_NAME) {
        Some(kept) => Name::new(kept),
        None => name,
    }
}

impl JointDraft {
    fn into_joint(self) -> Option<super::Joint> {
        let kind = self.kind()?;
        Some(super::Joint { kind, ..self.joint })
    }
}
