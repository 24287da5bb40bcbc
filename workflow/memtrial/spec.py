"""The config resolved: for each stage of each cell the one dict that says all that can change its result.

A stage's spec holds that stage's keys and no others, so an edited judge never touches what lies upstream.
`check` finds what a schema cannot, all faults at once, each naming its key.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memtrial.calls import ATTEMPTS, CONCURRENCY, TIMEOUT_S, canonical_parameters
from memtrial.errors import InputError

Config = Mapping[str, Any]
Spec = dict[str, Any]

# Names that stand for folders of the results already.
RESERVED = {
    "benchmarks": ("benchmarks", "cache", "logs"),
    "systems": ("corpus", "controls", "report", "statistics"),
}
CONTROLS = ("gold-permutation", "label-permutation", "id-sabotage", "row-order")
LANES: Spec = {"nominations": 20, "expansion": {"seeds": 3, "limit": 10}, "date_header": False, "measured_turns": 24}
RERANKERS: dict[str, Spec] = {
    "none": {},
    "late-interaction": {"max_pieces": 24576, "weights": {"coverage": 0.5, "keyword": 0.25}},
    "cross-encoder": {"revision": None, "max_turns": 64, "max_tokens": 512, "backend": "auto"},
}
PACKETS: dict[str, Spec] = {
    "chain": {"max_sessions": 16, "max_tokens": 40000, "prefix": "reranked", "prefix_sessions": 10, "order": "ranked"},
    "rag": {"top_k": 10, "max_tokens": 40000},
    "full-context": {"max_tokens": None},
}
SCAFFOLD: Spec = {"enabled": True, "max_tokens": 6000}
EMBEDDER: Spec = {"revision": None, "backend": "auto", "max_tokens": None}
CALLS: Spec = {"concurrency": CONCURRENCY, "attempts": ATTEMPTS, "timeout_s": TIMEOUT_S}


def merged(defaults: Mapping[str, Any], given: Mapping[str, Any] | None) -> Spec:
    """`given` laid over `defaults`, maps inside maps too.

    >>> merged({"a": {"x": 1, "y": 2}}, {"a": {"y": 3}})
    {'a': {'x': 1, 'y': 3}}
    """
    out = dict(defaults)
    for key, value in (given or {}).items():
        out[key] = merged(out[key], value) if isinstance(out.get(key), dict) and isinstance(value, Mapping) else value
    return out


def split(benchmark: str) -> tuple[str, str | None]:
    """A benchmark's name and, if it is the derived one of a control, which control.

    >>> split("locomo.row-order")
    ('locomo', 'row-order')
    """
    name, _, control = benchmark.partition(".")
    return name, control or None


def benchmark(config: Config, name: str) -> Spec:
    """A benchmark's definition with its defaults; a control's derived benchmark has that of its origin."""
    given = config["benchmarks"][split(name)[0]]
    return merged({"future_sessions": "keep", "retrieval_abstention": "exclude", "cluster": "conversation"}, given)


def ingest(config: Config, name: str, registry: Mapping[str, Any]) -> Spec:
    """Format, and the digests by which the files of that format are known."""
    fmt = benchmark(config, name)["format"]
    known = {n: e["sha256"] for n, e in sorted(registry.items()) if e["format"] == fmt and e.get("sha256")}
    return {"format": fmt, "known_files": known}


def _lanes(config: Config, system: str) -> Spec:
    return merged(LANES, config["systems"][system].get("lanes"))


def embedder(config: Config, system: str) -> Spec:
    """Model, revision, backend and token limit of a system's embedder."""
    return merged(EMBEDDER, config["systems"][system]["embedder"])


def retrieve(config: Config, name: str, system: str) -> Spec:
    """Lanes and embedder of a system on a benchmark."""
    return {
        "kind": config["systems"][system]["kind"],
        "embedder": embedder(config, system),
        "lanes": _lanes(config, system),
        "future_sessions": benchmark(config, name)["future_sessions"],
    }


def rerank(config: Config, name: str, system: str) -> Spec:
    """Reranker of a system on a benchmark; it cuts and dates turns as the lanes do."""
    given = config["systems"][system].get("reranker") or {"kind": "none"}
    spec = merged(RERANKERS[given["kind"]], given)
    if spec["kind"] == "late-interaction":
        spec["embedder"] = embedder(config, system)
    lanes = _lanes(config, system)
    return {
        **spec,
        "date_header": lanes["date_header"],
        "measured_turns": lanes["measured_turns"],
        "future_sessions": benchmark(config, name)["future_sessions"],
    }


def packet(config: Config, name: str, system: str) -> Spec:
    """Budget and layout of a system's packets."""
    given = config["systems"][system]
    return {
        "kind": given["kind"],
        "packet": merged(PACKETS[given["kind"]], given.get("packet")),
        "future_sessions": benchmark(config, name)["future_sessions"],
    }


def scaffold(config: Config, name: str, system: str) -> Spec:
    """Whether and within which budget a scaffold is built: by default for the chain alone."""
    given = config["systems"][system]
    default = {**SCAFFOLD, "enabled": given["kind"] == "chain"}
    return {
        "scaffold": merged(default, given.get("scaffold")),
        "future_sessions": benchmark(config, name)["future_sessions"],
    }


def system(config: Config, name: str, system: str) -> Spec:
    """All that a system is on a benchmark: its kind and the spec of each stage that it has."""
    kind = config["systems"][system]["kind"]
    stages: Spec = {"packet": packet(config, name, system), "scaffold": scaffold(config, name, system)}
    if kind != "full-context":
        stages["retrieve"] = retrieve(config, name, system)
    if kind == "chain":
        stages["rerank"] = rerank(config, name, system)
    return {"kind": kind, **stages}


def _request(definition: Mapping[str, Any]) -> Spec:
    return {k: v for k, v in definition.items() if k not in CALLS}


def reader_request(config: Config, name: str) -> Spec:
    """What of a reader's definition is in its requests."""
    return _request(config["readers"][name])


def reader(config: Config, name: str) -> Spec:
    """A reader's whole definition."""
    given = config["readers"][name]
    return merged(CALLS, given) if given["kind"] == "litellm" else dict(given)


def judge_request(config: Config, name: str) -> Spec:
    """What of a judge's definition is in its requests."""
    return _request(config["judges"][name])


def judge(config: Config, name: str) -> Spec:
    """A judge's whole definition; `draw` numbers a repeated judging of the same answers."""
    given = merged({"draw": 1}, config["judges"][name])
    return merged(CALLS, given) if given["kind"] == "litellm" else given


def statistics(config: Config, name: str) -> Spec:
    """Intervals, cut-offs and, by benchmark, the cluster of the bootstrap and who counts in retrieval."""
    of = benchmark(config, name)
    kept = {k: of[k] for k in ("cluster", "retrieval_abstention")}
    return {"statistics": {**config["statistics"], **kept}}


def check(config: Config, registry: Mapping[str, Any]) -> None:
    """Raise one `InputError` that lists every fault of the config that its schema cannot see."""
    faults = _selection_faults(config)
    for axis, taken in RESERVED.items():
        faults += [f"{axis}.{n}: the name is taken by a folder of the results" for n in taken if n in config[axis]]
    for name, given in config["benchmarks"].items():
        faults += _benchmark_faults(f"benchmarks.{name}", given, registry)
    most = max(config["statistics"]["ks"])
    for name, given in config["systems"].items():
        faults += _system_faults(f"systems.{name}", given)
        measured = _lanes(config, name)["measured_turns"]
        if name in config["run"]["systems"] and given["kind"] != "full-context" and measured < most:
            faults.append(f"systems.{name}.lanes.measured_turns: {measured} turns cannot be measured at k = {most}")
    for axis in ("readers", "judges"):
        for name, given in config[axis].items():
            faults += _parameter_faults(f"{axis}.{name}.parameters", given)
    if faults:
        raise InputError("the config has faults:\n  " + "\n  ".join(faults))


def _selection_faults(config: Config) -> list[str]:
    faults = []
    for axis in ("benchmarks", "systems", "readers", "judges"):
        for name in config["run"][axis]:
            if name not in config[axis]:
                known = ", ".join(sorted(config[axis])) or "nothing"
                faults.append(f"run.{axis}: '{name}' is not defined under {axis}: (there is {known})")
        if len(set(config["run"][axis])) != len(config["run"][axis]):
            faults.append(f"run.{axis}: a name stands twice")
    return faults


def _benchmark_faults(key: str, given: Mapping[str, Any], registry: Mapping[str, Any]) -> list[str]:
    if ("source" in given) == ("registry" in given):
        return [f"{key}: give one of source (a path) and registry (a name in resources/benchmarks.yaml)"]
    if "source" in given:
        return []
    if given["registry"] not in registry:
        return [f"{key}.registry: '{given['registry']}' is none of {', '.join(sorted(registry))}"]
    fmt = registry[given["registry"]]["format"]
    return [f"{key}.format: '{given['registry']}' is a file of format {fmt}"] if given["format"] != fmt else []


def _parameter_faults(key: str, given: Mapping[str, Any]) -> list[str]:
    if given["kind"] != "litellm":
        return []
    try:
        canonical_parameters(given["model"], given.get("parameters", {}))
    except InputError as error:
        return [f"{key}: {error}"]
    return []


def _system_faults(key: str, given: Mapping[str, Any]) -> list[str]:
    kind, faults = given["kind"], []
    if kind == "full-context":
        faults += [
            f"{key}.{k}: a full-context system retrieves nothing"
            for k in ("embedder", "lanes", "reranker")
            if k in given
        ]
    elif "embedder" not in given:
        faults.append(f"{key}.embedder: a {kind} system needs one")
    if kind == "rag" and "reranker" in given:
        faults.append(f"{key}.reranker: plain RAG has none; use kind: chain")
    limits = PACKETS[kind]
    faults += [
        f"{key}.packet.{k}: unknown for kind {kind} (there is {', '.join(limits)})"
        for k in given.get("packet", {})
        if k not in limits
    ]
    if kind == "chain":
        spec = merged(limits, given.get("packet"))
        if spec["prefix_sessions"] > spec["max_sessions"]:
            faults.append(f"{key}.packet.prefix_sessions: {spec['prefix_sessions']} of {spec['max_sessions']} sessions")
    reranker = given.get("reranker", {})
    if reranker.get("kind") == "cross-encoder" and "model" not in reranker:
        faults.append(f"{key}.reranker.model: a cross-encoder needs one")
    return faults
