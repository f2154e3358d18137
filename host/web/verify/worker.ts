// The verifier in its own thread, so that the page stays responsive: modules from the node, checked by digest; state in
// IndexedDB, separate for each node and way.

import consensusUrl from '../../../build/consensus.wasm?url';
import coreUrl from '../../../build/core.wasm?url';
import scalarCoreUrl from '../../../build/core-scalar.wasm?url';
import ed25519Url from '../../../build/ed25519.wasm?url';
import scalarEd25519Url from '../../../build/ed25519-scalar.wasm?url';
import {
  BrowserStore,
  compileModules,
  HttpSource,
  hasSimd,
  LogFault,
  MODULE_DIGESTS,
  type Modules,
  type NumbersOf,
  type VerifyProgress as Progress,
  readPin,
  recomputed,
  type Verdict,
  Verifier,
  type Way,
} from '../../audit/index.ts';
import { systemEnvironment } from '../../client/environment.ts';
import { portableClock } from '../../world/portable.ts';
import { keepProof } from './proofs.ts';
import type {
  Asked,
  Compared,
  FromWorker,
  OneKind,
  Recomputed,
  ToWorker,
  VerifyProgress,
  VerifyTarget,
  VerifyVerdict,
} from './worker-messages.ts';

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
  const simd = hasSimd();
  const [core, consensus, ed25519] = await Promise.all(
    [simd ? coreUrl : scalarCoreUrl, consensusUrl, simd ? ed25519Url : scalarEd25519Url].map(bytesAt),
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

  constructor(private readonly target: VerifyTarget) {
    this.#source = new HttpSource(target.node, systemEnvironment);
  }

  static databaseName = (node: string, way: Way): string => `vws-verify ${node} ${way}`;

  async run(): Promise<VerifyVerdict> {
    try {
      const verifier = await this.#open();
      this.#phase = 'running';
      const verdict = await verifier.run();
      this.#phase = verdict.fault ? 'failed' : 'done';
      this.#report(verifier.progress, true);
      return this.#full(verdict, verifier);
    } catch (error) {
      if (!(error instanceof LogFault)) throw error;
      const fault = { kind: error.kind, text: error.message, ...error.place };
      return { ...NOTHING, way: this.target.way, fault };
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
    const { node, way, genesisHash, pin } = this.target;
    this.#store = await BrowserStore.open(Check.databaseName(node, way));
    this.#verifier = await Verifier.open({
      source: this.#source,
      modules: ready,
      store: this.#store,
      way,
      genesisHash,
      pin: pin === undefined ? undefined : readPin(pin),
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

  async compare(kind: OneKind, id: string): Promise<Compared> {
    const verifier = this.#must();
    const compared = await verifier.compare(kind, id);
    const numbers = await recomputed(verifier.replica, `${kind}s`, [id]);
    return { ...compared, own: numbers[id] };
  }

  /** Follows the log to its present end first. */
  async recompute(kind: NumbersOf, ids: readonly string[]): Promise<Recomputed> {
    const verifier = this.#must();
    const verdict = await verifier.run();
    const numbers = verdict.isGood ? await recomputed(verifier.replica, kind, ids) : {};
    return { order: verdict.order, numbers, verdict: this.#full(verdict, verifier) };
  }

  #must(): Verifier {
    if (!this.#verifier) throw new Error('nothing was verified yet');
    return this.#verifier;
  }

  #full(verdict: Verdict, { genesis, way }: Verifier): VerifyVerdict {
    return { ...verdict, network: genesis.hashHex, way };
  }

  async close(): Promise<void> {
    await this.#verifier?.close();
    await this.#store?.close();
  }

  /** Saves nothing, and lets go of what is stored, which could not be deleted otherwise. */
  async abandon(): Promise<void> {
    await this.#store?.close();
  }

  /** Stores what was verified, so that closing the page loses nothing. */
  async save(): Promise<void> {
    await this.#verifier?.save();
  }
}

/** Of a node whose data is wrong from the start. */
const NOTHING: Omit<VerifyVerdict, 'way'> = {
  isGood: false,
  network: '',
  order: 0,
  timeMs: 0,
  checkpoint: 0,
  checkpointCode: '',
  stateRoot: '',
  findings: [],
};

let check: { target: VerifyTarget; is: Check } | undefined;
const WAYS: readonly Way[] = ['genesis', 'checkpoint'];

const isSame = (a: VerifyTarget, b: VerifyTarget): boolean =>
  a.node === b.node && a.way === b.way && a.genesisHash === b.genesisHash && a.pin === b.pin;

async function start(target: VerifyTarget): Promise<void> {
  // Another run of the same check resumes where the last one ended.
  if (!check || !isSame(check.target, target)) {
    await check?.is.close();
    check = { target, is: new Check(target) };
  }
  const { is } = check;
  const verdict = await is.run();
  if (verdict.isGood) await is.save();
  else await condemn(verdict);
  post({ type: 'verdict', verdict });
}

/** After a fault the check ends. */
async function condemn({ proof, way }: VerifyVerdict): Promise<void> {
  const old = check;
  check = undefined;
  if (!old) return;
  await old.is.close();
  if (proof) await keepProof(proof);
  // What a node gave at a seal is no base to resume from once it was found wrong. What was computed from signed vertices
  // is: without it, a node with two histories would pass at the second try.
  else if (way === 'checkpoint')
    await BrowserStore.remove(Check.databaseName(old.target.node, old.target.way));
}

async function recompute(kind: NumbersOf, ids: readonly string[]): Promise<Recomputed> {
  const found = await must().recompute(kind, ids);
  if (!found.verdict.isGood) await condemn(found.verdict);
  return found;
}

async function reset(node: string): Promise<void> {
  await check?.is.close();
  check = undefined;
  for (const way of WAYS) await BrowserStore.remove(Check.databaseName(node, way));
}

function must(): Check {
  if (!check) throw new Error('nothing was verified yet');
  return check.is;
}

async function answer(asked: Asked): Promise<unknown> {
  switch (asked.type) {
    case 'reset':
      return reset(asked.node);
    case 'compare':
      return must().compare(asked.kind, asked.id);
    case 'recompute':
      return recompute(asked.kind, asked.ids);
  }
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  switch (data.type) {
    case 'start':
      start(data.target).catch((error) => {
        void check?.is.abandon();
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
    case 'ask':
      answer(data.asked).then(
        (value) => post({ type: 'answer', call: data.call, value }),
        (error) => post({ type: 'answer', call: data.call, fault: textOf(error) }),
      );
  }
});
