// The demo: real signed work settles on a running `npm start` node, and every figure is checked.
// Two agents register and stake; one pays the other; a claim is recognised in part; a transfer is
// rejected. Every run uses two new keys, so it can be run again and again.
// Changes nothing but through signed requests; the verdicts are the validator operator's.

import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Signer, VwsClient, VwsError } from '../host/client/index.ts';
import { readClientKeyFile } from '../host/crypto/client-key-file.ts';
import { generateSeed, keyPairFromSeed } from '../host/crypto/key-pair.ts';
import { type Books, readBooks, sumMicro, TOTAL_SUPPLY_MICRO } from './demo-books.ts';
import { DemoFault, Report, tokens } from './demo-report.ts';

const TOKEN = 1_000_000;
const ALICE_STAKE = 1_000 * TOKEN;
const BOB_STAKE = 500 * TOKEN;
const PAYMENT = 12_345_678;
const CLAIMED = 80 * TOKEN;
const RECOGNISED = 60 * TOKEN;
const BAD_PAYMENT = 5 * TOKEN;

interface Cast {
  alice: VwsClient;
  bob: VwsClient;
  /** Acts with the key of the validator's operator. */
  validator: VwsClient;
}

/** Base fee and the voters' part of it, in micro-units. Source: DECISIONS 6.2. */
function feeOf(amountMicro: number): { fee: number; voters: number; treasury: number } {
  const fee = Math.floor((amountMicro * 10) / 10_000);
  const voters = Math.floor((fee * 8_000) / 10_000);
  return { fee, voters, treasury: fee - voters };
}

const freeOf = async (client: VwsClient): Promise<number> => (await client.balance(idOf(client))).balance;
const idOf = (client: VwsClient): string => client.ownKey as string;
const short = (id: string): string => `${id.slice(0, 8)}…${id.slice(-4)}`;

async function meet(report: Report, cast: Cast): Promise<Books> {
  report.step('The node');
  const status = await cast.validator.status();
  const state = await cast.validator.networkState();
  report.say(`version ${status.version}, chain ${status.chain_id}, order ${status.order}`);
  report.say(
    `validator ${status.validator_id} is ${status.validator_status}, operator ${short(status.agent_id)}`,
  );
  report.expect('seats of the network', state.seats, 1);
  report.expect('operator of the seat', status.agent_id, idOf(cast.validator));
  return await readBooks(cast.validator);
}

async function enter(report: Report, cast: Cast): Promise<{ aliceFree: number; bobFree: number }> {
  report.step('Alice and Bob register and stake');
  const free: number[] = [];
  for (const [name, client, stake] of [
    ['Alice', cast.alice, ALICE_STAKE],
    ['Bob', cast.bob, BOB_STAKE],
  ] as const) {
    const { onboarding_next_grant: grant } = await client.economics();
    if (grant < stake + CLAIMED) {
      throw new DemoFault(
        `the onboarding grant is down to ${tokens(grant)} tokens: start over with new data`,
      );
    }
    const joined = await client.register({ display_name: name });
    report.say(`${name}: agent ${short(joined.agent_id)}, address ${joined.deposit_address}`);
    report.checked(`${name} is granted`, joined.onboarding_allocation, grant);
    const staked = await client.stake({ amount: stake });
    report.checked(
      `${name} stakes`,
      staked.staked_amount,
      stake,
      'and may have as much in pending transfers',
    );
    report.expect(`trust limit of ${name}`, staked.trust_limit, stake);
    report.checked(`${name} has left`, staked.balance, grant - stake);
    free.push(staked.balance);
  }
  const [aliceFree = 0, bobFree = 0] = free;
  return { aliceFree, bobFree };
}

async function pay(report: Report, cast: Cast, free: { aliceFree: number; bobFree: number }): Promise<void> {
  const { alice, bob, validator } = cast;
  report.step(`Alice pays Bob ${tokens(PAYMENT)}, the validator approves`);
  const validatorFree = await freeOf(validator);
  const { treasury_balance: treasury } = await validator.economics();
  const { fee, voters, treasury: rest } = feeOf(PAYMENT);

  const sent = await alice.transfer({ to_agent: idOf(bob), amount: PAYMENT, memo: 'invoice 7' });
  report.say(
    `transfer ${short(sent.event_id)} is pending until ${new Date(sent.deadline * 1000).toISOString()}`,
  );
  const waiting = await validator.pending({ event_type: 'transfer', agent_id: idOf(alice) });
  report.expect('pending transfers of Alice', waiting.map((event) => event.event_id).join(), sent.event_id);
  report.checked('held from Alice', (await alice.balance(idOf(alice))).reserved, PAYMENT);
  report.checked('Bob, before the verdict', await freeOf(bob), free.bobFree);

  const verdict = await validator.verify({ event_id: sent.event_id, verdict: true });
  report.expect('status after the verdict', verdict.status, 'settled');
  report.checked('fee (0.1 %)', (await validator.event(sent.event_id)).fee ?? 0, fee);
  report.checked('Bob gets', (await freeOf(bob)) - free.bobFree, PAYMENT - fee, 'amount less fee');
  report.checked('the validator gets', (await freeOf(validator)) - validatorFree, voters, '80 % of the fee');
  const { treasury_balance: treasuryNow } = await validator.economics();
  report.checked('the treasury gets', treasuryNow - treasury, rest, 'the rest, every remainder included');
  report.checked('Alice has left', await freeOf(alice), free.aliceFree - PAYMENT);
}

async function recognise(report: Report, cast: Cast): Promise<void> {
  const { bob, validator } = cast;
  report.step(`Bob claims work worth ${tokens(CLAIMED)}, the validator recognises ${tokens(RECOGNISED)}`);
  const bobFree = await freeOf(bob);
  const validatorFree = await freeOf(validator);
  const before = await validator.economics();
  const { fee, voters, treasury } = feeOf(RECOGNISED);

  const claim = await bob.generation({
    claimed_value: CLAIMED,
    evidence_hash: `sha256:${'42'.repeat(32)}`,
    task_description: 'translation of a manual, 40 pages',
  });
  report.say(`claim ${short(claim.event_id)} is pending; no tokens are made or moved by it`);
  const verdict = await validator.verify({
    event_id: claim.event_id,
    verdict: true,
    verified_value: RECOGNISED,
  });
  report.expect('status after the verdict', verdict.status, 'settled');
  report.checked('recognised', verdict.verified_value ?? 0, RECOGNISED);
  report.checked('fee, paid by Bob', bobFree - (await freeOf(bob)), fee, '0.1 % of what was recognised');
  report.checked('the validator gets', (await freeOf(validator)) - validatorFree, voters);
  const after = await validator.economics();
  report.checked('the treasury gets', after.treasury_balance - before.treasury_balance, treasury);
  report.checked(
    'work recognised so far',
    after.total_generated_value,
    before.total_generated_value + RECOGNISED,
  );
}

async function reject(report: Report, cast: Cast): Promise<void> {
  const { alice, bob, validator } = cast;
  report.step(`Alice sends ${tokens(BAD_PAYMENT)} more, the validator rejects it`);
  const aliceFree = await freeOf(alice);
  const bobFree = await freeOf(bob);
  const { treasury_balance: treasury } = await validator.economics();

  const sent = await alice.transfer({ to_agent: idOf(bob), amount: BAD_PAYMENT, memo: 'not owed' });
  const verdict = await validator.verify({ event_id: sent.event_id, verdict: false });
  report.expect('status after the verdict', verdict.status, 'adjusted');
  report.checked('Alice, whole amount back', await freeOf(alice), aliceFree);
  report.checked('Bob, unchanged', await freeOf(bob), bobFree);
  report.checked(
    "Alice's stake",
    (await alice.stakeInfo(idOf(alice))).staked_amount,
    0,
    'lost: the price of it',
  );
  const { treasury_balance: treasuryNow } = await validator.economics();
  report.checked('the treasury gets the stake', treasuryNow - treasury, ALICE_STAKE);
}

async function close(report: Report, cast: Cast, before: Books): Promise<void> {
  report.step('Balances and fees');
  for (const [name, client] of Object.entries(cast)) {
    const { balance, staked_amount: staked } = await client.balance(idOf(client));
    report.figure(`${name.charAt(0).toUpperCase()}${name.slice(1)}`, balance, `staked ${tokens(staked)}`);
  }
  const books = await readBooks(cast.validator);
  const fees = books.economics.total_fees_collected - before.economics.total_fees_collected;
  report.checked('fees of this run', fees, feeOf(PAYMENT).fee + feeOf(RECOGNISED).fee);

  report.step('The books: every token is somewhere');
  for (const [name, micro] of books.circulating) report.figure(name, micro);
  report.rule();
  const circulating = sumMicro(books.circulating);
  report.checked('in circulation', circulating, books.economics.circulating_supply);
  for (const [name, micro] of books.pools) report.figure(name, micro);
  report.rule();
  report.checked(
    'everything',
    circulating + sumMicro(books.pools),
    TOTAL_SUPPLY_MICRO,
    '= 10^15 micro-units',
  );
  report.expect('total supply', books.economics.total_supply, TOTAL_SUPPLY_MICRO);
}

async function play(report: Report, cast: Cast): Promise<void> {
  const before = await meet(report, cast);
  const free = await enter(report, cast);
  await pay(report, cast, free);
  await recognise(report, cast);
  await reject(report, cast);
  await close(report, cast, before);
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      node: { type: 'string', default: 'http://127.0.0.1:8338' },
      data: { type: 'string', default: 'data' },
    },
  });
  const client = (key: Signer): VwsClient => new VwsClient({ baseUrl: values.node, key });
  const report = new Report((line) => console.log(line));
  try {
    const cast: Cast = {
      alice: client(keyPairFromSeed(generateSeed())),
      bob: client(keyPairFromSeed(generateSeed())),
      validator: client(readClientKeyFile(join(values.data, 'operator.key'))),
    };
    await play(report, cast);
    console.log(`\nAll ${report.checkCount} checks hold.`);
    return 0;
  } catch (error) {
    console.error(`\nerror: ${explain(error, values.node)}`);
    return 1;
  }
}

function explain(error: unknown, node: string): string {
  if (error instanceof VwsError && error.code === 'unreachable') {
    return `no node answers at ${node}; start one with: npm start`;
  }
  if (error instanceof VwsError) return `the node refused: ${error.message} (${error.code})`;
  return error instanceof Error ? error.message : String(error);
}

process.exit(await main());
