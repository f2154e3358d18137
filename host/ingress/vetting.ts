// What can be found out about signed requests before the node sees them (protocol 5.2): hash of the body, TxID, and whether
// the signature is one by the key that the actor's name stands for, as far as is known here.
// Keeps: nothing is refused here. What is not vetted, or was vetted with another key than the node knows, the node checks
// itself; so a wrong guess costs time and changes no outcome.

import { requestsOf } from '../api/batch.ts';
import type { SignatureJob, VerifyMany } from '../crypto/verifier.ts';
import { fromHex } from '../wire/bytes.ts';
import { sha256 } from '../wire/hash.ts';
import { DEAR_FORM_BYTES, hasFewParts, hasValue, parseBody } from '../wire/json.ts';
import { readTxV1, signatureBytes, txSignBytes } from '../wire/tx.ts';
import type { Vetted } from '../wire/vetted.ts';
import type { HttpRequest } from '../world/http.ts';

/** What one call of the module takes. */
const MAX_JOBS = 1024;
/** Actors whose keys are known because the node told them. When it is full, all are forgotten and told again. */
const MAX_KEYS = 65_536;

/** The node charges for such a body before it hashes it. */
class TooDear extends Error {}

/** A request that is signed by a key that is known here, before the signature was checked. */
interface Claim {
  vetted: Vetted;
  job: SignatureJob;
}

export interface BatchLimit {
  path: string;
  maxRequests: number;
}

function itemsOf(request: HttpRequest, limit: BatchLimit): readonly HttpRequest[] | undefined {
  try {
    return requestsOf(request, limit);
  } catch {
    return undefined;
  }
}

export class Vetting {
  readonly #keys = new Map<string, Uint8Array>();

  constructor(
    private readonly verifyMany: VerifyMany,
    private readonly batch: BatchLimit,
  ) {}

  /** The node says which key is behind an actor. */
  learn(actor: string, publicKey: Uint8Array): void {
    if (this.#keys.size >= MAX_KEYS) this.#keys.clear();
    this.#keys.set(actor, publicKey);
  }

  /**
   * Sets `vetted` of requests that have arrived together, and `items` of those that are batches. A batch that cannot be read
   * is left to the node, which says what is wrong with it.
   */
  vet(requests: readonly HttpRequest[]): void {
    const claims: Claim[] = [];
    for (const request of requests) {
      if (request.method !== 'POST' || request.path !== this.batch.path) this.#vetOne(request, claims);
      else {
        request.items = itemsOf(request, this.batch);
        for (const item of request.items ?? []) this.#vetOne(item, claims);
      }
    }
    for (let from = 0; from < claims.length; from += MAX_JOBS) {
      const part = claims.slice(from, from + MAX_JOBS);
      const verdicts = this.verifyMany(part.map(({ job }) => job));
      for (const [i, { vetted }] of part.entries()) vetted.isGood = verdicts[i] === 1;
    }
  }

  #vetOne(request: HttpRequest, claims: Claim[]): void {
    const claim = this.#claimOf(request);
    if (!claim) return;
    request.vetted = claim.vetted;
    claims.push(claim);
  }

  #claimOf(request: HttpRequest): Claim | undefined {
    const { method, path, body: raw } = request;
    const actor = request.header('x-service-actor');
    const signature = signatureBytes(request.header('x-service-signature') ?? '');
    const publicKey = actor && (this.#keys.get(actor) ?? (actor.length === 64 ? fromHex(actor) : undefined));
    if (!publicKey || !signature || !hasFewParts(raw)) return undefined;
    try {
      // The chain and the time are for the node to judge: here both are as the request says.
      const chainId = request.header('x-service-chain-id') ?? '';
      const tx = readTxV1(
        (name) => request.header(name),
        chainId,
        Number(request.header('x-service-created')),
      );
      const body = parseBody(raw, (bytes) => {
        if (bytes > DEAR_FORM_BYTES) throw new TooDear();
      });
      const message = txSignBytes(tx, method, path, body.sha256);
      const vetted = {
        bodySha256: body.sha256,
        hasValue: hasValue(body),
        id: sha256(message),
        publicKey,
        isGood: false,
      };
      return { vetted, job: { publicKey, message, signature } };
    } catch {
      return undefined;
    }
  }
}
