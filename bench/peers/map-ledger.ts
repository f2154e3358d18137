// The peer of the core: the same rules for joining, paying and judging in plain JavaScript, on Map, Set and BigInt.
// Keeps: the checks, fees, records, fingerprints and event ids of the core for a network with one seat, so both give
// equal outcomes for equal commands. Written from protocol 4.1 to 4.3, 6 and 7.3; independent of the core.
// Fast where plain JavaScript is fast: commands come parsed, keys are strings, no state is hashed.

import { hash } from 'node:crypto';
import * as abi from '../../assembly/abi.ts';
import type { MapLimits } from './map-accounts.ts';
import type {
  MapAgent,
  MapCommand,
  MapItem,
  MapOutcome,
  MapRecord,
  MapTx,
  MapValidator,
  RegisterCommand,
  TransferCommand,
  VerifyCommand,
} from './map-types.ts';
import { MapValidators } from './map-validators.ts';

const ASSIGNMENT_STAKE = 25_000_000_000n;
const DEADLINE_SECS = 300;
const TXID_KEEP_SECS = 600;
const TRANSFER = abi.CATEGORY_TRANSFER;

const mulDiv = (a: bigint, b: bigint, c: bigint): bigint => (a * b) / c;

interface Tally {
  approve: bigint;
  reject: bigint;
  total: bigint;
  participants: number;
}

export class MapLedger extends MapValidators {
  /** Open items by event id; all wait equally long, so the oldest come first. */
  private readonly items = new Map<string, MapItem>();
  /** TxID -> second of execution, oldest first. */
  private readonly seen = new Map<string, number>();
  private order = 0;
  private seq = 0;
  private nextEventIndex = 0;

  /** `operator`: hex key of the only seat. */
  constructor(
    private readonly chainId: string,
    operator: string,
    limits: MapLimits,
  ) {
    super(operator, limits);
  }

  /** One block of one vertex. Throws if the accounts no longer add up. */
  block(timeMs: number, commands: readonly MapCommand[]): MapOutcome[] {
    const out: MapOutcome[] = [];
    this.nowSecs = Math.floor(timeMs / 1000);
    for (const [txId, secs] of this.seen) {
      if (secs + TXID_KEEP_SECS > this.nowSecs) break;
      this.seen.delete(txId);
    }
    this.rollWeights();
    this.order += 1;
    this.nextEventIndex = commands.length;
    this.validators[0]!.lastDuty = this.nowSecs;
    if (this.seq === 0) out.push({ kind: 'genesis', ...this.identify('genesis', this.chainId) });
    this.fireDeadlines(out);
    for (let i = 0; i < commands.length; i++) this.apply(commands[i]!, i, out);
    this.checkSupply();
    this.touched = new Set();
    return out;
  }

  private apply(command: MapCommand, index: number, out: MapOutcome[]): void {
    const tx: MapTx = {
      kind: 'tx',
      txId: command.txId,
      code: abi.OK,
      seq: 0,
      order: this.order,
      index,
      words: [],
    };
    out.push(tx);
    if (command.lastSecs !== 0 && this.nowSecs > command.lastSecs) {
      tx.code = abi.TX_EXPIRED;
    } else if (command.op === 'register') {
      tx.code = this.register(command, tx);
    } else if (this.seen.has(command.txId)) {
      tx.code = abi.DUPLICATE_TX;
    } else {
      const actor = this.byKey.get(command.actor);
      if (!actor) tx.code = abi.AGENT_NOT_FOUND;
      else if (command.op === 'transfer') tx.code = this.transfer(command, actor, tx);
      else tx.code = this.verify(command, actor, tx, out);
      this.seen.set(command.txId, this.nowSecs);
    }
  }

  private register(c: RegisterCommand, tx: MapTx): number {
    const { due, grant } = this.nextGrant();
    if (c.stake > grant) return refuse(tx, abi.INVALID_REQUEST, abi.REASON_STAKE_ABOVE_GRANT);
    if (this.byKey.has(c.actor) || this.byKey.has(c.publicKey)) return refuse(tx, abi.ALREADY_REGISTERED);
    if (!this.mayAddAgent()) return refuse(tx, abi.CAPACITY, abi.TABLE_AGENTS);

    tx.seq = ++this.seq;
    const agent = this.addAgent(c.actor, c.publicKey, c.agentId);
    this.join(agent, grant, c.stake);
    const isLimited = grant < due ? 1 : 0;
    tx.words = [agent.index, grant, agent.staked, agent.balance, this.trustLimit(agent), isLimited];
    return abi.OK;
  }

  private transfer(c: TransferCommand, sender: MapAgent, tx: MapTx): number {
    const { amount } = c;
    const recipient = this.byKey.get(c.to);
    if (recipient === sender) return refuse(tx, abi.INVALID_REQUEST, abi.REASON_SELF_TRANSFER);
    if (!recipient) return refuse(tx, abi.RECIPIENT_NOT_FOUND);
    const limit = this.trustLimit(sender);
    if (sender.exposure + amount > limit) {
      return refuse(tx, abi.TRUST_LIMIT_EXCEEDED, limit, sender.exposure, amount);
    }
    if (sender.balance < amount) return refuse(tx, abi.INSUFFICIENT_BALANCE, sender.balance, amount);

    tx.seq = ++this.seq;
    this.debit(sender, amount);
    sender.reserved += amount;
    this.supply += amount;
    sender.exposure += amount;
    const deadline = this.nowSecs + DEADLINE_SECS;
    const assigned = this.assign(sender, recipient);
    this.items.set(c.txId, {
      eventId: c.txId,
      agent: sender,
      recipient,
      amount,
      created: this.nowSecs,
      deadline,
      assigned,
      votes: [],
    });
    tx.words = [
      sender.index,
      recipient.index,
      amount,
      sender.balance,
      deadline,
      assigned.length,
      ...assigned,
    ];
    return abi.OK;
  }

  /** The advisory panel: the only validator is always drawn, whatever the hash (protocol 6.9). */
  private assign(a: MapAgent, b: MapAgent): number[] {
    const [only] = this.validators;
    const isCandidate =
      only!.isActive && only!.agent !== a && only!.agent !== b && only!.agent.staked >= ASSIGNMENT_STAKE;
    return isCandidate ? [0] : [];
  }

  private verify(c: VerifyCommand, actor: MapAgent, tx: MapTx, out: MapOutcome[]): number {
    const item = this.items.get(c.event);
    if (!item) return refuse(tx, abi.NOT_PENDING);
    if (actor === item.agent || actor === item.recipient) return refuse(tx, abi.SELF_DEALING);
    const index = actor.validator;
    if (index === undefined) return refuse(tx, abi.NOT_A_VALIDATOR);
    if (item.votes.some((vote) => vote.validator === index)) return refuse(tx, abi.ALREADY_VOTED);

    tx.seq = ++this.seq;
    const validator = this.validators[index]!;
    item.votes.push({ validator: index, approves: c.approves, value: 0n, castSecs: this.nowSecs });
    validator.lastDuty = this.nowSecs;
    const tally = this.count(item);
    const reason = this.decision(tally);
    const status =
      reason === abi.SETTLED_NONE
        ? abi.VOTE_PENDING
        : reason === abi.SETTLED_VERIFIED
          ? abi.VOTE_SETTLED
          : abi.VOTE_ADJUSTED;
    tx.words = [
      actor.index,
      index,
      status,
      reason,
      tally.approve,
      tally.reject,
      tally.total,
      tally.participants,
      0,
      this.weightOn(item, validator),
      c.approves ? 1 : 0,
    ];
    if (reason !== abi.SETTLED_NONE) this.close(item, reason, tally, out);
    return abi.OK;
  }

  /** SETTLED_NONE while neither side has 66.7 percent of the weight. */
  private decision(t: Tally): number {
    if (t.participants < 1 || t.total === 0n) return abi.SETTLED_NONE;
    if (t.approve * 1000n >= 667n * t.total) return abi.SETTLED_VERIFIED;
    return t.reject * 1000n >= 667n * t.total ? abi.SETTLED_REJECTED : abi.SETTLED_NONE;
  }

  private mayJudge(item: MapItem, { isActive, agent }: MapValidator): boolean {
    return isActive && agent !== item.agent && agent !== item.recipient;
  }

  /** Weight of a validator's vote among the judges of the last `count`, which was of this item. */
  private weightOn(item: MapItem, validator: MapValidator): bigint {
    return this.mayJudge(item, validator) ? this.voteWeight(validator) : 0n;
  }

  private count(item: MapItem): Tally {
    const t: Tally = { approve: 0n, reject: 0n, total: 0n, participants: 0 };
    this.measureJudges((validator) => this.mayJudge(item, validator));
    for (const validator of this.validators) t.total += this.weightOn(item, validator);
    if (t.total < this.leastTotal()) t.total = this.leastTotal();
    for (const vote of item.votes) {
      const validator = this.validators[vote.validator]!;
      if (!this.mayJudge(item, validator)) continue;
      t.participants += 1;
      if (vote.approves) t.approve += this.voteWeight(validator);
      else t.reject += this.voteWeight(validator);
    }
    return t;
  }

  private fireDeadlines(out: MapOutcome[]): void {
    const due: MapItem[] = [];
    for (const item of this.items.values()) {
      if (item.deadline > this.nowSecs) break;
      due.push(item);
    }
    due.sort((a, b) => a.deadline - b.deadline || (a.eventId < b.eventId ? -1 : 1));
    for (const item of due) {
      const tally = this.count(item);
      const reason = this.decision(tally);
      this.close(item, reason === abi.SETTLED_NONE ? abi.SETTLED_EXPIRED : reason, tally, out);
    }
  }

  private close(item: MapItem, reason: number, tally: Tally, out: MapOutcome[]): void {
    const { agent, recipient, amount } = item;
    const name = this.identify('settlement', item.eventId);
    agent.reserved -= amount;
    agent.exposure -= amount;
    this.supply -= amount;
    this.touch(agent);
    let fee = 0n;
    let treasuryFee = 0n;
    if (reason === abi.SETTLED_VERIFIED) {
      fee = mulDiv(amount, 10n, 10_000n);
      this.credit(recipient, amount - fee);
      treasuryFee = this.shareFee(item, fee, tally.approve);
      agent.transferred += amount;
      const record = transfersOf(agent);
      record.completed += 1;
      record.lastActive = this.nowSecs;
      agent.lastActive = this.nowSecs;
      this.extendFingerprint(agent, name.id, 'completed');
    } else {
      this.credit(agent, amount);
    }
    out.push({
      kind: 'settlement',
      ...name,
      target: item.eventId,
      settled: reason === abi.SETTLED_VERIFIED,
      reason,
      agent: agent.index,
      recipient: recipient.index,
      amount,
      fee,
      treasuryFee,
      ...tally,
    });
    if (reason !== abi.SETTLED_EXPIRED) this.countAccuracy(item, reason === abi.SETTLED_VERIFIED);
    this.items.delete(item.eventId);
    if (reason === abi.SETTLED_REJECTED) this.reject(agent, name.id, out);
  }

  /** The voters' part, by weight; the rest, including all remainders, goes to the treasury (protocol 6.2). */
  private shareFee(item: MapItem, fee: bigint, weights: bigint): bigint {
    const cut = mulDiv(fee, 8000n, 10_000n);
    let paid = 0n;
    for (const vote of item.votes) {
      if (!vote.approves || weights === 0n) continue;
      const validator = this.validators[vote.validator]!;
      const share = mulDiv(cut, this.weightOn(item, validator), weights);
      if (share === 0n) continue;
      this.credit(validator.agent, share);
      paid += share;
    }
    this.treasury += fee - paid;
    this.supply += fee - paid;
    return fee - paid;
  }

  private countAccuracy(item: MapItem, approved: boolean): void {
    for (const vote of item.votes) {
      const validator = this.validators[vote.validator]!;
      validator.votesDecided += 1;
      if (vote.approves === approved) validator.votesRight += 1;
    }
  }

  private reject(agent: MapAgent, eventId: string, out: MapOutcome[]): void {
    const record = transfersOf(agent);
    record.failed += 1;
    if (record.lastActive === 0) record.lastActive = this.nowSecs;
    this.extendFingerprint(agent, eventId, 'failed');
    const taken = agent.staked;
    if (taken === 0n) return;
    agent.staked = 0n;
    agent.stakedSince = 0;
    this.treasury += taken;
    this.touch(agent);
    const name = this.identify('slash', agent.id);
    out.push({ kind: 'slash', ...name, agent: agent.index, amount: taken, remaining: 0n });
  }

  /** Id and position of a system event (protocol 1.3). */
  private identify(type: string, subject: string): { id: string; seq: number; order: number; index: number } {
    const index = this.nextEventIndex++;
    const text =
      `{"chain_id":${JSON.stringify(this.chainId)},"event_type":"${type}","index":${index},"order":${this.order}` +
      `,"subject":${JSON.stringify(subject)},"version":"SERVICE-SYSTEM-V1"}`;
    return { id: hash('sha256', text), seq: ++this.seq, order: this.order, index };
  }
}

/** The record of transfers, made with the first decision: it costs nothing (protocol 6.18). */
function transfersOf(agent: MapAgent): MapRecord {
  const known = agent.records.get(TRANSFER);
  if (known) return known;
  const record = { completed: 0, failed: 0, lastActive: 0, earned: 0n, scoreBpSum: 0n };
  agent.records.set(TRANSFER, record);
  return record;
}

function refuse(tx: MapTx, code: number, ...details: (number | bigint)[]): number {
  tx.words = details;
  return code;
}
