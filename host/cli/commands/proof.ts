// vws proof: proves a document, that there is none, or a list, under a state root that the seats signed.

import { inTime } from '../../audit/in-time.ts';
import { LogFault, openProofs, type Proofs, type Proven, partsOf } from '../../audit/index.ts';
import { HttpSource, type LogSource } from '../../audit/source.ts';
import { systemEnvironment } from '../../client/environment.ts';
import { loadClientSettings } from '../../config/config.ts';
import { buildFor } from '../../core/simd.ts';
import { isRowKind } from '../../core/state-rows.ts';
import { useNativeHash } from '../../crypto/native-hash.ts';
import { PROOF_ITEMS, PROOF_LISTS, type ProofItem, type ProofList } from '../../wire/proof-kinds.ts';
import { pauseUntil } from '../../world/clock.ts';
import { systemClock } from '../../world/system/clock.ts';
import { systemProgram } from '../../world/system/files.ts';
import { type Command, type CommandContext, isSwitchOn, optionText } from '../command.ts';
import { integerOption, JSON_OPTION } from '../connection.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { formatTime, plainText, printJson, printObject } from '../output.ts';

interface Answer extends Omit<Proven, 'genesisHash'> {
  genesis_hash: string;
  kind: string;
  parts?: Record<string, unknown> | undefined;
}

const NOT_SHOWN =
  'not proven  rows of the core: the node cannot show them as they were. Ask again after the next checkpoint';

/** As long as the node may take for all of its answers. */
const MAX_SECS = 60;

async function open(context: CommandContext, source: LogSource, stop: AbortSignal): Promise<Proofs> {
  return openProofs({
    source,
    modules: { ed25519: await systemProgram.module(buildFor('ed25519')) },
    genesisHash: optionText(context, 'genesis'),
    randomBytes: systemEnvironment.randomBytes,
    pause: (ms) => pauseUntil(systemClock, ms, stop),
  });
}

/** Errors: VwsError when the node has not answered in time. */
function askInTime(context: CommandContext): Promise<Answer> {
  const source = new HttpSource(loadClientSettings(context).nodeUrl, systemEnvironment);
  const ms = (integerOption(context, 'max-seconds', 1) ?? MAX_SECS) * 1000;
  return inTime({ clock: systemClock, source, ms }, (bounded, stop) =>
    ask(context, () => open(context, bounded, stop)),
  );
}

async function ask(context: CommandContext, opened: () => Promise<Proofs>): Promise<Answer> {
  const [kind = '', id] = [context.words[0], optionText(context, 'id')];
  if (PROOF_LISTS.some((name) => name === kind)) {
    if (id !== undefined) throw new UsageError(`${kind} is a list: it takes no --id`, 'proof');
    return answerOf(kind, await (await opened()).whole(kind as ProofList));
  }
  if (!PROOF_ITEMS.some((name) => name === kind) || id === undefined) {
    const kinds = `${PROOF_ITEMS.join(', ')} with --id, or ${PROOF_LISTS.join(', ')}`;
    throw new UsageError(`say what to prove: ${kinds}`, 'proof');
  }
  const proven = await (await opened()).item(kind as ProofItem, id);
  return { ...answerOf(kind, proven), parts: partsOf(kind as ProofItem, proven) };
}

const answerOf = (kind: string, { genesisHash: genesis_hash, ...proven }: Proven): Answer => ({
  genesis_hash,
  kind,
  ...proven,
});

function printRows(io: CommandContext['io'], rows: Proven['rows']): void {
  const { account, reputation, validator } = rows ?? {};
  if (!rows) io.out(NOT_SHOWN);
  else if (account) printObject(io, account);
  else if (validator) printObject(io, validator);
  else if (!reputation) io.out('proven      it operates no validator');
  for (const record of reputation?.records ?? []) printObject(io, record);
  if (reputation?.has_more) io.out('not shown   records of more categories');
}

/** Of an event that is not under the root. `id`: as it was asked for. */
function printNotOpen(io: CommandContext['io'], id: string, seq: number | undefined): void {
  io.out(`proven      event number ${seq ?? id} is not open: it is over, or there is none`);
  if (seq === undefined) return;
  io.out(
    'not proven  that this is the number of that id: the node says so. Ask by the number, if you know it',
  );
}

/** Rows that the node cannot show are not proven, nor is the number that it gives for an event's id. */
function exitOf({ kind, documents, rows, seq }: Answer): ExitCode {
  if (documents.length > 0 && isRowKind(kind) && !rows) return EXIT.NOT_COMPARABLE;
  return kind === 'event' && documents.length === 0 && seq !== undefined ? EXIT.AS_THE_NODE_SAYS : EXIT.DONE;
}

/** What was proven. */
function printProven(io: CommandContext['io'], answer: Answer, id: string): void {
  const { kind, documents, rows, validators, seq } = answer;
  if (validators) {
    io.out(`proven      ${validators.length} validators, and there are no others`);
    for (const validator of validators) printObject(io, validator);
    return;
  }
  if (kind === 'event' && documents.length === 0) {
    printNotOpen(io, id, seq);
    return;
  }
  io.out(documents.length === 0 ? 'proven      there is none' : `proven      ${documents.length} documents`);
  for (const { text } of documents) io.out(plainText(text));
  if (documents.length > 0 && isRowKind(kind)) printRows(io, rows);
}

function print(context: CommandContext, answer: Answer): void {
  const { io } = context;
  const isPinned = optionText(context, 'genesis') !== undefined;
  const { genesis_hash, height, order, timeMs, stateRoot } = answer;
  io.out(
    `network     ${genesis_hash}${isPinned ? '' : ' (as the node says: compare it, or give --genesis)'}`,
  );
  const time = formatTime(Math.floor(timeMs / 1000));
  io.out(`checkpoint  ${height}, signed by a quorum, up to order ${order}, of ${time}`);
  io.out(`state       ${stateRoot}`);
  printProven(io, answer, optionText(context, 'id') ?? '');
}

export const proof: Command = {
  name: 'proof',
  summary: 'prove a document, or that there is none, under a signed root',
  about: `Asks the node given by --node for a proof under the state root of its newest checkpoint, and checks the path
to the root and the signatures of the seats, which it follows from genesis. Takes milliseconds, where an audit
computes everything again. Proves one document (agent, task, listing, result, or an open event), with --id, or
that there is none (of an event: that it is not open); of an agent its account, its reputation (by category)
or the validator that it operates; or a list (agents, listings, open_tasks, open_events, validators), of which
none is left out. Shows what was true at that checkpoint: look at its time. The exit code is 1 if the proof
does not hold, 8 if the node cannot show the rows of an agent as they were, and 7 if an event's id stands for
the number that is not open by the node's word alone.`,
  words: 'kind',
  options: [
    { name: 'id', value: 'id', help: 'of the agent, task or event (or its seq)' },
    { name: 'genesis', value: 'hash', help: 'genesis hash of the network, 64 hex characters' },
    { name: 'max-seconds', value: 'secs', help: `time for all answers of the node; default ${MAX_SECS}` },
    JSON_OPTION,
  ],
  settings: 'client',
  examples: ['vws proof task --id 5f1c...', 'vws proof open_tasks --genesis 9d20...'],
  async run(context): Promise<ExitCode> {
    useNativeHash();
    try {
      const answer = await askInTime(context);
      if (isSwitchOn(context, 'json')) printJson(context.io, answer);
      else print(context, answer);
      return exitOf(answer);
    } catch (error) {
      if (error instanceof TypeError) throw new UsageError(error.message, 'proof');
      if (!(error instanceof LogFault)) throw error;
      context.io.out(plainText(`LIE         ${error.kind}: ${error.message}`));
      return EXIT.FAILED;
    }
  },
};
