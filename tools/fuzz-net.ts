// npm run fuzz-net: misbehaving peers attack a real node beside honest agents. Exit code 1 if they do any harm.

import { fuzzNet } from './fuzz-net/run.ts';
import { optionsOf } from './options.ts';

const { frames, seed } = optionsOf({
  name: 'fuzz-net',
  about:
    'malformed frames and invalid vertices at the peer port of a real node, over real links, from keys with and without ' +
    'a seat, and from bare sockets. No crash, nothing of it in the state or the DAG, every attacker cut off, and honest ' +
    'agents can write all the time; exit code 1 otherwise.',
  options: {
    frames: { kind: 'whole', range: [1, 1_000_000_000], fallback: 1_000_000, help: 'total number of frames' },
    seed: { kind: 'seed', help: 'repeats what is sent, not when it arrives' },
  },
});
console.log(`seed ${seed}: repeat with --seed ${seed} --frames ${frames}`);
const r = await fuzzNet({ frames, seed, say: (line) => console.log(line) });
const megabytes = (bytes: number | undefined): string => ((bytes ?? 0) / 1e6).toFixed(0);
console.log(
  `${r.frames} frames over ${r.links} links and ${r.knocks} bare sockets in ${r.seconds.toFixed(0)} s; ${r.cutOff} links cut off`,
);
console.log(
  `${r.writes} honest writes meanwhile, median ${r.medianMs.toFixed(0)} ms, slowest ${r.slowestMs.toFixed(0)} ms;` +
    ` ${r.vertices} vertices ordered; node at ${megabytes(r.memoryBefore)} MB before, ${megabytes(r.memoryAfter)} MB after`,
);
for (const fault of r.faults.slice(0, 20)) console.log(`FAULT ${fault}`);
console.log(
  r.faults.length === 0
    ? 'no crash, nothing of it in state or DAG, every attacker cut off'
    : `${r.faults.length} FAULTS`,
);
process.exitCode = r.faults.length > 0 ? 1 : 0;
