// Whose key a result is sealed to, told by a node that lies: real proofs of a network in one process, altered on their way.

import { beforeAll, describe, expect, it } from 'vitest';
import { openResult, signerFromSeed } from '../../../host/client/index.ts';
import { type Sealing, submissionOf } from '../../../host/client/sealed-task.ts';
import { VwsError } from '../../../host/client/vws-error.ts';
import type { KeyPair } from '../../../host/crypto/key-pair.ts';
import { toHex } from '../../../host/wire/bytes.ts';
import { taskId } from '../../../host/wire/ids.ts';
import { type Lie, nextCheckpoint, openProofs } from '../audit/proof-answer.ts';
import { Giver } from '../net/join-world.ts';

const TEXT = 'Vessels of May: 212.';
const worker = signerFromSeed(new Uint8Array(32).fill(7));
const liar = signerFromSeed(new Uint8Array(32).fill(9));

/** A task whose poster has a name; the network has no such task. */
const OF_NAMED = 'c0ffee00c0ffee00c0ffee00c0ffee00';

let giver: Giver;
let named: KeyPair;
let plain: KeyPair;
/** Tasks of the poster without a name: under a signed checkpoint, and newer than the newest. */
let ofPlain: string;
let ofOpen: string;
let young: string;

beforeAll(async () => {
  giver = await Giver.make(2, 1000);
  [named, plain] = [giver.keyOf(231), giver.keyOf(1)];
  await giver.write(named, '/v1/agents', { agent_id: 'harbour' });
  const task = { title: 't', budget: 1_000_000, delivery_method: 'encrypted' };
  ofPlain = taskId(await giver.write(plain, '/v1/tasks', task));
  ofOpen = taskId(await giver.write(plain, '/v1/tasks', { title: 't', budget: 1_000_000 }));
  await nextCheckpoint(giver);
  young = taskId(await giver.write(plain, '/v1/tasks', task));
});

function sealing(lie?: Lie): { sealing: Sealing; asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    sealing: {
      openingKey: () => worker.open!(),
      async verifyProof(kind, id, { genesisHash } = {}) {
        asked.push(`${kind} ${id}${genesisHash ? ' pinned' : ''}`);
        return await (await openProofs(giver, lie)).item(kind, id);
      },
    },
  };
}

/** Who reads what is sealed for the poster that the node names. */
async function readers(
  id: string,
  poster_id: string,
  trust: object = {},
  lie?: Lie,
  delivery_method = 'encrypted',
) {
  const from = sealing(lie);
  const task = { id, poster_id, delivery_method };
  const { result_content: box } = await submissionOf(from.sealing, task, { result_content: TEXT }, trust);
  const opens = async (key: { open?(): Promise<never> } | KeyPair) => {
    try {
      openResult('open' in key ? await key.open!() : (key as KeyPair), id, box!);
      return true;
    } catch {
      return false;
    }
  };
  return {
    poster: [await opens(named), await opens(plain)],
    liar: await opens(liar as never),
    asked: from.asked,
  };
}
const refusal = async (...args: Parameters<typeof readers>): Promise<string> => {
  const error = await readers(...args).then(
    () => undefined,
    (cause) => cause,
  );
  expect(error).toBeInstanceOf(VwsError);
  expect(error.code).toBe('poster_unproven');
  return error.message;
};
const PIN = { genesisHash: 'ab'.repeat(32) };

describe('the key of a poster', () => {
  it('is its id, where that is a key: the node is asked for nothing', async () => {
    expect(await readers(ofPlain, plain.publicKeyHex)).toEqual({
      poster: [false, true],
      liar: false,
      asked: [],
    });
  });

  it('is proven, where the poster has a name', async () => {
    expect(await readers(OF_NAMED, 'harbour')).toEqual({
      poster: [true, false],
      liar: false,
      asked: ['agent harbour'],
    });
  });

  it('is the one that the caller gives, from elsewhere', async () => {
    const given = { posterKey: named.publicKey };
    expect(await readers(OF_NAMED, 'harbour', given)).toEqual({
      poster: [true, false],
      liar: false,
      asked: [],
    });
  });

  it('is not sealed to when the node shows another key in the leaves of its proof', async () => {
    const [own, other] = [toHex(named.publicKey), liar.publicKeyHex];
    let altered = 0;
    const lie: Lie = (body) => {
      const text = JSON.stringify(body);
      altered += text.split(own).length - 1;
      return JSON.parse(text.replaceAll(own, other));
    };
    expect(await refusal(OF_NAMED, 'harbour', {}, lie)).toMatch(/nothing was sealed: .* is a lie/);
    expect(altered).toBeGreaterThan(0);
  });

  it('is not sealed to before a signed checkpoint has the poster', async () => {
    expect(await refusal(OF_NAMED, 'nobody')).toMatch(
      /no signed checkpoint shows a key of the poster nobody yet/,
    );
  });

  it('is not sealed to when the node names another poster, and the network is pinned', async () => {
    expect(await readers(ofPlain, plain.publicKeyHex, PIN)).toEqual({
      poster: [false, true],
      liar: false,
      asked: [`task ${ofPlain} pinned`],
    });
    for (const name of [liar.publicKeyHex, 'harbour'])
      expect(await refusal(ofPlain, name, PIN)).toContain(
        `names ${name} as the poster, who is ${plain.publicKeyHex}`,
      );
    expect(await refusal(young, plain.publicKeyHex, PIN)).toMatch(/no signed checkpoint has task/);
  });

  it('is needed even where the node says that the result is public, and the network is pinned', async () => {
    const shown = (trust: object) => readers(ofPlain, plain.publicKeyHex, trust, undefined, 'public');
    await expect(shown(PIN)).rejects.toMatchObject({
      code: 'poster_unproven',
      message: expect.stringContaining('nothing was sent: the node says that the result is public'),
    });
    await expect(shown({ ...PIN, posterKey: plain.publicKey })).rejects.toMatchObject({
      code: 'poster_unproven',
    });
    await expect(shown({ posterKey: plain.publicKey })).rejects.toMatchObject({ code: 'bad_call' });
  });

  it('is not asked for where the task is proven to want its result public', async () => {
    const from = sealing();
    const task = { id: ofOpen, poster_id: plain.publicKeyHex, delivery_method: 'public' };
    const body = { result_content: TEXT };
    expect(await submissionOf(from.sealing, task, body, PIN)).toBe(body);
    expect(from.asked).toEqual([`task ${ofOpen} pinned`]);
  });
});
