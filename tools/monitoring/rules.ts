// Writes the alert table as rules of Prometheus, as their unit tests, and as a chapter for operators.

import { ALERTS, type Alert } from './alerts.ts';

const MADE = 'Made by npm run monitoring from tools/monitoring/; do not edit.';
const quote = (text: string): string => JSON.stringify(text);

function rule({ name, expr, for: held, severity, summary, runbook }: Alert): string[] {
  return [
    `      - alert: ${name}`,
    `        expr: ${quote(expr)}`,
    `        for: ${held}`,
    '        labels:',
    `          severity: ${severity}`,
    '        annotations:',
    `          summary: ${quote(summary)}`,
    `          runbook: ${quote(runbook)}`,
  ];
}

/** deploy/prometheus/rules.yml */
export function rulesFile(): string {
  const lines = [`# ${MADE}`, 'groups:', '  - name: vws', '    rules:', ...ALERTS.flatMap(rule)];
  return `${lines.join('\n')}\n`;
}

/** The job whose series make an alert fire. */
const jobOf = (series: string): string => /job="([^"]*)"/.exec(series)?.[1] ?? 'vws';

/** A series name with the labels that a scrape adds. */
function scraped(series: string): string {
  const [name, labels] = series.replace('}', '').split('{');
  const own = (labels ?? '').split(',').filter((label) => label !== '' && !label.startsWith('job='));
  return `${name}{${[...own, 'instance="n1:8338"', `job="${jobOf(series)}"`].join(',')}}`;
}

/** Labels that an alert takes from the series that made it fire, beyond instance and job. */
function ownLabels({ fires, expr }: Alert): string[] {
  if (expr.startsWith('sum by') || expr.startsWith('histogram_quantile')) return [];
  const [first] = Object.keys(fires.series);
  const found = [...(first ?? '').matchAll(/(\w+)="([^"]*)"/g)].filter(([, name]) => name !== 'job');
  return found.map(([, name, value]) => `              ${name}: ${quote(value as string)}`);
}

function test(alert: Alert, which: 'fires' | 'quiet'): string[] {
  const { series, until } = alert[which];
  const expected = [
    '        exp_alerts:',
    '          - exp_labels:',
    `              severity: ${alert.severity}`,
    '              instance: "n1:8338"',
    `              job: ${jobOf(Object.keys(alert.fires.series)[0] ?? '')}`,
    ...ownLabels(alert),
    '            exp_annotations:',
    `              summary: ${quote(alert.summary)}`,
    `              runbook: ${quote(alert.runbook)}`,
  ];
  return [
    `  - name: ${quote(`${alert.name} ${which === 'fires' ? 'fires' : 'does not fire'}`)}`,
    '    interval: 1m',
    '    input_series:',
    ...Object.entries(series).flatMap(([name, values]) => [
      `      - series: ${quote(scraped(name))}`,
      `        values: ${quote(values)}`,
    ]),
    '    alert_rule_test:',
    `      - eval_time: ${until}`,
    `        alertname: ${alert.name}`,
    ...(which === 'fires' ? expected : ['        exp_alerts: []']),
  ];
}

/** deploy/prometheus/rules.test.yml */
export function rulesTestFile(): string {
  const lines = [
    `# ${MADE}`,
    'rule_files:',
    '  - rules.yml',
    'evaluation_interval: 1m',
    'tests:',
    ...ALERTS.flatMap((alert) => [...test(alert, 'fires'), ...test(alert, 'quiet')]),
  ];
  return `${lines.join('\n')}\n`;
}

/** docs/operate/alerts.md */
export function alertsChapter(): string {
  const lines = [
    '# Alerts',
    '',
    `What each alert of \`deploy/prometheus/rules.yml\` means and what to do. ${MADE}`,
    'The metrics behind them are in [protocol 11](../protocol/metrics.md).',
    '',
    'Prometheus shows what fires at `/alerts` and wakes nobody. That takes an Alertmanager, named under `alerting` in',
    '`deploy/prometheus/prometheus.yml`: send what is labelled `severity="critical"` to whoever has to get up, the rest to who looks in the morning.',
    '',
  ];
  for (const { name, expr, for: held, severity, summary, runbook } of ALERTS) {
    const when = held === '0m' ? 'at once' : `after ${held}`;
    lines.push(
      `## ${name}`,
      '',
      `${summary} (${severity}, ${when}).`,
      '',
      '```text',
      expr,
      '```',
      '',
      runbook,
      '',
    );
  }
  return `${lines.join('\n').trimEnd()}\n`;
}
