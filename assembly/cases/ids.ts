// Ids of challenges and replay jobs, derived from what caused them (protocol 1.3).
// Keeps: an id is the hash of the hex text of another id, so every node derives the same.

import { sha256 } from '../lib/sha256';
import { writeHex, writeLiteral } from '../lib/text';

const TEXT: usize = memory.data(80, 8);
const HASH: usize = memory.data(32, 8);
const CHALLENGE_ID_BYTES: usize = 12;

/** Id of the challenge that this event opened, as a 16-byte field: 12 bytes of hash, 4 zero bytes. */
export function writeChallengeId(to: usize, eventId: usize): void {
  const end = writeHex(writeLiteral(TEXT, 'challenge:'), eventId, 32);
  sha256(TEXT, <u32>(end - TEXT), HASH);
  memory.fill(to, 0, 16);
  memory.copy(to, HASH, CHALLENGE_ID_BYTES);
}

/** Id of the replay job of a task, 32 bytes. */
export function writeJobId(to: usize, taskId: usize): void {
  const end = writeHex(writeLiteral(TEXT, 'replay:'), taskId, 16);
  sha256(TEXT, <u32>(end - TEXT), to);
}
