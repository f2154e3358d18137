// What Prometheus would have scraped of a simulated network, judged by the real rules: promtool evaluates them.
// Keeps: a sample every 15 s of simulated time, of every metric that a rule names; a machine that is down is `up` 0, and its
// series are stale, as Prometheus makes them.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ALERTS } from '../../tools/monitoring/alerts.ts';
import { textOf } from './answers.ts';
import type { SimNetwork } from './network.ts';

const STEP_MS = 15_000;
const NAMES = new Set(ALERTS.flatMap(({ expr }) => expr.match(/vws_\w+/g) ?? []));

export const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

/** A time at which an alert fires at so many machines. */
export interface Expected {
  alert: string;
  atMs: number;
  machines: number;
}

export class Scraped {
  readonly #series = new Map<string, string[]>();
  readonly #startMs: number;
  #samples = 0;

  constructor(private readonly net: SimNetwork) {
    this.#startMs = net.universe.nowMs;
  }

  /** Simulated time since the beginning. */
  get atMs(): number {
    return this.net.universe.nowMs - this.#startMs;
  }

  /** When the newest samples were taken: those of the present time come with the next run. */
  get lastMs(): number {
    return (this.#samples - 1) * STEP_MS;
  }

  /** Runs the network, and scrapes it. */
  async run(ms: number): Promise<void> {
    for (const end = this.atMs + ms; this.atMs < end; ) {
      for (const { name, isUp } of this.net.machines) this.#take(name, isUp ? await this.#metrics(name) : '');
      this.#samples += 1;
      await this.net.run(this.#samples * STEP_MS - this.atMs);
    }
  }

  #metrics(name: string): Promise<string> {
    return textOf(this.net, name, '/metrics');
  }

  #take(machine: string, text: string): void {
    const from = `job="vws",instance="${machine}"`;
    const now = new Map([[`up{${from}}`, text === '' ? '0' : '1']]);
    for (const line of text.split('\n')) {
      const [, name, labels, value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      if (name === undefined || !NAMES.has(name.replace(/_(count|sum)$/, ''))) continue;
      now.set(`${name}{${labels === undefined ? '' : `${labels},`}${from}}`, value!.replace('+Inf', 'Inf'));
    }
    for (const [series, values] of this.#series)
      if (series.includes(from) && !now.has(series)) values.push(values.at(-1) === 'stale' ? '_' : 'stale');
    for (const [series, value] of now) {
      const values = this.#series.get(series) ?? Array.from({ length: this.#samples }, () => '_');
      this.#series.set(series, [...values, value]);
    }
  }

  /** What promtool says where something else fires than expected; empty when nothing does. */
  judge(expected: readonly Expected[]): string {
    const folder = mkdtempSync(join(tmpdir(), 'vws-outage-'));
    const checks = expected.map(({ alert, atMs, machines }) => ({
      expr: `sum(ALERTS{alertname="${alert}",alertstate="firing"}) or vector(0)`,
      eval_time: `${Math.floor(atMs / 1000)}s`,
      exp_samples: [{ labels: '{}', value: machines }],
    }));
    const test = {
      rule_files: [resolve('deploy/prometheus/rules.yml')],
      evaluation_interval: '15s',
      tests: [
        {
          interval: '15s',
          input_series: [...this.#series].map(([series, values]) => ({ series, values: values.join(' ') })),
          promql_expr_test: checks,
        },
      ],
    };
    try {
      // JSON is YAML.
      writeFileSync(join(folder, 'test.yml'), JSON.stringify(test));
      const ran = spawnSync('promtool', ['test', 'rules', join(folder, 'test.yml')], { encoding: 'utf8' });
      return ran.status === 0 ? '' : `${ran.stdout}${ran.stderr}`;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}
