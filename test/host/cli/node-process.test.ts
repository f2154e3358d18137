import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { CommandContext } from '../../../host/cli/command.ts';
import { runNode } from '../../../host/cli/node-process.ts';
import type { RunningNode, StartNode } from '../../../host/cli/running-node.ts';
import { loadConfig } from '../../../host/config/config.ts';
import { keyPairFromSeed } from '../../../host/crypto/key-pair.ts';
import { FakeIo } from './harness.ts';

afterEach(() => vi.useRealTimers());

const key = keyPairFromSeed(new Uint8Array(32).fill(1));
const log = { info() {}, warn(_: string) {}, error() {}, debug() {} };

function setUp(startNode?: StartNode) {
  const io = new FakeIo();
  let fail: (error: Error) => void = () => {};
  const node = {
    apiAddress: 'http://127.0.0.1:8338',
    operatorAgentId: 'operator',
    listenAddress: '127.0.0.1:8337',
    stop: vi.fn(async () => {}),
    failed: new Promise<Error>((resolve) => {
      fail = resolve;
    }),
  } satisfies RunningNode;
  const context = { io, env: {}, flags: {}, words: [], startNode: startNode ?? (async () => node) };
  const source = { genesis: { chainId: 'vws-testnet-1' } };
  const config = loadConfig({ env: { SERVICE_TESTNET: 'true' }, flags: {} });
  const ended = runNode(context as CommandContext, { config, key, source, log } as never);
  return { io, node, fail, ended };
}
const untilReady = (io: FakeIo) => vi.waitFor(() => expect(io.outLines.at(-1)).toBe('ready'));

describe('a node process', () => {
  it.each([
    ['v20.19.4', ['Node.js v20.19.4 is out of support, version 20 since April 2026: install 22 or 24']],
    ['v21.7.0', ['Node.js v21.7.0 is out of support, version 20 since April 2026: install 22 or 24']],
    ['v22.0.0', []],
    ['v26.1.0', []],
  ])('says once when Node.js %s is out of support', async (version, said) => {
    const real = Object.getOwnPropertyDescriptor(process, 'version')!;
    Object.defineProperty(process, 'version', { ...real, value: version });
    onTestFinished(() => void Object.defineProperty(process, 'version', real));
    const warn = vi.spyOn(log, 'warn');
    const { io, ended } = setUp();
    await untilReady(io);
    expect(warn.mock.calls.map(([text]) => text)).toEqual(said);
    warn.mockRestore();
    io.signal();
    await ended;
  });

  it('prints exactly the lines of protocol 12.1', async () => {
    const { io, ended } = setUp();
    await untilReady(io);
    expect(io.outLines).toEqual([
      'vws 0.1.0-testnet',
      'AgentID: operator',
      'Chain: vws-testnet-1',
      'Listening: 127.0.0.1:8337',
      'API: http://127.0.0.1:8338',
      'Page: http://127.0.0.1:8338/',
      'Docs: http://127.0.0.1:8338/docs',
      'ready',
    ]);
    io.signal();
    await ended;
  });

  it.each(['SIGTERM', 'SIGINT'])('stops the node once and ends with 0 on %s', async (signal) => {
    const { io, node, ended } = setUp();
    await untilReady(io);
    io.signal(signal);
    io.signal(signal);
    expect(await ended).toBe(0);
    expect(node.stop).toHaveBeenCalledTimes(1);
  });

  it('stops cleanly when the signal arrives while it starts', async () => {
    let started: (node: RunningNode) => void = () => {};
    const { io, node, ended } = setUp(() => new Promise((resolve) => (started = resolve)));
    io.signal();
    started(node);
    expect(await ended).toBe(0);
    expect(node.stop).toHaveBeenCalledTimes(1);
    expect(io.outLines).toEqual([]);
  });

  it('stops and reports a node that failed', async () => {
    const { io, node, fail, ended } = setUp();
    await untilReady(io);
    fail(new Error('disk full'));
    await expect(ended).rejects.toThrow('disk full');
    expect(node.stop).toHaveBeenCalledTimes(1);
  });

  it('reports the failure and not the errors of stopping after it', async () => {
    const { io, node, fail, ended } = setUp();
    await untilReady(io);
    node.stop.mockRejectedValue(new Error('Database is not closed'));
    fail(new Error('disk full'));
    await expect(ended).rejects.toThrow('disk full');
  });

  it('reports why the node did not start', async () => {
    const { io, ended } = setUp(async () => {
      throw new Error('the store is locked');
    });
    await expect(ended).rejects.toThrow('the store is locked');
    expect(io.outLines).toEqual([]);
  });

  it('is abandoned when stopping hangs', async () => {
    vi.useFakeTimers();
    const { io, node } = setUp();
    await vi.advanceTimersByTimeAsync(0);
    node.stop.mockImplementation(() => new Promise(() => {}));
    io.signal();
    await vi.advanceTimersByTimeAsync(9_400);
    expect(io.abandoned).toEqual([]);
    await vi.advanceTimersByTimeAsync(200);
    expect(io.abandoned).toEqual([1]);
  });
});
