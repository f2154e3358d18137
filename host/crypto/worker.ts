// One verification thread of the pool: takes packed jobs, gives back a verdict for each.

import { workerData } from 'piscina';
import { type Implementation, openImplementation } from './implementation.ts';
import { unpackJobs } from './job-codec.ts';

const verifyMany = openImplementation((workerData as { implementation: Implementation }).implementation);

export default function work(packed: Uint8Array): Uint8Array {
  return verifyMany(unpackJobs(packed));
}
