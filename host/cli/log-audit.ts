// Recomputes a node's log in this process: what `vws audit` prints and what the tool verify_log answers.
// Keeps: verified data goes to the folder that is kept, or to a temporary one that is removed.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Comparison,
  checkTwoHistories,
  type Double,
  HttpSource,
  type Kind,
  LogFault,
  type Modules,
  type Pin,
  type Verdict,
  Verifier,
  type VerifierStore,
  type VerifyProgress,
  type Way,
} from '../audit/index.ts';
import { systemEnvironment } from '../client/environment.ts';
import { buildFor } from '../core/simd.ts';
import { openEd25519 } from '../crypto/ed25519-wasm.ts';
import type { Store } from '../world/store.ts';
import { systemClock } from '../world/system/clock.ts';
import { systemProgram } from '../world/system/files.ts';
import { openStore } from '../world/system/open-store.ts';

export interface Question {
  kind: Kind;
  id: string;
}

/** About one node. */
export interface Report extends Verdict {
  node: string;
  genesis_hash: string;
  way: Way;
  /** Where the history is anchored besides the signatures. */
  isPinned: boolean;
  transactions: number;
  signatures: number;
  seconds: number;
  answers: (Question & Comparison)[];
}

export interface AuditOptions {
  /** Audited one after another on the same data: each is compared with what the ones before it showed. */
  nodeUrls: readonly string[];
  /** Undefined: as the first node says. */
  genesisHash: string | undefined;
  way: Way;
  pin?: Pin | undefined;
  maxAgeMs?: number | undefined;
  maxAnchorMs?: number | undefined;
  maxRunMs?: number | undefined;
  /** Folder for verified data; undefined: a temporary one. */
  keep: string | undefined;
  questions: readonly Question[];
  onProgress(progress: VerifyProgress): void;
  /** Gets the verifier once it is open, so that it can be closed early. */
  onOpen(verifier: Verifier): void;
  warn(text: string): void;
}

/** The modules of this program. */
export async function loadModules(): Promise<Modules> {
  const [core, consensus, ed25519] = await Promise.all([
    systemProgram.module(buildFor('core')),
    systemProgram.module('consensus.wasm'),
    systemProgram.module(buildFor('ed25519')),
  ]);
  return { core, consensus, ed25519 };
}

async function withStore<T>(
  options: Pick<AuditOptions, 'keep' | 'warn'>,
  use: (store: Store) => Promise<T>,
): Promise<T> {
  const { keep, warn } = options;
  const folder = keep ?? (await mkdtemp(join(tmpdir(), 'vws-audit-')));
  try {
    const store = await openStore(folder, 'auto', warn, keep !== undefined);
    try {
      return await use(store);
    } finally {
      await store.close();
    }
  } finally {
    if (keep === undefined) await rm(folder, { recursive: true, force: true });
  }
}

/** What was found out about a node whose data is wrong from the start. */
function refused(node: string, fault: LogFault, options: AuditOptions): Report {
  return {
    node,
    genesis_hash: options.genesisHash ?? '',
    way: options.way,
    isPinned: false,
    isGood: false,
    shown: 'lie',
    order: 0,
    timeMs: 0,
    stateRoot: '',
    checkpoint: 0,
    checkpointCode: '',
    nodeOrder: 0,
    findings: [],
    fault: { kind: fault.kind, text: fault.message, ...fault.place },
    transactions: 0,
    signatures: 0,
    seconds: 0,
    answers: [],
  };
}

type Kept = Store & Pick<VerifierStore, 'find'>;

async function auditNode(
  node: string,
  options: AuditOptions,
  modules: Modules,
  store: Kept,
): Promise<Report> {
  const { genesisHash, way, pin, maxAgeMs, maxAnchorMs, maxRunMs, questions, keep, onProgress } = options;
  const startedMs = systemClock.monotonicMs();
  const verifier = await Verifier.open({
    source: new HttpSource(node, systemEnvironment),
    modules,
    store,
    way,
    environment: systemEnvironment,
    ...(genesisHash === undefined ? {} : { genesisHash }),
    ...(pin === undefined ? {} : { pin }),
    ...(maxAgeMs === undefined ? {} : { maxAgeMs }),
    ...(maxAnchorMs === undefined ? {} : { maxAnchorMs }),
    ...(maxRunMs === undefined ? {} : { bounds: { runMs: maxRunMs } }),
    onProgress,
    isOnce:
      options.nodeUrls.length === 1 && keep === undefined && questions.every(({ kind }) => kind !== 'event'),
  });
  options.onOpen(verifier);
  const verdict = await verifier.run();
  const answers: Report['answers'] = [];
  for (const { kind, id } of verdict.isGood ? questions : []) {
    answers.push({ kind, id, ...(await verifier.compare(kind, id)) });
  }
  const { transactions, signatures } = verifier.progress;
  await verifier.close();
  return {
    ...verdict,
    node,
    genesis_hash: verifier.genesis.hashHex,
    way: verifier.way,
    isPinned: genesisHash !== undefined || pin !== undefined,
    transactions,
    signatures,
    seconds: Math.round((systemClock.monotonicMs() - startedMs) / 100) / 10,
    answers,
  };
}

/** A report about each node. Errors: those of a node that does not answer, and of the store. */
export const auditLog = (options: AuditOptions): Promise<Report[]> =>
  withStore(options, async (store) => {
    const modules = await loadModules();
    const kept = Object.assign(store, { find: async (key: Uint8Array) => store.get(key) });
    const reports: Report[] = [];
    for (const node of options.nodeUrls) {
      try {
        // The first node names the network, if nobody else does.
        const genesisHash = options.genesisHash ?? (reports[0]?.genesis_hash || undefined);
        reports.push(await auditNode(node, { ...options, genesisHash }, modules, kept));
      } catch (error) {
        if (!(error instanceof LogFault)) throw error;
        reports.push(refused(node, error, options));
      }
    }
    return reports;
  });

/** Checks a file that was written as a proof of two histories. Errors: NoProof. */
export async function checkProof(file: unknown): Promise<Double> {
  const { ed25519 } = await loadModules();
  const implementation = openEd25519(ed25519, systemEnvironment.randomBytes);
  return checkTwoHistories(file, (jobs) => implementation.verifyBatch(jobs));
}
