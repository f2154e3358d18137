// The ledger benchmark's work: random registrations, transfers and verdicts, each as a record of the core and as an
// object of the plain JavaScript peer. Created while no clock runs.
// Keeps: both forms are equivalent; the same seed gives the same work.

import * as abi from '../assembly/abi.ts';
import * as commands from '../host/core/commands.ts';
import { SeededRandom } from '../tools/load/seeded-random.ts';
import type { MapCommand } from './peers/map-types.ts';

/** Registrations that get a grant (protocol 6.11): later agents have nothing to send. */
const FUNDED = 800_000;
/** Part of the grant of the lowest tier, 100 tokens, so that every funded agent can stake it. */
const STAKE_MICRO = 50_000_000;
const MAX_AMOUNT_MICRO = 100_000;

/** Hex as one flat string; a string built character by character would slow the peer down. */
const flatHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

export interface Batch {
  records: Uint8Array[];
  commands: MapCommand[];
}

export class LedgerWork {
  private readonly random: SeededRandom;
  private readonly keys: Uint8Array[] = [];
  private readonly hexKeys: string[] = [];
  readonly operator: Uint8Array;
  /** Agents registered so far. */
  agents = 0;
  private lastTransfers: Uint8Array[] = [];

  /** `keepsKeys` false: for registrations alone, when memory is measured. */
  constructor(
    seed: number,
    private readonly keepsKeys = true,
  ) {
    this.random = new SeededRandom(seed);
    this.operator = this.random.bytes(32);
  }

  registrations(count: number, lastSecs: number): Batch {
    return this.batch(count, () => {
      const key = this.random.bytes(32);
      const agentId = flatHex(key);
      const stake = this.agents++ < FUNDED ? STAKE_MICRO : 0;
      if (this.keepsKeys) {
        this.keys.push(key);
        this.hexKeys.push(agentId);
      }
      const head = this.head(key, lastSecs);
      return [
        commands.register(head, key, stake, agentId),
        {
          op: 'register',
          txId: flatHex(head.txId),
          actor: agentId,
          lastSecs,
          publicKey: agentId,
          stake: BigInt(stake),
          agentId,
        },
      ];
    });
  }

  /** From a funded agent to any other. */
  transfers(count: number, lastSecs: number): Batch {
    this.lastTransfers = [];
    return this.batch(count, () => {
      const from = this.random.below(Math.min(this.keys.length, FUNDED));
      const to = (from + 1 + this.random.below(this.keys.length - 1)) % this.keys.length;
      const amount = this.random.between(1, MAX_AMOUNT_MICRO);
      const head = this.head(this.keys[from]!, lastSecs);
      this.lastTransfers.push(head.txId);
      return [
        commands.transfer(head, this.keys[to]!, amount),
        {
          op: 'transfer',
          txId: flatHex(head.txId),
          actor: this.hexKeys[from]!,
          lastSecs,
          to: this.hexKeys[to]!,
          amount: BigInt(amount),
        },
      ];
    });
  }

  /** The operator's approval of each of the last transfers. */
  verdicts(lastSecs: number): Batch {
    const events = this.lastTransfers;
    return this.batch(events.length, (i) => {
      const head = this.head(this.operator, lastSecs);
      return [
        commands.verify(head, events[i]!, true, undefined, abi.GROUND_NONE, 0),
        {
          op: 'verify',
          txId: flatHex(head.txId),
          actor: flatHex(this.operator),
          lastSecs,
          event: flatHex(events[i]!),
          approves: true,
        },
      ];
    });
  }

  private head(actor: Uint8Array, lastSecs: number): commands.CommandHead {
    return { txId: this.random.bytes(32), actor, auth: abi.AUTH_TX_V1, lastSecs, windowSecs: 240 };
  }

  private batch(count: number, make: (i: number) => [Uint8Array, MapCommand]): Batch {
    const batch: Batch = { records: [], commands: [] };
    for (let i = 0; i < count; i++) {
      const [record, command] = make(i);
      batch.records.push(record);
      batch.commands.push(command);
    }
    return batch;
  }
}
