// How runs end, what they cost, and that metering changes nothing but the counting (protocol 14.5, 14.6).

import { describe, expect, it, test } from 'vitest';
import { admitProgram } from '../../../host/programs/admit.ts';
import { type Execution, execute } from '../../../host/programs/execute.ts';
import { FRAME_BASE, MAX_OUTPUT_BYTES, STACK_BUDGET } from '../../../host/programs/limits.ts';
import { randomProgram } from '../../../tools/programs/random-program.ts';
import {
  call,
  forever,
  get,
  i32,
  i64,
  long,
  module,
  num,
  type Parts,
  times,
} from '../../../tools/programs/wat.ts';

const LIMITS = { fuel: 1_000_000, outputBytes: MAX_OUTPUT_BYTES };
const INPUT = Uint8Array.of(1, 2, 3, 4);

function run(parts: Parts, limits = LIMITS): Execution {
  return execute(new WebAssembly.Module(admitProgram(module(parts))), INPUT, limits);
}
const DONE = long(0);
const DROP = 0x1a;
const many = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item);
/** The range of the input, as output: (address << 32) | length. */
const ECHO = [...get(0), 0xad, ...long(32), 0x86, ...get(1), 0xad, 0x84];

describe('a run', () => {
  it('answers the bytes that the program names', () => {
    expect(run({ run: ECHO })).toEqual({ end: 'returned', output: INPUT, fuel: expect.any(Number) });
  });

  it.each([
    ['unreachable', 'unreachable', [0x00]],
    ['a division by zero', 'trapped', [...num(1), ...num(0), 0x6d, DROP, ...DONE]],
    ['an overflow of a division', 'trapped', [...num(-(2 ** 31)), ...num(-1), 0x6d, DROP, ...DONE]],
    ['a load outside of the memory', 'trapped', [...num(65_533), 0x28, 2, 0, DROP, ...DONE]],
    [
      'a copy outside of the memory',
      'trapped',
      [...num(0), ...num(65_000), ...num(1000), 0xfc, 10, 0, 0, ...DONE],
    ],
    ['a call of an empty element', 'trapped', [...num(1), 0x11, 2, 0, ...DONE]],
    ['a call outside of the table', 'trapped', [...num(99), 0x11, 2, 0, ...DONE]],
    ['a call of another type', 'trapped', [...num(0), 0x11, 2, 0, ...DONE]],
    ['an endless loop', 'out_of_fuel', [...forever(), ...DONE]],
    ['bytes outside of the memory', 'bad_range', long(0x7fff_ffff)],
  ] as const)('ends by %s as %s', (_, end, body) => {
    const { end: actual, output } = run({ run: [...body], elements: [0] });
    expect(actual).toBe(end);
    expect(output.length).toBe(0);
  });

  it('uses all fuel when it runs out, and never more than there was', () => {
    for (const fuel of [0, 1, 2, 3, 1000])
      expect(run({ run: [...forever(), ...DONE] }, { ...LIMITS, fuel }).fuel).toBe(fuel);
  });

  it('ends at the same instruction with one unit too few', () => {
    const body = { run: [...times(2, 100), ...DONE], runLocals: [[1, i32]] as [number, number][] };
    const { fuel, end } = run(body);
    expect(end).toBe('returned');
    expect(run(body, { ...LIMITS, fuel }).end).toBe('returned');
    expect(run(body, { ...LIMITS, fuel: fuel - 1 }).end).toBe('out_of_fuel');
  });
});

describe('fuel', () => {
  const fuelOf = (body: number[], locals: [number, number][] = [[1, i32]]) =>
    run({ run: body, runLocals: locals }).fuel;
  const base = fuelOf(DONE);

  // Worked example of protocol 14.5.
  it('of a loop of five instructions is paid at each turn', () => {
    const [hundred, thousand] = [fuelOf([...times(2, 100), ...DONE]), fuelOf([...times(2, 1000), ...DONE])];
    expect(thousand - hundred).toBe(900 * 6);
  });

  it('of a loop is paid once more where it is entered', () => {
    expect(fuelOf([...num(100), 0x21, 2, ...DONE])).toBe(base + 2);
    for (const turns of [1, 100])
      expect(fuelOf([...times(2, turns), ...DONE])).toBe(base + 2 + 1 + turns * 6);
  });

  it('of what cannot be reached is nothing, up to the end of its block', () => {
    const nops = many(50, 0x01);
    const left = (...dead: number[]) => fuelOf([0x02, 0x40, 0x0c, 0, ...dead, 0x0b, ...DONE]);
    expect(left(...nops)).toBe(left());
    // What follows a block is reachable, whatever is in it: here the segment that is taken is that of before.
    const leaves = (...dead: number[]) =>
      fuelOf([0x02, 0x40, 0x02, 0x40, 0x0c, 1, 0x0b, ...dead, 0x0b, ...DONE]);
    expect(leaves(...nops)).toBe(leaves() + 50);
    // A branch that cannot be reached makes the end of its block begin a segment, which is reached only by what comes there.
    const unreached = [0x0c, 1, 0x0c, 0];
    expect(fuelOf([0x02, 0x40, 0x02, 0x40, ...unreached, 0x0b, ...nops, 0x0b, ...DONE])).toBe(leaves());
  });

  it('of a branch that is taken is that of the branch', () => {
    const nops = Array.from({ length: 50 }, () => 0x01);
    const choice = (condition: number) => fuelOf([...num(condition), 0x04, 0x40, ...nops, 0x0b, ...DONE]);
    expect(choice(1) - choice(0)).toBe(50);
  });

  it('of what follows a block is paid however the block was left', () => {
    const nops = many(50, 0x01);
    const leave = (condition: number) =>
      fuelOf([0x02, 0x40, ...num(condition), 0x0d, 0, 0x0b, ...nops, ...DONE]);
    expect(leave(1)).toBe(leave(0));
    expect(leave(1)).toBe(base + 53);
  });

  it('of a bulk operation grows by its length, before it runs', () => {
    const fill = (bytes: number) => fuelOf([...num(0), ...num(0), ...num(bytes), 0xfc, 11, 0, ...DONE]);
    expect(fill(0)).toBe(base + 7);
    expect(fill(65_536) - fill(0)).toBe(8192);
    expect(run({ run: [...num(0), ...num(0), ...num(-1), 0xfc, 11, 0, ...DONE] }).end).toBe('out_of_fuel');
  });

  it('of a function that sets many locals to zero grows with them', () => {
    expect(fuelOf(DONE, [[401, i64]]) - base).toBe(100);
  });
});

describe('the stack', () => {
  const recursion = (locals: number): Parts => ({
    run: [...call(2), ...DONE],
    functions: [{ type: 2, locals: [[locals, i64]], body: call(2) }],
  });

  it('ends endless recursion, long before that of any engine', () => {
    for (const locals of [0, 1, 1000]) expect(run(recursion(locals)).end, `${locals}`).toBe('out_of_stack');
  });

  it('is taken before the fuel of the function', () => {
    const body = recursion(0);
    const { fuel, end } = run(body);
    expect(end).toBe('out_of_stack');
    expect(run(body, { ...LIMITS, fuel }).end).toBe('out_of_stack');
    expect(run(body, { ...LIMITS, fuel: fuel - 1 }).end).toBe('out_of_fuel');
    // vws_input 3, vws_run 5, and 4 for each call that found room beside the frame of vws_run.
    const found = Math.floor((STACK_BUDGET - (FRAME_BASE + 8 * 3)) / FRAME_BASE);
    expect(fuel).toBe(3 + 5 + 4 * found);
    expect(found + 1).toBe(1023);
  });

  it('is given back by each way out of a function', () => {
    const most = Math.floor(STACK_BUDGET / FRAME_BASE);
    const exits = [[], [0x0f], [...num(1), 0x0d, 0], [0x0c, 0], [...num(0), 0x0e, 0, 0]];
    for (const exit of exits) {
      const functions = [
        { type: 2, body: [] },
        { type: 2, body: [...call(2), ...exit] },
      ];
      const parts = {
        run: [...times(2, 3 * most, ...call(3)), ...DONE],
        runLocals: [[1, i32]] as [number, number][],
      };
      expect(run({ ...parts, functions }).end).toBe('returned');
    }
  });

  it('counts indirect calls', () => {
    const functions = [{ type: 2, body: [...num(0), 0x11, 2, 0] }];
    expect(run({ run: [...call(2), ...DONE], functions, elements: [2] }).end).toBe('out_of_stack');
  });
});

test('memory stays as it is', () => {
  const grow = [...num(1), 0x40, 0, 0xac];
  const size = [0x3f, 0, 0xac];
  // An output of a length that only the expected answer has.
  expect(run({ run: [...grow, ...long(6), 0x7c] }).output.length).toBe(5);
  expect(run({ run: [...num(1), 0x40, 0, DROP, ...size] }).output.length).toBe(1);
  expect(run({ run: size, pages: [3] }).output.length).toBe(3);
});

test('random programs compute the same with metering as without', () => {
  const ends: Record<string, number> = {};
  for (let seed = 0; seed < 400; seed++) {
    const program = randomProgram(seed);
    const metered = new WebAssembly.Module(admitProgram(program));
    const first = execute(metered, INPUT, { ...LIMITS, fuel: 100_000 });
    expect(execute(metered, INPUT, { ...LIMITS, fuel: 100_000 }), `seed ${seed}`).toEqual(first);
    ends[first.end] = (ends[first.end] ?? 0) + 1;
    if (first.end !== 'returned') continue;
    // memory.grow works in the plain module, so what it says is compared only where it is not asked.
    if (program.some((byte, i) => byte === 0x40 && program[i + 1] === 0)) continue;
    const plain = new WebAssembly.Instance(new WebAssembly.Module(program)).exports as Record<string, never>;
    const { memory, vws_input, vws_run } = plain as unknown as {
      memory: WebAssembly.Memory;
      vws_input(length: number): number;
      vws_run(at: number, length: number): bigint;
    };
    const at = vws_input(INPUT.length) >>> 0;
    new Uint8Array(memory.buffer).set(INPUT, at);
    const range = BigInt.asUintN(64, vws_run(at, INPUT.length));
    const [from, length] = [Number(range >> 32n), Number(range & 0xffff_ffffn)];
    expect(new Uint8Array(memory.buffer).slice(from, from + length), `seed ${seed}`).toEqual(first.output);
  }
  for (const end of ['returned', 'trapped', 'out_of_fuel', 'out_of_stack', 'unreachable'])
    expect(ends[end], end).toBeGreaterThan(2);
});
