"""Templates taken out of a file of the upstream shape, by parsing it: an invented file with its own digest."""

from __future__ import annotations

import re
from hashlib import sha256
from pathlib import Path

import pytest

from memtrial.errors import InputError
from memtrial.judging.protocols import longmemeval, official
from memtrial.judging.protocols.base import Protocol, Ruling
from memtrial.records import Gold, Question

# Of the upstream file's shape: a space before the base's first line break, additions in temporal and update.
TAIL = "\\n\\nAsked: {}\\n\\nKnown: {}\\n\\nSaid: {}\\n\\nSo?"
FILE = f"""
import absent_package

print("running this file is an error")
raise SystemExit

def get_anscheck_prompt(task, question, answer, response, abstention=False):
    if not abstention:
        if task in ['single-session-user', 'single-session-assistant', 'multi-session']:
            template = "Weigh it. Say yes or no. All of it counts. {TAIL}"
            prompt = template.format(question, answer, response)
        elif task == 'temporal-reasoning':
            template = "Weigh it. Say yes or no. All of it counts. One day is near. {TAIL}"
            prompt = template.format(question, answer, response)
        elif task == 'knowledge-update':
            template = "Weigh it. Say yes or no. As it is now.{TAIL}"
            prompt = template.format(question, answer, response)
        elif task == 'single-session-preference':
            template = "Does it suit?{TAIL}"
            prompt = template.format(question, answer, response)
        else:
            raise NotImplementedError
    else:
        template = "Does it pass?{TAIL}"
        prompt = template.format(question, answer, response)
    return prompt
"""
KNOWN = sha256(FILE.encode()).hexdigest()
NAMED = "\n\nAsked: {question}\n\nKnown: {answer}\n\nSaid: {response}\n\nSo?"
RECIPE = [
    f"Weigh it. Say yes or no. All of it counts.{NAMED}", " One day is near.", " As it is now.",
    f"Does it suit?{NAMED}", f"Does it pass?{NAMED}",
]  # fmt: skip
ARCHIVIST = sha256("\0".join(RECIPE).encode()).hexdigest()


def form(name: str) -> Protocol:
    return longmemeval.official(name, FILE, KNOWN, ARCHIVIST)


def prompt(name: str, golden: Gold, answer: str = "B {}") -> str:
    (message,) = form(name).render(Question("q1", "c1", "Q {2}", None, "en", []), golden, answer)
    return message.content


def gold(kind: str, abstention: bool = False) -> Gold:
    return Gold("q1", ["A {0}"], kind, {}, abstention)


FILLED = "\n\nAsked: Q {2}\n\nKnown: A {0}\n\nSaid: B {}\n\nSo?"


@pytest.mark.parametrize(
    ("kind", "abstention", "in_official", "in_archivist"),
    [
        ("multi-session", False, "Weigh it. Say yes or no. All of it counts. ", None),
        ("single-session-user", False, "Weigh it. Say yes or no. All of it counts. ", None),
        ("temporal-reasoning", False, "Weigh it. Say yes or no. All of it counts. One day is near. ", None),
        (
            "knowledge-update", False, "Weigh it. Say yes or no. As it is now.",
            "Weigh it. Say yes or no. All of it counts. As it is now.",
        ),
        ("single-session-preference", False, "Does it suit?", None),
        ("knowledge-update", True, "Does it pass?", None),
    ],
)  # fmt: skip
def test_each_type_gets_its_template_with_the_blanks_filled_as_upstream(
    kind: str, abstention: bool, in_official: str, in_archivist: str | None
) -> None:
    golden = gold(kind, abstention)
    assert prompt("official", golden) == in_official + FILLED
    assert prompt("archivist", golden) == (in_archivist or in_official.rstrip()) + FILLED


def test_forms_record_hashes_and_token_limits() -> None:
    ours, theirs = form("official"), form("archivist")
    assert (ours.parameters, theirs.parameters) == (
        {"temperature": 0, "max_tokens": 10},
        {"temperature": 0, "max_tokens": 5},
    )
    assert theirs.template_sha256 == ARCHIVIST
    base = "Weigh it. Say yes or no. All of it counts. " + TAIL.replace("\\n", "\n")
    assert ours.templates["multi-session"] == sha256(base.encode()).hexdigest()
    assert len(ours.templates) == 7
    assert ours.template_sha256 != theirs.template_sha256


def test_the_official_reading_stands_beside_ours() -> None:
    parse = form("official").parse
    assert parse("Yes.") == Ruling(True, None, True)
    assert parse("No. Yesterday is not the date") == Ruling(False, None, True)
    assert parse("Correct") == Ruling(True, None, False)
    assert parse("") == Ruling(None, None, False)


def test_another_file_is_refused_with_both_digests() -> None:
    with pytest.raises(InputError) as refused:
        longmemeval.official("official", FILE)
    assert official.FILE_SHA256 in str(refused.value)
    assert KNOWN in str(refused.value)
    with pytest.raises(InputError, match=longmemeval.ARCHIVIST_SHA256):
        longmemeval.official("archivist", FILE, KNOWN)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("get_anscheck_prompt", "other", "expected a function"),
        ("'knowledge-update'", "'other'", "'knowledge-update'"),
        ("Known: {}", "Known:", "three blanks"),
        ("One day is near", "One day", None),
        ("Weigh it. Say yes or no. As", "As", "begin like the base"),
    ],
)
def test_a_file_of_another_shape_is_refused(old: str, new: str, message: str | None) -> None:
    changed = FILE.replace(old, new)
    assert changed != FILE
    with pytest.raises(InputError, match=message or "digest"):
        longmemeval.official("archivist", changed, sha256(changed.encode()).hexdigest(), ARCHIVIST)


def test_a_question_that_the_official_templates_cannot_take_is_an_error() -> None:
    for golden in (
        gold("other"),
        Gold("q1", [], "multi-session", {}, False),
        Gold("q1", ["a", "b"], "abstention", {}, True),
    ):
        with pytest.raises(InputError, match="'q1'"):
            prompt("official", golden)


# First 10 hex digits of the SHA-256 of each run of eight words (lower case, letters and digits) of the official
# templates: their text must stand nowhere in this repository, this file included.
DIGESTS = """
02d6afff34 04425f0f6b 0498b4dfe0 04d8e67d55 05ef93a455 06327ac842 06469b767f 08005d876a 09810ff391 09e0548315
09f585fa4d 0a60a8b28e 0a789ab965 0a7e0dbb58 0d421815e8 0d8c4408c4 0ddc64d589 0e8268e066 0e9ab1f5a9 10c2d0b2ad
117c1f457b 11d87c81e8 12e965ebbf 13f312d239 153b0414b5 157a35a865 168df1eff7 17b7b64505 184721c5c4 1b3903d3a9
1b9117cd7c 1c3cd752b8 1c95ef9899 1cf484df12 1ef0e5907e 208b7919f0 208d19f6a6 20a2953c0e 2173afaf13 219eedd00b
2226bac7eb 235e7796ed 2373327cb4 23c119ef08 24cb0b9ba3 281db96e52 283ec916d5 28acd215a5 2ac09ddbb6 2b1f7530c0
2cda69bbab 2cdc3ebaf4 2ea5a38f22 334d21df95 34bfd793bd 35ae955c85 36adf695af 392834aa33 395ac12caa 39b5d103d7
39bfe998fd 39e9dc7076 3a84a192cf 3b1b2ce969 3bbbf3afdc 3bcb099840 3e78cc2274 3f0b61cca6 3f22a8408d 407c7b7f72
4162f91090 41fcfac191 4284813449 430294c294 433791f4be 43524dc517 43d7409031 453886174f 45ebcf1571 466feaa390
47b4e8ff8e 482b9d8bfa 4834bbd319 48ca703c67 4a4dc93883 4bc3ca9ca8 4ca03c4c6a 4d808513a9 4d83ea074d 4dc2a3315b
4f53e70b8c 501581fe73 50738a9911 511ade372d 5126b1fbe1 5126dc8a9b 523561a456 5284128f23 529c4c064e 539dfbb892
5452d55ec6 54b9d76f82 555a1e32d6 56225326fd 579a9f011e 5840af5a45 58bd581bdb 5901dbc8e4 5ae7fc1cbf 5e6954d410
6009eb385f 6045170142 619d25cafb 61e102b19c 63c79ccdb2 6405507d1c 64386426ff 64aca21196 6647caf947 6740f1029a
69598aa88a 696192a1a4 6a5550d3ea 6b09bba371 6c2a43e89d 6d2385a79e 6d261356ba 6d83bfccdf 6db34d46a9 6f2dd5d103
71517b0711 722ba58546 7345bb188e 73dbece393 7722e858e5 78cd87ebb2 796fe0758b 79fd1753df 7a16800ec7 7acb66b611
7b472ec60a 7b914f75d6 7bf44867bb 7dce871d78 7ec406cf7e 7f8e702a9a 80351c0c48 80fd435182 8167e0ede6 82a969c45b
83605db3d5 8383b5ca2e 83e5aaee73 847725737c 8510f49c97 85213e6b5a 8734611656 8a01016c5e 8b7c6b9a4b 8b84f72e43
8b8d87f48c 8c74aecf3d 90ebda5e23 91782fa358 94897db6dc 9685bbea3c 96afd42a3e 97a2f2e383 9a012779a4 9af1dc055d
9b910341b0 9c55d21b0d 9c8ce40135 9d3e773f8a 9d5e708352 9e4cb255d4 9e973f50e0 9eb90172ad 9f96bde2f0 a1f32cb483
a232736f06 a297b30b74 a2abaf2aba a2d2252430 a37a4210b4 a64e2a17b5 a670c28ab3 a7f5446767 a82802cd27 a874726c54
a8fc4ad5c4 a95131f0ec aa3a3c1b3c aa7b7ef96b ac06902efd ac7e2636b1 acf5491fdc ae83461e94 af664f25f4 af71031e7a
b0555769e7 b14aa58a96 b211be5eaf b25dd8998e b311cf5668 b55db1a57c b6b43a90ef b6ef885095 b6f260e026 b7f4a6a4dd
b91a01ed31 ba5709bf77 bbb4f7e176 bd201ab21b bd3a512337 bdee1ca95d bf9cd03073 c078420cb8 c10ce213e5 c1e9789007
c2f30b6145 c401e74778 c4a4b6e9e6 c780bd3f2c c88256a831 c935bded9e c940c2f188 ca41adeef2 cbf4643356 ccc16b8a5c
ccdb0b3c38 cfdb3792c8 d06e6e690d d138073eb7 d14f9a1802 d2b2f87837 d2d4c90ef8 d30867755d d361ba195b d3da72ebd6
d58bc85372 d74b093540 db019834a9 db368e6218 db8eb57f0e dbb1809f13 dc86107117 dcc8d48f03 dcff44c756 dddfcec19b
de069c898e defb2d1f2b e03a06e32e e2076d8ec4 e26bed748a e4864968f8 e783b114f7 e8143f18d6 e82d47f886 e8d58675f9
ec31dd8707 ed6d4bbb69 ee3d4dcca8 f06f0a0a67 f179f851e0 f17e285c48 f4e80eb2a3 f5ac049adc f5d9a83507 f735c8f5d2
f76d6271b2 f9dcd69555 fa12101e45 faa959a18a fc35f0d938 fc43b58da6 fc4a1072fe fc859b57f4 fe805fbcb8 fec7b8ee19
ff6fcd98ef
"""
OFFICIAL_RUNS = frozenset(DIGESTS.split())
RUN = 8
TEXTS = {".py", ".md", ".smk", ".yaml", ".yml", ".rst", ".j2", ".toml", ".txt", ".json", ".jsonl", ""}


def runs(text: str) -> set[str]:
    words = re.findall(r"[a-z0-9]+", text.lower())
    found = {" ".join(words[i : i + RUN]) for i in range(len(words) - RUN + 1)}
    return {sha256(r.encode()).hexdigest()[:10] for r in found}


def test_no_official_prompt_text_stands_in_the_repository() -> None:
    root = Path(__file__).resolve().parents[2]
    folders = ("workflow", "tests", "config", "resources", "envs")
    files = [*root.glob("*"), *(f for folder in folders for f in (root / folder).rglob("*"))]
    read = [f for f in files if f.is_file() and f.suffix in TEXTS and f.stat().st_size < 1 << 20]
    assert len(read) > 100
    assert [str(f) for f in read if OFFICIAL_RUNS & runs(f.read_text(encoding="utf-8", errors="replace"))] == []
