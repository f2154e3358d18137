// npm run soak: a network under load whose nodes are killed in turn. Exit code 1 if anything is lost, differs or grows.

import { optionsOf } from './options.ts';
import { memoryLine } from './soak/memory.ts';
import { soak } from './soak/run.ts';

const wanted = optionsOf({
  name: 'soak',
  about:
    'a network under signed load with repeated kill -9 and restarts. Nothing acknowledged may be missing on any node, ' +
    'all states must be equal, memory must stay flat (checked from ten minutes on); exit code 1 otherwise.',
  options: {
    // At least 2: one is never killed.
    nodes: { kind: 'whole', range: [2, 32], fallback: 4, help: 'validators' },
    minutes: { kind: 'decimal', range: [0.1, 100_000], fallback: 30, help: 'duration of the load' },
    'kill-every': { kind: 'decimal', range: [1, 86_400], fallback: 20, help: 'seconds between two kills' },
    // At least 2: they pay each other.
    writers: { kind: 'whole', range: [2, 1024], fallback: 16, help: 'agents that write concurrently' },
    rate: { kind: 'decimal', range: [0.1, 100_000], fallback: 100, help: 'maximum total writes per second' },
    seed: { kind: 'seed', help: 'repeats which nodes are killed and what is written' },
  },
});
const { minutes, 'kill-every': killEverySecs, ...plan } = wanted;
console.log(`seed ${plan.seed}`);
const result = await soak({
  ...plan,
  seconds: minutes * 60,
  killEverySecs,
  say: (line) => console.log(line),
});
const { kills, acknowledged, stalls, slowestReturnMs, heights, spared, memory, faults } = result;
console.log(
  `${kills} kills, ${acknowledged} writes acknowledged, ${stalls} answers with 503, slowest restart` +
    ` ${Math.round(slowestReturnMs)} ms, ${heights} checkpoints compared`,
);
for (const [i, m] of memory.entries()) {
  if (m) console.log(`v${i + 1}${i === spared ? ', never killed' : ''}: ${memoryLine(m)}`);
}
for (const fault of faults.slice(0, 50)) console.log(`FAULT ${fault}`);
console.log(
  faults.length === 0
    ? 'nothing acknowledged is missing, all states are equal, every token is accounted for'
    : `${faults.length} FAULTS`,
);
process.exitCode = faults.length > 0 ? 1 : 0;
