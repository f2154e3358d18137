// The live table of a network: one line for each node, from two samples of it.
// Pure: the text depends on the samples alone.

import type { Sample } from './sample.ts';
import type { SeenCheckpoints } from './seen-checkpoints.ts';

export interface Shown {
  name: string;
  url: string;
  /** Undefined: the node does not answer. */
  now: Sample | undefined;
  before: Sample | undefined;
}

const COLUMNS = [
  ['node', 5],
  ['health', 9],
  ['order', 9],
  ['epoch', 6],
  ['checkpoint', 11],
  ['state', 10],
  ['peers', 6],
  ['behind', 7],
  ['tx/s', 7],
  ['ms/tx', 7],
  ['kB/s out', 9],
  ['CPU %', 6],
  ['MB', 6],
] as const;

const UNKNOWN = '-';

/** Growth per second between two samples; undefined if there is only one. */
function rate({ now, before }: Shown, read: (sample: Sample) => number): number | undefined {
  const [a, b] = [now && read(now), before && read(before)];
  if (!now || !before || a === undefined || b === undefined || a < b) return undefined;
  return ((a - b) * 1000) / Math.max(1, now.atMs - before.atMs);
}

const text = (value: number | undefined, digits = 0): string => value?.toFixed(digits) ?? UNKNOWN;

/** Mean latency of writes to this node since the previous sample. */
function latencyMs({ now, before }: Shown): number | undefined {
  if (!now || !before || now.answered <= before.answered) return undefined;
  return ((now.answerSecs - before.answerSecs) * 1000) / (now.answered - before.answered);
}

/** Newest checkpoint shared with another node; `!` marks one at which states differ. */
function stateText(name: string, seen: SeenCheckpoints): string {
  const common = seen.newestCommon(name);
  if (!common) return UNKNOWN;
  return common.stateRoot.slice(0, 8) + (common.isSame ? '' : '!');
}

function cells(shown: Shown, seen: SeenCheckpoints): string[] {
  const { name, now } = shown;
  if (!now) return [name, 'down'];
  const cpu = rate(shown, (s) => s.cpuMs);
  return [
    name,
    now.health,
    String(now.order),
    String(now.epoch),
    String(seen.newestCommon(name)?.height ?? now.checkpoint?.height ?? UNKNOWN),
    stateText(name, seen),
    String(now.peers),
    String(now.ordersBehind),
    text(rate(shown, (s) => s.transactions)),
    text(latencyMs(shown), 1),
    text((rate(shown, (s) => s.sentBytes) ?? 0) / 1000, 1),
    text(cpu === undefined ? undefined : cpu / 10),
    text(now.memoryBytes / 1e6),
  ];
}

/** Lines of the table, the heading first. */
export function tableLines(nodes: readonly Shown[], seen: SeenCheckpoints): string[] {
  const heading = COLUMNS.map(([title]) => title as string);
  const nameWidth = Math.max(...nodes.map(({ name }) => name.length));
  const widths = COLUMNS.map(([, width], i) => (i === 0 ? Math.max(width, nameWidth) : width));
  return [heading, ...nodes.map((shown) => cells(shown, seen))].map((row) =>
    row
      .map((cell, i) => (i < 2 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)))
      .join(' ')
      .trimEnd(),
  );
}

/** A node as `vws top --json` prints it; what is not known yet is null. */
export function shownJson(shown: Shown, seen: SeenCheckpoints): Record<string, unknown> {
  const { name, url, now } = shown;
  if (!now) return { name, url, health: 'down' };
  const { health, order, epoch, peers, ordersBehind, checkpoint, supplyHolds, memoryBytes } = now;
  const common = seen.newestCommon(name);
  return {
    ...{ name, url, health, order, epoch, peers, orders_behind: ordersBehind, supply_holds: supplyHolds },
    checkpoint: checkpoint?.height ?? null,
    state_root: checkpoint?.stateRoot ?? null,
    same_state: common?.isSame ?? null,
    transactions_per_second: rate(shown, (s) => s.transactions) ?? null,
    write_milliseconds: latencyMs(shown) ?? null,
    sent_bytes_per_second: rate(shown, (s) => s.sentBytes) ?? null,
    cpu_milliseconds_per_second: rate(shown, (s) => s.cpuMs) ?? null,
    memory_bytes: memoryBytes,
  };
}

/** One line, for output that is not a terminal. */
export function plainLine(nodes: readonly Shown[], seen: SeenCheckpoints, atSecs: number): string {
  const each = nodes.map((shown) => {
    const { name, now } = shown;
    if (!now) return `${name} down`;
    return `${name} ${now.health} order ${now.order} state ${stateText(name, seen)} peers ${now.peers} tx/s ${text(rate(shown, (s) => s.transactions))}`;
  });
  return `${atSecs.toFixed(0)} s: ${each.join(' | ')}`;
}
