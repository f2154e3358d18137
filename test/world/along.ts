// The plain model of the core, run along the order that a machine's disk holds: each outcome of the core and each answer
// that clients have kept is compared with what the model gives at that place.
// Keeps: the model shares no code with the core; what it does not know is counted, not passed over in silence.

import * as abi from '../../assembly/abi.ts';
import { TABLES } from '../../host/core/core.ts';
import { REFUSALS } from '../../host/core/refusals.ts';
import { State } from '../../host/core/state.ts';
import { TASK_STATUS } from '../../host/core/task-names.ts';
import { Identities } from '../../host/execution/identity.ts';
import { openCore } from '../../host/execution/open-core.ts';
import { openLog } from '../../host/execution/open-log.ts';
import * as recovery from '../../host/execution/recovery.ts';
import { OBSERVER } from '../../host/ordering/ordering.ts';
import { paramWords } from '../../host/wire/params.ts';
import { type Call, isExecuted, isSuccess, isWrite } from '../../tools/histories/call.ts';
import { decodeOutcomes, type Outcome } from '../core/outcomes.ts';
import { commandOf, RecordReader, seatOf, UnknownCommand } from '../core/record-reader.ts';
import { verifyMany } from '../host/ingress/loop-room.ts';
import * as figures from '../model/figures.ts';
import { Model } from '../model/model.ts';
import type { ModelTask } from '../model/task-state.ts';
import { DiskStore } from './disk.ts';
import { type Machine, modules } from './machine.ts';
import type { SimNetwork } from './network.ts';

const BALANCE = /^\/v1\/agents\/([0-9a-f]{64})\/balance$/;
const TASK = /^\/v1\/tasks\/([0-9a-f]{32})$/;

export interface Comparison {
  /** The first thing that differs; undefined: all is as the model has it. */
  fault: string | undefined;
  blocks: number;
  /** Answers that were compared. */
  answers: number;
  /** Answers about which the model says nothing, by what was asked. */
  unknown: ReadonlyMap<string, number>;
}

/** `machine`: its disk has the whole log. */
export async function compareAlong(
  net: SimNetwork,
  machine: Machine,
  calls: readonly Call[],
): Promise<Comparison> {
  const { genesis, scale } = net;
  const store = new DiskStore(machine.disk, { written() {}, synced: async () => {}, powerFailed() {} });
  const core = openCore(genesis, modules['core.wasm'], scale);
  const follower = new Follower(modelOf(net), calls);
  const apply = core.apply.bind(core);
  core.apply = (records, onOut) => {
    const outcomes: Outcome[] = [];
    apply(records, (out) => {
      outcomes.push(...decodeOutcomes(out.bytes.slice()));
      onOut(out);
    });
    follower.follow(records, outcomes);
  };
  recovery.applyGenesis(core, genesis);
  try {
    await openLog({
      clock: { soon: (fn) => void setImmediate(fn) },
      store,
      genesis,
      ids: new Identities(new State(core), store, genesis),
      module: modules['consensus.wasm'],
      seat: OBSERVER,
      sign: () => new Uint8Array(64),
      from: undefined,
      to: recovery.readHead(store),
      limits: scale.limits,
      verify: verifyMany,
    });
  } catch (error) {
    if (!(error instanceof Difference || error instanceof UnknownCommand)) throw error;
    return { ...follower.figures, fault: `${error.name}: ${error.message}` };
  }
  const fault = follower.writesFault();
  return { ...follower.figures, fault };
}

/** Core or answer are not what the model gives. */
class Difference extends Error {
  override name = 'the model differs';
}

const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? `${one}n` : one));

/** What a transaction became, by the model. */
interface Executed {
  code: number;
  order: number;
}

/** A request that came again, after it was executed or out of its window (protocol 1.8). */
const CONSUMES_NOTHING: ReadonlySet<number> = new Set([abi.DUPLICATE_TX, abi.TX_EXPIRED]);

/** Rows of a table that no run fills. */
const ROOMY = 1_000_000;

function modelOf({ genesis, scale }: SimNetwork): Model {
  const { chainId, testnet, launchTime, params } = genesis;
  return new Model({
    chainId,
    testnet,
    launchSecs: launchTime,
    params: paramWords(params).map(Number),
    capacities: TABLES.map((table) => scale.capacity[table] ?? ROOMY),
  });
}

class Follower {
  readonly #executed = new Map<string, Executed>();
  /** Tasks that have left the model, as they were then. */
  readonly #ended = new Map<string, TaskRow>();
  /** Reads by the order that they show. */
  readonly #reads = new Map<number, Call[]>();
  /** What the core told of the open block so far. */
  #told: string[] = [];
  #blocks = 0;
  #answers = 0;
  readonly #unknown = new Map<string, number>();

  constructor(
    private readonly model: Model,
    private readonly calls: readonly Call[],
  ) {
    for (const call of calls) {
      if (isWrite(call) || call.order === undefined) continue;
      this.#reads.set(call.order, [...(this.#reads.get(call.order) ?? []), call]);
    }
  }

  get figures(): Omit<Comparison, 'fault'> {
    return { blocks: this.#blocks, answers: this.#answers, unknown: this.#unknown };
  }

  /** Records as the core got them, and what it said. Errors: Difference, UnknownCommand. */
  follow(records: readonly Uint8Array[], outcomes: readonly Outcome[]): void {
    const { model } = this;
    for (const bytes of records) this.#record(new RecordReader(bytes));
    this.#told.push(...outcomes.filter(({ kind }) => kind === 'tx' || kind === 'event').map(headOf));
    if (records.every((bytes) => new RecordReader(bytes).opcode !== abi.OP_BLOCK_END)) return;
    const told = this.#told;
    this.#told = [];
    const expected = model.s.out.map(headOf);
    for (const [i, one] of expected.entries()) {
      if (one !== told[i]) this.#differ(`the core told ${told[i] ?? 'nothing'} and not ${one}`);
    }
    if (told.length > expected.length) this.#differ(`the core told ${told[expected.length]} beside`);
    for (const out of model.s.out) {
      // The same request again, in another vertex, changes nothing.
      if (out.kind !== 'tx' || (CONSUMES_NOTHING.has(out.code) && this.#executed.has(out.txid))) continue;
      this.#executed.set(out.txid, { code: out.code, order: out.order });
    }
    model.s.out = [];
    for (const task of model.blockEnd().tasks) this.#ended.set(task.id, rowOf(task));
    model.assertSupply();
    this.#blocks += 1;
    for (const call of this.#reads.get(model.s.order) ?? []) this.#read(call);
    this.#reads.delete(model.s.order);
  }

  #record(r: RecordReader): void {
    const { model } = this;
    switch (r.opcode) {
      case abi.OP_GENESIS_SEAT:
        model.seat(seatOf(r));
        break;
      case abi.OP_GENESIS_END:
      case abi.OP_BLOCK_END:
        break;
      case abi.OP_BLOCK:
        model.block(Number(r.u64(8)), Number(r.u64(16)), r.bytes.slice(24, 56));
        break;
      case abi.OP_VERTEX:
        model.vertex(Number(r.u64(8)), r.u32(16), r.u32(20) & 0xffff, r.u32(20) >>> 16);
        break;
      case abi.OP_EXCLUDE_SEAT:
        model.excludeSeat(r.u32(8));
        break;
      case abi.OP_RESUME_SEAT:
        model.resumeSeat(r.u32(8), r.u32(12), Number(r.u64(16)), r.u32(24) === 1);
        break;
      case abi.OP_RUN_END:
        model.runEnd({
          isPassed: r.u32(abi.IN_RUN_PASSED) === 1,
          scoreBp: r.u32(abi.IN_RUN_SCORE_BP),
          check: r.u32(abi.IN_RUN_CHECK),
        });
        break;
      case abi.OP_EPOCH_END:
        model.epochEnd();
        break;
      default:
        model.command(commandOf(r));
    }
  }

  #differ(text: string): never {
    throw new Difference(`block ${this.model.s.block}, order ${this.model.s.order}: ${text}`);
  }

  /** A read that shows the state after this block. */
  #read(call: Call): void {
    const agent = BALANCE.exec(call.path)?.[1];
    const task = TASK.exec(call.path)?.[1];
    const isAnswer = isSuccess(call.status) || call.status === 404;
    if (!isAnswer || (agent === undefined && task === undefined)) {
      this.#count(call);
      return;
    }
    const right = agent === undefined ? this.#task(task!) : this.#money(agent);
    const shown = isSuccess(call.status) ? shownOf(call.body as Row, agent === undefined) : undefined;
    this.#answers += 1;
    if (textOf(right) === textOf(shown)) return;
    this.#differ(
      `${call.path} at ${call.machine} shows ${textOf(shown) ?? 'nothing'} and not ${textOf(right)}`,
    );
  }

  #money(key: string): Money | undefined {
    const { s } = this.model;
    const agent = s.agents.find((a) => a.key === key || a.publicKey === key);
    if (!agent) return undefined;
    const { balance, staked } = agent;
    return { balance: Number(balance), staked: Number(staked), reserved: Number(figures.reserved(s, agent)) };
  }

  #task(id: string): TaskRow | undefined {
    const live = this.model.s.tasks.find((task) => task.id === id);
    return live ? rowOf(live) : this.#ended.get(id);
  }

  #count({ method, path, status, code }: Call): void {
    const what = `${method} ${path.replace(/[0-9a-f]{24,64}/g, '..')}${isSuccess(status) ? '' : ` ${code ?? 'unanswered'}`}`;
    this.#unknown.set(what, (this.#unknown.get(what) ?? 0) + 1);
  }

  /** Once the order has ended: answers to writes, and reads of places where no block ends. */
  writesFault(): string | undefined {
    for (const calls of this.#reads.values()) for (const call of calls) this.#count(call);
    for (const call of this.calls) {
      if (!isWrite(call)) {
        if (call.order === undefined) this.#count(call);
        continue;
      }
      const text = this.#writeFault(call);
      if (text !== undefined)
        return `the model differs: ${call.method} ${call.path} at ${call.machine} ${text}`;
    }
    return undefined;
  }

  /** Was the same request under way elsewhere when this one was refused, or sent later: it may have been executed then. */
  #wasSentAgain(refused: Call): boolean {
    const { txId, startMs } = refused;
    return this.calls.some(
      (call) => call !== refused && call.txId === txId && (call.endMs ?? Number.POSITIVE_INFINITY) > startMs,
    );
  }

  #writeFault(call: Call): string | undefined {
    const { txId = '', code, order } = call;
    const right = this.#executed.get(txId);
    if (!right || call.status === undefined || call.status >= 500) {
      // What is refused before it gets a place in the order has none here either.
      this.#count(call);
      return undefined;
    }
    this.#answers += 1;
    if (right.code === abi.OK) {
      if (!isExecuted(call)) {
        // A repeated registration is told what it made (protocol 4.1).
        const isTold = code === 'DUPLICATE_TX' || code === 'already_registered';
        const isRight = isTold || this.#wasSentAgain(call);
        return isRight ? undefined : `was answered ${code}, and is executed`;
      }
      return order === right.order ? undefined : `was answered at order ${order}, and is at ${right.order}`;
    }
    if (isExecuted(call)) return `was answered as executed, and is refused with code ${right.code}`;
    const name = REFUSALS[right.code]?.[0];
    return code === name || code === 'DUPLICATE_TX' ? undefined : `was answered ${code}, and not ${name}`;
  }
}

/** A transaction's outcome whole, of an event its place. */
function headOf(outcome: object): string {
  const { kind, type, id, txid, seq, order, index, code, opcode, words } = outcome as Row;
  return textOf({ kind, type, id, txid, seq, order, index, code, opcode, words });
}

type Row = Readonly<Record<string, unknown>>;

interface Money {
  balance: number;
  staked: number;
  reserved: number;
}

interface TaskRow {
  status: string;
  claimer: string | undefined;
}

const rowOf = ({ status, claimer }: ModelTask): TaskRow => ({
  status: TASK_STATUS[status]!,
  claimer: claimer?.publicKey || undefined,
});

const shownOf = (body: Row, isTask: boolean): unknown =>
  isTask
    ? { status: body.status, claimer: body.claimer_id }
    : { balance: body.balance, staked: body.staked_amount, reserved: body.reserved };
