"""The encoding as a PyTorch module.

Nothing else in posenc imports this one: install ``posenc[torch]`` to use it.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import nn

from posenc._validate import check_base, check_count, check_d_model
from posenc.encoding import BASE
from posenc.table import encoding_table


# PyTorch is not looked into when types are checked, so its base class is Any there.
class PositionalEncoding(nn.Module):  # type: ignore[misc]
    """Add the encoding of each position to a batch of embeddings, then dropout: x + PE, without parameters.

    The table is made in float64 and cast last, so every dtype holds the nearest values it can; it is made
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
        Positions to make room for at first, >= 0; more are made when they are needed.
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
        max_len = check_count(max_len, "max_len", least=0)
        like = torch.empty(0)  # the default dtype and device, which the embeddings have too
        self.register_buffer("table", self._make(max_len, like), persistent=False)

    def _make(self, positions: int, like: torch.Tensor) -> torch.Tensor:
        if like.is_meta:
            return torch.empty(positions, self.d_model, dtype=like.dtype, device="meta")
        # NumPy's table is in float64; the cast to the dtype in use is the last thing that happens to it.
        table = torch.from_numpy(encoding_table(positions, self.d_model, self.base))
        return table.to(dtype=like.dtype).to(device=like.device)

    def _apply(self, fn: Callable[[torch.Tensor], torch.Tensor], recurse: bool = True) -> PositionalEncoding:
        """Make the table again, where ``to``, ``half`` and ``cuda`` would cast a table cast before."""
        before = self.table
        super()._apply(fn, recurse)
        if self.table.dtype != before.dtype or self.table.device != before.device:
            self.table = self._make(len(before), self.table)
        return self

    @torch.compiler.disable  # type: ignore[untyped-decorator]  # as for the base class
    def _grow(self, positions: int) -> None:
        # Twice the room each time, so that a sequence that grows token by token makes few tables.
        self.table = self._make(max(positions, 2 * len(self.table)), self.table)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Add the encodings to embeddings.

        Parameters
        ----------
        x : Tensor
            Embeddings, of shape (batch, length, d_model), or (length, batch, d_model) if not batch first.

        Returns
        -------
        Tensor
            The same shape and dtype.

        Raises
        ------
        TypeError, ValueError
            If `x` is not a floating tensor of that shape.
        """
        shape = ("batch", "length") if self.batch_first else ("length", "batch")
        if x.ndim != 3 or x.shape[-1] != self.d_model:
            raise ValueError(
                f"x must have shape ({shape[0]}, {shape[1]}, {self.d_model}), got {tuple(x.shape)}"
            )
        if not x.is_floating_point():
            raise TypeError(f"x must be a floating tensor (embeddings, not indices), got {x.dtype}")
        length = x.shape[1 if self.batch_first else 0]
        if length > len(self.table):
            self._grow(length)
        encodings = self.table[:length].to(dtype=x.dtype)  # autocast may have made x narrower than the table
        return self.dropout(x + (encodings if self.batch_first else encodings[:, None]))

    def extra_repr(self) -> str:
        """Name the parameters in the module's text, as every module of PyTorch does."""
        return f"d_model={self.d_model}, base={self.base:g}, batch_first={self.batch_first}"
