// What a node does not show, by SHA-256, as its operator decided (protocol 12.12).
// Keeps: a hidden text leaves its hash in its place, so whoever knows the text can tell that nothing else was put there.

/** Of contents and texts, in hex. */
export interface Hidden {
  has(hash: string | undefined): boolean;
  /** JSON of an answer, with the mark of each hidden text in its place. */
  json(value: unknown): string;
  /** Another one after each change: what was written before is not to be shown again. */
  readonly version: number;
}

/** For an auditor, who computes what a node would show that hides nothing. */
export const NOTHING_HIDDEN: Hidden = { has: () => false, json: JSON.stringify, version: 0 };

const MARK = /^\[hidden by this node: SHA-256 ([0-9a-f]{64})\]$/;

/** What is shown instead of a text. */
export const hiddenMark = (hash: string): string => `[hidden by this node: SHA-256 ${hash}]`;
/** The hash that a mark names; undefined for any other text. */
export const markedHash = (text: string): string | undefined => MARK.exec(text)?.[1];
