// What the state root costs a transfer, for the suite `proofs`: the root of the core and the root of the documents, with so
// many transfers between two checkpoints, beside the execution of these transfers in the core.
// Keeps: CPU of this process, no time by the clock. The core has each transfer settled by a verdict before the root is computed; among
// the documents its event is open until so many later ones are.

import { eventLeaf, leafKey } from '../host/store/document-leaves.ts';
import { DocumentRoot } from '../host/store/document-root.ts';
import { MemoryStore } from '../host/store/memory-store.ts';
import { WriteSet } from '../host/store/write-set.ts';
import { toHex } from '../host/wire/bytes.ts';
import { sha256 } from '../host/wire/hash.ts';
import { applyRecords, blockRecords, newCore, OPEN_HANDED } from './core-block.ts';
import { type Batch, LedgerWork } from './ledger-work.ts';
import { type Row, row } from './row.ts';

const SEED = 20_260_101;
const START_MS = 1_700_000_000_000;
const BLOCK_MS = 10_000;
const PER_BLOCK = 100;
/** Events that are open at a time. */
const OPEN = 1_000;
const FULL = { agents: 100_000, perRoot: [100, 1_000, 10_000], transfers: 40_000, warmup: 10_000 };
const SMALL = { agents: 300, perRoot: [100], transfers: 400, warmup: 100 };

/** Microseconds of CPU that a function takes. */
function cpuOf(run: () => void): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

class Settled {
  readonly work = new LedgerWork(SEED);
  readonly #store = new MemoryStore();
  readonly tree = new DocumentRoot(this.#store);
  #block = 0;
  #seq = 0;

  private constructor(readonly core: Awaited<ReturnType<typeof newCore>>['core']) {}

  static async begin(agents: number): Promise<Settled> {
    const operator = toHex(new LedgerWork(SEED).operator);
    const { core } = await newCore(operator, { ...OPEN_HANDED, agents: 2 * agents + 64, tasks: 1 });
    const settled = new Settled(core);
    const { work, tree } = settled;
    while (work.agents < agents - 1) {
      const batch = work.registrations(Math.min(PER_BLOCK, agents - 1 - work.agents), settled.#lastSecs);
      settled.#apply(batch);
      for (const record of batch.records)
        tree.change({ key: leafKey('agent', sha256(record)), value: sha256(record) });
    }
    await settled.roots();
    return settled;
  }

  get #lastSecs(): number {
    return (START_MS + this.#block * BLOCK_MS) / 1000 + 120;
  }

  #apply({ records }: Batch): void {
    const timeMs = START_MS + this.#block * BLOCK_MS;
    this.#block += 1;
    applyRecords(this.core, blockRecords(timeMs, this.#block, records));
  }

  /** CPU of executing so many transfers, and of noting their events in the tree. */
  transfers(count: number): { core: number; documents: number } {
    const cpu = { core: 0, documents: 0 };
    for (let done = 0; done < count; done += PER_BLOCK) {
      const sent = this.work.transfers(PER_BLOCK, this.#lastSecs);
      cpu.core += cpuOf(() => this.#apply(sent));
      const judged = this.work.verdicts(this.#lastSecs);
      cpu.core += cpuOf(() => this.#apply(judged));
      cpu.documents += cpuOf(() => {
        for (const record of sent.records) {
          const seq = this.#seq++;
          this.tree.change({ key: eventLeaf(seq), value: sha256(record) });
          if (seq >= OPEN) this.tree.change({ key: eventLeaf(seq - OPEN), value: undefined });
        }
      });
    }
    return cpu;
  }

  /** CPU of both roots. */
  async roots(): Promise<{ core: number; documents: number }> {
    const set = new WriteSet(this.#store);
    const cpu = {
      core: cpuOf(() => void this.core.stateHash()),
      documents: cpuOf(() => void this.tree.update(set)),
    };
    await this.#store.write(set.ops());
    return cpu;
  }
}

export async function rootRows(isSmall: boolean): Promise<Row[]> {
  const { agents, perRoot, transfers, warmup } = isSmall ? SMALL : FULL;
  const settled = await Settled.begin(agents);
  settled.transfers(warmup);
  await settled.roots();
  const rows: Row[] = [];
  for (const count of perRoot) {
    const sum = { execution: 0, core: 0, documents: 0 };
    for (let done = 0; done < transfers; done += count) {
      const executed = settled.transfers(count);
      const roots = await settled.roots();
      sum.execution += executed.core;
      sum.core += roots.core;
      sum.documents += executed.documents + roots.documents;
    }
    const params = { agents, 'transfers between roots': count };
    const beside = { name: 'its execution in the core', value: sum.execution / transfers };
    for (const part of ['core', 'documents'] as const) {
      const name = `root of the ${part}, for a settled transfer`;
      rows.push(row('proofs', name, params, 'µs CPU', sum[part] / transfers, beside));
    }
  }
  return rows;
}
