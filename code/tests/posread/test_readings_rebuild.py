"""What a reading says is the table, or what the function does: held against tables and functions at random.

Nothing here is taken from the package: tables are made entry by entry or by their programs' formulas.
"""

import math
from typing import NamedTuple

import numpy as np
import pytest

from posread import diagnose, diagnose_rope

#: What a type rounds away, relative to the largest entry.
HALF_DIGIT = {
    "float64": 2.0**-53,
    "float32": 2.0**-24,
    "float16": 2.0**-11,
    "bfloat16": 2.0**-8,
    "8 bits": 1 / 254,
}
BASES = [20, 100, 300, 1000, 10_000, 10_000, 10_000, 25_000, 123_456, 300_000, 500_000, 1_000_000, 5_000_000]
WIDTHS = [8, 16, 24, 32, 64, 96, 128]


def omegas(pairs, base, less=0):
    return np.array([base ** (-2 * i / (2 * pairs - 2 * less)) for i in range(pairs)])


def columns(angles, layout="interleaved", first="sin"):
    parts = [np.sin(angles), np.cos(angles)][:: 1 if first == "sin" else -1]
    if layout == "halves":
        return np.concatenate(parts, 1)
    return np.stack(parts, -1).reshape(len(angles), -1)


def cast(table, kind):
    """Entries as a type holds them."""
    if kind == "bfloat16":
        mantissa, exponent = np.frexp(table)
        return np.ldexp(np.round(mantissa * 256), exponent - 8)
    if kind == "4 decimals":
        return np.round(table, 4)
    return table if kind == "float64" else table.astype(kind)


def ramped(w, factor, length, how):
    """YaRN over pairs, or Llama 3.1, pair by pair."""
    base = w[0] / w[1]
    turns = length * w / (2 * math.pi)
    if how == "llama":
        kept = np.clip((turns - 1) / 3, 0, 1)
    else:
        ends = [math.log(length / (2 * math.pi * t)) / math.log(base) for t in (32, 1)]
        low, high = max(math.floor(ends[0]), 0), min(math.ceil(ends[1]), 2 * len(w) - 1)
        kept = 1 - np.clip((np.arange(len(w)) - low) / max(high - low, 0.001), 0, 1)
    return w * (kept + (1 - kept) / factor)


def pick(rng, *values):
    return values[int(rng.integers(len(values)))]


def spectrum(rng, pairs, plain=False):
    """Frequencies of a base, under both denominators or under a method for longer contexts."""
    base = float(pick(rng, *BASES))
    if rng.random() < 0.75 or pairs < 16 or plain:
        return omegas(pairs, base, pick(rng, 0, 0, 1))
    method = pick(rng, "yarn", "llama", "ntk", "pair by pair")
    base, factor = float(pick(rng, 10_000, 500_000, 1_000_000)), float(pick(rng, 2, 4, 8))
    if method == "ntk":
        return omegas(pairs, base * factor ** (pairs / (pairs - 1)))
    if method == "pair by pair":
        return omegas(pairs, base) / (1.05 + 20 * (np.arange(pairs) / pairs) ** 2)
    return ramped(omegas(pairs, base), factor, pick(rng, 4096, 8192, 32768), method)


def a_line(rng):
    pairs = pick(rng, *WIDTHS) // 2
    start, step = pick(rng, 0, 0, 0, 1, 2, 17, 500), pick(rng, 1, 1, 1, 1, 2, 5, 10)
    rows = pick(rng, 30, 60, 150, 300)
    # turns that a ramp has bent cannot be counted where rows are far apart
    w = spectrum(rng, pairs, plain=step > 1)
    return columns(
        np.outer(start + step * np.arange(rows), w),
        pick(rng, "interleaved", "halves"),
        pick(rng, "sin", "cos"),
    )


def a_grid(rng):
    high, wide = (int(n) for n in rng.integers(3, 38, 2))
    w = omegas(pick(rng, 4, 8, 16, 32), float(pick(rng, 10, 20, 100, 100, 1000, 10_000)), pick(rng, 0, 0, 1))
    row, column = np.divmod(np.arange(high * wide), wide)
    axes = [np.outer(row, w), np.outer(column, w)][:: pick(rng, 1, -1)]
    layout, first = pick(rng, "interleaved", "halves"), pick(rng, "sin", "cos")
    if rng.random() < 0.3:
        return columns(np.concatenate(axes, 1), "halves", first)
    return np.concatenate([columns(angles, layout, first) for angles in axes], 1)


def a_video(rng):
    counts = [int(n) for n in rng.integers(3, 9, 3)]
    w = omegas(pick(rng, 6, 8, 16), float(pick(rng, 100, 10_000)))
    places = [axis.ravel() for axis in np.indices(counts)]
    layout = pick(rng, "interleaved", "halves")
    return np.concatenate([columns(np.outer(p, w), layout) for p in places], 1)


def copies(rng):
    return np.concatenate([a_line(rng)] * pick(rng, 2, 3), 1)


def a_cache(rng):
    once = pick(rng, np.cos, np.cos, np.sin)(
        np.outer(np.arange(pick(rng, 100, 300)), omegas(pick(rng, 8, 16, 32), pick(rng, 1e4, 5e5)))
    )
    return pick(rng, np.concatenate([once, once], 1), np.repeat(once, 2, 1))


def of_the_hour(rng):
    period = int(rng.integers(5, 70))
    return columns(2 * np.pi * np.arange(period * pick(rng, 1, 2, 3, 7))[:400][:, None] / period)


def octaves(rng):
    pairs, rows = pick(rng, 4, 8, 10, 12), 120
    x = rng.uniform(-1, 1, rows) if rng.random() < 0.5 else np.linspace(-1, 1, rows)
    return columns(np.outer(x, 2.0 ** np.arange(pairs)))


def small_steps(rng):
    return columns(
        np.outer(pick(rng, 0.001, 0.0005, 0.01) * np.arange(200), omegas(pick(rng, 14, 15, 16), 1e4)),
        pick(rng, "interleaved", "halves"),
    )


SOUND = [
    a_line,
    a_line,
    a_line,
    a_grid,
    a_grid,
    a_grid,
    a_video,
    copies,
    a_cache,
    of_the_hour,
    octaves,
    small_steps,
]
#: Of these a step below 1 is named, and frequencies slowed before they were cast may not be told so finely.
NAMED = {"small_steps": {"step"}, "of_the_hour": {"step", "reversed"}}


def spoilt(rng, table):
    table = table.copy()
    rows = rng.choice(len(table), max(1, len(table) // 12), replace=False)
    table[rows] = pick(
        rng, -table[rows], 0, rng.uniform(-1, 1, (len(rows), table.shape[1])), table[rows[::-1]]
    )
    return table


def changed(rng, table):
    return table + rng.normal(0, pick(rng, 1e-3, 5e-3), table.shape)


def ended(rng, table):
    end = int(rng.integers(len(table) // 2, len(table)))
    table = table.copy()
    table[end:] = table[end - 1]
    return table


def moved(rng, table):
    return pick(
        rng, table * 3.0, 0.1 * table, 0.5 * (table + 1), table.clip(-0.9, 0.9),
        np.pad(table, [(0, 0), (0, 4)]), table[::-1],
    )  # fmt: skip


#: So many of each kind are tried by `make check`, and the rest by `make test`.
FEW = 6

BROKEN = [spoilt, changed, ended, moved]
#: What may be said of a table with each fault.
TRUE = {
    "spoilt": {"rows-off", "rows-out-of-place", "zero-rows", "rows-repeated"},
    "changed": {"noise"},
    "ended": {"rows-repeated", "rows-off", "rows-out-of-place", "zero-rows"},
    "moved": {"scaled", "shifted", "clipped", "zero-columns", "reversed"},
}
#: And of these tables: in reverse order small steps begin between whole positions.
ALSO = {("moved", "small_steps"): {"start"}}
#: Of so many of a hundred broken tables the report may say "unread", or another truth, and not the fault.
#: In seeds 60 to 670 it is under 2: features of the hour backwards, copies and bent lines with spoilt rows.
UNNAMED = 6


def wrong_rows(found, sound, broken):
    """Rows that are said to be off and are not, and the other way round, where rows have their places."""
    if any(axis.positions.step is None for axis in found.reading.axes) or sound.shape != broken.shape:
        return []
    off = np.abs(broken - sound).max(axis=1)
    least = 8 * HALF_DIGIT.get(found.reading.number_type, 5e-5) + 1e-5
    told = found.reading.rows_off
    return [*np.setdiff1d(told, np.flatnonzero(off)), *np.setdiff1d(np.flatnonzero(off > least), told)]


def rebuilt_badly(found, table):
    """By how much the rebuilt table is off in the worst row that is not said to be; 0 if it may be."""
    reading = found.reading
    table = np.asarray(table, dtype=np.float64)
    if "transposed" in found.kinds:
        table = table.T
    told = reading.rebuild()
    assert told.shape == table.shape
    known = ~np.isnan(told).all(axis=0)
    assert set(reading.columns) <= set(np.flatnonzero(known).tolist())
    kept = np.setdiff1d(np.arange(len(table)), reading.rows_off)
    if not kept.size:
        return math.inf
    kind = reading.number_type
    half = HALF_DIGIT.get(kind) or 0.5 * 10.0 ** -int(kind.split()[0])
    angle = 0.0
    for axis in reading.axes:
        ends = [abs(axis.positions.first), abs(axis.positions.last)]
        angle = max(angle, max(ends) * max(map(abs, axis.frequencies.values)))
    single = 2.0**-24 * (1 + angle)  # as programs compute angles
    # decimals are absolute, and numbers may have had them before they were scaled
    held = max(reading.scale, 1.0) if "decimals" in kind else max(reading.scale, 1e-9)
    allowed = 4 * half * held + 8 * single * max(reading.scale, 1e-9) + 1.01 * reading.noise + 1e-9
    off = np.abs(told[np.ix_(kept, known)] - table[np.ix_(kept, known)]).max()
    return 0.0 if off <= allowed else float(off)


def sound_table(seed):
    rng = np.random.default_rng([1, seed])
    make = SOUND[seed % len(SOUND)]
    table = make(rng)
    kinds = (
        ["float64", "float32"]
        if make in (of_the_hour, small_steps, octaves, a_cache)
        else ["float64", "float64", "float32", "float16", "bfloat16", "4 decimals"]
    )
    return make.__name__, cast(table, pick(rng, *kinds))


def wrong_of_sound(seed):
    """What is wrong with what is said of a sound table; nothing if all is right."""
    name, table = sound_table(seed)
    found = diagnose(table)
    if found.reading is None:
        return f"{seed} {name} {table.shape} {table.dtype}: not read: {found.kinds}"
    if set(found.kinds) - NAMED.get(name, set()):
        return f"{seed} {name} {table.shape} {table.dtype}: {found}"
    if found.reading.rows_off.size:
        return f"{seed} {name}: rows {found.reading.rows_off[:5]}"
    off = rebuilt_badly(found, table)
    return f"{seed} {name}: off by {off}: {found}" if off else ""


def is_seen(name, sound, broken):
    """Whether there is a fault: a row swapped with itself is none, nor are points in another order."""
    if name == "octaves" and sound.shape == broken.shape:
        sound, broken = (np.array(sorted(table.tolist())) for table in (sound, broken))
    return not np.array_equal(sound, broken)


class Outcome(NamedTuple):
    """What is wrong with what is said of a broken table, and whether its fault is seen and not named."""

    wrong: str
    unnamed: bool


def outcome_of_broken(seed):
    """Whether all that is said of a broken table is true, and its fault said."""
    rng = np.random.default_rng([2, seed])
    name, table = sound_table(seed)
    fault = BROKEN[seed // len(SOUND) % len(BROKEN)]
    sound = np.asarray(table, dtype=np.float64)
    table = fault(rng, sound)
    found, true, this = diagnose(table), TRUE[fault.__name__], f"{seed} {name} {fault.__name__}"
    unnamed = is_seen(name, sound, table) and not true & set(found.kinds)
    if found.sound and unnamed:
        return Outcome(f"{this}: not noticed: {found}", unnamed)
    if found.reading is None:
        return Outcome("", unnamed)
    false = set(found.kinds) - true - NAMED.get(name, set()) - ALSO.get((fault.__name__, name), set())
    rows = wrong_rows(found, sound, table) if fault in (spoilt, ended) else []
    if false or rows:
        return Outcome(f"{this}: {false}, wrong rows {rows[:6]}: {found}", unnamed)
    off = rebuilt_badly(found, table)
    return Outcome(f"{this}: off by {off}: {found}" if off else "", unnamed)


def rotation(rng, plain):
    """A function that rotates, and its d_model; with the frequencies of a base, or also of a method."""
    d = pick(rng, 16, 32, 64, 128)
    turned = pick(rng, d, d, d // 2)
    begin, layout = pick(rng, 0, d - turned), pick(rng, "halves", "interleaved")
    pairs = turned // 2
    w = spectrum(rng, pairs, plain)
    w = w if plain or rng.random() < 0.9 else omegas(pairs, 1e4) / 4
    one = begin + (np.arange(pairs) if layout == "halves" else 2 * np.arange(pairs))
    two = one + (pairs if layout == "halves" else 1)
    kind = pick(rng, "float64", "float64", "float32", "float16", "bfloat16")

    def rotate(x, p, angle=lambda p, w: np.outer(p, w)):
        turns = angle(p, w)
        result = np.array(x)
        result[:, one] = x[:, one] * np.cos(turns) - x[:, two] * np.sin(turns)
        result[:, two] = x[:, two] * np.cos(turns) + x[:, one] * np.sin(turns)
        return cast(result, kind)

    return rotate, d


FAULTS = [
    lambda p, w: -np.outer(p, w),
    lambda p, w: np.outer(p + 1, w),
    lambda p, w: np.outer(np.minimum(p, 300), w),
    lambda p, w: np.outer(cast(p, "bfloat16"), w),
    lambda p, w: np.outer(p, cast(w, "bfloat16")),
    lambda p, w: np.outer(p, cast(w, "float16").astype(float)),
    lambda p, w: np.outer(np.sqrt(p), w),
    lambda p, w: np.outer(p // 4, w),
    lambda p, w: np.outer(p * 1.7, w),
    lambda p, w: np.outer(p, 1 / w),
]


def badly_foretold(found, rotate):
    """By how much the outputs are off that the reading foretells."""
    reading = found.reading
    vectors, positions = reading.probes
    told, seen = reading.rebuild(), np.asarray(rotate(vectors.copy(), positions.copy()), dtype=np.float64)
    kept = np.setdiff1d(np.arange(len(positions)), reading.rows_off)
    single = 8 * 2.0**-24 * (1 + positions[kept])
    allowed = 4 * (4 * HALF_DIGIT[reading.number_type] + np.minimum(single, 0.3)) * max(reading.scale, 1)
    off = np.abs(told - seen)[kept].max(axis=1)
    return float(off.max()) if (off > allowed).any() else 0.0


def shows(function, rotate, d):
    """Whether a fault moves an entry by more than what the type of the results rounds away."""
    places = np.concatenate([np.arange(64.0), 2.0 ** np.arange(7, 18)])
    seen = function(np.ones((len(places), d)), places)
    return np.abs(seen - rotate(np.ones((len(places), d)), places)).max() > 4 * 2.0**-8


def wrong_of_function(seed):
    """What is wrong with what is said of a sound function, or not foretold of a broken one."""
    rng = np.random.default_rng([3, seed])
    rotate, d = rotation(rng, plain=seed % 2 == 0)  # what is wrong shows in frequencies of a base
    fault = None if seed % 2 else FAULTS[seed // 2 % len(FAULTS)]
    function = rotate if fault is None else lambda x, p: rotate(x, p, fault)
    found = diagnose_rope(function, d, int(pick(rng, 16, 64, 200)))
    if fault is None and not found.sound:
        return f"{seed} {d}: {found}"
    if fault is not None and found.sound and shows(function, rotate, d):
        return f"{seed} {d} fault {seed // 2 % len(FAULTS)} not named: {found}"
    if found.reading is None:
        return ""
    off = badly_foretold(found, function)
    return f"{seed} {d}: off by {off}: {found}" if off else ""


def check_broken(seeds):
    """Nothing false is said of broken tables, no fault goes unnoticed, and few are not named."""
    outcomes = [outcome_of_broken(seed) for seed in seeds]
    wrong = [outcome.wrong for outcome in outcomes if outcome.wrong]
    unnamed = sum(outcome.unnamed for outcome in outcomes)
    print(f"{len(outcomes)} broken tables, {len(wrong)} wrong, {unnamed} not named")
    assert not wrong, "\n".join(wrong)
    assert unnamed <= UNNAMED / 100 * len(outcomes)


@pytest.mark.parametrize("wrong", [wrong_of_sound, wrong_of_function])
def test_what_is_read_is_rebuilt(wrong):
    told = [text for seed in range(FEW) if (text := wrong(seed))]
    assert not told, "\n".join(told)


def test_what_is_said_of_broken_tables_is_true():
    check_broken(range(FEW))


@pytest.mark.slow
@pytest.mark.parametrize("part", range(8))
@pytest.mark.parametrize(("wrong", "count"), [(wrong_of_sound, 1000), (wrong_of_function, 500)])
def test_thousands_of_readings_are_rebuilt(wrong, count, part):
    told = [text for seed in range(FEW + part, count, 8) if (text := wrong(seed))]
    assert not told, "\n".join(told)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(8))
def test_what_is_said_of_a_thousand_broken_tables_is_true(part):
    # in runs, so that each part has all faults
    check_broken(np.array_split(np.arange(FEW, 1000), 8)[part].tolist())


def test_far_steps_and_frequencies_that_float16_lacks_are_no_error():
    assert not wrong_of_sound(731367)
    assert not outcome_of_broken(730132).wrong


def test_measured_frequencies_are_held_no_finer_than_they_are_known():
    assert not wrong_of_function(730017)
    assert not wrong_of_function(730191)


def test_a_method_with_the_factor_1_is_none():
    assert not wrong_of_function(20199)  # which ended in an error
