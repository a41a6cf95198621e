"""The encoding and RoPE as PyTorch modules.

Nothing else in posenc imports this one: install ``posenc[torch]`` to use it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

import numpy as np
import torch
from numpy.typing import ArrayLike
from torch import nn

from posenc.arguments import (
    check_base,
    check_choice,
    check_count,
    check_d_model,
    check_positive,
    check_real,
    shown,
)
from posenc.encoding import BASE, frequencies, resolve_frequencies
from posenc.rope import ROPE_LAYOUTS, RopeLayout
from posenc.table import encoding_table

__all__ = ["PositionalEncoding", "RotaryEmbedding"]

#: Positions that a table may have room for: so many rows of a head of 128 are 8 GiB in float32.
MOST = 2**24


# PyTorch is not looked into when types are checked, so its base class is Any there.
class _WithTable(nn.Module):  # type: ignore[misc]
    """A module with a table that has a row for each of the first positions, and grows when it has too few."""

    table: torch.Tensor

    def _make(self, positions: int, like: torch.Tensor) -> torch.Tensor:
        """A table of so many positions, for a tensor of the type and on the device of `like`."""
        raise NotImplementedError

    def _apply(self, fn: Callable[[torch.Tensor], torch.Tensor], recurse: bool = True) -> Self:
        """Make the table again, where ``to``, ``half`` and ``cuda`` would cast a table cast before."""
        before = self.table
        super()._apply(fn, recurse)
        if self.table.dtype != before.dtype or self.table.device != before.device:
            self.table = self._make(len(before), self.table)
        return self

    def _ready(self, x: torch.Tensor, offset: int) -> int:
        """Check an offset, compiled or not, and fill in a table that was left on the device `meta`."""
        if self.table.is_meta and not x.is_meta:
            self._fill(x)
        if torch.compiler.is_compiling():
            torch._check(offset >= 0, lambda: "offset must be an integer from 0")
            return offset
        return check_count(offset, "offset", least=0)

    def _places(self, positions: torch.Tensor, offset: int) -> torch.Tensor:
        """Rows of the table, which grows for them; an exported module checks them as it runs."""
        if not _exporting() and (last := _reach(positions) + offset) > len(self.table):
            self._grow(last)
        places = positions.to(self.table.device, torch.long) + offset
        if _exporting():  # an index of -1 is the last row
            torch._assert_async((places >= 0).all(), "positions must be at least 0")
        return places

    @torch.compiler.disable  # type: ignore[untyped-decorator]  # as for the base class
    def _fill(self, x: torch.Tensor) -> None:
        like = torch.empty(0, dtype=self.table.dtype, device=x.device)
        with torch.inference_mode(False):
            self.table = self._make(len(self.table), like)

    @torch.compiler.disable  # type: ignore[untyped-decorator]  # as for the base class
    def _grow(self, positions: int) -> None:
        # Twice the room each time, so that a sequence that grows token by token makes few tables.
        with torch.inference_mode(False):  # or it could not be used in training any more
            self.table = self._make(_room(positions, self.table), self.table)


class PositionalEncoding(_WithTable):
    """Add the encoding of each position to a batch of embeddings, then dropout: x + PE, without parameters.

    The table is made in float64 and cast last, so every dtype holds its values to rounding; it is made
    again whenever the module changes its dtype or device, so a round trip through half precision loses
    nothing. It is a buffer that is not saved (d_model and base determine it), and it grows when a longer
    input comes.

    Parameters
    ----------
    d_model : int
        Size of the encoding: an even integer from 2 to 2**24.
    dropout : float
        Probability from 0 to 1 of dropping an entry of the sum while training; the paper's base model has
        0.1.
    max_len : int
        Positions to make room for at first, from 0 to 2**24; more are made when they are needed, but not by a
        module that was exported, whose table stays as it is.
    base : float
        Finite, > 1.
    batch_first : bool
        Whether inputs are (batch, length, d_model) rather than (length, batch, d_model).

    Raises
    ------
    TypeError, ValueError
        If a parameter is not as above; and in a call, if the input is not a floating tensor of that shape.

    References
    ----------
    Vaswani et al. (2017), sections 3.5 and 5.4.

    Examples
    --------
    >>> encode = PositionalEncoding(4, dropout=0.0)
    >>> encode(torch.zeros(1, 2, 4))[0, 0]
    tensor([0., 1., 0., 1.])
    >>> encode(torch.zeros(1, 2, 6))
    Traceback (most recent call last):
        ...
    ValueError: x must have shape (batch, length, 4), got (1, 2, 6)
    """

    table: torch.Tensor  # (positions, d_model)

    def __init__(
        self,
        d_model: int,
        dropout: float = 0.1,
        max_len: int = 5000,
        base: float = BASE,
        *,
        batch_first: bool = True,
    ) -> None:
        super().__init__()
        self.d_model, self.base, self.batch_first = check_d_model(d_model), check_base(base), batch_first
        self.dropout = nn.Dropout(dropout)  # checks its own probability
        max_len = check_count(max_len, "max_len", least=0, most=MOST)
        like = torch.empty(0)  # the default dtype and device, which the embeddings have too
        self.register_buffer("table", self._make(max_len, like), persistent=False)

    def _make(self, positions: int, like: torch.Tensor) -> torch.Tensor:
        if like.is_meta:
            return torch.empty(positions, self.d_model, dtype=like.dtype, device="meta")
        # NumPy's table is in float64; the cast to the dtype in use is the last thing that happens to it.
        table = torch.from_numpy(encoding_table(positions, self.d_model, self.base))
        return table.to(dtype=like.dtype).to(device=like.device)

    def forward(
        self, x: torch.Tensor, positions: torch.Tensor | None = None, offset: int = 0
    ) -> torch.Tensor:
        """Add the encodings to embeddings.

        Parameters
        ----------
        x : Tensor
            Embeddings, of shape (batch, length, d_model), or (length, batch, d_model) if not batch first.
        positions : Tensor of int, optional
            The position of each token, >= 0, in a shape that broadcasts to that of `x` without its last axis,
            as :func:`posenc.positions.token_positions` gives them for padded rows; 0, 1, 2, ... if not given.
        offset : int
            What is added to all positions, >= 0: the number of tokens that came before, where a decoder gets
            them one by one.

        Returns
        -------
        Tensor
            The same shape and dtype.

        Raises
        ------
        TypeError, ValueError
            If an argument is not as above.
        """
        shape = ("batch", "length") if self.batch_first else ("length", "batch")
        if x.ndim != 3 or x.shape[-1] != self.d_model:
            raise ValueError(
                f"x must have shape ({shape[0]}, {shape[1]}, {self.d_model}), got {tuple(x.shape)}"
            )
        if not x.is_floating_point():
            raise TypeError(f"x must be a floating tensor (embeddings, not indices), got {x.dtype}")
        offset = self._ready(x, offset)
        if positions is not None:
            positions = _whole(positions, tuple(x.shape[:-1]), "x")
            places = self._places(positions, offset)  # which may make another table
            encodings = self.table[places].to(dtype=x.dtype)
            return self.dropout(x + encodings)
        length = x.shape[1 if self.batch_first else 0]
        if length + offset > len(self.table):
            self._grow(length + offset)
        # autocast may have made x narrower than the table
        encodings = self.table[offset : length + offset].to(dtype=x.dtype)
        return self.dropout(x + (encodings if self.batch_first else encodings[:, None]))

    def extra_repr(self) -> str:
        """Name the parameters in the module's text, as every module of PyTorch does."""
        return f"d_model={self.d_model}, base={self.base:g}, batch_first={self.batch_first}"


def _whole(positions: torch.Tensor, shape: tuple[int, ...], of: str) -> torch.Tensor:
    """``positions`` if they are a tensor of integers that broadcasts to ``shape``."""
    if not isinstance(positions, torch.Tensor) or positions.is_floating_point() or positions.is_complex():
        raise TypeError(f"positions must be a tensor of integers, got {shown(positions)}")
    if positions.dtype == torch.bool:
        raise TypeError(
            "positions must be a tensor of integers, got torch.bool (a mask: see token_positions)"
        )
    _fits(positions, shape, of)
    return positions


def _fits(positions: torch.Tensor, shape: tuple[int, ...], of: str) -> None:
    have = tuple(positions.shape)
    if len(have) > len(shape) or any(
        one not in (1, want) for one, want in zip(have[::-1], shape[::-1], strict=False)
    ):
        raise ValueError(
            f"positions must broadcast to {shape}, the shape of {of} without its last axis, got {have}"
        )


def _goes_along(positions: torch.Tensor, shape: tuple[int, ...]) -> None:
    """Check positions beside vectors; a line for each of a batch must not be taken for one of each head."""
    _fits(positions, shape, "x")
    if positions.ndim == 2 and len(shape) == 3 and positions.shape[0] != 1:
        raise ValueError(
            f"positions of shape (batch, tokens) beside x of shape (batch, heads, tokens, d) need an axis "
            f"for the heads, positions[:, None], got {tuple(positions.shape)} beside {shape}"
        )


def _exporting() -> bool:
    """Whether the module is being exported; then its table stays as it is, so `max_len` must do."""
    return bool(getattr(torch.compiler, "is_exporting", torch.compiler.is_compiling)())


def _room(positions: int, table: torch.Tensor) -> int:
    """For how many positions a new table is made."""
    if positions > MOST:
        raise ValueError(
            f"positions and offset must stay below 2**24, for which a table is made, got {positions - 1}; "
            "RotaryEmbedding takes larger ones as real numbers"
        )
    return min(max(positions, 2 * len(table)), MOST)


@torch.compiler.disable  # type: ignore[untyped-decorator]  # as for the base class
def _finite(positions: torch.Tensor) -> None:
    if not bool(positions.isfinite().all()):
        raise ValueError(f"positions must be finite, got {shown(positions)}")


@torch.compiler.disable  # type: ignore[untyped-decorator]  # as for the base class
def _reach(positions: torch.Tensor) -> int:
    """One more than the largest position; it looks into the tensor, so it waits for a GPU."""
    if not positions.numel():
        return 0
    low, high = int(positions.min()), int(positions.max())
    if low < 0:
        raise ValueError(f"positions must be at least 0, got {low}")
    return high + 1


class RotaryEmbedding(_WithTable):
    """Turn queries or keys by their positions: RoPE, without parameters.

    Angles are made in float64, except on MPS for positions that are not whole, since in float32 they lose
    their digits beyond about a million positions; their sines and cosines are kept in float32 at least, for
    as many whole positions as were asked for, and what is turned is cast to the dtype of the input last.

    Parameters
    ----------
    head_dim : int
        Entries of a head: an even integer from 2 to 2**24.
    rotary_dim : int, optional
        How many of them turn, the first ones: even, from 2 to `head_dim`; all if not given. Then the
        frequencies are those of a head of that size, as in GPT-NeoX.
    base : float, optional
        Finite, > 1; elsewhere `rope_theta`; 10,000 if neither it nor `omega` is given.
    omega : array_like, optional
        Radians per position, of shape (rotary_dim/2,), in place of `base`: see :mod:`posenc.context` and
        :func:`posread.config.from_config`. Zeros are pairs at rest.
    layout : {"interleaved", "halves"}
        As for :func:`posenc.rope.apply_rope`.
    scale : float
        What cos and sin are multiplied by, > 0: the `rotation_factor` of a configuration.
    axes : array_like of int, optional
        For positions with several coordinates the axis of each pair, of shape (rotary_dim/2,): see
        :func:`posenc.positions.section_axes`.
    max_len : int
        Positions to make room for at first, from 0 to 2**24; more are made when they are needed, but not by a
        module that was exported, whose table stays as it is.

    Raises
    ------
    TypeError, ValueError
        If a parameter is not as above; and in a call, if an argument is not.

    References
    ----------
    Su et al. (2024).

    Examples
    --------
    >>> turn = RotaryEmbedding(2)
    >>> turn(torch.tensor([[1.0, 0.0], [1.0, 0.0]]))  # cos 0, sin 0 and cos 1, sin 1
    tensor([[1.0000, 0.0000],
            [0.5403, 0.8415]])
    """

    table: torch.Tensor  # (positions, rotary_dim/2, 2): cos and sin

    def __init__(
        self,
        head_dim: int,
        rotary_dim: int | None = None,
        base: float | None = None,
        *,
        omega: ArrayLike | None = None,
        layout: RopeLayout = "interleaved",
        scale: float = 1.0,
        axes: ArrayLike | None = None,
        max_len: int = 2048,
    ) -> None:
        super().__init__()
        self.head_dim = check_count(head_dim, "head_dim", least=2, most=2**24)
        self.rotary_dim = (
            self.head_dim if rotary_dim is None else check_count(rotary_dim, "rotary_dim", least=2)
        )
        if self.head_dim % 2 or self.rotary_dim % 2 or self.rotary_dim > self.head_dim:
            raise ValueError(
                f"head_dim and rotary_dim must be even, and rotary_dim at most head_dim, "
                f"got {head_dim} and {rotary_dim}"
            )
        check_choice(layout, "layout", ROPE_LAYOUTS)
        self.layout, self.scale = layout, check_positive(scale, "scale")
        if omega is not None and base is not None:
            raise TypeError(f"give either base or omega, got both: base={base!r}, omega={shown(omega)}")
        self.base: float | None = None
        if omega is not None:
            self.omega = resolve_frequencies(omega=omega)
        else:
            self.base = check_base(BASE if base is None else base)
            self.omega = frequencies(self.rotary_dim, self.base)
        self.begin = 0  # the first entry that turns
        if 2 * self.omega.size != self.rotary_dim:
            raise ValueError(f"omega must have shape ({self.rotary_dim // 2},), got {self.omega.shape}")
        self.axes: tuple[int, ...] | None = None
        if axes is not None:
            chosen = check_real(axes, "axes")
            if chosen.shape != self.omega.shape or (chosen % 1).any() or (chosen < 0).any():
                raise ValueError(f"axes must be {self.omega.size} whole numbers >= 0, got {shown(axes)}")
            self.axes = tuple(int(one) for one in chosen)
        max_len = check_count(max_len, "max_len", least=0, most=MOST)
        self.register_buffer("table", self._make(max_len, torch.empty(0)), persistent=False)

    @classmethod
    def from_rope(
        cls, kind: Any, *, layout: RopeLayout | None = None, max_len: int = 2048
    ) -> RotaryEmbedding:
        """The module for layers of one kind, as :func:`posread.config.from_config` returns them.

        Parameters
        ----------
        kind : LayerRope
            One of the values of `kinds` of a configuration that was read. For a type that changes with the
            length, the frequencies are those up to the trained length.
        layout : {"interleaved", "halves"}, optional
            In place of the kind's own, which is None where the configuration does not tell it.
        max_len : int
            As above.

        Returns
        -------
        RotaryEmbedding
            With the entries in their place, also the last ones of a head or some of the pairs.

        Raises
        ------
        TypeError, ValueError
            If `kind` is none, or no layout is known.
        """
        try:
            head_dim, rotary_dim, place = kind.head_dim, kind.rotary_dim, kind.place
            omega, axes, scale = np.asarray(kind.omega), kind.axes, kind.rotation_factor
            layout, axial = layout or kind.layout, kind.rope_type == "axial"
        except AttributeError:
            raise TypeError(f"kind must be a LayerRope of posread.config, got {shown(kind)}") from None
        if layout is None:
            raise ValueError("layout must be given, since the configuration does not tell it")
        if axial:
            omega, axes = np.tile(omega, 2), np.repeat([0, 1], omega.size)
        turning = head_dim if place == "spread" else rotary_dim
        module = cls(head_dim, turning, omega=omega, layout=layout, scale=scale, axes=axes, max_len=max_len)
        module.base = kind.base if kind.rope_type == "default" else None
        module.begin = head_dim - turning if place == "last" else 0
        return module

    def _make(self, positions: int, like: torch.Tensor) -> torch.Tensor:
        # Kept in float32 at least, so that products with queries in half precision are cast to it once.
        dtype = torch.float64 if like.dtype == torch.float64 else torch.float32
        if like.is_meta:
            return torch.empty(positions, self.omega.size, 2, dtype=dtype, device="meta")
        angles = np.multiply.outer(np.arange(positions), self.omega)
        table = torch.from_numpy(self.scale * np.stack([np.cos(angles), np.sin(angles)], axis=-1))
        return table.to(dtype=dtype).to(device=like.device)

    def forward(
        self, x: torch.Tensor, positions: torch.Tensor | None = None, offset: int = 0
    ) -> torch.Tensor:
        """Turn queries or keys.

        Parameters
        ----------
        x : Tensor
            Shape (..., tokens, head_dim), as in (batch, heads, tokens, head_dim).
        positions : Tensor, optional
            In a shape that broadcasts to that of `x` without its last axis: whole numbers >= 0, or any real
            numbers in a floating tensor. A line goes with the tokens; a batch of lines, of shape (batch,
            tokens), needs an axis for the heads, ``positions[:, None]``. With `axes` they have one axis more,
            the coordinates, as :func:`posenc.positions.multimodal_positions` gives them. 0, 1, 2, ... if not
            given.
        offset : int
            What is added to all positions, >= 0: the number of tokens in the cache.

        Returns
        -------
        Tensor
            The same shape and dtype.

        Raises
        ------
        TypeError, ValueError
            If an argument is not as above.
        """
        if x.ndim < 2 or x.shape[-1] != self.head_dim:
            raise ValueError(f"x must have shape (..., tokens, {self.head_dim}), got {tuple(x.shape)}")
        if not x.is_floating_point():
            raise TypeError(f"x must be a floating tensor, got {x.dtype}")
        offset = self._ready(x, offset)
        if positions is None:
            length = x.shape[-2]
            if length + offset > len(self.table):
                self._grow(length + offset)
            turns = self.table[offset : length + offset]
        else:
            turns = self._turns(positions, tuple(x.shape[:-1]), offset)
        return self._turned(x, turns[..., 0], turns[..., 1])

    def _turns(self, positions: torch.Tensor, shape: tuple[int, ...], offset: int) -> torch.Tensor:
        """Cos and sin for these positions: (..., rotary_dim/2, 2)."""
        if not isinstance(positions, torch.Tensor) or positions.is_complex() or positions.dtype == torch.bool:
            raise TypeError(f"positions must be a tensor of real numbers, got {shown(positions)}")
        if self.axes is not None:
            if not positions.ndim or positions.shape[-1] != max(self.axes) + 1:
                raise ValueError(
                    f"positions must have a last axis of {max(self.axes) + 1} coordinates, "
                    f"got {tuple(positions.shape)}"
                )
            _goes_along(positions[..., 0], shape)
        else:
            _goes_along(positions, shape)
        device = self.table.device
        if positions.is_floating_point():
            if not _exporting():
                _finite(positions)
            wide = torch.float32 if device.type == "mps" else torch.float64  # which that device does not have
            omega = torch.as_tensor(self.omega, dtype=wide, device=device)
            places = positions.to(device=device, dtype=wide) + offset
            places = places[..., None] if self.axes is None else places[..., list(self.axes)]
            angles = places * omega
            return (self.scale * torch.stack([angles.cos(), angles.sin()], dim=-1)).to(self.table.dtype)
        places = self._places(positions, offset)
        if self.axes is None:
            return self.table[places]
        return self.table[places[..., list(self.axes)], torch.arange(self.omega.size, device=device)]

    def _turned(self, x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
        # In the wider of the two types, and rounded to that of x once.
        end = self.begin + self.rotary_dim
        turning = x[..., self.begin : end].to(torch.promote_types(x.dtype, cos.dtype))
        if self.layout == "interleaved":
            first, second = turning[..., 0::2], turning[..., 1::2]
        else:
            first, second = turning.chunk(2, dim=-1)
        ends = [first * cos - second * sin, first * sin + second * cos]
        turned = (
            torch.stack(ends, dim=-1).flatten(-2) if self.layout == "interleaved" else torch.cat(ends, dim=-1)
        )
        return torch.cat([x[..., : self.begin], turned.to(x.dtype), x[..., end:]], dim=-1)

    def extra_repr(self) -> str:
        """Name the parameters in the module's text, as every module of PyTorch does."""
        known = (
            f"base={self.base:g}"
            if self.base is not None
            else f"omega={self.omega[0]:.4g}...{self.omega[-1]:.4g}"
        )
        parts = [
            f"head_dim={self.head_dim}",
            f"rotary_dim={self.rotary_dim}",
            known,
            f"layout={self.layout!r}",
        ]
        parts += [f"begin={self.begin}"] if self.begin else []
        parts += [f"scale={self.scale:g}"] if self.scale != 1 else []
        if self.axes is not None:
            parts.append(f"axes={len(set(self.axes))}")
        return ", ".join(parts)
