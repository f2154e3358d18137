// First act: two agents pay and claim, the validator judges.

import { type Cast, enter, feeOf, freeOf, idOf, type Play, short, TOKEN, treasuryOf } from './demo-cast.ts';
import { tokens } from './demo-report.ts';

const ALICE_STAKE = 1_000 * TOKEN;
const BOB_STAKE = 500 * TOKEN;
const PAYMENT = 12_345_678;
const CLAIMED = 80 * TOKEN;
const RECOGNISED = 60 * TOKEN;
const BAD_PAYMENT = 5 * TOKEN;

async function pay(play: Play): Promise<void> {
  const { report, cast } = play;
  const { alice, bob, validator } = cast;
  report.step(`Alice pays Bob ${tokens(PAYMENT)}, the validator approves`);
  const before = await balances(cast);
  const { fee, voters, treasury } = feeOf(PAYMENT);

  const sent = await alice.transfer({ to_agent: idOf(bob), amount: PAYMENT, memo: 'invoice 7' });
  report.say(
    `transfer ${short(sent.event_id)} is pending until ${new Date(sent.deadline * 1000).toISOString()}`,
  );
  const waiting = await validator.pending({ event_type: 'transfer', agent_id: idOf(alice) });
  report.expect('pending transfers of Alice', waiting.map((event) => event.event_id).join(), sent.event_id);
  report.checked('reserved from Alice', (await alice.balance(idOf(alice))).reserved, PAYMENT);
  report.checked('Bob, before the verdict', await freeOf(bob), before.bob);

  const verdict = await validator.verify({ event_id: sent.event_id, verdict: true });
  report.expect('status after the verdict', verdict.status, 'settled');
  report.checked('fee (0.1 %)', (await validator.event(sent.event_id)).fee ?? 0, fee);
  const after = await balances(cast);
  report.checked('Bob gets', after.bob - before.bob, PAYMENT - fee, 'amount less fee');
  report.checked('the validator gets', after.validator - before.validator, voters, '80 % of the fee');
  report.checked(
    'the treasury gets',
    after.treasury - before.treasury,
    treasury,
    'the rest, including rounding remainders',
  );
  report.checked('Alice has left', after.alice, before.alice - PAYMENT);
  play.feesMicro += fee;
}

async function recognise(play: Play): Promise<void> {
  const { report, cast } = play;
  const { bob, validator } = cast;
  report.step(`Bob claims work worth ${tokens(CLAIMED)}, the validator recognises ${tokens(RECOGNISED)}`);
  const before = await balances(cast);
  const { total_generated_value: recognised } = await validator.economics();
  const { fee, voters, treasury } = feeOf(RECOGNISED);

  const claim = await bob.generation({
    claimed_value: CLAIMED,
    evidence_hash: `sha256:${'42'.repeat(32)}`,
    task_description: 'translation of a manual, 40 pages',
  });
  report.say(`claim ${short(claim.event_id)} is pending; it neither creates nor moves tokens`);
  const vote = { event_id: claim.event_id, verdict: true, verified_value: RECOGNISED };
  const verdict = await validator.verify(vote);
  report.expect('status after the verdict', verdict.status, 'settled');
  report.checked('recognised', verdict.verified_value ?? 0, RECOGNISED);
  const after = await balances(cast);
  report.checked('fee, paid by Bob', before.bob - after.bob, fee, '0.1 % of the recognised value');
  report.checked('the validator gets', after.validator - before.validator, voters);
  report.checked('the treasury gets', after.treasury - before.treasury, treasury);
  const { total_generated_value: now } = await validator.economics();
  report.checked('work recognised so far', now, recognised + RECOGNISED);
  play.feesMicro += fee;
}

async function reject({ report, cast }: Play): Promise<void> {
  const { alice, bob, validator } = cast;
  report.step(`Alice sends ${tokens(BAD_PAYMENT)} more, the validator rejects it`);
  const before = await balances(cast);
  const sent = await alice.transfer({ to_agent: idOf(bob), amount: BAD_PAYMENT, memo: 'not owed' });
  const verdict = await validator.verify({ event_id: sent.event_id, verdict: false });
  report.expect('status after the verdict', verdict.status, 'adjusted');
  const after = await balances(cast);
  report.checked('Alice, whole amount back', after.alice, before.alice);
  report.checked('Bob, unchanged', after.bob, before.bob);
  const { staked_amount: staked } = await alice.stakeInfo(idOf(alice));
  report.checked("Alice's stake", staked, 0, 'lost, since the transfer was rejected');
  report.checked('the treasury gets the stake', after.treasury - before.treasury, ALICE_STAKE);
}

/** Free balances of everyone whom a verdict pays or charges. */
async function balances({ alice, bob, validator }: Cast) {
  return {
    alice: await freeOf(alice),
    bob: await freeOf(bob),
    validator: await freeOf(validator),
    treasury: await treasuryOf(validator),
  };
}

export async function playPayments(play: Play): Promise<void> {
  play.report.step('Alice and Bob register and stake');
  await enter(play, 'Alice', play.cast.alice, ALICE_STAKE, CLAIMED);
  await enter(play, 'Bob', play.cast.bob, BOB_STAKE, CLAIMED);
  await pay(play);
  await recognise(play);
  await reject(play);
}
