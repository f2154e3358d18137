// A node's figures from its public endpoints: for vws top, and for tools that run networks.
// Keeps: one sample belongs to one time; a node that does not answer has none.

import { systemClock } from '../../world/system/clock.ts';

/** A node that can be asked over HTTP. Errors: those of the connection. */
export interface Asked {
  get(path: string): Promise<{ status: number; text: string }>;
}

/** A checkpoint as in GET /v1/checkpoints/latest: the newest one that a quorum has signed. */
export interface SignedCheckpoint {
  height: number;
  order: number;
  stateRoot: string;
  /** Seats that signed it. */
  signers: number;
}

export interface Sample {
  /** Monotonic clock of this process. */
  atMs: number;
  health: string;
  order: number;
  seq: number;
  vertices: number;
  epoch: number;
  peers: number;
  /** Executed transactions since the node's start. */
  transactions: number;
  /** Writes to this node answered since its start, and the total of their seconds. */
  answered: number;
  answerSecs: number;
  sentBytes: number;
  receivedBytes: number;
  ordersBehind: number;
  supplyHolds: boolean;
  checkpoint: SignedCheckpoint | undefined;
  /** Processor time of the process. */
  cpuMs: number;
  memoryBytes: number;
}

/** Sum of all samples of one metric, whatever their labels; 0 when there is none. */
export function metricSum(text: string, name: string): number {
  let sum = 0;
  for (const line of text.split('\n')) {
    if (!line.startsWith(name) || !/[ {]/.test(line[name.length] ?? '')) continue;
    sum += Number(line.slice(line.lastIndexOf(' ') + 1));
  }
  return sum;
}

interface CheckpointBody {
  height: number;
  order: number;
  state_root: string;
  signatures: readonly unknown[];
}

async function checkpointOf(node: Asked): Promise<SignedCheckpoint | undefined> {
  const { status, text } = await node.get('/v1/checkpoints/latest');
  if (status !== 200) return undefined;
  const { height, order, state_root, signatures } = JSON.parse(text) as CheckpointBody;
  return { height, order, stateRoot: state_root, signers: signatures.length };
}

/** Errors: those of the connection, SyntaxError for what is no node. */
export async function sampleOf(node: Asked): Promise<Sample> {
  const [health, metrics, checkpoint] = await Promise.all([
    node.get('/health'),
    node.get('/metrics'),
    checkpointOf(node),
  ]);
  const metric = (name: string): number => metricSum(metrics.text, `vws_${name}`);
  return {
    atMs: systemClock.monotonicMs(),
    health: (JSON.parse(health.text) as { status: string }).status,
    order: metric('last_order'),
    seq: metric('seq'),
    vertices: metric('dag_size'),
    epoch: metric('epoch'),
    peers: metric('peer_count'),
    transactions: metric('transactions_total'),
    answered: metric('consensus_order_latency_seconds_count'),
    answerSecs: metric('consensus_order_latency_seconds_sum'),
    sentBytes: metric('peer_sent_bytes_total'),
    receivedBytes: metric('peer_received_bytes_total'),
    ordersBehind: metric('catch_up_orders'),
    supplyHolds: metric('supply_check') === 1,
    checkpoint,
    cpuMs: 1000 * metric('cpu_seconds_total'),
    memoryBytes: metric('resident_bytes'),
  };
}
