// Judges deliveries for this node's validator (protocol 15.9): asks the node's judge about each submission and contested
// dispute that the validator is drawn for, and gives the verdict as an ordinary signed write.
// Keeps: without a judge, and whenever the judge gives no proper answer, the validator abstains; an answer is on disk, with
// the salt of its commitment, before anything of it is sent, so that after a restart it is this answer that is committed,
// or revealed, and never another one; what was asked without an answer is asked again. A judge is shown no vote of others.

import * as abi from '../../../assembly/abi.ts';
import type { EventDoc } from '../../store/documents.ts';
import { eventOf } from '../../store/events.ts';
import { rangeOf, rowKey } from '../../store/prefixes.ts';
import { taskState } from '../../store/task-rows.ts';
import { readJson } from '../../store/write-set.ts';
import type { PendingIndex } from '../../views/pending-index.ts';
import { fromHex, toHex } from '../../wire/bytes.ts';
import { voteFor } from '../../wire/operations/ledger.ts';
import { type DisputeVote, voteCommitment } from '../../wire/vote-commitment.ts';
import { within } from '../../world/clock.ts';
import { OwnWrites } from '../own-writes.ts';
import type { VotingOptions } from '../voting-options.ts';
import { WorkQueue } from '../work-queue.ts';
import type { Abstention, Judge, Judgement } from './judgement.ts';
import { type Question, questionOn } from './question.ts';

/** Questions at the same time: judging is dear, and few disputes are open at once. */
const MAX_ASKED = 4;
/** Writes of given answers at the same time: they wait for no judge, since a vote that is not revealed in time is a miss. */
const MAX_SENT = 16;
/** How often a judge that failed is asked, and the wait between. */
const MAX_ATTEMPTS = 3;
const RETRY_MS = 60_000;
/** All judges are asked without an event of its own, so duties are looked for this often. */
const SCAN_MS = 60_000;
const PAGE = 1000;
/** The time of the commitments is over with the first block after it. */
const REVEAL_POLL_MS = 1000;
/** Left of the time of the votes for the verdict to be ordered. */
const MARGIN_SECS = 10;

export interface JudgeRunnerOptions extends VotingOptions {
  /** SERVICE_JUDGE; undefined: the validator abstains. */
  judge: Judge | undefined;
  /** Seconds that a judge has for an answer. */
  judgeSecs: number;
  /** Each answer: the verdict, or why there was none. */
  onAnswer(result: Judgement['verdict'] | Abstention['abstains'] | 'no_judge'): void;
}

/** An answer that is on disk, and the salt under which it is committed. */
interface KeptAnswer extends Judgement {
  salt: string;
}

/** What this validator may vote on, and how: a vote on a dispute is committed, then revealed. */
interface Duty {
  event: EventDoc;
  kind: number;
  deadlineSecs: number;
  step: 'vote' | 'commit' | 'wait' | 'reveal';
}

export class JudgeRunner {
  /** Events without an answer, the dearest first: many small disputes must not keep the judge from a large one. */
  readonly #asks: WorkQueue;
  /** Events with one, to be voted on, committed or revealed. */
  readonly #sends: WorkQueue;
  readonly #writes: OwnWrites;
  readonly #stop = new AbortController();
  /** Answers that are on disk, by event. */
  readonly #answers = new Map<string, KeptAnswer>();
  /** Events about which nothing more is asked, and failures of the judge at others. */
  readonly #closed = new Set<string>();
  readonly #failures = new Map<string, number>();
  /** Commitments whose time to be revealed is waited for. */
  readonly #waiting = new Set<string>();
  readonly #timers = new Set<() => void>();

  constructor(private readonly options: JudgeRunnerOptions) {
    this.#writes = new OwnWrites(options);
    const { clock, log } = options;
    const onRefused = (event: string, code: string): void =>
      log.info({ event, code }, 'a verdict of the judge was refused');
    this.#asks = new WorkQueue({
      ...{ clock, onRefused, maxInFlight: MAX_ASKED },
      rank: (event) => this.#stakeOf(event),
      run: (event) => this.#judge(event),
    });
    this.#sends = new WorkQueue({
      ...{ clock, onRefused, maxInFlight: MAX_SENT },
      run: (event) => this.#act(event),
    });
  }

  /** The budget that an event is about; one that has ended takes no time. */
  #stakeOf(event: string): number {
    const { state } = this.options.ids;
    const row = state.findItem(fromHex(event)!);
    return (row === undefined ? undefined : state.item(row)?.amount) ?? Number.MAX_SAFE_INTEGER;
  }

  #add(event: string): void {
    (this.#answers.has(event) ? this.#sends : this.#asks).add(event);
  }

  #pump(): void {
    this.#sends.pump();
    this.#asks.pump();
  }

  get #own(): { agent: number; validator: number } | undefined {
    const own = this.options.ids.find(fromHex(this.options.key.publicKeyHex)!);
    return own?.validator === undefined ? undefined : { agent: own.index, validator: own.validator };
  }

  /** Loads answers that may not have been sent, and queues what waits for verdicts. */
  async start(): Promise<void> {
    for await (const [key, value] of this.options.store.scan(rangeOf('J'))) {
      const event = toHex(key.subarray(1));
      this.#answers.set(event, readJson<KeptAnswer>(value)!);
      this.#add(event);
    }
    this.#sayWhoJudges();
    this.#scan({ kind: abi.ITEM_DISPUTE });
    this.#scanOften();
  }

  stop(): void {
    this.#stop.abort();
    this.#asks.stop();
    this.#sends.stop();
    for (const cancel of this.#timers) cancel();
  }

  /** Events of a batch that is on disk. */
  onExecuted(events: readonly EventDoc[]): void {
    for (const { event_type, event_id, settlement_state, task_id, payload } of events) {
      // With the last commitment the reveals begin.
      if (event_type === 'vote_committed') this.#touch(String(payload.target_event_id));
      else if (event_type === 'settlement') this.#close(String(payload.target_event_id));
      else if (settlement_state === 'optimistic' && task_id !== undefined) this.#add(event_id);
      else if (event_type === 'task_contested' || event_type === 'task_checked') {
        const dispute = taskState(this.options.store, fromHex(task_id!)!)?.core?.dispute_event_id;
        if (dispute !== undefined) this.#add(dispute);
      }
    }
    this.#sends.pumpSoon();
    this.#asks.pumpSoon();
  }

  #touch(event: string): void {
    if (this.#answers.has(event)) this.#sends.add(event);
  }

  /** An event has ended; a row of it is deleted by the queue. */
  #close(event: string): void {
    this.#closed.delete(event);
    this.#failures.delete(event);
    this.#touch(event);
  }

  #sayWhoJudges(): void {
    const { ids, judge, log } = this.options;
    const own = this.#own;
    const state = own && ids.state.validator(own.validator);
    if (!state || state.isJudge === (judge !== undefined)) return;
    const validator = ids.validatorId(own!.validator);
    if (judge) log.info({ validator }, 'SERVICE_JUDGE is set; announce it: vws validator announce');
    else log.warn({ validator }, 'a judge is announced and SERVICE_JUDGE is not set: see vws judge');
  }

  #later(run: () => void, ms: number): void {
    const cancel = this.options.clock.setTimer(() => {
      this.#timers.delete(cancel);
      run();
    }, ms);
    this.#timers.add(cancel);
  }

  #scanOften(): void {
    const own = this.#own;
    if (own) this.#scan({ validator: own.validator });
    if (own && this.#isAnnounced(own.validator)) this.#scan({ kind: abi.ITEM_DISPUTE });
    this.#later(() => this.#scanOften(), SCAN_MS);
  }

  #scan(filter: Parameters<PendingIndex['page']>[0]): void {
    const { pending, ids } = this.options;
    for (let offset = 0; ; offset += PAGE) {
      const { items, total } = pending.page(filter, offset, PAGE);
      for (const row of items) {
        // A batch may have ended it that is executed and not on disk yet.
        const item = ids.state.item(row);
        const event = item && toHex(item.eventId);
        if (event === undefined) continue;
        if (!this.#closed.has(event) && !this.#failures.has(event)) this.#add(event);
      }
      if (offset + PAGE >= total) break;
    }
    this.#pump();
  }

  /** Undefined when there is nothing to vote on, or not for this validator, or not yet. */
  #dutyOn(id: string): Duty | undefined {
    const { ids, store } = this.options;
    const own = this.#own;
    const row = ids.state.findItem(fromHex(id)!);
    const item = row === undefined ? undefined : ids.state.item(row);
    const event = item && eventOf(store, item.eventId);
    if (!own || !item || event?.task_id === undefined) return undefined;
    if (item.agent === own.agent || item.recipient === own.agent) return undefined;
    const isOwn = (v: { validator: number }): boolean => v.validator === own.validator;
    if (item.voters.some(isOwn)) return undefined;
    const core = taskState(store, fromHex(event.task_id)!)?.core;
    const isDispute = item.kind === abi.ITEM_DISPUTE;
    const duty = { event, kind: item.kind, deadlineSecs: item.deadline };
    const isRevealing = item.stage === abi.VOTES_REVEALED;
    if (item.commitments.some(isOwn)) return { ...duty, step: isRevealing ? 'reveal' : 'wait' };
    if (isDispute && item.stage !== abi.VOTES_COMMITTED) return undefined;
    const panels = isDispute ? (core?.dispute_panels ?? 0) : 1;
    if (!this.#isAsked(own.validator, item.assigned, panels)) return undefined;
    return { ...duty, step: isDispute ? 'commit' : 'vote' };
  }

  #isAnnounced(validator: number): boolean {
    return this.options.ids.state.validator(validator)!.isJudge;
  }

  // Asked: all validators where no panel was drawn, those drawn, then all who announced a judge (protocol 15.8).
  #isAsked(validator: number, drawn: readonly number[], panels: number): boolean {
    if (panels === 0) return true;
    return panels === 1 ? drawn.includes(validator) : this.#isAnnounced(validator);
  }

  /** What is due on an event; an answer about one that has ended is forgotten. */
  async #dueOn(id: string): Promise<Duty | undefined> {
    if (this.options.ids.state.findItem(fromHex(id)!) !== undefined) return this.#dutyOn(id);
    await this.#forget(id);
    return undefined;
  }

  async #judge(id: string): Promise<void> {
    const duty = await this.#dueOn(id);
    if (!duty || this.#closed.has(id)) return;
    if (duty.step === 'reveal') return this.#warnOfMiss(id);
    if (duty.step === 'wait') return this.#awaitReveals(id, duty.deadlineSecs);
    if (!this.#answers.has(id)) {
      const judgement = await this.#ask(id, duty);
      // The event may have ended, or the operator voted, while the judge thought.
      if (!judgement || this.#stop.signal.aborted || this.#dutyOn(id)?.step !== duty.step) return;
      await this.#keep(id, judgement);
    }
    this.#sends.add(id);
    this.#sends.pump();
  }

  /** Votes, commits or reveals as it was answered. */
  async #act(id: string): Promise<void> {
    const duty = await this.#dueOn(id);
    const answer = this.#answers.get(id);
    if (!duty || !answer) return;
    if (duty.step === 'wait') return this.#awaitReveals(id, duty.deadlineSecs);
    if (duty.step === 'reveal') return await this.#reveal(id, answer);
    if (duty.step === 'commit') return await this.#commit(id, answer);
    const { verdict } = voteFor(answer.worker_share_bp, false);
    await this.#send('verify', { event_id: id, verdict, reason: answer.reason });
    const { salt: _, ...judgement } = answer;
    this.options.log.info({ event: id, ...judgement }, "this node's judge gave a verdict");
  }

  #vote({ worker_share_bp, ground }: KeptAnswer): DisputeVote {
    return { ...voteFor(worker_share_bp, true), ...(ground === undefined ? {} : { ground }) };
  }

  async #commit(id: string, answer: KeptAnswer): Promise<void> {
    const key = toHex(this.options.ids.state.agent(this.#own!.agent)!.key);
    const commitment = voteCommitment(id, key, this.#vote(answer), answer.salt);
    await this.#send('voteCommit', { event_id: id, commitment });
    this.options.log.info({ event: id }, "this node's judge gave a verdict: it is committed");
    this.#sends.add(id);
  }

  #warnOfMiss(event: string): void {
    this.options.log.warn({ event }, 'the operator committed a vote: reveal it, or it is a miss (vws judge)');
    this.#closed.add(event);
  }

  async #reveal(id: string, answer: KeptAnswer): Promise<void> {
    const { reason, salt } = answer;
    await this.#send('verify', { event_id: id, ...this.#vote(answer), salt, reason });
    this.options.log.info({ event: id, verdict: answer.verdict }, "this node's judge revealed its verdict");
  }

  /** The reveals begin with the last commitment, or at a time that no event tells. */
  #awaitReveals(id: string, deadlineSecs: number): void {
    if (this.#waiting.has(id)) return;
    this.#waiting.add(id);
    this.#later(
      () => {
        this.#waiting.delete(id);
        this.#add(id);
        this.#pump();
      },
      Math.max(REVEAL_POLL_MS, deadlineSecs * 1000 - this.options.clock.nowMs()),
    );
  }

  async #send(name: 'verify' | 'voteCommit', fields: object): Promise<void> {
    await this.options.submit(this.#writes.sign(this.options.key, name, fields));
  }

  async #ask(id: string, { event, kind, deadlineSecs }: Duty): Promise<Judgement | undefined> {
    const { judge, judgeSecs, clock } = this.options;
    const leftSecs = deadlineSecs - Math.ceil(clock.nowMs() / 1000) - MARGIN_SECS;
    const withinSecs = Math.min(judgeSecs, leftSecs);
    if (!judge) return this.#abstain(id, 'no_judge', deadlineSecs);
    if (withinSecs < 1) return this.#abstain(id, 'late', deadlineSecs);
    const question = questionOn(event, kind, withinSecs, this.options);
    if (question === 'sealed') return this.#abstain(id, 'sealed', deadlineSecs);
    if (!question) return undefined;
    const answer = await this.#answerTo(question, judge);
    if (this.#stop.signal.aborted) return undefined;
    if ('verdict' in answer) {
      this.options.onAnswer(answer.verdict);
      return answer;
    }
    const { abstains, detail } = answer;
    const failures = (this.#failures.get(id) ?? 0) + 1;
    if (abstains === 'abstained' || failures >= MAX_ATTEMPTS) {
      return this.#abstain(id, abstains, deadlineSecs, detail);
    }
    this.#failures.set(id, failures);
    this.options.onAnswer(abstains);
    this.options.log.warn({ event: id, reason: abstains, detail }, 'the judge failed and is asked again');
    this.#later(() => {
      this.#add(id);
      this.#pump();
    }, RETRY_MS);
    return undefined;
  }

  #answerTo(question: Question, judge: Judge): Promise<Judgement | Abstention> {
    const { clock } = this.options;
    const ms = question.answer_within_secs * 1000;
    return within(clock, ms, this.#stop.signal, (signal) => judge(question, signal));
  }

  #abstain(
    event: string,
    reason: Abstention['abstains'] | 'no_judge',
    deadlineSecs: number,
    detail?: string,
  ): undefined {
    this.#closed.add(event);
    this.options.onAnswer(reason);
    const fields = { event, reason, detail, deadline: deadlineSecs };
    const { log, ids } = this.options;
    // Nobody counts on a validator that has neither a judge nor announced one.
    const isExpected = reason !== 'no_judge' || ids.state.validator(this.#own!.validator)!.isJudge;
    log[isExpected ? 'warn' : 'info'](
      fields,
      'the validator abstains; its operator may answer with vws judge',
    );
    return undefined;
  }

  async #keep(event: string, judgement: Judgement): Promise<void> {
    const answer = { ...judgement, salt: toHex(this.options.randomBytes(32)) };
    const value = Buffer.from(JSON.stringify(answer));
    await this.options.store.write([{ key: rowKey.judgement(fromHex(event)!), value }]);
    this.#answers.set(event, answer);
  }

  async #forget(event: string): Promise<void> {
    if (!this.#answers.delete(event)) return;
    await this.options.store.write([{ key: rowKey.judgement(fromHex(event)!), value: undefined }]);
  }
}
