"""Sinusoidal positional encoding: the shared package of the book *Waves of Position*.

One topic a module: `encoding`, `table`, `rotation`, `distance`, `families`, `returns`, `spectra`, `rope`,
`context`, `biases`, `relative`, `attention`, `weights`, `precision`, `positions`, `recurrence`, `diagnosis`,
`text`.
The subpackages `proofs`, `figures`, `claims`, `explorers` and `experiments` are imported by name, so that
`import posenc` needs only NumPy.
"""

from importlib.metadata import PackageNotFoundError, version

from posenc.diagnosis import Diagnosis, diagnose, diagnose_rope
from posenc.distance import distance_matrix, encoding_distance, similarity
from posenc.encoding import frequencies, positional_encoding, wavelengths
from posenc.returns import closest_offset
from posenc.rotation import shift, shift_matrix
from posenc.table import encoding_table

try:
    __version__ = version("posenc")  # the one in pyproject.toml
except PackageNotFoundError:  # the folder is on the path, but nothing is installed
    __version__ = "0+unknown"

__all__ = [
    "Diagnosis",
    "__version__",
    "closest_offset",
    "diagnose",
    "diagnose_rope",
    "distance_matrix",
    "encoding_distance",
    "encoding_table",
    "frequencies",
    "positional_encoding",
    "shift",
    "shift_matrix",
    "similarity",
    "wavelengths",
]
