// Proofs in Python judge as those in TypeScript: the same answers, good and altered, get the same verdicts. Needs python3
// and nothing that is not in it; signatures are judged in test_proof.py, by the module.

import { execFileSync } from 'node:child_process';
import { beforeAll, expect, it } from 'vitest';
import type { ReadContext } from '../../host/api/context.ts';
import * as handlers from '../../host/api/handlers/proofs.ts';
import { isRowKind } from '../../host/core/state-rows.ts';
import { readProofAnswer, readValidatorsAnswer } from '../../host/proofs/proof-reader.ts';
import { readRowProof } from '../../host/proofs/row-proof.ts';
import { toHex } from '../../host/wire/bytes.ts';
import {
  PROOF_ITEMS,
  type ProofItem,
  type ProofList,
  rangeOfItem,
  rangeOfList,
} from '../../host/wire/proof-kinds.ts';
import { Giver } from '../host/net/join-world.ts';
import { SEAT_KEY } from '../host/one-node/harness.ts';

const PROGRAM = `
import json, sys, types
package = types.ModuleType("vws")
package.__path__ = ["sdk/python/src/vws"]
sys.modules["vws"] = package
from vws import proof
class Verifier:
    def verify(self, public_key, message, signature):
        return True
found = []
for kind, id, answer in json.load(sys.stdin):
    try:
        statement = bytes.fromhex(answer["checkpoint"]["statement"])
        keys = {one["public_key"]: 1 for one in answer["checkpoint"].get("signatures", [])}
        seats = proof.Seats(keys, statement[40:72].hex())
        proven = proof.check_proof(answer, kind, id, seats, Verifier())
        found.append([proven.height, proven.last, proven.is_end, proven.documents, proven.rows, proven.validators])
    except Exception as error:
        found.append([type(error).__name__])
json.dump(found, sys.stdout)
`;

type Case = [kind: string, id: string, answer: Record<string, unknown>];

const inPython = (cases: readonly Case[]): unknown[][] =>
  JSON.parse(
    execFileSync('python3', ['-c', PROGRAM], { input: JSON.stringify(cases), maxBuffer: 1 << 28 }).toString(),
  );

let giver: Giver;
beforeAll(async () => {
  giver = await Giver.make(2, 1000);
});

function answerTo(kind: string, id: string): Record<string, unknown> {
  const { store, documents, totals, ids } = giver.parts;
  const context = { store, documents, totals, state: ids.state } as unknown as ReadContext;
  const page = { number: 1, size: 50, offset: 0 };
  const isItem = rangeOfAll(kind, id).isItem;
  const reply = isItem
    ? handlers.item(context, { path: { kind, id }, query: {}, page })
    : handlers.list(context, { path: { kind }, query: { after: id, limit: 5 }, page });
  return structuredClone(reply.body) as Record<string, unknown>;
}

function rangeOfAll(kind: string, id: string) {
  const isItem = PROOF_ITEMS.some((name) => name === kind);
  const range = isItem ? rangeOfItem(kind as ProofItem, id)! : rangeOfList(kind as ProofList, id)!;
  return { isItem, range };
}

it('gives the verdicts of readProofAnswer on good and altered answers', () => {
  const task = [...giver.ids][0]!;
  const openEvent = JSON.parse((answerTo('open_events', '').documents as { text: string }[])[0]!.text) as {
    event_id: string;
    seq: number;
  };
  const asked: [string, string][] = [
    ['agent', SEAT_KEY.publicKeyHex],
    ['agent', 'nobody'],
    ['task', task],
    ['result', task],
    ['listing', SEAT_KEY.publicKeyHex],
    ['event', '1'],
    ['event', `${openEvent.seq}`],
    ['agents', ''],
    ['agents', '55'.repeat(32)],
    ['agents', '55'],
    ['open_tasks', ''],
    ['open_events', ''],
    ...(['reputation', 'validator'] as const).flatMap((kind): [string, string][] => [
      [kind, SEAT_KEY.publicKeyHex],
      [kind, giver.keyOf(230).publicKeyHex],
    ]),
    ['validators', ''],
    ['validators', '00000003'],
    ['validators', '00ff'],
  ];
  const cases: Case[] = asked.map(([kind, id]) => [kind, id, answerTo(kind, id)]);
  let state = 3;
  const chance = (max: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >> 8) % max;
  };
  for (let n = 0; n < 1500; n++) {
    const [kind, id, answer] = cases[chance(asked.length)]!;
    const other = structuredClone(answer);
    const altered = (text: string): string => {
      const at = chance(text.length + 1);
      return text.slice(0, at) + '0123456789abcdef'[chance(16)] + text.slice(at + chance(3));
    };
    const leaves = other.state as string[] | undefined;
    const name = ['proof', 'proof', 'proof', 'core_root', 'last', 'first', 'agent_row'][chance(7)]!;
    if (leaves && chance(2) === 0) {
      const which = chance(leaves.length);
      if (chance(8) === 0) leaves.splice(which, 1);
      else leaves[which] = altered(leaves[which]!);
    } else if (name === 'agent_row') other.agent_row = [chance(20), -1, 'x', 1.5][chance(4)];
    else other[name] = altered(other[name] as string);
    cases.push([kind, id, other]);
  }
  const found = inPython(cases);
  const verdicts = cases.map(([kind, id, answer]) => {
    try {
      const { range } = rangeOfAll(kind, id);
      const read =
        kind === 'validators' ? readValidatorsAnswer(answer, range) : readProofAnswer(answer, range);
      const documents = Object.fromEntries(read.documents.map(({ key, text }) => [key, text]));
      const rows =
        isRowKind(kind) && read.documents.length > 0
          ? readRowProof(answer, kind, range.first.subarray(1), read.coreRoot)
          : undefined;
      const shown = [documents, rows ?? null, read.validators ?? []];
      return [read.statement.height, toHex(read.last), read.isEnd, ...shown];
    } catch {
      return ['ProofError'];
    }
  });
  expect(found).toEqual(verdicts);
  expect(verdicts.slice(0, asked.length).every(([height]) => (height as number) > 0)).toBe(true);
  expect(verdicts.filter(([name]) => name === 'ProofError').length).toBeGreaterThan(1000);
});

it('takes the id of an event for the one that is shown, and no other', () => {
  const [shown] = answerTo('open_events', '').documents as { text: string }[];
  const { event_id, seq } = JSON.parse(shown!.text) as { event_id: string; seq: number };
  const closed = toHex(new Uint8Array(32).fill(7));
  const answer = answerTo('event', `${seq}`);
  const none = answerTo('event', '2');
  const agents = answerTo('agent', SEAT_KEY.publicKeyHex);
  expect(
    inPython([
      ['event', event_id.toUpperCase(), answer],
      ['event', closed, answer],
      ['event', closed, none],
      ['event', closed, agents],
      ['event', '02', none],
    ]).map(([first, , , documents]) =>
      documents === undefined ? first : Object.keys(documents as object).length,
    ),
  ).toEqual([1, 'ProofError', 0, 'ProofError', 'ValueError']);
});

it('calls what is missing or of another kind a fault of the answer', () => {
  const good = answerTo('event', '2');
  const { checkpoint } = good as { checkpoint: Record<string, unknown> };
  const { signatures: _, ...unsigned } = checkpoint;
  const bad = [
    { ...good, checkpoint: unsigned },
    { ...good, documents: undefined },
    { ...good, documents: [7] },
    { ...good, proof: 7 },
    { ...good, core_root: [] },
  ];
  expect(inPython(bad.map((answer): Case => ['event', '2', answer]))).toEqual(bad.map(() => ['ProofError']));
});
