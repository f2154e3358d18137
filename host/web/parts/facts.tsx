// A list of facts, each with a name and a value. Facts without a value are left out.

import type { ComponentChildren } from 'preact';

export type Fact = readonly [name: string, value: ComponentChildren];

/** Columns on a wide screen, chosen so that the last row is full where possible. */
const columnsFor = (count: number): number => [5, 4, 3].find((n) => count % n === 0) ?? 4;

export function Facts({ of, isWide = false }: { of: readonly Fact[]; isWide?: boolean }) {
  const shown = of.filter(([, value]) => value !== undefined && value !== '');
  return (
    <dl class={isWide ? 'facts wide' : `facts by-${columnsFor(shown.length)}`}>
      {shown.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
