// Signature jobs packed into one transferable buffer on their way to a worker.
//   u32 count, then for each: key[32], signature[64], u32 message length, message
// Both ends are this program, so a malformed buffer is a bug and throws.

import { ByteReader, ByteWriter } from '../wire/bytes.ts';
import type { SignatureJob } from './verifier.ts';

const FIXED_BYTES = 100;

/** A new buffer, ready to be transferred. Keys and signatures must have the right lengths. */
export function packJobs(jobs: readonly SignatureJob[]): Uint8Array<ArrayBuffer> {
  let size = 4;
  for (const job of jobs) size += FIXED_BYTES + job.message.length;
  const out = new ByteWriter(size).u32(jobs.length);
  for (const { publicKey, signature, message } of jobs) {
    out.raw(publicKey).raw(signature).u32(message.length).raw(message);
  }
  // The writer's buffer was made here, so it is not a shared one.
  return out.finish() as Uint8Array<ArrayBuffer>;
}

/** The jobs, as views into the buffer. */
export function unpackJobs(bytes: Uint8Array): SignatureJob[] {
  const reader = new ByteReader(bytes);
  const count = reader.u32();
  const jobs: SignatureJob[] = [];
  for (let i = 0; i < count && !reader.failed; i++) {
    const publicKey = reader.raw(32);
    const signature = reader.raw(64);
    jobs.push({ publicKey, signature, message: reader.raw(reader.u32()) });
  }
  if (!reader.done) throw new Error('malformed signature jobs');
  return jobs;
}
