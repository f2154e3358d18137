// Suite `proofs`: what it takes to check a document without the log. A node's answers of /v1/proof, kept, are checked in
// Node, in Chromium and in Python: path, rows of the core, signatures of the seats.
// Keeps: every side checks the same bytes and proves the same documents; nothing is fetched while time is taken.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { HttpSource, type LogSource, openProofs } from '../host/audit/index.ts';
import { systemEnvironment, VwsClient } from '../host/client/index.ts';
import { buildFor } from '../host/core/simd.ts';
import { decodeMessage } from '../host/net/messages.ts';
import { systemClock } from '../host/world/system/clock.ts';
import { builtPath } from '../tools/load/built.ts';
import { findChromium } from '../tools/load/chromium.ts';
import { NodeProcess } from '../tools/load/node-process.ts';
import { newSigner } from '../tools/load/signed-writes.ts';
import { inPage } from './proofs-page.ts';
import { rootRows } from './root-cost.ts';
import { type Row, row, type SuiteRun } from './row.ts';

const AGENTS = 2000;
/** Enough for a checkpoint: one is due every 100 vertices. */
const SMALL_AGENTS = 110;
const ROUNDS = 200;
const SMALL_ROUNDS = 20;
const PAGE = 50;

type Asked = readonly [kind: string, id: string];
/** Everything that checking needs, as a node gave it. */
interface Kept {
  genesis: unknown;
  checkpoints: unknown;
  /** Answers by the epoch that was asked from, in base 64, as `module`. */
  seals: Record<string, string>;
  module: string;
  asked: readonly Asked[];
  answers: Record<string, unknown>;
  /** The list of validators as the node shows it, without a proof. */
  validators: unknown;
  rounds: number;
}

type Library = Pick<typeof import('../host/audit/index.ts'), 'openProofs'>;

const pathOf = ([kind, id]: Asked): string =>
  id === '' ? `/v1/proof/${kind}?limit=${PAGE}` : `/v1/proof/${kind}/${id}`;

/** Median milliseconds of a check of each. Runs in a page, too: it uses nothing of this file. */
async function timesOf(kept: Kept, { openProofs: open }: Library): Promise<number[]> {
  const bytes = (text: string) => Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  const source = {
    genesis: async () => kept.genesis,
    seals: async (from: number) => bytes(kept.seals[from]!),
    checkpoints: async () => kept.checkpoints,
    document: async (path: string) => ({ body: kept.answers[path], order: '0' }),
  };
  const proofs = await open({
    source,
    modules: { ed25519: await WebAssembly.compile(bytes(kept.module)) },
    randomBytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
    pause: async () => {},
  });
  const found: number[] = [];
  for (const [kind, id] of kept.asked) {
    const times: number[] = [];
    for (let n = 0; n < kept.rounds; n++) {
      const begunMs = performance.now();
      const { documents, validators = documents } = await (id === ''
        ? proofs.list(kind as 'agents')
        : proofs.item(kind as 'agent', id));
      times.push(performance.now() - begunMs);
      if (validators.length === 0) throw new Error(`nothing was proven of ${kind} ${id}`);
    }
    found.push(times.sort((a, b) => a - b)[times.length >> 1]!);
  }
  return found;
}

/** Signatures count as good: Python has no Ed25519, and the module that has it is an extra of the package. */
const PROGRAM = `
import json, sys, time, types
package = types.ModuleType("vws")
package.__path__ = ["sdk/python/src/vws"]
sys.modules["vws"] = package
from vws import proof
class Verifier:
    def verify(self, public_key, message, signature):
        return True
kept = json.load(sys.stdin)
found = []
for kind, id, answer in kept["asked"]:
    statement = bytes.fromhex(answer["checkpoint"]["statement"])
    seats = proof.Seats({one["public_key"]: 1 for one in kept["signatures"]}, statement[40:72].hex())
    times = []
    for _ in range(kept["rounds"]):
        begun = time.perf_counter()
        proven = proof.check_proof(answer, kind, id, seats, Verifier(), signatures=kept["signatures"])
        times.append(1000 * (time.perf_counter() - begun))
        assert proven.documents or proven.validators
    found.append(sorted(times)[len(times) // 2])
json.dump(found, sys.stdout)
`;

function inPython(kept: Kept): number[] {
  const asked = kept.asked.map(([kind, id]) => [kind, id, kept.answers[pathOf([kind, id])]]);
  const signatures = (kept.checkpoints as { signatures: unknown }[])[0]!.signatures;
  const input = JSON.stringify({ asked, signatures, rounds: kept.rounds });
  return JSON.parse(execFileSync('python3', ['-c', PROGRAM], { input, maxBuffer: 1 << 26 }).toString());
}

/** All proofs of seals, up to the answer that has no more. */
async function allSeals(source: LogSource): Promise<Kept['seals']> {
  const all: Kept['seals'] = {};
  for (let from = 0; all[from] === undefined; ) {
    const bytes = await source.seals(from);
    all[from] = Buffer.from(bytes).toString('base64');
    const answer = decodeMessage(bytes);
    if (answer?.type === 'sealed') from += answer.proofs.length;
  }
  return all;
}

/** The answers of a node with so many agents. */
async function keep(node: NodeProcess, agents: number, rounds: number): Promise<Kept> {
  const baseUrl = `http://127.0.0.1:${node.port}`;
  const keys = Array.from({ length: agents }, newSigner);
  for (const key of keys) await new VwsClient({ baseUrl, key }).register();
  const agent = keys[0]!.publicKeyHex;
  const asked: Asked[] = [
    ['agent', agent],
    ['reputation', agent],
    ['agents', ''],
    ['validators', ''],
  ];
  const source: LogSource = new HttpSource(baseUrl, systemEnvironment);
  const answers: Kept['answers'] = {};
  for (const one of asked) answers[pathOf(one)] = (await source.document(pathOf(one))).body;
  const { checkpoint } = answers[pathOf(asked[0]!)] as { checkpoint: { height: number } };
  const checkpoints = await source.checkpoints(checkpoint.height - 1, 1);
  const module = readFileSync(builtPath(buildFor('ed25519')));
  return {
    genesis: await source.genesis(),
    checkpoints,
    seals: await allSeals(source),
    module: module.toString('base64'),
    asked,
    answers,
    validators: (await source.document('/v1/validators')).body,
    rounds,
  };
}

function sizeRows({ asked, answers, validators }: Kept, agents: number): Row[] {
  return asked.map((one) => {
    const answer = answers[pathOf(one)] as { documents: { text: string }[] };
    // Validators are rows of the core: what they are beside is the list that the node shows.
    const isRows = one[0] === 'validators';
    const alone = isRows
      ? JSON.stringify(validators).length
      : answer.documents.reduce((sum, { text }) => sum + text.length, 0);
    const bytes = gzipSync(JSON.stringify(answer)).length;
    const params = { kind: one[0], documents: answer.documents.length, agents };
    return row('proofs', 'size of an answer, with gzip', params, 'bytes', bytes, {
      name: isRows ? 'the list without a proof' : 'the documents alone',
      value: alone,
    });
  });
}

export async function run(suite: SuiteRun): Promise<Row[]> {
  const dir = await mkdtemp(join(tmpdir(), 'vws-bench-proofs-'));
  const agents = suite.many ?? (suite.small ? SMALL_AGENTS : AGENTS);
  const node = await NodeProcess.start({ dataDir: join(dir, 'data'), flags: ['--no-auth'] });
  try {
    const kept = await keep(node, agents, suite.small ? SMALL_ROUNDS : ROUNDS);
    const begunMs = systemClock.monotonicMs();
    const own = await timesOf(kept, { openProofs });
    suite.say(
      `  ${kept.rounds} checks of each kind took ${Math.round(systemClock.monotonicMs() - begunMs)} ms`,
    );
    const sides: [string, number[]][] = [['Python, without the signature', inPython(kept)]];
    const browser = findChromium();
    if (browser) {
      const { found, version } = await inPage(browser, timesOf, kept);
      sides.push([`Chromium ${version}`, found]);
    } else suite.say('  SKIPPED Chromium: it is not installed');
    const times = kept.asked.flatMap(([kind], i) =>
      sides.map(([where, found]) =>
        row('proofs', 'check of a proof', { kind, where, agents }, 'ms', found[i]!, {
          name: `Node ${process.versions.node}`,
          value: own[i]!,
        }),
      ),
    );
    return [...sizeRows(kept, agents), ...times, ...(await rootRows(suite.small))];
  } finally {
    await node.kill();
    await rm(dir, { recursive: true, force: true });
  }
}
