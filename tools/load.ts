// npm run load -- --node URL [--node URL ...] [--rate N] [--connections 16] [--seconds 10] [--tasks 10] [--seed N]:
// signed writes against the nodes of one network; `--tasks`: share of them, in percent, that belong to tasks. The nodes
// must run without rate limits. Exit code 1 when a write was refused for another reason than too much load.

import { parseArgs } from 'node:util';
import { VwsClient } from '../host/client/index.ts';
import { randomBytes } from '../host/random.ts';
import { ManyNodesLoad, type Target, unexpected } from './load/many-nodes.ts';
import { loadReport } from './load/report.ts';

const { values } = parseArgs({
  options: {
    node: { type: 'string', multiple: true, default: ['http://127.0.0.1:8338'] },
    rate: { type: 'string' },
    connections: { type: 'string', default: '16' },
    seconds: { type: 'string', default: '10' },
    tasks: { type: 'string', default: '10' },
    seed: { type: 'string' },
  },
});

function fail(text: string): never {
  console.error(`error: ${text}`);
  process.exit(2);
}

function whole(name: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < least || value > most) {
    fail(`--${name} is a whole number from ${least} to ${most}`);
  }
  return value;
}

function targetOf(text: string): Target {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:') fail(`--node ${text} is no http URL`);
  return { name: url.host, host: url.hostname, port: Number(url.port || 80) };
}

const plan = {
  targets: values.node.map(targetOf),
  connections: whole('connections', values.connections, 1, 4096),
  rate: values.rate === undefined ? undefined : whole('rate', values.rate, 1, 1_000_000),
  seconds: whole('seconds', values.seconds, 1, 86_400),
  tasksPercent: whole('tasks', values.tasks, 0, 100),
  seed: values.seed === undefined ? Buffer.from(randomBytes(4)).readUInt32LE() : Number(values.seed),
};
const status = await new VwsClient({ baseUrl: values.node[0]! }).status().catch((error: unknown) => {
  console.error(
    `error: ${values.node[0]} does not answer: ${error instanceof Error ? error.message : error}`,
  );
  process.exit(1);
});
const load = new ManyNodesLoad({ ...plan, chainId: status.chain_id });
console.log(`seed ${plan.seed}; registering agents`);
await load.prepare();
const result = await load.run();
for (const line of loadReport(result)) console.log(line);
const faults = unexpected(result);
if (faults > 0) console.log(`${faults} writes were refused or lost that should not have been`);
process.exitCode = faults > 0 ? 1 : 0;
