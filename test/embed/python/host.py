"""Runs ../vectors.txt on the modules in wasmtime: python host.py <vectors> <folder of modules> [rounds]
or metered programs: python host.py --programs <file>

Questions and answers: ../README.md; what they call: assembly/README.md.
"""

import struct
import sys
import time
from hashlib import sha256

import programs
from wasmtime import Engine, Instance, Module, Store

# Bytes that consensus.wasm has written when a call gave n.
WRITTEN = dict.fromkeys(["insert", "preview", "explain", "figures", "timely", "snapshot_part"], lambda n: n) | {
    "next_block": lambda n: 56 * n,
    "block_part": lambda n: 56 + 36 * n,
    "evidence_part": lambda n: 72 * n,
}
PAGE_BYTES = 8192


def unhex(text):
    return bytes.fromhex(text[1:])  # Bytes are written as x and hex.


def show(data):
    return data.hex() if len(data) <= 64 else sha256(data).hexdigest()[:32]


class Door:
    def __init__(self, prefix, engine, module):
        self.prefix, self.engine, self.module = prefix, engine, module

    def open(self):
        self.store = Store(self.engine)
        self.exports = Instance(self.store, self.module, []).exports(self.store)

    def call(self, name, *args):
        return self.exports[f"{self.prefix}_{name}"](self.store, *args) or 0

    def read(self, at, length):
        return bytes(self.exports["memory"].read(self.store, at, at + length))

    def write(self, at, data):
        self.exports["memory"].write(self.store, data, at)

    def put(self, data):
        self.write(self.call("in_ptr"), data)
        return len(data)

    def answer(self, verb, args):
        if verb in ("new", "reload", "load"):
            return getattr(self, verb)(*map(unhex, args))
        values = [self.put(unhex(arg)) if arg[0] == "x" else int(arg) for arg in args]
        if verb == "init":
            self.config = unhex(args[0])
        result = self.call(verb, *(() if verb == "explain" else values))
        length = self.call("out_len") if self.prefix == "core" else WRITTEN.get(verb, lambda n: 0)(result)
        if result < 0 or length <= 0:
            return str(result)
        out = self.read(self.call("out_ptr"), length)
        if verb == "dirty":
            self.pages.update((number, self.read(*self.page(number))) for (number,) in struct.iter_unpack("<I", out))
        return f"{result}:{show(out)}"

    def new(self, random=b""):
        """A new instance; that of ed25519.wasm takes 16 random bytes."""
        self.open()
        self.pages = {}
        if random:
            self.write(self.call("jobs_ptr"), random)
            self.call("init")
        return str(self.call("abi_version"))

    def page(self, number):
        """Where a page of the state is, and its length: the last one may be shorter."""
        at = PAGE_BYTES * number
        return self.call("state_ptr") + at, min(PAGE_BYTES, self.call("state_bytes") - at)

    def reload(self):
        """A new core, as it is after the import of all pages that are not zero."""
        self.open()
        code, everything = self.call("init", self.put(self.config)) or self.call("import", 0), b""
        for number, page in sorted(self.pages.items()):
            if any(page):
                name = struct.pack("<I", number)
                everything += name + page
                self.write(self.page(number)[0], page)
                self.put(name)
                code = code or self.call("import", 1)
        return f"{code or self.call('import_end', 0)}:{show(everything)}"

    def load(self, *jobs):
        start = 0
        for i, job in enumerate(jobs):
            message = job[112:]
            self.write(self.call("jobs_ptr") + 128 * i, job[:112] + struct.pack("<II", start, len(message)))
            self.write(self.call("messages_ptr") + start, message)
            start += len(message)
        return str(self.call("load", len(jobs)))


def play(name, cases, folder, rounds):
    started, engine = time.perf_counter(), Engine()
    prefix = name.split(".")[0].split("-")[0]
    door = Door(prefix, engine, Module.from_file(engine, f"{folder}/{name}"))
    load_ms, run_ms, mismatches = (time.perf_counter() - started) * 1000, float("inf"), 0
    for _ in range(rounds):
        begun = time.perf_counter()
        for question, expected in cases:
            verb, *args = question.split(" ")
            if (answer := door.answer(verb, args)) != expected:
                mismatches += 1
                print(f"{name}: {question[:60]}: {answer}, expected {expected}", file=sys.stderr)
        run_ms = min(run_ms, (time.perf_counter() - begun) * 1000)
    print(f"{name} cases={len(cases)} mismatches={mismatches} load_ms={load_ms:.1f} run_ms={run_ms:.1f}")
    return mismatches


if __name__ == "__main__":
    if sys.argv[1] == "--programs":
        sys.exit(programs.main(sys.argv[2]))
    bad, (vectors, folder, *rounds) = 0, sys.argv[1:]
    for section in open(vectors, encoding="utf-8").read().split("\nmodule ")[1:]:
        names, *lines = section.strip().split("\n")
        cases = [line.split(" = ") for line in lines if line and not line.startswith("#")]
        bad += sum(play(name, cases, folder, int((rounds or [1])[0])) for name in names.split())
    sys.exit(bad > 0)
