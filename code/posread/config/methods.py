"""What each method for longer contexts makes of the frequencies of its base."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np

from posenc.arguments import Float, shown
from posenc.context import llama3, longrope, longrope_scale, ntk_aware, yarn, yarn_scale
from posenc.encoding import frequencies
from posenc.rope import partial_frequencies
from posread.config.given import Given, check_list, check_number, check_whole
from posread.config.model import LayerRope, RopeType
from posread.config.ways import LENGTH

_RAMP = {"factor", LENGTH}
#: What a block may hold besides what each may: the keys that change something for its type.
KEYS: dict[RopeType, set[str]] = {
    "default": {"factor"},  # of which there is more to say
    "linear": _RAMP,
    "dynamic": _RAMP | {"alpha"},
    "yarn": _RAMP | {"attention_factor", "beta_fast", "beta_slow", "mscale", "mscale_all_dim", "truncate"},
    "llama3": _RAMP | {"low_freq_factor", "high_freq_factor"},
    "longrope": _RAMP | {"attention_factor", "short_factor", "long_factor", "short_mscale", "long_mscale"},
    "proportional": {"factor"},
    "axial": set(),
}
#: The types that can be read.
ROPE_TYPES: tuple[RopeType, ...] = tuple(KEYS)
#: Other names of types: LongRoPE's first, and the one of Qwen2-VL, whose frequencies are those of "default".
_ALIASES: dict[str, RopeType] = {"su": "longrope", "mrope": "default"}
#: Names of the longest length.
LONGEST = (
    "max_position_embeddings", "n_positions", "max_sequence_length", "max_seq_len", "model_max_length",
    "seq_length",
)  # fmt: skip
#: The methods that count turns in the trained length.
_COUNT_TURNS = ("yarn", "llama3", "longrope")


@dataclass(frozen=True)
class Block:
    """The block of one type of layer, and where it is."""

    given: Given
    entries: Mapping[str, Any]
    where: str
    name: str = "all"  # of the type of layer

    def get(self, key: str, default: Any = None) -> Any:
        """The value of a key."""
        value = self.entries.get(key)
        return default if value is None else value

    def key(self, name: str) -> str:
        """The whole path of a key."""
        return f"{self.where}.{name}"

    def number(self, name: str, default: Any = None, *, least: float = 0.0, equal: bool = False) -> float:
        """The value of a key as a number."""
        return check_number(self.get(name, default), self.key(name), least=least, equal=equal)

    def note(self, kind: str, names: str, text: str) -> None:
        """Say what is no fault."""
        self.given.note(kind, " ".join(map(self.key, names.split())), text)

    def contradict(self, kind: str, names: str, text: str) -> None:
        """Say where the configuration says two things."""
        self.given.contradict(kind, " ".join(map(self.key, names.split())), text)

    def lacks(self, key: str, rope_type: RopeType, more: str = "") -> ValueError:
        """The error of a block without a key that its method needs."""
        need = f"{key!r}{more} for rope_type {rope_type!r}, got {sorted(map(str, self.entries))}"
        return ValueError(f"config[{self.where!r}] must have {need}")


def read_type(block: Block) -> RopeType:
    """The method that a block names."""
    names = {key: block.get(key) for key in ("rope_type", "type") if block.get(key) is not None}
    types = {k: _ALIASES.get(value, value) if isinstance(value, str) else value for k, value in names.items()}
    if len(set(map(repr, types.values()))) > 1:
        both = f"rope_type {names['rope_type']!r} and type {names['type']!r}"
        text = f"{block.where} has {both}; the first is taken."
        block.contradict("types-differ", "rope_type type", text)
    rope_type, told = next(iter(types.values()), "default"), next(iter(names.values()), None)
    if isinstance(told, str) and (other := block.given.record.get("read_as", {}).get(told)):
        text = f"For models of type {block.given.model!r} rope_type {told!r} is read as {other!r}."
        block.note("read-as", "rope_type", text)
        rope_type = other
    refuse_name(block, told)
    if rope_type not in ROPE_TYPES:
        known = [repr(one) for one in ROPE_TYPES if one != "axial" or block.given.record.get("axes")]
        small = ", in small letters" * (str(rope_type).lower() in ROPE_TYPES)
        which = f"one of {', '.join(known)}{small}, got {shown(rope_type)}"
        raise ValueError(f"config[{block.where!r}]['rope_type'] must be {which}")
    if rope_type == "default" and block.get("factor") not in (None, 1):
        own = block.given.record.get("block", {}).get("rope_type", rope_type)
        text = f"{block.where} has a factor, {block.get('factor')}, and no rope_type that takes it"
        less = f"; with a block, the {own} of the type is not taken" * (own != rope_type)
        block.contradict("no-effect", "factor", f"{text}{less}.")
    forced = rope_type == "default" and block.given.record.get("axes")
    return "axial" if forced else cast(RopeType, rope_type)


def keys_of_method(block: Block, rope_type: RopeType) -> set[str]:
    """What a block with a method may hold, with models of its type."""
    more = {"mscale_all_dim"} if rope_type != "default" and scales_scores(block) else set[str]()
    return (KEYS[rope_type] | more) - ({"alpha"} if told_alpha(block) is None else set[str]())


def refuse_name(block: Block, told: Any) -> None:
    """Say of an old name of a method that the library does not know it."""
    given, at_times = block.given, "su" in block.given.record.get("read_as", {})
    if told == "su" and given.record and not (at_times and block.get(LENGTH)):
        text = "The library knows LongRoPE as longrope, and no longer as su."
        own = (
            f"The library reads su with this type if the block has {LENGTH}, and here it fails: it has none."
        )
        block.contradict("refused", "type", own if at_times else text)
    known = given.record.get("axes") if told == "axial" else given.names("mrope")
    if told in ("axial", "mrope") and not known:
        text = f"The library has no rope_type {told!r} for models of type {given.model!r}."
        block.contradict("refused", "rope_type", text)


def untold_fraction(block: Block, rope_type: RopeType) -> Any:
    """The fraction of a head that the library takes with a method where none is told."""
    fraction = block.given.record.get("left_out", {}).get("partial_rotary_factor")
    if not block.given.reads("untold", rope_type):
        return None
    return fraction.get(block.name) if isinstance(fraction, Mapping) else fraction


def read_lengths(block: Block, rope_type: RopeType) -> tuple[int | None, int | None, bool]:
    """The trained length, the longest, and whether the first is told; a method that counts turns needs it."""
    given = block.given
    short = given.get("seq_length") if given.model == "qwen" else None  # Qwen's first: trained on so many
    names = names_of_length(given, LONGEST if short is None else LONGEST[:-1])
    most = given.known(*names)
    longest = None if most is None else check_whole(most, "max_position_embeddings")
    if most is not None and given.get(*names) is None:
        given.take("length-taken", names[0], most)
    trained, key = told_trained(block, short, given.known if rope_type in _COUNT_TURNS else given.get)
    if trained is not None:
        trained = check_whole(trained, key)
        own = given.record.get("left_out", {}).get(key)
        if LENGTH not in given.config and trained == own != block.get(LENGTH):
            given.take("length-taken", LENGTH, trained)
        if longest is not None and trained > longest:
            text = f"{LENGTH} {trained:,} is more than max_position_embeddings {longest:,}."
            given.contradict("lengths-differ", f"{key} max_position_embeddings", text)
        return trained, longest, True
    if rope_type not in _COUNT_TURNS:
        return None, longest, False
    block.note("length-taken", LENGTH, f"{block.where} has no {LENGTH}: max_position_embeddings is taken.")
    if longest is None:
        raise ValueError(
            f"config must have {LENGTH!r} or 'max_position_embeddings' for this rope_type, "
            f"got neither in {sorted(map(str, given.config))}"
        )
    return longest, longest, False


def names_of_length(given: Given, names: tuple[str, ...]) -> list[str]:
    """Those of the names of a length that count; a note on others, which the type's programs do not read."""
    first, idle = given.config.get(names[0]), []
    for name in names[1:] if first is not None else ():
        if given.config.get(name) not in (None, first) and not given.names(name):
            idle.append(name)
            text = f"{name} is not read by the programs of model type {given.model!r}: {names[0]} is taken."
            given.note("names-differ", name, text)
    return [name for name in names if name not in idle]


def told_trained(block: Block, short: Any, get: Callable[[str], Any]) -> tuple[Any, str]:
    """The trained length as it is told, and the key that tells it; Qwen's first is given."""
    given = block.given
    outside, inside = get(LENGTH), block.get(LENGTH)
    if outside is None:
        outside = short if short is not None else given.get("max_trained_positions")  # the latter: nomic_bert
    if outside is None and isinstance(dual := given.config.get("dual_chunk_attention_config"), Mapping):
        outside = dual.get(LENGTH)
    own = inside is not None and "." in block.where  # of a type of layers, which goes before
    if outside is not None and inside is not None and outside != inside:
        by = "" if LENGTH in given.config else f" where it is left out with model type {given.model!r}"
        taken = "latter" if own else "former"
        text = f"{LENGTH} is {outside}{by}, and in {block.where} {inside}; the {taken} is taken."
        given.contradict("lengths-differ", f"{LENGTH} {block.key(LENGTH)}", text)
    return (inside, block.key(LENGTH)) if outside is None or own else (outside, LENGTH)


def read_factor(found: LayerRope, block: Block, trained: int | None, longest: int | None) -> float | None:
    """The factor of a method; None where it has none."""
    kind, factor = found.rope_type, block.get("factor")
    if kind in ("default", "axial"):
        return None
    if factor is None and kind in ("yarn", "longrope") and trained and longest:
        factor = max(longest / trained, 1.0)
        if kind == "yarn":
            null = "factor" in block.entries or block.given.is_unsure  # with null it does not
            fails = "" if null else "; the library fails"
            text = f"{block.where} has no factor: {factor:g} is taken, from the lengths{fails}."
            block.contradict("factor-taken", "factor", text)
    if factor is None:
        if kind != "proportional" and told_alpha(block) is None:
            both = " (or config 'max_position_embeddings')" if kind in ("yarn", "longrope") else ""
            raise block.lacks("factor", kind, both)
        return None
    any_factor = kind in ("linear", "proportional")
    factor = check_number(factor, block.key("factor"), least=0.0 if any_factor else 1.0, equal=not any_factor)
    if factor < 1:
        text = f"factor {factor:g} is below 1: frequencies are {1 / factor:g} times as fast, not slower."
        block.contradict("faster", "factor", text)
    return factor


def told_alpha(block: Block) -> Any:
    """Hunyuan's factor of the base, which the programs of other types do not read."""
    return block.get("alpha") if block.given.names("alpha") else None


def apply_method(found: LayerRope, block: Block) -> LayerRope:
    """The same with what its type changes."""
    if not found.rotary_dim:
        block.given.note("nothing-turns", "rotary_dim", "No entry turns, so these layers know no positions.")
        longest = read_lengths(block, "default")[1]
        return replace(found, trained_length=longest, extended_length=longest)
    trained, longest, told = read_lengths(block, found.rope_type)
    found = replace(
        found, factor=read_factor(found, block, trained, longest), trained_length=trained,
        extended_length=longest, trained_taken=not told,
    )  # fmt: skip
    if found.rope_type in _COUNT_TURNS:
        found = compare_lengths(found, block)
    found = METHODS[found.rope_type](found, block)
    return replace(
        found, trained_taken=found.trained_taken and found.trained_length is not None,
        score_factor=scale_scores(found, block),
    )  # fmt: skip


def scale_scores(found: LayerRope, block: Block) -> float:
    """The factor of all scores in latent attention, which any method has that has a factor."""
    if not scales_scores(block) or found.factor is None:
        return 1.0
    grown = yarn_scale(found.factor) - 1  # 0.1 ln(factor)
    return (1 + block.number("mscale_all_dim", 0, equal=True) * grown) ** 2


def scales_scores(block: Block) -> bool:
    """Whether the type's programs scale scores by `mscale_all_dim`, as most of latent attention do."""
    given = block.given
    latent = given.known("qk_rope_head_dim") is not None and given.get("compress_rope_theta") is None
    return latent and given.names("mscale_all_dim")


def compare_lengths(found: LayerRope, block: Block) -> LayerRope:
    """The same with the extended length: by the factor, if no longer one is told."""
    trained, longest = _sure(found.trained_length), found.extended_length
    reach = round(_sure(found.factor) * trained)
    if found.rope_type == "yarn" and longest is not None and longest not in (trained, reach):
        say = block.given.note if longest < reach else block.given.contradict  # less is run as it is told
        told = f"{LONGEST[0]} is {longest:,}"
        text = f"factor {found.factor:g} times {trained:,} positions is {reach:,}, and {told}."
        say("lengths-differ", f"{block.key('factor')} {LONGEST[0]}", text)
    if found.rope_type == "llama3" and longest is not None and longest <= trained < reach:
        text = f"max_position_embeddings, {longest:,}, is no more than the trained length: {reach:,} at most"
        block.note("length-taken", "factor", f"{text} is what the factor makes of it.")
    return replace(found, extended_length=longest if longest is not None and longest > trained else reach)


def _sure(value: Any) -> Any:
    """A value that has been seen to."""
    assert value is not None
    return value


def require(block: Block, rope_type: RopeType, *keys: str) -> None:
    """Refuse a block without keys that its method needs."""
    for key in keys:
        if block.get(key) is None:
            raise block.lacks(key, rope_type)


def keep(found: LayerRope, block: Block) -> LayerRope:
    """No method: the frequencies of the base."""
    return replace(found, trained_length=found.trained_length or found.extended_length)


def divide(found: LayerRope, block: Block) -> LayerRope:
    """Position interpolation, which does not tell whether the longest length is that before or after it."""
    longest, factor = found.extended_length, _sure(found.factor)
    if found.trained_length is None and longest is not None and factor > 1:
        text = "rope_type 'linear' does not tell whether max_position_embeddings is the length before the"
        text += (
            f" factor or after: if before, {longest:,} were trained, and {round(factor * longest):,} are the"
        )
        block.given.note("length-taken", f"max_position_embeddings {block.key('factor')}", f"{text} most.")
    return replace(found, omega=found.omega / _sure(found.factor))


def spread(found: LayerRope, block: Block) -> LayerRope:
    """The fastest of all pairs of the head alone."""
    whole, part = found.head_dim, found.rotary_dim
    if found.place == "last":  # in latent attention, the fastest of the part that turns
        told = block.get("partial_rotary_factor")
        if told is None and block.given.reads("fraction beside", "proportional"):
            told = block.given.get("partial_rotary_factor")
        told = untold_fraction(block, "proportional") if told is None else told
        whole, part = part, 2 * int(part * (1.0 if told is None else told) // 2)
    omega = partial_frequencies(whole, part, found.base, truncated=True)
    return keep(replace(found, omega=omega / (found.factor or 1.0)), block)


def two_axes(found: LayerRope, block: Block) -> LayerRope:
    """An image's row and column, as recorded: a band of the pairs for each, or each pair in turn."""
    if found.head_dim % 4:
        raise ValueError(f"config['head_dim'] must be a multiple of 4 for two axes, got {found.head_dim}")
    each, how = found.head_dim // 4, block.given.record.get("axes", "not seen")
    first, second = np.arange(each) * 2, np.arange(each) * 2 + 1
    if "split" in how:  # each axis has every second frequency of the head
        omega = frequencies(found.head_dim, found.base)[np.concatenate([first, second])]
    else:
        omega = np.tile(frequencies(found.head_dim // 2, found.base), 2)
    axes = np.repeat([0, 1], each)
    if how == "turns":
        omega, axes = np.repeat(omega[:each], 2), np.tile([0, 1], each)
    if "column first" in how:
        axes = 1 - axes
    names = ("column", "row") if axes[0] else ("row", "column")
    text = "An image's patches turn by two positions: " + (
        {"turns": "row and column in turn.", "not seen": "which pairs by the row was not seen."}.get(how)
        or f"the first pairs by the {names[0]}, the others by the {names[1]}."
    )
    if not block.given.record.get("not_read"):
        block.given.note("axes", "model_type", text + str(block.given.record.get("coordinates", "")))
    found = replace(found, trained_length=None, extended_length=None)  # these are of text
    return replace(found, omega=omega, axes=None if how == "not seen" else axes)


def follow_length(found: LayerRope, block: Block) -> LayerRope:
    """Dynamic NTK: a base that grows with the length, for which the longest one counts as trained."""
    trained, longest = found.trained_length, found.extended_length
    if (number := found.rotary_dim) < 4:
        raise ValueError(f"config['head_dim'] must be at least 4 for rope_type 'dynamic', got {number}")
    if told_alpha(block) is not None:  # Hunyuan: a base that does not change with the length
        alpha = block.number("alpha", least=1.0, equal=True)
        omega, length = ntk_aware(found.rotary_dim, alpha, found.base), longest or trained
        return replace(found, omega=omega, factor=alpha, trained_length=length, extended_length=None)
    if trained and trained != longest:
        lengths = f"max_position_embeddings {longest:,}" if longest else "max_position_embeddings"
        block.contradict(
            "no-effect", LENGTH,
            f"{LENGTH} {trained:,} is not read for rope_type 'dynamic': transformers takes {lengths} for "
            "the trained length" + ("." if longest else ", which is not here."),
        )  # fmt: skip
    length = longest or trained
    if length is None:
        raise ValueError(
            f"config must have 'max_position_embeddings' for rope_type 'dynamic', got {shown(block.entries)}"
        )
    return replace(
        found, trained_length=length, extended_length=round(_sure(found.factor) * length),
        trained_taken=longest is not None, parameters={"length": length, "factor": found.factor},
    )  # fmt: skip


def ramp_llama3(found: LayerRope, block: Block) -> LayerRope:
    """Llama 3.1's ramp between two numbers of turns."""
    require(block, "llama3", "low_freq_factor", "high_freq_factor")
    low, high = block.number("low_freq_factor"), block.number("high_freq_factor")
    if high < low:  # then the library keeps what makes more turns than the first, and slows the others
        text = f"high_freq_factor {high:g} is below low_freq_factor {low:g}, as if they were swapped: a step."
        block.contradict("swapped", "low_freq_factor high_freq_factor", text)
        high = low
    elif high == low:
        text = f"low_freq_factor and high_freq_factor are both {low:g}: a step, with no ramp between."
        block.note("step", "low_freq_factor high_freq_factor", text)
    omega = llama3(
        found.rotary_dim, _sure(found.factor), found.base, length=_sure(found.trained_length),
        low_freq_factor=low, high_freq_factor=high,
    )  # fmt: skip
    return replace(found, omega=omega)


def two_lists(found: LayerRope, block: Block) -> LayerRope:
    """LongRoPE: what divides the frequency of each pair, up to the trained length and beyond."""
    parameters: dict[str, Any] = {}
    require(block, "longrope", "short_factor", "long_factor")
    for key in ("short_factor", "long_factor"):
        values = [check_number(one, block.key(key)) for one in check_list(block.get(key), block.key(key))]
        if len(values) != found.rotary_dim // 2:
            raise ValueError(
                f"config[{block.where!r}][{key!r}] must have {found.rotary_dim // 2} numbers, one for each "
                f"pair, got {len(values)}"
            )
        parameters[key] = np.array(values)
    if (parameters["long_factor"] < parameters["short_factor"]).mean() > 0.5:
        text = "long_factor has smaller numbers than short_factor: they slow less beyond the trained length."
        block.contradict("lists-swapped", "short_factor long_factor", text + " Are they exchanged?")
    parameters["length"] = length = _sure(found.trained_length)
    omega = longrope(found.rotary_dim, 1, found.base, **parameters)
    return replace(
        found, omega=omega, parameters=parameters, rotation_factor=scale_lists(found, block, length)
    )


def scale_lists(found: LayerRope, block: Block, length: int) -> float:
    """LongRoPE's factor of cos and sin."""
    if block.get("attention_factor") is not None:
        return block.number("attention_factor")
    if block.get("short_mscale") is None:
        least = 2 if _sure(found.factor) > 1 else 1  # the library divides by its log
        check_whole(length, LENGTH, least=least)
        return longrope_scale(_sure(found.factor), length) if length > 1 else 1.0
    scale = block.number("short_mscale")
    long = block.number("long_mscale", scale)
    if long != scale:
        text = f"long_mscale {long:g} takes the place of short_mscale {scale:g} beyond the trained length."
        block.note("two-scales", "short_mscale long_mscale", text)
    return scale


def ramp_yarn(found: LayerRope, block: Block) -> LayerRope:
    """YaRN: a ramp between two numbers of turns, and factors."""
    fast = check_number(block.get("beta_fast") or 32, block.key("beta_fast"))
    slow = check_number(block.get("beta_slow") or 1, block.key("beta_slow"))
    truncate = block.get("truncate", True)
    if not isinstance(truncate, (bool, np.bool_)):
        raise TypeError(f"config[{block.where!r}]['truncate'] must be true or false, got {truncate!r}")
    if not truncate and ("." in block.where or block.name in block.given.record.get("blocks", ())):
        text = f"{block.where}.truncate has no effect: transformers looks for it beside the types of layers."
        block.contradict("no-effect", "truncate", text)
        truncate = True
    if fast < slow:
        text = f"beta_fast {fast:g} is below beta_slow {slow:g}, as if they were swapped."
        block.contradict("swapped", "beta_fast beta_slow", text)
        return scale_yarn(replace(found, omega=ramp_back(found, fast, slow, truncate=bool(truncate))), block)
    omega = yarn(
        found.rotary_dim, _sure(found.factor), found.base, length=_sure(found.trained_length), beta_slow=slow,
        beta_fast=fast, ramp="pairs", truncate=bool(truncate),
    )  # fmt: skip
    return scale_yarn(replace(found, omega=omega), block)


def ramp_back(found: LayerRope, fast: float, slow: float, *, truncate: bool) -> Float:
    """The library's frequencies where the ends of the ramp are swapped, which YaRN's own function refuses."""
    turns = _sure(found.trained_length) / (2 * np.pi * np.array([fast, slow]))
    first, last = found.rotary_dim * np.log(turns) / (2 * np.log(found.base))
    if truncate:
        first, last = np.floor(first), np.ceil(last)
    first, last = max(first, 0), min(last, found.rotary_dim - 1)
    pairs = np.arange(found.omega.size)
    slowed = np.clip((pairs - first) / (last - first or 0.001), 0, 1)
    blended: Float = found.omega * (1 - slowed + slowed / _sure(found.factor))
    return blended


def scale_yarn(found: LayerRope, block: Block) -> LayerRope:
    """The same with YaRN's factors, of cos and sin and of scores."""
    one, all_dim = (block.number(key, 0, equal=True) for key in ("mscale", "mscale_all_dim"))
    named = "compress" in (block.given.record.get("blocks") or ()) or block.given.get("compress_rope_theta")
    grown = yarn_scale(_sure(found.factor)) - 1  # 0.1 ln(factor)
    if block.get("attention_factor") is not None:
        rotation = block.number("attention_factor")
        if (one or all_dim) and not named:
            text = f"{block.where} has attention_factor {rotation:g}, so mscale does not change cos and sin."
            block.contradict("no-effect", "attention_factor mscale", text)
    elif one and all_dim:
        rotation = (1 + one * grown) / (1 + all_dim * grown)
        if one == all_dim and not scales_scores(block):
            text = "mscale and mscale_all_dim are equal, so they cancel."
            block.note("scales-cancel", "mscale mscale_all_dim", text)
    else:
        rotation = 1 + grown
        if one:
            text = f"{block.where} has mscale, and mscale_all_dim is 0 or missing: neither is read."
            block.contradict("no-effect", "mscale", text)
    return replace(found, rotation_factor=rotation)


Method = Callable[[LayerRope, Block], LayerRope]
METHODS: dict[RopeType, Method] = {
    "default": keep,
    "linear": divide,
    "dynamic": follow_length,
    "yarn": ramp_yarn,
    "llama3": ramp_llama3,
    "longrope": two_lists,
    "proportional": spread,
    "axial": two_axes,
}
