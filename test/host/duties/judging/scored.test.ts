// Judges behind SERVICE_JUDGE are scored by canaries: they are asked about planted work as about any other, cannot tell it, and
// what they said counts once it is revealed (protocol 7.7, 15.9).

import { expect, it } from 'vitest';
import { CanaryRunner, canaryDraw } from '../../../../host/duties/canary-runner.ts';
import { JudgeRunner } from '../../../../host/duties/judging/judge-runner.ts';
import type { Judge } from '../../../../host/duties/judging/judgement.ts';
import { completed, IDS, openCases, operatorOf } from '../../one-node/case-life.ts';
import { type Parts, SEAT_KEY, settle } from '../../one-node/harness.ts';

const RATE = { canary_rate_bp: '10000', dispute_deadline_secs: '60', review_default_secs: '30' };

let drawn = 0;
/** The same in each run. */
function randomBytes(n: number): Uint8Array {
  drawn += 1;
  return Uint8Array.from({ length: n }, (_, i) => (drawn >> (8 * (i % 4))) & 255);
}

const common = (p: Parts) => ({
  ...{ store: p.store, ids: p.ids, pending: p.pending, clock: p.clock, chainId: 'vws-testnet-1' },
  randomBytes,
  log: { info() {}, warn() {} },
  submit: (s: Parameters<Parts['sequencer']['submit']>[0]) => p.sequencer.submit(s),
});

/** The event of a submission for which the first seat is drawn to plant something. */
async function called(p: Parts): Promise<string> {
  for (;;) {
    const { id } = await completed(p, { category: 'content' });
    const event = p.events.find((e) => e.event_type === 'task_submitted' && e.task_id === id)!;
    if (canaryDraw(event, 10_000)! % IDS.length === 0) return event.event_id;
  }
}

it('judges are scored by canaries that they cannot tell from other work', async () => {
  const p = await openCases(RATE);
  const trigger = await called(p);
  const asked: string[] = [];
  const judge: Judge = async (question) => {
    asked.push(JSON.stringify(question));
    return { verdict: 'worker', worker_share_bp: 10_000, reason: 'it looks well', confidence_bp: 6000 };
  };
  const planter = new CanaryRunner({ ...common(p), seat: 0, key: SEAT_KEY, rateBp: 10_000 });
  const judges = IDS.filter((id) => id !== 'v1').map(
    (id) => new JudgeRunner({ ...common(p), key: operatorOf(id), judge, judgeSecs: 60, onAnswer() {} }),
  );
  let told = p.events.length;
  planter.onExecuted(p.events.filter((e) => e.event_id === trigger));
  const isRevealed = (): boolean => p.events.some((e) => e.event_type === 'canary_reveal');
  while (!isRevealed()) {
    await settle();
    const fresh = p.events.slice(told);
    told = p.events.length;
    for (const part of [planter, ...judges]) part.onExecuted(fresh);
    await settle();
    await p.clock.advance(1000);
  }
  for (const part of [planter, ...judges]) part.stop();
  const { payload } = p.events.find((e) => e.event_type === 'canary_reveal')!;
  const scored = IDS.flatMap((id) => {
    const { calibration } = p.ids.state.validator(p.ids.findValidator(id)!)!;
    return calibration.filter((c) => c.canarySignals > 0);
  });
  expect(scored.length).toBe(payload.votes_scored);
  expect(scored.length).toBeGreaterThan(0);
  for (const word of ['canary', 'planted']) expect(asked.join()).not.toContain(word);
});
