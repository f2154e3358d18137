// vws check: makes, compiles and tests checks, and runs one on a delivery (protocol 14.2).

import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseInteger } from '../../config/setting-values.ts';
import { useNativeHash } from '../../crypto/native-hash.ts';
import { fuelWeight } from '../../execution/contracts.ts';
import { programFacts } from '../../programs/admit.ts';
import { DEFAULT_FUEL, MAX_FUEL, memoryWeight } from '../../programs/limits.ts';
import { memoryPagesOf } from '../../programs/module.ts';
import { InlineRunner } from '../../programs/runner.ts';
import { toBase64 } from '../../wire/base64.ts';
import { fromHex, toHex } from '../../wire/bytes.ts';
import { sha256Hex } from '../../wire/hash.ts';
import { randomBytes } from '../../world/system/random.ts';
import { compileProject, packagePath } from '../check/compile.ts';
import { type Judged, judgeExamples } from '../check/examples.ts';
import { readProject } from '../check/project.ts';
import { findProgram, judge, objectFrom, programOf, readDelivery } from '../check/subject.ts';
import { type Command, type CommandContext, isSwitchOn, optionText } from '../command.ts';
import { JSON_OPTION, openClient, printAnswer } from '../connection.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { printJson, printTable } from '../output.ts';
import { needed, runVerb, type Verb } from '../verbs.ts';

/** The folder that a new check is a copy of. */
const START = 'examples/checks/start';
const MADE = 'build/check.wasm';
const HEADS = ['Example', 'Must', 'Ended', 'Score', 'Fuel', 'Reason', ''];
const SEED_CHARS = 64;
const NO_SEED = new Uint8Array(0);
/** What the second word is. */
const FOLDER = 'folder';

const folderOf = (context: CommandContext): string => optionText(context, FOLDER) ?? '.';

const create: Verb = {
  takes: FOLDER,
  needs: [],
  async run(context) {
    const folder = optionText(context, FOLDER);
    if (folder === undefined) throw new UsageError('check new needs a name', 'check');
    if (existsSync(folder)) throw new UsageError(`${folder} exists; it is not overwritten`, 'check');
    cpSync(packagePath(START), folder, { recursive: true });
    printAnswer(context, { check: folder, next: `cd ${folder}; vws check test` });
    return EXIT.DONE;
  },
};

const build: Verb = {
  takes: FOLDER,
  needs: [],
  async run(context) {
    const project = readProject(folderOf(context));
    if (project.source === undefined)
      throw new UsageError('check.json names a program, so there is nothing to build', 'check');
    const { program, compiler } = await compileProject(project);
    const { memoryPages, codeBytes, compileWork, ...facts } = programFacts(program);
    const path = join(project.folder, MADE);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, program);
    printAnswer(context, {
      program: sha256Hex(program),
      file: path,
      ...facts,
      code_bytes: codeBytes,
      memory_pages: memoryPages,
      fuel_weight: memoryWeight(memoryPages),
      compile_work: compileWork,
      compiler,
    });
    return EXIT.DONE;
  },
};

const cellsOf = ({ example, end, scoreBps, fuel, reason, fault }: Judged): string[] => [
  example.name,
  example.must,
  end,
  String(scoreBps),
  String(fuel),
  reason,
  fault === '' ? '' : `<- ${fault}`,
];

const test: Verb = {
  takes: FOLDER,
  needs: [],
  async run(context) {
    const { io } = context;
    const project = readProject(folderOf(context));
    const program = await programOf(project);
    const judged = judgeExamples(project, program);
    const right = judged.filter(({ fault }) => fault === '').length;
    const isRight = right === judged.length;
    const hash = sha256Hex(program);
    const weight = fuelWeight(hash, () => program);
    if (isSwitchOn(context, 'json')) {
      const examples = judged.map(({ example, end, scoreBps, reason, fuel, fault }) => {
        const outcome = { end, score_bp: scoreBps, reason, fuel };
        return { example: example.name, must: example.must, ...outcome, fault };
      });
      printJson(io, {
        program: hash,
        fuel_limit: project.fuel ?? DEFAULT_FUEL,
        fuel_weight: weight,
        is_right: isRight,
        examples,
      });
    } else {
      printTable(io, HEADS, judged.map(cellsOf));
      const most = Math.max(...judged.map(({ fuel }) => fuel));
      const counted =
        weight === 1
          ? ''
          : `, which a contract counts ${weight} times, for ${memoryPagesOf(program)} pages of memory`;
      io.out(
        `${right} of ${judged.length} as they must be; most fuel ${most} of ${project.fuel ?? DEFAULT_FUEL}${counted}`,
      );
    }
    return isRight ? EXIT.DONE : EXIT.FAILED;
  },
};

function seedOf(context: CommandContext): Uint8Array | undefined {
  const text = optionText(context, 'seed');
  if (text === undefined) return undefined;
  const seed = fromHex(text);
  if (seed === undefined || text.length !== SEED_CHARS)
    throw new UsageError('--seed: not 64 hex digits', 'check');
  return seed;
}

function fuelOf(context: CommandContext): number | undefined {
  const text = optionText(context, 'fuel');
  return text === undefined ? undefined : parseInteger(text, '--fuel', 1, MAX_FUEL);
}

/** A program on a delivery, without a node. */
function runProgram(context: CommandContext, delivery: Uint8Array): ExitCode {
  const named = optionText(context, 'program');
  if (named === undefined) throw new UsageError('check run needs --program or --task', 'check');
  const program = findProgram(named);
  const fuel = fuelOf(context);
  const parameters = objectFrom(optionText(context, 'parameters') ?? '{}', 'parameters');
  const fields = objectFrom(optionText(context, 'fields') ?? '{}', 'fields');
  const what = { program, parameters, fields, seed: seedOf(context) ?? NO_SEED, fuel };
  const outcome = judge(new InlineRunner(), what, delivery);
  printAnswer(context, {
    program: sha256Hex(program),
    end: outcome.end,
    score_bp: outcome.scoreBps,
    reason: outcome.reason,
    fuel: outcome.fuel,
    fuel_limit: fuel ?? DEFAULT_FUEL,
  });
  return outcome.end === 'pass' ? EXIT.DONE : EXIT.FAILED;
}

/** The whole contract of a task on a delivery, as the node runs it. */
async function runContract(context: CommandContext, task: string, delivery: Uint8Array): Promise<ExitCode> {
  for (const name of ['program', 'parameters', 'fields', 'fuel']) {
    if (optionText(context, name) !== undefined)
      throw new UsageError(`check run: the contract of --task has its own ${name}`, 'check');
  }
  const seed = seedOf(context) ?? randomBytes(SEED_CHARS / 2);
  const ran = await openClient(context).tasks.tryContract(task, delivery, seed);
  if (!ran) throw new Error(`task ${task} has no contract: its poster, or judges, decide`);
  const { isSeeded, ...report } = ran;
  printAnswer(context, { task, ...report, ...(isSeeded ? { seed: toHex(seed) } : {}) });
  if (isSeeded && !isSwitchOn(context, 'json'))
    context.io.out('The seed is one of this run: the block that orders the submission gives another.');
  return report.passed ? EXIT.DONE : EXIT.FAILED;
}

const run: Verb = {
  needs: ['delivery'],
  async run(context): Promise<ExitCode> {
    const delivery = readDelivery(needed(context, 'delivery'));
    const task = optionText(context, 'task');
    return task === undefined ? runProgram(context, delivery) : runContract(context, task, delivery);
  },
};

const publish: Verb = {
  takes: FOLDER,
  needs: [],
  async run(context) {
    const named = optionText(context, 'program');
    const program =
      named === undefined ? await programOf(readProject(folderOf(context))) : findProgram(named);
    // What no node would admit costs no request.
    programFacts(program);
    printAnswer(context, await openClient(context).programs.publish({ module: toBase64(program) }));
    return EXIT.DONE;
  },
};

const VERBS: Readonly<Record<string, Verb>> = { new: create, build, test, publish, run };

export const check: Command = {
  name: 'check',
  summary: 'make, compile and test checks of deliveries; run one',
  about: `A check is a program that decides whether a delivery is what was agreed (protocol 14.2).
  new <name>      makes a folder with a check: source, examples, a text that explains it
  build [folder]  compiles it; shows the program's hash, which is its name, and what its limits count
  test [folder]   compiles it and runs it on its good and bad examples; exit 1 unless all are right
  publish [folder]
                  stores it (or --program) on the network, so that contracts can name it by its hash; costs
                  a fee by the byte
  run             runs --program, or the contract of --task, on --delivery, as a worker does before it
                  submits; exit 1 unless it passes
A program is a file, or a standard check by name or hash:
equals, size, contains, number, json-shape, regex, csv.`,
  words: Object.keys(VERBS).join('|'),
  maxWords: 2,
  settings: 'client',
  options: [
    { name: 'program', value: 'file, name or hash', help: 'run, publish: the program' },
    { name: 'task', value: 'id', help: 'run: the task whose contract is run' },
    { name: 'parameters', value: 'json or file', help: 'run: its parameters [default {}]' },
    { name: 'delivery', value: 'file', help: 'run: what is delivered' },
    {
      name: 'fields',
      value: 'json or file',
      help: "run: the task's fields that the contract states [default {}]",
    },
    { name: 'seed', value: 'hex64', help: 'run: the seed of a seeded check [default none]' },
    { name: 'fuel', value: 'n', help: `run: what it may use [default ${DEFAULT_FUEL}]` },
    JSON_OPTION,
  ],
  examples: [
    'vws check new invoices',
    'vws check test invoices',
    'vws check publish invoices --key poster.key',
    'vws check run --task 5f0c9d1e2b3a4c5d6e7f8091a2b3c4d5 --delivery answer.json',
    'vws check run --program regex --parameters \'{"pattern":"[A-Z]+"}\' --delivery answer.txt',
  ],
  run(context) {
    useNativeHash();
    return runVerb('check', VERBS, context);
  },
};
