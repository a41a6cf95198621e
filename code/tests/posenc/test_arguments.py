"""What every function has in common: one way to give frequencies, and errors that name the argument."""

import builtins
import importlib
import math
import pkgutil
import re
import sys
import types
from fractions import Fraction

import numpy as np
import pytest
from book_source import directives
from harness import REPOSITORY, read_refused
from test_fuzz import FUNCTIONS, MODULES, ROWS, VALID, Tensor, call

import posenc
from posenc import context, frequencies
from posenc.encoding import positional_encoding
from posenc.precision import narrow_encoding
from posenc.rope import apply_rope
from posread import diagnose_rope
from wavebook import explorers
from wavebook.choices import first_negative_limit
from wavebook.distance_law import similarity_law
from wavebook.lost_digits import frequency_errors
from wavebook.near_returns import far_return, real_period
from wavebook.weights import rotation_fraction

#: Arguments that give frequencies.
WAYS = {"d_model", "base", "omega"}
TAKEN = {name: set(arguments) & WAYS for name, (arguments, _) in VALID.items()}
#: Functions that take either d_model (and base) or omega.
EITHER = [name for name, ways in TAKEN.items() if ways == WAYS]
#: Functions that read d_model off an array, here 8, and take base or omega or neither; one measures both.
READ_OFF = [name for name, ways in TAKEN.items() if ways == {"base", "omega"} and name != "measure"]
#: Functions of d_model that have no other frequencies to take.
OF_D_MODEL = [name for name, ways in TAKEN.items() if "d_model" in ways and "omega" not in ways]


def given(name, **frequencies):
    """What a function returns for these frequencies, and else its valid arguments."""
    others = {key: value for key, value in VALID[name][0].items() if key not in WAYS}
    return call(name, others | frequencies)


@pytest.mark.parametrize("name", EITHER)
def test_frequencies_given_either_way_mean_the_same(name):
    for base in (10_000.0, 77.0):
        found, expected = given(name, omega=frequencies(8, base)), given(name, d_model=8, base=base)
        np.testing.assert_allclose(found, expected, rtol=1e-13, atol=1e-13)
    np.testing.assert_array_equal(given(name, d_model=8), given(name, d_model=8, base=10_000))


@pytest.mark.parametrize("name", READ_OFF)
def test_a_base_means_its_frequencies(name):
    np.testing.assert_array_equal(given(name, omega=frequencies(8, 77)), given(name, base=77))
    np.testing.assert_array_equal(given(name, omega=frequencies(8)), given(name))
    with pytest.raises(ValueError, match=r"omega must have shape \(4,\) for d_model = 8, got \(3,\)"):
        given(name, omega=[1, 2, 3])


@pytest.mark.parametrize("name", EITHER)
def test_d_model_and_omega_exclude_each_other(name):
    with pytest.raises(
        TypeError, match=r"give either d_model or omega, got both: d_model=4, omega=\[1, 0.1\]"
    ):
        given(name, d_model=4, omega=[1, 0.1])
    with pytest.raises(TypeError, match="give either d_model or omega, got neither"):
        given(name)
    with pytest.raises(TypeError, match="give either d_model or omega, got neither"):
        given(name, base=100)


@pytest.mark.parametrize("name", EITHER + READ_OFF)
def test_base_goes_not_with_omega(name):
    for base in (100, 10_000):  # the base that is the default, too
        with pytest.raises(
            TypeError, match=f"base goes with d_model, not with omega: got base={base}, omega="
        ):
            given(name, base=base, omega=[1, 0.1, 0.01, 0.001])


@pytest.mark.parametrize("name", EITHER + READ_OFF)
def test_omega_must_be_a_line_of_finite_numbers(name):
    for wrong in ([], 1.0, [[1.0, 2.0]]):
        with pytest.raises(ValueError, match="omega must be a line of at least one frequency, got shape"):
            given(name, omega=wrong)
    with pytest.raises(ValueError, match="omega must be finite, got nan"):
        given(name, omega=[1, math.nan])
    with pytest.raises(TypeError, match="omega must be real numbers"):
        given(name, omega=["1"])


@pytest.mark.parametrize("name", EITHER + OF_D_MODEL)
def test_a_width_or_base_that_cannot_be_is_refused_by_name(name):
    for d_model in (2**24 + 2, 10**30):
        with pytest.raises(ValueError, match=rf"d_model must be at most 2\*\*24, got {d_model}"):
            given(name, d_model=d_model)
    for d_model, error in (
        (7, ValueError),
        (0, ValueError),
        (-2, ValueError),
        (4.0, TypeError),
        (True, TypeError),
    ):
        with pytest.raises(error, match=f"d_model must be an even integer >= 2, got {d_model}"):
            given(name, d_model=d_model)
    if "base" in TAKEN[name]:
        with pytest.raises(ValueError, match=r"base must be .*, got 1"):
            given(name, d_model=8, base=1)


ONE = np.eye(4)
#: What the calls name that are refused.
NAMES = {name.rpartition(".")[2]: importlib.import_module(name) for name in MODULES} | FUNCTIONS
NAMES |= {name: getattr(explorers, name) for name in explorers.__all__} | {"np": np, "math": math}
NAMES |= {"Fraction": Fraction, "ONE": ONE, "ROWS": ROWS}


@pytest.mark.parametrize(("called", "error", "words"), read_refused("functions"))
def test_what_makes_no_sense_is_refused_by_name(called, error, words):
    with pytest.raises(getattr(builtins, error), match=words):
        eval(called, NAMES)


def test_masks_are_not_lost():
    masked = np.ma.array([1.0, 2.0, 3.0], mask=[0, 1, 0])
    for name, argument in (
        ("positional_encoding", "positions"),
        ("apply_rope", "positions"),
        ("softmax", "scores"),
    ):
        with pytest.raises(TypeError, match="without a mask"):
            call(name, VALID[name][0] | {argument: masked})


def test_tensors_may_have_gradients_and_be_in_bfloat16():
    """Stand-ins, as PyTorch may be missing; test_pytorch.py has the real ones."""
    for tensor in (
        Tensor([0, 1.5]),
        Tensor([0, 1.5], "torch.bfloat16"),
        Tensor([0, 1.5], "torch.bfloat16", grad=False),
    ):
        np.testing.assert_array_equal(positional_encoding(tensor, 8), positional_encoding([0, 1.5], 8))


def test_d_model_and_base_may_be_arrays_of_no_axes_and_no_others():
    for integer in (np.array(8), np.int32(8), 8):
        for real in (np.array(100.0), np.float32(100), np.array(100), Fraction(100), 100):
            np.testing.assert_array_equal(frequencies(integer, real), frequencies(8, 100))
    for wrong in (np.array([8]), [8], np.array(True), np.ma.array(8)):
        with pytest.raises(TypeError, match="d_model must be an even integer"):
            frequencies(wrong)
        with pytest.raises(TypeError, match="base must be a finite real number"):
            frequencies(8, wrong)


def test_equal_bounds_are_a_step():
    """Llama 4 Scout's: a pair is divided if it makes less than one turn in the trained length, else kept."""
    omega = frequencies(128, 500_000)
    expected = [w / 16 if 8192 * w / (2 * math.pi) < 1 else w for w in omega]
    ours = context.llama3(128, 16, 500_000, length=8192, low_freq_factor=1, high_freq_factor=1)
    np.testing.assert_allclose(ours, expected, rtol=1e-15)


def test_what_is_unusual_but_right_is_answered():
    assert narrow_encoding([], 4, dtype="float16").shape == (0, 4)
    for base in (Fraction(100), np.int64(100), np.float32(100)):
        assert frequency_errors(4, base)["power", "float64"].max() < 4
    assert rotation_fraction(1e200 * ONE) == 1.0


@pytest.mark.parametrize(("omega", "turning"), [([0, 1], (2, 3)), ([1, 0, 0.01, 0.001], (0, 1, 4, 5, 6, 7))])
def test_pairs_at_rest_before_others_are_not_called_the_rest(omega, turning):
    found = diagnose_rope(lambda x, p: apply_rope(x, p, omega=omega), 2 * len(omega))
    assert found.reading.columns == turning


def named_on_pages():
    """The names in roles, in code and in listings of all pages but the package's own."""
    pages = [path.read_text() for path in (REPOSITORY / "book").glob("*.md") if path.stem != "api"]
    roles = {name for page in pages for name in re.findall(r"\{py:func\}`~?(?:[\w.]*\.)?(\w+)`", page)}
    cells = [cell.body for page in pages for cell in directives(page, "code-cell")]
    shown = {name for page in pages for name in re.findall(r"^:pyobject: (\w+)$", page, re.MULTILINE)}
    return roles | shown | {word for cell in cells for word in re.findall(r"\w+", cell)}


def test_each_public_function_is_named_on_some_page():
    # What frequencies mean is said once, and the descriptions of the other functions refer to it.
    of_the_tool = {name for name, function in FUNCTIONS.items() if function.__module__.startswith("posenc.")}
    unnamed = of_the_tool - named_on_pages() - {"resolve_frequencies"}
    assert not unnamed, (
        f"link these from the sentences about their methods, or delete them: {sorted(unnamed)}"
    )


def test_a_missing_extra_is_asked_for_after_the_arguments(monkeypatch):
    """And the message says what to install, as pip takes it."""
    monkeypatch.setitem(sys.modules, "mpmath", None)
    monkeypatch.setitem(sys.modules, "sympy", None)
    calls = [
        (frequency_errors, {}, "d_model", 7),
        (similarity_law, {"offsets": 3}, "d_model", 7),
        (far_return, {"digits": 9}, "d_model", 7),
        (real_period, {}, "d_model", 7),
        (first_negative_limit, {}, "base", 0.5),
    ]
    for function, others, name, wrong in calls:
        with pytest.raises(ValueError, match=name):
            function(**others, **{name: wrong})
        with pytest.raises(ImportError, match=r"pip install 'posenc\[proofs\]'"):
            function(**others, **{name: 8})


def test_no_function_hides_a_module():
    for info in pkgutil.iter_modules(posenc.__path__):
        if info.name != "pytorch":
            module = importlib.import_module(f"posenc.{info.name}")
            assert getattr(posenc, info.name) is module, info.name
    import posenc.distance as d

    assert isinstance(d, types.ModuleType)
