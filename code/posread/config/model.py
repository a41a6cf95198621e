"""What is read of a configuration: how layers turn, and what there is to say of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from posenc.arguments import Float, check_count
from posenc.context import dynamic_ntk, longrope
from posenc.rope import RopeLayout

RopeType = Literal["default", "linear", "dynamic", "yarn", "llama3", "longrope", "proportional", "axial"]
Place = Literal["all", "first", "last", "spread"]


@dataclass(frozen=True)
class Remark:
    """Something to say of a configuration.

    Attributes
    ----------
    kind : str
        What it is, in a word or two, such as "lengths-differ"; for programs.
    keys : tuple of str
        The keys of the configuration that it is about.
    text : str
        The same in a sentence.
    """

    kind: str
    keys: tuple[str, ...]
    text: str


@dataclass(frozen=True)
class LayerRope:
    """What the layers of one type do with positions.

    Attributes
    ----------
    rope_type : str
        "default", "linear", "dynamic", "yarn", "llama3", "longrope", "proportional" or "axial".
    base : float
        Elsewhere `rope_theta`.
    head_dim : int
        Entries of a query or key.
    rotary_dim : int
        How many of them turn.
    place : str
        Which ones turn: "all", the "first" or the "last" of a head, or "spread" over it, the pairs that turn
        being the first of all pairs.
    layout : str or None
        "interleaved" or "halves", as for :func:`posenc.rope.apply_rope`; None where it was not told.
    omega : ndarray
        Radians per position, of shape (rotary_dim/2,), or (head_dim/2,) with zeros at rest if `place` is
        "spread". For a type that changes with the length these are the frequencies up to the trained length:
        see :meth:`frequencies`.
    factor : float or None
        How many times longer the context is to be, or for "llama3" what slow frequencies are divided by; None
        for the type "default".
    rotation_factor : float
        What cos and sin are multiplied by, so the scores of what turns by its square.
    score_factor : float
        What the scale of all scores is multiplied by besides, whether their entries turn or not.
    trained_length, extended_length : int or None
        Tokens of the training before the context was made longer, and after; None where it was not told.
    sections : tuple of int or None
        Pairs for each axis, elsewhere `mrope_section`: time, row and column where there are three.
    axes : ndarray or None
        An array with the axis of each pair, for :func:`posenc.rope.apply_axial_rope`, or None where there is
        one position, or pairs were not seen. For "axial" 0 is the row of a patch, and 1 its column.
    query_scale : tuple of (float, int, int) or None
        `beta`, `length` and `start` of :func:`posenc.context.stepped_scale`, if queries are scaled so.
    parameters : mapping
        What :meth:`frequencies` needs besides, for types that change with the length; else empty.
    trained_taken : bool
        Whether `max_position_embeddings` is taken for `trained_length`, for want of another number. It may be
        more than the training had.
    """

    rope_type: RopeType
    base: float
    head_dim: int
    rotary_dim: int
    place: Place
    layout: RopeLayout | None
    omega: Float
    factor: float | None = None
    rotation_factor: float = 1.0
    score_factor: float = 1.0
    trained_length: int | None = None
    extended_length: int | None = None
    sections: tuple[int, ...] | None = None
    axes: NDArray[np.int64] | None = None
    query_scale: tuple[float, int, int] | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict, repr=False)
    trained_taken: bool = False

    def frequencies(self, n: int) -> Float:
        """Return the frequencies for a sequence of n tokens.

        Parameters
        ----------
        n : int
            Number of tokens, >= 1. It makes a difference for "dynamic" and "longrope" alone.

        Returns
        -------
        ndarray
            Radians per position, of the shape of `omega`.

        Raises
        ------
        TypeError, ValueError
            If `n` is not as above.
        """
        n = check_count(n, "n", least=1)
        if self.rope_type == "dynamic" and self.parameters:
            return dynamic_ntk(self.rotary_dim, n, self.base, **self.parameters)
        if self.rope_type == "longrope":
            return longrope(self.rotary_dim, n, self.base, **self.parameters)
        return self.omega.copy()


@dataclass(frozen=True)
class RopeConfig:
    """What :func:`from_config` read; prints as a short report.

    Attributes
    ----------
    model_type : str or None
        The name of the architecture.
    kinds : dict
        A :class:`LayerRope` for each type of layer; for "all" where there is one type.
    layers : tuple of (str or None), or None
        For each layer the name of its type in `kinds`, or None for a layer without RoPE; None if the number
        of layers was not told, or some have a type or a mask that the file does not give.
    notes : tuple of Remark
        What was taken for granted, or acts elsewhere than one may think: no reason to mend the file.
    contradictions : tuple of Remark
        Where the file says two things, or what the library does not follow. Empty for a plain configuration.
    unread : list of str
        The keys about positions that were not read. Each is in a note, too.
    library : str
        The version of transformers whose types of models are recorded here.
    text : str
        The report, which is also what it prints.
    """

    model_type: str | None
    kinds: dict[str, LayerRope]
    layers: tuple[str | None, ...] | None
    notes: tuple[Remark, ...] = ()
    contradictions: tuple[Remark, ...] = ()
    unread: list[str] = field(default_factory=list)
    library: str = ""
    text: str = field(default="", repr=False)

    @property
    def warnings(self) -> list[str]:
        """The texts of all remarks, contradictions first."""
        return [one.text for one in (*self.contradictions, *self.notes)]

    def __str__(self) -> str:
        return self.text
