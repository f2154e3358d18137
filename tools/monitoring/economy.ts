// The Grafana dashboard of the economy: questions in SQL to a database that vws export fills.
// Keeps: each question reads the views of the export and nothing else, so that a test can ask all of them.

export interface EconomyPanel {
  title: string;
  /** As Grafana names it. */
  unit: string;
  kind: 'timeseries' | 'stat' | 'table';
  sql: string;
}

/** Micro-units in a token. */
const TOKENS = '1000000.0';

export const ECONOMY_PANELS: readonly EconomyPanel[] = [
  {
    title: 'Volume, tokens in an hour',
    unit: 'short',
    kind: 'timeseries',
    sql: `select at as time, type as metric, amount / ${TOKENS} as value from vws.volume_by_hour order by 1`,
  },
  {
    title: 'Events in an hour',
    unit: 'short',
    kind: 'timeseries',
    sql: 'select at as time, type as metric, events as value from vws.volume_by_hour order by 1',
  },
  {
    title: 'Fees, tokens in an hour',
    unit: 'short',
    kind: 'timeseries',
    sql: `select at as time, pool as metric, amount / ${TOKENS} as value from vws.fees_by_hour order by 1`,
  },
  {
    title: 'Velocity: what agents received in a day, by what they hold',
    unit: 'percentunit',
    kind: 'timeseries',
    sql: 'select at as time, velocity as value from vws.velocity_by_day order by 1',
  },
  {
    title: 'In the hands of agents, tokens',
    unit: 'short',
    kind: 'stat',
    sql: `select amount / ${TOKENS} as value from vws.circulating`,
  },
  {
    title: 'Concentration: shares of the 10 and 100 largest, Gini',
    unit: 'percentunit',
    kind: 'stat',
    sql: 'select top_10, top_100, gini from vws.concentration',
  },
  {
    title: 'Income of validators, tokens in a day',
    unit: 'short',
    kind: 'timeseries',
    sql: `select at as time, validator as metric, amount / ${TOKENS} as value from vws.validator_income_by_day order by 1`,
  },
  {
    title: 'Disputes, challenges and slashes in a day',
    unit: 'short',
    kind: 'timeseries',
    sql: 'select at as time, disputed, conceded, challenges, slashes from vws.disputes_by_day order by 1',
  },
  {
    title: 'Time to settle, seconds',
    unit: 's',
    kind: 'timeseries',
    sql: `select at as time, percentile_cont(0.5) within group (order by seconds) as p50,
  percentile_cont(0.99) within group (order by seconds) as p99 from vws.settlement_time group by 1 order by 1`,
  },
  {
    title: 'From posting to completion of a task, by category',
    unit: 's',
    kind: 'table',
    sql: `select category, count(*) as tasks, percentile_cont(0.5) within group (order by seconds) as p50,
  sum(budget) / ${TOKENS} as tokens from vws.task_time group by 1 order by 2 desc limit 50`,
  },
  {
    title: 'Pools, tokens',
    unit: 'short',
    kind: 'table',
    sql: `select account, balance / ${TOKENS} as tokens from vws.account where account like 'pool:%' order by 2 desc`,
  },
  {
    title: 'Exported up to',
    unit: 'short',
    kind: 'table',
    sql: "select seq, ord, to_timestamp(time_ms / 1000) at time zone 'UTC' as at from vws.export_state",
  },
];

const SOURCE = { type: 'grafana-postgresql-datasource', uid: '$' + '{datasource}' };

function panelJson({ title, unit, kind, sql }: EconomyPanel, index: number): object {
  return {
    id: index + 1,
    type: kind,
    title,
    datasource: SOURCE,
    gridPos: { x: (index % 3) * 8, y: Math.floor(index / 3) * 8, w: 8, h: 8 },
    fieldConfig: { defaults: { unit }, overrides: [] },
    targets: [
      {
        refId: 'A',
        datasource: SOURCE,
        format: kind === 'timeseries' ? 'time_series' : 'table',
        rawQuery: true,
        rawSql: sql,
      },
    ],
  };
}

/** The JSON model of the dashboard, as Grafana provisions it. */
export function economyFile(): string {
  const model = {
    uid: 'vws-economy',
    title: 'vws: economy',
    tags: ['vws'],
    schemaVersion: 39,
    editable: true,
    refresh: '1m',
    time: { from: 'now-30d', to: 'now' },
    templating: {
      list: [
        { name: 'datasource', type: 'datasource', query: 'grafana-postgresql-datasource', label: 'Source' },
      ],
    },
    panels: ECONOMY_PANELS.map(panelJson),
  };
  return `${JSON.stringify(model, null, 2)}\n`;
}
