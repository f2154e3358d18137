// Programs that want to harm: each is refused, or ends by fuel or stack. What they cost is measured by the suite `programs`
// of the benchmarks.

import { describe, expect, it, test } from 'vitest';
import { admitProgram, programFacts } from '../../../host/programs/admit.ts';
import { execute } from '../../../host/programs/execute.ts';
import { DEFAULT_FUEL, MAX_COMPILE_WORK, MAX_OUTPUT_BYTES } from '../../../host/programs/limits.ts';
import { HOSTILE, hostileModule } from '../../../tools/programs/hostile.ts';

const INPUT = new Uint8Array(4);

describe('a hostile program', () => {
  it.each(HOSTILE.map((one) => [one.name, one] as const))('%s', (_, hostile) => {
    const bytes = hostileModule(hostile);
    if (hostile.ends instanceof RegExp) {
      expect(() => admitProgram(bytes)).toThrow(hostile.ends);
      return;
    }
    const module = new WebAssembly.Module(admitProgram(bytes));
    for (const fuel of [100_000, DEFAULT_FUEL]) {
      const { end, fuel: used, output } = execute(module, INPUT, { fuel, outputBytes: MAX_OUTPUT_BYTES });
      expect([end, output.length]).toEqual([hostile.ends, 0]);
      if (end === 'out_of_fuel') expect(used).toBe(fuel);
    }
  });
});

test('those that are dear for a compiler use up what the limits leave', () => {
  const facts = HOSTILE.filter(({ name }) => name.startsWith('as many') || name.startsWith('tables of')).map(
    (one) => programFacts(hostileModule(one)).compileWork / MAX_COMPILE_WORK,
  );
  for (const share of facts) expect(share).toBeGreaterThan(0.6);
});
