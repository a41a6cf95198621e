"""How large the entries of an embedding are at the start of training, in the usual libraries."""

from __future__ import annotations

import math

from posenc.arguments import check_count, check_d_model

#: The size of the vocabulary in Vaswani et al. (2017), section 5.1, "about 37000 tokens".
VOCABULARY = 37_000

#: PyTorch's tutorial "Language Modeling with nn.Transformer" draws entries uniformly from -0.1 to 0.1.
TUTORIAL_RANGE = 0.1


def xavier_range(d_model: int, vocabulary: int = VOCABULARY) -> float:
    """The bound a of Xavier's initialization: entries are uniform from -a to a.

    Parameters
    ----------
    d_model : int
        Columns of the embedding: an even integer from 2 to 2**24.
    vocabulary : int
        Rows of the embedding, >= 1.

    Returns
    -------
    float

    Raises
    ------
    TypeError, ValueError
        If an argument is not as above.

    References
    ----------
    Glorot and Bengio (2010), equation 16.

    Examples
    --------
    >>> round(xavier_range(512), 4)
    0.0126
    """
    return math.sqrt(6 / (check_count(vocabulary, "vocabulary", least=1) + check_d_model(d_model)))


def embedding_deviations(d_model: int, vocabulary: int = VOCABULARY) -> dict[str, float]:
    """The standard deviation of an embedding's entries under four initializations.

    Parameters
    ----------
    d_model : int
        Columns of the embedding: an even integer from 2 to 2**24.
    vocabulary : int
        Rows of the embedding, >= 1; only Xavier's initialization depends on it.

    Returns
    -------
    dict of str to float
        By the name of the library or the method.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as above.

    Examples
    --------
    >>> embedding_deviations(64)["tensor2tensor"]
    0.125
    """
    return {
        "tensor2tensor": check_d_model(d_model) ** -0.5,
        "PyTorch default": 1.0,
        "PyTorch tutorial": TUTORIAL_RANGE / math.sqrt(3),
        "Xavier": xavier_range(d_model, vocabulary) / math.sqrt(3),
    }
