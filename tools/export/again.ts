// One history in two schemas: exported from genesis, and from the newest state that a quorum has signed.
// Keeps: works below the system's temporary directory; ends only processes that it started.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXIT } from '../../host/cli/exit-code.ts';
import { VwsClient } from '../../host/client/index.ts';
import type { Signer } from '../../host/client/signer.ts';
import { createNodeKeyFile } from '../../host/crypto/node-key-file.ts';
import { makeSignedLog, seal } from '../history/signed-log.ts';
import { NodeProcess, PASSPHRASE } from '../load/node-process.ts';
import { newSigner } from '../load/signed-writes.ts';
import { PostgresServer } from './postgres-server.ts';
import { exportOnce } from './processes.ts';

interface AgainPlan {
  transactions: number;
  /** Payments after the signed state: events that both exports have. */
  writes: number;
  say(line: string): void;
}

export interface AgainResult {
  events: number;
  /** Where the second export begins. */
  from: number;
  seconds: { genesis: number; checkpoint: number };
  /** Rows compared, by table. */
  rows: Record<string, number>;
  faults: string[];
}

/** A finding is about what is not signed yet; what began with a signed state is proven, not checked from genesis on. */
const GOOD: readonly number[] = [EXIT.DONE, EXIT.FINDING, EXIT.PROVEN];
const TRIES = 20;

/** What both must have alike from an event on. Figures that move without a change of their document are left out. */
const comparedAfter = (seq: number): Record<string, string> => ({
  event: `seq, ord, idx, ts, type, event_id, agent_id, recipient_id, task_id, amount, fee, state, doc::text from event where seq > ${seq}`,
  posting: `seq, ord, n, cause, account, amount from posting
            where ord > (select first_ord from tail.export_state)`,
  account: 'account, balance from account where balance <> 0',
  agent: 'id, name, balance, staked, key, public_key, address from agent',
  task: 'id, status, poster, claimer, category, budget, posted_at, completed_at, content, doc::text from task',
  listing: 'id, active, words, doc::text from listing',
  validator: 'id, doc::text from validator',
  challenge: 'id, status, doc::text from challenge',
  replay_job: 'id, status, doc::text from replay_job',
});

/** Payments of the operator. */
async function pay(port: number, key: Signer, count: number): Promise<void> {
  const baseUrl = `http://127.0.0.1:${port}`;
  const payer = new VwsClient({ baseUrl, key });
  const { agent_id } = await new VwsClient({ baseUrl, key: newSigner() }).register();
  for (let i = 0; i < count; i++) await payer.transfer({ to_agent: agent_id, amount: 1 + i });
}

async function areLevel(server: PostgresServer): Promise<boolean> {
  const [found] = await server.query<{ are: boolean }>(
    'select w.ord = t.ord as are from vws.export_state w cross join tail.export_state t',
  );
  return found!.are;
}

async function compare(server: PostgresServer, seq: number, result: AgainResult): Promise<void> {
  for (const [table, columns] of Object.entries(comparedAfter(seq))) {
    const of = (schema: string): string => `select ${columns.replace(/from (\w+)/, `from ${schema}.$1`)}`;
    const [found] = await server.query<Record<'rows' | 'lost' | 'added', number>>(
      `select (select count(*) from (${of('vws')}) a) as rows,
              (select count(*) from (${of('vws')} except all ${of('tail')}) a) as lost,
              (select count(*) from (${of('tail')} except all ${of('vws')}) a) as added`,
    );
    const { rows, lost, added } = found!;
    result.rows[table] = rows;
    if (lost + added > 0)
      result.faults.push(
        `${table}: ${lost} rows of ${rows} are missing or other, ${added} rows are there instead`,
      );
  }
}

export async function exportAgain({ transactions, writes, say }: AgainPlan): Promise<AgainResult> {
  const dir = await mkdtemp(join(tmpdir(), 'vws-again-'));
  const server = await PostgresServer.start();
  const dataDir = join(dir, 'data');
  let node: NodeProcess | undefined;
  try {
    const identity = createNodeKeyFile(dataDir, PASSPHRASE, {});
    const made = await makeSignedLog(dataDir, identity, transactions, say);
    say(`log of ${made.transactions} transactions made, ${made.refused} of them refused`);
    node = await NodeProcess.start({ dataDir, flags: ['--no-auth'], readyMs: 3_600_000 });
    await seal(node);
    await pay(node.port, identity, writes);
    const result: AgainResult = {
      events: 0,
      from: 0,
      seconds: { genesis: 0, checkpoint: 0 },
      rows: {},
      faults: [],
    };
    const run = async (name: 'genesis' | 'checkpoint', more: readonly string[]): Promise<void> => {
      const begunMs = performance.now();
      const code = await exportOnce(server.url(), node!.port, more);
      result.seconds[name] = (performance.now() - begunMs) / 1000;
      if (!GOOD.includes(code!)) result.faults.push(`the export from ${name} ended with ${code}`);
    };
    const ways = {
      genesis: ['--keep', join(dir, 'keep-genesis')],
      checkpoint: ['--keep', join(dir, 'keep-checkpoint'), '--checkpoint', '--schema', 'tail'],
    };
    // The long one comes second: a node seals its next state meanwhile, and nothing would be after that one.
    await run('checkpoint', ways.checkpoint);
    await run('genesis', ways.genesis);
    // A node moves on now and then: both have to end at the same place.
    for (let tries = 0; tries < TRIES && !(await areLevel(server)); tries++) {
      await exportOnce(server.url(), node.port, ways.genesis);
      await exportOnce(server.url(), node.port, ways.checkpoint);
    }
    const [state] = await server.query<{ seq: number; first: number }>(
      'select w.seq, t.first_seq as first from vws.export_state w cross join tail.export_state t',
    );
    result.events = state!.seq;
    result.from = state!.first;
    if (state!.seq - state!.first < writes)
      result.faults.push(
        `${state!.seq - state!.first} events after the signed state: there were ${writes} writes`,
      );
    await compare(server, state!.first, result);
    return result;
  } finally {
    await node?.kill();
    await server.close();
    await rm(dir, { recursive: true, force: true });
  }
}
