// An honest agent beside programs that want to harm the node, and the same agent without them, in turns. Exit code 1 if its
// p99 with them is more than `--most` times that without.
// Keeps: the same node and the same load in both; every other round begins with the hostile side.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cpuMs } from '../load/cpu-time.ts';
import { Latencies } from '../load/latencies.ts';
import { NodeProcess, sleep } from '../load/node-process.ts';
import { optionsOf } from '../options.ts';
import { HonestAgent, type Measured } from './honest-agent.ts';
import { type Answers, HostileAttacker } from './hostile-attacker.ts';

const WRITES_PER_SECOND = 10;
const READS_PER_SECOND = 40;
const WARM_UP_SECS = 2;
const REST_SECS = 1;

const { tries, ordered, seconds, rounds, most } = optionsOf({
  name: 'hostile-programs',
  about: 'an honest agent beside hostile programs that the node runs at a stated rate, and without them.',
  options: {
    tries: {
      kind: 'decimal',
      range: [0, 1000],
      fallback: 2,
      help: 'runs a second before the order, of 10 million fuel each: a delivery that is refused',
    },
    ordered: {
      kind: 'decimal',
      range: [0, 100],
      fallback: 0.1,
      help: 'runs a second in the order, of 10 million fuel each: a worker pays for each, and has three for a claim',
    },
    seconds: { kind: 'whole', range: [2, 60], fallback: 10, help: 'duration of one measurement' },
    rounds: { kind: 'whole', range: [1, 20], fallback: 4, help: 'measurements of each side, in turns' },
    most: { kind: 'decimal', range: [1, 1000], fallback: 2, help: 'largest ratio of the two p99' },
  },
});

interface Phase extends Measured {
  /** Processor time of the node in a second, ms. */
  nodeMs: number;
}

async function phase(agent: HonestAgent, pid: number): Promise<Phase> {
  const beforeMs = cpuMs(pid) ?? Number.NaN;
  const measured = await agent.run(seconds, WRITES_PER_SECOND, READS_PER_SECOND);
  return { ...measured, nodeMs: ((cpuMs(pid) ?? Number.NaN) - beforeMs) / seconds };
}

function together(phases: readonly Phase[], what: 'write' | 'read'): Latencies {
  const all = new Latencies();
  for (const one of phases) all.merge(one[what]);
  return all;
}

const shown = ({ medianMs, p99Ms }: Latencies): string => `${medianMs.toFixed(1)} / ${p99Ms.toFixed(1)}`;
const meanOf = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;

/** Prints both sides; the larger ratio of p99. */
function report(without: readonly Phase[], beside: readonly Phase[]): number {
  const ratios = (['write', 'read'] as const).map((what) => {
    const [a, b] = [together(without, what), together(beside, what)];
    const ratio = b.p99Ms / a.p99Ms;
    console.log(
      `  ${what.padEnd(6)} p50 / p99 ms: without ${shown(a)}, beside hostile programs ${shown(b)}, ratio of p99 ${ratio.toFixed(2)}`,
    );
    return ratio;
  });
  const [a, b] = [without, beside].map((phases) => meanOf(phases.map(({ nodeMs }) => nodeMs)).toFixed(0));
  console.log(`  CPU of the node, ms a second: ${a} -> ${b}`);
  const failed = [...without, ...beside].flatMap((one) => [...one.failed]);
  if (failed.length > 0) console.log(`  not answered with 2xx: ${JSON.stringify(failed)}`);
  return failed.length > 0 ? Number.POSITIVE_INFINITY : Math.max(...ratios);
}

const dir = await mkdtemp(join(tmpdir(), 'vws-hostile-'));
const node = await NodeProcess.start({ dataDir: join(dir, 'data') });
try {
  const agent = new HonestAgent(node.port);
  await agent.register();
  const attacker = new HostileAttacker(`http://127.0.0.1:${node.port}`);
  await attacker.prepare(Math.ceil(ordered * seconds) * rounds + WARM_UP_SECS);
  await agent.run(WARM_UP_SECS, WRITES_PER_SECOND, READS_PER_SECOND);
  // Threads start with their first program.
  await attacker.run(WARM_UP_SECS, tries, ordered === 0 ? 0 : 1);
  const [without, beside]: Phase[][] = [[], []];
  const answers: Answers = {};
  const turns = [
    async () => without!.push(await phase(agent, node.pid)),
    async () => {
      const attack = attacker.run(seconds, tries, ordered);
      beside!.push(await phase(agent, node.pid));
      for (const [name, count] of Object.entries(await attack)) answers[name] = (answers[name] ?? 0) + count;
    },
  ];
  for (let round = 0; round < rounds; round++) {
    for (const turn of turns) {
      await turn();
      await sleep(REST_SECS * 1000);
    }
    turns.reverse();
  }
  console.log(
    `${WRITES_PER_SECOND} writes and ${READS_PER_SECOND} reads a second; ${tries} hostile runs a second before the order, ${ordered} in it; ${rounds} rounds of ${seconds} s`,
  );
  const worst = report(without!, beside!);
  console.log(`  deliveries of the attacker: ${JSON.stringify(answers)}`);
  console.log(`largest ratio of p99: ${worst.toFixed(2)}; at most ${most} is wanted`);
  process.exitCode = worst <= most ? 0 : 1;
} finally {
  await node.kill();
  await rm(dir, { recursive: true, force: true });
}
