"""Faults of a config that its schema cannot see: all at once, each naming its key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memtrial import spec
from memtrial.checks_run import run_faults
from memtrial.errors import InputError
from memtrial.field_map import of_cell
from memtrial.local_spec import request_parameters
from memtrial.request import canonical_parameters

Config = Mapping[str, Any]

# Names that stand for folders of the results already.
RESERVED = {
    "benchmarks": ("benchmarks", "cache", "languages", "logs"),
    "systems": ("corpus", "controls", "gates", "judges", "report", "statistics", spec.TRIVIAL),
    "readers": spec.BASELINES,
}


# What the definition of an imported table may name, and what stands there while the config is checked.
PLACES = {
    "rankings": ("benchmark", "system"),
    "readers": ("benchmark", "system", "reader", "reader_pass"),
    "judges": ("benchmark", "system", "reader", "reader_pass", "judge", "draw"),
}


def check(config: Config, registry: Mapping[str, Any]) -> None:
    """Raise one `InputError` that lists every fault of the config that its schema cannot see."""
    faults = _selection_faults(config)
    for axis, taken in RESERVED.items():
        faults += [f"{axis}.{n}: the name is taken by a folder of the results" for n in taken if n in config[axis]]
    for name, given in config["benchmarks"].items():
        faults += _benchmark_faults(f"benchmarks.{name}", given, registry)
    for name, given in config["systems"].items():
        found = _system_faults(f"systems.{name}", given, config["systems"])
        found += _import_faults(f"systems.{name}.rankings", given.get("rankings", {}), PLACES["rankings"])
        faults += found or _measured_faults(name, given, config)
    for name, given in config.get("gates", {}).items():
        faults += _gate_faults(f"gates.{name}", given, config)
    for axis in ("readers", "judges"):
        for name, given in config[axis].items():
            faults += _parameter_faults(f"{axis}.{name}.parameters", given)
            faults += _import_faults(f"{axis}.{name}", given, PLACES[axis]) if given["kind"] == "import" else []
    for name, given in config["judges"].items():
        faults += _protocol_faults(f"judges.{name}", given)
    faults += _benchmark_judge_faults(config)
    faults += run_faults(config)
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
    if given["format"] == "labels" and "question_id" not in given.get("fields", {}):
        return [f"{key}.fields: format labels needs a field map with question_id"]
    if "source" in given:
        return []
    if given["registry"] not in registry:
        return [f"{key}.registry: '{given['registry']}' is none of {', '.join(sorted(registry))}"]
    fmt = registry[given["registry"]]["format"]
    return [f"{key}.format: '{given['registry']}' is a file of format {fmt}"] if given["format"] != fmt else []


def _import_faults(key: str, given: Mapping[str, Any], places: tuple[str, ...]) -> list[str]:
    """Faults of an imported table and of each of its cells: braces may name the parts of a cell alone."""
    names = dict.fromkeys(places, "1")
    entries = {key: given, **{f"{key}.cells[{n}]": {**given, **c} for n, c in enumerate(given.get("cells", []))}}
    faults = []
    for where, entry in entries.items():
        try:
            of_cell({k: v for k, v in entry.items() if k != "cells"}, names)
        except InputError as error:
            faults.append(f"{where}: {error}")
    return faults


def _protocol_faults(key: str, given: Mapping[str, Any]) -> list[str]:
    if "form" in given and given["protocol"] != "longmemeval":
        return [f"{key}.form: protocol {given['protocol']} has one form"]
    official = given.get("form") in spec.OFFICIAL_FORMS
    if official != ("official_file" in given):
        told = (
            "needs the benchmark's own evaluate_qa.py" if official else "only the forms official and archivist take one"
        )
        return [f"{key}.official_file: {told}"]
    return []


def _benchmark_judge_faults(config: Config) -> list[str]:
    """A benchmark's own F1 rule judges that benchmark alone."""
    wanted = {"locomo-f1": "locomo", "rumba-f1": "rumba"}
    chosen = [j for j in config["run"]["judges"] if config["judges"].get(j, {}).get("kind") in wanted]
    benchmarks = [b for b in config["run"]["benchmarks"] if b in config["benchmarks"]]
    return [
        f"run.judges: '{j}' judges files of format {fmt}, and benchmark '{b}' is none"
        for j in chosen
        for b in benchmarks
        if config["benchmarks"][b]["format"] != (fmt := wanted[config["judges"][j]["kind"]])
    ]


def _gate_faults(key: str, given: Mapping[str, Any], config: Config) -> list[str]:
    axes = {"incumbent": "systems", "candidate": "systems", "reader": "readers", "judge": "judges"}
    faults = [
        f"{key}.{k}: '{given[k]}' is not defined under {axis}:"
        for k, axis in axes.items()
        if given[k] not in config[axis]
    ]
    return faults or ([f"{key}: a system is compared with itself"] if given["incumbent"] == given["candidate"] else [])


def _parameter_faults(key: str, given: Mapping[str, Any]) -> list[str]:
    try:
        if given["kind"] == "litellm":
            canonical_parameters(given["model"], given.get("parameters", {}))
        elif given["kind"] == "local":
            request_parameters(given)
    except InputError as error:
        return [f"{key}: {error}"]
    return []


def _ranking_faults(key: str, given: Mapping[str, Any], systems: Mapping[str, Any]) -> list[str]:
    """Faults of a system that packs the rankings of another."""
    other = systems.get(given["rankings_of"], {})
    if other.get("kind") != given["kind"] or "rankings_of" in other:
        return [
            f"{key}.rankings_of: '{given['rankings_of']}' is no system of kind {given['kind']} with its own rankings"
        ]
    own = [k for k in ("embedder", "lanes", "reranker") if k in given]
    return [f"{key}.{k}: the rankings are those of '{given['rankings_of']}'" for k in own]


def _measured_faults(name: str, given: Mapping[str, Any], config: Config) -> list[str]:
    most = max(config["statistics"]["ks"])
    if name not in config["run"]["systems"] or given["kind"] in ("full-context", "external") or "rankings_of" in given:
        return []
    measured = spec.lanes(config, name)["measured_turns"]
    fault = f"systems.{name}.lanes.measured_turns: {measured} turns cannot be measured at k = {most}"
    return [fault] if measured < most else []


def _system_faults(key: str, given: Mapping[str, Any], systems: Mapping[str, Any]) -> list[str]:
    kind, faults = given["kind"], []
    if kind == "external":
        known = ("kind", "rankings", "oracle")
        return [f"{key}.{k}: an external system has rankings at most" for k in given if k not in known]
    faults += [f"{key}.{k}: only an external system has it" for k in ("rankings", "oracle") if k in given]
    if kind == "full-context":
        faults += [
            f"{key}.{k}: a full-context system retrieves nothing"
            for k in ("embedder", "lanes", "reranker", "rankings_of")
            if k in given
        ]
    elif "rankings_of" in given:
        faults += _ranking_faults(key, given, systems)
    elif "embedder" not in given:
        faults.append(f"{key}.embedder: a {kind} system needs one")
    if kind == "rag" and "reranker" in given:
        faults.append(f"{key}.reranker: plain RAG has none; use kind: chain")
    limits = spec.packet_defaults(given)
    faults += [
        f"{key}.packet.{k}: unknown for this kind and layout (there is {', '.join(limits)})"
        for k in given.get("packet", {})
        if k not in limits
    ]
    if kind == "chain":
        settings = spec.merged(limits, given.get("packet"))
        if settings["prefix_sessions"] > settings["max_sessions"]:
            faults.append(
                f"{key}.packet.prefix_sessions: {settings['prefix_sessions']} of {settings['max_sessions']} sessions"
            )
    reranker = given.get("reranker", {})
    if reranker.get("kind") == "cross-encoder" and "model" not in reranker:
        faults.append(f"{key}.reranker.model: a cross-encoder needs one")
    return faults
