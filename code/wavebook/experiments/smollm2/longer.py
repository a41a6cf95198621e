"""The same heads in twice as many tokens: what plan.md added last, run and written into the package.

The hands and the heads are those that were recorded, so from 1,024 tokens. The plan calls the offsets from
901 on new; of these the runs of 1,024 tokens, too, have those up to 1,022.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavebook.experiments.smollm2 import load, measure, plan
from wavebook.experiments.smollm2.network import Change, Network, Place
from wavebook.experiments.smollm2.record import at, digest_of, digits, how_it_ran, write_arrays
from wavebook.experiments.smollm2.texts import COUNTED, Text, random_tokens, tokens_of

#: Tokens of a run, the sequences, and the texts that have as many: their numbers among those that count.
LENGTH, RUNS, SHORT = 2_048, range(6000, 6008), (16,)
TEXTS = tuple(number for number in range(len(COUNTED)) if number not in SHORT)
#: All far offsets, and those that the plan calls new.
END = 1_901
RANGES = {"all": (plan.FAR, END), "new": (plan.END, END)}
#: What the cut is of, and the first position whose loss counts.
CONDITIONS, COUNTS = ("none", f"heads {plan.COMPARED}", f"alike {plan.COMPARED}"), 1_024


def looks(profile: NDArray[Any], name: str) -> NDArray[np.int64]:
    """The offset of a range with the most weight, of (..., offsets)."""
    start, stop = RANGES[name]
    found: NDArray[np.int64] = start + profile[..., start:stop].argmax(-1)
    return found


def _text(text: Text) -> NDArray[np.int64]:
    return tokens_of(text, plan.tokenizer(), LENGTH)


def _looked(network: Network, folder: Path, tokens: Any) -> plan.Arrays:
    found = measure.look(network, tokens(), Change())
    return {name: found[name] for name in ("profile", "losses")}


def _cut(network: Network, folder: Path, text: Text) -> plan.Arrays:
    """The losses of a text with the heads cut, and with those alike."""
    chosen: dict[str, list[Place]] = {
        "heads": [(head.layer, head.number) for head in load().heads],
        "alike": [(layer, number) for layer, number in (head.alike for head in load().heads)],
    }
    tokens, found = _text(text), {}
    for name, places in chosen.items():
        windows = dict.fromkeys(places, plan.COMPARED)
        states = network.states(tokens, Change(windows=windows))
        found[f"{name} {plan.COMPARED}"] = network.losses(states, tokens)
    return found


def jobs() -> Iterator[plan.Job]:
    """What is run."""
    for seed in RUNS:
        tokens = partial(random_tokens, seed, LENGTH)
        yield plan.Job(f"longer random {seed}", partial(_looked, tokens=tokens))
    for number in TEXTS:
        tokens = partial(_text, COUNTED[number])
        yield plan.Job(f"longer text {number}", partial(_looked, tokens=tokens))
    for number in TEXTS:
        yield plan.Job(f"longer cut {number}", partial(_cut, text=COUNTED[number]))


def record(folder: Path) -> None:
    """Write longer.json, which can be read, and longer.npz beside it, with the arrays."""
    here = Path(__file__).parent
    heads = [(head.layer, head.number) for head in load().heads]
    random = [plan.kept(f"longer random {seed}", folder) for seed in RUNS]
    texts = [plan.kept(f"longer text {number}", folder) for number in TEXTS]
    cut = [plan.kept(f"longer cut {number}", folder) for number in TEXTS]
    arrays: plan.Arrays = {}
    for kind, runs in {"random": random, "text": texts}.items():
        profiles = np.stack([at(run["profile"], heads) for run in runs]).astype(float)
        arrays[kind] = digits(profiles.mean(0)[:, :END], 3)
        for name in RANGES:
            arrays[f"{kind} {name}"] = looks(profiles.mean(0), name).astype(np.int16)
            arrays[f"{kind} {name} alone"] = looks(profiles, name).astype(np.int16)
    whole = [run["losses"] for run in texts]
    arrays["cut"] = (
        np.array(
            [
                [
                    losses[COUNTS:].mean(dtype=np.float64)
                    for losses in (none, *(job[c] for c in CONDITIONS[1:]))
                ]
                for none, job in zip(whole, cut, strict=True)
            ]
        )
        .round(4)
        .astype(np.float32)
    )
    digest = write_arrays(here / "longer.npz", arrays)
    written = {
        "about": how_it_ran(folder, jobs()) | {"sha256": digest, "of": load().about["sha256"]},
        "cut": list(CONDITIONS),
        "texts": [
            {"name": COUNTED[number].name, "sha256 of tokens": digest_of(_text(COUNTED[number]))}
            for number in TEXTS
        ],
    }
    (here / "longer.json").write_text(json.dumps(written, indent=1) + "\n")
