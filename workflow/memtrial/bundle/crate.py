"""A bundle described as a Workflow Run RO-Crate, by the community's library.

Profiles: Workflow Run Crate 0.6 and Process Run Crate 0.6 (https://w3id.org/ro/wfrun/workflow/0.6), Workflow RO-Crate
1.1, on RO-Crate 1.3. The run is one `CreateAction` of the workflow; each cell's reading and judging is one of the
reader or judge. No time is told, as the same results must give the same crate: no artifact says when a call was made.
`datePublished`, which RO-Crate asks for, is the config's. No person is named: whoever publishes the crate adds authors.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from rocrate.model.contextentity import ContextEntity
from rocrate.model.entity import Entity
from rocrate.model.softwareapplication import SoftwareApplication
from rocrate.rocrate import ROCrate

from memtrial.bundle.contents import ABOUT, CONFIG, LICENCE, README, WORKFLOW, Part
from memtrial.bundle.licences import address

PROFILES = {
    "https://w3id.org/ro/wfrun/process/0.6": "Process Run Crate",
    "https://w3id.org/ro/wfrun/workflow/0.6": "Workflow Run Crate",
}
_MEDIA = {
    ".csv": "text/csv",
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".json": "application/json",
    ".jsonl": "application/jsonl",
    ".md": "text/markdown",
    ".parquet": "application/vnd.apache.parquet",
    ".py": "text/x-python",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
    ".yaml": "application/yaml",
}
_CELL = re.compile(r"/reader=(?P<reader>[^/]+)/pass=[^/]+/(?:judge=(?P<judge>[^/]+)/)?(?:answers|verdicts)\.")


def crate(
    facts: Mapping[str, Any],
    parts: Iterable[Part],
    digests: Mapping[str, tuple[int, str]],
    spec: Mapping[str, Any],
) -> str:
    """The crate's metadata (`ro-crate-metadata.json`) over the packed files, all but itself and the manifest.

    `facts` are those of `bundle.json`, `digests` size in bytes and SHA-256 by name; `spec`: {"config", "date"}.
    """
    made = ROCrate(version="1.3")
    benchmark, root = facts["benchmark"], made.root_dataset
    root["name"] = f"memtrial evidence release: {benchmark}"
    root["description"] = _description(facts)
    made.datePublished = spec["date"]
    files = _files(made, {p.packed_as: p for p in parts}, digests, _licence(made, facts["source"]["licence"]))
    made.license = files[LICENCE]
    files[README]["about"] = root
    source = _source(made, facts["source"])
    models = _models(made, files, spec["config"])
    files[WORKFLOW]["softwareRequirements"] = list(models.values())
    results = [files[n] for n in sorted(files) if re.search(r"/(answers|verdicts|statistics)[./]", n)]
    run = made.add_action(
        files[WORKFLOW],
        identifier="#run",
        object=[source, files[CONFIG]],
        result=[f for f in results if not f.id.endswith(".receipt.json")],
        properties={"name": f"Run of memtrial on {benchmark}", "description": "snakemake --cores all"},
    )
    root["mentions"] = [run, *_cell_actions(made, files, models)]
    for identifier, name in PROFILES.items():
        made.add(_work(made, identifier, name=name, version=identifier.rpartition("/")[2]))
        root.append_to("conformsTo", {"@id": identifier})
    return json.dumps(made.metadata.generate(), indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def _description(facts: Mapping[str, Any]) -> str:
    run = facts["run"]
    text = "whole" if facts["redistributed"] else "without the benchmark's text, which its licence reserves"
    counts = f"{len(run['systems'])} systems, {len(run['readers'])} readers and {len(run['judges'])} judges"
    return (
        "Packets, scaffolds, requests, answers, verdicts, controls, statistics and receipts of"
        f" {counts} on {facts['benchmark']}, {text}."
        f" Merkle root of the receipts: {facts['merkle_root']}. How to verify it: README.md."
    )


def _work(made: ROCrate, identifier: str, **properties: Any) -> Entity:
    return ContextEntity(made, identifier, {"@type": "CreativeWork", **properties})


def _files(
    made: ROCrate,
    parts: Mapping[str | None, Part],
    digests: Mapping[str, tuple[int, str]],
    licence: Entity | None,
) -> dict[str, Entity]:
    """An entity of each packed file; one with text of the benchmark is under the benchmark's licence."""
    found: dict[str, Entity] = {}
    for name, (size, digest) in sorted(digests.items()):
        told = {"name": name, "contentSize": str(size), "sha256": digest}
        if media := _MEDIA.get(PurePosixPath(name).suffix):
            told["encodingFormat"] = media
        if name == WORKFLOW:
            told |= {"name": "memtrial", "description": "Evaluation of long-term conversational memory"}
            found[name] = made.add_workflow(dest_path=name, properties=told, main=True, lang="snakemake")
        else:
            found[name] = made.add_file(dest_path=name, properties=told)
        if name in parts and parts[name].quotes and not parts[name].treatment.fields and licence:
            found[name]["license"] = licence
    found[LICENCE]["name"] = "MIT License"
    found[LICENCE]["description"] = "Of the workflow and of all files here that name no other licence"
    found[ABOUT]["description"] = "The source of the benchmark, what was withheld and why, digests"
    found[CONFIG]["description"] = "The config of the run, resolved"
    return found


def _licence(made: ROCrate, name: str | None) -> Entity | None:
    if not name:
        return None
    identifier = address(name) or f"#licence-{re.sub(r'[^a-z0-9]+', '-', name.lower())}"
    return made.add(_work(made, identifier, name=name, description="Licence of the benchmark"))


def _source(made: ROCrate, source: Mapping[str, Any]) -> Entity:
    """The benchmark's file: on the web where it is registered, else a file that is not in the crate."""
    told = {"name": source["file"], "contentSize": str(source["bytes"]), "sha256": source["sha256"]}
    told["description"] = "The benchmark's file, plain JSON; not part of this crate"
    if source["licence"]:
        told["license"] = source["licence"]
    if source["url"]:
        return made.add_file(source["url"], properties=told)
    return made.add(ContextEntity(made, "#benchmark-file", {"@type": "File", **told}))


def _models(made: ROCrate, files: Mapping[str, Entity], config: Mapping[str, Any]) -> dict[tuple[str, str], Entity]:
    """Readers and judges of the cells as software, by (kind, name)."""
    cells = [match for name in sorted(files) if (match := _CELL.search(name))]
    named = {(kind, cell[kind]) for cell in cells for kind in ("reader", "judge") if cell[kind]}
    found = {}
    for kind, name in sorted(named):
        given = config[f"{kind}s"].get(name, {"kind": "trivial baseline"})
        told = {
            "name": f"{kind} {name}: {given.get('model', given['kind'])}",
            "description": json.dumps(given, sort_keys=True, ensure_ascii=False),
        }
        found[kind, name] = made.add(SoftwareApplication(made, f"#{kind}-{name}", told))
    return found


def _cell_actions(
    made: ROCrate, files: Mapping[str, Entity], models: Mapping[tuple[str, str], Entity]
) -> Sequence[Entity]:
    """One action for each file of answers and of verdicts: what was read, by which reader or judge."""
    found = []
    for name in sorted(files):
        cell = _CELL.search(name)
        if not cell or name.endswith(".receipt.json"):
            continue
        kind = "judge" if cell["judge"] else "reader"
        folder = PurePosixPath(name).parent
        above = [folder / "requests", folder.parent / "answers"] if cell["judge"] else [folder.parent / "requests"]
        read = [files[n] for stem in above for n in files if n.startswith(f"{stem}.") and not n.endswith(".json")]
        found.append(
            made.add_action(
                models[kind, cell[kind]],
                identifier=f"#{kind}:{folder}",
                object=read,
                result=[files[name]],
                properties={"name": f"{kind.capitalize()} {cell[kind]} on {folder}"},
            )
        )
    return found
