// vws serve: answers reads from the database of an export (docs/operate/export.md).

import {
  checkNetwork,
  formatHostPort,
  parseBaseUrl,
  parseHostPort,
  parseInteger,
  parseList,
} from '../../config/setting-values.ts';
import { NATS_STREAM } from '../../export/nats/subjects.ts';
import { createLogger } from '../../log.ts';
import { systemWorld } from '../../world/system/world.ts';
import { type Command, type CommandContext, isSwitchOn, optionText } from '../command.ts';
import { EXIT, UsageError } from '../exit-code.ts';

const API = '0.0.0.0:8338';
const CONNECTIONS = 10;
const MAX_CONNECTIONS = 1000;

function settingsOf(context: CommandContext) {
  const url = optionText(context, 'from') ?? '';
  if (!/^postgres(ql)?:\/\//.test(url))
    throw new UsageError('--from takes the URL of a database, postgres://...', 'serve');
  const connections = optionText(context, 'connections') ?? String(CONNECTIONS);
  const node = optionText(context, 'write-to');
  const servers = optionText(context, 'nats');
  const stream = optionText(context, 'stream') ?? NATS_STREAM;
  const proxies = parseList(optionText(context, 'trusted-proxies') ?? '');
  return {
    url,
    schema: optionText(context, 'schema') ?? 'vws',
    ...parseHostPort(optionText(context, 'api') ?? API, '--api', { minPort: 0 }),
    connections: parseInteger(connections, '--connections', 1, MAX_CONNECTIONS),
    events: servers === undefined ? undefined : { servers, stream },
    nodeUrl: node === undefined ? undefined : parseBaseUrl(node, '--write-to'),
    trustedProxies: proxies.map((proxy) => checkNetwork(proxy, '--trusted-proxies')),
    isLimited: !isSwitchOn(context, 'unlimited'),
  };
}

export const serve: Command = {
  name: 'serve',
  summary: 'answer reads from an exported database',
  about: `Answers the GET routes of a node from a PostgreSQL database that vws export writes: events, tasks,
listings, validators, challenges, balances, checkpoints. The JSON is that of a node at the same order, which
X-Service-Order names; X-Service-Min-Order waits for an order. It keeps nothing itself, so any number of
readers may stand behind a balancer, with a role of the database that may only read (vws export --reader).
What only a node can answer, and every write, is refused with 501 ask_a_node. With --nats it has the stream
of events as well, as a node sends it, from what vws export --nats published.`,
  options: [
    { name: 'from', value: 'url', help: 'the database, postgres://user@host/name', isRequired: true },
    { name: 'schema', value: 'name', help: 'schema of the tables; default vws' },
    { name: 'api', value: 'host:port', help: `where to listen; default ${API}` },
    { name: 'write-to', value: 'url', help: 'a node that clients are told to ask for writes and the rest' },
    { name: 'nats', value: 'url', help: 'NATS servers with the events of the export: for the stream' },
    { name: 'stream', value: 'name', help: `their stream; default ${NATS_STREAM}` },
    {
      name: 'connections',
      value: 'count',
      help: `connections to the database; default ${CONNECTIONS}`,
    },
    {
      name: 'trusted-proxies',
      value: 'list',
      help: 'addresses or networks whose X-Forwarded-For is trusted, comma-separated',
    },
    { name: 'unlimited', help: 'no limit for each address: where a balancer limits them' },
  ],
  examples: [
    'vws serve --from postgres://analysts@localhost/history --write-to https://node.example.org',
    'vws serve --from postgres://analysts@db.example.org/history --nats nats://localhost',
    'vws serve --from postgres://analysts@db.example.org/history --api 127.0.0.1:8340 --unlimited',
  ],
  async run(context) {
    const { io } = context;
    const settings = settingsOf(context);
    const { startReader } = await import('../../export/reader/index.ts');
    const stopped = new Promise<void>((resolve) => io.onStopSignal(() => resolve()));
    const reader = await startReader(settings, systemWorld, createLogger('info'));
    io.out(`API: http://${formatHostPort({ host: settings.host, port: reader.port })}`);
    io.out('ready');
    await stopped;
    await reader.close();
    return EXIT.DONE;
  },
};
