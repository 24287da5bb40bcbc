"""`bundle` packs a finished run, and `verify_bundle` checks the zip anywhere, without results and without building."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from flow import TALKS, Flow

ROOT = "results/tiny"
PACKETS = f"{ROOT}/full-context/packets"


@pytest.fixture(scope="module")
def packed(tiny_run: Flow, tmp_path_factory: pytest.TempPathFactory) -> Flow:
    """The tiny run with its bundle; the file is the user's own, so its text is withheld."""
    flow = tiny_run.copy(tmp_path_factory.mktemp("packed") / "tiny")
    flow.ok("bundle")
    return flow


def verified(flow: Flow, folder: Path, bundle: Path) -> tuple[int, list[str], str]:
    """(exit code, complaints, output) of `verify_bundle` in a directory that holds nothing else."""
    elsewhere = Flow(folder, flow.config, repository=flow.repository)
    ran = elsewhere.run("verify_bundle", "--config", f"bundle={bundle}")
    made = {p.relative_to(folder).parts[0] for p in folder.rglob("*") if p.is_file() and not p.match("results/logs/*")}
    assert made <= {"overlay.yaml", ".snakemake", bundle.name}
    return ran.code, [x.removeprefix("DIFFERS  ") for x in ran.text.splitlines() if x.startswith("DIFFERS")], ran.text


def test_a_bundle_verifies_elsewhere_and_nothing_is_due_after_it(packed: Flow, tmp_path: Path) -> None:
    assert packed.due("bundle") == set()
    (tmp_path / "away").mkdir()
    bundle = Path(shutil.copy(packed.path("tiny/bundle.zip"), tmp_path / "away/copied.zip"))
    code, complaints, text = verified(packed, tmp_path / "away", bundle)
    told = json.loads(packed.path("tiny/receipt.json").read_text(encoding="utf-8"))
    assert (code, complaints) == (0, [])
    assert f"Merkle root {told['merkle_root']}" in text


def test_one_changed_byte_is_named(packed: Flow, tmp_path: Path) -> None:
    bundle = tmp_path / "changed.zip"
    content = bytearray(packed.path("tiny/bundle.zip").read_bytes())
    with zipfile.ZipFile(packed.path("tiny/bundle.zip")) as archive:
        info = archive.getinfo(f"{PACKETS}.withheld.parquet")
    content[info.header_offset + 30 + len(info.filename) + info.compress_size // 2] ^= 1
    bundle.write_bytes(content)
    code, complaints, _ = verified(packed, tmp_path, bundle)
    assert code != 0
    assert complaints[0].startswith(f"{info.filename}: cannot be read as it was packed")
    assert "What rests on it: " in complaints[0]


def test_a_users_own_text_is_packed_only_if_the_config_says_so(packed: Flow, tmp_path: Path) -> None:
    with zipfile.ZipFile(packed.path("tiny/bundle.zip")) as archive:
        assert f"{PACKETS}.parquet" not in archive.namelist()
        assert not any(TALKS[0][1].encode() in archive.read(name) for name in archive.namelist())
    flow = packed.copy(tmp_path / "tiny")
    flow.config["benchmarks"]["tiny"]["redistribute"] = True
    assert flow.due("bundle") == {"evidence_release", "bundle"}
    flow.ok("bundle")
    with zipfile.ZipFile(flow.path("tiny/bundle.zip")) as archive:
        archive.extractall(tmp_path / "bundle")
    assert (tmp_path / "bundle" / f"{PACKETS}.parquet").read_bytes() == flow.path(
        "tiny/full-context/packets.parquet"
    ).read_bytes()
    command = ["sha256sum", "--quiet", "-c", "manifest-sha256.txt"]
    assert subprocess.run(command, cwd=tmp_path / "bundle").returncode == 0


def test_what_was_withheld_is_made_again_from_the_bundle_and_the_file(packed: Flow, tmp_path: Path) -> None:
    with zipfile.ZipFile(packed.path("tiny/bundle.zip")) as archive:
        archive.extractall(tmp_path)
    (tmp_path / "results").rename(tmp_path / "received")
    target = f"{ROOT}/full-context/reader=extractive/requests.parquet"
    command = [sys.executable, "-m", "snakemake", "--cores", "2", "--configfile", "config.resolved.yaml", "--", target]
    clean = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "SNAKEMAKE_PROFILE")}
    subprocess.run(command, cwd=tmp_path, env=clean, check=True, capture_output=True)
    receipts = [
        tmp_path / f"{target}.receipt.json",
        tmp_path / f"{target}.receipt.json".replace("results/", "received/", 1),
    ]
    assert receipts[0].read_bytes() == receipts[1].read_bytes()


def test_without_a_bundle_the_target_says_what_to_give(packed: Flow, tmp_path: Path) -> None:
    ran = Flow(tmp_path, packed.config, repository=packed.repository).run("verify_bundle")
    assert ran.code != 0 and "--config bundle=PATH" in ran.text
