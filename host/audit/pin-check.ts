// The checkpoint that is known from elsewhere: the history must contain it.
// Keeps: it is met by what was computed here, or by a statement with that hash whose epoch is one of the proven ones; the
// id of an epoch is a hash over all seals before it. What the node only says is not enough.

import { readCheckpoints } from '../proofs/readings.ts';
import { checkpointHash, decodeCheckpoint } from '../wire/block.ts';
import { fromHex } from '../wire/bytes.ts';
import { LogFault } from '../wire/log-fault.ts';
import { checkpointCode, type Pin } from './checkpoint-code.ts';
import type { Finding } from './freshness.ts';
import type { KeptHistory } from './kept-history.ts';
import type { LogSource } from './source.ts';

export class PinCheck {
  /** Consensus time of the pinned checkpoint, once it was met. */
  metMs: number | undefined;
  #finding: Finding | undefined;

  constructor(
    readonly pin: Pin | undefined,
    private readonly history: Pick<KeptHistory, 'at' | 'epochById'>,
  ) {}

  get findings(): readonly Finding[] {
    return this.#finding ? [this.#finding] : [];
  }

  /** `newest`: the newest height that is computed or proven here. Errors: LogFault `pin`. */
  async check(source: Pick<LogSource, 'checkpoints'>, newest: number): Promise<void> {
    const { pin } = this;
    if (!pin || this.metMs !== undefined) return;
    this.#finding = undefined;
    const own = await this.history.at(pin.height);
    if (own) this.#meet(fromHex(own.statement)!);
    else if (pin.height > newest)
      this.#miss(
        `the log does not reach checkpoint ${pin.height}, which is pinned: the node is behind or hides it`,
      );
    else await this.#ask(source, pin.height);
  }

  #miss(text: string): void {
    this.#finding = { kind: 'pin', text };
  }

  #meet(statement: Uint8Array): void {
    const { height, code } = this.pin!;
    const found = checkpointCode(checkpointHash(statement));
    if (found !== code)
      throw new LogFault('pin', `checkpoint ${height} is ${found} here, not the pinned ${code}`, {
        checkpoint: height,
      });
    this.metMs = decodeCheckpoint(statement)!.timeMs;
  }

  /** A checkpoint from before the seal at which the audit began. */
  async #ask(source: Pick<LogSource, 'checkpoints'>, height: number): Promise<void> {
    const [listed] = readCheckpoints(await source.checkpoints(height - 1, 1), height - 1, 1);
    if (listed?.height !== height) {
      this.#miss(
        `the node no longer has checkpoint ${height}, which is pinned: take a newer one, or begin at genesis`,
      );
      return;
    }
    const bytes = fromHex(listed.statement);
    const statement = bytes && decodeCheckpoint(bytes);
    if (!statement || statement.height !== height)
      throw new LogFault('answer', `checkpoint ${height} has no valid statement`, { checkpoint: height });
    if (!(await this.history.epochById(statement.epochId)))
      throw new LogFault('pin', `checkpoint ${height} is of an epoch that the seals do not lead through`, {
        checkpoint: height,
      });
    this.#meet(bytes!);
  }
}
