"""Tables, functions and configurations of which the readers once said what is not so, one a row."""

import numpy as np
import pytest

from posread import diagnose, diagnose_rope, from_config

ROWS = np.arange(40)
MODEL = {
    "hidden_size": 1024,
    "num_attention_heads": 16,
    "num_hidden_layers": 4,
    "max_position_embeddings": 4096,
}


def omegas(d, base=10_000.0):
    return base ** (-2 * np.arange(d // 2) / d)


def waves(places, omega):
    """Sine, cosine, sine, cosine ... of all products."""
    return waves_of(np.outer(places, omega))


def waves_of(angles):
    """The same of angles."""
    return np.stack([np.sin(angles), np.cos(angles)], 2).reshape(len(angles), -1)


def sound():
    return waves(ROWS, omegas(32))


def changed(column, value):
    table = sound()
    table[:, column] = value
    return table


def model(name, **keys):
    return from_config(MODEL | {"model_type": name, **keys})


def gemma(**keys):
    return model("gemma3_text", head_dim=256, num_hidden_layers=12, **keys)


def grid_and_zeros():
    rows = [
        np.repeat(waves(np.arange(8), omegas(16)), 6, axis=0),
        np.tile(waves(np.arange(6), omegas(16)), (8, 1)),
    ]
    return np.vstack([np.hstack(rows), np.zeros((2, 32))])


def three_bits():
    """Entries with three bits after the first."""
    unit = 2.0 ** np.floor(np.log2(np.abs(sound()) + 1e-9))
    return np.sign(sound()) * unit * np.round(8 * np.abs(sound()) / unit) / 8


def odd_pair(pair, factor):
    omega = omegas(32)
    omega[pair] *= factor
    return omega


def turned(x, places, omega):
    """Halves of vectors, each at a place, or with a place for each pair."""
    angles = places * omega if np.ndim(places) == 2 else np.outer(places, omega)
    one, two = np.split(x, 2, axis=1)
    return np.hstack(
        [one * np.cos(angles) - two * np.sin(angles), one * np.sin(angles) + two * np.cos(angles)]
    )


def first_of_a_batch(x, p):
    result = turned(x, p, omegas(32))
    result[0] = 2 * x[0]
    return result


def rows_and_columns(x, p):
    places = np.repeat(np.stack([p, p // 4, p % 4], 1), [4, 6, 6], axis=1)
    return turned(x, places, omegas(32))


DAYS = 2 * np.pi * np.arange(60)
MROPE = {"rope_theta": 1e6, "rope_scaling": {"type": "mrope", "mrope_section": [8, 12, 12]}}
MSCALE = {
    "type": "yarn",
    "factor": 40,
    "mscale": 1.0,
    "mscale_all_dim": 0,
    "original_max_position_embeddings": 4096,
}
#: What was read, what is to be said of it, and what not; parts of sentences.
SAID = {
    "a sine is zero": (lambda: diagnose(changed(6, 0)), ["Column 6 is zero"], []),
    "a cosine is zero": (lambda: diagnose(changed(7, 0)), ["Column 7 is zero"], ["different frequencies"]),
    "clipped at nearly 1": (
        lambda: diagnose(np.clip(sound(), -0.99, 0.99)),
        ["10,000^(-2i/32)", "clipped at 0.99"],
        ["9,900"],
    ),
    **{
        f"pair {pair} times {factor}": (
            lambda pair=pair, factor=factor: diagnose(waves(ROWS, odd_pair(pair, factor))),
            [f"they are 10,000^(-2i/32) but for pair {pair}."],
            ["slowed", "1,000^"],
        )
        for pair in (0, 7, 15)
        for factor in (0.9, 1.1)
    },
    **{
        f"pair {pair} times {factor}, turned": (
            lambda pair=pair, factor=factor: diagnose_rope(
                lambda x, p: turned(x, p, odd_pair(pair, factor)), 32
            ),
            [f"they are 10,000^(-2i/32) but for pair {pair}."],
            ["slowed", "No problem"],
        )
        for pair, factor in ((7, 1.1), (0, 2.0))
    },
    "zeros after a grid": (
        lambda: diagnose(grid_and_zeros()),
        ["from 0 to 7", "a grid of 8 by 6", "Rows 48 to 49 are zero"],
        ["from 0 to 8"],
    ),
    "periods of a year and a week": (
        lambda: diagnose(waves(DAYS, [1 / 365.25, 1 / 7])),
        ["The frequencies rise"],
        ["divided where"],
    ),
    "printed with five digits": (
        lambda: diagnose([[float(f"{x:.4e}") for x in row] for row in waves(np.arange(30), omegas(8))]),
        ["No problem found"],
        [],
    ),
    "a row twice": (
        lambda: diagnose(np.insert(sound(), 3, sound()[3], 0)),
        ["row 4 holds position 3"],
        ["row 0 holds position -1"],
    ),
    "a beginning that stands still": (
        lambda: diagnose(waves(np.maximum(ROWS - 3, 0), omegas(32))),
        ["row 3 holds position 0"],
        ["row 0 holds position -3"],
    ),
    "down and up": (
        lambda: diagnose(waves(np.abs(np.arange(-12, 12)), omegas(32))),
        ["Rows 0 to 12 are in reverse order: they hold 12 to 0"],
        ["-11", "was clipped"],
    ),
    "up and down": (
        lambda: diagnose(waves([*range(12), *range(11, -1, -1)], omegas(32))),
        ["may have been clipped, have begun again or run back"],
        ["was clipped"],
    ),
    **{
        f"rounded to {digits} decimals, from {start}": (
            lambda digits=digits, start=start: diagnose(
                np.round(waves(np.arange(start, start + 40), omegas(32)), digits)
            ),
            [f"The entries {words}, so nothing is said of frequencies or positions."],
            ["layout", "clipped", "zero"],
        )
        for digits, words in ((0, "are whole numbers"), (1, "have one decimal"))
        for start in (0, 500)
    },
    "three bits": (lambda: diagnose(three_bits()), ["row 0 holds position 0."], ["0.00", "whole"]),
    **{
        f"{name} that are no line": (
            lambda angles=angles: diagnose(waves_of(angles)),
            ["No reading that is tried explains the entries"],
            ["base", "uneven"],
        )
        for name, angles in {
            "angles": np.random.default_rng(5).uniform(0, 2 * np.pi, (3, 6)).T,
            "hours": 2 * np.pi * np.stack([np.arange(200) % 24 / 24, np.arange(200) // 24 / 7], 1),
        }.items()
    },
    "days of the week and of the year": (
        lambda: diagnose(waves_of(np.stack([np.pi / 2 - DAYS / 7, DAYS / 365], 1))),
        ["each sine has its cosine, but in no layout that is read"],
        ["500,000", "uneven", "a minus"],
    ),
    "three rows a position": (
        lambda: diagnose(waves(ROWS // 3, omegas(32))),
        ["row 0 holds position 0, a step of 1 every 3 rows."],
        ["0.333", "3 times"],
    ),
    "steps of a degree": (
        lambda: diagnose(waves(np.arange(200) * np.pi / 180, omegas(32))),
        ["steps of 0.01745329251"],
        [],
    ),
    "scaled by a little": (lambda: diagnose(1.0005 * sound()), ["is 1.0005^2 and not 1"], []),
    "bytes": (
        lambda: diagnose(np.round((sound() + 1) * 127.5).astype(np.uint8)),
        ["Subtract 127.5, and divide by 127.5."],
        [],
    ),
    "rounded to sixteenths": (
        lambda: diagnose(np.round(16 * sound()) / 16),
        ["the entry that is off most by 0.03 in a typical one, and by 0.032 at most"],
        ["hands"],
    ),
    "a frequency that is doubled": (
        lambda: diagnose(odd_pair(5, 2.0)),
        ["do not fall in column 5"],
        ["from column", "Memory"],
    ),
    "positions that skip one": (
        lambda: diagnose_rope(lambda x, p: turned(x, np.where(p >= 30, p + 1, p), omegas(32)), 32),
        ["Position 30 is turned like position 31, and all later are as far off."],
        ["0 as -1", "no harm", "As in"],
    ),
    "the first of a batch is doubled": (
        lambda: diagnose_rope(first_of_a_batch, 32),
        ["Something may be computed"],
        ["Something is"],
    ),
    "pairs by parts of the position": (
        lambda: diagnose_rope(rows_and_columns, 32),
        ["from position 4 on"],
        ["position 3"],
    ),
    **{
        f"the base of {name} is written in": (
            lambda name=name: model(name, rope_theta=5e4, rope_scaling={"type": "linear", "factor": 2.0}),
            [
                "base:        10,000",
                "the frequencies of the base",
                "rope_theta is not",
                "rope_scaling is not",
            ],
            ["50,000"],
        )
        for name in ("gptj", "codegen", "roformer")
    },
    **{
        f"{name} without attention": (
            lambda name=name: model(name, position_embedding_type="rope"),
            ["layers: 4: 4 without RoPE"],
            [],
        )
        for name in ("bamba", "granitemoehybrid")
    },
    "a block of two": (
        lambda: gemma(
            rope_parameters={"full_attention": {"rope_type": "linear", "factor": 8.0, "rope_theta": 1e6}}
        ),
        ["10 sliding_attention, 2 full_attention", "base:        10,000"],
        ["without RoPE", "no block"],
    ),
    "layers of no type": (
        lambda: gemma(layer_types=["fullattention"] * 12),
        ["There is no block for layers of type 'fullattention'"],
        ["layers: 12"],
    ),
    "axes that the program has not": (
        lambda: model("qwen2", **MROPE),
        ["! transformers 5.24.0 does not read mrope_section", "by the file's own words"],
        [],
    ),
    "axes that it has": (lambda: model("qwen2_vl", **MROPE), ["8, 12, 12 pairs"], ["is not one of", "!"]),
    "a type without RoPE": (
        lambda: model("opt", rope_theta=1e4),
        ["is not among the types with RoPE", "(guessed)", "by the file's own words"],
        ["not known"],
    ),
    "another name of the base": (
        lambda: model("llama", rotary_emb_base=500_000),
        ["by the file's own words"],
        [],
    ),
    "mscale_all_dim is zero": (
        lambda: model("deepseek_v3", qk_rope_head_dim=64, qk_nope_head_dim=128, rope_scaling=MSCALE),
        ["mscale_all_dim is 0 or missing"],
        ["no mscale_all_dim"],
    ),
    "a mask that is too short": (
        lambda: model("smollm3", num_hidden_layers=8, no_rope_layers=[1, 1, 1, 0]),
        ["has 4 entries for 8 layers"],
        ["layers: 8"],
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", SAID)
def test_what_was_said_falsely_is_not_said_again(name):
    made, there, gone = SAID[name]
    text = " ".join(str(made()).split())
    assert [part for part in there if " ".join(part.split()) not in text] == [], text
    assert [part for part in gone if part in text] == [], text
