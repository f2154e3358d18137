// A network under attack, executed by core.wasm: honest seats, one rogue, and commands in vertices of any of them.
// Keeps: every decision is the core's; nothing is signed or stored. What `run` sends must be carried out, what `attempt`
// sends may be refused.

import * as abi from '../../assembly/abi.ts';
import * as commands from '../../host/core/commands.ts';
import { Core } from '../../host/core/core.ts';
import { serviceList } from '../../host/core/market-commands.ts';
import { type Outcome, readOutcomes, type TxOutcome } from '../../host/core/outcomes.ts';
import { State } from '../../host/core/state.ts';
import { taskCreate, taskStep, taskSubmit } from '../../host/core/task-commands.ts';
import { toHex, utf8 } from '../../host/wire/bytes.ts';
import { labelOf } from '../../host/wire/category.ts';
import { sha256 } from '../../host/wire/hash.ts';
import { effectiveParams, type Params, paramWords } from '../../host/wire/params.ts';
import { LAUNCH, taskIdOf } from './world.ts';

export const TOKEN = 1_000_000;
const BONDED = 25_000 * TOKEN;
const SEATS = 4;
/** The attacker's seat: its rate limits are off. */
export const ROGUE = 3;
/** Of a refusal CLAIM_LIMIT, the word that says how much stake is missing. */
const CLAIM_LIMIT_MISSING = 3;
/** Commands in one vertex. */
const BATCH = 500;

type Build = (head: commands.CommandHead) => Uint8Array;
export interface Sent {
  actor: Uint8Array;
  build: Build;
}
export interface Answers {
  txIds: Uint8Array[];
  codes: number[];
  words: number[][];
}
export const keyOf = (name: string): Uint8Array => sha256(utf8(`attack:${name}`));

/** A network of honest seats and one rogue, with the parameters of a chain. */
export class Chain {
  readonly core: Core;
  readonly state: State;
  readonly params: Params;
  onOutcome: (outcome: Outcome) => void = () => {};
  #now = LAUNCH;
  #blocks = 0;
  #count = 0;

  constructor(
    module: WebAssembly.Module,
    testnet: boolean,
    readonly seats = SEATS,
  ) {
    this.params = effectiveParams({ testnet, seats });
    this.core = Core.create(module, {
      chainId: testnet ? 'vws-testnet-1' : 'vws-mainnet-1',
      testnet,
      launchTime: LAUNCH,
      params: paramWords(this.params),
      capacity: {
        tasks: 4096,
        items: 4096,
        txIds: 400_000,
        records: 20_000,
        validators: 64,
      },
    });
    this.state = new State(this.core);
    const records = Array.from({ length: seats }, (_, seat) =>
      commands.genesisSeat({
        seat,
        status: abi.VALIDATOR_ACTIVE,
        operatorKey: keyOf(`op${seat}`),
        bondedStake: BONDED,
        baselineBp: 5000,
        validatorId: `v${seat}`,
        consensusKey: keyOf(`seat${seat}`),
        keyEpoch: 1,
        categories: [],
      }),
    );
    this.core.apply([...records, commands.genesisEnd()], () => {});
  }

  /** Commands in vertices of one seat, each vertex `gapSecs` after the one before. */
  attempt(sent: readonly Sent[], seat = 0, gapSecs = 1): Answers {
    const answers: Answers = { txIds: [], codes: [], words: [] };
    for (let from = 0; from < Math.max(1, sent.length); from += BATCH) {
      const part = sent.slice(from, from + BATCH).map(({ actor, build }) => {
        const txId = sha256(utf8(`attack tx:${this.#count++}`));
        answers.txIds.push(txId);
        return build({ txId, actor, auth: abi.AUTH_TX_V1, lastSecs: 0, windowSecs: 0, kib: 1 });
      });
      this.#now += gapSecs;
      const index = ++this.#blocks;
      const head = commands.block(this.#now * 1000, index, sha256(utf8(`attack block:${index}`)));
      const opening = commands.vertex(index, seat % this.seats, part.length);
      this.core.apply([head, opening, ...part, commands.blockEnd()], (out) => {
        for (const outcome of readOutcomes(out)) {
          if (outcome.kind === 'tx') note(answers, outcome);
          this.onOutcome(outcome);
        }
      });
    }
    return answers;
  }

  /** The same; throws when one is refused. */
  run(sent: readonly Sent[], seat = 0, gapSecs = 1): Answers {
    const answers = this.attempt(sent, seat, gapSecs);
    const refused = answers.codes.findIndex((code) => code !== abi.OK);
    if (refused >= 0)
      throw new Error(`command ${refused} of an attack was refused: ${answers.codes[refused]}`);
    return answers;
  }

  index(name: string): number {
    return this.state.findAgent(keyOf(name))!;
  }

  balance(name: string): number {
    return this.state.agent(this.index(name))!.balance;
  }

  weight(index: number): number {
    return this.state.validator(index)!.voteWeight;
  }
}

function note(answers: Answers, { code, words }: TxOutcome): void {
  answers.codes.push(code);
  answers.words.push(words);
}

export const registration = (name: string, stake = 0): Sent => ({
  actor: keyOf(name),
  build: (head) => commands.register(head, keyOf(name), stake, toHex(keyOf(name))),
});
export const verdict = (name: string, event: Uint8Array): Sent => ({
  actor: keyOf(name),
  build: (head) => commands.verify(head, event, true, undefined, abi.GROUND_NONE, 0),
});
export const payment = (from: string, to: string, amount: number): Sent => ({
  actor: keyOf(from),
  build: (head) => commands.transfer(head, keyOf(to), amount),
});
/** A write of that many KiB that does nothing else. */
export const listing = (name: string, kib: number): Sent => ({
  actor: keyOf(name),
  build: (head) => serviceList({ ...head, kib }),
});
export const staking = (name: string, amount: number): Sent => ({
  actor: keyOf(name),
  build: (head) => commands.stake(head, amount),
});
export const unstaking = (name: string, amount: number): Sent => ({
  actor: keyOf(name),
  build: (head) => commands.unstake(head, amount),
});
/** A task without a lane; `deliverySecs` 0 is the default of the network. */
export const posting = (poster: string, budget: number, deliverySecs = 0): Sent => {
  const terms = {
    budget,
    // Without a bond of the worker, which its poster may do: so an attack costs the least.
    flags: abi.TASK_BOND_GIVEN,
    workerBond: 0,
    lane: abi.LANE_NONE,
    reviewSecs: 0,
    deliverySecs,
    fuel: 0,
    noQuorum: abi.NO_QUORUM_SPLIT,
  };
  const wanted = { ...terms, category: 'code', categoryLabel: labelOf('code'), tagLabels: [] };
  return { actor: keyOf(poster), build: (head) => taskCreate(head, wanted) };
};
export const claim = (worker: string, task: Uint8Array): Sent => ({
  actor: keyOf(worker),
  build: (head) => taskStep(abi.OP_TASK_CLAIM, head, task),
});
const submission = (worker: string, task: Uint8Array): Sent => {
  const flags = abi.SUBMIT_SCORED | abi.SUBMIT_HAS_CONTENT | abi.SUBMIT_FACTS_HOLD;
  return { actor: keyOf(worker), build: (head) => taskSubmit(head, task, flags, 9000) };
};
const approval = (poster: string, task: Uint8Array): Sent => ({
  actor: keyOf(poster),
  build: (head) => taskStep(abi.OP_TASK_APPROVE, head, task),
});

/** The posted tasks of some commands of `posting`. */
export const tasksOf = ({ txIds }: Answers): Uint8Array[] => txIds.map(taskIdOf);

/** A claim, with as much more stake behind it as the core says is missing (protocol 6.7); whether it was carried out. */
export function backedClaim(chain: Chain, worker: string, task: Uint8Array): boolean {
  const { codes, words } = chain.attempt([claim(worker, task)]);
  if (codes[0] !== abi.CLAIM_LIMIT) return codes[0] === abi.OK;
  const missing = words[0]![CLAIM_LIMIT_MISSING]!;
  if (missing === 0) return false;
  chain.run([staking(worker, missing), claim(worker, task)]);
  return true;
}

/** A task from a poster to a worker, without a lane, completed at once; the worker stakes what its claim needs. */
export function trade(chain: Chain, poster: string, worker: string, budget: number): void {
  const [task] = tasksOf(chain.run([posting(poster, budget)]));
  if (!backedClaim(chain, worker, task!)) throw new Error(`${worker} cannot claim a task of ${budget}`);
  chain.run([submission(worker, task!)]);
  chain.run([approval(poster, task!)]);
}
