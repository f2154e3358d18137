// A client of the run: signs, sends, waits for a while, and writes down what it saw.
// Keeps: every request that was sent is one row of the history, with or without an answer; a signed request that is sent again is the
// same transaction.

import type { SignedRequest } from '../../host/client/signed-request.ts';
import { signRequest } from '../../host/client/signed-request.ts';
import type { Signer } from '../../host/client/signer.ts';
import { systemClock } from '../../host/world/system/clock.ts';
import { randomBytes } from '../../host/world/system/random.ts';
import { type Answer, Connection, ConnectionLost, requestBytes } from '../load/connection.ts';
import { sleep } from '../load/node-process.ts';
import { type Call, executionOf, isSuccess } from './call.ts';

const READ_MS = 2500;
/** Nodes answer a write after ten seconds at the latest; a paused one does not. */
const WRITE_MS = 4000;
/** Pause after a connection that was refused. */
const REFUSED_MS = 10;

/** Where a node is reached, and its name in the history. */
export interface Door {
  machine: string;
  port: number;
}

export class Client {
  readonly #connections = new Map<string, Connection>();

  constructor(
    private readonly number: number,
    private readonly chainId: string,
    private readonly calls: Call[],
  ) {}

  sign(signer: Signer, path: string, body: Record<string, unknown>): Promise<SignedRequest> {
    const nowSecs = Math.floor(systemClock.nowMs() / 1000);
    const { chainId } = this;
    return signRequest({
      signer,
      chainId,
      method: 'POST',
      path,
      body,
      nowSecs,
      nonce: randomBytes(16),
    });
  }

  write(door: Door, request: SignedRequest): Promise<Call> {
    const { method, path, txid: txId, headers } = request;
    const actor = headers['X-Service-Actor']!;
    return this.#exchange(door, { method, path, txId, actor }, requestBytes(request), WRITE_MS);
  }

  /** `minOrder`: the least order that the answer may be of. */
  read(door: Door, path: string, minOrder?: number): Promise<Call> {
    const headers: Record<string, string> =
      minOrder === undefined ? {} : { 'X-Service-Min-Order': String(minOrder) };
    const asked = { method: 'GET', path, ...(minOrder === undefined ? {} : { minOrder }) };
    return this.#exchange(door, asked, requestBytes({ method: 'GET', path, headers }), READ_MS);
  }

  close(): void {
    for (const connection of this.#connections.values()) connection.close();
  }

  async #exchange(
    { machine, port }: Door,
    asked: Pick<Call, 'method' | 'path' | 'txId' | 'actor' | 'minOrder'>,
    bytes: Buffer,
    waitMs: number,
  ): Promise<Call> {
    const call: Call = { agent: this.number, machine, ...asked, startMs: systemClock.monotonicMs() };
    const connection = await this.#connection(machine, port);
    // Nothing was sent: no row.
    if (!connection) return call;
    try {
      call.startMs = systemClock.monotonicMs();
      const cancel = systemClock.setTimer(() => connection.close(), waitMs);
      const answer = await connection.send(bytes).finally(cancel);
      Object.assign(call, { endMs: systemClock.monotonicMs() }, answerOf(answer));
    } catch (error) {
      if (!(error instanceof ConnectionLost)) throw error;
      this.#connections.get(machine)?.close();
      this.#connections.delete(machine);
    }
    this.calls.push(call);
    return call;
  }

  /** Undefined after a while when nobody listens there. */
  async #connection(machine: string, port: number): Promise<Connection | undefined> {
    const open = this.#connections.get(machine);
    if (open) return open;
    try {
      const made = await Connection.open(port);
      this.#connections.set(machine, made);
      return made;
    } catch (error) {
      if (!(error instanceof ConnectionLost)) throw error;
      await sleep(REFUSED_MS);
      return undefined;
    }
  }
}

/** What of an answer is judged. */
function answerOf({ status, head, body }: Answer): Pick<Call, 'status' | 'code' | 'order' | 'body'> {
  const json = JSON.parse(body.toString()) as { code?: string };
  const code = isSuccess(status) ? undefined : json.code;
  const order = header(head, 'x-service-order');
  return {
    ...(order === undefined ? {} : { order: Number(order) }),
    ...executionOf(status, code, json),
    ...(code === undefined ? {} : { code }),
    body: json,
  };
}

function header(head: string, name: string): string | undefined {
  return new RegExp(`\\r\\n${name}: *([^\\r]*)`, 'i').exec(head)?.[1];
}
