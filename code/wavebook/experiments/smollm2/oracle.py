"""``python -m wavebook.experiments.smollm2.oracle``: our tokens and logits beside those of other programs.

For who has them installed: the libraries tokenizers, transformers (with PyTorch) and llama-cpp-python; no
target of make does that. What they said is written beside this file, as ``oracle.json``, with versions.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavebook.experiments.smollm2.network import (
    BASE,
    HEADS,
    KEYS,
    LAYERS,
    SIZE,
    TRAINED,
    WIDTH,
    Array,
    Network,
    model_file,
)
from wavebook.experiments.smollm2.texts import CALIBRATION, COMMIT, tokens_of
from wavebook.experiments.smollm2.tokens import Tokenizer

LENGTH = 512
#: Signs that a tokenizer may get wrong, drawn at random: spaces, numbers of other scripts, marks, pictures.
SIGNS = [
    *range(32, 127),
    9,
    10,
    13,
    0xA0,
    0x85,
    0x2028,
    0x4E00,
    0x660,
    0xB2,
    0x301,
    0x1F600,
    0x1C,
    0x200B,
    0x3000,
]


def texts() -> list[str]:
    """All pages and programs of this repository at the commit that texts are read of, and random signs."""
    here = Path(__file__).parent

    def git(*words: str) -> bytes:
        return subprocess.run(["git", *words], cwd=here, capture_output=True, check=True).stdout

    names = git("ls-tree", "-r", "--name-only", "--full-tree", COMMIT).decode().splitlines()
    wanted = [name for name in names if name.endswith((".md", ".py", ".js", ".v", ".yml"))]
    rng = np.random.default_rng(0)
    drawn = ["".join(map(chr, rng.choice(SIGNS, 60))) for _ in range(300)]
    return [git("show", f"{COMMIT}:{name}").decode() for name in wanted] + drawn


def library_tokens(ours: Tokenizer) -> Callable[[str], list[int]]:
    """The library tokenizers, with the file's vocabulary and merges."""
    from tokenizers import Tokenizer as Other
    from tokenizers import models, pre_tokenizers

    vocabulary = {token: at for at, token in enumerate(ours.vocabulary)}
    other = Other(models.BPE(vocab=vocabulary, merges=[tuple(merge.split(" ")) for merge in ours.merges]))
    digits = pre_tokenizers.Digits(individual_digits=True)
    other.pre_tokenizer = pre_tokenizers.Sequence([digits, pre_tokenizers.ByteLevel(add_prefix_space=False)])
    return lambda text: list(other.encode(text).ids)


def transformers_logits(network: Network, tokens: NDArray[np.int64]) -> Array:
    """Those of the library transformers, with the weights that we read."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    config = LlamaConfig(
        vocab_size=len(network.embedding),
        hidden_size=WIDTH,
        intermediate_size=network.layers[0]["down"].shape[0],
        num_hidden_layers=LAYERS,
        num_attention_heads=HEADS,
        num_key_value_heads=KEYS,
        max_position_embeddings=TRAINED,
        rms_norm_eps=1e-5,
        rope_parameters={"rope_type": "default", "rope_theta": BASE},
        tie_word_embeddings=True,
    )

    def halves(rows: Array) -> Array:
        # The library has the first entries of all pairs before the second ones.
        return rows.reshape(-1, SIZE // 2, 2, WIDTH).transpose(0, 2, 1, 3).reshape(-1, WIDTH)

    weights = {"model.embed_tokens.weight": network.embedding, "model.norm.weight": network.gain}
    weights["lm_head.weight"] = network.embedding
    for at, layer in enumerate(network.layers):
        own = f"model.layers.{at}."
        q, k, v = np.split(layer["qkv"].T, [HEADS * SIZE, (HEADS + KEYS) * SIZE])
        gate, up = np.split(layer["wide"].T, 2)
        weights |= {
            own + "self_attn.q_proj.weight": halves(q),
            own + "self_attn.k_proj.weight": halves(k),
            own + "self_attn.v_proj.weight": v,
            own + "self_attn.o_proj.weight": layer["out"].T,
            own + "mlp.gate_proj.weight": gate,
            own + "mlp.up_proj.weight": up,
            own + "mlp.down_proj.weight": layer["down"].T,
            own + "input_layernorm.weight": layer["before"],
            own + "post_attention_layernorm.weight": layer["between"],
        }
    model = LlamaForCausalLM(config).eval()
    model.load_state_dict({name: torch.tensor(np.ascontiguousarray(each)) for name, each in weights.items()})
    with torch.no_grad():
        found: Array = model(torch.tensor(tokens)[None]).logits[0].numpy()
    return found


def llama(tokens: NDArray[np.int64], said: list[str]) -> tuple[Array, list[list[int]]]:
    """Logits and tokens of llama.cpp, which reads the same file by itself."""
    from llama_cpp import Llama

    model = Llama(str(model_file()), n_ctx=LENGTH, logits_all=True, verbose=False, n_threads=1)
    model.eval(tokens.tolist())
    return np.array(model.scores[: len(tokens)], np.float32), [
        model.tokenize(text.encode(), add_bos=False) for text in said
    ]


def compared(ours: Array, theirs: Array, tokens: NDArray[np.int64]) -> dict[str, float]:
    """How far logits are from ours."""

    def logs(x: Array) -> NDArray[np.float64]:
        wide = x.astype(np.float64)
        wide -= wide.max(1, keepdims=True)
        found: NDArray[np.float64] = wide - np.log(np.exp(wide).sum(1, keepdims=True))
        return found

    p, q = logs(ours), logs(theirs)
    at = np.arange(len(tokens) - 1), tokens[1:]
    return {
        "positions": len(tokens),
        "greatest difference of a logarithm": float(f"{np.abs(p - q).max():.2g}"),
        "mean divergence in nats": float(f"{(np.exp(p) * (p - q)).sum(1).mean():.2g}"),
        "same best token": round(float((p.argmax(1) == q.argmax(1)).mean()), 4),
        "our loss": round(float(-p[at].mean()), 4),
        "their loss": round(float(-q[at].mean()), 4),
    }


def main() -> None:
    """Compare with what is installed, and write it down."""
    network, tokenizer = Network(), Tokenizer(model_file())
    tokens = tokens_of(CALIBRATION[-1], tokenizer, LENGTH)
    ours = network.states(tokens) @ network.embedding.T
    said = texts()
    mine = [tokenizer.encode(text).tolist() for text in said]
    found: dict[str, Any] = {"text": CALIBRATION[-1].name, "tokens": sum(map(len, mine)), "texts": len(said)}

    def same(theirs: list[list[int]]) -> int:
        return sum(a != b for a, b in zip(mine, theirs, strict=True))

    try:
        theirs = library_tokens(tokenizer)
        found["tokenizers"] = {
            "version": version("tokenizers"),
            "different": same([theirs(text) for text in said]),
        }
    except ImportError:
        pass
    try:
        logits = transformers_logits(network, tokens)
        found["transformers"] = {"version": version("transformers"), **compared(ours, logits, tokens)}
    except ImportError:
        pass
    try:
        logits, theirs_too = llama(tokens, said)
        found["llama.cpp"] = {"version": version("llama-cpp-python"), "different": same(theirs_too)}
        found["llama.cpp"] |= compared(ours, logits, tokens)
    except ImportError:
        pass
    file = Path(__file__).with_name("oracle.json")
    file.write_text(json.dumps(found, indent=1) + "\n")
    print(file.read_text())


if __name__ == "__main__":
    main()
