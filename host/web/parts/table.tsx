// A table that becomes a list of cards on a phone.
// Keeps: ARIA table roles are explicit, because rows laid out as cards would lose them.

import type { ComponentChildren } from 'preact';

export interface Column<T> {
  name: string;
  /** Numbers are right-aligned. */
  isNumber?: boolean;
  cell(row: T): ComponentChildren;
}

export function Table<T>(props: {
  /** Accessible name. */
  name: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  keyOf(row: T): string | number;
  /** Shown when there are no rows: what to do next, where something can be done. */
  empty: ComponentChildren;
}) {
  const { name, columns, rows, keyOf, empty } = props;
  if (rows.length === 0) return <p class="empty">{empty}</p>;
  return (
    // biome-ignore-start lint/a11y: see the top of this file.
    <table class="table" role="table" aria-label={name}>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map((column) => (
            <th key={column.name} role="columnheader" scope="col" class={column.isNumber ? 'num' : undefined}>
              {column.name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr key={keyOf(row)} role="row">
            {columns.map((column) => (
              <td
                key={column.name}
                role="cell"
                data-name={column.name}
                class={column.isNumber ? 'num' : undefined}
              >
                <span>{column.cell(row)}</span>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
    // biome-ignore-end lint/a11y: see the top of this file.
  );
}
