// npm run soak: a network under load whose nodes are killed in turn. Exit code 1 when anything is lost, differs or grows.

import { optionsOf } from './options.ts';
import { memoryLine } from './soak/memory.ts';
import { soak } from './soak/run.ts';

const wanted = optionsOf({
  name: 'soak',
  about:
    'a network under signed load with a kill -9 and a restart again and again. Nothing acknowledged may be missing ' +
    'on any node, all states must be equal, memory must stay flat, which ten minutes or more show; exit code 1 otherwise.',
  options: {
    // One is never killed.
    nodes: { kind: 'whole', range: [2, 32], fallback: 4, help: 'validators' },
    minutes: { kind: 'decimal', range: [0.1, 100_000], fallback: 30, help: 'length of the load' },
    'kill-every': { kind: 'decimal', range: [1, 86_400], fallback: 20, help: 'seconds between two kills' },
    // They pay each other.
    writers: { kind: 'whole', range: [2, 1024], fallback: 16, help: 'agents that write at once' },
    rate: { kind: 'decimal', range: [0.1, 100_000], fallback: 100, help: 'writes a second in all, at most' },
    seed: { kind: 'seed', help: 'repeats who is killed and what is written' },
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
  `${kills} kills, ${acknowledged} writes acknowledged, ${stalls} answers 503, slowest return` +
    ` ${Math.round(slowestReturnMs)} ms, ${heights} checkpoints compared`,
);
for (const [i, m] of memory.entries()) {
  if (m) console.log(`v${i + 1}${i === spared ? ', never killed' : ''}: ${memoryLine(m)}`);
}
for (const fault of faults.slice(0, 50)) console.log(`FAULT ${fault}`);
console.log(
  faults.length === 0
    ? 'nothing acknowledged is missing, all states are equal, every token is somewhere'
    : `${faults.length} FAULTS`,
);
process.exitCode = faults.length > 0 ? 1 : 0;
