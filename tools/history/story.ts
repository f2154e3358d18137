// A random but repeatable stream of transactions: agents join, stake, pay each other, claim work, get verdicts; some
// requests are repeated, overdrawn or not transactions at all.
// Keeps: the same seed, keys and times give the same entries. Knows nothing of balances: refusals belong to the story.

import type { KeyPair } from '../../host/crypto/key-pair.ts';
import { keyPairFromSeed } from '../../host/crypto/key-pair.ts';
import { toHex } from '../../host/wire/bytes.ts';
import type { SeededRandom } from '../load/seeded-random.ts';
import { type MadeEntry, signedEntry, vouchedEntry, type Write } from './requests.ts';

const TOKEN = 1_000_000;
/** Entries and open events remembered for repeats and verdicts. */
const REMEMBERED = 4096;
const MAX_BYTES = 200;

/** Relative frequencies. */
const PARTS = {
  transfer: 34,
  verdict: 28,
  generation: 10,
  stake: 10,
  unstake: 4,
  overdraw: 2,
  faucet: 2,
  apiKey: 1,
  newcomer: 5,
  repeat: 2,
  garbage: 2,
} as const;
type Kind = keyof typeof PARTS;
const SUM = Object.values(PARTS).reduce((a, b) => a + b, 0);

export class Story {
  private readonly cast: KeyPair[];
  private readonly open: string[] = [];
  private readonly past: Uint8Array[] = [];
  private joined = 0;

  /**
   * `node`: the seat's key, whose agent also gives the verdicts. `castCount`: agents with their own keys. `unit`: what sums are
   * multiples of, micro-units: a long story has small ones, or its cast has nothing left and all the rest is refused.
   */
  constructor(
    private readonly node: KeyPair,
    private readonly chainId: string,
    private readonly random: SeededRandom,
    castCount: number,
    private readonly unit = TOKEN,
  ) {
    this.cast = Array.from({ length: castCount }, () => keyPairFromSeed(random.bytes(32)));
  }

  /** Registrations of the cast, which the rest of the story needs first. */
  opening(nowSecs: number): Uint8Array[] {
    return this.cast.map((key) => {
      const body = { initial_stake: 10_000 * TOKEN, display_name: `Agent ${key.publicKeyHex.slice(0, 6)}` };
      return this.tell(signedEntry(key, this.write('/v1/agents', body, nowSecs)));
    });
  }

  /** A keyless agent with its own name, registered through the node. */
  newcomer(nowSecs: number): Uint8Array {
    const id = `crowd/${this.joined++}`;
    return vouchedEntry(this.node, id, this.write('/v1/agents', { agent_id: id }, nowSecs)).bytes;
  }

  next(nowSecs: number): Uint8Array {
    const key = this.random.pick(this.cast);
    const post = (path: string, body: Record<string, unknown>): Uint8Array =>
      this.tell(signedEntry(key, this.write(path, body, nowSecs)));
    switch (this.kind()) {
      case 'transfer':
        return this.pending(signedEntry(key, this.write('/v1/transfer', this.payment(), nowSecs)));
      case 'generation': {
        const body = {
          claimed_value: this.random.between(1, 50 * this.unit),
          evidence_hash: toHex(this.random.bytes(32)),
        };
        return this.pending(signedEntry(key, this.write('/v1/generation', body, nowSecs)));
      }
      case 'verdict':
        return this.verdict(nowSecs);
      case 'stake':
        return post('/v1/stake', { amount: this.random.between(1, 200 * this.unit) });
      case 'unstake':
        return post('/v1/unstake', { amount: this.random.between(1, 20 * this.unit) });
      case 'overdraw':
        return post('/v1/stake', { amount: 10_000_000 * TOKEN });
      case 'faucet':
        return post('/v1/faucet', {});
      case 'apiKey':
        return this.tell(
          signedEntry(key, this.write('/v1/platform/keys', { name: 'bot' }, nowSecs), this.node),
        );
      case 'newcomer':
        return this.newcomer(nowSecs);
      case 'repeat':
        return this.past.length > 0 ? this.random.pick(this.past) : this.newcomer(nowSecs);
      case 'garbage':
        return this.random.bytes(this.random.between(1, MAX_BYTES));
    }
  }

  private kind(): Kind {
    let at = this.random.below(SUM);
    for (const [kind, part] of Object.entries(PARTS)) {
      at -= part;
      if (at < 0) return kind as Kind;
    }
    throw new Error('the frequencies of the story do not add up');
  }

  private write(path: string, body: Record<string, unknown>, nowSecs: number): Write {
    return { chainId: this.chainId, path, body, nowSecs, nonce: this.random.bytes(16) };
  }

  /** To one of the cast, possibly the sender itself, or to one of the crowd. */
  private payment(): Record<string, unknown> {
    const toCrowd = this.joined > 0 && this.random.below(4) === 0;
    const to = toCrowd ? `crowd/${this.random.below(this.joined)}` : this.random.pick(this.cast).publicKeyHex;
    return { to_agent: to, amount: this.random.between(1, 30 * this.unit), memo: 'for work done' };
  }

  private verdict(nowSecs: number): Uint8Array {
    if (this.open.length === 0) return this.newcomer(nowSecs);
    const [event] = this.open.splice(this.random.below(this.open.length), 1) as [string];
    const body = { event_id: event, verdict: this.random.below(20) !== 0 };
    return this.tell(signedEntry(this.node, this.write('/v1/verify', body, nowSecs)));
  }

  private pending(made: MadeEntry): Uint8Array {
    if (this.open.length < REMEMBERED) this.open.push(toHex(made.id));
    return this.tell(made);
  }

  private tell(made: MadeEntry): Uint8Array {
    if (this.past.length < REMEMBERED) this.past.push(made.bytes);
    else this.past[this.random.below(REMEMBERED)] = made.bytes;
    return made.bytes;
  }
}
