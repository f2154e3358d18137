// The agents of the demo, and the figures that its acts compare with.
// Keeps: every run has new keys, so that the demo can be repeated on one node.

import { join } from 'node:path';
import { type Signer, signerFromSeed, VwsClient } from '../host/client/index.ts';
import { readClientKeyFile } from '../host/crypto/client-key-file.ts';
import { generateSeed } from '../host/crypto/key-pair.ts';
import { DemoFault, type Report, tokens } from './demo-report.ts';

export const TOKEN = 1_000_000;

export interface Cast {
  alice: VwsClient;
  bob: VwsClient;
  carol: VwsClient;
  dave: VwsClient;
  /** Acts with the key of the validator's operator. */
  validator: VwsClient;
}

export interface Play {
  report: Report;
  cast: Cast;
  /** A new category for each run, in which nobody else works. */
  category: string;
  /** Base fees of the run so far, in micro-units. */
  feesMicro: number;
}

/** `data`: the directory of the node, which holds its operator's key. Errors: KeyFileError. */
export function gather(node: string, data: string, report: Report): Play {
  const client = (key: Signer): VwsClient => new VwsClient({ baseUrl: node, key });
  const alice = client(signerFromSeed(generateSeed()));
  return {
    report,
    cast: {
      alice,
      bob: client(signerFromSeed(generateSeed())),
      carol: client(signerFromSeed(generateSeed())),
      dave: client(signerFromSeed(generateSeed())),
      validator: client(readClientKeyFile(join(data, 'operator.key'))),
    },
    category: `harbour-${idOf(alice).slice(0, 8)}`,
    feesMicro: 0,
  };
}

export const idOf = (client: VwsClient): string => client.ownKey as string;
export const short = (id: string): string => `${id.slice(0, 8)}…${id.slice(-4)}`;
export const freeOf = async (client: VwsClient): Promise<number> =>
  (await client.balance(idOf(client))).balance;
export const treasuryOf = async (client: VwsClient): Promise<number> =>
  (await client.economics()).treasury_balance;

/** Base fee and its split, in micro-units. Source: protocol 6.2. */
export function feeOf(amountMicro: number): { fee: number; voters: number; treasury: number } {
  const fee = Math.floor((amountMicro * 10) / 10_000);
  const voters = Math.floor((fee * 8_000) / 10_000);
  return { fee, voters, treasury: fee - voters };
}

/**
 * Registers one of the cast and stakes. `needMicro`: the balance it needs afterwards.
 * Errors: DemoFault if the grant is too small.
 */
export async function enter(
  { report }: Play,
  name: string,
  client: VwsClient,
  stakeMicro: number,
  needMicro: number,
): Promise<void> {
  const { onboarding_next_grant: grant } = await client.economics();
  if (grant < stakeMicro + needMicro) {
    throw new DemoFault(`the onboarding grant is down to ${tokens(grant)} tokens: start over with new data`);
  }
  const joined = await client.register({ display_name: name });
  report.say(`${name}: agent ${short(joined.agent_id)}, address ${joined.deposit_address}`);
  report.checked(`${name} is granted`, joined.onboarding_allocation, grant);
  const staked = await client.stake({ amount: stakeMicro });
  report.checked(
    `${name} stakes`,
    staked.staked_amount,
    stakeMicro,
    'which is its limit for pending transfers',
  );
  report.expect(`trust limit of ${name}`, staked.trust_limit, stakeMicro);
  report.checked(`${name} has left`, staked.balance, grant - stakeMicro);
}
