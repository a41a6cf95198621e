"""Which cells a page shows: the tag `show` marks what a learner would type; the rest waits for a switch.

On the page a cell without the tag shows its figure, table, formulas or explorer, and neither its source nor
an output that is mere text. All of it is in the page, and the reader's switch "Show all code" brings it back
(`head.js`, and the template `show-code.html`). In exercises and solutions every cell is shown.
"""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx.transforms import SphinxTransform

from bookext.sphinx.figures import formats_of, is_bundle

#: The tag of cells that are shown with their source.
SHOW = "show"
#: The tag of cells that go into the fold below them, where a cell cannot stand in a source.
FOLD = "fold"
#: The class of what waits for the switch: a cell's source, or a cell as a whole.
WAITS = "code-waits"
#: The class of a section that notebooks have and pages do not: what it does needs a kernel.
NOTEBOOK_ONLY = "notebook-only"
#: MyST-NB finds the numbers to be put into sentences in outputs of this kind, which it cannot show.
_GLUED = "application/papermill.record/"
#: Blocks of whose text cells are a part.
_SHOWN_IN = {"exercise", "solution"}


def is_text(output: nodes.Node) -> bool:
    """Whether an output of a cell is text that means little without its program."""
    if is_bundle(output):
        return formats_of(output).keys() <= {"text/plain"}
    return isinstance(output, nodes.literal_block)  # what was printed; a captioned figure is neither


def is_cell(node: nodes.Node) -> bool:
    """Whether `node` is a code cell with its outputs."""
    return isinstance(node, nodes.container) and node.get("nb_element") == "cell_code"


def goes_into_fold(node: nodes.Node) -> bool:
    """Whether `node` is a code cell with the tag for it."""
    return isinstance(node, nodes.Element) and is_cell(node) and FOLD in node["cell_metadata"].get("tags", [])


def stands_in_exercise(node: nodes.Node) -> bool:
    """Whether `node` is a part of an exercise or of its solution."""
    place = node.parent
    while isinstance(place, nodes.Element):
        if _SHOWN_IN.intersection(place.get("classes", [])):
            return True
        place = place.parent
    return False


class FoldCode(SphinxTransform):
    """Let the sources of a page's cells wait for the switch, except of those that are tagged."""

    default_priority = 390  # after exercises are put together, before outputs lose formats

    def apply(self, **kwargs: Any) -> None:
        """Look at every cell of the page."""
        for cell in list(self.document.findall(is_cell)):
            assert isinstance(cell, nodes.Element)
            self.drop_glued(cell)
            if goes_into_fold(cell):
                self.put_into_fold(cell)
            if SHOW in cell["cell_metadata"].get("tags", []) or stands_in_exercise(cell):
                continue
            parts = {part["nb_element"]: part for part in cell.children if isinstance(part, nodes.Element)}
            shown = parts.get("cell_code_output")
            only_text = shown is None or all(map(is_text, shown.children))
            (cell if only_text else parts["cell_code_source"])["classes"].append(WAITS)

    def put_into_fold(self, cell: nodes.Element) -> None:
        """Let a cell begin the fold that follows it, after those that came before it."""
        following = cell.parent.children[cell.parent.index(cell) + 1 :]
        fold = next((node for node in following if not goes_into_fold(node)), None)
        if not isinstance(fold, nodes.Element) or fold.get("design_component") != "dropdown":
            raise ExtensionError(f"line {cell.line}: a cell with the tag {FOLD!r} needs a dropdown below it")
        cell.parent.remove(cell)
        place = int(fold["has_title"])
        while is_cell(fold.children[place]):
            place += 1
        fold.insert(place, cell)

    def drop_glued(self, cell: nodes.Element) -> None:
        """Take out the outputs that only hold numbers for sentences."""
        for output in list(cell.findall(nodes.container)):
            if is_bundle(output) and all(name.startswith(_GLUED) for name in formats_of(output)):
                place = output.parent
                place.remove(output)
                if not place.children:
                    cell.remove(place)
