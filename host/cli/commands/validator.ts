// vws validator: POST /v1/validators, its resume, objections and rotate, and POST /v1/validator/recovery.

import type { Signer, VwsClient } from '../../client/index.ts';
import { parsePath } from '../../config/setting-values.ts';
import { KeyFileError } from '../../crypto/key-file.ts';
import { readNodeKeyFile } from '../../crypto/node-key-file.ts';
import { type Command, type CommandContext, optionText, optionTexts } from '../command.ts';
import { amountOption, JSON_OPTION, openClient, printAnswer, RESEND_OPTION } from '../connection.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { findPassphrase } from '../passphrase.ts';
import { publicKeyFrom } from '../public-key-text.ts';
import { needed, runVerb, type Verb } from '../verbs.ts';

const NAME = 'validator';

/** Errors: UsageError for what is not a public key. */
function publicKey(context: CommandContext, option: string): string {
  try {
    return publicKeyFrom(needed(context, option));
  } catch (cause) {
    throw new UsageError(`--${option}: ${(cause as Error).message}`, NAME);
  }
}

/** The node's key, if --data names its directory: the consensus key of its seat. Errors: KeyFileError. */
async function nodeSigner(context: CommandContext): Promise<Signer | undefined> {
  const data = optionText(context, 'data');
  if (data === undefined) return undefined;
  const passphrase = await findPassphrase(context, { isNew: false });
  if (passphrase === undefined) {
    throw new KeyFileError('no passphrase of the node key; give --passphrase-file or SERVICE_PASSPHRASE');
  }
  return readNodeKeyFile(parsePath(data), passphrase);
}

async function apply(context: CommandContext): Promise<ExitCode> {
  const categories = optionTexts(context, 'category');
  const max_fee = amountOption(context, 'max-fee');
  const body = {
    ...(categories.length > 0 && { categories: [...categories] }),
    ...(max_fee !== undefined && { max_fee }),
  };
  printAnswer(context, await openClient(context).validators.apply(body));
  return EXIT.DONE;
}

/** The validator of --id, else that of the key. */
function ownId(context: CommandContext, client: VwsClient): string {
  const id = optionText(context, 'id') ?? client.ownKey;
  if (id === undefined)
    throw new UsageError('name a validator with --id, or give your key file with --key', NAME);
  return id;
}

async function resume(context: CommandContext): Promise<ExitCode> {
  const client = openClient(context);
  printAnswer(context, await client.validators.resume(ownId(context, client)));
  return EXIT.DONE;
}

async function recovery(context: CommandContext): Promise<ExitCode> {
  const answer = await openClient(context).validators.setRecoveryKey({
    recovery_public_key: publicKey(context, 'public-key'),
    validator_id: optionText(context, 'id'),
  });
  printAnswer(context, answer);
  return EXIT.DONE;
}

async function rotate(context: CommandContext): Promise<ExitCode> {
  const newKey = publicKey(context, 'public-key');
  const client = openClient(context, await nodeSigner(context));
  printAnswer(context, await client.validators.rotate(needed(context, 'id'), { new_public_key: newKey }));
  return EXIT.DONE;
}

async function object(context: CommandContext): Promise<ExitCode> {
  const body = { reason: needed(context, 'reason') };
  printAnswer(context, await openClient(context).validators.object(needed(context, 'id'), body));
  return EXIT.DONE;
}

const judging =
  (announced: boolean) =>
  async (context: CommandContext): Promise<ExitCode> => {
    const client = openClient(context);
    printAnswer(context, await client.validators.judge(ownId(context, client), { announced }));
    return EXIT.DONE;
  };

const VERBS: Readonly<Record<string, Verb>> = {
  apply: { needs: [], run: apply },
  resume: { needs: [], run: resume },
  object: { needs: ['id', 'reason'], run: object },
  announce: { needs: [], run: judging(true) },
  withdraw: { needs: [], run: judging(false) },
  recovery: { needs: ['public-key'], run: recovery },
  rotate: { needs: ['id', 'public-key'], run: rotate },
};

export const validator: Command = {
  name: NAME,
  summary: 'become a validator, object to one, end a suspension, announce a judge, change keys of a seat',
  about: `apply     applies to become a validator; the agent of --key must have the required stake (see vws info),
          none of which can leave for 10 days from then on.
          Probation begins: 30 days with 50 decided verdicts on events that it was drawn for, of which 70 %
          agree with the outcome. Then 7 days for objections, and a place of the day.
resume    ends a suspension: after its cooldown, or once the stake is topped up.
object    objects to an applicant that passed probation, with a reason that is published. If those that
          object have more than a third of the verdict weight, its probation begins again.
announce  announces a judge: the validator may be drawn for panels that decide disputes, and is paid for each
          vote. A vote that it misses withdraws the judge.
withdraw  withdraws it; seats on panels that were drawn remain.
recovery  sets the recovery key, which rotates a seat's consensus key when the node's own is lost or stolen.
          Store it apart from the node. The first one takes effect at once, a later one after
          recovery_delay_secs.
rotate    gives a seat a new consensus key; signed by the node's own key (--data), or by the recovery key
          (--key). A rotation by the node's key takes effect at the next epoch, one by
          the recovery key after recovery_delay_secs. When that epoch begins, the node stops: put the new
          key into its data directory and start it again.`,
  words: Object.keys(VERBS).join('|'),
  options: [
    {
      name: 'category',
      value: 'name',
      help: 'apply: serve this category only (repeatable)',
      isRepeatable: true,
    },
    {
      name: 'max-fee',
      value: 'amount',
      help: 'apply: the most that the row may cost where more than half of them are used (default 0)',
    },
    {
      name: 'id',
      value: 'id',
      help: 'validator id, or agent id of its operator (default: that of the key; required for rotate and object)',
    },
    { name: 'reason', value: 'text', help: 'object: why it should not judge' },
    { name: 'public-key', value: 'pub file or hex64', help: 'recovery, rotate: the new key' },
    {
      name: 'data',
      value: 'path',
      help: 'rotate: sign with the node key of this data directory instead of --key',
    },
    { name: 'passphrase-file', value: 'path', help: 'rotate: passphrase of that node key' },
    RESEND_OPTION,
    JSON_OPTION,
  ],
  settings: 'client',
  examples: [
    'vws validator apply --key operator.key --category code --category data',
    'vws validator resume --key operator.key',
    "vws validator object --key operator.key --id fa5c20032b2250f0 --reason 'stake pooled from grants'",
    'vws validator recovery --key operator.key --public-key recovery.key.pub',
    'vws validator rotate --data ./node1 --id v1 --public-key 902313e1…d913',
    'vws validator rotate --key recovery.key --id v1 --public-key 902313e1…d913',
  ],
  run: (context) => runVerb(NAME, VERBS, context),
};
