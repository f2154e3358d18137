// Where the log stands, and up to where the stored snapshot goes: written with every group, read at start.

/** Where the log stands, kept with it. */
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

/** Up to where the stored snapshot goes, and its root. */
export interface SnapshotMark extends Head {
  root: string;
  /** Layout of the core that wrote it. */
  layout: string;
}
