// What must hold after a kill and a restart (pitfalls P5, M1; protocol 1.8): nothing acknowledged is missing, nothing
// was applied twice, the money adds up. Changes the state only by repeating writes whose outcome is unknown.

import { Connection, requestBytes } from '../load/connection.ts';
import type { NodeProcess } from '../load/node-process.ts';
import type { SeededRandom } from '../load/seeded-random.ts';
import { isDone, type Row, resentOutcome, type Writer } from './writer.ts';

const READERS = 16;
/** Acknowledged writes of earlier rounds that are looked up again after each kill. */
const OLD_ROWS = 200;
/** Acknowledged writes that are resent after each kill and must be refused. */
const REPEATS = 20;

export interface Found {
  faults: string[];
  /** Unknown writes that had been executed before the kill, and those that their repetition executed. */
  executedBefore: number;
  executedNow: number;
}

/** Runs `work` for each item over a few connections. */
async function overConnections<T>(
  port: number,
  items: readonly T[],
  work: (connection: Connection, item: T) => Promise<void>,
): Promise<void> {
  const connections = await Connection.openMany(port, Math.min(READERS, items.length));
  let next = 0;
  try {
    await Promise.all(
      connections.map(async (connection) => {
        while (next < items.length) await work(connection, items[next++] as T);
      }),
    );
  } finally {
    for (const connection of connections) connection.close();
  }
}

/** Resends every unknown write: it is executed now, or was before. Either way it is executed once. */
async function resolveUnknown(port: number, writers: readonly Writer[], found: Found): Promise<void> {
  const unknown = writers.flatMap((w) => w.rows.filter((row) => row.state === 'unknown'));
  await overConnections(port, unknown, async (connection, row) => {
    const { status, body } = await connection.send(row.bytes);
    const outcome = resentOutcome(row, status, body);
    if (!outcome) {
      found.faults.push(`repeated ${row.kind} ${row.txid}: ${status} ${body}`);
      return;
    }
    row.state = 'executed';
    if (outcome === 'now') found.executedNow += 1;
    else found.executedBefore += 1;
  });
}

async function readEvents(port: number, rows: readonly Row[], found: Found): Promise<void> {
  await overConnections(port, rows, async (connection, row) => {
    const { status, body } = await connection.send(
      requestBytes({ method: 'GET', path: `/v1/events/${row.txid}` }),
    );
    const id = status === 200 ? (JSON.parse(body.toString()) as { event_id: string }).event_id : undefined;
    if (id !== row.txid)
      found.faults.push(`${row.kind} ${row.txid} was ${row.state}, now: ${status} ${body}`);
  });
}

/** Acknowledged writes that are resent must be answered as already executed. */
async function repeatSome(port: number, rows: readonly Row[], found: Found): Promise<void> {
  await overConnections(port, rows, async (connection, row) => {
    const { status, body } = await connection.send(row.bytes);
    if (resentOutcome(row, status, body) !== 'before') {
      found.faults.push(`${row.kind} ${row.txid} was executed and resent: ${status} ${body}`);
    }
  });
}

interface Balance {
  balance: number;
  staked_amount: number;
  reserved: number;
}

async function checkBooks(node: NodeProcess, writers: readonly Writer[], found: Found): Promise<void> {
  for (const writer of writers) {
    const { balance, staked_amount, reserved } = await node.json<Balance>(
      `/v1/agents/${writer.agent}/balance`,
    );
    const own = writer.books();
    const grant = (
      await node.json<{ payload: { onboarding_allocation: number } }>(`/v1/events/${writer.rows[0]!.txid}`)
    ).payload.onboarding_allocation;
    if (staked_amount === own.staked && reserved === own.reserved) {
      if (balance + staked_amount + reserved === grant) continue;
    }
    found.faults.push(
      `agent ${writer.agent}: balance ${balance}, staked ${staked_amount}, reserved ${reserved} of ${grant};` +
        ` its writes make staked ${own.staked}, reserved ${own.reserved}`,
    );
  }
}

async function checkSupply(node: NodeProcess, found: Found): Promise<void> {
  const { text } = await node.get('/metrics');
  if (!/^vws_supply_check 1$/m.test(text)) {
    found.faults.push(`the supply does not add up: ${/^vws_supply_check.*$/m.exec(text)?.[0]}`);
  }
}

/**
 * All checks after one restart. `fresh`: for each writer, the index of the first row added in this round; `all`: look
 * up every acknowledged row instead of a sample.
 */
export async function checkAfterRestart(
  node: NodeProcess,
  writers: readonly Writer[],
  fresh: readonly number[],
  random: SeededRandom,
  all: boolean,
): Promise<Found> {
  const found: Found = { faults: [], executedBefore: 0, executedNow: 0 };
  await resolveUnknown(node.port, writers, found);
  const done = writers.flatMap((w, i) => w.rows.slice(all ? 0 : fresh[i]).filter(isDone));
  const old = writers.flatMap((w, i) => w.rows.slice(0, fresh[i]).filter(isDone));
  const sample = all || old.length === 0 ? [] : Array.from({ length: OLD_ROWS }, () => random.pick(old));
  await readEvents(node.port, [...done, ...sample], found);
  const recent = writers.flatMap((w) => w.rows.filter(isDone).slice(-2));
  if (recent.length > 0) {
    await repeatSome(
      node.port,
      Array.from({ length: REPEATS }, () => random.pick(recent)),
      found,
    );
  }
  await checkBooks(node, writers, found);
  await checkSupply(node, found);
  return found;
}
