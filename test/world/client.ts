// A client of the simulated network: the project's own client, over wires instead of sockets.

import { VwsClient } from '../../host/client/client.ts';
import { type KeyPair, keyPairFromSeed } from '../../host/crypto/key-pair.ts';
import type { Environment } from '../../host/world/world.ts';
import type { Call } from './history.ts';
import type { Machine } from './machine.ts';
import type { SimNetwork } from './network.ts';

/** Receives each exchange when it has ended, with or without an answer. */
export type OnCall = (call: Omit<Call, 'agent'>) => void;

/** One way between a client and a node. */
const CLIENT_DELAY_MS = 5;

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
  const { restores: disk } = net.machine(hostname).disk;
  const call = { machine: hostname, disk, method, path: pathname, startMs: net.universe.nowMs };
  try {
    const response = await fetchFrom(net, url, init);
    const order = response.headers.get('x-service-order');
    const txId = response.headers.get('x-service-txid');
    onCall({
      ...call,
      endMs: net.universe.nowMs,
      status: response.status,
      ...(order === null ? {} : { order: Number(order) }),
      ...(txId === null ? {} : { txId }),
    });
    return response;
  } catch (error) {
    onCall(call);
    throw error;
  }
}

async function fetchFrom(net: SimNetwork, url: string, init: RequestInit): Promise<Response> {
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
  const body = typeof reply.body === 'string' ? reply.body : new Uint8Array(reply.body);
  return new Response(reply.status === 204 ? null : body, { status: reply.status, headers: reply.headers });
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
): VwsClient & { pair: KeyPair } {
  const seed = new Uint8Array(32).fill(7);
  new DataView(seed.buffer).setUint32(0, number + 1);
  const pair = keyPairFromSeed(seed);
  const client = new VwsClient({
    baseUrl: `http://${machine}`,
    key: {
      publicKeyHex: pair.publicKeyHex,
      publicKey: pair.publicKey,
      sign: async (message) => pair.sign(message),
    },
    chainId: net.genesis.chainId,
    environment: environmentOf(net, onCall),
  });
  return Object.assign(client, { pair });
}
