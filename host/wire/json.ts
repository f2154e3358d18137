// Canonical JSON (RFC 8785) and the body hash of signed requests.
// Keeps: a body has one hash on every node and in every browser, however deep or unusual it is, because the hash is
// part of the TxID; a result that depended on one machine's stack size would split the network.
// Further rules for a body (depth, characters) are checked after the signature (protocol 1.6).

import canonicalize from 'canonicalize';
import { invalid } from '../errors.ts';
import { utf8 } from './bytes.ts';
import { sha256Hex } from './hash.ts';
import { isJcsForm } from './jcs-form.ts';

/**
 * Nesting levels of arrays and objects allowed in a request; the body itself is level 1.
 * Source: protocol 1.2.
 */
const MAX_JSON_DEPTH = 32;

/**
 * What JSON.parse and JCS take depends on the number of values far more than on the length: a megabyte of small members
 * costs 150 ms, one string of a megabyte 15. So values are bounded, as commas and opening brackets outside of strings; the
 * longest body that an operation asks for has some 200. Source: protocol 1.2.
 */
export const MAX_JSON_PARTS = 2_048;

/** A body above this many bytes that is not in JCS form is dear: it has to be parsed and written anew to have its hash. */
export const DEAR_FORM_BYTES = 8_192;

/**
 * A body may be so many times as long as its canonical form, and so many bytes longer: indented, or with every letter that is not
 * ASCII escaped. A signature is over the hash of the canonical form, so whoever carries a request could pad it, and its agent
 * pays for bytes. Source: protocol 1.2.
 */
const MAX_FORM_RATIO = 3;
const MAX_FORM_MORE = 1_024;

/** SHA-256 of zero bytes: body_sha256 of an empty body. */
export const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

// ignoreBOM keeps a byte order mark in the text, where JSON.parse refuses it.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

// JSON.stringify writes an unpaired surrogate as \udxxx. After an even number of backslashes it is an escape; after an
// odd number it is literal text.
const UNPAIRED_SURROGATE = /(?<!\\)(?:\\\\)*\\ud[89a-f]/;

/** A request body, parsed the same way everywhere. */
export interface ParsedBody {
  /** body_sha256 of protocol 5.2. */
  readonly sha256: string;
  /** The JSON value, `{}` for an empty body, undefined when the bytes are not valid JSON. */
  readonly value: unknown;
  /** It is much longer than its canonical form: no valid request. */
  readonly isPadded: boolean;
}

/** True when `value` has more than `levels` nested levels. Recursion is bounded by `levels`. */
function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) {
    for (const item of value) if (isDeeperThan(item, levels - 1)) return true;
    return false;
  }
  for (const name in value) {
    if (isDeeperThan((value as Record<string, unknown>)[name], levels - 1)) return true;
  }
  return false;
}

/** Turns a string into its canonical text; leaves any other value to be written later. */
const written = (value: unknown): unknown => (typeof value === 'string' ? JSON.stringify(value) : value);

/**
 * Canonical form of a value nested so deeply that a recursive writer could exhaust the stack. Pending work
 * is kept on an explicit stack, last item first: strings are finished text, everything else is a value
 * still to be written. Accepts only what JSON.parse returns.
 */
function canonicalizeDeep(root: unknown): string {
  const parts: string[] = [];
  const stack: unknown[] = [written(root)];
  while (stack.length > 0) {
    const next = stack.pop();
    if (typeof next === 'string') {
      parts.push(next);
    } else if (Array.isArray(next)) {
      parts.push('[');
      stack.push(']');
      for (let i = next.length - 1; i >= 0; i--) {
        stack.push(written(next[i]));
        if (i > 0) stack.push(',');
      }
    } else if (typeof next === 'object' && next !== null) {
      const names = Object.keys(next).sort();
      parts.push('{');
      stack.push('}');
      for (let i = names.length - 1; i >= 0; i--) {
        stack.push(written((next as Record<string, unknown>)[names[i]!]));
        stack.push(`${i > 0 ? ',' : ''}${JSON.stringify(names[i])}:`);
      }
    } else {
      if (typeof next === 'number' && !Number.isFinite(next)) throw new TypeError('JCS: number not finite');
      parts.push(JSON.stringify(next));
    }
  }
  return parts.join('');
}

/**
 * RFC 8785 form of a JSON value. Throws a TypeError on what JCS cannot take: unpaired surrogates,
 * numbers that are not finite, values that are not JSON.
 */
export function jcs(value: unknown): string {
  let text: string | undefined;
  try {
    text = isDeeperThan(value, MAX_JSON_DEPTH) ? canonicalizeDeep(value) : canonicalize(value);
  } catch (cause) {
    throw new TypeError('JCS: value has no canonical form', { cause });
  }
  if (text === undefined) throw new TypeError('JCS: value is not JSON');
  if (text.includes('\\ud') && UNPAIRED_SURROGATE.test(text)) throw new TypeError('JCS: unpaired surrogate');
  return text;
}

/** The names of an object as it lists them, and in the order of JCS, in which `heads` has them as they are written. */
interface NameOrder {
  names: readonly string[];
  sorted: readonly string[];
  heads: readonly string[];
}
/** Documents of one kind mostly have the same names: the last few orders, by the number of names, which is small. */
const ORDERS_KEPT = 8;
const MAX_KEPT_NAMES = 48;
const orders: NameOrder[][] = [];

const isEqual = (a: readonly string[], b: readonly string[]): boolean => {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
};

function orderOf(names: readonly string[]): NameOrder {
  const known = orders[names.length];
  if (known) for (const order of known) if (isEqual(order.names, names)) return order;
  const sorted = [...names].sort();
  const order = { names, sorted, heads: sorted.map((name) => `${JSON.stringify(name)}:`) };
  if (names.length > MAX_KEPT_NAMES) return order;
  if (!known) orders[names.length] = [order];
  else if (known.push(order) > ORDERS_KEPT) known.shift();
  return order;
}

/** Printable ASCII without " and \: as it is in JSON, too. */
const AS_IT_IS = /^[ !#-[\]-~]*$/;
export const jsonString = (text: string): string =>
  AS_IT_IS.test(text) ? `"${text}"` : JSON.stringify(text);

function objectText(value: Record<string, unknown>): string {
  const { sorted, heads } = orderOf(Object.keys(value));
  let text = '{';
  let comma = '';
  for (let i = 0; i < sorted.length; i++) {
    const member = value[sorted[i]!];
    if (member === undefined) continue;
    text += comma + heads[i] + documentText(member);
    comma = ',';
  }
  return `${text}}`;
}

/**
 * RFC 8785 form of a document of the views, which is shallow and has no unpaired surrogates. Written by hand, since JSON.stringify
 * of an object whose members were put in order takes three times as long.
 */
export function documentText(value: unknown): string {
  if (typeof value === 'string') return jsonString(value);
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (!Array.isArray(value)) return objectText(value as Record<string, unknown>);
  let text = '[';
  for (let i = 0; i < value.length; i++) text += (i > 0 ? ',' : '') + documentText(value[i]);
  return `${text}]`;
}

/** An object of JSON, no list. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Called with the length of a body that has to be parsed and written anew to have its hash. May throw to refuse it. */
export type OnOtherForm = (bytes: number) => void;

const [QUOTE, COMMA, OPEN_ARRAY, BACKSLASH, OPEN_OBJECT] = [0x22, 0x2c, 0x5b, 0x5c, 0x7b] as const;

/** Are there `max` commas and opening brackets at most. One pass, which ends where there are more. */
export function hasFewParts(raw: Uint8Array, max = MAX_JSON_PARTS): boolean {
  if (raw.length <= max) return true;
  let parts = 0;
  let isInString = false;
  for (let i = 0; i < raw.length; i++) {
    const byte = raw[i];
    if (isInString) {
      if (byte === BACKSLASH) i += 1;
      else if (byte === QUOTE) isInString = false;
    } else if (byte === QUOTE) isInString = true;
    else if (byte === COMMA || byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      parts += 1;
      if (parts > max) return false;
    }
  }
  return true;
}

/** The value of a body in JCS form; undefined when it is not UTF-8. */
function parsed(raw: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(raw));
  } catch {
    return undefined;
  }
}

const isPadded = (bytes: number, canonicalBytes: number): boolean =>
  bytes > MAX_FORM_RATIO * canonicalBytes + MAX_FORM_MORE;

/** A body with a value: parsed when that is asked for. */
class ReadLater implements ParsedBody {
  private read: { value: unknown } | undefined;

  /** `isJcs`: it is in JCS form; false where that is not known. */
  constructor(
    readonly sha256: string,
    private readonly raw: Uint8Array,
    private readonly isJcs: boolean,
  ) {}

  get value(): unknown {
    this.read ??= { value: parsed(this.raw) };
    return this.read.value;
  }

  get isPadded(): boolean {
    const { length } = this.raw;
    if (this.isJcs || !isPadded(length, 0) || isJcsForm(this.raw)) return false;
    return isPadded(length, utf8(jcs(this.value)).length);
  }
}

/**
 * Body and body hash of a request. Empty: the hash of zero bytes and `{}`. Invalid JSON, JSON without
 * a canonical form, and JSON of too many parts: the hash of the raw bytes and no value. A body in JCS form is hashed as it is, and parsed when its
 * value is asked for. Throws only what `onOtherForm` throws. Source: protocol 5.2.
 */
export function parseBody(raw: Uint8Array, onOtherForm: OnOtherForm = () => {}): ParsedBody {
  const invalidBody = (): ParsedBody => ({ sha256: sha256Hex(raw), value: undefined, isPadded: false });
  if (raw.length === 0) return { sha256: EMPTY_SHA256, value: {}, isPadded: false };
  if (!hasFewParts(raw)) return invalidBody();
  if (isJcsForm(raw)) return new ReadLater(sha256Hex(raw), raw, true);
  onOtherForm(raw.length);
  try {
    const value: unknown = JSON.parse(decoder.decode(raw));
    const canonical = utf8(jcs(value));
    return { sha256: sha256Hex(canonical), value, isPadded: isPadded(raw.length, canonical.length) };
  } catch {
    return invalidBody();
  }
}

/** As `parseBody` of these bytes gave it on another thread, which said whether it has a value. */
export function parsedElsewhere(raw: Uint8Array, sha256: string, hasValue: boolean): ParsedBody {
  if (raw.length === 0) return { sha256, value: {}, isPadded: false };
  return hasValue ? new ReadLater(sha256, raw, false) : { sha256, value: undefined, isPadded: false };
}

/** Will the body have a value, as far as is known without parsing it: what is read later may turn out to be no UTF-8. */
export const hasValue = (body: ParsedBody): boolean => body instanceof ReadLater || body.value !== undefined;

function checkText(text: string): void {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0) throw invalid('U+0000 is not allowed in strings');
    if ((code & 0xf800) !== 0xd800) continue;
    const low = i + 1 < text.length ? text.charCodeAt(i + 1) : 0;
    if (code >= 0xdc00 || (low & 0xfc00) !== 0xdc00) throw invalid('unpaired surrogate in a string');
    i += 1;
  }
}

function checkLevel(value: unknown, level: number): void {
  if (typeof value === 'string') {
    checkText(value);
  } else if (typeof value === 'object' && value !== null) {
    if (level > MAX_JSON_DEPTH) throw invalid(`more than ${MAX_JSON_DEPTH} nested levels`);
    if (Array.isArray(value)) {
      for (const item of value) checkLevel(item, level + 1);
    } else {
      for (const name in value) {
        checkText(name);
        checkLevel((value as Record<string, unknown>)[name], level + 1);
      }
    }
  }
}

/**
 * Refuses JSON that no request may contain: more than 32 levels, U+0000 or unpaired surrogates in a
 * string or member name. Errors: 400 `invalid_request`. Source: protocol 1.2.
 */
export function checkJson(value: unknown): void {
  checkLevel(value, 1);
}
