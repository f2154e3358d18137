// The process that holds a node's key: answers one question at a time (protocol 12.11).
// Keeps: a vertex is signed only once the book has it on disk; nothing else that is signed can be taken for a vertex; the
// seed never leaves.

import { isVertexMessage } from '../../wire/vertex.ts';
import { TokenError } from '../../world/token.ts';
import type { SigningKey } from '../key-pair.ts';
import { decodeQuestion, encodeAnswer, encodeRefusal, encodeWho, type Question } from './messages.ts';
import { type VertexBook, VertexRefused } from './vertex-book.ts';

/** What only a key whose secret is in this process can do. */
export interface KeySecrets {
  /** The product of the key's scalar and a point. */
  product(point: Uint8Array): Uint8Array;
  /** X25519 of the key's Montgomery form and another key. */
  sharedSecret(key: Uint8Array): Uint8Array;
}

export interface SignerOptions {
  key: SigningKey;
  /** Undefined: the key is in a token, which only signs. */
  secrets: KeySecrets | undefined;
  book: VertexBook;
  /** The key has signed no vertex so far. */
  isUnused(): boolean;
  /** Called before the first vertex is signed. */
  onFirstVertex(): void;
  /** A vertex was refused: somebody must look. */
  onRefused(why: string): void;
}

export class Signer {
  constructor(private readonly o: SignerOptions) {}

  /** Errors: TokenError, when the token failed. It is no answer: the node asks the next signer the same again. */
  async answer(bytes: Uint8Array): Promise<Uint8Array> {
    const question = decodeQuestion(bytes);
    if (!question) return encodeRefusal('the question cannot be read: the node is of another version');
    try {
      return encodeAnswer(await this.#answer(question));
    } catch (error) {
      if (error instanceof TokenError) throw error;
      const why = (error as Error).message;
      if (error instanceof VertexRefused) this.o.onRefused(why);
      return encodeRefusal(why);
    }
  }

  async #answer(question: Question): Promise<Uint8Array> {
    const { key, book } = this.o;
    switch (question.what) {
      case 'who':
        return encodeWho({
          publicKey: key.publicKey,
          newest: book.newest,
          isUnused: this.o.isUnused(),
          onlySigns: !this.o.secrets,
        });
      case 'sign':
        if (isVertexMessage(question.message)) throw new VertexRefused('a vertex is signed by its header');
        return key.sign(question.message);
      case 'vertex':
        await book.admit(question.header, question.epoch);
        if (this.o.isUnused()) this.o.onFirstVertex();
        return key.signVertex(question.header, question.epoch);
      case 'product':
        return this.#secrets().product(question.point);
      case 'shared':
        return this.#secrets().sharedSecret(question.key);
    }
  }

  #secrets(): KeySecrets {
    if (!this.o.secrets) throw new Error('the key is in a token, which only signs');
    return this.o.secrets;
  }
}
