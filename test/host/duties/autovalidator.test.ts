// The autovalidator on a whole node: which verdicts it gives, and which events it leaves alone.

import { describe, expect, it } from 'vitest';
import type { KeyPair } from '../../../host/crypto/key-pair.ts';
import { Autovalidator } from '../../../host/duties/autovalidator.ts';
import { ServiceError } from '../../../host/errors.ts';
import type { Submission } from '../../../host/sequencer/sequencer.ts';
import { MemoryStore } from '../../../host/store/memory-store.ts';
import { openParts, type Parts, SEAT_KEY, send, settle } from '../one-node/harness.ts';
import { act, GOOD, OTHER, POSTER, post, TOKEN, task, WORKER, withAgents } from '../one-node/task-life.ts';

let nonce = 0;

function validator(
  p: Parts,
  submit?: (s: Submission) => Promise<unknown>,
  key: KeyPair = SEAT_KEY,
): Autovalidator {
  return new Autovalidator({
    store: p.store,
    ids: p.ids,
    pending: p.pending,
    key,
    chainId: 'vws-testnet-1',
    clock: p.clock,
    randomBytes: () => Uint8Array.from({ length: 16 }, (_, i) => (i === 0 ? ++nonce : i)),
    log: { info() {}, warn() {} },
    submit: submit ?? ((s) => p.sequencer.submit(s)),
  });
}

const votes = (p: Parts) =>
  p.events
    .filter((e) => e.event_type === 'verification')
    .map((e) => [e.agent_id, e.payload.target_event_id, e.payload.verdict]);

/** A pending transfer of the poster; its event id. */
async function transfer(p: Parts): Promise<string> {
  await send(p, POSTER, '/v1/stake', { amount: 1000 * TOKEN });
  await send(p, POSTER, '/v1/transfer', { to_agent: WORKER.publicKeyHex, amount: TOKEN });
  return p.events.findLast((e) => e.event_type === 'transfer')!.event_id;
}

async function disputed(p: Parts, result: Record<string, unknown>): Promise<{ id: string; event: string }> {
  const id = await post(p);
  await act(p, WORKER, id, 'claim');
  await act(p, WORKER, id, 'submit', result);
  await act(p, POSTER, id, 'dispute');
  return { id, event: String(task(p, id).dispute_event_id) };
}

describe('the own validator', () => {
  it('approves transfers, once, by an ordinary signed write', async () => {
    const p = await withAgents();
    const auto = validator(p);
    const event = await transfer(p);
    auto.start();
    await settle();
    auto.onExecuted(p.events);
    await settle();
    expect(votes(p)).toEqual([[SEAT_KEY.publicKeyHex, event, true]]);
    expect(p.events.findLast((e) => e.event_type === 'verification')!.auth).toBe('tx_v1');
    expect(p.pending.size).toBe(0);
  });

  it('abstains from disputes and submissions: form is no judgement', async () => {
    const p = await withAgents();
    const auto = validator(p);
    const { id } = await disputed(p, GOOD);
    auto.onExecuted(p.events);
    auto.start();
    await settle();
    expect(votes(p)).toEqual([]);
    expect(task(p, id).status).toBe('disputed');
  });

  it('never votes on generations, nor where its operator is a party', async () => {
    const p = await withAgents();
    await send(p, POSTER, '/v1/generation', { claimed_value: 5, evidence_hash: 'h' });
    await send(p, POSTER, '/v1/stake', { amount: 1000 * TOKEN });
    await send(p, POSTER, '/v1/transfer', { to_agent: SEAT_KEY.publicKeyHex, amount: TOKEN });
    const sent: Submission[] = [];
    const auto = validator(p, async (s) => sent.push(s));
    auto.start();
    auto.onExecuted(p.events);
    await settle();
    expect(sent).toEqual([]);
    expect(p.pending.size).toBe(2);
  });

  it('votes in probation on what others decided first, if it was drawn for it', async () => {
    const p = await withAgents();
    await send(p, OTHER, '/v1/stake', { amount: 30_000 * TOKEN });
    await send(p, OTHER, '/v1/validators', {});
    const seat = validator(p);
    const event = await transfer(p);
    seat.onExecuted(p.events);
    await settle();
    expect(p.pending.size).toBe(0);
    const applicant = validator(p, undefined, OTHER);
    applicant.onExecuted(p.events);
    await settle();
    expect(votes(p)).toEqual([
      [SEAT_KEY.publicKeyHex, event, true],
      [OTHER.publicKeyHex, event, true],
    ]);
    const index = p.ids.find(OTHER.publicKey)!.validator!;
    expect(p.ids.state.validator(index)).toMatchObject({ tasksProcessed: 1, votesRight: 1 });
    // It is said once more after a restart, and refused.
    validator(p, undefined, OTHER).onExecuted(p.events);
    await settle();
    expect(votes(p)).toHaveLength(2);
  });

  it('gives no verdict for a key that operates no validator', async () => {
    const p = await withAgents();
    await transfer(p);
    const sent: Submission[] = [];
    validator(p, async (s) => sent.push(s), OTHER).start();
    await settle();
    expect(sent).toEqual([]);
  });

  it('continues with open events after a restart, and gives no verdict twice', async () => {
    const store = new MemoryStore();
    const p = await withAgents({ store });
    const event = await transfer(p);
    const again = await openParts({ store, clock: p.clock });
    const auto = validator(again);
    auto.start();
    auto.start();
    await settle();
    expect(votes(again).map(([, id]) => id)).toEqual([event]);
  });

  it('retries what was refused as overloaded, and drops what was refused permanently', async () => {
    const p = await withAgents();
    const event = await transfer(p);
    let attempts = 0;
    const auto = validator(p, (s) => {
      attempts += 1;
      if (attempts === 1) throw new ServiceError('overloaded');
      return p.sequencer.submit(s);
    });
    auto.start();
    await settle();
    expect([attempts, votes(p)]).toEqual([1, []]);
    await p.clock.advance(1500);
    expect(attempts).toBe(2);
    expect(votes(p).map(([, id]) => id)).toEqual([event]);
    const stopped = validator(p, () => {
      attempts += 1;
      throw new ServiceError('no_quorum');
    });
    await transfer(p);
    stopped.start();
    await settle();
    expect(attempts).toBe(3);
    stopped.stop();
    await p.clock.advance(5000);
    expect(attempts).toBe(3);
  });
});
