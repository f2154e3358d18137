// Types of doors.mjs for tests.

export type Sha256 = (bytes: Uint8Array) => Uint8Array;

export interface Door {
  answer(verb: string, args: readonly string[]): string;
}

export function openDoor(name: string, bytes: Uint8Array, sha256: Sha256): Door;
