// Canaries on a whole node: planted beside submissions, judged by the panel, revealed (protocol 7.7).

import { describe, expect, it } from 'vitest';
import { CanaryRunner, canaryDraw } from '../../../host/duties/canary-runner.ts';
import { canarySecrets } from '../../../host/duties/canary-secrets.ts';
import type { Submission } from '../../../host/sequencer/sequencer.ts';
import { MemoryStore } from '../../../host/store/memory-store.ts';
import { rangeOf } from '../../../host/store/prefixes.ts';
import { canaryCommitment } from '../../../host/wire/canary.ts';
import { completed, IDS, netOf, openCases, operatorOf } from '../one-node/case-life.ts';
import { openParts, type Parts, SEAT_KEY, send, settle } from '../one-node/harness.ts';
import { OTHER, task } from '../one-node/task-life.ts';

const RATE = { canary_rate_bp: '10000', dispute_deadline_secs: '60', review_default_secs: '30' };

const common = (p: Parts) => ({
  store: p.store,
  ids: p.ids,
  chainId: 'vws-testnet-1',
  clock: p.clock,
  randomBytes: () => crypto.getRandomValues(new Uint8Array(16)),
  log: { info() {}, warn() {} },
  submit: (s: Submission) => p.sequencer.submit(s),
});
const runner = (p: Parts, rateBp = 10_000): CanaryRunner =>
  new CanaryRunner({ ...common(p), seat: 0, key: SEAT_KEY, rateBp });
/**
 * Every operator whose validator is on a panel approves, as a judge that reads would of good work; but for v1, which planted
 * the canary and knows, and whose weight alone may be a quorum.
 */
const voters = (p: Parts): { onExecuted(events: Parts['events']): void }[] => [
  {
    onExecuted(events) {
      for (const e of events.filter(({ event_type }) => event_type === 'task_submitted')) {
        for (const v of (e.assigned_to ?? []).filter((name) => name !== 'v1')) {
          void send(p, operatorOf(v), '/v1/verify', { event_id: e.event_id, verdict: true });
        }
      }
    },
  },
];

/** Submissions until the first seat is drawn to plant something; the event it is drawn for. */
async function called(p: Parts): Promise<string> {
  for (;;) {
    const { id } = await completed(p, { category: 'content' });
    const event = p.events.find((e) => e.event_type === 'task_submitted' && e.task_id === id)!;
    if (canaryDraw(event, 10_000)! % IDS.length === 0) return event.event_id;
  }
}

/** Passes on every batch's events after the first `from`, and lets time pass, until nothing is in flight or the time is up. */
async function run(
  p: Parts,
  parts: readonly { onExecuted(e: Parts['events']): void }[],
  secs: number,
  from: number,
): Promise<void> {
  let told = from;
  for (let passed = 0; passed < secs; passed++) {
    for (;;) {
      const fresh = p.events.slice(told);
      told = p.events.length;
      if (fresh.length === 0) break;
      for (const part of parts) part.onExecuted(fresh);
      await settle();
    }
    await p.clock.advance(1000);
  }
}
const rows = async (p: Parts): Promise<number> => {
  let count = 0;
  for await (const _ of p.store.scan(rangeOf('K'))) count += 1;
  return count;
};
const ofType = (p: Parts, type: string) => p.events.filter((e) => e.event_type === type);

describe('a canary', () => {
  it('is committed, posted under a one-time agent, judged, revealed, scored', async () => {
    const p = await openCases(RATE);
    const trigger = await called(p);
    const from = p.events.length;
    const canary = runner(p);
    canary.onExecuted(p.events.filter((e) => e.event_id === trigger));
    await settle();
    await run(p, [canary, ...voters(p)], 150, from);
    const [commit] = ofType(p, 'canary_commit');
    const [reveal] = ofType(p, 'canary_reveal');
    const { item, poster, worker, salt } = canarySecrets(SEAT_KEY, trigger, 'content');
    const id = String(reveal!.payload.task_id);
    expect(commit).toMatchObject({ agent_id: SEAT_KEY.publicKeyHex, auth: 'tx_v1' });
    const answer = { type: item.type, truth: item.truth, salt };
    expect(commit!.payload).toEqual({ commitment: canaryCommitment(id, answer) });
    expect(reveal!.payload).toMatchObject({ ...commit!.payload, type: item.type, truth: item.truth });
    const posted = p.events.find((e) => e.event_type === 'task_posted' && e.task_id === id)!;
    const submitted = p.events.find((e) => e.event_type === 'task_submitted' && e.task_id === id)!;
    expect(commit!.seq).toBeLessThan(posted.seq);
    expect(submitted.timestamp).toBeGreaterThan(commit!.timestamp);
    expect(task(p, id)).toMatchObject({
      poster_id: poster.publicKeyHex,
      claimer_id: worker.publicKeyHex,
      category: 'content',
      assurance_lane: 'standard',
      title: item.title,
    });
    // Those of the panel that voted, but for the validator that knew.
    const votes = ofType(p, 'verification').filter((e) => e.payload.target_event_id === submitted.event_id);
    const scored = votes.filter((e) => e.payload.validator_id !== 'v1');
    expect(scored.length).toBeGreaterThan(0);
    expect(reveal!.payload.votes_scored).toBe(scored.length);
    for (const { payload } of scored) {
      const { calibration } = p.ids.state.validator(p.ids.findValidator(String(payload.validator_id))!)!;
      expect(calibration.some((c) => c.canarySignals === 1)).toBe(true);
    }
    expect(await rows(p)).toBe(0);
    // Both give back what they have: of the grants only the verifiers' and the treasury's parts of the fees are gone.
    const returned = ofType(p, 'canary_return');
    expect(returned.map((e) => e.agent_id)).toEqual([poster.publicKeyHex, worker.publicKeyHex]);
    for (const key of [poster, worker]) {
      expect(p.ids.state.agent(p.ids.find(key.publicKey)!.index)!.balance).toBe(0);
    }
    const granted = [poster, worker].map((key) => {
      const { payload } = p.events.find(
        (e) => e.event_type === 'registration' && e.agent_id === key.publicKeyHex,
      )!;
      return Number(payload.onboarding_allocation);
    });
    const back = returned.reduce((sum, e) => sum + e.amount!, 0);
    const fees = granted.reduce((sum, grant) => sum + grant, 0) - back;
    expect(fees).toBeGreaterThanOrEqual(0);
    expect(fees).toBeLessThan(10_000_000);
  });

  it('continues after a restart', async () => {
    const store = new MemoryStore();
    const p = await openCases(RATE, { store });
    const trigger = await called(p);
    const first = runner(p);
    first.onExecuted(p.events.filter((e) => e.event_id === trigger));
    await settle();
    first.stop();
    expect(await rows(p)).toBe(1);
    const again = await openParts({ ...netOf(RATE), store, clock: p.clock });
    const second = runner(again);
    await second.start();
    await settle();
    await run(again, [second], 150, 0);
    expect(ofType(again, 'canary_reveal')).toHaveLength(1);
    expect(await rows(again)).toBe(0);
  });

  it('is dropped when somebody else claims its task', async () => {
    const p = await openCases(RATE);
    const trigger = await called(p);
    const from = p.events.length;
    const canary = runner(p);
    canary.onExecuted(p.events.filter((e) => e.event_id === trigger));
    await settle();
    const posted = ofType(p, 'task_posted').at(-1)!;
    await send(p, OTHER, `/v1/tasks/${posted.task_id}/claim`);
    await run(p, [canary], 5, from);
    expect(await rows(p)).toBe(0);
    expect(ofType(p, 'canary_reveal')).toEqual([]);
  });

  it('needs a share of the network: none is planted at a rate of 0', async () => {
    const p = await openCases();
    expect(await send(p, SEAT_KEY, '/node/canary/commit', { commitment: 'ab'.repeat(32) })).toBe(
      'invalid_state',
    );
    expect(await send(p, OTHER, '/node/canary/commit', { commitment: 'ab'.repeat(32) })).toBe(
      'not_a_validator',
    );
    const event = { event_id: 'aa', vertex_hash: 'bb' };
    expect(canaryDraw(event, 0)).toBeUndefined();
    const drawn = Array.from({ length: 2000 }, (_, i) => canaryDraw({ ...event, event_id: String(i) }, 2500));
    const share = drawn.filter((d) => d !== undefined).length / 2000;
    expect(share).toBeGreaterThan(0.2);
    expect(share).toBeLessThan(0.3);
  });
});
