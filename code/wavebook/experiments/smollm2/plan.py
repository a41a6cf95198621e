"""What is run, as plan.md says, in jobs that can be run one by one.

The heads that are looked at, and those that are compared with them, follow from the calibration alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavebook.experiments.smollm2 import measure
from wavebook.experiments.smollm2.network import (
    HEADS,
    LAYERS,
    OMEGA,
    SHARED,
    SIZE,
    Change,
    Network,
    Place,
    model_file,
)
from wavebook.experiments.smollm2.texts import (
    CALIBRATION,
    COUNTED,
    LEAST,
    MOST,
    Text,
    random_tokens,
    tokens_of,
)
from wavebook.experiments.smollm2.tokens import Tokenizer

Arrays = dict[str, NDArray[Any]]

#: A head is looked at if it gives at least so much, on average, to one of these offsets.
ENOUGH, NEAR = 0.3, 9
#: Far offsets.
FAR, END = 16, 901
#: Random sequences of the calibration, those that count, and those of the other experiments.
CALIBRATED, RUNS = range(100, 104), range(2000, 2008)
FACTORS, SCALED = (0.9, 0.95, 1.05, 1.1), range(2000, 2003)
CAUSED, CHANGES, PLACE_CHANGED, CAUSE_LENGTH = range(3000, 3012), 2, 64, 560
CAUSED_AGAIN = range(3100, 3112)
TOLD, TOLD_LENGTH = range(4000, 4012), 512
#: Pairs whose phases are turned, and by what.
TURNED, ANGLES = (*range(8), 23, 24), (0.5 * np.pi, np.pi)
#: Windows of the heads that are looked at, and of those that they are compared with.
WINDOWS, COMPARED = (16, 64, 256), 64
#: A gap within the trained length, one beyond it, where it is, and the pairs that make no whole turn in it.
INSIDE, BEYOND, GAP_AT, PARTIAL = 4_096, 16_384, 512, slice(20, 32)
#: The head after which the page is named.
NAMED: Place = (2, 1)


@dataclass(frozen=True)
class Job:
    """Something that is run, and gives arrays."""

    name: str
    run: Callable[[Network, Path], Arrays]


@dataclass(frozen=True)
class Chosen:
    """What the calibration gives."""

    #: Heads that are looked at, and for each the small offset.
    heads: tuple[Place, ...]
    near: tuple[int, ...]
    #: For each another that gives as little to what is at least COMPARED back.
    alike: tuple[Place, ...]
    #: Mean query times mean key before turning, of all heads: (30, 9, 32).
    hands: NDArray[np.complex128]


def file_of(name: str, folder: Path) -> Path:
    """Where the arrays of a job are kept."""
    return folder / (name.replace(" ", "-").replace("/", "-") + ".npz")


def kept(name: str, folder: Path) -> Arrays:
    """The arrays of a job that has been run."""
    with np.load(file_of(name, folder)) as arrays:
        return dict(arrays)


def hands_of(runs: list[Arrays]) -> NDArray[np.complex128]:
    """Mean query times the conjugate of the mean key of some runs, over the root of 64."""
    query, key = (np.mean([run[name] for run in runs], 0, dtype=np.complex128) for name in ("query", "key"))
    found: NDArray[np.complex128] = query * np.repeat(key.conj(), SHARED, 1) / np.sqrt(SIZE)
    return found


def curve(
    hands: NDArray[np.complex128], offsets: int, omega: NDArray[np.float64] = OMEGA
) -> NDArray[np.float64]:
    """The score that hands (..., 32) give at each offset, (..., offsets)."""
    turns = np.exp(1j * np.outer(omega, np.arange(offsets)))
    found: NDArray[np.float64] = (hands @ turns).real
    return found


def choose(folder: Path) -> Chosen:
    """The heads, by the rules of the plan."""
    runs = [kept(f"calibration {seed}", folder) for seed in CALIBRATED]
    near = np.mean([run["profile"][:, :, :NEAR] for run in runs], 0)
    heads = [(int(a), int(b)) for a, b in np.argwhere(near.max(2) >= ENOUGH)]
    texts = [kept(f"calibration {at}", folder) for at in range(len(CALIBRATION))]
    far = np.log(np.mean([text["far"] for text in texts], 0))
    free = [(a, b) for a in range(LAYERS) for b in range(HEADS) if (a, b) not in heads]
    alike: list[Place] = []
    for head in heads:
        nearest = min(
            (place for place in free if place not in alike), key=lambda place: abs(far[place] - far[head])
        )
        alike.append(nearest)
    return Chosen(
        tuple(heads), tuple(int(near[head].argmax()) for head in heads), tuple(alike), hands_of(runs)
    )


@cache
def tokenizer() -> Tokenizer:
    """The model's own."""
    return Tokenizer(model_file())


def _text(text: Text) -> NDArray[np.int64]:
    return tokens_of(text, tokenizer())


def _looked(tokens: Callable[[], NDArray[np.int64]], omega: NDArray[np.float64] = OMEGA, **wants: Any) -> Any:
    def run(network: Network, folder: Path) -> Arrays:
        return measure.look(network, tokens(), Change(omega), **wants)

    return run


def _turned(seed: int) -> Callable[[Network, Path], Arrays]:
    def run(network: Network, folder: Path) -> Arrays:
        heads = choose(folder).heads
        return measure.turn_phases(network, random_tokens(seed), heads, TURNED, ANGLES)

    return run


def drawn(heads: Sequence[Place], number: int) -> list[Place]:
    """As many other heads, drawn for one text."""
    others = [(a, b) for a in range(LAYERS) for b in range(HEADS) if (a, b) not in heads]
    chance = np.random.default_rng(5000 + number)
    return [others[at] for at in chance.choice(len(others), len(heads), replace=False)]


def _cut(text: Text, number: int) -> Callable[[Network, Path], Arrays]:
    """The losses of one text, with windows and without."""

    def run(network: Network, folder: Path) -> Arrays:
        chosen, tokens = choose(folder), _text(text)
        changes: dict[str, dict[Place, int]] = {"none": {}} | {
            f"heads {w}": dict.fromkeys(chosen.heads, w) for w in WINDOWS
        }
        changes |= {
            f"alike {COMPARED}": dict.fromkeys(chosen.alike, COMPARED),
            f"random {COMPARED}": dict.fromkeys(drawn(chosen.heads, number), COMPARED),
        }
        return {
            name: network.losses(network.states(tokens, Change(windows=windows)), tokens)
            for name, windows in changes.items()
        }

    return run


def _caused(
    tokens: Callable[[], NDArray[np.int64]], seed: int, changes: int
) -> Callable[[Network, Path], Arrays]:
    def run(network: Network, folder: Path) -> Arrays:
        others = np.random.default_rng(seed).integers(LEAST, MOST, changes)
        return measure.cause(network, tokens()[:CAUSE_LENGTH], PLACE_CHANGED, others, {NAMED: COMPARED})

    return run


def _rested(text: Text) -> Callable[[Network, Path], Arrays]:
    def run(network: Network, folder: Path) -> Arrays:
        tokens = _text(text)
        found = {}
        for name, pairs in {
            "slowest quarter": slice(24, 32),
            "slow half": slice(16, 32),
            "fastest quarter": slice(0, 8),
        }.items():
            omega = OMEGA.copy()
            omega[pairs] = 0
            found[name] = network.losses(network.states(tokens, Change(omega)), tokens)
        return found

    return run


def _parted(text: Text) -> Callable[[Network, Path], Arrays]:
    """The losses when the second half is far from the first one, for all pairs or for some."""

    def run(network: Network, folder: Path) -> Arrays:
        tokens = _text(text)
        near, far = np.full(SIZE // 2, INSIDE), np.full(SIZE // 2, BEYOND)
        slow, fast = near.copy(), far.copy()
        slow[PARTIAL], fast[PARTIAL] = BEYOND, INSIDE
        return {
            name: network.losses(network.states(tokens, Change(jump=jump, jump_at=GAP_AT)), tokens)
            for name, jump in {
                "inside": near,
                "beyond": far,
                "slow beyond": slow,
                "fast beyond": fast,
            }.items()
        }

    return run


def _told(seed: int) -> Callable[[Network, Path], Arrays]:
    def run(network: Network, folder: Path) -> Arrays:
        return measure.told(network, random_tokens(seed, TOLD_LENGTH), seed)

    return run


def calibration() -> Iterator[Job]:
    """What the others need."""
    for seed in CALIBRATED:
        yield Job(f"calibration {seed}", _looked(partial(random_tokens, seed)))
    for at, text in enumerate(CALIBRATION):
        yield Job(f"calibration {at}", _looked(partial(_text, text)))


def counted() -> Iterator[Job]:
    """What counts."""
    for seed in RUNS:
        yield Job(f"random {seed}", _looked(partial(random_tokens, seed)))
    for at, text in enumerate(COUNTED):
        yield Job(f"text {at}", _looked(partial(_text, text), scores=True))
    for seed in SCALED:
        for factor in FACTORS:
            yield Job(f"scaled {factor} {seed}", _looked(partial(random_tokens, seed), factor * OMEGA))
    for seed in SCALED:
        yield Job(f"turned {seed}", _turned(seed))
    for at, text in enumerate(COUNTED):
        yield Job(f"cut {at}", _cut(text, at))
    for seed in CAUSED:
        yield Job(f"caused {seed}", _caused(partial(random_tokens, seed, CAUSE_LENGTH), seed + 500, CHANGES))
    for seed in CAUSED_AGAIN:
        tokens = partial(random_tokens, seed, CAUSE_LENGTH)
        yield Job(f"caused again {seed}", _caused(tokens, seed + 500, CHANGES))
    for at, text in enumerate(COUNTED):
        if at % 5 < 3:
            yield Job(f"caused text {at}", _caused(partial(_text, text), 3800 + at, 1))
    for at, text in enumerate(COUNTED):
        if at % 5 < 2:
            yield Job(f"rested {at}", _rested(text))
    for at, text in enumerate(COUNTED):
        if at % 5 < 2:
            yield Job(f"parted {at}", _parted(text))
    for seed in TOLD:
        yield Job(f"told {seed}", _told(seed))
    yield Job("constant", lambda network, folder: measure.constant(network))


@cache
def _network() -> Network:
    return Network()


def run(name: str, folder: Path, jobs: Callable[[], Iterable[Job]]) -> None:
    """Run one of some jobs and keep its arrays, with the processor's seconds; nothing if they are there."""
    file = file_of(name, folder)
    if file.exists():
        return
    job = next(job for job in jobs() if job.name == name)
    network, began = _network(), time.process_time()
    found = job.run(network, folder)
    seconds = time.process_time() - began
    new = file.with_suffix(".part.npz")
    np.savez(new, seconds=np.array(seconds), **found)  # type: ignore[arg-type]  # names are no parameters
    new.rename(file)
    print(f"{name}: {seconds:.0f} s of the processor", flush=True)
