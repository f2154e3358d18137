// npm run fuzz-net -- [--frames 1000000] [--seed S]: malformed frames and spoiled vertices at the peer port of a real node,
// over real links, by keys with and without a seat, and bare sockets. No crash, nothing of it in the state or the DAG, every
// liar cut off, and honest agents write all the time. Exit code 1 otherwise.

import { parseArgs } from 'node:util';
import { randomBytes } from '../host/random.ts';
import { fuzzNet } from './fuzz-net/run.ts';

const { values } = parseArgs({
  options: { frames: { type: 'string', default: '1000000' }, seed: { type: 'string' } },
});
const seed = values.seed === undefined ? Buffer.from(randomBytes(4)).readUInt32LE() : Number(values.seed);
console.log(`seed ${seed}: repeat with --seed ${seed} --frames ${values.frames}`);
const r = await fuzzNet({ frames: Number(values.frames), seed, say: (line) => console.log(line) });
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
    ? 'no crash, nothing of it in state or DAG, every liar cut off'
    : `${r.faults.length} FAULTS`,
);
process.exitCode = r.faults.length > 0 ? 1 : 0;
