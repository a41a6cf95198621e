"""Reads positions out of tables, functions and configurations of other programs.

:func:`diagnose` reads a table of encodings, :func:`diagnose_rope` a function that rotates, and
:func:`from_config` a model's configuration. It needs `posenc`, and NumPy. From a terminal:
``python -m posread diagnose FILE``, ``diagnose-rope`` and ``config``.
"""

from posread.config import RopeConfig, from_config
from posread.diagnosis import Diagnosis, RopeDiagnosis, diagnose, diagnose_rope

__all__ = ["Diagnosis", "RopeConfig", "RopeDiagnosis", "diagnose", "diagnose_rope", "from_config"]
