// R1: one signed request runs once, however far ahead its clock was, and whichever seat carries it when.
// A dishonest seat needs no admission: it puts the entry into its own vertex, as `order` does here.

import { expect, it } from 'vitest';
import { keyPairFromSeed } from '../../host/crypto/key-pair.ts';
import { type Entry, encodeEntry } from '../../host/wire/entry.ts';
import { sha256Hex } from '../../host/wire/hash.ts';
import { parseBody } from '../../host/wire/json.ts';
import { requestV1SignBytes } from '../../host/wire/request-v1.ts';
import { vouchedSignBytes } from '../../host/wire/vouched.ts';
import {
  FakeClock,
  openParts,
  order,
  SEAT_KEY,
  seedOf,
  send,
  signedEntry,
} from '../host/one-node/harness.ts';
import { report } from './figures.ts';
import { balanceOf, carry } from './lying-seat.ts';

const alice = keyPairFromSeed(seedOf(20));
const TOKEN = 1_000_000;
const AHEAD_SECS = 3500;
/** When the seat tries, in seconds after the request was made; the last times are those at which it is valid. */
const TRIES = [4, 642, 1307, 1961, 2610, 3460, 3500, 3560];
const PATH = '/v1/tasks';
const TASK = { title: 'a', description: 'b', category: 'general', budget: 10 * TOKEN };
const NONCE = '0'.repeat(31);

/** A clock that is this far ahead of the chain's: that of whoever made the request. */
function ahead(clock: FakeClock): FakeClock {
  const other = new FakeClock();
  other.ms = clock.ms + AHEAD_SECS * 1000;
  return other;
}

const secsOf = (clock: FakeClock): number => Math.floor(clock.nowMs() / 1000);

function requestV1(clock: FakeClock): Entry {
  const body = Buffer.from(JSON.stringify(TASK));
  const request = {
    agentId: alice.publicKeyHex,
    timestamp: secsOf(ahead(clock)),
    nonce: `${NONCE}1`,
  };
  const signature = alice.sign(requestV1SignBytes(request, 'POST', PATH, sha256Hex(body)));
  return { scheme: 'request_v1', request, signature, method: 'POST', path: PATH, body };
}

/** Vouched for by the seat, as an unsigned write is. */
function vouched(clock: FakeClock): Entry {
  const body = Buffer.from(JSON.stringify(TASK));
  const envelope = {
    chainId: 'vws-testnet-1',
    actor: alice.publicKeyHex,
    createdAt: secsOf(ahead(clock)),
    nonce: `${NONCE}2`,
    node: SEAT_KEY.publicKey,
    keyId: '',
  };
  const signature = SEAT_KEY.sign(vouchedSignBytes(envelope, 'POST', PATH, parseBody(body).sha256));
  return { scheme: 'vouched', vouched: envelope, signature, method: 'POST', path: PATH, body };
}

/** How often the request runs with success, and what it cost its signer, micro-units. */
async function attack(make: (clock: FakeClock) => Entry): Promise<{ runs: number; spentMicro: number }> {
  const p = await openParts({ params: { allow_unsigned: 'true' } });
  await send(p, alice, '/v1/agents', {});
  const before = balanceOf(p, alice);
  const startMs = p.clock.ms;
  const bytes = encodeEntry(make(p.clock));
  let runs = 0;
  for (const secs of TRIES) {
    p.clock.ms = startMs + secs * 1000;
    await order(p, []);
    if ((await carry(p, bytes)).outcome.code === 0) runs += 1;
  }
  expect(p.failure).toEqual([]);
  return { runs, spentMicro: before - balanceOf(p, alice) };
}

it('a request made 3,500 s ahead runs once, and is paid for once', async () => {
  const { runs, spentMicro } = await attack((clock) => signedEntry(ahead(clock), alice, PATH, TASK));
  report({ attack: 'R1', what: 'times one signed request runs', before: '5', after: String(runs) });
  expect([runs, spentMicro]).toEqual([1, 10 * TOKEN]);
});

it('so does one of SERVICE-REQUEST-V1', async () => {
  const { runs, spentMicro } = await attack(requestV1);
  expect([runs, spentMicro]).toEqual([1, 10 * TOKEN]);
});

it('so does one that the seat vouches for', async () => {
  const { runs, spentMicro } = await attack(vouched);
  expect([runs, spentMicro]).toEqual([1, 10 * TOKEN]);
});
