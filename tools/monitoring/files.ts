// The files that npm run monitoring writes, by their paths in the repository.

import { DASHBOARDS, dashboardFile } from './dashboards.ts';
import { economyFile } from './economy.ts';
import { alertsChapter, rulesFile, rulesTestFile } from './rules.ts';

export const monitoringFiles = (): Record<string, string> => ({
  'deploy/prometheus/rules.yml': rulesFile(),
  'deploy/prometheus/rules.test.yml': rulesTestFile(),
  'docs/operate/alerts.md': alertsChapter(),
  'deploy/grafana/dashboards/vws-economy.json': economyFile(),
  ...Object.fromEntries(
    DASHBOARDS.map((board) => [`deploy/grafana/dashboards/${board.uid}.json`, dashboardFile(board)]),
  ),
});
