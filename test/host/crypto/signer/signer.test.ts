// What a signer signs: never two vertices of one number, whatever is asked, by whom, and whenever it is killed.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keyPairFromSeed } from '../../../../host/crypto/key-pair.ts';
import { type Ask, heldKeyPair } from '../../../../host/crypto/signer/held-key.ts';
import {
  decodeAnswer,
  encodeAnswer,
  encodeQuestion,
  encodeWho,
  type Question,
} from '../../../../host/crypto/signer/messages.ts';
import { Signer } from '../../../../host/crypto/signer/signer.ts';
import { VertexBook } from '../../../../host/crypto/signer/vertex-book.ts';
import { toHex } from '../../../../host/wire/bytes.ts';
import { firstSeqOf } from '../../../../host/wire/seq.ts';
import { makeVertex, vertexId, vertexSigningBytes } from '../../../../host/wire/vertex.ts';
import { systemFiles } from '../../../../host/world/system/files.ts';
import { curveProduct } from '../../../../host/world/system/link-curve.ts';
import { TokenError } from '../../../../host/world/token.ts';
import { scratch } from '../../cli/harness.ts';

const KEY = keyPairFromSeed(new Uint8Array(32).fill(7));
const epochId = (epoch: number, network = 0): Uint8Array =>
  new Uint8Array(32).fill(epoch + 1).fill(network, 31);

/** A header; `branch` makes it another vertex of the same number. */
function headerOf(epoch: number, seq: number, branch = 0, network = 0): Uint8Array {
  const parents = seq % 2 ** 20 === 1 ? [] : [new Uint8Array(32).fill(9)];
  const fields = { work: false, creator: 1, seq, lamport: parents.length + 1, timeMs: 1000 + branch };
  return makeVertex({ ...fields, epochId: epochId(epoch, network), parents }, [], () => new Uint8Array(64))
    .headerBytes;
}

const book = (path: string): VertexBook => VertexBook.open(systemFiles, path, KEY.publicKeyHex);

function signerOf(vertices: VertexBook, refusals: string[] = []): Signer {
  return new Signer({
    key: KEY,
    secrets: {
      product: (point) => curveProduct(point, KEY.linkKey()),
      sharedSecret: (key) => KEY.sharedSecret(key),
    },
    book: vertices,
    isUnused: () => false,
    onFirstVertex() {},
    onRefused: (why) => refusals.push(why),
  });
}
const asked = async (signer: Signer, question: Question): Promise<Uint8Array | string> =>
  decodeAnswer(await signer.answer(encodeQuestion(question)));

async function fresh(): Promise<{ path: string; signer: Signer; refusals: string[] }> {
  const path = join(scratch(), 'book.json');
  const refusals: string[] = [];
  return {
    path,
    signer: signerOf(await VertexBook.begin(systemFiles, path, KEY.publicKeyHex), refusals),
    refusals,
  };
}

describe('a signer', () => {
  it('signs what the key would sign, and the same vertex again', async () => {
    const { signer } = await fresh();
    const header = headerOf(0, 1);
    const signature = KEY.sign(vertexSigningBytes(vertexId(header)));
    expect(KEY.signVertex(header, 0)).toEqual(signature);
    for (let i = 0; i < 2; i++)
      expect(await asked(signer, { what: 'vertex', epoch: 0, header })).toEqual(signature);
    const message = new TextEncoder().encode('hello');
    expect(await asked(signer, { what: 'sign', message })).toEqual(KEY.sign(message));
    const other = keyPairFromSeed(new Uint8Array(32).fill(8)).publicKey;
    expect(await asked(signer, { what: 'shared', key: other })).toEqual(KEY.sharedSecret(other));
  });

  it('refuses a second vertex of a number, a lower number, and an epoch that is over', async () => {
    const { signer, refusals } = await fresh();
    const sign = (epoch: number, seq: number, branch = 0, network = 0) =>
      asked(signer, { what: 'vertex', epoch, header: headerOf(epoch, seq, branch, network) });
    await sign(3, 1);
    await sign(3, 2);
    expect(await sign(3, 2, 1)).toMatch(/vertex 2 of epoch 3 is signed, and another one with seq 2/);
    expect(await sign(3, 1, 1)).toMatch(/is signed/);
    await sign(3, firstSeqOf(4));
    expect(await sign(3, 3)).toMatch(/vertex 1 of incarnation 4 of epoch 3 is signed/);
    await sign(4, 1);
    expect(await sign(2, 1)).toMatch(/epoch 2 is over/);
    // Another chain of epochs: a network that was founded again, or a lie.
    expect(await sign(4, 2, 0, 5)).toMatch(/epoch 4 is over/);
    expect(refusals).toHaveLength(5);
    // The number that the node says does not help it: what was signed is known by the id of the epoch.
    const lie = await asked(signer, { what: 'vertex', epoch: 99, header: headerOf(3, 2, 7) });
    expect(lie).toMatch(/is signed/);
  });

  it('signs no vertex as a message', async () => {
    const { signer } = await fresh();
    const message = vertexSigningBytes(vertexId(headerOf(0, 1)));
    expect(await asked(signer, { what: 'sign', message })).toBe('a vertex is signed by its header');
  });

  it('knows after a restart what it signed, and refuses a book that is torn, altered or of another key', async () => {
    const { signer, path } = await fresh();
    await asked(signer, { what: 'vertex', epoch: 0, header: headerOf(0, 5) });
    const again = signerOf(book(path));
    expect(book(path).newest).toMatchObject({ epoch: 0, seq: 5, id: toHex(vertexId(headerOf(0, 5))) });
    expect(await asked(again, { what: 'vertex', epoch: 0, header: headerOf(0, 5, 1) })).toMatch(/is signed/);
    const text = readFileSync(path, 'utf8');
    for (const bad of [text.slice(0, -3), text.replace('"seq":5', '"seq":4'), '', '{}']) {
      writeFileSync(path, bad);
      expect(() => book(path)).toThrow(/torn, altered, or of another key/);
    }
    writeFileSync(path, text);
    expect(() => VertexBook.open(systemFiles, path, 'ff'.repeat(32))).toThrow(/of another key/);
  });

  it('signs nothing that is not on disk', async () => {
    const path = join(scratch(), 'book.json');
    await VertexBook.begin(systemFiles, path, KEY.publicKeyHex);
    const full = {
      ...systemFiles,
      replace: async () => {
        throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      },
    };
    const signer = signerOf(VertexBook.open(full, path, KEY.publicKeyHex));
    expect(await asked(signer, { what: 'vertex', epoch: 0, header: headerOf(0, 1) })).toBe(
      'no space left on device',
    );
    expect(book(path).newest).toBeUndefined();
  });

  it('never signs two vertices of a number, in any order of questions of two nodes and of kills', async () => {
    const step = fc.record({
      epoch: fc.integer({ min: 0, max: 3 }),
      said: fc.integer({ min: 0, max: 5 }),
      seq: fc.integer({ min: 1, max: 4 }),
      branch: fc.integer({ min: 0, max: 1 }),
      /** `killed`: the file was written, the answer was not sent. */
      fate: fc.constantFrom('answered', 'answered', 'killed', 'restarted'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        let text = '';
        const disk = {
          ...systemFiles,
          exists: () => text !== '',
          readText: () => text,
          replace: async (_: string, next: string) => {
            text = next;
          },
        };
        let signer = signerOf(await VertexBook.begin(disk, 'x', KEY.publicKeyHex));
        const signed = new Map<string, string>();
        for (const { epoch, said, seq, branch, fate } of steps) {
          const header = headerOf(epoch, seq, branch);
          const epochSaid = fate === 'restarted' ? said : epoch;
          const answer = await asked(signer, { what: 'vertex', epoch: epochSaid, header });
          if (fate !== 'answered') signer = signerOf(VertexBook.open(disk, 'x', KEY.publicKeyHex));
          if (typeof answer === 'string' || fate === 'killed') continue;
          const name = `${epoch} ${seq}`;
          expect(signed.get(name) ?? toHex(vertexId(header))).toBe(toHex(vertexId(header)));
          signed.set(name, toHex(vertexId(header)));
        }
      }),
      { numRuns: 150 },
    );
  });
});

describe('a key in a signer', () => {
  const who = encodeAnswer(
    encodeWho({ publicKey: KEY.publicKey, newest: undefined, isUnused: true, onlySigns: false }),
  );

  it('is used as a key here is, and its refusals are errors', () => {
    const ask: Ask = (question) => (question[0] === 1 ? who : Uint8Array.of(1, 110, 111));
    const key = heldKeyPair(ask);
    expect([key.publicKeyHex, key.held]).toEqual([
      KEY.publicKeyHex,
      { newest: undefined, isUnused: true, onlySigns: false },
    ]);
    expect(() => key.sign(new Uint8Array(3))).toThrow('the signer refuses: no');
    expect(toHex(key.linkKey().secretKey)).toBe('0'.repeat(128));
  });

  it('says what was signed last', () => {
    const newest = { epoch: 3, seq: 17, id: 'ab'.repeat(32) };
    const answer = encodeAnswer(
      encodeWho({ publicKey: KEY.publicKey, newest, isUnused: false, onlySigns: false }),
    );
    expect(heldKeyPair(() => answer).held).toEqual({ newest, isUnused: false, onlySigns: false });
    expect(() => heldKeyPair(() => encodeAnswer(new Uint8Array(3)))).toThrow('of another version');
  });

  it('that only signs has another key on links, and opens nothing', async () => {
    const path = join(scratch(), 'book.json');
    const token = {
      publicKey: KEY.publicKey,
      publicKeyHex: KEY.publicKeyHex,
      sign: KEY.sign,
      signVertex: KEY.signVertex,
    };
    const signer = new Signer({
      key: token,
      secrets: undefined,
      book: await VertexBook.begin(systemFiles, path, KEY.publicKeyHex),
      isUnused: () => true,
      onFirstVertex() {},
      onRefused() {},
    });
    const answers = new Map<string, Uint8Array>();
    for (const what of ['who', 'product', 'shared'] as const) {
      const question = { what, point: new Uint8Array(32), key: new Uint8Array(32) } as Question;
      answers.set(what, await signer.answer(encodeQuestion(question)));
    }
    for (const what of ['product', 'shared'])
      expect(decodeAnswer(answers.get(what)!)).toBe('the key is in a token, which only signs');

    const key = heldKeyPair((question) =>
      question[0] === 1 ? answers.get('who')! : encodeAnswer(KEY.sign(question.subarray(1))),
    );
    expect(key.held).toEqual({ newest: undefined, isUnused: true, onlySigns: true });
    expect(() => key.sharedSecret(new Uint8Array(32).fill(9))).toThrow('cannot be opened');
    const { publicKey, identity, dh } = key.linkKey();
    expect([publicKey, dh]).not.toContainEqual(KEY.publicKey);
    expect(identity!.publicKey).toEqual(KEY.publicKey);
    expect(identity!.sign(Uint8Array.of(1, 2))).toEqual(KEY.sign(Uint8Array.of(1, 2)));
  });

  it('in a token that fails is not answered for: the node asks the next signer', async () => {
    const fails = (): Uint8Array => {
      throw new TokenError('the device was removed');
    };
    const signer = new Signer({
      key: { publicKey: KEY.publicKey, publicKeyHex: KEY.publicKeyHex, sign: fails, signVertex: fails },
      secrets: undefined,
      book: await VertexBook.begin(systemFiles, join(scratch(), 'book.json'), KEY.publicKeyHex),
      isUnused: () => false,
      onFirstVertex() {},
      onRefused() {},
    });
    const question: Question = { what: 'sign', message: new Uint8Array(3) };
    await expect(signer.answer(encodeQuestion(question))).rejects.toThrow(TokenError);
  });
});
