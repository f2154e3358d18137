// One thread that runs programs: takes a packed job, returns its packed result.

import { useNativeHash } from '../crypto/native-hash.ts';
import { packResult, unpackJob } from './job-codec.ts';
import { InlineRunner } from './runner.ts';

useNativeHash();
const runner = new InlineRunner();

export default function work(packed: Uint8Array): Uint8Array {
  return packResult(() => runner.runNow(unpackJob(packed)));
}
