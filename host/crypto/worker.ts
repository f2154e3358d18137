// One verification thread of the pool: takes packed jobs, returns a verdict for each.

import { workerData } from 'piscina';
import { systemProgram } from '../world/system/files.ts';
import { randomBytes } from '../world/system/random.ts';
import { type Implementation, openImplementation } from './implementation.ts';
import { unpackJobs } from './job-codec.ts';

const { implementation } = workerData as { implementation: Implementation };
const verifyMany = openImplementation(implementation, { program: systemProgram, randomBytes });

export default function work(packed: Uint8Array): Uint8Array {
  return verifyMany(unpackJobs(packed));
}
