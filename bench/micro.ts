// Short pure functions side by side, with benny: runs per second, by the median of its samples.
// Not for code that changes state: benny alone decides how often a case runs.

import { add, configure, suite } from 'benny';
import { quantile } from './row.ts';

export interface Micro {
  perSecond: number;
  medianMs: number;
  p99Ms: number;
}

/** Takes the results, so that no engine optimises the work away. */
export const sink: { last: unknown } = { last: undefined };

/** Runs each case for a while, one after the other. */
export async function compare<Name extends string>(
  title: string,
  cases: Readonly<Record<Name, () => unknown>>,
  small: boolean,
): Promise<Record<Name, Micro>> {
  const names = Object.keys(cases) as Name[];
  const parts = names.map((name) =>
    add(name, () => {
      sink.last = cases[name]();
    }),
  );
  const limits = small ? { minSamples: 5, maxTime: 0.02 } : { minSamples: 40, maxTime: 2 };
  const { results } = await suite(title, configure({ cases: limits }), ...parts);
  const measured = results.map(({ name, details }) => {
    const medianMs = details.median * 1000;
    return [
      name,
      { perSecond: 1000 / medianMs, medianMs, p99Ms: quantile(details.sampleResults, 0.99) * 1000 },
    ];
  });
  return Object.fromEntries(measured) as Record<Name, Micro>;
}
