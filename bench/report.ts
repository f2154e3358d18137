// Prints benchmarks: the machine first, then a table for people; rows as JSON for programs.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { builtPath } from '../tools/load/built.ts';
import type { Row } from './row.ts';

export interface Machine {
  cores: number;
  cpu: string;
  memory_gb: number;
  platform: string;
  node: string;
  /** Absent outside a Git checkout. */
  commit?: string;
  core_wasm_sha256: string;
}

function commitOf(): string | undefined {
  const git = (...args: string[]): string | undefined => {
    const { status, stdout } = spawnSync('git', args, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return status === 0 ? stdout.trim() : undefined;
  };
  const commit = git('rev-parse', '--short=12', 'HEAD');
  if (commit === undefined) return undefined;
  return git('status', '--porcelain') === '' ? commit : `${commit} with changes`;
}

export function thisMachine(): Machine {
  const list = cpus();
  const commit = commitOf();
  return {
    cores: list.length,
    cpu: list[0]?.model.trim() ?? 'unknown',
    memory_gb: Math.round(totalmem() / 2 ** 30),
    platform: `${process.platform}-${process.arch}`,
    node: process.version,
    ...(commit === undefined ? {} : { commit }),
    core_wasm_sha256: createHash('sha256')
      .update(readFileSync(builtPath('core.wasm')))
      .digest('hex')
      .slice(0, 16),
  };
}

export function machineText(m: Machine): string {
  return (
    `${m.cores} x ${m.cpu}, ${m.memory_gb} GB, ${m.platform}, Node ${m.node}` +
    `, commit ${m.commit ?? 'unknown'}, core.wasm ${m.core_wasm_sha256}`
  );
}

/** Four significant digits, thousands separated, no exponent. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  const digits = Math.max(0, 3 - Math.floor(Math.log10(Math.max(Math.abs(value), 1e-9))));
  return value.toLocaleString('en-US', { maximumFractionDigits: Math.min(6, digits) });
}

/** Rows of one suite as an aligned table. */
export function tableText(rows: readonly Row[]): string {
  const cells = rows.map((r) => [
    r.name,
    Object.entries(r.params)
      .map(([name, value]) => `${name} ${value}`)
      .join(', '),
    `${figure(r.value)} ${r.unit}`,
    `${figure(r.peer_value)} ${r.unit}`,
    r.ratio.toFixed(2),
    r.peer,
  ]);
  const table = [['case', 'with', 'value', 'peer', 'ratio', 'peer is'], ...cells];
  const widths = table[0]!.map((_, column) => Math.max(...table.map((line) => line[column]!.length)));
  const isNumber = (column: number): boolean => column >= 2 && column <= 4;
  return table
    .map((line) =>
      line
        .map((cell, i) => (isNumber(i) ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
