// Whoever has a node run programs that want to harm it: posts tasks whose contracts are such programs, has its own workers
// claim them, and delivers again and again.
// Keeps: each kind of hostile program has its turn; what a trial refuses costs nobody money, what is ordered the worker.

import { type Signer, signerFromSeed, VwsClient, VwsError } from '../../host/client/index.ts';
import { generateSeed } from '../../host/crypto/key-pair.ts';
import { systemClock } from '../../host/world/system/clock.ts';
import { sleep } from '../load/node-process.ts';
import { HOSTILE, hostileModule } from '../programs/hostile.ts';

const TOKEN = 1_000_000;
/** Refused ones cost their sender a request; the others run. */
const KINDS = HOSTILE.filter(({ ends }) => !(ends instanceof RegExp));
const STEP_MS = 10;
/** Failures of seeded checks that a claim may have (protocol 14.9). */
const RUNS_OF_A_CLAIM = 3;

interface Claimed {
  worker: VwsClient;
  task: string;
  runsLeft: number;
}

export interface Answers {
  /** By error code, or `taken`. */
  [answer: string]: number;
}

export class HostileAttacker {
  /** Tasks whose checks run before the order, and those whose checks wait for a seed. */
  readonly #tries: Claimed[] = [];
  readonly #ordered: Claimed[] = [];
  #turn = 0;

  constructor(private readonly baseUrl: string) {}

  /** `runs`: how many ordered runs there shall be at most. */
  async prepare(runs: number): Promise<void> {
    const poster = await this.#agent();
    const programs: string[] = [];
    for (const kind of KINDS) {
      const module = Buffer.from(hostileModule(kind)).toString('base64');
      programs.push((await poster.programs.publish({ module })).hash);
    }
    for (const program of programs) this.#tries.push(await this.#claimed(poster, program, false));
    for (let i = 0; i * RUNS_OF_A_CLAIM < runs; i++)
      this.#ordered.push(await this.#claimed(poster, programs[i % programs.length]!, true));
  }

  async #agent(): Promise<VwsClient> {
    const key: Signer = signerFromSeed(generateSeed());
    const client = new VwsClient({ baseUrl: this.baseUrl, key });
    await client.register({});
    return client;
  }

  async #claimed(poster: VwsClient, program: string, seeded: boolean): Promise<Claimed> {
    const worker = await this.#agent();
    const { id } = await poster.tasks.create({
      title: 'Count to infinity',
      category: 'numbers',
      budget: TOKEN,
      acceptance: [{ program, seeded }],
      settle: 'on_pass',
    });
    await worker.tasks.claim(id);
    return { worker, task: id, runsLeft: seeded ? RUNS_OF_A_CLAIM : Number.POSITIVE_INFINITY };
  }

  /** Delivers at these rates, whatever is answered; what came back, and how many runs were meant to be ordered. */
  async run(seconds: number, triesPerSecond: number, orderedPerSecond: number): Promise<Answers> {
    const answers: Answers = {};
    const sent: Promise<void>[] = [];
    const startMs = systemClock.monotonicMs();
    const tryOne = (): Claimed => this.#tries[this.#turn++ % this.#tries.length]!;
    const orderOne = (): Claimed | undefined => this.#ordered.find(({ runsLeft }) => runsLeft > 0);
    const counts = [0, 0];
    for (let secs = 0; secs < seconds; secs = (systemClock.monotonicMs() - startMs) / 1000) {
      for (const [i, [rate, pick]] of (
        [
          [triesPerSecond, tryOne],
          [orderedPerSecond, orderOne],
        ] as const
      ).entries()) {
        for (; counts[i]! < secs * rate; counts[i]!++) {
          const claimed = pick();
          if (claimed) sent.push(this.#deliver(claimed, answers));
        }
      }
      await sleep(STEP_MS);
    }
    await Promise.all(sent);
    return answers;
  }

  async #deliver(claimed: Claimed, answers: Answers): Promise<void> {
    claimed.runsLeft -= 1;
    const answer = await claimed.worker.tasks
      .submit(claimed.task, { result_content: 'one, two, three' })
      .then(
        () => 'taken',
        (error: unknown) => (error instanceof VwsError ? error.code : String(error)),
      );
    answers[answer] = (answers[answer] ?? 0) + 1;
  }
}
