"""Verification of a bundle: whole and unpacked ones pass; what was changed is named, with what rests on it."""

from __future__ import annotations

import hashlib
import json
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from bundle_cases import ROOT, Run

from memtrial import receipt, store
from memtrial.bundle.verify import verify_bundle
from memtrial.errors import InputError
from memtrial.text import sha256

READER = f"{ROOT}/chain/reader=model"
CELL = f"{READER}/pass=1"
ANSWERS, VERDICTS = f"{CELL}/answers.jsonl", f"{CELL}/judge=strict/verdicts.jsonl"
PACKETS, REQUESTS = f"{ROOT}/chain/packets.parquet", f"{READER}/requests.parquet"


@pytest.fixture(scope="module")
def zips(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A bundle with the benchmark's text and one without."""
    folder = tmp_path_factory.mktemp("zips")
    run = Run(folder)
    run.pack(folder / "whole.zip", redistribute=True)
    run.pack(folder / "withheld.zip")
    return {"whole": folder / "whole.zip", "withheld": folder / "withheld.zip"}


@pytest.fixture
def folder(zips: dict[str, Path], tmp_path: Path) -> Path:
    """The first one unpacked."""
    with zipfile.ZipFile(zips["whole"]) as archive:
        archive.extractall(tmp_path / "bundle")
    return tmp_path / "bundle"


def problems(path: Path) -> dict[str, str]:
    return {p.path: p.what for p in verify_bundle(path).problems}


def sealed(folder: Path) -> Path:
    """The manifest written anew, as somebody would who hides a change."""
    names = sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())
    lines = [f"{receipt.bytes_sha256(folder / n)}  {n}\n" for n in names if n != "manifest-sha256.txt"]
    (folder / "manifest-sha256.txt").write_text("".join(lines), encoding="utf-8")
    return folder


def rewritten(folder: Path, name: str, change: Callable[[Any], Any]) -> None:
    """A table with changed rows and a receipt that fits it, gathered anew, the crate and the manifest adapted."""
    path = folder / name
    store.write_sorted(path, [change(row) for row in store.read(path)])
    told = json.loads(receipt.receipt_path(path).read_text(encoding="utf-8"))
    rows, digest = receipt.content(path)
    told |= {"rows": rows, "bytes": path.stat().st_size, "content_sha256": digest}
    told["bytes_sha256"] = receipt.bytes_sha256(path)
    receipt.write(told, receipt.receipt_path(path))
    for other in folder.rglob("*.receipt.json"):
        known = json.loads(other.read_text(encoding="utf-8"))
        if name in known["inputs"]:
            known["inputs"][name] = digest
            receipt.write(known, other)
    gathered = json.loads((folder / ROOT / "receipt.json").read_text(encoding="utf-8"))
    paths = [folder / f"{e['artifact']}.receipt.json" for e in gathered["artifacts"]]
    new = receipt.gather([json.loads(p.read_text(encoding="utf-8")) for p in paths])
    receipt.write(new, folder / ROOT / "receipt.json")
    about = json.loads((folder / "bundle.json").read_text(encoding="utf-8"))
    receipt.write(about | {"merkle_root": new["merkle_root"]}, folder / "bundle.json")
    crate = json.loads((folder / "ro-crate-metadata.json").read_text(encoding="utf-8"))
    for entity in crate["@graph"]:
        file = folder / entity["@id"].replace("%3D", "=")
        if "sha256" in entity and file.exists():
            entity |= {"sha256": receipt.bytes_sha256(file), "contentSize": str(file.stat().st_size)}
    receipt.write(crate, folder / "ro-crate-metadata.json")
    sealed(folder)


@pytest.mark.parametrize("kind", ["whole", "withheld"])
def test_a_bundle_verifies_as_zip_as_copy_and_as_folder(zips: dict[str, Path], tmp_path: Path, kind: str) -> None:
    copied = shutil.copy(zips[kind], tmp_path / "elsewhere.zip")
    with zipfile.ZipFile(copied) as archive:
        archive.extractall(tmp_path / "bundle")
    found = [verify_bundle(path) for path in (zips[kind], Path(copied), tmp_path / "bundle")]
    assert [f.problems for f in found] == [[], [], []]
    assert len({f.summary for f in found}) == 1
    files = len([p for p in (tmp_path / "bundle").rglob("*") if p.is_file()]) - 1
    assert found[0].summary.startswith(f"{files} files, 26 receipts, ")
    # Packets, scaffolds, requests (own hash, two links; the judge's one link), answers (three), verdicts (two).
    links = {"whole": 2 * 2 + 2 * 2 * (3 + 3 + 2 + 2), "withheld": 2 * 2 * (2 + 3 + 1 + 2)}
    assert f", {links[kind]} links from packet to verdict, Merkle root " in found[0].summary


def test_one_changed_byte_in_the_zip_is_found_and_named(zips: dict[str, Path], tmp_path: Path) -> None:
    with zipfile.ZipFile(zips["whole"]) as archive:
        infos = [archive.getinfo(n) for n in (PACKETS, VERDICTS, "Snakefile", f"{ANSWERS}.receipt.json", "README.md")]
    raw = zips["whole"].read_bytes()
    for info in infos:
        content = bytearray(raw)
        content[info.header_offset + 30 + len(info.filename.encode()) + info.compress_size // 2] ^= 1
        (tmp_path / "changed.zip").write_bytes(content)
        found = problems(tmp_path / "changed.zip")
        assert info.filename in found, info.filename
        assert found[info.filename].startswith("cannot be read as it was packed")


def test_one_changed_byte_in_the_folder_is_named_with_what_rests_on_it(folder: Path) -> None:
    content = bytearray((folder / ANSWERS).read_bytes())
    content[10] ^= 1
    (folder / ANSWERS).write_bytes(content)
    (what,) = problems(folder).values()
    assert what.startswith("SHA-256 differs: the manifest says ")
    later = [f"{CELL}/judge=strict/requests.parquet", VERDICTS, f"{ROOT}/report/accuracy.svg"]
    later += [f"{ROOT}/{name}" for name in ("report/index.html", "statistics/accuracy.parquet")]
    later += [f"{ROOT}/statistics/disputed.parquet"]
    assert what.endswith(f". What rests on it: {', '.join(later)}")


def test_missing_and_unknown_files_are_named(folder: Path) -> None:
    (folder / PACKETS).unlink()
    (folder / "results/note.txt").write_text("hello", encoding="utf-8")
    found = problems(folder)
    assert found.keys() == {PACKETS, "results/note.txt"}
    assert found[PACKETS].startswith("is missing, and the manifest names it. What rests on it: ")
    assert found[PACKETS].endswith(" and 7 more")
    assert found["results/note.txt"] == "is not in the manifest"


def test_a_hidden_change_is_found_by_its_receipt(folder: Path) -> None:
    (folder / ANSWERS).write_text((folder / ANSWERS).read_text(encoding="utf-8").replace("cheese", "cheesy"), "utf-8")
    found = problems(sealed(folder))
    assert found.keys() == {ANSWERS}
    assert "bytes_sha256 differs: its receipt says" in found[ANSWERS] and "content_sha256 differs" in found[ANSWERS]


def test_a_hidden_change_of_the_workflow_is_found_by_its_digest_and_the_crate(folder: Path) -> None:
    (folder / "Snakefile").write_text("# another\n", encoding="utf-8")
    found = problems(sealed(folder))
    assert found.keys() == {"bundle.json", "ro-crate-metadata.json"}
    assert found["bundle.json"].startswith("tells another digest of the workflow: found ")
    assert found["ro-crate-metadata.json"] == "tells another size or hash of Snakefile"


def test_an_edited_receipt_changes_the_root(folder: Path) -> None:
    path = folder / f"{ROOT}/chain/scaffolds.parquet.receipt.json"
    told = json.loads(path.read_text(encoding="utf-8"))
    receipt.write(told | {"spec": {"enabled": False}}, path)
    found = problems(sealed(folder))
    assert found.keys() == {f"{ROOT}/receipt.json", "ro-crate-metadata.json"}
    assert found[f"{ROOT}/receipt.json"].startswith("the Merkle root differs: told ")


def test_a_receipt_taken_away_and_one_of_another_file_are_named(folder: Path) -> None:
    (folder / f"{PACKETS}.receipt.json").unlink()
    shutil.copy(folder / f"{ANSWERS}.receipt.json", folder / f"{VERDICTS}.receipt.json")
    found = problems(sealed(folder))
    assert found[f"{PACKETS}.receipt.json"] == f"is missing, and {ROOT}/receipt.json rests on it"
    assert found[f"{VERDICTS}.receipt.json"] == f"is the receipt of {ANSWERS}"


@pytest.mark.parametrize(
    ("name", "field", "named", "words"),
    [
        (PACKETS, "text", PACKETS, "the text has not the hash that stands beside it"),
        (ANSWERS, "answer", VERDICTS, "names another answer than the one that lies here"),
        (ANSWERS, "request_sha256", ANSWERS, "names another request than the one that lies here"),
        (ANSWERS, "scaffold_sha256", ANSWERS, "names another scaffold than the one that lies here"),
        (VERDICTS, "request_sha256", VERDICTS, "names another request than the one that lies here"),
        (
            REQUESTS,
            "parameters",
            REQUESTS,
            "the messages have not the hash",
        ),
    ],
)
def test_a_row_changed_with_all_receipts_still_breaks_the_chain(
    folder: Path, name: str, field: str, named: str, words: str
) -> None:
    value = {"text": "other", "answer": "other", "parameters": '{"temperature":1}'}.get(field, "e" * 64)
    rewritten(folder, name, lambda row: row._replace(**{field: value}))
    found = problems(folder)
    assert words in found[named] and "(question q1 and 1 more)" in found[named]


def test_a_request_rendered_from_another_packet_is_named(folder: Path) -> None:
    rewritten(folder, PACKETS, lambda row: row._replace(text="other", sha256=sha256("other")))
    found = problems(folder)
    assert "was rendered from another packet than the one that lies here" in found[REQUESTS]


def test_the_folder_that_a_manifest_vouches_for_is_checked(folder: Path) -> None:
    page = f"{ROOT}/report/questions/0001.js"
    (folder / page).write_text("show([])\n", encoding="utf-8")
    found = problems(sealed(folder))
    assert found[f"{ROOT}/report/questions.json"] == f"{page} is not the file that it vouches for"


def test_rows_taken_out_of_a_withheld_copy_are_found(zips: dict[str, Path], tmp_path: Path) -> None:
    with zipfile.ZipFile(zips["withheld"]) as archive:
        archive.extractall(tmp_path / "bundle")
    name = f"{ROOT}/chain/packets.withheld.parquet"
    store.write_sorted(tmp_path / "bundle" / name, store.read(tmp_path / "bundle" / name)[:1])
    found = problems(sealed(tmp_path / "bundle"))
    assert found[name].startswith("holds 1 rows, and its receipt says 2. What rests on it: ")


@pytest.mark.parametrize("name", ["../out.txt", "/etc/out.txt", "a/../../out.txt", "a\\..\\out.txt"])
def test_names_that_lead_out_are_refused(zips: dict[str, Path], tmp_path: Path, name: str) -> None:
    path = Path(shutil.copy(zips["whole"], tmp_path / "evil.zip"))
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr(name, "x")
    with pytest.raises(InputError, match="leads out of the bundle"):
        verify_bundle(path)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["evil.zip"]


def test_what_is_no_bundle_is_refused_in_words(folder: Path, zips: dict[str, Path], tmp_path: Path) -> None:
    (tmp_path / "text.zip").write_text("no zip", encoding="utf-8")
    (tmp_path / "cut.zip").write_bytes(zips["whole"].read_bytes()[:-200])
    (tmp_path / "empty").mkdir()
    twice = Path(shutil.copy(zips["whole"], tmp_path / "twice.zip"))
    with pytest.warns(UserWarning, match="Duplicate"), zipfile.ZipFile(twice, "a") as archive:
        archive.writestr("Snakefile", "x")
    link = folder / "results/link"
    link.symlink_to(tmp_path / "text.zip")
    for path, words in (
        (tmp_path / "text.zip", "neither a folder nor a zip file"),
        (tmp_path / "cut.zip", "neither a folder nor a zip file"),
        (tmp_path / "empty", "no bundle: it has no manifest-sha256.txt"),
        (tmp_path / "nowhere", "there is no such file or folder"),
        (twice, "'Snakefile' stands twice"),
        (folder, "'results/link' is a link that leads out of the bundle"),
    ):
        with pytest.raises(InputError, match=words):
            verify_bundle(path)


def test_records_of_another_shape_are_refused(folder: Path) -> None:
    (folder / "bundle.json").write_text('{"benchmark": "talks"}', encoding="utf-8")
    with pytest.raises(InputError, match="not a bundle as memtrial packs it"):
        verify_bundle(sealed(folder))


def test_the_manifest_itself_may_not_be_changed_to_fit(folder: Path) -> None:
    path = folder / "manifest-sha256.txt"
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join(["nonsense\n", *lines[1:]]), encoding="utf-8")
    found = problems(folder)
    assert found["manifest-sha256.txt"] == "line 1 is no hash and name: 'nonsense'"
    assert lines[0].split("  ")[1].strip() in found
    assert hashlib.sha256(path.read_bytes()).hexdigest() not in path.read_text(encoding="utf-8")
