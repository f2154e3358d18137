// Outages, as an operator sees them: each alert fires at the machines that it is about, and clears when the cause is gone.
// Real nodes in simulated time; their metrics are judged by the real rules. Which alerts no outage here raises is listed at
// the end; their rules are tested with made series (deploy/prometheus/rules.test.yml).

import { afterAll, describe, expect, it } from 'vitest';
import { ALERTS } from '../../tools/monitoring/alerts.ts';
import { jsonOf } from './answers.ts';
import { clientOf } from './client.ts';
import { Equivocator, runningEpoch } from './equivocator.ts';
import { SimNetwork } from './network.ts';
import { type Expected, hasPromtool, Scraped } from './scraped.ts';

const MINUTE = 60_000;
/** Of real time, on a busy machine. */
const MAX_TEST_MS = 900_000;
const raised = new Set<string>();
/** Alerts that need hours, gigabytes, a broken program, or an exporter, which is no machine of the simulated world. */
const NOT_RAISED = [
  'VwsSupplyBroken',
  'VwsBehind',
  'VwsOverloaded',
  'VwsMemoryGrowth',
  'VwsCheckpointsStale',
  'VwsSeatJunk',
  'VwsWebhooksDropped',
  'VwsExportDown',
  'VwsExportBehind',
];

if (!hasPromtool) console.warn('promtool is not installed (Debian: prometheus): the outages are skipped');

class Outage {
  readonly net: SimNetwork;
  readonly scraped: Scraped;
  readonly #acknowledged: string[] = [];
  readonly #expected: Expected[] = [];
  #agents = 0;
  #isOver = false;

  private constructor(seed: number, seats: number) {
    this.net = new SimNetwork({ seed, seats });
    this.scraped = new Scraped(this.net);
  }

  static async of(seed: number, seats: number): Promise<Outage> {
    const outage = new Outage(seed, seats);
    await outage.net.start();
    return outage;
  }

  /** An agent registers every few seconds at each of these machines, until the end. */
  load(names: readonly string[], pauseMs: number): void {
    const work = async (name: string): Promise<void> => {
      while (!this.#isOver) {
        this.#agents += 1;
        const client = clientOf(this.net, name, this.#agents, undefined, undefined, 0);
        await client.register({}).then(
          () => this.#acknowledged.push(client.pair.publicKeyHex),
          () => {},
        );
        await this.net.universe.pause(pauseMs);
      }
    };
    for (const name of names) this.net.universe.beside(work(name));
  }

  /** Nobody writes any more. */
  rest(): void {
    this.#isOver = true;
  }

  /** So many machines fire an alert now. */
  expect(alert: string, machines: number): void {
    if (machines > 0) raised.add(alert);
    this.#expected.push({ alert, atMs: this.scraped.lastMs, machines });
  }

  async readiness(name: string): Promise<boolean | undefined> {
    return (await jsonOf<{ ready: boolean }>(this.net, name, '/health/ready'))?.ready;
  }

  /** Judges, and looks for every write that was acknowledged, at every machine that is up. */
  async end(): Promise<void> {
    this.rest();
    await this.net.run(20_000);
    expect(this.#acknowledged.length).toBeGreaterThan(10);
    for (const { name } of this.net.machines.filter(({ isUp }) => isUp))
      for (const id of this.#acknowledged)
        expect([name, await jsonOf(this.net, name, `/v1/agents/${id}`)]).toEqual([
          name,
          expect.objectContaining({ agent_id: id }),
        ]);
    expect(this.net.watch.fault).toBeUndefined();
    for (const machine of this.net.machines) machine.kill();
    expect(this.scraped.judge(this.#expected)).toBe('');
  }
}

describe.skipIf(!hasPromtool)('alerts fire and clear', { timeout: MAX_TEST_MS }, () => {
  it('one machine is gone for good, then comes back', async () => {
    const o = await Outage.of(41, 4);
    o.load(['n0'], 5000);
    await o.scraped.run(3 * MINUTE);
    for (const alert of ['VwsNodeDown', 'VwsSilentSeats', 'VwsNoQuorum']) o.expect(alert, 0);
    o.net.machine('n3').kill();
    await o.scraped.run(16 * MINUTE);
    o.expect('VwsNodeDown', 1);
    o.expect('VwsSilentSeats', 3);
    o.expect('VwsNoQuorum', 0);
    void o.net.machine('n3').start();
    await o.scraped.run(4 * MINUTE);
    o.expect('VwsNodeDown', 0);
    o.expect('VwsSilentSeats', 0);
    await o.end();
  });

  it('half of the seats are gone: no quorum, nothing ordered, writes refused, not ready; then all is well', async () => {
    const o = await Outage.of(42, 4);
    o.load(['n0', 'n1'], 5000);
    await o.scraped.run(6 * MINUTE);
    const alerts = [
      'VwsNoQuorum',
      'VwsOrderStalled',
      'VwsWritesNotOrdered',
      'VwsNotReady',
      'VwsServerErrors',
    ];
    for (const alert of alerts) o.expect(alert, 0);
    expect(await o.readiness('n0')).toBe(true);
    for (const name of ['n2', 'n3']) o.net.machine(name).kill();
    await o.scraped.run(9 * MINUTE);
    for (const alert of alerts) o.expect(alert, 2);
    expect(await o.readiness('n0')).toBe(false);
    for (const name of ['n2', 'n3']) void o.net.machine(name).start();
    await o.scraped.run(8 * MINUTE);
    for (const alert of alerts) o.expect(alert, 0);
    expect(await o.readiness('n0')).toBe(true);
    await o.end();
  });

  it('a clock is wrong, a disk is full, a disk is slow, a main thread hangs: at one machine each', async () => {
    const o = await Outage.of(43, 4);
    o.load(['n0', 'n1'], 3000);
    await o.scraped.run(3 * MINUTE);
    const alerts = ['VwsClockWrong', 'VwsDiskFull', 'VwsSlowDisk', 'VwsMainThreadBlocked'];
    for (const alert of alerts) o.expect(alert, 0);
    o.net.machine('n0').skewMs += 20_000;
    o.net.machine('n1').freeBytes = 2 ** 29;
    o.net.machine('n2').syncMs = 400;
    o.net.machine('n3').loopDelayMs = 3000;
    await o.scraped.run(17 * MINUTE);
    for (const alert of alerts) o.expect(alert, 1);
    expect(await o.readiness('n1')).toBe(false);
    o.net.machine('n0').skewMs -= 20_000;
    o.net.machine('n1').freeBytes = 2 ** 40;
    o.net.machine('n2').syncMs = 2;
    o.net.machine('n3').loopDelayMs = 0;
    await o.scraped.run(8 * MINUTE);
    for (const alert of alerts) o.expect(alert, 0);
    expect(await o.readiness('n1')).toBe(true);
    await o.end();
  });

  it('every disk is so slow that writes take seconds', async () => {
    const o = await Outage.of(44, 4);
    o.load(['n0'], 3000);
    await o.scraped.run(3 * MINUTE);
    o.expect('VwsSlowWrites', 0);
    for (const machine of o.net.machines) machine.syncMs = 1500;
    await o.scraped.run(12 * MINUTE);
    o.expect('VwsSlowWrites', 1);
    for (const machine of o.net.machines) machine.syncMs = 2;
    await o.scraped.run(8 * MINUTE);
    o.expect('VwsSlowWrites', 0);
    await o.end();
  });

  it('a seat signs two vertices with one number', async () => {
    const o = await Outage.of(45, 4);
    o.load(['n0', 'n1'], 5000);
    await o.scraped.run(2 * MINUTE);
    o.expect('VwsEquivocation', 0);
    o.net.machine('n3').kill();
    const cheater = new Equivocator(o.net, 3);
    const epoch = runningEpoch(o.net, ['n0']);
    const timeMs = Math.floor(o.net.universe.nowMs);
    for (const [n, name] of ['n0', 'n1'].entries())
      await o.net.until(cheater.give(name, cheater.branch(1, 0, timeMs + n, epoch), epoch.number), 20_000);
    await o.scraped.run(3 * MINUTE);
    o.expect('VwsEquivocation', 3);
    o.rest();
    await o.scraped.run(62 * MINUTE);
    o.expect('VwsEquivocation', 0);
    await o.net.until(cheater.fallSilent(), 20_000);
    await o.end();
  });

  afterAll(() => {
    const known = ALERTS.map(({ name }) => name);
    expect([...raised, ...NOT_RAISED].sort()).toEqual([...known].sort());
  });
});
