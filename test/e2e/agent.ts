// An agent of the black-box tests: signs writes, also deliberately malformed ones, and sends them over HTTP.

import { setTimeout as pause } from 'node:timers/promises';
import type { SignedRequest } from '../../host/client/signed-request.ts';
import type { Signer } from '../../host/client/signer.ts';
import { toHex } from '../../host/wire/bytes.ts';
import { sha256Hex } from '../../host/wire/hash.ts';
import { parseBody } from '../../host/wire/json.ts';
import { txId, txSignBytes } from '../../host/wire/tx.ts';
import { randomBytes } from '../../host/world/system/random.ts';
import { newSigner } from '../../tools/load/signed-writes.ts';

export const TESTNET = 'vws-testnet-1';
export const TOKEN = 1_000_000;

/** A parsed JSON body, in whose fields the tests look as they like. */
// biome-ignore lint/suspicious/noExplicitAny: answers are checked by the table of objects
export type Json = any;

export interface Answer {
  status: number;
  body: Json;
  headers: Headers;
}

export interface Call {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

/** One exchange; the body parsed where it is JSON. */
export async function call(port: number, { method, path, headers, body }: Call): Promise<Answer> {
  const init = { method, ...(headers ? { headers } : {}), ...(body === undefined ? {} : { body }) };
  const reply = await fetch(`http://127.0.0.1:${port}${path}`, init);
  const text = await reply.text();
  const isJson = reply.headers.get('content-type')?.startsWith('application/json') ?? false;
  return { status: reply.status, body: isJson && text ? JSON.parse(text) : text, headers: reply.headers };
}

export const get = (port: number, path: string): Promise<Answer> => call(port, { method: 'GET', path });

export const nowSecs = (): number => Math.floor(Date.now() / 1000);
export const newNonce = (): string => toHex(randomBytes(16));

/** What of a signed write is not as it should be, or not the default. */
export interface Oddities {
  chainId?: string;
  actor?: string;
  created?: number;
  expires?: number;
  nonce?: string;
  /** The path that is signed, when it is not the path that is asked for. */
  signedPath?: string;
}

export class Agent {
  readonly id: string;

  constructor(
    readonly port: number,
    readonly signer: Signer = newSigner(),
  ) {
    this.id = signer.publicKeyHex;
  }

  /** A write under SERVICE-TX-V1. `body`: text goes out as it is. */
  async sign(
    method: string,
    path: string,
    body: object | string = {},
    odd: Oddities = {},
  ): Promise<SignedRequest> {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const createdAt = odd.created ?? nowSecs();
    const tx = {
      chainId: odd.chainId ?? TESTNET,
      actor: odd.actor ?? this.id,
      createdAt,
      expiresAt: odd.expires ?? createdAt + 60,
      nonce: odd.nonce ?? newNonce(),
    };
    const hash = parseBody(Buffer.from(text)).sha256;
    const signBytes = txSignBytes(tx, method, odd.signedPath ?? path, hash);
    const headers = {
      'X-Service-Version': 'SERVICE-TX-V1',
      'X-Service-Chain-ID': tx.chainId,
      'X-Service-Actor': tx.actor,
      'X-Service-Created': String(tx.createdAt),
      'X-Service-Expires': String(tx.expiresAt),
      'X-Service-Nonce': tx.nonce,
      'X-Service-Signature': toHex(await this.signer.sign(signBytes)),
    };
    return { method, path, headers, body: text, txid: toHex(txId(signBytes)), expiresAt: tx.expiresAt };
  }

  async send(method: string, path: string, body: object | string = {}, odd: Oddities = {}): Promise<Answer> {
    return call(this.port, await this.sign(method, path, body, odd));
  }

  post(path: string, body: object | string = {}, odd: Oddities = {}): Promise<Answer> {
    return this.send('POST', path, body, odd);
  }

  /** A POST that must succeed; its body. */
  async do(path: string, body: object = {}): Promise<Json> {
    const answer = await this.post(path, body);
    if (answer.status !== 200 && answer.status !== 201) {
      throw new Error(`POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    }
    return answer.body;
  }

  /** A write under SERVICE-REQUEST-V1 (protocol 5.4). */
  async signV1(
    path: string,
    body: object,
    odd: { agentId?: string; timestamp?: number } = {},
  ): Promise<Call> {
    const text = JSON.stringify(body);
    const nonce = newNonce();
    const timestamp = odd.timestamp ?? nowSecs();
    const agentId = odd.agentId ?? this.id;
    const lines = [
      'SERVICE-REQUEST-V1',
      'method:POST',
      `path:${path}`,
      `agent_id:${agentId}`,
      `nonce:${nonce}`,
    ];
    lines.push(`timestamp:${timestamp}`, `body_sha256:${sha256Hex(text)}`);
    const signature = toHex(await this.signer.sign(Buffer.from(lines.join('\n'))));
    const headers = {
      'X-Service-Agent-ID': agentId,
      'X-Service-Timestamp': String(timestamp),
      'X-Service-Nonce': nonce,
      'X-Service-Signature': signature,
    };
    return { method: 'POST', path, headers, body: text };
  }

  /** Registers and, unless told otherwise, stakes nothing. */
  async register(
    body: { initial_stake?: number; agent_id?: string; display_name?: string } = {},
  ): Promise<this> {
    await this.do('/v1/agents', body);
    return this;
  }
}

/** Repeats a read until it is as wanted: for what consensus time brings, which no request can hurry. */
export async function until<T>(
  read: () => Promise<T>,
  isDone: (value: T) => boolean,
  limitMs = 30_000,
): Promise<T> {
  const endMs = Date.now() + limitMs;
  for (;;) {
    const value = await read();
    if (isDone(value)) return value;
    if (Date.now() > endMs) throw new Error(`not so within ${limitMs} ms: ${JSON.stringify(value)}`);
    await pause(50);
  }
}
