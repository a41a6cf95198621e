"""Questions that are asked again later: ``{recall}``, prompts of one file, each with a folded answer.

The file is the setting `bookext_recall`: a list, in YAML, of mappings. Each has an ``id``, a ``chapter`` (a
document beside the page), what is asked (``ask``), the ``answer``, a reason (``why``) and a role that leads
to its place (``where``), in the Markdown of the pages. If the reader types the answer, it has one of `KINDS`
as well: a ``number``, which may be off by the fraction ``within`` of itself; a ``formula`` in ``letters``,
each with values to try; or ``words``, any of which is right: a star in one, though not in the first, stands
for any letters.

Without options the page has all prompts, and the label ``recall-of-CHAPTER`` is that of the first of a
chapter. ``:end: 1`` takes those that have ``end: 1``, and ``:folded: title`` folds them behind a title. On
the page each prompt is a list item that needs no script; `static/recall.js` asks one at a time, judges what
is typed, and remembers in the browser when to ask again.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from bookext.data_files import read_yaml
from bookext.sphinx.html import end, give_scripts, has

#: How an answer can be typed. A prompt with none of these is thought about, and looked up.
KINDS = ("number", "formula", "words")
_NEEDED = ("id", "chapter", "ask", "answer", "why", "where")
_KNOWN = {*_NEEDED, *KINDS, "within", "letters", "end"}


class recall_set(nodes.General, nodes.Element):  # docutils names nodes like this
    """Prompts that are asked together; `title` is what they fold behind, if they do."""


class recall_prompt(nodes.General, nodes.Element):
    """A question and an answer; `data` are its attributes on the page."""


class recall_question(nodes.General, nodes.Element):
    """What is asked."""


class recall_answer(nodes.General, nodes.Element):
    """What folds: the answer, why it is so, and where that is shown."""


def check_prompt(prompt: Any) -> str:
    """What is wrong with a prompt; "" if nothing is.

    >>> whole = {key: "x" for key in ("chapter", "ask", "answer", "why", "where")} | {"id": "a"}
    >>> check_prompt(whole), check_prompt(whole | {"number": 2})
    ('', "'a': a number says how far off an answer may be (within), and nothing else does")
    >>> check_prompt({"id": "a"})
    "'a': no chapter, ask, answer, why, where"
    """
    if not isinstance(prompt, dict):
        return f"{prompt!r} is no mapping"
    name = repr(prompt.get("id"))
    if missing := [key for key in _NEEDED if not prompt.get(key)]:
        return f"{name}: no {', '.join(missing)}"
    if unknown := sorted(prompt.keys() - _KNOWN):
        return f"{name}: {', '.join(unknown)} is none of {', '.join(sorted(_KNOWN))}"
    if len(prompt.keys() & set(KINDS)) > 1:
        return f"{name}: it has more than one of {', '.join(KINDS)}"
    if ("number" in prompt) != ("within" in prompt):
        return f"{name}: a number says how far off an answer may be (within), and nothing else does"
    if ("formula" in prompt) != ("letters" in prompt):
        return f"{name}: a formula says its letters, and nothing else does"
    if "words" in prompt and "*" in prompt["words"][0]:
        return f"{name}: the first of its words is shown as typed, and has no star"
    return ""


def read(path: Path) -> list[dict[str, Any]]:
    """The prompts of a file.

    Raises
    ------
    ValueError
        If one is not as it must be, or two have the same id.
    """
    prompts = read_yaml(path)
    if not isinstance(prompts, list):
        raise ValueError(f"{path.name} must have a list of prompts")
    if faults := [fault for prompt in prompts if (fault := check_prompt(prompt))]:
        raise ValueError(f"{path.name}: {'; '.join(faults)}")
    names = [prompt["id"] for prompt in prompts]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise ValueError(f"{path.name}: more than one prompt is called {', '.join(twice)}")
    return prompts


def tolerance(within: float) -> str:
    """How far off an answer may be, in words; "" if it must be exact.

    >>> tolerance(0.005), tolerance(0)
    ('within 0.5 %', '')
    """
    return f"within {100 * within:g} %" if within else ""


def attributes(prompt: dict[str, Any]) -> dict[str, str]:
    """What a script must know of a prompt."""
    data = {"data-recall": prompt["id"], "data-recall-of": prompt["chapter"]}
    kind = next((kind for kind in KINDS if kind in prompt), None)
    if kind:
        value = prompt[kind]
        data |= {"data-recall-kind": kind}
        data["data-recall-value"] = json.dumps(value) if kind == "words" else str(value)
    if kind == "number":
        data["data-recall-within"] = str(prompt["within"])
    if kind == "formula":
        data["data-recall-letters"] = json.dumps(prompt["letters"])
    return data


class Recall(SphinxDirective):
    """The directive ``{recall}``."""

    option_spec: ClassVar = {"end": int, "folded": directives.unchanged_required}

    def run(self) -> list[nodes.Node]:
        """The prompts as a list."""
        path = Path(self.env.srcdir, self.config.bookext_recall)
        self.env.note_dependency(str(path))
        try:
            prompts = read(path)
        except (OSError, ValueError) as error:
            raise self.error(f"the setting bookext_recall: {error}") from error
        end = self.options.get("end")
        chosen = [prompt for prompt in prompts if end is None or prompt.get("end") == end]
        if not chosen:
            raise self.error(f"{path.name} has no prompt with 'end: {end}'")
        made = recall_set(
            title=self.options.get("folded", ""), ids=[f"recall-{end}" if end else "recall-all"]
        )
        made.source, made.line = self.state_machine.get_source_and_line(self.lineno)
        prompts_made = [self._prompt(prompt) for prompt in chosen]
        if end is None:  # a chapter can refer to the first of its own
            first = {one["data"]["data-recall-of"]: one for one in reversed(prompts_made)}
            for chapter, prompt in first.items():
                prompt["names"] = [f"recall-of-{chapter}"]
                self.state.document.note_explicit_target(prompt)
        made += prompts_made
        return [made]

    def _prompt(self, prompt: dict[str, Any]) -> recall_prompt:
        item = recall_prompt(data=attributes(prompt))
        ask = prompt["ask"]
        if "number" in prompt and (allowed := tolerance(prompt["within"])):
            ask += f" ({allowed.capitalize()}.)"
        told = [prompt["answer"].rstrip("."), f"{prompt['why']} Shown in {prompt['where']}."]
        item += self._parsed(recall_question(), ask)
        item += self._parsed(recall_answer(), f"**{told[0]}.** {told[1]}")
        return item

    def _parsed(self, node: nodes.Element, text: str) -> nodes.Element:
        self.state.nested_parse(
            StringList(text.splitlines(), self.config.bookext_recall), self.content_offset, node
        )
        return node


def _visit_set(self: Any, node: nodes.Element) -> None:
    if node["title"]:
        self.body.append(f'<details class="recall-fold"><summary>{self.encode(node["title"])}</summary>\n')
    self.body.append(self.starttag(node, "div", CLASS="recall", **{"data-recall-set": ""}))
    self.body.append('<div class="recall-session" data-recall-session=""></div>\n')
    if not node["title"]:  # a list that is seen before its questions are asked spoils them
        count = len(node.children)
        self.body.append(
            '<details class="recall-fold recall-list" open>'
            f"<summary>All {count} questions as a list</summary>\n"
        )
    self.body.append('<ol class="recall-prompts">\n')


def _depart_set(self: Any, node: nodes.Element) -> None:
    self.body.append("</ol></div></details>\n" if node["title"] else "</ol></details></div>\n")


def _visit_prompt(self: Any, node: nodes.Element) -> None:
    self.body.append(self.starttag(node, "li", "", **node["data"]))


def _visit_question(self: Any, node: nodes.Element) -> None:
    self.body.append('<div data-recall-question="">')


def _visit_answer(self: Any, node: nodes.Element) -> None:
    self.body.append('<details data-recall-answer=""><summary>Answer</summary>')


def setup(app: Sphinx) -> None:
    """Register the directive with Sphinx."""
    app.add_config_value("bookext_recall", "", "env", str)
    app.add_node(recall_set, html=(_visit_set, _depart_set))
    app.add_node(recall_prompt, html=(_visit_prompt, end("</li>\n")))
    app.add_node(recall_question, html=(_visit_question, end("</div>\n")))
    app.add_node(recall_answer, html=(_visit_answer, end("</details>\n")))
    give_scripts(app, has(recall_set), "jsep/jsep.js", "recall.js")
    app.add_directive("recall", Recall)
