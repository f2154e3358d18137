"""Runs metered programs in wasmtime and compares how they end: protocol 14.2, 14.5 and 14.6.

The lines of the file are described in ../js/programs.mjs.
"""

import sys
from hashlib import sha256

from wasmtime import Engine, Instance, Module, Store, Trap

# By the stop global: what a trap means.
ENDS = ["trapped", "out_of_fuel", "out_of_stack", "unreachable"]


def call(store, exports, data):
    """The output; None if the program names bytes that are not its own."""
    if "vws_start" in exports:
        exports["vws_start"](store)
    memory = exports["memory"]
    size = memory.data_len(store)
    at = exports["vws_input"](store, len(data)) & 0xFFFFFFFF
    if at + len(data) > size:
        return None
    memory.write(store, data, at)
    signed = at - (1 << 32) if at >= 1 << 31 else at
    result = exports["vws_run"](store, signed, len(data)) & 0xFFFFFFFFFFFFFFFF
    start, length = result >> 32, result & 0xFFFFFFFF
    if start + length > size or length > 1_048_576:
        return None
    return bytes(memory.read(store, start, start + length))


def answer(engine, code, fuel, data):
    store = Store(engine)
    exports = Instance(store, Module(engine, code), []).exports(store)
    exports["vws_fuel"].set_value(store, fuel)

    def used():
        return min(fuel, fuel - exports["vws_fuel"].value(store))

    try:
        output = call(store, exports, data)
    except Trap:
        return f"{ENDS[exports['vws_stop'].value(store)]} {used()} "
    if output is None:
        return f"bad_range {used()} "
    return f"returned {used()} {output.hex() if len(output) <= 64 else sha256(output).hexdigest()[:32]}"


def main(path):
    engine, cases, mismatches, answers = Engine(), 0, 0, sha256()
    with open(path) as lines:
        for line in lines:
            question, separator, expected = line.rstrip("\n").partition(" = ")
            if not separator:
                continue
            code, fuel, data = question.split(" ")
            actual = answer(engine, bytes.fromhex(code), int(fuel), bytes.fromhex(data))
            answers.update(f"{actual}\n".encode())
            if actual != expected:
                mismatches += 1
                print(f"program {cases}: {actual}, expected {expected}", file=sys.stderr)
            cases += 1
    print(f"programs cases={cases} mismatches={mismatches} answers={answers.hexdigest()[:32]}")
    return 1 if mismatches else 0
