// What exists on a fuzzed node, read from its answers: so that random writes hit things that exist and mostly
// come from agents that may write them. Asserts nothing.

import { CHECK_DIGESTS } from '../../host/modules/module-digests.ts';
import type { Operation, OperationName } from '../../host/wire/operations.ts';
import { OPERATIONS } from '../../host/wire/operations.ts';
import { fillPlaceholders, type Placeholder } from '../../host/wire/placeholders.ts';
import { Agent, type Json } from './agent.ts';
import { programNamed } from './program-cases.ts';
import type { ShapedWrite } from './shaped-writes.ts';

type Party = 'poster_id' | 'claimer_id' | 'reserved_for';
/** State of a task in which an operation is possible, and which of its parties acts. */
const STEPS: Partial<Record<OperationName, readonly [string, Party | undefined]>> = {
  taskClaim: ['open', undefined],
  taskSubmit: ['claimed', 'claimer_id'],
  trajectoryCommit: ['claimed', 'claimer_id'],
  subtaskCreate: ['claimed', 'claimer_id'],
  taskApprove: ['submitted', 'poster_id'],
  taskDispute: ['submitted', 'poster_id'],
  taskContest: ['disputed', 'claimer_id'],
  taskConcede: ['disputed', 'claimer_id'],
  taskOpen: ['disputed', 'claimer_id'],
  taskCancel: ['open', 'poster_id'],
  taskRelease: ['claimed', 'claimer_id'],
  taskDecline: ['open', 'reserved_for'],
};
/** Done by the operator of seat-1. */
const OF_SEAT: ReadonlySet<OperationName> = new Set(['keyRotate', 'recoverySet', 'validatorJudge']);
const NONE = 'f'.repeat(32);

export interface Request {
  who: Agent;
  path: string;
  body: object;
}

const one = <T>(list: readonly T[], n: number): T | undefined => list[n % Math.max(1, list.length)];

export class FuzzWorld {
  readonly tasks = new Map<string, Json>();
  readonly #open = new Set<string>();
  readonly #contested: string[] = [];
  readonly #events: string[] = [];
  readonly #challenges: string[] = [];
  #programs = 0;
  readonly #keys: { id: string; owner: Agent }[] = [];

  /**
   * `operator`: whose verdicts count. `seat`: operator of seat-1, by whose key it rotates. `applicant`: with the stake of a
   * validator.
   */
  constructor(
    readonly agents: readonly Agent[],
    readonly operator: Agent,
    readonly seat: Agent,
    readonly applicant: Agent,
  ) {}

  /** The write as it is sent now: by whom, on what. */
  request(name: OperationName, write: ShapedWrite): Request {
    const operation: Operation = OPERATIONS[name];
    const { target, fits } = write;
    let who = one(this.agents, write.who)!;
    const step = STEPS[name];
    const isFit = (t: Json): boolean =>
      !fits || !step || (t.status === step[0] && (!step[1] || t[step[1]] !== undefined));
    const fitting = [...this.tasks.values()].filter(isFit);
    const task = one(fitting, target) ?? one([...this.tasks.values()], target);
    if (fits && step && task) who = this.#partyOf(task, step[1], who);
    const key = one(this.#keys, target);
    if (fits && name === 'keyRevoke' && key) who = key.owner;
    if (fits && (name === 'verify' || name === 'voteCommit')) who = this.operator;
    if (fits && name === 'validatorApply') who = this.applicant;
    if (fits && OF_SEAT.has(name)) who = this.seat;
    // A registration needs a key that is not registered.
    if (name === 'register') who = new Agent(who.port);
    const events = fits ? this.#eventsFor(name) : this.#events;
    const values: Record<Placeholder, string> = {
      agent_id: one(this.agents, target)!.id,
      task_id: task?.id ?? NONE,
      event_id: one(events, target) ?? NONE,
      key_id: key?.id ?? NONE,
      validator_id: 'seat-0',
      address: NONE,
      vertex_hash: NONE,
      challenge_id: one(this.#challenges, target) ?? `chal-${NONE.slice(8)}`,
      job_id: NONE,
      program_hash: CHECK_DIGESTS.size,
      module: programNamed(`${this.#programs++}`),
      node_key: this.operator.id,
    };
    const named: Record<string, string> = {
      challenges: values.challenge_id,
      // Keys of the node's own seat stay: after a rotation it would have to be started with another one.
      validators: 'seat-1',
    };
    const id = named[operation.path.split('/')[2]!] ?? values.task_id;
    const inPath: Record<string, string> = { id, key: values.key_id, agent_id: who.id };
    const path = operation.path.replace(/\{(\w+)\}/g, (_, segment: string) => inPath[segment]!);
    return { who, path, body: fillPlaceholders(write.body, (placeholder) => values[placeholder]) };
  }

  /** Remembers what an accepted write made. */
  learn(name: OperationName, who: Agent, answer: Json): void {
    if (answer.status in { open: 1, claimed: 1, submitted: 1, completed: 1, disputed: 1, cancelled: 1 })
      this.tasks.set(answer.id, answer);
    if (name === 'challengeOpen') this.#challenges.push(answer.id);
    if (answer.event_id) this.#events.push(answer.event_id);
    if (answer.status === 'optimistic') this.#open.add(answer.event_id);
    if (answer.dispute_event_id) this.#open.add(answer.dispute_event_id);
    if (name === 'taskContest') this.#contested.push(answer.dispute_event_id);
    if (name === 'verify' && answer.status !== 'pending') this.#open.delete(answer.event_id);
    if (name === 'keyCreate') this.#keys.push({ id: answer.key_id, owner: who });
  }

  #eventsFor(name: OperationName): readonly string[] {
    if (name === 'voteCommit') return this.#contested;
    return name === 'verify' ? [...this.#open] : this.#events;
  }

  #partyOf(task: Json, party: Party | undefined, otherwise: Agent): Agent {
    if (party) return this.agents.find((a) => a.id === task[party]) ?? otherwise;
    return task.poster_id === otherwise.id ? this.agents.find((a) => a.id !== otherwise.id)! : otherwise;
  }
}
