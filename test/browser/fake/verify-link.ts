// A verifier that checks nothing: it only reports progress, so that the panel around it can be tested.
// What it finds is set in the page's storage, since the page itself has no way to request a fault.

import type { Numbers } from '../../../host/audit/index.ts';
import { keepProof } from '../../../host/web/verify/proofs.ts';
import type {
  Shown,
  VerifyFault,
  VerifyProgress,
  VerifyVerdict,
} from '../../../host/web/verify/worker-messages.ts';
import type { VerifyLink } from '../../../host/web/verify-link.ts';

const STEPS = 8;
const TOTAL = 10_000;
const STEP_MS = 60;

interface Plan {
  /** Agents by id, as the verification should find them. */
  agents: Record<string, { shown: Shown; text?: string; own?: Numbers }>;
  order: number;
  fault?: VerifyFault;
  /** Goes no further than the first step before it was paused once, however slow the reader is. */
  waitsForPause?: boolean;
  /** Takes its first step the moment the panel is in the page, before anything else of the page runs. */
  stepsAsPanelAppears?: boolean;
  findings?: VerifyVerdict['findings'];
  /** With a fault: a proof of two histories, kept as the real verifier keeps it. */
  proof?: object;
}

const plan = (): Plan => JSON.parse(localStorage.getItem('test.plan') ?? '{"agents":{},"order":0}') as Plan;

/** Resolves once the panel is in the page: right after its drawing, and before its effects. */
const panelAppears = (): Promise<void> =>
  new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      if (!document.querySelector('.verify')) return;
      observer.disconnect();
      resolve();
    });
    observer.observe(document.body, { childList: true, subtree: true });
  });

const verdictOf = (): VerifyVerdict => ({
  isGood: !plan().fault,
  network: 'cd'.repeat(32),
  way: 'genesis',
  order: plan().order,
  timeMs: 1_800_000_000_000,
  checkpoint: STEPS,
  checkpointCode: '7K3M-9QXT-2B4C-6D8E-F0G1-H2J3-K4M5-N6P7',
  stateRoot: 'ab'.repeat(32),
  findings: plan().findings ?? [],
});

export function openVerifier(): VerifyLink {
  let timer: ReturnType<typeof setInterval> | undefined;
  let isPaused = false;
  let wasPaused = false;
  let report: (phase: VerifyProgress['phase']) => void = () => {};
  return {
    start({ onProgress }) {
      let step = 0;
      const { order, fault } = plan();
      report = (phase) =>
        onProgress({
          phase,
          order: Math.floor((order * step) / STEPS),
          toOrder: order,
          epoch: 0,
          transactions: (TOTAL * step) / STEPS,
          signatures: (2 * TOTAL * step) / STEPS,
          checkpoints: step,
          bytes: 500_000 * step,
          seconds: step / 4,
        });
      report('loading');
      return new Promise((resolve) => {
        const verdict = verdictOf();
        const advance = () => {
          const isHeld = plan().waitsForPause === true && !wasPaused && step > 0;
          if (isPaused || isHeld) return;
          step += 1;
          if (step < STEPS) return report('running');
          clearInterval(timer);
          report(fault ? 'failed' : 'done');
          const { proof } = plan();
          if (!fault) resolve(verdict);
          else if (!proof) resolve({ ...verdict, fault });
          else void keepProof(proof).then(() => resolve({ ...verdict, fault, proof }));
        };
        if (plan().stepsAsPanelAppears) void panelAppears().then(advance);
        else timer = setInterval(advance, STEP_MS);
      });
    },
    pause() {
      isPaused = true;
      wasPaused = true;
      report('paused');
    },
    resume() {
      isPaused = false;
      report('running');
    },
    async reset() {},
    async compare(_kind, id) {
      const { agents, order } = plan();
      return { order, ...(agents[id] ?? { shown: 'not_comparable' }) };
    },
    async recompute(_kind, ids) {
      const { agents, order } = plan();
      const known = ids.flatMap((id) => (agents[id]?.own ? [[id, agents[id].own] as const] : []));
      return { order, numbers: Object.fromEntries(known), verdict: verdictOf() };
    },
    close() {
      clearInterval(timer);
    },
  };
}
