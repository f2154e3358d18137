// The obvious way to take signed transfers: fastify, one signature verified by node:crypto and one synced RocksDB write
// for each request, balances in a Map. Usage: plain-node.js <data directory>.
// Does less than the node on purpose: no order, no log, no fees, no verdicts, no documents but the request itself.

import { createPublicKey, hash, type KeyObject, verify } from 'node:crypto';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import fastify from 'fastify';

interface Level {
  open(options: object): Promise<void>;
  /** A single put has no `sync` option in this binding; a batch does. */
  batch(
    ops: { type: 'put'; key: Uint8Array; value: Uint8Array }[],
    options: { sync: boolean },
  ): Promise<void>;
}

const SPKI_HEAD = Buffer.from('302a300506032b6570032100', 'hex');
const START_BALANCE = 50_000_000_000n;
const DATA = process.argv[2] as string;

const { RocksLevel } = createRequire(import.meta.url)('@nxtedition/rocksdb') as {
  RocksLevel: new (path: string, options: object) => Level;
};
const db = new RocksLevel(DATA, { keyEncoding: 'buffer', valueEncoding: 'buffer' });
await db.open({ createIfMissing: true });

const keys = new Map<string, KeyObject>();
const balances = new Map<string, bigint>();
const seen = new Set<string>();
let moved = 0n;

/** Keys are imported once per agent, which a first version would not do. */
function keyOf(hex: string): KeyObject {
  const known = keys.get(hex);
  if (known) return known;
  const key = createPublicKey({
    key: Buffer.concat([SPKI_HEAD, Buffer.from(hex, 'hex')]),
    format: 'der',
    type: 'spki',
  });
  keys.set(hex, key);
  return key;
}

interface Transfer {
  to_agent: string;
  amount: number;
}

const app = fastify();
app.post('/v1/transfer', async (request, reply) => {
  const header = (name: string): string => request.headers[`x-service-${name}`] as string;
  const body = request.body as Transfer;
  const actor = header('actor');
  // The clients of this benchmark send canonical bodies, so serialising gives the same text.
  const text = JSON.stringify(body);
  const signed = JSON.stringify({
    actor,
    body_sha256: hash('sha256', text),
    chain_id: header('chain-id'),
    created_at: Number(header('created')),
    expires_at: Number(header('expires')),
    method: request.method,
    nonce: header('nonce'),
    path: request.url,
    version: header('version'),
  });
  const signature = Buffer.from(header('signature'), 'hex');
  if (!verify(null, Buffer.from(signed), keyOf(actor), signature))
    return reply.code(400).send({ code: 'bad' });
  const id = hash('sha256', signed);
  if (seen.has(id)) return reply.code(409).send({ code: 'duplicate' });
  const amount = BigInt(body.amount);
  const balance = balances.get(actor) ?? START_BALANCE;
  if (balance < amount) return reply.code(402).send({ code: 'poor' });
  seen.add(id);
  moved += amount;
  balances.set(actor, balance - amount);
  balances.set(body.to_agent, (balances.get(body.to_agent) ?? START_BALANCE) + amount);
  const value = Buffer.from(JSON.stringify({ id, ...body, actor, signature: header('signature') }));
  await db.batch([{ type: 'put', key: Buffer.from(id, 'hex'), value }], { sync: true });
  return reply.code(201).send({ event_id: id, agent_id: actor, ...body, balance: Number(balance - amount) });
});
app.get('/moved', (_, reply) => reply.send(String(moved)));
await app.listen({ host: '127.0.0.1', port: 0 });
console.log(`port ${(app.server.address() as AddressInfo).port}`);
