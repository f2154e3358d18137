// The generated files of monitoring: current, about metrics that exist, and accepted by Prometheus' own tool.

import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { METRICS, Metrics } from '../../../host/metrics.ts';
import { ALERTS } from '../../../tools/monitoring/alerts.ts';
import { DASHBOARDS } from '../../../tools/monitoring/dashboards.ts';
import { monitoringFiles } from '../../../tools/monitoring/files.ts';

const NAMES = Object.keys(METRICS);
/** Names that were released before the tool's advice was known; a name stays. */
const LINTED = ['vws_api_cost_ms_total', 'vws_api_latency_ms', 'vws_peer_count'];

const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
if (!hasPromtool) console.warn('promtool is not installed (Debian: prometheus): three tests are skipped');

describe('the files of deploy/ about monitoring', () => {
  it.each(Object.entries(monitoringFiles()))('%s is as npm run monitoring writes it', (path, text) => {
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it('alerts ask for metrics that exist', () => {
    for (const { name, expr } of ALERTS) {
      const asked = [...expr.matchAll(/\bvws_\w+/g)].map(([found]) => found.replace(/_bucket$/, ''));
      expect([name, asked.filter((metric) => !NAMES.includes(metric))]).toEqual([name, []]);
    }
  });

  it('what an alert counts has a line of 0 before the first: a counter that begins at 1 never rises for Prometheus', async () => {
    const metrics = new Metrics();
    metrics.setJunk(() => [{ seat: 2, bytes: 0, held: 0, dropped: 0 }]);
    const lines = (await metrics.render()).split('\n');
    for (const { name, expr, fires } of ALERTS) {
      const counted = [...expr.matchAll(/increase\((vws_\w+(?:\{[^}]*\})?)\[/g)].map(([, found]) => found!);
      const series = counted.flatMap((one) => Object.keys(fires.series).filter((key) => key.startsWith(one)));
      expect([name, series.length]).toEqual([name, counted.length]);
      expect([name, series.filter((one) => !lines.includes(`${one} 0`))]).toEqual([name, []]);
    }
  });

  it('every metric is on a dashboard, once', () => {
    const shown = DASHBOARDS.flatMap(({ panels }) => panels.flatMap(({ metrics }) => metrics));
    expect([...shown].sort()).toEqual([...NAMES].sort());
  });

  it.skipIf(!hasPromtool)('promtool accepts the rules', () => {
    expect(
      execFileSync('promtool', ['check', 'rules', 'deploy/prometheus/rules.yml'], { encoding: 'utf8' }),
    ).toMatch(new RegExp(`SUCCESS: ${ALERTS.length} rules found`));
  });

  it.skipIf(!hasPromtool)('promtool sees each alert fire, and not fire', () => {
    const ran = spawnSync('promtool', ['test', 'rules', 'deploy/prometheus/rules.test.yml'], {
      encoding: 'utf8',
    });
    expect([ran.status, ran.stdout + ran.stderr]).toEqual([0, expect.stringContaining('SUCCESS')]);
  });

  it.skipIf(!hasPromtool)('promtool has no complaint about names but the three known ones', async () => {
    const metrics = new Metrics();
    metrics.committed(1, 0.1);
    metrics.cost('read', 1);
    metrics.request('GET', '/v1/status', 200, 1);
    const input = await metrics.render();
    const { stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input, encoding: 'utf8' });
    const complaints = `${stdout}${stderr}`.split('\n').filter((line) => line.startsWith('vws_'));
    expect([...new Set(complaints.map((line) => line.split(' ')[0]))].sort()).toEqual(LINTED);
  });
});
