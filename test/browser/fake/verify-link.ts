// A verifier that checks nothing: it only reports progress, so that the panel around it can be tested.
// What it finds is set in the page's storage, since the page itself has no way to request a fault.

import type { VerifyFault, VerifyProgress, VerifyVerdict } from '../../../host/web/verify/worker-messages.ts';
import type { VerifyLink } from '../../../host/web/verify-link.ts';

const STEPS = 8;
const TOTAL = 10_000;
const STEP_MS = 60;

interface Plan {
  /** Agents by id, as the verification should find them; `order` is filled in. */
  agents: Record<string, { balance: number; staked: number }>;
  order: number;
  fault?: VerifyFault;
}

const plan = (): Plan => JSON.parse(localStorage.getItem('test.plan') ?? '{"agents":{},"order":0}') as Plan;

export function openVerifier(): VerifyLink {
  let isPaused = false;
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
        const verdict: VerifyVerdict = {
          isGood: !fault,
          order,
          checkpoint: STEPS,
          stateRoot: 'ab'.repeat(32),
        };
        const timer = setInterval(() => {
          if (isPaused) return;
          step += 1;
          if (step < STEPS) return report('running');
          clearInterval(timer);
          report(fault ? 'failed' : 'done');
          resolve(fault ? { ...verdict, fault } : verdict);
        }, STEP_MS);
      });
    },
    pause() {
      isPaused = true;
      report('paused');
    },
    resume() {
      isPaused = false;
      report('running');
    },
    async reset() {},
    async agent(id) {
      const { agents, order } = plan();
      const account = agents[id];
      return account && { agent_id: id, order, ...account };
    },
    close() {},
  };
}
