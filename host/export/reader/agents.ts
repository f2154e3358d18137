// Agents in an export: who a name means, balances, addresses, validators (protocol 3.1, 3.9).

import { addressObject, balanceObject } from '../../api/handlers/agents.ts';
import type { ReadArgs, Reply } from '../../api/route.ts';
import { ServiceError } from '../../errors.ts';
import { decodeAddress, formatAddress } from '../../wire/address.ts';
import { fromHex, toHex } from '../../wire/bytes.ts';
import { normalName } from '../../wire/category.ts';
import { chainIdOf } from '../../wire/chain-id.ts';
import { agentKey } from '../../wire/ids.ts';
import { Conditions, document, documentsOf } from './answers.ts';
import type { Snapshot } from './snapshot.ts';

interface AgentRow {
  id: string;
  public_key: string | null;
}

/** The agent of an agent_id or hex key. */
async function find(s: Snapshot, name: string): Promise<AgentRow | undefined> {
  const key = toHex(agentKey(name));
  const [row] = await s.rows<AgentRow>(
    'select id, public_key from agent where key = $1 or public_key = $1 limit 1',
    [key],
  );
  return row;
}

/** Its agent_id; undefined for an unknown agent. */
export const agentIdOf = async (s: Snapshot, name: string): Promise<string | undefined> =>
  (await find(s, name))?.id;

/** Error: 404 agent_not_found. */
export async function knownAgent(s: Snapshot, name: string): Promise<AgentRow> {
  const agent = await find(s, name);
  if (!agent) throw new ServiceError('agent_not_found');
  return agent;
}

export async function balance(s: Snapshot, { path }: ReadArgs): Promise<Reply> {
  const { id } = await knownAgent(s, path.id!);
  const rows = await s.rows<{ account: string; balance: number }>(
    'select account, balance from account where account = any($1)',
    [['balance', 'stake', 'escrow'].map((part) => `agent:${id}:${part}`)],
  );
  const held = (part: string): number =>
    rows.find(({ account }) => account === `agent:${id}:${part}`)?.balance ?? 0;
  return {
    body: balanceObject(id, { balance: held('balance'), staked: held('stake'), reserved: held('escrow') }),
  };
}

async function isTestnet(s: Snapshot): Promise<boolean> {
  const [row] = await s.rows<{ chain: string }>(
    "select doc->>'chain_id' as chain from summary where id = 'log_genesis'",
  );
  return row?.chain === chainIdOf(true);
}

export async function address(s: Snapshot, { path }: ReadArgs): Promise<Reply> {
  const { id, public_key: key } = await knownAgent(s, path.id!);
  return { body: addressObject(id, key === null ? undefined : fromHex(key), await isTestnet(s)) };
}

export async function byAddress(s: Snapshot, { path }: ReadArgs): Promise<Reply> {
  const isTest = await isTestnet(s);
  const bytes = decodeAddress(path.address!, isTest);
  const [row] = bytes
    ? await s.rows<AgentRow>('select id, public_key from agent where address = $1', [
        formatAddress(bytes, isTest),
      ])
    : [];
  if (!row) throw new ServiceError('address_not_found');
  return { body: addressObject(row.id, fromHex(row.public_key!), isTest) };
}

/** Id of the validator that its id, or the name of its agent, means. */
export async function validatorIdOf(s: Snapshot, name: string): Promise<string | undefined> {
  const agent = await agentIdOf(s, name);
  const [row] = await s.rows<{ id: string }>(
    'select id from validator where id = $1 or agent = $2 order by (id = $1) desc limit 1',
    [name, agent ?? ''],
  );
  return row?.id;
}

export function validators(s: Snapshot, { query, page }: ReadArgs): Promise<Reply> {
  const category = query.category === undefined ? undefined : normalName(String(query.category));
  const where = new Conditions()
    .add('status = ?', query.status)
    .add("(doc->>'categories' = '[]' or doc::jsonb->'categories' @> to_jsonb(?::text))", category);
  return documentsOf(s, { table: 'validator', where, sortedBy: ['registered_at', 'asc'], page });
}

export async function validator(s: Snapshot, { path }: ReadArgs): Promise<Reply> {
  const id = await validatorIdOf(s, path.id!);
  const [row] =
    id === undefined ? [] : await s.rows<{ doc: string }>('select doc from validator where id = $1', [id]);
  if (!row) throw new ServiceError('validator_not_found');
  return document(row.doc);
}
