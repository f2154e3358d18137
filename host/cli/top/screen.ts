// The live table of nodes: samples them, and draws the table in place on a terminal, a line at a time elsewhere.
// Keeps: a node that does not answer is shown as down; the pace is that of the clock, whatever the nodes answer.

import { type Asked, sampleOf } from './sample.ts';
import { SeenCheckpoints } from './seen-checkpoints.ts';
import { plainLine, type Shown, tableLines } from './table.ts';

export interface Watched extends Asked {
  name: string;
  url: string;
}

export class Screen {
  readonly seen = new SeenCheckpoints();
  #shown: Shown[];

  constructor(
    private readonly nodes: readonly Watched[],
    private readonly write: (text: string) => void,
    private readonly isTerminal: boolean,
  ) {
    this.#shown = nodes.map(({ name, url }) => ({ name, url, now: undefined, before: undefined }));
  }

  get shown(): readonly Shown[] {
    return this.#shown;
  }

  /** Takes a sample of each node. */
  async sample(): Promise<void> {
    this.#shown = await Promise.all(
      this.#shown.map(async (shown, i) => ({
        ...shown,
        before: shown.now,
        now: await sampleOf(this.nodes[i]!).catch(() => undefined),
      })),
    );
    for (const { name, now } of this.#shown) if (now?.checkpoint) this.seen.add(name, now.checkpoint);
  }

  clear(): void {
    if (this.isTerminal) this.write('\x1b[2J');
  }

  /** `hint`: what ends it. */
  draw(atSecs: number, hint: string): void {
    if (!this.isTerminal) {
      this.write(`${plainLine(this.#shown, this.seen, atSecs)}\n`);
      return;
    }
    const lines = [...tableLines(this.#shown, this.seen), ...this.seen.faults.slice(-3), '', hint];
    // Moves to the top, overwrites each line, clears the rest: no flicker.
    this.write(`\x1b[H${lines.map((line) => `${line}\x1b[K`).join('\n')}\x1b[J`);
  }
}
