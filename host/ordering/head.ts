// The head of the log, and the order up to which the stored snapshot goes: written with every batch, read at start.

/** The end of the log, stored with it. */
export interface Head {
  block: number;
  blockHash: string;
  order: number;
  timeMs: number;
  seq: number;
  /** Epoch that the next block belongs to. */
  epoch: number;
}

/** Before the first block. */
export const NO_HEAD: Head = {
  block: 0,
  blockHash: '00'.repeat(32),
  order: 0,
  timeMs: 0,
  seq: 0,
  epoch: 0,
};

/** The head at which the stored snapshot was taken, and its root. */
export interface SnapshotMark extends Head {
  root: string;
  /** Layout of the core that wrote it. */
  layout: string;
}
