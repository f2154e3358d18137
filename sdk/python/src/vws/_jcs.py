"""Canonical JSON (RFC 8785), in which bodies are sent and hashed.

Keeps: the text has a form that every node hashes as it is. Whatever has none is refused: numbers that a JSON reader may
change, names that are no text, lone surrogates.
"""

from __future__ import annotations

import math
from typing import Any, cast

from ._base_errors import BadCall

MAX_SAFE_INTEGER = 2**53 - 1
_PLAIN_EXPONENTS = range(-6, 21)
_SURROGATES = range(0xD800, 0xE000)
_ESCAPES = {ord('"'): '\\"', ord("\\"): "\\\\", 8: "\\b", 9: "\\t", 10: "\\n", 12: "\\f", 13: "\\r"}
_CONTROLS = {code: f"\\u{code:04x}" for code in range(0x20)} | _ESCAPES


def canonical(value: object) -> str:
    """The canonical text of a value of dicts, lists, texts, numbers, booleans and None."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        if abs(value) > MAX_SAFE_INTEGER:
            raise BadCall(f"{value} is beyond the integers that JSON carries exactly")
        return str(value)
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, list | tuple):
        return f"[{','.join(canonical(item) for item in cast('list[object]', value))}]"
    if isinstance(value, dict):
        return _object(cast("dict[Any, object]", value))
    raise BadCall(f"JSON has no {type(value).__name__}")


def _object(value: dict[Any, object]) -> str:
    for name in value:
        if not isinstance(name, str):
            raise BadCall(f"{name!r} is not a name of a member")
    # RFC 8785 sorts by UTF-16 code units, which differs from code points beyond U+FFFF.
    names = sorted(cast("list[str]", list(value)), key=lambda name: name.encode("utf-16-be", "surrogatepass"))
    return "{" + ",".join(f"{_text(name)}:{canonical(value[name])}" for name in names) + "}"


def _text(value: str) -> str:
    if any(ord(char) in _SURROGATES for char in value):
        raise BadCall("a text has a lone surrogate")
    return f'"{value.translate(_CONTROLS)}"'


def _number(value: float) -> str:
    """As ECMAScript writes it: the shortest digits that read back as the same number."""
    if not math.isfinite(value):
        raise BadCall(f"JSON has no {value}")
    if value == 0:
        return "0"
    sign = "-" if value < 0 else ""
    mantissa, _, power = f"{abs(value)!r}".partition("e")
    whole, _, fraction = mantissa.partition(".")
    fraction = "" if fraction == "0" else fraction
    digits = (whole + fraction).lstrip("0")
    # value = 0.digits * 10^point
    point = len(whole) + int(power or 0) - (len(whole + fraction) - len(digits))
    digits = digits.rstrip("0")
    return sign + _placed(digits, point)


def _placed(digits: str, point: int) -> str:
    exponent = point - 1
    if exponent not in _PLAIN_EXPONENTS:
        rest = f".{digits[1:]}" if len(digits) > 1 else ""
        return f"{digits[0]}{rest}e{exponent:+d}"
    if point <= 0:
        return f"0.{'0' * -point}{digits}"
    if point >= len(digits):
        return digits + "0" * (point - len(digits))
    return f"{digits[:point]}.{digits[point:]}"
