// npm run attacks: runs the tests of test/attacks and prints what each attack yields, beside what it yielded in the first
// version. Exit code 1 when a test fails.
// Keeps: the figures after are those that the tests have just measured; those before are quoted in the tests.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readEnv } from '../host/config/config.ts';
import type { Figure } from '../test/attacks/figures.ts';
import { optionsOf } from './options.ts';

const VITEST = 'node_modules/vitest/vitest.mjs';

const { only } = optionsOf({
  name: 'attacks',
  about:
    'the attacks of docs/security.md, each over a real node, a simulated world or the ledger: what it yielded in the ' +
    'first version, and what it yields now.',
  options: {
    only: {
      kind: 'text',
      value: 'NAME',
      help: 'files of test/attacks whose name contains this, such as r02',
    },
  },
});

/** R2 before R11. */
const numberOf = ({ attack }: Figure): number => Number(attack.slice(1));

function table(figures: readonly Figure[]): string[] {
  const rows = [
    ['Attack', 'What', 'First version', 'Now'],
    ...[...figures]
      .sort((a, b) => numberOf(a) - numberOf(b))
      .map(({ attack, what, before, after }) => [attack, what, before, after]),
  ];
  const widths = rows[0]!.map((_, i) => Math.max(...rows.map((row) => row[i]!.length)));
  return rows.map((row) =>
    row
      .map((text, i) => text.padEnd(widths[i]!))
      .join('  ')
      .trimEnd(),
  );
}

const dir = mkdtempSync(join(tmpdir(), 'vws-attacks-'));
const file = join(dir, 'figures.jsonl');
writeFileSync(file, '');
const files = `test/attacks/${only ?? ''}`;
const { status } = spawnSync(process.execPath, [VITEST, 'run', files], {
  stdio: 'inherit',
  env: { ...readEnv(), VWS_ATTACK_FIGURES: file },
});
const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
rmSync(dir, { recursive: true });
for (const line of table(lines.map((text) => JSON.parse(text) as Figure))) console.log(line);
process.exitCode = status === 0 ? 0 : 1;
