// What assembly/README.md says of the state of the core: its tables, and the fields of rows that proofs show.
// Keeps: nothing here comes from the program, so that whoever has the document alone finds what is tested with it.

import { readFileSync } from 'node:fs';
import * as abi from '../../assembly/abi.ts';

const LINES = readFileSync('assembly/README.md', 'utf8').split('\n');

/** The cells of the table with this first line, without its head. */
function cellsBelow(head: string): string[][] {
  const from = LINES.indexOf(head) + 2;
  if (from < 2) throw new Error(`no table ${head}`);
  const end = LINES.findIndex((line, i) => i >= from && !line.startsWith('|'));
  return LINES.slice(from, end).map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
}

/** Names of the capacities, in the order in which leaf 0 has them. */
export const CAPACITIES = cellsBelow('| capacity | rows of |').map(([name]) => name!.replaceAll('`', ''));

/** A table of the state: bytes of a row, and whose capacities its rows are. */
export interface StateTable {
  name: string;
  parts: { rows: string[]; bytes: number }[];
}

const numberIn = (cell: string): number => Number(cell.replaceAll(',', ''));

/** The tables in their order. Rows are a number, or names of capacities; a table of two kinds of rows has two of both. */
export function stateTables(): StateTable[] {
  return cellsBelow('| table | rows | bytes per row |').map(([name, rows, bytes]) => ({
    name: name!.split(/: | \(/)[0]!,
    parts: rows!.split('; ').map((of, i) => ({
      rows: of.split(' + ').map((part) => part.replaceAll('`', '')),
      bytes: numberIn(bytes!.split('; ')[i]!),
    })),
  }));
}

/** Bytes of a state with these capacities, or up to a table. */
export function stateBytes(tables: StateTable[], capacities: number[], upTo?: string): number {
  let at = 0;
  for (const { name, parts } of tables) {
    if (name === upTo) return at;
    const rowsOf = (of: string): number =>
      /^[\d,]+$/.test(of) ? numberIn(of) : (capacities[CAPACITIES.indexOf(of)] ?? Number.NaN);
    const bytes = parts.reduce(
      (sum, part) => sum + part.bytes * part.rows.reduce((rows, of) => rows + rowsOf(of), 0),
      0,
    );
    at += Math.ceil(bytes / abi.LEAF_BYTES) * abi.LEAF_BYTES;
  }
  if (upTo !== undefined) throw new Error(`no table ${upTo}`);
  return at;
}

/** A field of a row that a proof shows. */
export interface StateField {
  row: string;
  field: string;
  at: number;
  type: string;
}

export function stateFields(): StateField[] {
  return cellsBelow('| row | field | at | type |').map(([row, field, at, type]) => ({
    row: row!,
    field: field!.replaceAll('`', ''),
    at: numberIn(at!),
    type: type!,
  }));
}
