// Tasks and listings of the crowd: many of them, in every lasting state, as vouched entries.
// Keeps: the same counts and node key give the same tasks; none is refused: posters can pay, claimers hold few.

import type { KeyPair } from '../../host/crypto/key-pair.ts';
import { toHex } from '../../host/wire/bytes.ts';
import { taskId } from '../../host/wire/ids.ts';
import type { SeededRandom } from '../load/seeded-random.ts';
import { vouchedEntry } from './requests.ts';

/** The minimum budget, and the agents of the crowd whose grant covers it and the bond of a worker (protocol 6.11). */
const BUDGET_MICRO = 100_000;
const MAX_WITH_GRANT = 700_000;
/** A prime, so that neighbouring tasks have other workers, and each few. */
const WORKER_STRIDE = 1009;
/** A claim that lasts longer than every benchmark. */
const DELIVERY_SECS = 2_592_000;
const CATEGORIES = Array.from({ length: 20 }, (_, i) => `trade-${i}`);

/** The final state of task i. */
const FATES = [
  'open',
  'open',
  'open',
  'open',
  'open',
  'open',
  'claimed',
  'cancelled',
  'paid',
  'paid',
] as const;

interface Due {
  path: string;
  actor: string;
  body: Record<string, unknown>;
}

export class Marketplace {
  /** Steps of earlier tasks, oldest first. */
  #due: Due[] = [];
  #posted = 0;
  #listed = 0;

  constructor(
    private readonly node: KeyPair,
    private readonly chainId: string,
    private readonly random: SeededRandom,
    private readonly plan: { agents: number; tasks: number; listings: number },
  ) {}

  /** Up to `count` further entries; none once all are made. */
  next(count: number, nowSecs: number): Uint8Array[] {
    const entries: Uint8Array[] = [];
    const due = this.#due.splice(0, count);
    for (const step of due) entries.push(this.#entry(step, nowSecs).bytes);
    while (entries.length < count && this.#listed < this.plan.listings) {
      entries.push(this.#entry(this.#listing(this.#listed++), nowSecs).bytes);
    }
    while (entries.length < count && this.#posted < this.plan.tasks) {
      entries.push(this.#post(this.#posted++, nowSecs));
    }
    return entries;
  }

  #entry({ path, actor, body }: Due, nowSecs: number) {
    const nonce = this.random.bytes(16);
    return vouchedEntry(this.node, actor, { chainId: this.chainId, path, body, nowSecs, nonce });
  }

  #listing(i: number): Due {
    const category = CATEGORIES[i % CATEGORIES.length]!;
    const body = {
      name: `Service ${i}`,
      description: `Does ${category} work, order number ${i}`,
      category,
      price_tok: i % 50,
      tags: [`tag-${i % 97}`],
    };
    return { path: '/v1/registry', actor: `crowd/${i}`, body };
  }

  #post(i: number, nowSecs: number): Uint8Array {
    const agents = Math.min(this.plan.agents, MAX_WITH_GRANT);
    const poster = `crowd/${i % agents}`;
    const worker = `crowd/${(i * WORKER_STRIDE + 1) % agents}`;
    const category = CATEGORIES[i % CATEGORIES.length]!;
    const body = {
      title: `Task ${i}`,
      description: `Work of the kind ${category}`,
      category,
      budget: BUDGET_MICRO,
      max_delivery_time_secs: DELIVERY_SECS,
    };
    const made = this.#entry({ path: '/v1/tasks', actor: poster, body }, nowSecs);
    const id = taskId(toHex(made.id));
    const step = (verb: string, actor: string, more: Record<string, unknown> = {}): void =>
      void this.#due.push({ path: `/v1/tasks/${id}/${verb}`, actor, body: more });
    // Without stake an agent holds one claim.
    const isSecond = i >= agents && FATES[i % FATES.length] === 'claimed';
    const fate = worker === poster || isSecond ? 'open' : FATES[i % FATES.length]!;
    if (fate === 'cancelled') step('cancel', poster);
    if (fate === 'claimed' || fate === 'paid') step('claim', worker);
    if (fate === 'paid') {
      step('submit', worker, { result_content: `Task ${i}: the ${category} work is done.` });
      step('approve', poster);
    }
    return made.bytes;
  }
}
