// Ids and hashes of protocol 1.3, 6.9 and 6.15, with Node's own SHA-256.
// Keeps: canonical JSON is written out by hand, members sorted, since all values are plain.

import { createHash } from 'node:crypto';

export const sha = (data: string | Uint8Array): Buffer => createHash('sha256').update(data).digest();
export const shaHex = (data: string | Uint8Array): string => sha(data).toString('hex');

/** 1.3: id of a system event. */
export function systemEventId(
  chainId: string,
  type: string,
  index: number,
  order: number,
  subject: string,
): string {
  const quoted = [chainId, type, subject].map((s) => JSON.stringify(s));
  return shaHex(
    `{"chain_id":${quoted[0]},"event_type":${quoted[1]},"index":${index},"order":${order},"subject":${quoted[2]},"version":"SERVICE-SYSTEM-V1"}`,
  );
}

/** 6.15: fp_0. */
export const firstFingerprint = (agentId: string): string => shaHex(`vws-fingerprint-v1:${agentId}`);

/** 6.15: one step. */
export function nextFingerprint(
  before: string,
  entry: { category: string; eventId: string; completed: boolean; scoreBp: number; value: bigint },
): string {
  const outcome = entry.completed ? 'completed' : 'failed';
  const text = `{"category":${JSON.stringify(entry.category)},"event_id":"${entry.eventId}","outcome":"${outcome}","score_bp":${entry.scoreBp},"value":${entry.value}}`;
  return shaHex(Buffer.concat([Buffer.from(before, 'hex'), sha(text)]));
}

/** 6.9: number of draw k, from the event and the block. */
export function drawNumber(eventId: string, blockHash: string, k: number): bigint {
  return sha(`panel:${eventId}:${blockHash}:${k}`).readBigUInt64BE(0);
}

/** 7.6: number that draws the executor of an attempt. */
export function executorNumber(job: string, blockHash: string, attempt: number): bigint {
  return sha(`replay-executor:${job}:${blockHash}:${attempt}`).readBigUInt64BE(0);
}

/** 6.12: below the rate in bp, the completed task is executed again. */
export function replayNumber(taskId: string, blockHash: string): number {
  return Number(sha(`replay:${taskId}:${blockHash}`).readBigUInt64BE(0) % 10_000n);
}
