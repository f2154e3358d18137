// vws api-key: keys that let a program write for an agent without signing, on one node of a testnet (protocol 4.9, 5.5).
// Keeps: a key itself is printed once and is in no argument: those are seen by other users and kept by shells.

import { type ApiKey, VwsError } from '../../client/index.ts';
import { SCOPES, type Scope } from '../../wire/operations/types.ts';
import { systemClock } from '../../world/system/clock.ts';
import { formatTokens } from '../amount.ts';
import { type Command, type CommandContext, optionTexts } from '../command.ts';
import {
  AGENT_OPTION,
  agentOf,
  integerOption,
  JSON_OPTION,
  openClient,
  pagingOf,
  pagingOptions,
  printAnswer,
  printList,
  RESEND_OPTION,
} from '../connection.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { formatTime, shortText } from '../output.ts';
import { needed, runVerb, type Verb } from '../verbs.ts';

const NAME = 'api-key';
const HEADS = ['Key ID', 'Name', 'Scopes', 'Writes/h', 'Deposit', 'Created', 'Expires'];
const MAX_NAME_CHARS = 40;
const KEY_PREFIX = 'vws_';

function scopesOf(context: CommandContext): Scope[] | undefined {
  const given = optionTexts(context, 'scope');
  const unknown = given.find((name) => !(SCOPES as readonly string[]).includes(name));
  if (unknown !== undefined)
    throw new UsageError(`--scope: "${unknown}" is not one of ${SCOPES.join(', ')}`, NAME);
  return given.length === 0 ? undefined : [...(given as Scope[])];
}

async function create(context: CommandContext): Promise<ExitCode> {
  const validFor = integerOption(context, 'valid-for', 1);
  const answer = await openClient(context).createApiKey({
    name: needed(context, 'name'),
    scopes: scopesOf(context),
    hourly_limit: integerOption(context, 'hourly-limit', 1),
    expires_at: validFor === undefined ? undefined : Math.floor(systemClock.nowMs() / 1000) + validFor,
  });
  printAnswer(context, answer);
  context.io.err(
    'Keep the key: it is not shown again. Programs send it as X-API-Key, vws as SERVICE_API_KEY.',
  );
  return EXIT.DONE;
}

/** There is no list of keys in the state: the agent's own events name those that it made. */
async function list(context: CommandContext): Promise<ExitCode> {
  const client = openClient(context);
  const query = {
    event_type: 'api_key_created',
    agent_id: agentOf(context, client),
    ...pagingOf(context),
  };
  const keys: ApiKey[] = [];
  for (const { event_id } of await client.recentEvents(query)) {
    const { payload } = await client.event(event_id);
    try {
      keys.push(await client.apiKey(String(payload.key_id)));
    } catch (error) {
      // Revoked, or expired.
      if (!(error instanceof VwsError && error.code === 'key_not_found')) throw error;
    }
  }
  printList(context, HEADS, keys, (key) => [
    key.key_id,
    shortText(key.name, MAX_NAME_CHARS),
    key.scopes.join(','),
    String(key.hourly_limit),
    formatTokens(key.deposit),
    formatTime(key.created_at),
    key.expires_at === undefined ? '-' : formatTime(key.expires_at),
  ]);
  return EXIT.DONE;
}

function idOf(context: CommandContext): string {
  const id = needed(context, 'id');
  if (id.startsWith(KEY_PREFIX))
    throw new UsageError('this is a key itself: name it by its id, which vws api-key list shows', NAME);
  return id;
}

async function show(context: CommandContext): Promise<ExitCode> {
  const id = idOf(context);
  printAnswer(context, await openClient(context).apiKey(id));
  return EXIT.DONE;
}

async function revoke(context: CommandContext): Promise<ExitCode> {
  const id = idOf(context);
  printAnswer(context, await openClient(context).revokeApiKey(id));
  return EXIT.DONE;
}

const VERBS: Readonly<Record<string, Verb>> = {
  create: { takes: 'name', needs: ['name'], run: create },
  list: { needs: [], run: list },
  show: { takes: 'id', needs: ['id'], run: show },
  revoke: { takes: 'id', needs: ['id'], run: revoke },
};

export const apiKey: Command = {
  name: NAME,
  summary: 'make, list and revoke API keys, with which a program writes without signing',
  about: `Testnet only. An API key lets whoever has it write as its owner at the node that made it, without a
signature: give it the fewest scopes and a short life. It cannot register, make keys or rotate any.
create  makes one at --node and prints it, once. Costs a deposit, which comes back when it ends.
list    those that an agent made, by default yours, without those that were revoked or have expired.
show    one key: scopes, limit, deposit.
revoke  ends one.`,
  words: Object.keys(VERBS).join('|'),
  maxWords: 2,
  options: [
    { name: 'name', value: 'text', help: 'create: a label, at most 64 bytes, public' },
    { name: 'scope', value: 'word', help: `create: ${SCOPES.join(' ')} (default *)`, isRepeatable: true },
    { name: 'valid-for', value: 'secs', help: 'create: its life (default: until it is revoked)' },
    { name: 'hourly-limit', value: 'n', help: 'create: writes per hour, 1..1000 (default 1000)' },
    { name: 'id', value: 'id', help: 'show, revoke: its key_id, not the key' },
    { ...AGENT_OPTION, help: 'list: whose; agent id or hex64 key, default: the key of --key' },
    ...pagingOptions('list'),
    RESEND_OPTION,
    JSON_OPTION,
  ],
  settings: 'client',
  examples: [
    'vws api-key create --key alice.key "build server" --scope tasks --valid-for 86400',
    'vws api-key list --key alice.key',
    'vws api-key revoke --key alice.key 40a245efedae4852',
  ],
  run: (context) => runVerb(NAME, VERBS, context),
};
