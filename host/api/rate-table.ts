// The rate table (protocol 8.1): how many writes of each kind pass in an hour.
// Keeps: a write with a deadline behind it has no count that others could use up, neither of the address nor of the node.

/** No limit. */
export const UNLIMITED = Number.POSITIVE_INFINITY;

interface Limits {
  agent: number;
  address: number;
  /** Of all together; see SharedWindow for how it is divided. */
  node: number;
}
const row = (agent: number, address: number, node: number): Limits => ({ agent, address, node });
/** Somebody loses by waiting: only the agent's own count stands against it. */
const withDeadline = (agent: number): Limits => row(agent, UNLIMITED, UNLIMITED);

/** Requests per hour. Source: protocol 8.1; each endpoint is counted separately. */
export const RATE_TABLE = {
  agents: row(UNLIMITED, 3, 30),
  faucet: row(1, 3, 84),
  tasks: row(20, 50, 500),
  claim: row(60, 200, 2_000),
  submit: withDeadline(60),
  approve: withDeadline(60),
  dispute: withDeadline(10),
  contest: withDeadline(10),
  cancel: withDeadline(20),
  release: withDeadline(60),
  decline: withDeadline(60),
  programs: row(20, 50, 500),
  transfer: row(120, 300, 3_000),
  stake: row(20, 100, 500),
  unstake: row(20, 100, 500),
  challenges: withDeadline(10),
  generation: row(60, 200, 2_000),
  subtask: row(60, 200, 2_000),
  verify: withDeadline(6_000),
  resolve: withDeadline(6_000),
  trajectory: withDeadline(600),
  replaySubmit: withDeadline(120),
  replayOutcome: withDeadline(120),
  validators: row(10, 20, 100),
  resume: withDeadline(10),
  rotate: withDeadline(10),
  recovery: withDeadline(10),
} as const satisfies Record<string, Limits>;

export type RateRow = keyof typeof RATE_TABLE;

/** All writes of one agent per hour, without verify, resolve, replay. */
export const AGENT_WRITES = 1_000;
