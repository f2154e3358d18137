// A node without a quorum that answers with true things out of place: old pages beside new ones, more signatures than there are
// seats, texts with the same bytes.

import { beforeAll, describe, expect, it } from 'vitest';
import { type ProofParts, Proofs } from '../../../host/proofs/proofs.ts';
import { eventsAt } from '../../../host/store/events.ts';
import { fromHex, toHex, utf8 } from '../../../host/wire/bytes.ts';
import { leafHash } from '../../../host/wire/document-proof.ts';
import { sha256 } from '../../../host/wire/hash.ts';
import { GENESIS, Giver, NET } from '../net/join-world.ts';
import { GiverSource } from './giver-source.ts';
import { nextCheckpoint, openProofs, type ProofBody, proofAnswer } from './proof-answer.ts';

let giver: Giver;
beforeAll(async () => {
  giver = await Giver.make(2, 1000);
});

describe('a list of which a page is old', () => {
  it('is as old as that page, whatever the last one is', async () => {
    const old = proofAnswer(giver, '/v1/proof/agents?limit=3');
    const { timeMs } = await (await openProofs(giver, () => old)).list('agents');
    await nextCheckpoint(giver);
    let asked = 0;
    const mixed = await openProofs(giver, (body) => (asked++ === 0 ? old : body));
    const whole = await mixed.whole('agents');
    expect(asked).toBeGreaterThan(1);
    expect(whole).toMatchObject({ height: old.checkpoint.height, timeMs });
    const now = await (await openProofs(giver)).whole('agents');
    expect(now.height).toBeGreaterThan(whole.height);
    // The other way round as well: an old page at the end.
    const rest = proofAnswer(giver, `/v1/proof/agents?after=${toHex(new Uint8Array(32).fill(0x7f))}`);
    await nextCheckpoint(giver);
    const answers = [undefined, rest];
    const half = (body: ProofBody): ProofBody => {
      const told = answers.shift();
      if (told) return told;
      const documents = body.documents.filter(({ key }) => key <= `61${'7f'.repeat(32)}`);
      return { ...body, documents, last: `61${'7f'.repeat(32)}`, is_end: false };
    };
    expect((await (await openProofs(giver, half)).whole('agents')).height).toBe(rest.checkpoint.height);
  });
});

describe('signatures', () => {
  /** Proofs with a count of the signatures that were verified. */
  async function counted(lie: (body: ProofBody) => ProofBody): Promise<{ proofs: Proofs; jobs(): number }> {
    let jobs = 0;
    const source = new GiverSource(giver);
    const verify: ProofParts['verify'] = (all) => {
      jobs += all.length;
      return new Uint8Array(all.length).fill(1);
    };
    const proofs = await Proofs.open({
      source: {
        genesis: () => source.genesis(),
        seals: (from) => source.seals(from),
        checkpoints: (after, limit) => source.checkpoints(after, limit),
        proof: async (path) => lie(proofAnswer(giver, path)),
      },
      verify,
      genesisHash: GENESIS.hashHex,
      pause: async () => {},
      limits: NET.limits,
    });
    return { proofs, jobs: () => jobs };
  }

  it('are not verified where there are more of them than seats', async () => {
    const many = (body: ProofBody): ProofBody => {
      const { signatures } = body.checkpoint;
      const copies = Array.from({ length: 5000 }, () => signatures[0]!);
      return { ...body, checkpoint: { ...body.checkpoint, signatures: copies } };
    };
    const { proofs, jobs } = await counted(many);
    await expect(proofs.list('agents')).rejects.toMatchObject({ kind: 'forged' });
    expect(jobs()).toBeLessThan(100);
  });
});

describe('a text that has the bytes of the one under the root, and is another', () => {
  it('is refused: half of a character in the place of the one that stands for it', async () => {
    await giver.write(giver.keyOf(240), '/v1/agents', { agent_id: 'odd', display_name: 'Od\ufffdd' });
    await nextCheckpoint(giver);
    const honest = await (await openProofs(giver)).item('agent', 'odd');
    expect(honest.documents[0]!.text).toContain('Od\ufffdd');
    const half = (body: ProofBody): ProofBody => {
      body.documents[0]!.text = body.documents[0]!.text.replace('\ufffd', '\ud800');
      return body;
    };
    const proofs = await openProofs(giver, half);
    await expect(proofs.item('agent', 'odd')).rejects.toMatchObject({ name: 'LogFault', kind: 'proof' });
  });
});

describe('what is left out', () => {
  /** The answer without the document of a key: where the tree has it, it shows a hash and no more. */
  const without = (body: ProofBody, key: string): ProofBody => {
    const { text } = body.documents.find((one) => one.key === key)!;
    const leaf = { key: fromHex(key)!, value: sha256(utf8(text)) };
    const shown = `01${toHex(Uint8Array.of(leaf.key.length))}${key}${toHex(leaf.value)}`;
    expect(body.proof.split(shown)).toHaveLength(2);
    const proof = body.proof.replace(shown, `00${toHex(leafHash(leaf))}`);
    return { ...body, proof, documents: body.documents.filter((one) => one.key !== key) };
  };

  it('of a list is found, though every other part of it leads to the root', async () => {
    const { documents } = proofAnswer(giver, '/v1/proof/agents');
    expect(documents.length).toBeGreaterThan(3);
    for (const { key } of [documents[0]!, documents[2]!, documents.at(-1)!]) {
      const proofs = await openProofs(giver, (body) => without(body, key));
      await expect(proofs.list('agents')).rejects.toMatchObject({ name: 'LogFault', kind: 'proof' });
    }
  });

  it('does not pass for a document that there is none of', async () => {
    const id = giver.keyOf(2).publicKeyHex;
    expect((await (await openProofs(giver)).item('agent', id)).documents).toHaveLength(1);
    const proofs = await openProofs(giver, (body) => without(body, `61${id}`));
    await expect(proofs.item('agent', id)).rejects.toMatchObject({ name: 'LogFault', kind: 'proof' });
  });

  it('is not asked for again and again: a page that does not end shows something', async () => {
    const proofs = await openProofs(giver, (body) => ({ ...body, documents: [], last: String(body.first) }));
    await expect(proofs.list('agents')).rejects.toMatchObject({ name: 'LogFault', kind: 'proof' });
  });

  it('a page of another range is none, behind it or before it', async () => {
    const id = giver.keyOf(2).publicKeyHex;
    const all = proofAnswer(giver, '/v1/proof/agents');
    const wide = await openProofs(giver, () => ({
      ...all,
      first: `61${id}`,
      documents: all.documents.filter(({ key }) => key >= `61${id}`),
    }));
    await expect(wide.item('agent', id)).rejects.toMatchObject({ name: 'LogFault', kind: 'proof' });
    const back = await openProofs(giver, (body) => ({
      ...body,
      documents: [],
      last: `61${'00'.repeat(32)}`,
    }));
    await expect(back.list('agents', id)).rejects.toMatchObject({ name: 'LogFault', kind: 'proof' });
  });
});

describe('numbers of events', () => {
  it.each(['3', '4294967298', '9007199254740991'])(
    'that one is not open is shown of no other number: %s',
    async (number) => {
      const of = (seq: string): ProofBody => proofAnswer(giver, `/v1/proof/event/${seq}`);
      const proofs = await openProofs(giver, () => of('2'));
      await expect(proofs.item('event', number)).rejects.toMatchObject({ kind: 'proof' });
      // Nor by a proof of the whole range that leaves the number out.
      const wide = await openProofs(giver, () => ({
        ...of('2'),
        first: of(number).first,
        last: of(number).last,
      }));
      const [open] = (await (await openProofs(giver)).list('open_events')).documents;
      const absent = await wide.item('event', number);
      expect(absent.documents).toEqual([]);
      const { seq } = JSON.parse(open!.text) as { seq: number };
      await expect(
        (
          await openProofs(giver, () => ({ ...of('2'), first: of(`${seq}`).first, last: of(`${seq}`).last }))
        ).item('event', `${seq}`),
      ).rejects.toMatchObject({ kind: 'proof' });
    },
  );

  it('of an id are those of a key of an event, whatever the node says', async () => {
    const id = eventsAt(giver.parts.store, [2])[0]!.event_id;
    for (const first of [
      '',
      '65',
      `65${'ff'.repeat(8)}`,
      `65${'00'.repeat(9)}`,
      `61${'00'.repeat(8)}`,
      7,
      null,
      ['65'],
    ])
      await expect(
        (await openProofs(giver, () => ({ ...proofAnswer(giver, '/v1/proof/event/2'), first }))).item(
          'event',
          id,
        ),
      ).rejects.toMatchObject({ name: 'LogFault' });
  });
});
