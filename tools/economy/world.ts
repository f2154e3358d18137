// A chain of one: core.wasm under a simulated consensus time, one block for each second in which something happens.
// Keeps: every decision is the core's; time, order and keys come from the seed. Nothing is signed or stored.

import * as abi from '../../assembly/abi.ts';
import {
  block,
  blockEnd,
  type CommandHead,
  genesisEnd,
  genesisSeat,
  vertex,
} from '../../host/core/commands.ts';
import { Core } from '../../host/core/core.ts';
import { type Outcome, readOutcomes, type TxOutcome } from '../../host/core/outcomes.ts';
import { State } from '../../host/core/state.ts';
import { toHex, utf8 } from '../../host/wire/bytes.ts';
import { sha256 } from '../../host/wire/hash.ts';
import { effectiveParams, paramWords } from '../../host/wire/params.ts';
import { Agenda } from './agenda.ts';
import type { Judge } from './cast.ts';

export const DAY = 86_400;
export const LAUNCH = 1_800_000_000;
const BONDED = 30_000_000_000;
const OPEN_HANDED = { onboarding_daily_budget: 1e15 };

interface Sent {
  command: Uint8Array;
  done: ((outcome: TxOutcome) => void) | undefined;
}

export class World {
  readonly core: Core;
  readonly state: State;
  readonly agenda = new Agenda();
  /** Second of consensus time. */
  now = LAUNCH;
  blocks = 0;
  commands = 0;
  refused = new Map<number, number>();
  onOutcome: (outcome: Outcome) => void = () => {};
  #order = 0;
  /** Seats create vertices in turn. */
  readonly #seats: number;
  #outbox: Sent[] = [];

  constructor(module: WebAssembly.Module, judges: readonly Judge[]) {
    const seats = judges.filter((judge) => judge.isSeat);
    this.#seats = seats.length;
    this.core = Core.create(module, {
      chainId: 'vws-testnet-1',
      testnet: true,
      launchTime: LAUNCH,
      // The cast enters within days; what the daily budget does to many identities is in attacks.ts.
      params: paramWords(effectiveParams({ testnet: true, seats: seats.length, overrides: OPEN_HANDED })),
      capacity: { agents: 10_000, tasks: 100_000, items: 100_000, txIds: 100_000, records: 100_000 },
    });
    this.state = new State(this.core);
    const records = seats.map((judge, seat) =>
      genesisSeat({
        seat,
        status: abi.VALIDATOR_ACTIVE,
        operatorKey: judge.key,
        bondedStake: BONDED,
        baselineBp: 5000,
        validatorId: judge.name,
        consensusKey: judge.key,
        keyEpoch: 1,
        categories: [],
      }),
    );
    this.core.apply([...records, genesisEnd()], () => {});
  }

  at(secs: number, act: () => void): void {
    this.agenda.set(Math.max(secs, this.now), act);
  }

  /** Puts a command into the next block; returns its TxID. */
  send(
    actor: Uint8Array,
    build: (head: CommandHead) => Uint8Array,
    done?: (outcome: TxOutcome) => void,
  ): Uint8Array {
    const txId = sha256(utf8(`tx:${this.commands++}`));
    this.#outbox.push({
      command: build({ txId, actor, auth: abi.AUTH_TX_V1, lastSecs: 0, windowSecs: 0 }),
      done,
    });
    return txId;
  }

  /** Advances to a second, with a block wherever something is due. */
  runUntil(secs: number): void {
    for (;;) {
      const deadline = this.state.header().nextDeadline || Number.POSITIVE_INFINITY;
      const waiting = this.#outbox.length > 0 ? this.now + 1 : Number.POSITIVE_INFINITY;
      const next = Math.min(this.agenda.next, deadline, waiting);
      if (next > secs) break;
      this.now = Math.max(next, this.now);
      this.agenda.runDue(this.now);
      this.#block();
    }
    this.now = secs;
    this.#block();
  }

  #block(): void {
    const sent = this.#outbox;
    this.#outbox = [];
    const index = ++this.blocks;
    const records = [
      block(this.now * 1000, index, sha256(utf8(`block:${index}`))),
      vertex(++this.#order, index % this.#seats, sent.length),
      ...sent.map(({ command }) => command),
      blockEnd(),
    ];
    const outcomes: Outcome[] = [];
    this.core.apply(records, (out) => outcomes.push(...readOutcomes(out)));
    // Callbacks may send and schedule; they see the state after the block.
    for (const outcome of outcomes) {
      if (outcome.kind === 'tx') {
        if (outcome.code !== abi.OK) {
          const key = outcome.opcode * 1000 + outcome.code;
          this.refused.set(key, (this.refused.get(key) ?? 0) + 1);
        }
        sent[outcome.index]!.done?.(outcome);
      }
      this.onOutcome(outcome);
    }
  }
}

/** Task id derived from the event that posted it (protocol 1.3). */
export const taskIdOf = (txId: Uint8Array): Uint8Array => sha256(utf8(`task:${toHex(txId)}`)).subarray(0, 16);

/** The 12 bytes of a challenge's id (protocol 1.3). */
export const challengeIdOf = (txId: Uint8Array): Uint8Array =>
  sha256(utf8(`challenge:${toHex(txId)}`)).subarray(0, 12);
