// The verifier in its own thread, so that the page stays responsive: modules from the node, checked by digest; state in
// IndexedDB, separate for each node and way.

import consensusUrl from '../../../build/consensus.wasm?url';
import coreUrl from '../../../build/core.wasm?url';
import simdUrl from '../../../build/ed25519.wasm?url';
import scalarUrl from '../../../build/ed25519-scalar.wasm?url';
import {
  BrowserStore,
  checkedAgent,
  compileModules,
  HttpSource,
  hasSimd,
  LogFault,
  MODULE_DIGESTS,
  type Modules,
  type VerifyProgress as Progress,
  Verifier,
  type Way,
} from '../../audit/index.ts';
import { systemEnvironment } from '../../client/environment.ts';
import { portableClock } from '../../world/portable.ts';
import type { FromWorker, ToWorker, VerifyProgress, VerifyVerdict } from './worker-messages.ts';

/** Between two progress reports. */
const REPORT_MS = 100;

const post = (message: FromWorker): void => postMessage(message);

async function bytesAt(url: string): Promise<Uint8Array<ArrayBuffer>> {
  const response = await systemEnvironment.fetch(url, {});
  if (!response.ok) throw new Error(`${url}: status ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

let compiled: Promise<Modules> | undefined;
async function modules(): Promise<Modules> {
  const [core, consensus, ed25519] = await Promise.all(
    [coreUrl, consensusUrl, hasSimd() ? simdUrl : scalarUrl].map(bytesAt),
  );
  return compileModules({ core: core!, consensus: consensus!, ed25519: ed25519! }, MODULE_DIGESTS);
}

class Check {
  #verifier: Verifier | undefined;
  #store: BrowserStore | undefined;
  #source: HttpSource;
  #phase: VerifyProgress['phase'] = 'loading';
  #startedMs = portableClock.monotonicMs();
  #reportedMs = 0;

  constructor(
    private readonly node: string,
    private readonly way: Way,
  ) {
    this.#source = new HttpSource(node, systemEnvironment);
  }

  static databaseName = (node: string, way: Way): string => `vws-verify ${node} ${way}`;

  async run(): Promise<VerifyVerdict> {
    try {
      const verifier = await this.#open();
      this.#phase = 'running';
      const { fault, ...verdict } = await verifier.run();
      this.#phase = fault ? 'failed' : 'done';
      this.#report(verifier.progress, true);
      return { ...verdict, ...(fault ? { fault } : {}) };
    } catch (error) {
      if (!(error instanceof LogFault)) throw error;
      const fault = { kind: error.kind, text: error.message, ...error.place };
      return { isGood: false, order: 0, checkpoint: 0, stateRoot: '', fault };
    }
  }

  async #open(): Promise<Verifier> {
    if (this.#verifier) return this.#verifier;
    this.#startedMs = portableClock.monotonicMs();
    this.#report(undefined, true);
    compiled ??= modules();
    compiled.catch(() => {
      compiled = undefined;
    });
    const ready = await compiled;
    this.#store = await BrowserStore.open(Check.databaseName(this.node, this.way));
    this.#verifier = await Verifier.open({
      source: this.#source,
      modules: ready,
      store: this.#store,
      way: this.way,
      environment: systemEnvironment,
      onProgress: (progress) => this.#report(progress),
    });
    return this.#verifier;
  }

  #report(progress: Progress | undefined, isLast = false): void {
    const nowMs = portableClock.monotonicMs();
    if (!isLast && nowMs - this.#reportedMs < REPORT_MS) return;
    this.#reportedMs = nowMs;
    const none = { order: 0, toOrder: 0, epoch: 0, transactions: 0, signatures: 0, checkpoint: 0 };
    const { checkpoint, ...rest } = progress ?? none;
    const { bytes } = this.#source;
    const seconds = (nowMs - this.#startedMs) / 1000;
    post({
      type: 'progress',
      progress: { phase: this.#phase, ...rest, checkpoints: checkpoint, bytes, seconds },
    });
  }

  pause(): void {
    this.#phase = 'paused';
    this.#verifier?.pause();
    this.#report(this.#verifier?.progress, true);
  }

  resume(): void {
    this.#phase = 'running';
    this.#verifier?.resume();
    this.#report(this.#verifier?.progress, true);
  }

  agent(id: string) {
    const found = this.#verifier && checkedAgent(this.#verifier.replica, id);
    if (!found) return undefined;
    const { staked_amount: staked, ...rest } = found;
    return { ...rest, staked };
  }

  async close(): Promise<void> {
    await this.#verifier?.close();
    await this.#store?.close();
  }

  /** Stores what was verified, so that closing the page loses nothing. */
  async save(): Promise<void> {
    await this.#verifier?.save();
  }
}

let check: { node: string; way: Way; is: Check } | undefined;
const WAYS: readonly Way[] = ['genesis', 'checkpoint'];

async function start(node: string, way: Way): Promise<void> {
  // Another run of the same check resumes where the last one ended.
  if (check?.node !== node || check.way !== way) {
    await check?.is.close();
    check = { node, way, is: new Check(node, way) };
  }
  const { is } = check;
  const verdict = await is.run();
  if (verdict.isGood) await is.save();
  else {
    // Data that failed verification is not a base to resume from.
    await is.close();
    await BrowserStore.remove(Check.databaseName(node, way));
    check = undefined;
  }
  post({ type: 'verdict', verdict });
}

async function reset(node: string): Promise<void> {
  await check?.is.close();
  check = undefined;
  for (const way of WAYS) await BrowserStore.remove(Check.databaseName(node, way));
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  switch (data.type) {
    case 'start':
      start(data.node, data.way).catch((error) => {
        check = undefined;
        post({ type: 'failed', text: textOf(error) });
      });
      break;
    case 'pause':
      check?.is.pause();
      break;
    case 'resume':
      check?.is.resume();
      break;
    case 'reset':
      reset(data.node).then(
        () => post({ type: 'answer', call: data.call, agent: undefined }),
        (error) => post({ type: 'answer', call: data.call, agent: undefined, fault: textOf(error) }),
      );
      break;
    case 'agent':
      post({ type: 'answer', call: data.call, agent: check?.is.agent(data.id) });
  }
});
