// A network and auditors of it, over HTTP without sockets; each answer can be altered on its way.

import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import {
  type Comparison,
  type Kind,
  type Verdict,
  Verifier,
  type VerifierOptions,
} from '../../../host/audit/index.ts';
import { openEd25519 } from '../../../host/crypto/ed25519-wasm.ts';
import { keyPairFromSeed } from '../../../host/crypto/key-pair.ts';
import { decodeRows, encodeRows, type Row } from '../../../host/net/join-rows.ts';
import { decodeMessage, encodeMessage } from '../../../host/net/messages.ts';
import { fromUtf8, utf8 } from '../../../host/wire/bytes.ts';
import { GENESIS, Giver, NET } from '../net/join-world.ts';
import { SMALL_TABLES, seedOf } from '../one-node/harness.ts';
import { type Alter, bytesAt, GiverNode } from './giver-node.ts';
import { PlainStore } from './giver-source.ts';

const module = (name: string) =>
  new WebAssembly.Module(new Uint8Array(readFileSync(`build/${name}.wasm`)) as BufferSource);
export const modules = { core: module('core'), consensus: module('consensus'), ed25519: module('ed25519') };
export const randomBytes = (count: number): Uint8Array => crypto.getRandomValues(new Uint8Array(count));
const ed25519 = openEd25519(modules.ed25519, randomBytes);
export const verifyBatch: typeof ed25519.verifyBatch = (jobs) => ed25519.verifyBatch(jobs);
export const agentKey = (n: number) => {
  const seed = seedOf(91);
  seed[0] = n;
  return keyPairFromSeed(seed);
};
export const id = agentKey(2).publicKeyHex;

export let giver: Giver;
export let task: string;

/** Makes the network that the attempts are made over. */
export async function begin(): Promise<void> {
  giver = await Giver.make();
  [task] = [...giver.ids] as [string];
}

export const nodeThat = (alter: Alter = () => undefined, of = giver): GiverNode =>
  Object.assign(new GiverNode(of), { alter });

export const open = (
  node: GiverNode,
  more: Partial<VerifierOptions> & { name?: string } = {},
): Promise<Verifier> => {
  const { name, ...options } = more;
  return Verifier.open({
    source: node.source(name),
    modules,
    store: new PlainStore(),
    genesisHash: GENESIS.hashHex,
    way: 'genesis',
    environment: { randomBytes, clock: giver.parts.clock },
    scale: { limits: NET.limits, capacity: SMALL_TABLES },
    ...options,
  });
};
export const verdictOn = async (alter: Alter, more: Partial<VerifierOptions> = {}): Promise<Verdict> => {
  try {
    return await (await open(nodeThat(alter), more)).run();
  } catch (error) {
    // Data that is wrong from the start.
    const { name, kind } = error as { name: string; kind: string };
    expect(name).toBe('LogFault');
    return { isGood: false, shown: 'lie', fault: { kind } } as Verdict;
  }
};
export async function answer(
  node: GiverNode,
  kind: Kind = 'agent',
  of = id,
  more: Partial<VerifierOptions> = {},
): Promise<Comparison> {
  return (await open(node, more)).compare(kind, of);
}
export const BALANCE = /\/balance$/;
export const kindsOf = ({ findings }: Verdict): string[] => findings.map(({ kind }) => kind);

/** Alters the rows of the state with this prefix. */
export const rowsAt = (prefix: string, alter: (text: string) => string): Alter =>
  bytesAt(/^\/v1\/log\/state/, (bytes) => {
    const message = decodeMessage(bytes);
    if (message?.type !== 'fetched') return bytes;
    const rows = decodeRows(message.rows, new Uint8Array(0))!.map(([key, value]): Row => {
      const text = key[0] === prefix.charCodeAt(0) ? fromUtf8(value) : undefined;
      return text === undefined ? [key, value] : [key, utf8(alter(text))];
    });
    return encodeMessage({ ...message, rows: encodeRows(rows) });
  });
export const both =
  (...all: Alter[]): Alter =>
  (path, given) => {
    let last = given;
    for (const alter of all) last = alter(path, last) ?? last;
    return last;
  };
