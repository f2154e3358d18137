// The key pair of a node whose key is in a signer. Every use of it is a question that the main thread waits for, as it
// waits for a write of the store.
// Keeps: no secret is in this process; a refusal is an error that ends the node.

import { toHex } from '../../wire/bytes.ts';
import { KeyFileError } from '../key-file.ts';
import { generateSeed, type KeyPair, keyPairFromSeed } from '../key-pair.ts';
import { decodeAnswer, decodeWho, encodeQuestion, type Question } from './messages.ts';

/** Asks, and waits for the answer. Errors: the signer does not answer in time. */
export type Ask = (question: Uint8Array) => Uint8Array;

const LINK_SECRET_BYTES = 64;

/** The signer refuses: the message is for the operator. */
export class SignerRefused extends Error {
  override name = 'SignerRefused';
}

/** Errors: KeyFileError when no signer answers. */
export function heldKeyPair(ask: Ask): KeyPair {
  const answered = (question: Question): Uint8Array => {
    const answer = decodeAnswer(ask(encodeQuestion(question)));
    if (typeof answer === 'string') throw new SignerRefused(`the signer refuses: ${answer}`);
    return answer;
  };
  const who = decodeWho(answered({ what: 'who' }));
  if (!who) throw new KeyFileError('the signer is of another version');
  const { publicKey, newest, isUnused, onlySigns } = who;
  const sign = (message: Uint8Array): Uint8Array => answered({ what: 'sign', message });
  const signing = {
    publicKey,
    publicKeyHex: toHex(publicKey),
    held: { newest, isUnused, onlySigns },
    sign,
    signVertex: (header: Uint8Array, epoch: number) => answered({ what: 'vertex', header, epoch }),
  };
  if (onlySigns)
    return {
      ...signing,
      sharedSecret: () => {
        throw new SignerRefused('the key is in a token: what is encrypted to it cannot be opened');
      },
      linkKey: () => ({ ...keyPairFromSeed(generateSeed()).linkKey(), identity: { publicKey, sign } }),
    };
  return {
    ...signing,
    sharedSecret: (key) => answered({ what: 'shared', key }),
    linkKey: () => ({
      publicKey,
      secretKey: new Uint8Array(LINK_SECRET_BYTES),
      dh: (point) => answered({ what: 'product', point }),
    }),
  };
}
