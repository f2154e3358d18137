// What a flood sends: one row for each kind, with the rate at which it is sent.

import { signRequest } from '../../host/client/signed-request.ts';
import { generateSeed, keyPairFromSeed } from '../../host/crypto/key-pair.ts';
import { systemClock } from '../../host/world/system/clock.ts';
import { randomBytes } from '../../host/world/system/random.ts';

export interface FloodRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
  /** The connection stays open, unfinished or as a stream, for this long. */
  holdMs?: number;
  /** The request is sent without its end. */
  isUnfinished?: boolean;
}

export interface FloodKind {
  about: string;
  perSecond: number;
  /** Makes the request that is sent again and again. */
  make(): Promise<FloodRequest>;
}

const HOLD_MS = 8_000;
const NO_TASK = `/v1/tasks/${'0'.repeat(32)}`;

/** A write whose signature is of another body. */
async function forged(path: string, body: string): Promise<FloodRequest> {
  const signed = await signRequest({
    signer: keyPairFromSeed(generateSeed()),
    chainId: 'vws-testnet-1',
    method: 'POST',
    path,
    body: { forged: true },
    nowSecs: Math.floor(systemClock.nowMs() / 1000),
    nonce: randomBytes(16),
  });
  return { method: 'POST', path, headers: signed.headers, body };
}

/** Members in descending order, so that the body is not in JCS form: 14 bytes and two values (protocol 8.2) each. */
const manyMembers = (count: number): string =>
  `{${Array.from({ length: count }, (_, i) => `"k${900_000 - i}":[1]`).join(',')}}`;

export const FLOODS = {
  bodies: {
    about: '840 kB of small members, more than a body may have, forged signature',
    perSecond: 20,
    make: () => forged(`${NO_TASK}/submit`, manyMembers(60_000)),
  },
  texts: {
    about: 'a text of 1 MB with an escape in every second byte, in another form than JCS, forged signature',
    perSecond: 20,
    make: () => forged(`${NO_TASK}/submit`, ` {"a":"${'\\"'.repeat(500_000)}"}`),
  },
  middling: {
    about:
      '14 kB of as many small members as a body may have, to a path without an hourly limit, forged signature',
    perSecond: 200,
    make: () => forged('/v1/registry', manyMembers(1_000)),
  },
  reads: {
    about: 'pages of the log',
    perSecond: 200,
    make: async () => ({ method: 'GET', path: '/v1/log/vertices', headers: { 'Accept-Encoding': 'gzip' } }),
  },
  signatures: {
    about: 'small writes, forged signature',
    perSecond: 600,
    make: () => forged('/v1/transfer', '{"amount":1,"to_agent":"x"}'),
  },
  handshakes: {
    about: 'connections that send half a request and then nothing',
    perSecond: 200,
    make: async () => ({
      method: 'POST',
      path: '/v1/transfer',
      headers: {},
      holdMs: HOLD_MS,
      isUnfinished: true,
    }),
  },
  streams: {
    about: 'streams of everything that was ever stored',
    perSecond: 100,
    make: async () => ({
      method: 'GET',
      path: '/v1/ws?since=0',
      headers: {
        Upgrade: 'websocket',
        Connection: 'Upgrade',
        'Sec-WebSocket-Version': '13',
        'Sec-WebSocket-Key': 'AAAAAAAAAAAAAAAAAAAAAA==',
      },
      holdMs: HOLD_MS,
    }),
  },
} as const satisfies Record<string, FloodKind>;

export type FloodName = keyof typeof FLOODS;
