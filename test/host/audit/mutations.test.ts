// Random damage to what an auditor reads: pages of the log, seals, rows of a state, checkpoints, proofs, documents. Nothing
// crashes or hangs, and whatever passes shows what the honest answer shows. VWS_MUTATIONS sets how many (`npm run audit-fuzz`
// takes 100,000), VWS_SEED repeats.

import { readFileSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import {
  type Kind,
  openProofs,
  type Proofs,
  type Proven,
  Verifier,
  type Way,
} from '../../../host/audit/index.ts';
import { readEnv } from '../../../host/config/config.ts';
import { fromHex, fromUtf8, toHex, utf8 } from '../../../host/wire/bytes.ts';
import { systemClock } from '../../../host/world/system/clock.ts';
import { testSeed } from '../../e2e/seed.ts';
import { GENESIS, Giver, NET } from '../net/join-world.ts';
import { SEAT_KEY, SMALL_TABLES } from '../one-node/harness.ts';
import { type Alter, GiverNode } from './giver-node.ts';
import { PlainStore } from './giver-source.ts';

const COUNT = Number(readEnv().VWS_MUTATIONS ?? 60);
const SEED = testSeed();
const TIMEOUT_MS = 120_000 + COUNT * 500;

const module = (name: string) =>
  new WebAssembly.Module(new Uint8Array(readFileSync(`build/${name}.wasm`)) as BufferSource);
const modules = { core: module('core'), consensus: module('consensus'), ed25519: module('ed25519') };
const randomBytes = (count: number): Uint8Array => crypto.getRandomValues(new Uint8Array(count));

/** A random number in 0..n-1; xorshift, so that a seed repeats it. */
function diceOf(seed: number): Dice {
  let x = (seed ^ 0x9e3779b9) >>> 0 || 1;
  return (n) => {
    x ^= x << 13;
    x >>>= 0;
    x ^= x >>> 17;
    x ^= x << 5;
    x >>>= 0;
    return x % n;
  };
}

type Dice = (n: number) => number;
type Mutate = (bytes: Uint8Array, dice: Dice) => Uint8Array;
const BYTES: readonly Mutate[] = [
  (b, dice) => b.with(dice(b.length), dice(256)),
  (b, dice) => {
    const at = dice(b.length);
    return b.with(at, b[at]! ^ (1 << dice(8)));
  },
  (b, dice) => b.slice(0, dice(b.length)),
  (b, dice) => {
    const at = dice(b.length);
    return new Uint8Array([...b.subarray(0, at), ...b.subarray(at + 1 + dice(8))]);
  },
  (b, dice) => {
    const at = dice(b.length);
    return new Uint8Array([...b.subarray(0, at), ...randomBytes(1 + dice(8)), ...b.subarray(at)]);
  },
  (b, dice) => b.map((byte, i) => (i === dice(b.length) ? 255 : byte)),
  (b, dice) => {
    const [from, to] = [dice(b.length), dice(b.length)];
    const part = b.slice(from, from + 1 + dice(64));
    const out = b.slice();
    out.set(part.subarray(0, out.length - to), to);
    return out;
  },
];

/** Paths of all values of a document that have no members. */
function* valuesOf(value: unknown, path: string[] = []): Generator<string[]> {
  if (typeof value !== 'object' || value === null) yield path;
  else for (const key of Object.keys(value)) yield* valuesOf(value[key as never], [...path, key]);
}

/** Another value of the same type: a number near, a text with other bytes. */
function otherValue(value: unknown, dice: Dice): unknown {
  if (typeof value === 'number') return value + [1, -1, 256, -value, 2 ** 53][dice(5)]!;
  if (typeof value !== 'string') return !value;
  const hex = value.length > 0 && fromHex(value);
  const mutate = BYTES[dice(BYTES.length)]!;
  if (hex) return toHex(mutate(hex, dice));
  return value === '' ? 'x' : new TextDecoder().decode(mutate(utf8(value), dice));
}

/** Damages a value of a JSON document, or leaves it out. */
const inJson: Mutate = (bytes, dice) => {
  const document = JSON.parse(fromUtf8(bytes));
  const paths = [...valuesOf(document)];
  const path = paths[dice(paths.length)];
  if (!path || path.length === 0) return bytes.slice(1);
  const parent = path.slice(0, -1).reduce((at, key) => at[key], document);
  const key = path.at(-1)!;
  if (dice(8) === 0) delete parent[key];
  else parent[key] = otherValue(parent[key], dice);
  return utf8(JSON.stringify(document));
};
const JSONS: readonly Mutate[] = [inJson, inJson, inJson, ...BYTES.slice(0, 3)];

let giver: Giver;
let node: GiverNode;
let compared: Record<Way, Verifier>;
let proofs: Proofs;

const verifierOf = (way: Way, isOnce = false): Promise<Verifier> =>
  Verifier.open({
    source: node.source(),
    modules,
    store: new PlainStore(),
    genesisHash: GENESIS.hashHex,
    way,
    environment: { randomBytes, clock: giver.parts.clock },
    scale: { limits: NET.limits, capacity: SMALL_TABLES },
    isOnce,
  });

beforeAll(async () => {
  giver = await Giver.make(2, 1000);
  node = new GiverNode(giver);
  compared = { genesis: await verifierOf('genesis'), checkpoint: await verifierOf('checkpoint') };
  for (const verifier of Object.values(compared)) expect((await verifier.run()).isGood).toBe(true);
  proofs = await openProofs({
    source: node.source(),
    modules,
    genesisHash: GENESIS.hashHex,
    randomBytes,
    pause: async () => {},
    limits: NET.limits,
  });
}, TIMEOUT_MS);

let audits = 0;
/** What an audit shows, every other time one that makes no events; undefined: the node is named. */
const audit = (way: Way) => async (): Promise<unknown> => {
  const { isGood, stateRoot, order } = await (await verifierOf(way, audits++ % 2 === 0)).run();
  return isGood ? [stateRoot, order] : undefined;
};

/**
 * What is shown of a proof. Rows that are left out are not proven, and nothing else is said of them; a page that ends
 * earlier says so, and what lies behind is asked for next.
 */
const proof =
  (ask: () => Promise<Proven>) =>
  async (honest?: unknown): Promise<unknown> => {
    const proven = await ask();
    if (honest === undefined) return proven;
    const { rows, documents, validators, next } = honest as Proven;
    const whole: Proven = rows && !proven.rows ? { ...proven, rows } : proven;
    if (proven.next === undefined || proven.next === next) return whole;
    const behind = documents.filter(({ key }) => key.slice(2) > proven.next!);
    const { next: _, ...cut } = { ...whole, documents: [...proven.documents, ...behind] };
    const { length } = proven.validators ?? [];
    if (validators) cut.validators = [...proven.validators!, ...validators.slice(length)];
    return next === undefined ? cut : { ...cut, next };
  };

/** A document that passes is the honest one. */
const document = (way: Way, kind: Kind, id: () => string) => async (): Promise<unknown> => {
  const { shown } = await compared[way].compare(kind, id());
  return shown === 'lie' || shown === 'not_comparable' ? undefined : lastRead;
};
/** The document that was given last, or its text where that is none. */
let lastRead: unknown;

interface Target {
  path: RegExp;
  mutations: readonly Mutate[];
  /** What an auditor is shown of it; `honest`: what an honest node showed. */
  show(honest?: unknown): Promise<unknown>;
}
const seat = SEAT_KEY.publicKeyHex;
const someTask = (): string => [...giver.ids][0]!;
const TARGETS: readonly Target[] = [
  { path: /^\/v1\/log\/vertices/, mutations: BYTES, show: audit('genesis') },
  { path: /^\/v1\/log\/seals/, mutations: BYTES, show: audit('checkpoint') },
  { path: /^\/v1\/log\/state/, mutations: BYTES, show: audit('checkpoint') },
  { path: /^\/v1\/checkpoints\?/, mutations: JSONS, show: audit('genesis') },
  { path: /^\/v1\/log\/vertices/, mutations: BYTES, show: audit('checkpoint') },
  { path: /^\/v1\/proof/, mutations: JSONS, show: proof(() => proofs.item('agent', seat)) },
  { path: /^\/v1\/proof/, mutations: JSONS, show: proof(() => proofs.item('reputation', seat)) },
  { path: /^\/v1\/proof/, mutations: JSONS, show: proof(() => proofs.item('validator', seat)) },
  { path: /^\/v1\/proof/, mutations: JSONS, show: proof(() => proofs.item('task', someTask())) },
  { path: /^\/v1\/proof/, mutations: JSONS, show: proof(() => proofs.item('listing', seat)) },
  { path: /^\/v1\/proof/, mutations: JSONS, show: proof(() => proofs.list('agents', '', 7)) },
  { path: /^\/v1\/proof/, mutations: JSONS, show: proof(() => proofs.list('open_events')) },
  { path: /^\/v1\/proof/, mutations: JSONS, show: proof(() => proofs.list('validators', '', 3)) },
  { path: /^\/v1\/agents/, mutations: JSONS, show: document('genesis', 'agent', () => seat) },
  { path: /^\/v1\/tasks/, mutations: JSONS, show: document('genesis', 'task', someTask) },
  { path: /^\/v1\/tasks/, mutations: JSONS, show: document('checkpoint', 'task', someTask) },
];

/** An audit from the beginning takes much longer than a proof or a comparison: each of those is chosen four times as often. */
const CHOICES = TARGETS.flatMap(({ mutations, path }, n) =>
  mutations === JSONS && !path.source.includes('checkpoints') ? [n, n, n, n] : [n],
);

/** What is shown; undefined if a fault was named. Anything else that is thrown is a crash. */
async function shown(target: Target, alter: Alter, honest?: unknown): Promise<unknown> {
  node.alter = (asked, given) => {
    const altered = alter(asked, given);
    if (target.path.test(asked)) lastRead = documentOf((altered ?? given).body as Uint8Array);
    return altered;
  };
  try {
    return await target.show(honest);
  } catch (error) {
    expect((error as Error).name, (error as Error).stack).toBe('LogFault');
    return undefined;
  } finally {
    node.alter = () => undefined;
  }
}

function documentOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(fromUtf8(bytes));
  } catch {
    return bytes;
  }
}

it(`no damage crashes an auditor, hangs it, or passes (repeat with VWS_SEED=${SEED})`, {
  timeout: TIMEOUT_MS,
}, async () => {
  const honest: { shown: unknown; answers: number }[] = [];
  for (const target of TARGETS) {
    let answers = 0;
    const count = (asked: string): undefined => {
      if (target.path.test(asked)) answers += 1;
    };
    honest.push({ shown: await shown(target, count), answers });
  }
  expect(honest.map(({ shown }) => shown)).not.toContain(undefined);
  const counts = TARGETS.map(({ path }) => ({ path: path.source, named: 0, harmless: 0 }));
  let slowestMs = 0;
  for (let n = 0; n < COUNT; n++) {
    const dice = diceOf(SEED + n);
    const which = CHOICES[dice(CHOICES.length)]!;
    const target = TARGETS[which]!;
    // Which of the answers is damaged: the first few of a kind all get their turn.
    let left = dice(Math.min(6, honest[which]!.answers));
    const damage: Alter = (asked, given) => {
      if (!target.path.test(asked) || left-- > 0 || left < -1) return undefined;
      const bytes = given.body as Uint8Array;
      const mutate = target.mutations[dice(target.mutations.length)]!;
      return bytes.length === 0 ? undefined : { ...given, body: mutate(bytes, dice) };
    };
    const begunMs = systemClock.monotonicMs();
    const result = await shown(target, damage, honest[which]!.shown);
    slowestMs = Math.max(slowestMs, systemClock.monotonicMs() - begunMs);
    counts[which]![result === undefined ? 'named' : 'harmless'] += 1;
    // Damage to texts at a seal, to names in signatures, to what nobody reads, or none.
    if (result !== undefined)
      expect(result, `VWS_SEED=${SEED + n} VWS_MUTATIONS=1: ${target.path}`).toEqual(honest[which]!.shown);
  }
  const rows = counts.map(({ path, named, harmless }) => `  ${path} named ${named}, harmless ${harmless}`);
  console.log([`${COUNT} mutations, the slowest ${Math.round(slowestMs)} ms`, ...rows].join('\n'));
  expect(counts.reduce((sum, { named }) => sum + named, 0)).toBeGreaterThan(COUNT / 4);
});
