// The votes on disputes that an operator has committed and has to reveal, each in a file beside its key.
//
//   <key file>.votes/<event id>.json   what was said, with the salt of its commitment
//
// Keeps: a vote is on disk before its commitment is sent; what was kept for a dispute is what is sent again, never another
// vote; a file goes when its dispute is decided.

import { readdirSync } from 'node:fs';
import { type BodyOf, type VerifyResult, type Voting, type VwsClient, VwsError } from '../client/index.ts';
import { loadClientSettings } from '../config/config.ts';
import type { Clock } from '../world/clock.ts';
import type { Files } from '../world/files.ts';
import { systemFiles } from '../world/system/files.ts';
import type { CommandContext } from './command.ts';
import { CommandRefusal, UsageError } from './exit-code.ts';

/** What `VwsClient.newVote` made. */
interface KeptVote {
  commit: BodyOf<'voteCommit'>;
  reveal: BodyOf<'verify'>;
}

export interface Revealed {
  event_id: string;
  /** `waiting`: others have still to commit; `over`: decided, or the time was missed; `failed`: the node refused, with `code`. */
  state: 'revealed' | 'waiting' | 'over' | 'failed';
  until?: number;
  code?: string;
  result?: VerifyResult;
}

type VoteFiles = Pick<Files, 'exists' | 'readText' | 'writeNew' | 'makeDirectory' | 'remove'>;
const POLL_MS = 5_000;

export class KeptVotes {
  constructor(
    private readonly client: VwsClient,
    private readonly files: VoteFiles,
    private readonly folder: string,
  ) {}

  #path(event: string): string {
    return `${this.folder}/${event}.json`;
  }

  #read(event: string): KeptVote {
    return JSON.parse(this.files.readText(this.#path(event))) as KeptVote;
  }

  /** Commits a vote; how far the votes are. Errors: CommandRefusal where another vote was committed before. */
  async commit(vote: BodyOf<'verify'>): Promise<Voting> {
    const event = vote.event_id.toLowerCase();
    // It names a file here, and may come from a node.
    if (!/^[0-9a-f]{64}$/.test(event)) throw new UsageError(`"${event}" is no id of an event`);
    const path = this.#path(event);
    let kept: KeptVote;
    if (this.files.exists(path)) {
      kept = this.#read(event);
      const { salt: _, ...before } = kept.reveal;
      if (JSON.stringify(before) !== JSON.stringify({ ...vote, event_id: event })) {
        throw new CommandRefusal('already_committed', 'another vote on this dispute was committed before', {
          hint: 'a vote cannot be changed; vws judge reveal opens it when its time has come',
        });
      }
    } else {
      kept = await this.client.newVote({ ...vote, event_id: event });
      this.files.makeDirectory(this.folder);
      this.files.writeNew(path, `${JSON.stringify(kept)}\n`, 0o600);
    }
    return (await this.client.commitVote(kept.commit)).voting;
  }

  /** Reveals what may be revealed, and forgets what is over. What fails for one holds up none of the others. */
  async reveal(): Promise<Revealed[]> {
    if (!this.files.exists(this.folder)) return [];
    const events = readdirSync(this.folder)
      .sort()
      .flatMap((name) => /^([0-9a-f]{64})\.json$/.exec(name)?.[1] ?? []);
    const done: Revealed[] = [];
    for (const event of events) done.push(await this.#reveal(event).catch((error) => failed(event, error)));
    return done;
  }

  async #reveal(event_id: string): Promise<Revealed> {
    const shown = await this.client.event(event_id);
    const { voting, commitments = [] } = shown;
    const { commit, reveal } = this.#read(event_id);
    const isCommitted = commitments.some(({ commitment }) => commitment === commit.commitment);
    if (voting?.stage === 'commit') {
      // The command that kept it may have ended before it was sent.
      if (!isCommitted) await this.client.commitVote(commit);
      return { event_id, state: 'waiting', until: voting.until };
    }
    if (voting && isCommitted) {
      const result = await this.client.verify(reveal);
      this.files.remove(this.#path(event_id));
      return { event_id, state: 'revealed', result };
    }
    // A node that is behind does not know the vote yet: without the salt it would be lost.
    if (!voting && shown.settlement_state === 'optimistic') {
      return {
        event_id,
        state: 'waiting',
        ...(shown.deadline === undefined ? {} : { until: shown.deadline }),
      };
    }
    this.files.remove(this.#path(event_id));
    return { event_id, state: 'over' };
  }

  /** Reveals until nothing waits any more; `tell` gets each step once. */
  async revealAll(clock: Pick<Clock, 'setTimer'>, tell: (step: Revealed) => void): Promise<void> {
    const told = new Set<string>();
    for (;;) {
      const steps = await this.reveal();
      for (const step of steps) {
        const name = `${step.event_id} ${step.state} ${step.code}`;
        if (!told.has(name)) tell(step);
        told.add(name);
      }
      if (!steps.some(({ state, code }) => state === 'waiting' || PASSING.has(code ?? ''))) return;
      await new Promise<void>((resolve) => clock.setTimer(resolve, POLL_MS));
    }
  }
}

/** Codes of what may be over at the next try. */
const PASSING = new Set([
  'unreachable',
  'no_quorum',
  'not_ready',
  'overloaded',
  'behind',
  'rate_limited',
  'bad_answer',
]);

function failed(event_id: string, error: unknown): Revealed {
  if (error instanceof VwsError) return { event_id, state: 'failed', code: error.code };
  throw error;
}

/** The votes of the key that the command names. Errors: UsageError without a key file. */
export function openVotes(context: CommandContext, client: VwsClient): KeptVotes {
  const { keyPath } = loadClientSettings(context);
  if (keyPath === undefined)
    throw new UsageError('a vote on a dispute is kept beside a key: give it with --key');
  return new KeptVotes(client, systemFiles, `${keyPath}.votes`);
}
