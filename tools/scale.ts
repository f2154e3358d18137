// npm run scale: finality and throughput of networks larger than this machine, by simulation. Exit code 1 if consensus fails
// in one.

import { optionsOf } from './options.ts';
import { type Limits, limitsOf, lowest } from './scale/limits.ts';
import type { Machine } from './scale/resources.ts';
import { runNetwork } from './scale/run.ts';
import { meanDelayMs } from './scale/wan.ts';

const wanted = optionsOf({
  name: 'scale',
  about:
    'the consensus of the program over lines between ten regions of the world, with what a vertex and a transaction cost a ' +
    'node given as numbers: how long until a write is final, and what ends the throughput. Simulated time; nothing is measured.',
  options: {
    seats: {
      kind: 'choices',
      choices: ['4', '10', '30', '100'],
      defaultNote: 'all',
      help: 'seats of a network',
    },
    lines: {
      kind: 'choices',
      choices: ['100', '1000', '10000'],
      defaultNote: 'all',
      help: "Mbit/s of each seat's line",
    },
    loads: {
      kind: 'choices',
      choices: ['1', '50', '90', '120'],
      defaultNote: 'all',
      help: 'percent of the lowest limit',
    },
    'transaction-us': {
      kind: 'whole',
      range: [1, 100_000],
      fallback: 90,
      help: 'work of a node for each transaction, in microseconds of one core',
    },
    'vertex-us': { kind: 'whole', range: [1, 100_000], fallback: 120, help: 'the same for a vertex' },
    bytes: { kind: 'whole', range: [1, 100_000], fallback: 370, help: 'bytes of a transaction in a vertex' },
    cores: { kind: 'whole', range: [1, 1024], fallback: 1, help: 'cores over which this work spreads' },
    apart: { kind: 'flag', help: 'payload travels apart from headers, which never wait for it' },
    secs: { kind: 'whole', range: [1, 600], fallback: 6, help: 'simulated seconds of load' },
  },
});

const whole = (value: number): string => Math.round(value).toLocaleString('en-US');

function sayLimits(seats: number, megabits: number, limits: Limits): void {
  const { name, perSecond } = lowest(limits);
  console.log(
    `${seats} seats, ${whole(megabits)} Mbit/s, mean delay ${whole(meanDelayMs(seats))} ms: line ${whole(limits.line)}, ` +
      `processor ${whole(limits.processor)}, disk ${whole(limits.disk)} transactions a second; the ${name} ends it at ` +
      whole(perSecond),
  );
}

let isWrong = false;
for (const seats of (wanted.seats ?? ['4', '10', '30', '100']).map(Number)) {
  for (const megabits of (wanted.lines ?? ['100', '1000', '10000']).map(Number)) {
    const machine: Machine = {
      bitsPerSecond: megabits * 1e6,
      vertexUs: wanted['vertex-us'],
      transactionUs: wanted['transaction-us'],
      cores: wanted.cores,
      transactionBytes: wanted.bytes,
      isApart: wanted.apart,
    };
    const limits = limitsOf(machine, seats);
    sayLimits(seats, megabits, limits);
    for (const percent of (wanted.loads ?? ['1', '50', '90', '120']).map(Number)) {
      const perSecond = (lowest(limits).perSecond * percent) / 100;
      try {
        const load = { seats, perSecond, secs: wanted.secs, entries: Math.max(200, 4 * seats) };
        const { p50Ms, p99Ms, p50Delays, backlogSecs } = runNetwork(machine, load);
        console.log(
          `  ${percent} %, ${whole(perSecond)} a second: p50 ${whole(p50Ms)} ms (${p50Delays.toFixed(1)} delays), p99 ` +
            `${whole(p99Ms)} ms; ${backlogSecs.toFixed(1)} s of work or bytes waited at the end`,
        );
      } catch (error) {
        isWrong = true;
        console.error(`  ${percent} %: ${(error as Error).message}`);
      }
    }
  }
}
process.exit(isWrong ? 1 : 0);
