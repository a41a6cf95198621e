"""RoPE, the rotary position embedding: queries and keys turned by their positions."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc.arguments import (
    Float,
    as_array,
    check_angles,
    check_choice,
    check_count,
    check_d_model,
    check_entries,
    check_flag,
    check_positive,
    check_real,
    check_result,
    shown,
)
from posenc.encoding import BASE, _frequencies_for, check_line, frequencies, resolve_frequencies

RopeLayout = Literal["interleaved", "halves"]

#: The ways to make pairs of entries, from neighbors or from entry i and entry i + d_model/2.
ROPE_LAYOUTS: tuple[RopeLayout, ...] = get_args(RopeLayout)


def apply_rope(
    vectors: ArrayLike,
    positions: ArrayLike,
    base: float | None = None,
    *,
    omega: ArrayLike | None = None,
    layout: RopeLayout = "interleaved",
) -> Float:
    """Queries or keys with each pair turned by the angle omega_i p of its token's position p.

    The pair (x, y) becomes (x cos - y sin, x sin + y cos): as a complex number x + jy it is multiplied by
    e^(j omega p).

    Parameters
    ----------
    vectors : array_like
        Shape (..., d_model), one row for each token; `d_model` is read off it. It is the size of one head.
    positions : array_like
        Real numbers of the shape of `vectors` without its last axis, or one that broadcasts to it: a line of
        positions goes with the last axis but one. Heads therefore come before tokens; for vectors of shape
        (tokens, heads, d_model) give ``positions[:, np.newaxis]``, since a line would turn each head, and not
        each token, by its number, which cannot be told from its shape if there are as many of both.
    base : float, optional
        Finite, > 1; 10,000 if it is not given. In most libraries `rope_theta`.
    omega : array_like, optional
        Radians per position, of shape (d_model/2,), in place of `base`: see :mod:`posenc.context`.
    layout : {"interleaved", "halves"}
        Pair i is (2i, 2i + 1), as in RoFormer and GPT-J, or (i, i + d_model/2), as in GPT-NeoX and
        Llama's weights at Hugging Face. A function named `rotate_half` is usually of the second kind; in
        some files of the library transformers, as of Cohere, GLM-4 and Ernie 4.5, it takes neighbors.

    Returns
    -------
    ndarray
        The shape of `vectors`.

    Raises
    ------
    TypeError, ValueError
        If an entry is not a finite real number, an angle or a result is too large for one, the shapes do not
        fit, there is no such layout, or both `base` and `omega` are given.

    References
    ----------
    Su et al. (2024), section 3.2; the layout "halves": Black et al. (2022).

    Examples
    --------
    >>> apply_rope([[1.0, 0.0], [1.0, 0.0]], [0, np.pi / 2]).round(12)
    array([[1., 0.],
           [0., 1.]])
    """
    vectors, omega = _vectors_and_frequencies(vectors, base, omega)
    positions = _fitting(positions, vectors.shape[:-1], vectors)
    check_angles(positions, omega, "positions")
    return _turned(vectors, positions[..., np.newaxis] * omega, layout)


def _vectors_and_frequencies(
    vectors: ArrayLike, base: float | None, omega: ArrayLike | None
) -> tuple[Float, Float]:
    """Vectors of shape (..., d_model), and the frequencies for that d_model."""
    vectors = check_real(vectors, "vectors")
    if not vectors.ndim:
        raise ValueError("vectors must have at least one axis, got a single number")
    if vectors.shape[-1] % 2 or not vectors.shape[-1]:
        raise ValueError(f"vectors must have an even last axis (d_model), got shape {vectors.shape}")
    return vectors, _frequencies_for(check_d_model(vectors.shape[-1]), base, omega)


def _fitting(positions: ArrayLike, shape: tuple[int, ...], vectors: Float) -> Float:
    """``positions``, broadcast to ``shape``."""
    positions = check_real(positions, "positions")
    try:
        return np.broadcast_to(positions, shape)
    except ValueError:
        raise ValueError(
            f"positions must fit vectors of shape {vectors.shape}, got shape {positions.shape}"
        ) from None


def _turned(vectors: Float, angles: Float, layout: RopeLayout) -> Float:
    """Each pair of (..., d_model) turned by its angle of (..., d_model/2)."""
    check_choice(layout, "layout", ROPE_LAYOUTS)
    sin, cos = np.sin(angles), np.cos(angles)
    half = vectors.shape[-1] // 2
    first, second = (
        (np.s_[..., 0::2], np.s_[..., 1::2])
        if layout == "interleaved"
        else (np.s_[..., :half], np.s_[..., half:])
    )
    turned = np.empty_like(vectors)
    with np.errstate(over="ignore"):
        turned[first] = vectors[first] * cos - vectors[second] * sin
        turned[second] = vectors[first] * sin + vectors[second] * cos
    return check_result(turned, "vectors")


def apply_axial_rope(
    vectors: ArrayLike,
    positions: ArrayLike,
    axes: ArrayLike,
    base: float | None = None,
    *,
    omega: ArrayLike | None = None,
    layout: RopeLayout = "interleaved",
) -> Float:
    """RoPE for tokens with several coordinates, such as row and column: each pair turns with one of them.

    Parameters
    ----------
    vectors : array_like
        Shape (..., d_model), one row for each token.
    positions : array_like
        Real numbers of shape (..., number of axes), or one that broadcasts to it.
    axes : array_like
        Shape (d_model/2,): for each pair the number of the axis, from 0, whose coordinate turns it. The
        `mrope_section` [16, 24, 24] of Qwen2-VL is ``np.repeat([0, 1, 2], [16, 24, 24])``, with time, row and
        column as coordinates.
    base, omega, layout
        As for :func:`apply_rope`. With `base` the frequencies are those of all d_model/2 pairs together; for
        an image with frequencies of its own for each axis give ``np.tile(frequencies(d_model // 2), 2)``.

    Returns
    -------
    ndarray
        The shape of `vectors`.

    Raises
    ------
    TypeError, ValueError
        If `axes` are not numbers of axes of `positions`; and as for :func:`apply_rope`.

    References
    ----------
    Wang et al. (2024), where it is called multimodal RoPE, M-RoPE.

    Examples
    --------
    >>> pixel = apply_axial_rope([1.0, 0.0, 1.0, 0.0], [0.5, 2.0], axes=[0, 1], omega=[1.0, 1.0])
    >>> bool(np.isclose(pixel, [np.cos(0.5), np.sin(0.5), np.cos(2), np.sin(2)]).all())
    True
    """
    vectors, omega = _vectors_and_frequencies(vectors, base, omega)
    positions, axes = check_real(positions, "positions"), check_real(axes, "axes")
    count = positions.shape[-1] if positions.ndim else 0
    if axes.shape != omega.shape or (axes % 1).any() or not ((axes >= 0) & (axes < count)).all():
        raise ValueError(
            f"axes must be {omega.size} whole numbers below {count}, the last axis of positions, got {axes}"
        )
    positions = _fitting(positions, (*vectors.shape[:-1], count), vectors)
    check_angles(positions, omega, "positions")
    return _turned(vectors, positions[..., axes.astype(int)] * omega, layout)


def apply_xpos(
    vectors: ArrayLike,
    positions: ArrayLike,
    base: float | None = None,
    *,
    keys: bool = False,
    omega: ArrayLike | None = None,
    layout: RopeLayout = "interleaved",
    gamma: float = 0.4,
    scale_base: float = 512,
) -> Float:
    """xPos: RoPE, with each pair of a query also scaled by z_i^(p / scale_base), and of a key by the inverse.

    A score of a query at p and a key at q then has the factor z_i^((p - q) / scale_base) in pair i, where
    z_i = (2i / d_model + gamma) / (1 + gamma) is below 1 and smallest for the fastest pair: past keys fade.

    Parameters
    ----------
    vectors, positions, base, omega, layout
        As for :func:`apply_rope`.
    keys : bool
        True if the vectors are keys.
    gamma : float
        Finite, > 0.
    scale_base : float
        Positions after which a pair is scaled by z_i: finite, > 0.

    Returns
    -------
    ndarray
        The shape of `vectors`.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as above, or so far from position 0 that the scale overflows (with the defaults
        and keys at about 290,000); and as for :func:`apply_rope`.

    References
    ----------
    Sun et al. (2022), and their code.

    Examples
    --------
    >>> query, key = apply_xpos([1.0, 0.0], 7), apply_xpos([1.0, 0.0], 7, keys=True)
    >>> round(float(query @ key), 12)
    1.0
    """
    gamma, scale_base = check_positive(gamma, "gamma"), check_positive(scale_base, "scale_base")
    turned = apply_rope(vectors, positions, base, omega=omega, layout=layout)
    half = turned.shape[-1] // 2
    factor = (np.arange(half) / half + gamma) / (1 + gamma)
    with np.errstate(over="ignore"):
        power = _fitting(positions, turned.shape[:-1], turned)[..., np.newaxis] / scale_base
    power = -power if check_flag(keys, "keys") else power
    with np.errstate(over="ignore", invalid="ignore"):
        scale = factor**power
        scale = (
            np.repeat(scale, 2, axis=-1)
            if layout == "interleaved"
            else np.concatenate([scale, scale], axis=-1)
        )
        scaled: Float = turned * scale
    return check_result(scaled, "vectors and positions / scale_base")


def partial_frequencies(
    d_model: int, rotary_dim: int, base: float = BASE, *, truncated: bool = False
) -> Float:
    """The frequencies of a head of which ``rotary_dim`` entries turn; the other pairs have 0.

    Parameters
    ----------
    d_model : int
        Size of the head: an even integer from 2 to 2**24.
    rotary_dim : int
        How many entries turn: even, from 0, which is a layer without RoPE, to `d_model`. The ratio of the two
        is elsewhere `rotary_pct` or `partial_rotary_factor`.
    base : float
        Finite, > 1; elsewhere `rope_theta`.
    truncated : bool
        False: the pairs that turn have the frequencies of a head of size `rotary_dim`, as in GPT-J and
        GPT-NeoX. True: the first and fastest ones of a head of size `d_model`, as in Gemma 4 (rope type
        `proportional`, also p-RoPE).

    Returns
    -------
    ndarray
        Radians per position, of shape (d_model/2,), for interleaved pairs. Programs that pair entry i with
        i + rotary_dim/2 turn the first `rotary_dim` entries by themselves and leave the others.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as above.

    References
    ----------
    Black et al. (2022); truncated: Barbero et al. (2025).

    Examples
    --------
    >>> partial_frequencies(8, 4, 100)
    array([1. , 0.1, 0. , 0. ])
    >>> partial_frequencies(8, 4, 10_000, truncated=True)
    array([1. , 0.1, 0. , 0. ])
    """
    d_model = check_d_model(d_model)
    rotary_dim = check_count(rotary_dim, "rotary_dim", least=0)
    if rotary_dim % 2 or rotary_dim > d_model:
        raise ValueError(f"rotary_dim must be even and at most d_model = {d_model}, got {rotary_dim}")
    omega = np.zeros(d_model // 2)
    truncated, turning = check_flag(truncated, "truncated"), rotary_dim // 2
    omega[:turning] = frequencies(d_model if truncated or not turning else rotary_dim, base)[:turning]
    return omega


def similarity_floor(omega: ArrayLike) -> int:
    """A number that K = sum cos(omega_i Delta) is never below: pairs at rest, less the pairs that turn.

    Parameters
    ----------
    omega : array_like
        Radians per position, of shape (d_model/2,), such as :func:`partial_frequencies`.

    Returns
    -------
    int
        If it is not negative, K is not either, at any distance and with any base.

    Raises
    ------
    TypeError, ValueError
        If `omega` is not a line of finite real numbers.

    References
    ----------
    Su (2024).

    Examples
    --------
    >>> similarity_floor(partial_frequencies(96, 24)), similarity_floor(frequencies(96))
    (24, -48)
    """
    omega = resolve_frequencies(omega=omega)
    return int((omega == 0).sum() - (omega != 0).sum())


def layer_frequencies(layers: int, usual: ArrayLike, other: ArrayLike, *, every: int) -> Float:
    """The frequencies of each layer of a model in which each ``every``-th layer has others.

    Parameters
    ----------
    layers : int
        Number of layers, >= 1.
    usual, other : array_like
        Radians per position, of one shape (d_model/2,). All zeros is a layer without RoPE.
    every : int
        Layers `every`, 2 `every`, ... counted from 1, have `other`: >= 1.

    Returns
    -------
    ndarray
        Shape (layers, d_model/2).

    Raises
    ------
    TypeError, ValueError
        If an argument is not as above.

    References
    ----------
    Yang et al. (2025), for layers without RoPE; Gemma Team (2025), for two bases.

    Examples
    --------
    >>> layer_frequencies(4, frequencies(4), np.zeros(2), every=4)
    array([[1.  , 0.01],
           [1.  , 0.01],
           [1.  , 0.01],
           [0.  , 0.  ]])
    """
    layers, every = check_count(layers, "layers", least=1), check_count(every, "every", least=1)
    usual, other = check_line(usual, "usual"), check_line(other, "other")
    check_entries(layers * usual.size, "layers")
    if usual.shape != other.shape:
        raise ValueError(f"usual and other must have one shape, got {usual.shape} and {other.shape}")
    return np.where((np.arange(1, layers + 1) % every == 0)[:, np.newaxis], other, usual)


def pair_products(query: ArrayLike, key: ArrayLike) -> NDArray[np.complex128]:
    """The numbers h_i with which a RoPE score is the real part of sum h_i e^(j omega_i Delta).

    Parameters
    ----------
    query, key : array_like
        Shape (d_model,), real numbers, interleaved: each pair is a complex number.

    Returns
    -------
    ndarray of complex
        Shape (d_model/2,): each pair of the query times the conjugate of the pair of the key.

    Raises
    ------
    TypeError, ValueError
        If an entry is not a finite real number, or the two do not have one even length.

    References
    ----------
    Su et al. (2024), section 3.4.3.

    Examples
    --------
    >>> pair_products([1, 0], [0, 1])
    array([0.-1.j])
    """
    query, key = check_real(query, "query"), check_real(key, "key")
    if query.ndim != 1 or query.shape != key.shape:
        raise ValueError(f"query and key must have one shape (d_model,), got {query.shape} and {key.shape}")
    if query.size % 2 or not query.size:
        raise ValueError(f"query and key must have an even length (d_model), got {query.size}")
    with np.errstate(over="ignore", invalid="ignore"):
        products: NDArray[np.complex128] = (query[0::2] + 1j * query[1::2]) * (key[0::2] - 1j * key[1::2])
    check_result(products.view(np.float64), "query and key")
    return products


def abel_bound(
    pairs: ArrayLike,
    offsets: ArrayLike,
    d_model: int | None = None,
    base: float | None = None,
    *,
    omega: ArrayLike | None = None,
) -> Float:
    """Abel's bound on ``|sum h_i e^(j omega_i Delta)|``, as a fraction of ``sum |h_i|``, the most it can be.

    Parameters
    ----------
    pairs : array_like
        The h_i of :func:`pair_products`: real or complex numbers of shape (d_model/2,), not all 0.
    offsets : array_like
        Differences of positions: real numbers of any shape.
    d_model : int, optional
        Size of a head: an even integer from 2 to 2**24.
    base : float, optional
        Finite, > 1; 10,000 if it is not given.
    omega : array_like, optional
        Radians per position, of shape (d_model/2,): any frequencies, in place of `d_model` and `base`.

    Returns
    -------
    ndarray
        Of the shape of `offsets`. Above 1 it says nothing.

    Raises
    ------
    TypeError, ValueError
        If the shapes do not fit, or an entry of `pairs` is no finite number; and as for
        :func:`posenc.encoding.resolve_frequencies`.

    References
    ----------
    Su et al. (2024), section 3.4.3.

    Examples
    --------
    >>> abel_bound([1.0, 0.5], [0.0], 4)
    array([1.])
    """
    offsets, omega = check_real(offsets, "offsets"), resolve_frequencies(d_model, base, omega)
    check_angles(offsets, omega, "offsets")
    pairs = as_array(pairs, "pairs", "real or complex numbers")
    if pairs.dtype.kind not in "iufc":
        raise TypeError(f"pairs must be real or complex numbers, got dtype {pairs.dtype} from {shown(pairs)}")
    if pairs.shape != omega.shape or not pairs.any() or not np.isfinite(pairs).all():
        raise ValueError(
            f"pairs must be finite, of shape {omega.shape}, with an entry that is not 0, got {pairs}"
        )
    pairs = pairs / np.abs(pairs).max()  # the bound is a fraction, and no sum of these overflows
    steps = np.abs(np.diff(pairs, append=0)).max()
    sums = np.abs(np.cumsum(np.exp(1j * np.multiply.outer(offsets, omega)), axis=-1)).sum(axis=-1)
    bound: Float = steps * sums / np.abs(pairs).sum()
    return bound
