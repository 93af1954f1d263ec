"""Finds sentences that a native technical writer would not write, in comments, messages and Markdown.

Each rule is a pattern of one kind; the kinds come from readings of the repository. Code in a text counts as one word.
"""

import pathlib
import re

ROOT = pathlib.Path(__file__).parent.parent
SOURCES = ["src", "crates", "qcvm", "cli", "capi", "fuzz", "examples", "benches", "tests"]
# Strings of these folders are messages; elsewhere they are mostly data.
MESSAGES = ["src", "crates/model/src", "qcvm/src", "cli/src", "capi/src", "capi/calls/src"]
WIDTH = 120
CODE = "CODE"

# A summary is read alone, so it cannot open with a word that stands for something said elsewhere.
OPENINGS = re.compile(
    r"(What|Whose|Who|Whom|It|Its|The same|As|They|Their|Such|That|Those|These|This|Where|How|Whether|Which|When|Why|"
    r"Also|And|But|Or|Like|Same|Likewise|Ditto|Here|There|Then|So|Otherwise|Else|Too|One of them|Both)\b"
)
RULES = [
    (
        'is no X" for "is not an X',
        # "There is no doll" is fine, and so are "no longer" and comparisons.
        r"(?<!there )(?<!there can )(?<!there may )(?<!there must )(?<!there could )(?<!there would )"
        r"\b(?:is|are|was|were|be|been) no "
        r"(?!longer|more|less|fewer|other|different|better|worse|matter|use\b|doubt\b|one\b|\w+er than)\w+",
    ),
    (
        '"there" without a noun',
        # "The doll that is there": where? "The object to which it belongs stays there" names a place.
        r"\b(?:that|which|what|whatever|who|if it|if one|if they|none|nothing|something|anything|ones?|already|longer) "
        r"(?:(?:is|are|was|were|stands?|lies?) )?(?:already |still |not |now )?there\b"
        r"(?! (?:is|are|was|were|will|can|may|must|would|could|should|no|a|an)\b)"
        r"|\b(?:is|are|was|were) (?:all |still |already )?there(?=[.,;:)]| and | or |$)",
    ),
    ('"throws a shadow" for "casts', r"\bthr(?:ow|ows|owing|ew|own)\b[^.;:]{0,30}\bshadows?\b"),
    (
        '"with N units/s" for "at',
        r"\bwith (?:[\d,.]+|CODE) (?:units|degrees|radians|metres|m|km)(?:/s| per second| a second)\b",
    ),
    ("which one was there?", r"\breturns (?:CODE|true|whether)(?: if)? there (?:was|were)\b"),
]
# Words before "that" which make it something else than the start of a relative clause.
NOT_RELATIVE = set(
    "so such than means mean states state says say said sure know knows known note ensures ensure requires "
    "require assumes assume shows show shown reports report tells tell told finds find found sees see warns warn "
    "checks check promises promise proves prove proven expects expect claims claim fact believes follows noticed "
    "notice notices asserts assert guarantees guarantee provided demands demand and of as like with in to by for "
    "from at on is are was or but after before until during beyond under over within without not if when because "
    "learns learn feels agrees names imply implies suggests confirms hopes explains out does do above below that "
    "into then about now turns".split()
)
# Words after "that" which make it a pronoun: "that of the model", "that with which it falls".
NOT_A_CLAUSE = set(" of with about in from at by to".split(" "))
WHICH_ONE = set("decides determines decide determine states state says say know knows tells tell on of".split())
# What separates two clauses, so that the second is not inside the first.
SEPARATORS = re.compile(r"[,;:()–]|\b(?:and|or|but|than|if|when|because|while|so that|unless)\b")


def plain(text):
    """Returns a text with code, links and emphasis as single words."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"``.*?``|`[^`]*`", CODE, text)
    return text.replace("[", "").replace("]", "").replace("*", "").replace("_", " ")


def relatives(sentence):
    """Returns the places at which relative clauses begin."""
    places = []
    for found in re.finditer(r"\b(that|which|whose|whom|who)\b", sentence):
        before = re.findall(r"[\w'/-]+", sentence[: found.start()].lower())
        after = re.match(r"\s*([\w'-]+)", sentence[found.end() :])
        word, last = found.group(1), before[-1] if before else ""
        next_word = after.group(1) if after else ""
        if word == "that" and (last in NOT_RELATIVE | {""} or next_word in NOT_A_CLAUSE):
            continue
        if word != "that" and (last in WHICH_ONE | {""} or not next_word):
            continue
        places.append(found.start())
    return places


def chain(text):
    """Returns the first part of a sentence with two relative clauses and nothing that separates them, or `None`."""
    for sentence in re.split(r"(?<=[.!?]) ", text):
        places = relatives(sentence)
        for first, second in zip(places, places[1:]):
            if not SEPARATORS.search(sentence[first:second]):
                return sentence[sentence.rfind(" ", 0, max(0, first - 1)) + 1 :][:90]
    return None


class Block:
    """A paragraph, and the number of its first line."""

    def __init__(self, number):
        self.number, self.lines = number, []

    def text(self):
        return plain(" ".join(self.lines))


def blocks(lines):
    """Returns the paragraphs of numbered lines of Markdown, without code."""
    found, block, fenced = [], None, False
    for number, line in lines:
        text = line.strip()
        if text.startswith("```"):
            fenced, block = not fenced, None
        elif fenced or not text or text.startswith(("|", "#")):
            block = None
            if text.startswith(("|", "#")) and not fenced:
                found.append(Block(number))
                found[-1].lines.append(text.strip("|# "))
        else:
            if block is None or re.match(r"[-*] |\d+\. ", text):
                block = Block(number)
                found.append(block)
            block.lines.append(text)
    return found


class Run:
    """Comment lines of one kind that follow each other, with their numbers."""

    def __init__(self, kind):
        self.kind, self.lines = kind, []


def comments(path):
    """Returns the runs of comment lines of a Rust file."""
    runs, before = [], None
    for number, line in enumerate(path.read_text().splitlines(), 1):
        # Fences of examples that need a feature are attributes: one for the example, one that ignores it.
        fence = re.match(r'\s*#!?\[cfg_attr\((not\()?.*doc = "(```.*)"\)\]', line)
        if fence and before in ("///", "//!"):
            if not fence.group(1):
                runs[-1].lines.append((number, fence.group(2)))
            continue
        comment = re.match(r"\s*(//[/!]?) ?(.*)", line)
        kind = comment and comment.group(1)
        if comment:
            if kind != before:
                runs.append(Run(kind))
            runs[-1].lines.append((number, comment.group(2)))
        before = kind
    return runs


def messages(path):
    """Returns the strings of a Rust file that read like a sentence or a part of one."""
    text = re.sub(r"^\s*//.*$", "", path.read_text(), flags=re.MULTILINE)
    found = []
    for string in re.finditer(r'"((?:[^"\\]|\\.)*)"', text, re.DOTALL):
        words = re.sub(r"\\\n\s*", "", string.group(1))
        if len(words.split()) > 2:
            block = Block(text.count("\n", 0, string.start()) + 1)
            block.lines = re.sub(r"\{[^}]*\}", CODE, words).replace("\\n", "\n").split("\n")
            found.append(block)
    return found


def rust_files():
    for folder in SOURCES:
        for path in sorted((ROOT / folder).rglob("*.rs")):
            if "target" not in path.relative_to(ROOT).parts:
                yield path


def markdown_files():
    for path in sorted(ROOT.rglob("*.md")):
        parts = path.relative_to(ROOT).parts
        if not {"target", "node_modules", ".git"} & set(parts):
            yield path


def paragraphs():
    """Returns every paragraph of the repository's prose, with its file."""
    for path in rust_files():
        for run in comments(path):
            yield from ((path, block) for block in blocks(run.lines))
        if any(path.is_relative_to(ROOT / folder) for folder in MESSAGES):
            yield from ((path, block) for block in messages(path))
    for path in markdown_files():
        yield from ((path, block) for block in blocks(enumerate(path.read_text().splitlines(), 1)))


def summaries():
    """Returns the summaries that lean on other items, and the lines of documentation that are too long."""
    found = []
    for path in rust_files():
        fenced, before = False, ""
        for number, line in enumerate(path.read_text().splitlines(), 1):
            comment = re.match(r"\s*//[/!]( ?)(.*)", line)
            text = comment.group(2) if comment else ""
            place = f"{path.relative_to(ROOT)}:{number}"
            opens = comment and not before
            if text.startswith("```"):
                fenced = not fenced
            elif opens and OPENINGS.match(text):
                found.append(f"{place}: a summary that opens with \"{OPENINGS.match(text).group(1)}\"")
            if comment and len(line) > WIDTH and "http" not in line and "|" not in line:
                found.append(f"{place}: {len(line)} columns")
            before = comment and (fenced or comment.group(0)) or ""
            if not comment:
                fenced = False
    return found


def findings():
    """Returns a line for everything in the prose that a rule finds."""
    found = summaries()
    for path, block in paragraphs():
        place, text = f"{path.relative_to(ROOT)}:{block.number}", block.text()
        for kind, pattern in RULES:
            for match in re.finditer(pattern, text, re.IGNORECASE):
                shown = text[max(0, match.start() - 30) : match.end() + 20]
                found.append(f"{place}: {kind}: …{shown}…")
        part = chain(text)
        if part:
            found.append(f"{place}: a chain of relative clauses: …{part}…")
    return found
