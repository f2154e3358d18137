// Limits on what tools may spend, which the model cannot change, and the account of what they spent.
//
//   <spool>/spent/2026-11-22/000001.json   {"tool":"transfer","amount_micro":2500000,"total_micro":2500000,...}
//   <spool>/spent/2026-11-22/000002.json   the next one; `total_micro` is the day's sum so far
//
// Keeps: an amount is counted, durably, before the request that spends it is sent. Entries are numbered and each is
// created once, so that several processes with one key share one account without a lock. A day is one of UTC.

import type { Clock } from '../world/clock.ts';
import type { Files } from '../world/files.ts';
import { type Amount, amount } from './fields.ts';
import { ToolRefusal } from './refusal.ts';
import type { Intent } from './tool.ts';

export interface Limits {
  perCallMicro: number;
  perDayMicro: number;
  /** Agents that may get money; undefined: any. */
  recipients: readonly string[] | undefined;
}

export interface Counted {
  tool: string;
  amount_micro: number;
  /** Sum of the day, this entry included. */
  total_micro: number;
  at: string;
}

/** Limits and what is left of them, as tools show it. */
export interface Allowance {
  per_call: Amount;
  per_day: Amount;
  left_today: Amount;
  recipients?: readonly string[];
}

interface SpendingOptions {
  files: Pick<Files, 'exists' | 'readText' | 'writeNew' | 'makeDirectory'>;
  folder: string;
  clock: Pick<Clock, 'nowMs'>;
  limits: Limits;
}

const PERSON = 'Ask the person who runs this: only they can change the limits.';

export class Spending {
  /** The newest entry seen, and its day. */
  #last = { day: '', number: 0 };

  constructor(private readonly o: SpendingOptions) {}

  /** Counts what an intent spends. Errors: ToolRefusal when that is not allowed; nothing is counted then. */
  count(intent: Intent): Counted | undefined {
    const { limits } = this.o;
    checkRecipient(intent, limits);
    const { spendMicro, feeMicro = 0, releaseMicro = 0 } = intent;
    for (const micro of [spendMicro, feeMicro, releaseMicro]) checkAmount(micro);
    const micro = spendMicro + feeMicro;
    const ofFee =
      feeMicro === 0
        ? ''
        : ` The name of the new category costs ${amount(feeMicro).tokens}: code, data and general cost nothing.`;
    const details = feeMicro === 0 ? {} : { category_fee: amount(feeMicro) };
    if (Math.max(micro, releaseMicro) > limits.perCallMicro) {
      throw new ToolRefusal(
        'spending_limit',
        'the amount is above what one call may spend',
        `Use at most ${amount(limits.perCallMicro).tokens} tokens a call.${ofFee} ${PERSON}`,
        { per_call: amount(limits.perCallMicro), ...details },
      );
    }
    if (micro === 0) return undefined;
    return this.#append(intent.tool, micro, (total) => {
      if (total + micro <= limits.perDayMicro) return;
      const left = Math.max(0, limits.perDayMicro - total);
      throw new ToolRefusal(
        'spending_limit',
        'the amount is above what is left for today',
        `${amount(left).tokens} tokens are left until midnight UTC.${ofFee} ${PERSON}`,
        { per_day: amount(limits.perDayMicro), left_today: amount(left), ...details },
      );
    });
  }

  /** Takes back what was counted for a request that was never sent: on its own day, of no other's limit. */
  giveBack(counted: Counted | undefined): void {
    if (counted?.at.startsWith(this.#today())) this.#append(counted.tool, -counted.amount_micro, () => {});
  }

  report(): Allowance {
    const { perCallMicro, perDayMicro, recipients } = this.o.limits;
    const spent = this.#newest(this.#today())?.total_micro ?? 0;
    return {
      per_call: amount(perCallMicro),
      per_day: amount(perDayMicro),
      left_today: amount(Math.max(0, perDayMicro - spent)),
      ...(recipients === undefined ? {} : { recipients }),
    };
  }

  /** `check`: gets the sum before; throws to refuse. */
  #append(tool: string, micro: number, check: (totalMicro: number) => void): Counted {
    const { files, clock } = this.o;
    const day = this.#today();
    files.makeDirectory(this.#folderOf(day));
    for (;;) {
      const total = this.#newest(day)?.total_micro ?? 0;
      check(total);
      const at = new Date(clock.nowMs()).toISOString();
      const entry: Counted = { tool, amount_micro: micro, total_micro: Math.max(0, total + micro), at };
      try {
        files.writeNew(this.#pathOf(day, this.#last.number + 1), `${JSON.stringify(entry)}\n`, 0o600);
        return entry;
      } catch (error) {
        // Another process was first: its entry counts too.
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
    }
  }

  #newest(day: string): Counted | undefined {
    if (this.#last.day !== day) this.#last = { day, number: 0 };
    while (this.o.files.exists(this.#pathOf(day, this.#last.number + 1))) this.#last.number += 1;
    if (this.#last.number === 0) return undefined;
    return JSON.parse(this.o.files.readText(this.#pathOf(day, this.#last.number))) as Counted;
  }

  #today(): string {
    return new Date(this.o.clock.nowMs()).toISOString().slice(0, 10);
  }

  #folderOf(day: string): string {
    return `${this.o.folder}/spent/${day}`;
  }

  #pathOf(day: string, number: number): string {
    return `${this.#folderOf(day)}/${String(number).padStart(6, '0')}.json`;
  }
}

/** Bonds and escrows are as the node names them: less than nothing would make room for more. */
function checkAmount(micro: number): void {
  if (Number.isSafeInteger(micro) && micro >= 0) return;
  throw new ToolRefusal(
    'bad_answer',
    'the node names no amount that this would cost',
    'Nothing was sent. Tell the person who runs this: the node lies, or is of another version.',
  );
}

function checkRecipient({ recipient }: Intent, { recipients }: Limits): void {
  if (recipient === undefined || recipients === undefined) return;
  if (recipient !== ANYONE && recipients.includes(recipient.agent)) return;
  const whom = recipient === ANYONE ? 'any agent that claims the task' : recipient.agent;
  throw new ToolRefusal(
    'recipient_not_allowed',
    `these tools may not pay ${whom}`,
    recipients.length === 0
      ? `They may pay nobody. ${PERSON}`
      : `They may pay ${recipients.join(', ')}. ${PERSON}`,
  );
}

/** A recipient that is not known beforehand. */
export const ANYONE = 'anyone';
