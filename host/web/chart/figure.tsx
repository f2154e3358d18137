// A picture of numbers: its heading, the sentence that says what it shows, and the table behind it.
// Keeps: who does not see the picture loses nothing; the table is made only when it is opened.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { type Column, Table } from '../parts/table.tsx';

export function Figure<T>(props: {
  title: string;
  /** What the picture shows, in words. */
  says: ComponentChildren;
  children: ComponentChildren;
  columns: readonly Column<T>[];
  rows: readonly T[];
  keyOf(row: T): string | number;
}) {
  const { title, says, children, columns, rows, keyOf } = props;
  const [isOpen, setOpen] = useState(false);
  return (
    <section class="figure">
      <h2>{title}</h2>
      <p>{says}</p>
      {children}
      {rows.length > 0 && (
        <details onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>
            As a table<span class="unseen">: {title}</span>
          </summary>
          {isOpen && <Table name={title} columns={columns} rows={rows} keyOf={keyOf} empty="" />}
        </details>
      )}
    </section>
  );
}
