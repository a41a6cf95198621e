"""Nonsense in place of one or two arguments of each public function: an error by name, or a sound result.

All public functions are tried with 80 kinds of values that most arguments cannot be. Each call raises a
TypeError or a ValueError whose message has the name of a parameter of the function, or it returns finite
numbers in the shape that its docstring states; no call warns.
"""

import datetime
import decimal
import fractions
import inspect
import math
import pathlib
import pkgutil
import re
import types
import warnings
from importlib import import_module

import numpy as np
import pytest

import posenc
import posread
from posread.__main__ import main

#: Calls of each function with something else for an argument; no function's draws hang on another's.
CALLS = 60
POSENC = [
    info.name for info in pkgutil.iter_modules(posenc.__path__) if info.name not in ("arguments", "pytorch")
]
WAVEBOOK = (
    *("attention", "choices", "distance_law", "harmonics", "initialization", "lost_digits"),
    *("near_returns", "recurrence", "rotary_sums", "say", "torus", "weights"),
)
MODULES = [f"posenc.{name}" for name in POSENC] + [f"wavebook.{name}" for name in WAVEBOOK]
OMEGA, ROWS, SQUARE = [1.0, 0.1, 0.01, 0.001], np.random.default_rng(1).normal(size=(3, 8)), np.eye(8)
LLAMA = {
    "rope_theta": 10_000,
    "hidden_size": 64,
    "num_attention_heads": 8,
    "num_hidden_layers": 2,
    "max_position_embeddings": 64,
}


def size(arguments):
    """The d_model that `d_model` or `omega` mean."""
    omega = arguments.get("omega")
    return 2 * len(np.asarray(omega)) if omega is not None else int(arguments["d_model"])


def pairs(arguments):
    return (size(arguments) // 2,)


def shape(name):
    """The shape of an argument."""

    def found(arguments):
        value = arguments[name]
        return tuple(value.shape) if hasattr(value, "shape") else np.shape(value)

    return found


def square(arguments):
    return (int(arguments["n"]),) * 2


SCALAR = ()
EITHER = {"d_model": 8, "base": 100.0, "omega": None}
SCALED = {"d_model": 8, "factor": 4.0, "base": 100.0}

#: Each function's valid arguments, and the shape of its result: a function of the arguments, or None if it is
#: not an array.
VALID = {
    "frequencies": ({"d_model": 8, "base": 100.0}, pairs),
    "resolve_frequencies": (EITHER, pairs),
    "wavelengths": (EITHER, pairs),
    "positional_encoding": ({"positions": [0, 1.5]} | EITHER, lambda a: (*shape("positions")(a), size(a))),
    "encoding_table": (
        {"n_positions": 5, "dtype": "float32"} | EITHER,
        lambda a: (int(a["n_positions"]), size(a)),
    ),
    "layout_order": ({"layout": "halves", "d_model": 8}, lambda a: (size(a),)),
    "halves_order": ({"d_model": 8}, lambda a: (size(a),)),
    "shift": ({"encodings": ROWS, "offset": 2.5, "base": 100.0, "omega": None}, shape("encodings")),
    "tangent_step": ({"encodings": ROWS, "offset": 2.5, "base": 100.0, "omega": None}, shape("encodings")),
    "shift_matrix": ({"offset": 2.5} | EITHER, lambda a: (size(a),) * 2),
    "similarity": ({"offsets": [0, 2.5]} | EITHER, shape("offsets")),
    "encoding_distance": ({"offsets": [0, 2.5]} | EITHER, shape("offsets")),
    "distance_matrix": ({"n_positions": 5} | EITHER, lambda a: (int(a["n_positions"]),) * 2),
    "similarity_law": (
        {"offsets": [1, 2.5], "d_model": 8, "base": 100.0, "corrections": 2},
        shape("offsets"),
    ),
    "similarity_law_bound": ({"offsets": [1, 2.5], "d_model": 8, "base": 100.0}, shape("offsets")),
    "law_reach": ({"d_model": 8, "base": 100.0}, SCALAR),
    "first_decrease": ({"d_model": 8, "base": 100.0}, SCALAR),
    "harmonic_families": ({"d_model": 8, "base": 100}, None),
    "largest_distance": ({"d_model": 8, "base": 100}, SCALAR),
    "opposite_hands": ({"size": 3, "ratio": 10}, lambda a: (int(a["size"]),)),
    "expected_return": ({"d_model": 8, "base": 10_000, "free": True}, SCALAR),
    "closest_offset": ({"max_offset": 50} | EITHER, None),
    "record_offsets": ({"max_offset": 50} | EITHER, None),
    "coherence": ({"omega": OMEGA, "n": 50}, SCALAR),
    "far_return": ({"d_model": 8, "base": 100.0, "digits": 6}, None),
    "real_period": ({"d_model": 8, "base": 100}, None),
    "linear": ({"d_model": 8, "base": 100.0}, pairs),
    "harmonic": ({"d_model": 8}, pairs),
    "octave": ({"d_model": 8}, pairs),
    "difference_set": ({"q": 3}, lambda a: (int(a["q"]) + 1,)),
    "difference_set_frequencies": ({"d_model": 8, "q": 3}, pairs),
    "log_uniform": ({"d_model": 8, "base": 100.0, "rng": 1}, pairs),
    "gaussian": ({"d_model": 8, "rng": 1}, pairs),
    "fitted": ({"d_model": 8, "base": 100.0, "length": 8, "steps": 3}, pairs),
    "measure": ({"omega": OMEGA, "base": 100.0, "limit": 50}, None),
    "fraction_never_turning": ({"length": [5, 50.0]} | EITHER, shape("length")),
    "first_negative_limit": ({"base": 100.0}, SCALAR),
    "first_negative": (EITHER | {"limit": 5000}, None),
    "apply_rope": (
        {"vectors": ROWS, "positions": [0, 1, 2.5], "base": 100.0, "omega": None, "layout": "halves"},
        shape("vectors"),
    ),
    "apply_axial_rope": (
        {
            "vectors": ROWS,
            "positions": ROWS[:, :2],
            "axes": [0, 1, 1, 0],
            "base": 100.0,
            "omega": None,
            "layout": "halves",
        },
        shape("vectors"),
    ),
    "apply_xpos": (
        {
            "vectors": ROWS,
            "positions": [0, 1, 2.5],
            "base": 100.0,
            "keys": True,
            "omega": None,
            "layout": "halves",
            "gamma": 0.4,
            "scale_base": 512,
        },
        shape("vectors"),
    ),
    "partial_frequencies": ({"d_model": 8, "rotary_dim": 4, "base": 100.0, "truncated": True}, pairs),
    "layer_frequencies": (
        {"layers": 4, "usual": OMEGA, "other": [0, 0, 0, 0], "every": 4},
        lambda a: (int(a["layers"]), len(a["usual"])),
    ),
    "pair_products": ({"query": ROWS[0], "key": ROWS[1]}, lambda a: (len(a["query"]) // 2,)),
    "abel_bound": ({"pairs": [1, 0.5, 2, 1j], "offsets": [0, 3.5]} | EITHER, shape("offsets")),
    "interpolation": (SCALED, pairs),
    "ntk_base": (SCALED, SCALAR),
    "ntk_aware": (SCALED, pairs),
    "yarn": (
        SCALED | {"length": 64, "beta_slow": 1.0, "beta_fast": 32.0, "ramp": "pairs", "truncate": False},
        pairs,
    ),
    "yarn_scale": ({"factor": 4.0}, SCALAR),
    "llama3": (SCALED | {"length": 64, "low_freq_factor": 1.0, "high_freq_factor": 4.0}, pairs),
    "dynamic_ntk": ({"d_model": 8, "n": 90, "base": 100.0, "length": 64, "factor": 2.0}, pairs),
    "longrope": (
        {
            "d_model": 8,
            "n": 90,
            "base": 100.0,
            "short_factor": [1, 1, 1, 1.5],
            "long_factor": [1, 2, 3, 4],
            "length": 64,
        },
        pairs,
    ),
    "longrope_scale": ({"factor": 4.0, "length": 64}, SCALAR),
    "log_n_scale": ({"n": [5, 50], "length": 64}, shape("n")),
    "stepped_scale": ({"positions": [5, 50], "length": 64, "beta": 0.1, "start": 1}, shape("positions")),
    "unseen_pairs": ({"new_omega": OMEGA, "d_model": 8, "factor": 4.0, "base": 100.0, "length": 64}, SCALAR),
    "from_config": ({"config": LLAMA}, None),
    "alibi_slopes": ({"heads": 8, "bias_max": 8.0}, lambda a: (int(a["heads"]),)),
    "alibi_bias": (
        {"n": 5, "slope": 0.5, "queries": [4.0, 2.0]},
        lambda a: square(a) if a["queries"] is None else (*shape("queries")(a), int(a["n"])),
    ),
    "t5_bucket_starts": ({"num_buckets": 8, "max_distance": 50}, lambda a: (int(a["num_buckets"]),)),
    "t5_bucket": (
        {"offsets": [-5, 50], "num_buckets": 8, "max_distance": 50, "causal": False},
        shape("offsets"),
    ),
    "kerple_bias": ({"n": 5, "r1": 0.5, "r2": 1.5, "kernel": "power"}, square),
    "fire_positions": ({"n": 5, "c": 0.5, "threshold": 1.5}, square),
    "rounded": ({"values": [1, 2.5], "dtype": "bfloat16"}, shape("values")),
    "narrow_encoding": (
        {"positions": [0, 1.5], "d_model": 8, "base": 100.0, "dtype": "float16"},
        lambda a: (*shape("positions")(a), size(a)),
    ),
    "frequency_errors": ({"d_model": 8, "base": 100.0}, None),
    "token_positions": ({"mask": [1, 1, 0], "documents": [1, 2, 2]}, shape("mask")),
    "multimodal_positions": ({"parts": [2, (1, 2, 2), 1]}, None),
    "section_axes": ({"sections": [4, 2, 2], "interleaved": True}, lambda a: (int(sum(a["sections"])),)),
    "softmax": ({"scores": ROWS}, shape("scores")),
    "causal_mask": ({"n": 5}, square),
    "self_attention": (
        {
            "x": ROWS,
            "w_q": SQUARE,
            "w_k": SQUARE,
            "w_v": SQUARE,
            "bias": np.zeros((3, 3)),
            "temperature": 2.0,
        },
        None,
    ),
    "score_terms": (
        {"tokens": ROWS, "encodings": ROWS, "w_q": SQUARE, "w_k": SQUARE},
        lambda a: (4, len(a["tokens"]), len(a["tokens"])),
    ),
    "look_back_weights": (
        {"position": 9, "offset": 3, "length": 16, "temperature": 0.1} | EITHER,
        lambda a: (int(a["length"]),),
    ),
    "rotation_parts": ({"matrix": SQUARE}, lambda a: (len(a["matrix"]) // 2,)),
    "rotation_fraction": ({"matrix": SQUARE}, SCALAR),
    "shift_cosine": ({"matrix": SQUARE, "offset": 2.5, "base": 100.0}, SCALAR),
    "root_encoding": (
        {"positions": [0, 1.5], "radius": 0.5, "angle": 1.0, "multiplicity": "single"},
        lambda a: (*shape("positions")(a), 2 if a["multiplicity"] == "single" else 4),
    ),
    "xavier_range": ({"d_model": 8, "vocabulary": 50}, SCALAR),
    "embedding_deviations": ({"d_model": 8, "vocabulary": 50}, None),
    "scientific": ({"value": 0.0123, "digits": 2, "up": True}, None),
    "at_most": ({"value": 0.0123, "places": 2}, None),
    "below": ({"residues": [2e-15, -3e-16], "exponent": -14}, None),
    "at_least": ({"value": 0.0123, "places": 2}, None),
    "percent": ({"fraction": 0.785}, None),
    "in_a_row": ({"words": [35, 59, 70]}, None),
    "say": ({"texts": {"name": 7}}, None),
    "windings": ({"base": 6.25}, None),
}
VALID |= {
    "diagnose": (
        {"table": np.cos(np.multiply.outer(range(9), OMEGA + OMEGA) - np.repeat([0, 1.6], 4))},
        None,
    ),
    "diagnose_rope": ({"rotate": posenc.apply_rope, "d_model": 8, "n_positions": 9}, None),
}
#: What may be infinite or NaN, and is announced in the docstring.
ANNOUNCED = {"causal_mask", "fire_positions", "rounded"}


class Tensor:
    """What NumPy gets of a tensor with gradients, or in bfloat16, where PyTorch is not installed."""

    def __init__(self, values, dtype="torch.float32", *, grad=True):
        self.values, self.dtype, self.grad = np.asarray(values, dtype=float), dtype, grad
        self.shape = self.values.shape

    def detach(self):
        return Tensor(self.values, self.dtype, grad=False)

    def cpu(self):
        return self

    def double(self):
        return Tensor(self.values, "torch.float64", grad=self.grad)

    def __len__(self):
        return len(self.values)

    def __array__(self, dtype=None, copy=None):
        if self.grad or "bfloat16" in self.dtype:
            raise RuntimeError("Can't call numpy() on Tensor that requires grad, or in bfloat16")
        return self.values


class Unshowable:
    def __repr__(self):
        raise RuntimeError("no")


def bad_values():
    """80 kinds of values, made anew for each call, since some can be used once."""
    return {
        "nothing": lambda: None,
        "true": lambda: True,
        "false": lambda: False,
        "NumPy's true": lambda: np.True_,
        "zero": lambda: 0,
        "minus one": lambda: -1,
        "minus zero": lambda: -0.0,
        "an odd number": lambda: 7,
        "half": lambda: 0.5,
        "a float that is whole": lambda: 8.0,
        "nan": lambda: math.nan,
        "inf": lambda: math.inf,
        "minus inf": lambda: -math.inf,
        "NumPy's nan": lambda: np.float32("nan"),
        "1e300": lambda: 1e300,
        "minus 1e300": lambda: -1e300,
        "1e308": lambda: 1e308,
        "1e-300": lambda: 1e-300,
        "the smallest": lambda: 5e-324,
        "2**53 + 1": lambda: 2**53 + 1,
        "2**63": lambda: 2**63,
        "10**30": lambda: 10**30,
        "10**400": lambda: 10**400,
        "10**5000": lambda: 10**5000,
        "minus 10**30": lambda: -(10**30),
        "10**12": lambda: 10**12,
        "complex": lambda: 1 + 2j,
        "complex nan": lambda: complex(math.nan, 0),
        "a word": lambda: "8",
        "another word": lambda: "wave",
        "no word": lambda: "",
        "bytes": lambda: b"8",
        "a word of NumPy": lambda: np.str_("8"),
        "a fraction": lambda: fractions.Fraction(7, 2),
        "a decimal": lambda: decimal.Decimal("3.5"),
        "a decimal nan": lambda: decimal.Decimal("nan"),
        "a date": lambda: datetime.date(2017, 6, 12),
        "NumPy's date": lambda: np.datetime64("2017-06-12"),
        "NumPy's days": lambda: np.array([1, 2], dtype="timedelta64[D]"),
        "an empty list": lambda: [],
        "a list of one": lambda: [8],
        "lists in lists": lambda: [[1.0, 2.0], [3.0, 4.0]],
        "a ragged list": lambda: [[1.0, 2.0], [3.0]],
        "a deep ragged list": lambda: [1.0, [2.0, [3.0]]],
        "a list of words": lambda: ["1", "2"],
        "a list with nothing": lambda: [1.0, None],
        "a list with nan": lambda: [1.0, math.nan, 2.0],
        "a list with inf": lambda: [[1.0, math.inf]],
        "a list of large integers": lambda: [10**30, 1],
        "a list of larger integers": lambda: [2**60, 2**60],
        "a list of huge floats": lambda: [1e308, -1e308, 1e308],
        "a line of huge floats": lambda: np.full(8, 1.7e308),
        "a table of huge floats": lambda: np.full((3, 8), 1.7e308),
        "a square of huge floats": lambda: np.full((8, 8), 1.7e308),
        "a line of four huge floats": lambda: [1e308, 1e307, 1e306, 1e305],
        "a mapping": lambda: {"a": 1},
        "an empty mapping": dict,
        "a set": lambda: {1.0, 2.0},
        "a generator": lambda: (i for i in range(4)),
        "an iterator": lambda: iter([1.0, 2.0]),
        "a range": lambda: range(3),
        "a function": lambda: len,
        "a class": lambda: int,
        "an object": object,
        "what cannot be shown": Unshowable,
        "a module": lambda: math,
        "the ellipsis": lambda: ...,
        "a slice": lambda: slice(3),
        "a masked array": lambda: np.ma.array([1.0, 2.0, 3.0], mask=[0, 1, 0]),
        "a masked number": lambda: np.ma.array(8, mask=False),
        "an array of objects": lambda: np.array([1, "a", None], dtype=object),
        "an array of bools": lambda: np.array([True, False, True]),
        "an array of no axes": lambda: np.array(8),
        "an array of no axes, float": lambda: np.array(8.0),
        "an array without entries": lambda: np.zeros((0, 8)),
        "an array of four axes": lambda: np.ones((1, 1, 2, 8)),
        "an array of records": lambda: np.zeros(2, dtype=[("a", float)]),
        "a longdouble": lambda: (
            np.longdouble("1e4000") if np.finfo(np.longdouble).max > 1e308 else np.longdouble(1)
        ),
        "a tensor with gradients": lambda: Tensor([1.0, 2.0, 3.0]),
        "a tensor in bfloat16": lambda: Tensor([[1.0, 2.0]], "torch.bfloat16"),
        "a path that is not there": lambda: pathlib.Path("/nowhere/config.json"),
    }


def public_functions():
    """The public functions of the modules that take something, by name."""
    return {
        name: thing
        for module in map(import_module, MODULES)
        for name, thing in vars(module).items()
        if isinstance(thing, types.FunctionType)
        and thing.__module__ == module.__name__
        and not name.startswith(("_", "check_"))
        and inspect.signature(thing).parameters
    }


FUNCTIONS = public_functions() | {
    "diagnose": posread.diagnose,
    "diagnose_rope": posread.diagnose_rope,
    "from_config": posread.from_config,
}


def test_every_public_function_is_tried():
    assert set(FUNCTIONS) == set(VALID)
    for name, (arguments, _) in VALID.items():
        taken = inspect.signature(FUNCTIONS[name]).parameters
        named = {key for key, value in taken.items() if value.kind is not inspect.Parameter.VAR_KEYWORD}
        assert set(arguments) == named, name
    assert len(bad_values()) >= 80


def call(name, arguments):
    """The function with these arguments by name, or by place where it takes them in no other way."""
    taken = inspect.signature(FUNCTIONS[name]).parameters
    first = [arguments[key] for key, one in taken.items() if one.kind is inspect.Parameter.POSITIONAL_ONLY]
    rest = {
        key: value
        for key, value in arguments.items()
        if taken[key].kind is not inspect.Parameter.POSITIONAL_ONLY
    }
    return FUNCTIONS[name](*first, **rest)


def complaint(name, arguments, *, valid=False):
    """What is wrong with how a call ends, or None."""
    names = re.compile("|".join(rf"\b{one}\b" for one in VALID[name][0]))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            result = call(name, arguments)
    except (TypeError, ValueError) as error:
        if valid:
            return f"{type(error).__name__}: {error}"
        return None if names.search(str(error)) else f"names no argument: {type(error).__name__}: {error}"
    except OSError as error:  # of a path that is not there
        return None if name == "from_config" else repr(error)
    except MemoryError as error:  # announced for the table, before anything is computed
        return None if name == "encoding_table" else repr(error)
    except BaseException as error:
        return f"{type(error).__name__}: {error}"
    wanted = VALID[name][1]
    if isinstance(result, (float, int, np.ndarray, np.generic)) and not isinstance(result, str):
        exact = isinstance(result, int)
        if name not in ANNOUNCED and not exact and not np.isfinite(np.asarray(result, dtype=complex)).all():
            return f"not finite: {result!r}"
        if wanted is not None:
            expected = wanted(arguments) if callable(wanted) else wanted
            if np.shape(result) != expected:
                return f"shape {np.shape(result)}, not {expected}"
    elif wanted is not None:
        return f"no array: {result!r}"
    elif isinstance(result, (tuple, list)):
        for part in result:
            if isinstance(part, (float, np.ndarray)) and not np.isfinite(part).all():
                return f"not finite: {result!r}"
    elif isinstance(result, dict) and not all(np.isfinite(part).all() for part in result.values()):
        return f"not finite: {result!r}"
    return None


@pytest.mark.parametrize("name", VALID)
def test_valid_arguments_are_taken(name):
    arguments = dict(VALID[name][0])
    assert complaint(name, arguments, valid=True) is None
    if "omega" in arguments and "d_model" in arguments:
        assert (
            complaint(name, arguments | {"d_model": None, "base": None, "omega": OMEGA}, valid=True) is None
        )


@pytest.mark.slow
def test_nonsense_is_refused_by_name_or_answered():
    bad = bad_values()
    kinds = sorted(bad)
    faults = []
    for name in sorted(VALID):
        rng = np.random.default_rng(list(name.encode()))
        for _ in range(CALLS):
            arguments = dict(VALID[name][0])
            keys = sorted(arguments)
            replaced = rng.choice(keys, size=min(len(keys), 1 + (rng.random() < 0.3)), replace=False)
            chosen = {str(key): kinds[rng.integers(len(kinds))] for key in replaced}
            if fault := complaint(name, arguments | {key: bad[kind]() for key, kind in chosen.items()}):
                faults.append(f"{name}, {chosen}: {fault}")
    assert not faults, f"{len(faults)}:\n" + "\n".join(faults[:40])


#: What a file may hold that is no table, by its name.
FILES = {
    "empty.csv": b"",
    "words.csv": b"a table\nof words\n",
    "ragged.csv": b"1,2,3\n4,5\n",
    "one.csv": b"1\n",
    "two-rows.csv": b"0,1\n0.8,0.5\n",
    "nan.csv": b"0,1\n0.8,nan\n0.9,-0.4\n",
    "huge.csv": b"1e308,1\n-1e308,1\n1e308,1\n",
    "bytes.csv": bytes(range(256)),
    "no-numpy.npy": b"no NumPy file",
    "cut.npy": b"\x93NUMPY\x01\x00v\x00{'descr': '<f8', 'fortran_order': False, 'shape': (9, 8), }",
    "no-zip.npz": b"PK\x03\x04 and no more",
    "strange.xyz": b"1,2\n3,4\n",
    "a name with spaces.txt": b"1 2 3\n4 5 6\n7 8 9\n",
}


@pytest.mark.parametrize("name", [*FILES, "missing.csv", "folder.csv"])
def test_a_file_that_is_no_table_is_called_so(tmp_path, capsys, name):
    """In words and by the exit code, whatever it holds; 1 is for what was read and is no encoding."""
    path = tmp_path / name
    if name in FILES:
        path.write_bytes(FILES[name])
    elif name == "folder.csv":
        path.mkdir()
    for more in ([], ["--json"], ["--key", "table"]):
        code = main(["diagnose", str(path), *more])
        out, err = capsys.readouterr()
        # A text has no keys.
        assert code == (1 if name == "a name with spaces.txt" and "--key" not in more else 2)
        assert "Traceback" not in out + err
        assert (code == 2) == (name in err)
        assert bool(out) == (code == 1)


@pytest.mark.parametrize(
    "function",
    ["", ":", "math", "math:", "math:nothing", "nowhere:f", "math:pi", "math:sqrt", "builtins:len"],
)
def test_a_function_that_does_not_rotate_is_called_so(capsys, function):
    assert main(["diagnose-rope", function, "--d-model", "8"]) == 2
    out, err = capsys.readouterr()
    assert not out
    assert err.count("\n") == 1
