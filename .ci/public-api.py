#!/usr/bin/env python3
"""Lists the public items of a crate, one a line, from rustdoc's JSON.

    .ci/public-api.py PACKAGE            prints the list
    .ci/public-api.py --check            compares docs/public-api.txt with both libraries
    .ci/public-api.py --write            writes docs/public-api.txt
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from rustdoc import PACKAGES, Walk, documentation

LIST = pathlib.Path(__file__).parent.parent / "docs" / "public-api.txt"


class Names(Walk):
    """The paths of each item."""

    def __init__(self, crate):
        self.names = {}
        super().__init__(crate)

    def found(self, kind, item, inner, name):
        self.names.setdefault(self.key(item), []).append(name)


class Api(Walk):
    """The items of a crate, and how they are written: each under its shortest path, other paths as uses of it."""

    def __init__(self, crate):
        self.lines = set()
        self.names = Names(crate).names
        super().__init__(crate)

    def foreign(self, use, path):
        self.lines.add(f"use {path}::{use['name']} = {use['source']}")

    def found(self, kind, item, inner, name):
        shortest = min(self.names[self.key(item)], key=lambda path: (path.count("::"), path))
        if name != shortest:
            self.lines.add(f"use {name} = {shortest}")
        elif kind == "module":
            self.lines.add(f"mod {name}")
        elif kind == "function":
            self.lines.add(self.function(item, inner, name))
        elif kind in ("struct", "enum", "union"):
            self.lines.add(f"{self.attributes(item)}{kind} {name}{self.generics(inner['generics'])}")
            self.members(kind, inner, name)
            for implementation in inner["impls"]:
                self.implementation(self.item(implementation), name)
        elif kind == "trait":
            self.lines.add(f"trait {name}{self.generics(inner['generics'])}{self.bounds(inner['bounds'], ': ')}")
            for number in inner["items"]:
                self.associated(self.item(number), name)
        elif kind == "constant":
            self.lines.add(f"const {name}: {self.type(inner['type'])}")
        elif kind == "static":
            self.lines.add(f"static {name}: {self.type(inner['type'])}")
        elif kind == "type_alias":
            self.lines.add(f"type {name} = {self.type(inner['type'])}")
        elif kind == "macro":
            self.lines.add(f"macro {name}!")

    @staticmethod
    def attributes(item):
        words = [str(a) for a in item["attrs"]]
        return "#[non_exhaustive] " if any("non_exhaustive" in word for word in words) else ""

    def members(self, kind, inner, name):
        if kind == "enum":
            for number in inner["variants"]:
                variant = self.item(number)
                shape = variant["inner"]["variant"]["kind"]
                fields = ""
                if isinstance(shape, dict) and "tuple" in shape:
                    parts = [self.field(number) for number in shape["tuple"]]
                    fields = f"({', '.join(parts)})"
                elif isinstance(shape, dict):
                    parts = [f"{self.item(n)['name']}: {self.field(n)}" for n in shape["struct"]["fields"]]
                    fields = f" {{ {', '.join(parts)} }}"
                self.lines.add(f"{self.attributes(variant)}variant {name}::{variant['name']}{fields}")
            return
        shape = inner["kind"] if kind == "struct" else {"plain": {"fields": inner["fields"]}}
        if isinstance(shape, dict):
            numbers = shape["plain"]["fields"] if "plain" in shape else shape["tuple"]
            for number in numbers:
                field = self.item(number) if number is not None else None
                if field and field["visibility"] == "public":
                    self.lines.add(f"field {name}.{field['name']}: {self.field(number)}")

    def field(self, number):
        field = self.item(number) if number is not None else None
        return self.type(field["inner"]["struct_field"]) if field else "_"

    def implementation(self, item, name):
        if item is None:
            return
        inner = item["inner"]["impl"]
        if inner["is_synthetic"] or inner["blanket_impl"]:
            return
        if inner["trait"] is None:
            for number in inner["items"]:
                self.associated(self.item(number), name)
        else:
            trait = self.path(inner["trait"])
            # A mark of the compiler beside a derived PartialEq, which has no stable name.
            if trait != "StructuralPartialEq":
                self.lines.add(f"impl {trait} for {name}")

    def associated(self, item, name):
        if item is None or item["visibility"] not in ("public", "default"):
            return
        kind, inner = next(iter(item["inner"].items()))
        name = f"{name}::{item['name']}"
        if kind == "function":
            self.lines.add(self.function(item, inner, name) + (" { .. }" if inner["has_body"] else ""))
        elif kind == "assoc_const":
            self.lines.add(f"const {name}: {self.type(inner['type'])}")
        elif kind == "assoc_type":
            self.lines.add(f"type {name}{self.bounds(inner['bounds'], ': ')}")

    def function(self, item, inner, name):
        words = "".join(f"{w} " for w in ("const", "async", "unsafe") if inner["header"].get(f"is_{w}"))
        where = self.where(inner["generics"])
        return f"{words}fn {name}{self.generics(inner['generics'])}{self.signature(inner['sig'])}{where}"

    def signature(self, signature):
        inputs = ", ".join(f"{name}: {self.type(kind)}" for name, kind in signature["inputs"])
        output = f" -> {self.type(signature['output'])}" if signature["output"] else ""
        return f"({inputs}){output}"

    def generics(self, generics):
        parameters = []
        for parameter in generics["params"]:
            kind, inner = next(iter(parameter["kind"].items()))
            if kind == "lifetime":
                parameters.append(parameter["name"])
            elif kind == "const":
                parameters.append(f"const {parameter['name']}: {self.type(inner['type'])}")
            elif not inner["is_synthetic"]:
                parameters.append(parameter["name"] + self.bounds(inner["bounds"], ": "))
        return f"<{', '.join(parameters)}>" if parameters else ""

    def where(self, generics):
        bounds = [p["bound_predicate"] for p in generics["where_predicates"] if "bound_predicate" in p]
        shown = [self.type(bound["type"]) + self.bounds(bound["bounds"], ": ") for bound in bounds]
        return f" where {', '.join(shown)}" if shown else ""

    def bounds(self, bounds, before=""):
        return before + " + ".join(map(self.bound, bounds)) if bounds else ""

    def bound(self, bound):
        if "trait_bound" in bound:
            modifier = {"none": "", "maybe": "?", "maybe_const": "~const "}[bound["trait_bound"]["modifier"]]
            return modifier + self.path(bound["trait_bound"]["trait"])
        return bound.get("outlives", "use<..>")

    def path(self, path):
        name = path.get("path", path.get("name", "")).removeprefix("$crate::").split("::")[-1]
        return name + self.arguments(path.get("args"))

    def arguments(self, arguments):
        if not arguments:
            return ""
        if "parenthesized" in arguments:
            inner = arguments["parenthesized"]
            output = f" -> {self.type(inner['output'])}" if inner["output"] else ""
            return f"({', '.join(map(self.type, inner['inputs']))}){output}"
        if "angle_bracketed" not in arguments:
            return "(..)"
        inner = arguments["angle_bracketed"]
        parts = []
        for argument in inner["args"]:
            kind, value = next(iter(argument.items())) if isinstance(argument, dict) else ("infer", None)
            parts.append({"lifetime": lambda: value, "type": lambda: self.type(value), "const": lambda: value["expr"]}
                         .get(kind, lambda: "_")())
        for constraint in inner["constraints"]:
            bound = constraint["binding"]
            shown = self.type(bound["equality"]["type"]) if "type" in bound.get("equality", {}) else "_"
            parts.append(f"{constraint['name']} = {shown}")
        return f"<{', '.join(parts)}>" if parts else ""

    def type(self, shown):
        if shown == "infer":
            return "_"
        kind, inner = next(iter(shown.items()))
        match kind:
            case "resolved_path":
                return self.path(inner)
            case "generic" | "primitive":
                return inner
            case "dyn_trait":
                traits = " + ".join(self.path(bound["trait"]) for bound in inner["traits"])
                return f"dyn {traits}" + (f" + {inner['lifetime']}" if inner["lifetime"] else "")
            case "impl_trait":
                return f"impl {self.bounds(inner)}"
            case "tuple":
                return f"({', '.join(map(self.type, inner))})"
            case "slice":
                return f"[{self.type(inner)}]"
            case "array":
                return f"[{self.type(inner['type'])}; {inner['len']}]"
            case "borrowed_ref":
                lifetime = f"{inner['lifetime']} " if inner["lifetime"] else ""
                return f"&{lifetime}{'mut ' if inner['is_mutable'] else ''}{self.type(inner['type'])}"
            case "raw_pointer":
                return f"*{'mut' if inner['is_mutable'] else 'const'} {self.type(inner['type'])}"
            case "qualified_path":
                return f"<{self.type(inner['self_type'])}>::{inner['name']}"
            case "function_pointer":
                return f"fn{self.signature(inner['sig'])}"
        return kind


def listing():
    sections = []
    for package in PACKAGES:
        lines = sorted(Api(documentation(package)).lines)
        sections.append(f"# {package}: {len(lines)} items\n" + "\n".join(lines) + "\n")
    return "\n".join(sections)


def main(arguments):
    if arguments == ["--write"]:
        LIST.write_text(listing())
    elif arguments == ["--check"]:
        old, new = LIST.read_text().splitlines(), listing().splitlines()
        removed, added = sorted(set(old) - set(new)), sorted(set(new) - set(old))
        if removed or added:
            print("\n".join([*(f"- {line}" for line in removed), *(f"+ {line}" for line in added)]))
            sys.exit("the public items changed: look at them, then run .ci/public-api.py --write")
        print(f"public items: {sum(not line.startswith('#') and bool(line) for line in new)}, as listed")
    elif len(arguments) == 1 and arguments[0] in PACKAGES:
        print("\n".join(sorted(Api(documentation(arguments[0])).lines)))
    else:
        sys.exit(__doc__)


main(sys.argv[1:])
