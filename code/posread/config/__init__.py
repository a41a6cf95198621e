"""What a model's configuration says about positions: frequencies, factors, and where each of them acts."""

from posread.config.keys import ConfigKey
from posread.config.read import LayerRope, RopeConfig, from_config, known_keys

__all__ = ["ConfigKey", "LayerRope", "RopeConfig", "from_config", "known_keys"]
