// A client of the simulated network: the project's own client, over wires instead of sockets.

import { VwsClient } from '../../host/client/client.ts';
import { SeenOrder } from '../../host/client/seen-order.ts';
import { type KeyPair, keyPairFromSeed } from '../../host/crypto/key-pair.ts';
import { toHex } from '../../host/wire/bytes.ts';
import { sha256Hex } from '../../host/wire/hash.ts';
import { txId, txSignBytes } from '../../host/wire/tx.ts';
import type { HttpReply } from '../../host/world/http.ts';
import type { Environment } from '../../host/world/world.ts';
import { type Call, executionOf, isSuccess } from '../../tools/histories/call.ts';
import type { Machine } from './machine.ts';
import type { SimNetwork } from './network.ts';

/** Receives each exchange when it has ended, with or without an answer. */
export type OnCall = (call: Omit<Call, 'agent'>) => void;

/** One way between a client and a node. */
const CLIENT_DELAY_MS = 5;

/**
 * Registers an agent, trying again as clients do until a node has answered that it is registered. `onRefusal`: why it was not.
 */
export async function registered(
  net: SimNetwork,
  client: VwsClient,
  pauseMs = 500,
  onRefusal: (error: Error & { code?: string }) => void = () => {},
): Promise<void> {
  for (;;) {
    try {
      await client.register({});
      return;
    } catch (error) {
      const refusal = error as Error & { code?: string };
      if (refusal.code === 'already_registered') return;
      onRefusal(refusal);
      await net.universe.pause(pauseMs);
    }
  }
}

/** What a client process sees of the world: its own true clock, and machines by name as hosts. */
export function environmentOf(net: SimNetwork, onCall: OnCall): Environment {
  const { universe } = net;
  return {
    clock: {
      nowMs: () => Math.floor(universe.nowMs),
      monotonicMs: () => universe.nowMs,
      setTimer: (fn, ms) => universe.after(ms, fn),
      soon: (fn) => void universe.after(0, fn),
    },
    randomBytes: (count) => universe.dice.bytes(count),
    fetch: (url, init) => watched(net, url, init, onCall),
  };
}

async function watched(net: SimNetwork, url: string, init: RequestInit, onCall: OnCall): Promise<Response> {
  const { hostname, pathname } = new URL(url);
  const method = init.method ?? 'GET';
  const id = txIdOf(method, pathname, init);
  const { restores } = net.machine(hostname).disk;
  // A disk that was put back shows less than the one before: another node, as far as histories go.
  const machine = restores === 0 ? hostname : `${hostname} (disk ${restores})`;
  const minOrder = (init.headers as Record<string, string> | undefined)?.['X-Service-Min-Order'];
  const least = minOrder === undefined ? {} : { minOrder: Number(minOrder) };
  const asked = { machine, method, path: pathname, startMs: net.universe.nowMs, ...least };
  const call = { ...asked, ...(id === undefined ? {} : { txId: id }) };
  try {
    const { status, headers, body } = await fetchFrom(net, url, init);
    onCall({ ...call, endMs: net.universe.nowMs, ...answerIn(status, headers, body) });
    const bytes = typeof body === 'string' ? body : new Uint8Array(body);
    return new Response(status === 204 ? null : bytes, { status, headers });
  } catch (error) {
    onCall(call);
    throw error;
  }
}

/** TxID of a signed write. */
function txIdOf(method: string, path: string, { headers, body }: RequestInit): string | undefined {
  const all = (headers ?? {}) as Record<string, string>;
  if (all['X-Service-Nonce'] === undefined) return undefined;
  const tx = {
    chainId: all['X-Service-Chain-ID']!,
    actor: all['X-Service-Actor']!,
    createdAt: Number(all['X-Service-Created']),
    expiresAt: Number(all['X-Service-Expires']),
    nonce: all['X-Service-Nonce'],
  };
  return toHex(txId(txSignBytes(tx, method, path, sha256Hex(body as string))));
}

/** What of an answer is judged. */
function answerIn(
  httpStatus: number,
  headers: Readonly<Record<string, string>>,
  text: HttpReply['body'],
): Pick<Call, 'status' | 'code' | 'order' | 'body'> {
  const shown = headers['X-Service-Order'];
  const isJson = headers['Content-Type']?.startsWith('application/json') && typeof text === 'string';
  const body = isJson ? (JSON.parse(text) as { code?: string }) : undefined;
  const code = isSuccess(httpStatus) ? undefined : body?.code;
  return {
    ...(shown === undefined ? {} : { order: Number(shown) }),
    ...executionOf(httpStatus, code, body),
    ...(code === undefined ? {} : { code }),
    ...(body === undefined || Array.isArray(body) ? {} : { body }),
  };
}

async function fetchFrom(net: SimNetwork, url: string, init: RequestInit): Promise<HttpReply> {
  const { universe } = net;
  const { hostname, pathname, search } = new URL(url);
  const machine = net.machine(hostname);
  const aborted = new Promise<never>((_, reject) => {
    init.signal?.addEventListener('abort', () => reject(init.signal?.reason));
  });
  await Promise.race([universe.pause(CLIENT_DELAY_MS), aborted]);
  const reply = await Promise.race([
    answerOf(machine, {
      method: init.method ?? 'GET',
      path: pathname + search,
      headers: (init.headers ?? {}) as Record<string, string>,
      body: (init.body ?? '') as string,
    }),
    aborted,
  ]);
  await Promise.race([universe.pause(CLIENT_DELAY_MS), aborted]);
  return reply;
}

/** A reply, or the reset that a client sees when the process dies under its request. */
function answerOf(machine: Machine, request: Parameters<Machine['request']>[0]) {
  return Promise.race([machine.request(request), machine.gone()]);
}

/** A client with a key of its own; `number` names the agent. */
export function clientOf(
  net: SimNetwork,
  machine: string,
  number: number,
  onCall: OnCall = () => {},
  seenOrder = new SeenOrder(),
  retries?: number,
): VwsClient & { pair: KeyPair } {
  const seed = new Uint8Array(32).fill(7);
  new DataView(seed.buffer).setUint32(0, number + 1);
  return clientWith(net, machine, keyPairFromSeed(seed), onCall, seenOrder, retries);
}

export function clientWith(
  net: SimNetwork,
  machine: string,
  pair: KeyPair,
  onCall: OnCall = () => {},
  seenOrder = new SeenOrder(),
  retries?: number,
): VwsClient & { pair: KeyPair } {
  const client = new VwsClient({
    baseUrl: `http://${machine}`,
    key: {
      publicKeyHex: pair.publicKeyHex,
      publicKey: pair.publicKey,
      sign: async (message) => pair.sign(message),
    },
    chainId: net.genesis.chainId,
    environment: environmentOf(net, onCall),
    seenOrder,
    ...(retries === undefined ? {} : { retries }),
  });
  return Object.assign(client, { pair });
}
