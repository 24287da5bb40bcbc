"""The config resolved: for each stage of each cell the one dict that says all that can change its result.

A stage's spec holds that stage's keys and no others, so an edited judge never touches what lies upstream.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memtrial import local_spec, records
from memtrial.calls import ATTEMPTS, CONCURRENCY, TIMEOUT_S

Config = Mapping[str, Any]
Spec = dict[str, Any]

CONTROLS = ("recompile", "gold-permutation", "label-permutation", "id-sabotage", "row-order")
LANES: Spec = {"nominations": 20, "expansion": {"seeds": 3, "limit": 10}, "date_header": False, "measured_turns": 24}
RERANKERS: dict[str, Spec] = {
    "none": {},
    "late-interaction": {"max_pieces": 24576, "weights": {"coverage": 0.5, "keyword": 0.25}},
    "cross-encoder": {"revision": None, "max_turns": 64, "max_tokens": 512, "backend": "auto"},
}
BUDGET: Spec = {"max_sessions": 16, "max_tokens": 40000, "tokenizer": None}
LAYOUTS: dict[str, Spec] = {
    "coverage": {**BUDGET, "prefix": "reranked", "prefix_sessions": 10, "order": "ranked"},
    "archivist": {**BUDGET, "prefix": "dense", "prefix_sessions": 10, "form": "extracted"},
}
PACKETS: dict[str, Spec] = {
    "rag": {"top_k": 10, "max_tokens": 40000, "tokenizer": None},
    "full-context": {"max_tokens": None, "tokenizer": None},
}
TRIVIAL = records.TRIVIAL
# Its readers, which show what a judge gives to answers that no memory made.
BASELINES = ("always-abstain", "question-echo", "gold-echo")
STATISTICS: Spec = {"bars": {}, "axes": None, "families": {}, "blocks": None}
# How many families a contrast needs.
LEAST_FAMILIES = {"families": 2, "differences": 2, "slices": 1}
ORACLE_FORM = "oracle-question-type"
OPERATORS = ("dates", "recency", "counting", "comparison")
SCAFFOLD: Spec = {"enabled": True, "max_tokens": 6000, "operators": list(OPERATORS)}
EMBEDDER: Spec = {"revision": None, "backend": "auto", "max_tokens": None}
# How calls are made: nothing of it is in a request.
CALLS: Spec = {
    "concurrency": CONCURRENCY,
    "attempts": ATTEMPTS,
    "timeout_s": TIMEOUT_S,
    "requests_per_minute": None,
    "tokens_per_minute": None,
    "allow_snapshots": False,
    "context_tokens": None,
    "tokenizer": None,
}
LOCAL: Spec = {**CALLS, **local_spec.CALLS, **local_spec.DEFAULTS}
MODEL_KINDS = ("litellm", "local")
RULE_JUDGES = ("lexical", "locomo-f1", "rumba-f1")
JUDGE_CONTROLS: Spec = {
    "sample": "even",
    "n": 20,
    "threshold": 0.9,
    "confidence": 0.95,
    "seed": 20260830,
    "enforce": True,
}
NO_JUDGING = ("baselines", "controls", "control_receipts", "official_file")
OFFICIAL_FORMS = ("official", "archivist")


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
    """Format, how a file of labels is read, and the digests by which the files of a format are known."""
    of = benchmark(config, name)
    known = {n: e["sha256"] for n, e in sorted(registry.items()) if e["format"] == of["format"] and e.get("sha256")}
    given: Spec = {k: of[k] for k in ("fields", "rows", "only", "values", "question_types") if k in of}
    return {"format": of["format"], "known_files": known, **given}


def ranker(config: Config, system: str) -> str:
    """The system whose candidates and reranked order a system packs: its own, or another's (`rankings_of`)."""
    return str(config["systems"][system].get("rankings_of", system))


def lanes(config: Config, system: str) -> Spec:
    """Lane settings of a system that ranks."""
    return merged(LANES, config["systems"][system].get("lanes"))


def embedder(config: Config, system: str) -> Spec:
    """Model, revision, backend and token limit of a system's embedder."""
    return merged(EMBEDDER, config["systems"][system]["embedder"])


def retrieve(config: Config, name: str, system: str) -> Spec:
    """Lanes and embedder of a system on a benchmark."""
    return {
        "kind": config["systems"][system]["kind"],
        "embedder": embedder(config, system),
        "lanes": lanes(config, system),
        "future_sessions": benchmark(config, name)["future_sessions"],
    }


def rerank(config: Config, name: str, system: str) -> Spec:
    """Reranker of a system on a benchmark; it cuts and dates turns as the lanes do."""
    given = config["systems"][system].get("reranker") or {"kind": "none"}
    spec = merged(RERANKERS[given["kind"]], given)
    if spec["kind"] == "late-interaction":
        spec["embedder"] = embedder(config, system)
    of = lanes(config, system)
    return {
        **spec,
        "date_header": of["date_header"],
        "measured_turns": of["measured_turns"],
        "future_sessions": benchmark(config, name)["future_sessions"],
    }


def packet_defaults(given: Mapping[str, Any]) -> Spec:
    """The packet settings that a system of its kind and layout has."""
    if given["kind"] != "chain":
        return PACKETS[given["kind"]]
    layout = given.get("packet", {}).get("layout", "coverage")
    return {"layout": layout, **LAYOUTS[layout]}


def packet(config: Config, name: str, system: str) -> Spec:
    """Budget and layout of a system's packets."""
    given = config["systems"][system]
    return {
        "kind": given["kind"],
        "packet": merged(packet_defaults(given), given.get("packet")),
        "future_sessions": benchmark(config, name)["future_sessions"],
    }


def oracles(config: Config) -> list[str]:
    """Systems of the run whose packets depend on the benchmark's labels, and so can make no headline."""
    systems = {s: config["systems"][s] for s in config["run"]["systems"]}
    return [s for s, of in systems.items() if "oracle" in of or of.get("packet", {}).get("form") == ORACLE_FORM]


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
    if kind == "external":
        return dict(config["systems"][system])
    stages: Spec = {"packet": packet(config, name, system), "scaffold": scaffold(config, name, system)}
    ranking = ranker(config, system)
    if ranking != system:
        stages["rankings_of"] = ranking
    if kind != "full-context":
        stages["retrieve"] = retrieve(config, name, ranking)
    if kind == "chain":
        stages["rerank"] = rerank(config, name, ranking)
    return {"kind": kind, **stages}


def _called(definition: Mapping[str, Any]) -> Spec:
    """A definition with the defaults of how its kind is called."""
    defaults = {"litellm": CALLS, "local": LOCAL}.get(definition["kind"], {})
    return merged(defaults, definition)


def _request(definition: Mapping[str, Any]) -> Spec:
    return {k: v for k, v in definition.items() if k not in CALLS and k != "threads"}


def reader_request(config: Config, name: str) -> Spec:
    """What of a reader's definition is in its requests."""
    return _request(config["readers"][name])


def reader(config: Config, name: str) -> Spec:
    """A reader's whole definition."""
    return _called(config["readers"][name])


def _judge(config: Config, name: str) -> Spec:
    """A judge's definition without its controls and the official file, which are inputs of their own."""
    return {k: v for k, v in config["judges"][name].items() if k not in NO_JUDGING}


def judge_request(config: Config, name: str) -> Spec:
    """What of a judge's definition is in its requests."""
    return _request(_judge(config, name))


def judge(config: Config, name: str) -> Spec:
    """A judge's whole definition; `draw` numbers a repeated judging of the same answers."""
    return _called(merged({"draw": 1}, _judge(config, name)))


def judges_baselines(config: Config, name: str) -> bool:
    """Whether trivial baselines of the run are judged by a judge: by default only by one that asks no model."""
    given = config["judges"][name]
    return bool(given.get("baselines", given["kind"] in RULE_JUDGES))


def _controls(config: Config, name: str) -> Spec:
    given = config["judges"][name]
    return merged({**JUDGE_CONTROLS, "enforce": given["kind"] not in RULE_JUDGES}, given.get("controls"))


def judge_control_request(config: Config, name: str) -> Spec:
    """What of a judge's definition is in the requests of its controls."""
    return {**judge_request(config, name), "controls": _controls(config, name)}


def judge_controls(config: Config, name: str) -> Spec:
    """A judge's whole definition and the settings of its controls."""
    return {**judge(config, name), "controls": _controls(config, name)}


def gate(config: Config, name: str) -> Spec:
    """A gate's definition with its defaults."""
    return merged({"pass": 1, "questions": None}, config["gates"][name])


def ranks(config: Config, name: str) -> Spec:
    """Who counts in retrieval tables."""
    return {"statistics": {"retrieval_abstention": benchmark(config, name)["retrieval_abstention"]}}


def statistics(config: Config, name: str) -> Spec:
    """What is reckoned of a benchmark's verdicts, and how; axes and blocks are the benchmark's own if it has any.

    Families hold their members that are in the run. Those without any, and contrasts of them, are left out, so that one
    definition serves every selection.
    """
    of = benchmark(config, name)
    own = {k: of[k] for k in ("axes", "blocks") if k in of}
    kept = {k: of.get(k) for k in ("cluster", "retrieval_abstention", "dialogues", "groups")}
    spec = {**STATISTICS, **config["statistics"], **own, **kept}
    members = {f: [s for s in config["run"]["systems"] if s in listed] for f, listed in spec["families"].items()}
    spec["families"] = {f: found for f, found in members.items() if found}
    if spec["blocks"] is not None:
        spec["blocks"] = {n: b for n, b in spec["blocks"].items() if _is_whole(b, spec["families"])}
    return {"statistics": spec}


def _is_whole(block: Mapping[str, Any], families: Mapping[str, Any]) -> bool:
    """Whether a block's families are in the run; a paired comparison needs none."""
    if "contrast" not in block:
        return True
    return all(f in families for f in block.get("families", ())) and len(families) >= LEAST_FAMILIES[block["contrast"]]


def claims(config: Config, name: str) -> dict[str, Spec]:
    """The lists of published figures of a benchmark, each claim with the table, place and file that its list gives."""
    lists = {n: given for n, given in config.get("claims", {}).items() if given["benchmark"] == name}
    return {
        n: {"source": of.get("source", ""), "claims": [_claim(of, c) for c in of["claims"]]} for n, of in lists.items()
    }


def _claim(of: Mapping[str, Any], claim: Mapping[str, Any]) -> Spec:
    published = claim["published"]
    if isinstance(published, Mapping) and "file" in of:
        published = {"file": of["file"], **published}
    table = {"table": of["table"]} if "table" in of else {}
    return {**table, **claim, "where": {**of.get("where", {}), **claim.get("where", {})}, "published": published}
