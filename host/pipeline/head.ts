// Where the log stands, and up to where the stored snapshot goes: written with every group, read at start.

/** Where the log stands, kept with it. */
export interface Head {
  block: number;
  blockHash: string;
  order: number;
  timeMs: number;
  seq: number;
}

/** Up to where the stored snapshot goes, and its root. */
export interface SnapshotMark extends Head {
  root: string;
  /** Layout of the core that wrote it. */
  layout: string;
}
