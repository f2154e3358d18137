// Proofs of documents over a network with several epochs: what an honest node shows is proven, whatever happened since the
// checkpoint; a node that lies in a document, a path, a root or a signature is named.

import { beforeAll, describe, expect, it } from 'vitest';
import { type Proofs, partsOf } from '../../../host/audit/index.ts';
import { type ReadProof, readProofAnswer } from '../../../host/proofs/proof-reader.ts';
import { readRowProof } from '../../../host/proofs/row-proof.ts';
import { eventsAt } from '../../../host/store/events.ts';
import { fromHex, fromUtf8, toHex } from '../../../host/wire/bytes.ts';
import { LogFault } from '../../../host/wire/log-fault.ts';
import { type ProofItem, rangeOfItem, rangeOfList } from '../../../host/wire/proof-kinds.ts';
import { Giver } from '../net/join-world.ts';
import { SEAT_KEY } from '../one-node/harness.ts';
import type { Lies } from './giver-source.ts';
import { type ProofBody as Body, type Lie, nextCheckpoint, openProofs, proofAnswer } from './proof-answer.ts';

let giver: Giver;
beforeAll(async () => {
  // A snapshot moves the tree of the core on: rows are proven again from the next checkpoint on.
  giver = await Giver.make(2, 1000);
});

const answerTo = (path: string): Body => proofAnswer(giver, path);

const open = (lie?: Lie, lies?: Lies): Promise<Proofs> => openProofs(giver, lie, lies);

/** Ids of the tasks: the first completed, the second open. */
async function tasks(proofs: Proofs): Promise<[string, string]> {
  const { documents } = await proofs.list('open_tasks');
  const openTask = documents[0]!.key.slice(2);
  const other = [...giver.ids].find((id) => id !== openTask)!;
  return [other, openTask];
}

describe('an honest node', () => {
  it('proves agents, tasks with all their parts, results, listings and open events', async () => {
    const proofs = await open();
    const [done, waiting] = await tasks(proofs);
    const whole = await proofs.item('task', done);
    expect(partsOf('task', whole)).toMatchObject({
      text: { title: 'Harbour traffic' },
      state: { core: { budget: 10_000_000 } },
      submission: { result_hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    expect(partsOf('task', await proofs.item('task', waiting))).toMatchObject({
      text: { title: 'Lighthouse log' },
      state: { core: { status: 'open' } },
    });
    expect(partsOf('result', await proofs.item('result', done))).toEqual({
      content: 'Vessels of May: 212, all counted.',
    });
    const seat = SEAT_KEY.publicKeyHex;
    expect(partsOf('agent', await proofs.item('agent', seat))).toMatchObject({ id: seat });
    const { documents: events } = await proofs.list('open_events');
    expect(events.map(({ text }) => JSON.parse(text))).toEqual([
      expect.objectContaining({ event_type: 'transfer', amount: 1_000_000, memo: 'for May' }),
    ]);
    const { documents: listings } = await proofs.list('listings');
    expect(listings.map(({ text }) => JSON.parse(text).name)).toEqual(['Vessel counter']);
    // The root is that of a checkpoint of a later epoch, whose seats were followed from genesis.
    expect(whole.height).toBe(giver.parts.totals.checkpoints);
    expect(giver.parts.ordering.epoch.number).toBeGreaterThan(1);
  });

  it('proves that there is none', async () => {
    const proofs = await open();
    for (const [kind, id] of [
      ['task', 'ab'.repeat(16)],
      ['result', 'ab'.repeat(16)],
      ['event', '1'],
      ['agent', 'nobody'],
      ['listing', SEAT_KEY.publicKeyHex],
    ] as [ProofItem, string][]) {
      const proven = await proofs.item(kind, id);
      expect([kind, proven.documents, partsOf(kind, proven)]).toEqual([kind, [], undefined]);
    }
    await expect(proofs.item('task', 'abc')).rejects.toThrow('no id');
    for (const id of ['', '01', '-1', '1.5', '9007199254740992', 'ab'.repeat(31)])
      await expect(proofs.item('event', id)).rejects.toThrow('no id');
  });

  it('proves an open event by its number and by its id, and of an id that is not open only its number', async () => {
    const proofs = await open();
    const { documents } = await proofs.list('open_events');
    const event = JSON.parse(documents[0]!.text) as { event_id: string; seq: number };
    const byNumber = await proofs.item('event', `${event.seq}`);
    expect(partsOf('event', byNumber)).toEqual(event);
    expect(await proofs.item('event', event.event_id.toUpperCase())).toEqual(byNumber);
    const closed = eventsAt(giver.parts.store, [2])[0]!;
    expect(await proofs.item('event', closed.event_id)).toMatchObject({ documents: [], seq: 2 });
    expect((await proofs.item('event', '2')).seq).toBeUndefined();
    await expect(proofs.item('event', 'ab'.repeat(32))).rejects.toThrow('no event has this id');
  });

  it('proves lists page by page: all agents, none twice', async () => {
    const proofs = await open();
    const all = (await proofs.list('agents')).documents;
    expect(all.length).toBeGreaterThan(20);
    const paged = [];
    let after: string | undefined = '';
    while (after !== undefined) {
      const page = await proofs.list('agents', after, 7);
      expect(page.documents.length).toBeLessThanOrEqual(7);
      paged.push(...page.documents);
      after = page.next;
    }
    expect(paged).toEqual(all);
    // Behind all ids that begin with a byte.
    const byte = all[5]!.key.slice(2, 4);
    const rest = (await proofs.list('agents', byte)).documents;
    expect(rest).toEqual(all.filter(({ key }) => key.slice(2, 4) > byte));
    await expect(proofs.list('agents', 'abc')).rejects.toThrow('no id');
  });

  it('proves what a document was at the checkpoint although it changed since', async () => {
    const proofs = await open();
    const [, waiting] = await tasks(proofs);
    const before = await proofs.item('task', waiting);
    const { checkpoints } = giver.parts.totals;
    await giver.write(SEAT_KEY, `/v1/tasks/${waiting}/claim`, {});
    const status = () => JSON.parse(fromUtf8(giver.parts.store.get(giver.stateRow(waiting))!)).core.status;
    if (giver.parts.totals.checkpoints === checkpoints) {
      expect(await proofs.item('task', waiting)).toEqual(before);
      expect((await proofs.list('open_tasks')).documents.length).toBe(1);
    }
    for (let n = 0; giver.parts.totals.checkpoints === checkpoints; n++)
      await giver.write(giver.keyOf(210 + n), '/v1/agents', {});
    const after = partsOf('task', await proofs.item('task', waiting));
    expect(after).toMatchObject({ state: { core: { status: status() } } });
    expect(status()).toBe('claimed');
    expect((await proofs.list('open_tasks')).documents).toEqual([]);
  });

  /** The accounts of all agents, as the core has them now. */
  const accounts = () => {
    const { state } = giver.parts.ids;
    return Array.from({ length: state.header().agents }, (_, index) => {
      const { key, publicKey, balance, staked, reserved, completed, failed, firstSeen, lastActive } =
        state.agent(index)!;
      const ofKey = publicKey ? { public_key: toHex(publicKey) } : {};
      const times = { first_seen: firstSeen, last_active: lastActive };
      const counts = { tasks_completed: completed, tasks_failed: failed };
      return [
        toHex(key),
        { ...ofKey, balance, staked_amount: staked, reserved, ...counts, ...times },
      ] as const;
    });
  };

  it('proves the account of each agent from its row in the core, as it was at the checkpoint', async () => {
    await nextCheckpoint(giver);
    const wanted = accounts();
    expect(wanted.length).toBeGreaterThan(20);
    expect(new Set(wanted.map(([, { balance }]) => balance)).size).toBeGreaterThan(2);
    const to_agent = giver.keyOf(2).publicKeyHex;
    for (let n = 0; n < 3; n++) {
      const proofs = await open();
      for (const [key, account] of wanted)
        expect((await proofs.item('agent', key)).rows?.account, key).toEqual(account);
      await giver.write(SEAT_KEY, '/v1/transfer', { to_agent, amount: 1000 + n });
    }
    expect(accounts()).not.toEqual(wanted);
    await nextCheckpoint(giver);
    const [[key, account]] = accounts() as [(typeof wanted)[number]];
    expect((await (await open()).item('agent', key)).rows?.account).toEqual(account);
    // Also when the rows are from before a restart; the tree of the core is then that of the last snapshot.
    await giver.crash();
    await nextCheckpoint(giver);
    const now = accounts();
    const again = await open();
    for (const [name, one] of now) expect((await again.item('agent', name)).rows?.account, name).toEqual(one);
  });
});

describe('a node that lies is named', () => {
  it.each([
    ['an event', '/v1/proof/open_events'],
    ['an agent', '/v1/proof/agents?limit=1'],
  ])('in which event it shows for an id: %s', async (_, path) => {
    const shown = answerTo(path);
    const key = shown.documents[0]!.key;
    const proofs = await open(() => ({ ...answerTo(path), first: key, last: key, is_end: true }));
    const { event_id } = eventsAt(giver.parts.store, [2])[0]!;
    await expect(proofs.item('event', event_id)).rejects.toThrow(LogFault);
  });

  it('in showing an open event for the id of another', async () => {
    const [open_event] = answerTo('/v1/proof/open_events').documents;
    const { seq } = JSON.parse(open_event!.text) as { seq: number };
    const proofs = await open(() => answerTo(`/v1/proof/event/${seq}`));
    const { event_id } = eventsAt(giver.parts.store, [2])[0]!;
    await expect(proofs.item('event', event_id)).rejects.toThrow('the node shows another event');
  });

  const flip = (hex: string, at: number): string =>
    hex.slice(0, at) + (hex[at] === '0' ? '1' : '0') + hex.slice(at + 1);
  const inDocument: Lie = (body) => {
    body.documents[0]!.text = body.documents[0]!.text.replace(/"id":"./, '"id":"x');
    return body;
  };
  it.each([
    ['a document', 'proof', inDocument],
    ['a document left out', 'proof', (b) => ({ ...b, documents: b.documents.slice(1) })],
    ['a document too many', 'proof', (b) => ({ ...b, documents: [...b.documents, b.documents[0]!] })],
    ['the path', 'proof', (b) => ({ ...b, proof: flip(b.proof, b.proof.length - 9) })],
    ['the root of the core', 'proof', (b) => ({ ...b, core_root: flip(String(b.core_root), 5) })],
    ['the range', 'proof', (b) => ({ ...b, last: b.first })],
    [
      'a proof of another document',
      'proof',
      () => answerTo(`/v1/proof/agents?limit=1&after=${'11'.repeat(32)}`),
    ],
    [
      'the signed statement',
      'forged',
      (b) => ({ ...b, checkpoint: { ...b.checkpoint, statement: flip(b.checkpoint.statement, 33) } }),
    ],
    [
      'a signature',
      'forged',
      (b) => {
        const [one] = b.checkpoint.signatures;
        const signatures = [{ ...one!, signature: flip(one!.signature, 7) }];
        return { ...b, checkpoint: { ...b.checkpoint, signatures } };
      },
    ],
    ['no object', 'answer', () => null as never],
    ['no proof', 'answer', (b) => ({ ...b, proof: 7 as never })],
    ['no checkpoint', 'answer', (b) => ({ ...b, checkpoint: null as never })],
    [
      'signatures that are no list',
      'answer',
      (b) => ({ ...b, checkpoint: { ...b.checkpoint, signatures: {} as never } }),
    ],
  ] as [string, string, Lie][])('%s', async (_, kind, lie) => {
    const proofs = await open(lie);
    await expect(proofs.list('agents')).rejects.toMatchObject({ name: 'LogFault', kind });
  });

  describe('in an account', () => {
    const seat = SEAT_KEY.publicKeyHex;
    const leaves = (body: Body): string[] => body.state as string[];
    const withLeaf = (body: Body, at: number, alter: (leaf: string) => string): Body => ({
      ...body,
      state: leaves(body).map((leaf, i) => (i === at ? alter(leaf) : leaf)),
    });
    it.each([
      ['a byte of the row', 'proof', (b) => withLeaf(b, 2, (leaf) => flip(leaf, 8 + 2 * 165))],
      ['a byte of the way', 'proof', (b) => withLeaf(b, 2, (leaf) => flip(leaf, leaf.length - 3))],
      ['the capacities', 'proof', (b) => withLeaf(b, 0, (leaf) => flip(leaf, 8 + 2 * 10))],
      ['the row of another', 'proof', (b) => ({ ...b, agent_row: Number(b.agent_row) + 1 })],
      ['a row that is not there', 'proof', (b) => ({ ...b, agent_row: 1_000_000 })],
      ['another leaf', 'proof', (b) => withLeaf(b, 2, () => leaves(b)[1]!)],
      ['another place of the leaf', 'proof', (b) => withLeaf(b, 2, (leaf) => flip(leaf, 0))],
      ['no row', 'answer', (b) => ({ ...b, agent_row: undefined })],
      ['half of a row', 'answer', (b) => ({ ...b, agent_row: 0.5 })],
      ['leaves too few', 'proof', (b) => ({ ...b, state: leaves(b).slice(1) })],
      ['no leaves', 'answer', (b) => ({ ...b, state: 7 })],
      ['a leaf that is too long', 'answer', (b) => withLeaf(b, 1, (leaf) => `${leaf}00`)],
      ['a leaf that is no text', 'answer', (b) => withLeaf(b, 1, () => 7 as never)],
    ] as [string, string, Lie][])('%s', async (_, kind, lie) => {
      const proofs = await open(lie);
      await expect(proofs.item('agent', seat)).rejects.toMatchObject({ name: 'LogFault', kind });
    });

    it('that is left out is not proven, and nothing else is said of it', async () => {
      const { documents, rows } = await (await open((b) => ({ ...b, state: undefined }))).item('agent', seat);
      expect([documents.length, rows]).toEqual([1, undefined]);
    });
  });

  it('signatures that no quorum gave, and another checkpoint of that height', async () => {
    const unsigned: Lie = (b) => ({ ...b, checkpoint: { ...b.checkpoint, signatures: [] } });
    // The signatures are then asked for: an honest list has them.
    expect((await (await open(unsigned)).list('agents')).documents.length).toBeGreaterThan(20);
    const none = await open(unsigned, { checkpoint: (c) => ({ ...c, signatures: [] }) });
    await expect(none.list('agents')).rejects.toMatchObject({ kind: 'weight' });
    const other = await open(unsigned, { checkpoint: (c) => ({ ...c, statement: flip(c.statement, 40) }) });
    await expect(other.list('agents')).rejects.toMatchObject({ kind: 'proof' });
  });

  it('in 10,000 altered answers, none of which proves anything else', async () => {
    const ranges = [
      ['/v1/proof/agents?limit=3', rangeOfList('agents', '')!],
      [`/v1/proof/agent/${SEAT_KEY.publicKeyHex}`, rangeOfItem('agent', SEAT_KEY.publicKeyHex)!],
      ['/v1/proof/open_events', rangeOfList('open_events', '')!],
    ] as const;
    const key = fromHex(SEAT_KEY.publicKeyHex)!;
    const accountIn = (body: unknown, { coreRoot }: ReadProof) =>
      readRowProof(body as Record<string, unknown>, 'agent', key, coreRoot);
    const goods = ranges.map(([path]) => JSON.stringify(answerTo(path)));
    let state = 7;
    const chance = (max: number): number => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
      return (state >> 8) % max;
    };
    let refused = 0;
    const restated: Body[] = [];
    for (let n = 0; n < 10_000; n++) {
      const [, range] = ranges[n % 3]!;
      const good = goods[n % 3]!;
      const at = chance(good.length);
      const bad = good.slice(0, at) + 'abcdef0123456789{}[]",:'[chance(23)] + good.slice(at + chance(3));
      let body: unknown;
      try {
        body = JSON.parse(bad);
      } catch {
        continue;
      }
      const wanted = readProofAnswer(JSON.parse(good), range);
      try {
        const read = readProofAnswer(body, range);
        // Another statement has other signatures, or none.
        if (toHex(read.bytes) !== toHex(wanted.bytes)) restated.push(body as Body);
        else expect(read.documents).toEqual(wanted.documents);
        const account = accountIn(body, read);
        if (account) expect(account).toEqual(accountIn(JSON.parse(good), wanted));
      } catch (error) {
        expect(error).toMatchObject({ name: 'LogFault' });
        refused += 1;
      }
    }
    expect(refused).toBeGreaterThan(3000);
    expect(restated.length).toBeGreaterThan(20);
    for (const body of restated.slice(0, 20)) {
      const [first, last] = [String(body.first), String(body.last)];
      const proofs = await open(() => body);
      const asked =
        first === last
          ? proofs.item('agent', SEAT_KEY.publicKeyHex)
          : proofs.list(first.startsWith('65') ? 'open_events' : 'agents');
      await expect(asked).rejects.toMatchObject({ name: 'LogFault' });
    }
  });
});
it('a proof of one agent among twenty is short', () => {
  const { proof } = answerTo(`/v1/proof/agent/${SEAT_KEY.publicKeyHex}`);
  expect(fromHex(proof)!.length).toBeLessThan(1500);
});
