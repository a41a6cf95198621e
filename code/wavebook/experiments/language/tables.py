"""The spectra side by side, as the table that a page shows."""

from __future__ import annotations

from wavebook.experiments.language import MEASURES, Prediction, Recorded, interval
from wavebook.experiments.markdown import folded, table

#: The columns, with how many decimals each has.
COLUMNS = {
    **{"within": 3, "step": 2, "beyond": 2, "far": 2},
    **{"copied within": 2, "copied beyond": 2, "copied far": 2, "late": 2},
}
MINUS = "\N{MINUS SIGN}"


def signed(value: float, places: int) -> str:
    """A difference with its sign.

    >>> signed(0.25, 1), signed(-0.26, 1), signed(-0.04, 1)
    ('+0.2', '−0.3', '0.0')
    """
    text = f"{value:+.{places}f}"
    return f"{0:.{places}f}" if float(text) == 0 else text.replace("-", MINUS)


def side_by_side(recorded: Recorded, usual: str = "geometric") -> str:
    """Each spectrum's difference from the usual one, with its interval, folded; bold where it counts."""
    heads = ["frequencies", *COLUMNS]
    first = [f"{recorded.run(usual).measure(name).mean():.{places}f}" for name, places in COLUMNS.items()]
    rows = [[usual, *first]]
    for spectrum in recorded.runs:
        if spectrum == usual:
            continue
        row = [spectrum]
        for name, places in COLUMNS.items():
            found = recorded.against(spectrum, name)
            low, high = (signed(end, places) for end in interval(found.by_seed))
            mean = signed(found.mean, places)
            row.append(f"{f'**{mean}**' if found.counts else mean} <br>{low} to {high}")
        rows.append(row)
    shifts = [f"{recorded.shift(name):.{places}f}" for name, places in COLUMNS.items()]
    rows.append(["*a rerun shifts at most*", *shifts])
    return folded("All eight, by all measures", table(heads, rows))


def foretold(recorded: Recorded) -> str:
    """What measures are, all predictions with what came of each, and the data, folded, in Markdown."""
    measures = "\n".join(f"* *{name}*: {text}" for name, text in MEASURES.items())
    predictions = "\n".join(
        f"* {_said(prediction)}: {outcome}" for prediction, outcome in recorded.predictions()
    )
    seconds = sum(run.seconds for run in (*recorded.runs.values(), recorded.again))
    run = recorded.run("geometric")
    made = (
        f"Adam with the rate {run.rate:g}, {run.setting.steps:,} steps of {run.setting.batch} windows, seeds "
        f"{', '.join(map(str, run.seeds))}: all that was run by the plan, {seconds / 60:.0f} minutes. "
        "The text is that of this book at one commit. *Fast half* stops the slower half of the geometric "
        "frequencies; *learned* begins with them; *random residues* are drawn for each seed, on the grid of "
        "the difference set; *half set, half geometric* has one head of each in each layer. "
        "Intervals are bootstrapped over seeds, and of three seeds they are the range; bold is what counts. "
        "The data are `wavebook/experiments/language/language.npz`; `make experiment` trains the other seeds "
        "too, and then writes them anew."
    )
    return folded("Measures, predictions, and how it was trained", measures, predictions, made)


def _said(prediction: Prediction) -> str:
    """A prediction in words."""
    more = "more" if prediction.sign > 0 else "less"
    return f"{prediction.spectrum}, *{prediction.measure}*, {more} than {prediction.than}"
