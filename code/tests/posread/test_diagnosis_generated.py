"""`diagnose` on tables and functions drawn at random: no false alarm, and planted faults are named."""

import math
from collections import Counter

import numpy as np
import pytest

from posread import diagnose, diagnose_rope

BASES = [100, 1000, 10_000, 50_000, 100_000, 500_000, 1_000_000, 5_000_000, 10_000_000]
SINGLES = {"float64": None, "float32": np.float32, "float16": np.float16}


def half(value, bits):
    """`value` to so many significant bits, ties to even, in exact integers."""
    if not value:
        return 0.0
    mantissa, exponent = math.frexp(value)
    return math.ldexp(round(mantissa * 2**bits), exponent - bits)


def cast(table, kind):
    """Entries as a type, or a printed page, holds them."""
    if kind == "bfloat16":
        return np.array([[half(x, 8) for x in row] for row in table.tolist()])
    if kind == "4 decimals":
        return np.array([[float(f"{x:.4f}") for x in row] for row in table.tolist()])
    if kind == "8 bits":
        return np.array([[round(127 * x) / 127 for x in row] for row in table.tolist()])
    return table if SINGLES[kind] is None else table.astype(SINGLES[kind])


def columns(angles, layout, first, signs=(1, 1)):
    """A table from a list of lists of angles, entry by entry."""
    pairs = len(angles[0])
    table = np.zeros((len(angles), 2 * pairs))
    for row, line in enumerate(angles):
        for i, angle in enumerate(line):
            pair = [signs[0] * math.sin(angle), signs[1] * math.cos(angle)]
            if first == "cos":
                pair.reverse()
            one, two = (2 * i, 2 * i + 1) if layout == "interleaved" else (i, pairs + i)
            table[row, one], table[row, two] = pair
    return table


class Recipe:
    """A table's conventions, drawn at random."""

    def __init__(self, seed, plain=False):
        self.rng = rng = np.random.default_rng(seed)
        self.pairs = int(rng.choice([4, 8, 16, 24, 32, 48]))
        self.rows = int(rng.choice([40, 90, 150, 300]))
        self.base = float(rng.choice(BASES))
        self.over = 2 * self.pairs - 2 * int(rng.integers(2))
        self.layout = str(rng.choice(["interleaved", "halves"]))
        self.first = str(rng.choice(["sin", "cos"]))
        self.start = 0 if plain else int(rng.choice([0, 0, 0, 1, 2, 17, 500, 4096]))
        self.step = 1 if plain else int(rng.choice([1, 1, 1, 1, 2, 5, 10, 20]))
        self.kind = str(
            rng.choice(
                ["float64", "float64", "float32", "float32", "float16", "bfloat16", "4 decimals", "8 bits"]
            )
        )
        self.omega = [self.base ** (-2 * i / self.over) for i in range(self.pairs)]

    def places(self):
        return [self.start + self.step * r for r in range(self.rows)]

    def angles(self, places=None, omega=None):
        return [[p * w for w in omega or self.omega] for p in (self.places() if places is None else places)]

    def table(self, angles=None, signs=(1, 1)):
        return columns(self.angles() if angles is None else angles, self.layout, self.first, signs)

    def __repr__(self):
        return str({key: value for key, value in vars(self).items() if key not in ("rng", "omega")})


def frequencies_agree(names, recipe, relative):
    """Whether one of the readings has the recipe's frequencies."""
    last = recipe.omega[-1]
    return any(
        abs(math.log(base ** (-2 * (recipe.pairs - 1) / over) / last)) < relative
        for base, over in names.readings
    )


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(150))
def test_no_false_alarm_on_tables(seed):
    recipe = Recipe(seed)
    if seed % 3 == 2:  # an image
        tall, wide = recipe.rng.integers(5, 17, 2).tolist()
        row = [[r * w for w in recipe.omega] for r in range(tall) for _ in range(wide)]
        column = [[c * w for w in recipe.omega] for _ in range(tall) for c in range(wide)]
        table = np.concatenate([recipe.table(row), recipe.table(column)], axis=1)
        found = diagnose(cast(table, recipe.kind))
        assert found.sound, (recipe, str(found))
        assert found.reading.grid == (tall, wide), recipe
        assert found.layout == ("interleaved" if recipe.layout == "interleaved" else "quarters")
        assert found.first == recipe.first
        for axis, last in zip(found.reading.axes, (tall - 1, wide - 1), strict=True):
            assert (axis.positions.first, axis.positions.last) == pytest.approx((0, last), abs=0.02)
            assert frequencies_agree(axis.frequencies, recipe, 0.05), (recipe, str(found))
        return
    found = diagnose(cast(recipe.table(), recipe.kind))
    assert found.sound, (recipe, str(found))
    assert (found.layout, found.first) == (recipe.layout, recipe.first), recipe
    assert found.first_position == recipe.start, recipe
    assert found.reading.axes[0].positions.step == recipe.step, recipe
    exact = recipe.kind in ("float64", "float32")
    assert frequencies_agree(found.frequencies, recipe, 1e-5 if exact else 0.05), (recipe, str(found))
    assert len(found.reading.columns) == found.d_model == 2 * recipe.pairs


class Turn:
    """A function that rotates, entry by entry, with conventions drawn at random."""

    def __init__(self, seed):
        self.rng = rng = np.random.default_rng(1000 + seed)
        self.d = int(rng.choice([16, 32, 64, 96]))
        self.turned = int(rng.choice([self.d, self.d, self.d // 2, self.d // 4]))
        self.begin = int(rng.choice([0, self.d - self.turned]))
        self.layout = str(rng.choice(["interleaved", "halves"]))
        self.base = float(rng.choice(BASES))
        self.kind = str(rng.choice(["float64", "float32", "float16", "bfloat16"]))
        pairs = self.turned // 2
        self.pairs, self.over = pairs, self.turned
        self.omega = [self.base ** (-2 * i / self.turned) for i in range(pairs)]
        self.places = [
            (self.begin + 2 * i, self.begin + 2 * i + 1)
            if self.layout == "interleaved"
            else (self.begin + i, self.begin + i + pairs)
            for i in range(pairs)
        ]

    def __call__(self, vectors, positions, angle=None, scale=None):
        result = np.array(vectors)
        for i, (one, two) in enumerate(self.places):
            w = self.omega[i]
            turns = [p * w if angle is None else angle(p, w, i) for p in positions.tolist()]
            cos, sin = np.array([math.cos(t) for t in turns]), np.array([math.sin(t) for t in turns])
            result[:, one] = vectors[:, one] * cos - vectors[:, two] * sin
            result[:, two] = vectors[:, one] * sin + vectors[:, two] * cos
            if scale is not None:
                factor = np.array([scale(p, i) for p in positions.tolist()])
                result[:, one] *= factor
                result[:, two] *= factor
        return cast(result, self.kind)

    def __repr__(self):
        return str({key: value for key, value in vars(self).items() if key not in ("rng", "omega", "places")})


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(50))
def test_no_false_alarm_on_functions(seed):
    turn = Turn(seed)
    found = diagnose_rope(turn, turn.d, n_positions=40)
    assert found.sound, (turn, str(found))
    entries = sorted(entry for pair in turn.places for entry in pair)
    assert (found.layout, list(found.reading.columns)) == (turn.layout, entries), turn
    assert frequencies_agree(found.frequencies, turn, 1e-3), (turn, str(found))


def bent(recipe, rounded):
    """Angles with a step rounded to half precision: rounded(position, frequency) is the angle."""
    return [[rounded(p, w) for w in recipe.omega] for p in recipe.places()]


def plant_scaled(recipe):
    return recipe.table() * float(recipe.rng.choice([0.1, 3.0, 22.627])), {"scaled"}


def plant_shifted(recipe):
    return 0.5 * (recipe.table() + 1), {"shifted"}


def plant_clipped(recipe):
    recipe.rows = max(recipe.rows, 90)
    return recipe.table().clip(-0.9, 0.9), {"clipped"}


def plant_zero_row(recipe):
    table = recipe.table()
    table[int(recipe.rng.integers(recipe.rows))] = 0
    return table, {"zero-rows"}


def plant_zero_columns(recipe):
    return np.pad(recipe.table(), [(0, 0), (0, int(recipe.rng.integers(1, 9)))]), {"zero-columns"}


def plant_spoilt(recipe):
    table = recipe.table()
    table[int(recipe.rng.integers(5, recipe.rows))] *= -1
    return table, {"rows-off"}


def plant_swapped(recipe):
    table, at = recipe.table(), int(recipe.rng.integers(3, recipe.rows - 9))
    table[[at, at + 6]] = table[[at + 6, at]]
    return table, {"rows-out-of-place"}


def plant_short(recipe):
    table = recipe.table()
    table[-recipe.rows // 3 :] = table[-recipe.rows // 3 - 1]
    return table, {"rows-repeated"}


def plant_bfloat16_positions(recipe):
    recipe.start, recipe.step, recipe.rows = 0, 1, 300
    return recipe.table(bent(recipe, lambda p, w: half(p, 8) * w)), {"rounded-positions"}


def plant_float16_positions(recipe):
    recipe.start, recipe.step, recipe.rows = 2000, 1, 150
    return recipe.table(bent(recipe, lambda p, w: half(p, 11) * w)), {"rounded-positions"}


def plant_bfloat16_frequencies(recipe):
    recipe.start, recipe.step = 0, 1
    return recipe.table(bent(recipe, lambda p, w: p * half(w, 8))), {"rounded-frequencies"}


def plant_bfloat16_angles(recipe):
    recipe.start, recipe.step = 0, 1
    return recipe.table(bent(recipe, lambda p, w: half(p * w, 8))), {"rounded-angles"}


def plant_reversed(recipe):
    return recipe.table()[::-1], {"reversed"}


def plant_step(recipe):
    recipe.step = float(recipe.rng.choice([0.25, 0.1, 1.5, 1 / 3]))
    recipe.start = 0
    return recipe.table(), {"step"}


def plant_start(recipe):
    recipe.start += 0.5
    return recipe.table(), {"start"}


def plant_sign(recipe):
    recipe.start = 0
    return recipe.table(signs=[(-1, 1), (1, -1), (-1, -1)][recipe.rng.integers(3)]), {"sign"}


def plant_rising(recipe):
    recipe.start, recipe.step, recipe.base = 0, 1, min(recipe.base, 1e6)
    return recipe.table(
        recipe.angles(omega=[recipe.base ** (2 * i / recipe.over) for i in range(recipe.pairs)])
    ), {"rising-frequencies"}


def plant_equal(recipe):
    return recipe.table(recipe.angles(omega=[1.0] * recipe.pairs)), {"equal-frequencies"}


def plant_lone(recipe):
    recipe.layout = "interleaved"
    return recipe.table()[:, :-1], {"lone-column"}


def plant_shuffled(recipe):
    recipe.start, recipe.step = 0, 1
    order = recipe.rng.permutation(2 * recipe.pairs)
    return recipe.table()[:, order], {"columns-shuffled"}


def plant_unpaired(recipe):
    d = 2 * recipe.pairs
    table = [
        [(math.cos if j % 2 else math.sin)(p * recipe.base ** (-j / d)) for j in range(d)]
        for p in range(recipe.rows)
    ]
    return np.array(table), {"unpaired-frequencies"}


def plant_transposed(recipe):
    return recipe.table().T, {"transposed"}


def plant_equal_rows(recipe):
    return np.repeat(recipe.table()[7:8], recipe.rows, axis=0), {"equal-rows"}


def plant_noise(recipe):
    table = recipe.table()
    return table + recipe.rng.normal(0, 2e-3, table.shape), {"noise"}


PLANTS = [value for name, value in list(globals().items()) if name.startswith("plant_")]
#: What else is true of a table with such a fault.
ALSO = {"rounded-positions": {"rows-repeated"}, "rounded-angles": {"not-relative"}}


def planted_tables():
    for seed in range(144):
        plant = PLANTS[seed % len(PLANTS)]
        recipe = Recipe(5000 + seed)
        recipe.kind = str(recipe.rng.choice(["float64", "float32"]))
        table, kinds = plant(recipe)
        yield plant.__name__, recipe, cast(table, recipe.kind), kinds


def misnamed(name, found, kinds):
    """Kinds that are named and not true."""
    return set(found.kinds) - kinds - set().union(*(ALSO.get(kind, set()) for kind in kinds))


@pytest.mark.slow
def test_planted_faults_in_tables_are_named():
    missed, false = [], []
    for name, recipe, table, kinds in planted_tables():
        found = diagnose(table)
        if not kinds & set(found.kinds):
            missed.append((name, recipe, found.kinds))
        if misnamed(name, found, kinds):
            false.append((name, recipe, found.kinds))
    assert not false
    assert len(missed) <= 0.05 * 144, (Counter(name for name, *_ in missed), missed)


def faulty_functions():
    """(name, function, d_model, kinds)."""
    for seed in range(56):
        turn = Turn(500 + seed)
        turn.kind = str(turn.rng.choice(["float64", "float32"]))
        faults = {
            "backwards": (lambda x, p, t=turn: t(x, p, lambda q, w, i: -q * w), {"sign"}),
            "off by one": (lambda x, p, t=turn: t(x, p, lambda q, w, i: (q + 1) * w), {"start"}),
            "clamped": (lambda x, p, t=turn: t(x, np.minimum(p, 1000)), {"rows-out-of-place"}),
            "positions in bfloat16": (
                lambda x, p, t=turn: t(x, p, lambda q, w, i: half(q, 8) * w),
                {"rounded-positions"},
            ),
            "angles in bfloat16": (
                lambda x, p, t=turn: t(x, p, lambda q, w, i: half(q * w, 8)),
                {"rounded-angles"},
            ),
            "frequencies in bfloat16": (
                lambda x, p, t=turn: t(x, p, lambda q, w, i: q * half(w, 8)),
                {"rounded-frequencies"},
            ),
            "all alike": (lambda x, p, t=turn: t(x, p, lambda q, w, i: q), {"equal-frequencies"}),
            "rising": (
                lambda x, p, t=turn: t(x, p, lambda q, w, i: q * min(t.base, 1e6) ** (2 * i / t.over)),
                {"rising-frequencies"},
            ),
            "longer and longer": (
                lambda x, p, t=turn: t(x, p, None, lambda q, i: 1 + q / 1000),
                {"lengths-change"},
            ),
            "scaled": (lambda x, p, t=turn: t(x, p, None, lambda q, i: 1.25), {"scaled"}),
            "by the row": (lambda x, p, t=turn: t(x, np.arange(len(p)) * 1.0), {"positions-ignored"}),
            "not at all": (lambda x, p: x, {"nothing-turns"}),
            "logarithms": (lambda x, p, t=turn: t(x, np.log1p(p)), {"not-relative"}),
            "backwards twice": (lambda x, p, t=turn: t(x, p - p[0]), {"positions-confused"}),
        }
        names = list(faults)
        name = names[seed % len(names)]
        yield name, faults[name][0], turn, faults[name][1]


@pytest.mark.slow
def test_planted_faults_in_functions_are_named():
    missed, false = [], []
    for name, function, turn, kinds in faulty_functions():
        found = diagnose_rope(function, turn.d, n_positions=40)
        if not kinds & set(found.kinds):
            missed.append((name, turn, found.kinds))
        if misnamed(name, found, kinds):
            false.append((name, turn, found.kinds))
    assert not false
    assert len(missed) <= 0.05 * 56, missed
