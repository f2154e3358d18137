// npm run load: signed writes against the nodes of one network. Exit code 1 if one was refused, except for overload,
// or if a node does not answer, is of another network or registers no agents.

import { VwsClient } from '../host/client/index.ts';
import { ManyNodesLoad, type Target, unexpected } from './load/many-nodes.ts';
import { loadReport } from './load/report.ts';
import { optionsOf, refuse } from './options.ts';

const { node, ...wanted } = optionsOf({
  name: 'load',
  about: 'signed writes against the nodes of one network, which must run with SERVICE_RATE_LIMITS=off.',
  options: {
    node: {
      kind: 'texts',
      value: 'url',
      fallback: 'http://127.0.0.1:8338',
      help: 'a node that accepts writes',
    },
    rate: {
      kind: 'whole',
      range: [1, 1_000_000],
      defaultNote: 'as fast as the answers arrive',
      help: 'total writes per second',
    },
    connections: { kind: 'whole', range: [1, 4096], fallback: 16, help: 'total, spread over the nodes' },
    seconds: { kind: 'whole', range: [1, 86_400], fallback: 10, help: 'duration of the load' },
    tasks: {
      kind: 'whole',
      range: [0, 100],
      fallback: 10,
      help: 'percentage of the writes that belong to tasks',
    },
    seed: { kind: 'seed', help: 'repeats the choice of writes' },
  },
});

function targetOf(text: string): Target {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:') refuse('load', `--node: "${text}" is not an http URL`);
  return { name: url.host, host: url.hostname, port: Number(url.port || 80) };
}

/** Ends the tool: it cannot begin. */
function fail(why: string): never {
  console.error(`error: ${why}`);
  process.exit(1);
}
const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const targets = node.map(targetOf);
const statuses = await Promise.all(
  node.map((baseUrl) =>
    new VwsClient({ baseUrl })
      .status()
      .catch((error: unknown) => fail(`${baseUrl} does not answer: ${textOf(error)}`)),
  ),
);
const { chain_id: chainId, genesis_hash: genesis } = statuses[0]!;
const other = statuses.findIndex(({ genesis_hash }) => genesis_hash !== genesis);
if (other >= 0)
  fail(`${node[other]} is of another network (genesis ${statuses[other]!.genesis_hash}) than ${node[0]}`);

const { tasks: tasksPercent, ...plan } = wanted;
const load = new ManyNodesLoad({ ...plan, targets, tasksPercent, chainId });
console.log(`seed ${plan.seed}; registering agents`);
await load.prepare().catch((error: unknown) => fail(textOf(error)));
const result = await load.run();
for (const line of loadReport(result)) console.log(line);
const faults = unexpected(result);
if (faults > 0) console.log(`${faults} writes were refused or lost that should not have been`);
process.exitCode = faults > 0 ? 1 : 0;
