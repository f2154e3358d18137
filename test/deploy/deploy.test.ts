// What is in deploy/ fits the program: settings, ports, routes and commands that exist, nothing that only builders need.

import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseAllDocuments, parse as parseYaml } from 'yaml';
import { ROUTES } from '../../host/api/routes.ts';
import { commandNamed } from '../../host/cli/command.ts';
import { parseCommandLine } from '../../host/cli/command-line.ts';
import { loadCommands } from '../../host/cli/command-table.ts';
import { loadConfig } from '../../host/config/config.ts';
import { parseConfigFile } from '../../host/config/config-file.ts';
import { SETTINGS } from '../../host/config/settings.ts';

// biome-ignore lint/suspicious/noExplicitAny: files of other programs, looked into by name
type Any = any;

const COMMANDS = await loadCommands();
const read = (path: string): string => readFileSync(path, 'utf8');
const FILES = readdirSync('deploy', { recursive: true, encoding: 'utf8' }).map((name) =>
  join('deploy', name),
);
const yamlFiles = FILES.filter((path) => path.endsWith('.yml'));
const PORTS = { peers: 8337, api: 8338 };

/** The words of a command line of the program are what it takes. */
function checkCommand([name, ...args]: readonly string[]): void {
  const command = commandNamed(COMMANDS, name as string);
  expect(command, name).toBeDefined();
  parseCommandLine(command!, args);
}

describe('deploy/', () => {
  it.each(yamlFiles)('%s is YAML', (path) => {
    for (const document of parseAllDocuments(read(path))) expect(document.errors).toEqual([]);
  });

  it('names settings that exist', () => {
    const known = new Set(SETTINGS.flatMap((row) => ('env' in row ? [row.env as string] : [])));
    const texts = [...FILES.filter((path) => /\.(yml|service|timer|sh)$/.test(path)), 'Dockerfile'];
    for (const path of texts) {
      const named = [...read(path).matchAll(/\bSERVICE_[A-Z_]+/g)].map(([name]) => name);
      expect([path, named.filter((name) => !known.has(name))]).toEqual([path, []]);
    }
  });

  it('asks for health where it is', () => {
    const paths = ROUTES.map((route) => route.path);
    for (const path of [
      ...FILES.filter((name) => !/\.json$/.test(name) && /\.\w+$/.test(name)),
      'Dockerfile',
    ])
      for (const [asked] of read(path).matchAll(/\/health\/\w+/g)) expect(paths).toContain(asked);
  });
});

describe('the image', () => {
  const stages = read('Dockerfile')
    .split(/^FROM /m)
    .slice(1);
  const last = stages.at(-1)!;

  it('ends in a stage without npm, compilers and root', () => {
    expect(last).not.toMatch(/npm ci|npm install|apt-get|tools\/build/);
    expect(last).toMatch(/^USER node$/m);
    expect(last).toMatch(/rm -rf .*npm/);
    expect(stages[1]).toContain('npm ci --omit=dev');
  });

  it('runs a supported Node, has the ports of the settings, and starts the program', () => {
    for (const stage of stages) expect(stage).toMatch(/^node:22-/);
    expect(last).toContain(`EXPOSE ${PORTS.peers} ${PORTS.api}`);
    for (const [name, port] of [
      ['listen', PORTS.peers],
      ['api', PORTS.api],
    ] as const)
      expect(SETTINGS.find((row) => row.name === name)).toMatchObject({ fallback: `0.0.0.0:${port}` });
    const { bin } = JSON.parse(read('package.json'));
    expect(last).toContain(`ENTRYPOINT ["node", "/opt/vws/${bin.vws}"]`);
    checkCommand(JSON.parse(/^CMD (\[.*\])$/m.exec(last)![1]!));
  });
});

describe.each(['one', 'four'])('compose for %s', (name) => {
  const { services } = parseYaml(read(`deploy/compose/${name}.yml`)) as Any;
  const nodes = Object.keys(services).filter((key) => /^n\d$/.test(key));

  it('starts as many nodes as it makes keys for, each with its own settings, none as root', () => {
    expect(nodes).toHaveLength(name === 'one' ? 1 : 4);
    expect(services.setup.entrypoint.at(-1)).toBe(String(nodes.length));
    for (const node of nodes) {
      checkCommand(services[node].command);
      expect(services[node]).toMatchObject({ cap_drop: ['ALL'], read_only: true, stop_grace_period: '30s' });
      expect(services[node].command).toContain(`/net/${node}/vws.toml`);
      expect(services[node].user).toBeUndefined();
    }
    const hosts = nodes.map((node) => services[node].ports[0]);
    expect(new Set(hosts).size).toBe(nodes.length);
    for (const port of hosts) expect(port).toMatch(new RegExp(`:${PORTS.api}$`));
  });

  it('scrapes all of them, and mounts what exists', () => {
    const [{ targets }] = parseYaml(read(`deploy/compose/targets-${name}.yml`)) as Any;
    expect(targets).toEqual(nodes.map((node) => `${node}:${PORTS.api}`));
    for (const { volumes = [] } of Object.values(services) as Any[])
      for (const volume of volumes as string[])
        if (volume.startsWith('.'))
          expect([volume, existsSync(join('deploy/compose', volume.split(':')[0]!))]).toEqual([volume, true]);
  });
});

describe('compose for a signer', () => {
  const { services } = parseYaml(read('deploy/compose/signer.yml')) as Any;

  it('gives the key to a container without a network, and the node the socket only', () => {
    checkCommand(services.signer.command);
    expect(services.signer).toMatchObject({ network_mode: 'none', read_only: true, cap_drop: ['ALL'] });
    const socket = services.signer.command[services.signer.command.indexOf('--socket') + 1];
    expect(services.n1.environment).toEqual({ SERVICE_SIGNER: `unix:${socket}` });
    expect(services.n1.volumes.join()).not.toContain('keys');
  });

  it('moves the key once, leaves none with the node, and does nothing the second time', () => {
    const folder = mkdtempSync(join(tmpdir(), 'vws-keys-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const [node, keys, sockets] = ['node', 'keys', 'sockets'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    for (const path of [join(node, 'state', 'node_keys'), keys, sockets])
      mkdirSync(path, { recursive: true });
    writeFileSync(join(node, 'state', 'node_keys', 'identity.json'), '{}');
    writeFileSync(join(node, 'state', 'key_unused'), 'ab');
    writeFileSync(join(node, 'passphrase'), 'secret');
    // Nobody hands files to a user that this machine has not.
    const script = `id() { echo 1; }; set -- ${node} ${keys} ${sockets}\n${read('deploy/compose/keys.sh')}`;
    for (let run = 0; run < 2; run++) {
      execFileSync('sh', ['-c', script]);
      expect(existsSync(join(node, 'state', 'node_keys'))).toBe(false);
      expect(existsSync(join(node, 'passphrase'))).toBe(false);
      expect(readFileSync(join(keys, 'node_keys', 'identity.json'), 'utf8')).toBe('{}');
      expect(['key_unused', 'passphrase'].map((name) => readFileSync(join(keys, name), 'utf8'))).toEqual([
        'ab',
        'secret',
      ]);
    }
  });
});

describe('systemd', () => {
  const unit = read('deploy/systemd/vws.service');
  const given = (key: string): string => new RegExp(`^${key}=(.*)$`, 'm').exec(unit)![1]!;

  it('starts the program, stops it with time to spare, and does not repeat what cannot succeed', () => {
    checkCommand(given('ExecStart').split(' ').slice(2));
    expect(Number(given('TimeoutStopSec'))).toBeGreaterThan(10);
    expect(given('RestartPreventExitStatus')).toBe('2 3 4');
    for (const key of ['NoNewPrivileges', 'ProtectHome', 'PrivateDevices', 'LockPersonality'])
      expect(given(key)).toBe('true');
    // WebAssembly and the compiler of the engine need it.
    expect(unit).not.toMatch(/^MemoryDenyWriteExecute=true/m);
  });

  it('runs a signer that only the group of the node reaches, with the same hardening and without a network', () => {
    const signer = read('deploy/systemd/vws-signer.service');
    const drop = read('deploy/systemd/vws-signer.conf');
    const of = (key: string): string => new RegExp(`^${key}=(.*)$`, 'm').exec(signer)![1]!;
    const words = of('ExecStart').split(' ').slice(2);
    checkCommand(words);
    const socket = words[words.indexOf('--socket') + 1]!;
    expect(socket).toBe(`/run/${of('RuntimeDirectory')}/node.sock`);
    expect(drop).toContain(`Environment=SERVICE_SIGNER=unix:${socket}\n`);
    expect(drop).toContain('UnsetEnvironment=SERVICE_SIGNED_RECORD');
    expect([of('Group'), of('User') === given('User'), words.includes('--for-group')]).toEqual([
      given('Group'),
      false,
      true,
    ]);
    expect([of('RuntimeDirectoryMode'), of('StateDirectoryMode')]).toEqual(['0750', '0700']);
    expect([of('PrivateNetwork'), of('RestrictAddressFamilies')]).toEqual(['true', 'AF_UNIX']);
    const hardening = (text: string): string[] =>
      [
        ...text.matchAll(/^(No|Protect|Private|Restrict|Lock|Remove|Capability|Ambient|SystemCall)\w*=.*$/gm),
      ].map(([line]) => line);
    const own = hardening(signer);
    for (const line of hardening(unit).filter(
      (rule) => !rule.startsWith('RestrictAddressFamilies') && !rule.startsWith('Restart'),
    ))
      expect(own).toContain(line);
    // `start` takes the variables of the drop-in.
    expect(loadConfig({ flags: {}, env: { SERVICE_SIGNER: `unix:${socket}` } }).signerPath).toBe(socket);
  });

  it.each(['vws', 'vws-signer'])(
    '%s: the filter of system calls lets the JavaScript engine start',
    (name) => {
      const text = read(`deploy/systemd/${name}.service`);
      // V8 asks for memory protection keys, which @system-service does not hold; what is refused ends a process by default.
      expect(text).toMatch(/^SystemCallFilter=@system-service @pkey$/m);
      expect(text).toMatch(/^SystemCallErrorNumber=EPERM$/m);
    },
  );

  it('has a configuration that a node takes', () => {
    const file = parseConfigFile(read('deploy/systemd/vws.toml'), '/etc/vws/vws.toml');
    expect(loadConfig({ env: {}, flags: {}, file }).manifestPath).toBe('/etc/vws/seats.json');
  });
});

describe('Kubernetes', () => {
  const objects = parseAllDocuments(read('deploy/kubernetes/vws.yml')).map(
    (document) => document.toJS() as Any,
  );
  const kind = (name: string): Any => objects.find((object) => object.kind === name);
  const { spec } = kind('StatefulSet').spec.template;
  const [node] = spec.containers;

  it('has a configuration that a node takes, and dials the service of the peers', () => {
    const file = parseConfigFile(kind('ConfigMap').data['vws.toml'], '/etc/vws/vws.toml');
    const config = loadConfig({ env: {}, flags: {}, file });
    const peers = objects.find((object) => object.kind === 'Service' && object.spec.clusterIP === 'None');
    expect(config.discover).toEqual({ host: peers.metadata.name, port: PORTS.peers });
    expect(peers.spec.publishNotReadyAddresses).toBe(true);
    checkCommand(node.args);
  });

  it('probes and ports fit the program', () => {
    expect(node.ports.map((port: Any) => [port.name, port.containerPort])).toEqual(Object.entries(PORTS));
    expect([node.livenessProbe, node.startupProbe].map((probe) => probe.httpGet.path)).toEqual([
      '/health/live',
      '/health/live',
    ]);
    expect(node.readinessProbe.httpGet.path).toBe('/health/ready');
  });

  it('runs as nobody in particular, and without variables that look like settings', () => {
    expect(spec).toMatchObject({ enableServiceLinks: false, securityContext: { runAsNonRoot: true } });
    expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(10);
    for (const container of [...spec.initContainers, ...spec.containers])
      expect(container.securityContext).toMatchObject({
        readOnlyRootFilesystem: true,
        allowPrivilegeEscalation: false,
      });
  });

  it('lets one seat at a time be disturbed', () => {
    expect(kind('PodDisruptionBudget').spec.maxUnavailable).toBe(1);
  });
});

const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
if (!hasPromtool) console.warn('promtool is not installed (Debian: prometheus): one test is skipped');

it.skipIf(!hasPromtool)('promtool accepts the configuration of Prometheus', () => {
  expect(
    execFileSync('promtool', ['check', 'config', 'deploy/prometheus/prometheus.yml'], { encoding: 'utf8' }),
  ).toContain('SUCCESS');
});

it('the shell accepts the script of the setup', () => {
  execFileSync('sh', ['-n', 'deploy/compose/setup.sh']);
});
