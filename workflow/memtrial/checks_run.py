"""Faults of what a config runs and compares: selections, families, blocks, pairs of languages, published figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from memtrial.spec import LEAST_FAMILIES

Config = Mapping[str, Any]


def run_faults(config: Config) -> list[str]:
    """Every fault that lies between the definitions, each naming its key."""
    found = [*_cell_faults(config), *_external_faults(config), *_family_faults(config)]
    for key, blocks in _blocks(config):
        for name, block in blocks.items():
            found += _block_faults(f"{key}.{name}", block, config)
    return list(dict.fromkeys([*found, *_language_faults(config), *_claims_faults(config)]))


def _cell_faults(config: Config) -> Iterator[str]:
    run = config["run"]
    for n, given in enumerate(run.get("cells", [])):
        for axis, names in given.items():
            for name in (name for name in names if name not in run[axis]):
                yield f"run.cells[{n}].{axis}: '{name}' is not among run.{axis}"


def _external_faults(config: Config) -> Iterator[str]:
    """A system without packets is answered for by files, and a benchmark without sessions has no other system."""
    run, systems = config["run"], config["systems"]
    kinds = {s: systems[s]["kind"] for s in run["systems"] if s in systems}
    for chosen in run.get("cells", [{}]):
        for s, r in product(*(chosen.get(axis, run[axis]) for axis in ("systems", "readers"))):
            reader = config["readers"].get(r, {}).get("kind", "import")
            if kinds.get(s) == "external" and reader != "import":
                yield f"run.readers: '{r}' needs packets, and the external system '{s}' has none (kind: import)"
    for name in run["benchmarks"]:
        if config["benchmarks"].get(name, {}).get("format") == "labels":
            for s in (s for s, kind in kinds.items() if kind != "external"):
                yield f"run.systems: '{s}' needs sessions, and benchmark '{name}' of format labels has none"


def _family_faults(config: Config) -> Iterator[str]:
    for name, members in config["statistics"].get("families", {}).items():
        for member in (m for m in members if m not in config["systems"]):
            yield f"statistics.families.{name}: '{member}' is not defined under systems:"


def _blocks(config: Config) -> Iterator[tuple[str, Mapping[str, Any]]]:
    yield "statistics.blocks", config["statistics"].get("blocks", {})
    for name, given in config["benchmarks"].items():
        yield f"benchmarks.{name}.blocks", given.get("blocks", {})


def _block_faults(key: str, block: Mapping[str, Any], config: Config) -> list[str]:
    if "contrast" not in block:
        return []
    families = config["statistics"].get("families", {})
    named = block.get("families", list(families))
    unknown = [s for s in block.get("exclude", ()) if s not in config["systems"]]
    found = [f"{key}.exclude: '{s}' is not defined under systems:" for s in unknown]
    found += [f"{key}.families: there is no family '{name}'" for name in named if name not in families]
    least = LEAST_FAMILIES[block["contrast"]]
    if len(named) < least:
        found.append(f"{key}: a contrast of {block['contrast']} needs {least} families, there are {len(named)}")
    if block["contrast"] != "families" and len(block.get("slices", ["", ""])) < 2:
        found.append(f"{key}.slices: two are needed")
    return found


def _language_faults(config: Config) -> Iterator[str]:
    for name, pair in config.get("languages", {}).items():
        for side, benchmark in pair.items():
            if benchmark not in config["benchmarks"]:
                yield f"languages.{name}.{side}: '{benchmark}' is not defined under benchmarks:"
        if pair["left"] == pair["right"]:
            yield f"languages.{name}: a benchmark is compared with itself"


def _claims_faults(config: Config) -> Iterator[str]:
    for name, given in config.get("claims", {}).items():
        if given["benchmark"] not in config["benchmarks"]:
            yield f"claims.{name}.benchmark: '{given['benchmark']}' is not defined under benchmarks:"
        for n, claim in enumerate(given["claims"], 1):
            if "table" not in claim and "table" not in given:
                yield f"claims.{name}.claims, {n}: no table is named, here or for the list"
            published = claim["published"]
            if isinstance(published, Mapping) and "file" not in published and "file" not in given:
                yield f"claims.{name}.claims, {n}: no file is named for {published['path']}, here or for the list"
