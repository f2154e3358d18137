// Suite `wire`: the cost of a request before any decision: body to TxID, entries and vertices to bytes and back.
// Keeps: each side produces the same ids or the same bytes. The first peer of the TxID is a lower bound that only works
// for bodies that are canonical already; the second is generic code that does not know the envelope's shape.

import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { useNativeHash } from '../host/crypto/native-hash.ts';
import { toHex, utf8 } from '../host/wire/bytes.ts';
import { decodeEntry, encodeEntry, type TxV1Entry } from '../host/wire/entry.ts';
import { sha256 } from '../host/wire/hash.ts';
import { parseBody } from '../host/wire/json.ts';
import { TX_VERSION, txId, txSignBytes } from '../host/wire/tx.ts';
import { decodeVertex, encodeVertex, makeVertex, payloadRoot, type Vertex } from '../host/wire/vertex.ts';
import { SeededRandom } from '../tools/load/seeded-random.ts';
import { compare } from './micro.ts';
import { type Row, row, type SuiteRun, sameWork } from './row.ts';

const PATH = '/v1/generation';
const PER_SECOND = '/s';

/** Members in canonical order, so that the lower bound happens to be correct. */
function typicalBody(random: SeededRandom): string {
  return JSON.stringify({
    beneficiary: toHex(random.bytes(32)),
    claimed_value: random.between(1, 1_000_000_000),
    evidence_hash: `sha256:${toHex(random.bytes(32))}`,
    task_description:
      'Translation of a manual of forty pages, terms checked against the glossary, two passes of review.',
  });
}

function typicalEntry(random: SeededRandom): TxV1Entry {
  const now = 1_800_000_000;
  return {
    scheme: 'tx_v1',
    tx: {
      chainId: 'vws-testnet-1',
      actor: toHex(random.bytes(32)),
      createdAt: now,
      expiresAt: now + 60,
      nonce: toHex(random.bytes(16)),
    },
    signature: random.bytes(64),
    method: 'POST',
    path: PATH,
    body: utf8(typicalBody(random)),
  };
}

function ourTxId({ tx, method, path, body }: TxV1Entry): string {
  return toHex(txId(txSignBytes(tx, method, path, parseBody(body).sha256)));
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

function envelope({ tx, method, path }: TxV1Entry, bodySha256: string): Record<string, unknown> {
  return {
    actor: tx.actor,
    body_sha256: bodySha256,
    chain_id: tx.chainId,
    created_at: tx.createdAt,
    expires_at: tx.expiresAt,
    method,
    nonce: tx.nonce,
    path,
    version: TX_VERSION,
  };
}

function floorTxId(entry: TxV1Entry): string {
  const body: unknown = JSON.parse(Buffer.from(entry.body).toString());
  return hashOf(JSON.stringify(envelope(entry, hashOf(JSON.stringify(body)))));
}

function genericTxId(entry: TxV1Entry): string {
  const body: unknown = JSON.parse(Buffer.from(entry.body).toString());
  return hashOf(canonicalize(envelope(entry, hashOf(canonicalize(body) as string))) as string);
}

/** The entry as JSON with its bytes in base64. */
function jsonEntry({ signature, body, ...entry }: TxV1Entry): Buffer {
  const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
  return Buffer.from(JSON.stringify({ ...entry, signature: base64(signature), body: base64(body) }));
}

function entryOfJson(bytes: Buffer): TxV1Entry {
  type Texts = 'signature' | 'body';
  const parsed = JSON.parse(bytes.toString()) as Omit<TxV1Entry, Texts> & Record<Texts, string>;
  const raw = (name: Texts): Uint8Array => Buffer.from(parsed[name], 'base64');
  return { ...parsed, signature: raw('signature'), body: raw('body') };
}

interface JsonVertex {
  header: Omit<Vertex['header'], 'epochId' | 'payloadRoot' | 'parents'> & {
    epochId: string;
    payloadRoot: string;
    parents: string[];
  };
  signature: string;
  entries: string[];
}

/** A vertex as JSON; ids and hashes are checked on reading as in the binary form. */
function jsonVertex({ header, signature, entries }: Vertex): Buffer {
  const { epochId, payloadRoot: root, parents } = header;
  const value: JsonVertex = {
    header: { ...header, epochId: toHex(epochId), payloadRoot: toHex(root), parents: parents.map(toHex) },
    signature: toHex(signature),
    entries: entries.map((entry) => Buffer.from(entry).toString('base64')),
  };
  return Buffer.from(JSON.stringify(value));
}

function vertexOfJson(bytes: Buffer): { id: string; entries: Uint8Array[] } {
  const { header, entries } = JSON.parse(bytes.toString()) as JsonVertex;
  const raw = entries.map((entry) => Buffer.from(entry, 'base64'));
  if (toHex(payloadRoot(raw)) !== header.payloadRoot) throw new Error('the payload has another hash');
  return { id: hashOf(JSON.stringify(header)), entries: raw };
}

async function txIdRows(run: SuiteRun, entry: TxV1Entry): Promise<Row[]> {
  const names = { floor: 'JSON.stringify + node:crypto', generic: 'canonicalize + node:crypto' };
  sameWork(run, 'TxID of a body', {
    vws: ourTxId(entry),
    [names.floor]: floorTxId(entry),
    [names.generic]: genericTxId(entry),
  });
  const cases = {
    vws: () => ourTxId(entry),
    floor: () => floorTxId(entry),
    generic: () => genericTxId(entry),
  };
  const found = await compare('body to TxID', cases, run.small);
  const params = { body_bytes: entry.body.length };
  return (['floor', 'generic'] as const).map((peer) =>
    row('wire', 'body to TxID', params, PER_SECOND, found.vws.perSecond, {
      name: names[peer],
      value: found[peer].perSecond,
    }),
  );
}

async function entryRows(run: SuiteRun, entry: TxV1Entry): Promise<Row[]> {
  const [bytes, json] = [encodeEntry(entry), jsonEntry(entry)];
  sameWork(run, 'entry and back', {
    vws: toHex(sha256(encodeEntry(decodeEntry(bytes)!))),
    JSON: toHex(sha256(encodeEntry(entryOfJson(json)))),
  });
  const encoded = await compare(
    'entry to bytes',
    { vws: () => encodeEntry(entry), json: () => jsonEntry(entry) },
    run.small,
  );
  const decoded = await compare(
    'bytes to entry',
    { vws: () => decodeEntry(bytes), json: () => entryOfJson(json) },
    run.small,
  );
  const rowOf = (name: string, found: typeof encoded): Row =>
    row('wire', name, { bytes: bytes.length, peer_bytes: json.length }, PER_SECOND, found.vws.perSecond, {
      name: 'JSON, base64',
      value: found.json.perSecond,
    });
  return [rowOf('entry to bytes', encoded), rowOf('bytes to entry', decoded)];
}

async function vertexRows(run: SuiteRun, random: SeededRandom): Promise<Row[]> {
  const entries = Array.from({ length: run.small ? 16 : 256 }, () => encodeEntry(typicalEntry(random)));
  const fields = {
    work: true,
    creator: 0,
    seq: 1,
    lamport: 1,
    timeMs: 1_800_000_000_000,
    epochId: random.bytes(32),
    parents: [],
  };
  const signature = random.bytes(64);
  const vertex = makeVertex(fields, entries, () => signature);
  const [bytes, json] = [encodeVertex(vertex), jsonVertex(vertex)];
  sameWork(run, 'entries of a vertex and back', {
    vws: toHex(sha256(...decodeVertex(bytes)!.entries)),
    JSON: toHex(sha256(...vertexOfJson(json).entries)),
  });
  const encoded = await compare(
    'vertex to bytes',
    {
      vws: () => encodeVertex(makeVertex(fields, entries, () => signature)),
      json: () => jsonVertex(remade()),
    },
    run.small,
  );
  const decoded = await compare(
    'bytes to vertex',
    { vws: () => decodeVertex(bytes), json: () => vertexOfJson(json) },
    run.small,
  );
  /** The peer hashes what it sends as well. */
  function remade(): Vertex {
    return { ...vertex, header: { ...vertex.header, payloadRoot: payloadRoot(entries) } };
  }
  const rowOf = (name: string, found: typeof encoded): Row =>
    row('wire', name, { entries: entries.length, bytes: bytes.length }, PER_SECOND, found.vws.perSecond, {
      name: 'JSON, base64',
      value: found.json.perSecond,
    });
  return [rowOf('vertex to bytes', encoded), rowOf('bytes to vertex', decoded)];
}

export async function run(suite: SuiteRun): Promise<Row[]> {
  useNativeHash();
  const random = new SeededRandom(7);
  const entry = typicalEntry(random);
  return [
    ...(await txIdRows(suite, entry)),
    ...(await entryRows(suite, entry)),
    ...(await vertexRows(suite, random)),
  ];
}
