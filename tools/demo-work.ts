// Second act, second part: tasks delivered in public, encrypted to the poster, as subtasks, and badly.

import type { BodyOf, Task, VwsClient } from '../host/client/index.ts';
import { type Cast, feeOf, freeOf, idOf, type Play, short, TOKEN, treasuryOf } from './demo-cast.ts';
import { discover, leave, nameCategory, offer, ROUTED_BUDGET, route } from './demo-market.ts';
import { DemoFault, tokens } from './demo-report.ts';

const SEALED_BUDGET = 3 * TOKEN;
const WHOLE_BUDGET = 2_500_000;
const PART_BUDGET = TOKEN;
const BAD_BUDGET = 4 * TOKEN;
/** Of a table that is nearly empty. Source: protocol 6.18. */
const MIN_ROW_PRICE = 100_000;
const SECRET = 'Vessel register of May: 212 vessels, of which 31 under embargo. For Alice only.';

type Holder = keyof Cast | 'treasury';

/** Records everyone's free balance before a step; then returns each one's gain since. */
async function watch({ cast }: Play): Promise<(who: Holder) => Promise<number>> {
  const read = (who: Holder): Promise<number> =>
    who === 'treasury' ? treasuryOf(cast.validator) : freeOf(cast[who]);
  const before = new Map<Holder, number>([['treasury', await read('treasury')]]);
  for (const name of Object.keys(cast) as (keyof Cast)[]) before.set(name, await read(name));
  return async (who) => (await read(who)) - (before.get(who) as number);
}

/** A task without a panel: no verdicts, so the treasury gets the whole fee (protocol 6.2). */
async function settled(
  play: Play,
  gained: (who: Holder) => Promise<number>,
  worker: 'bob' | 'carol',
  budget: number,
): Promise<void> {
  const { report } = play;
  const { fee } = feeOf(budget);
  const name = `${worker.charAt(0).toUpperCase()}${worker.slice(1)}`;
  // Bob has generated value before: this is his second category, and its record costs him a row (protocol 6.18).
  const row = worker === 'bob' ? (await gained('treasury')) - fee : 0;
  if (row !== 0) {
    report.expect('the record costs a tenth of a token', Math.round(row / 1000), MIN_ROW_PRICE / 1000);
    report.say(`${name} pays ${tokens(row)} for the record of a second category`);
  }
  report.checked(`${name} gets`, await gained(worker), budget - fee - row, 'budget less 0.1 %');
  report.checked('Alice has paid', -(await gained('alice')), budget);
  const note = 'the whole fee: no verdict was needed';
  report.checked('the treasury gets', await gained('treasury'), fee + row, note);
  play.feesMicro += fee;
}

function expectTask(play: Play, task: Task, status: string, payout: string): void {
  play.report.expect('status of the task', task.status, status);
  play.report.expect('payout of the task', task.payout_status, payout);
  if (payout === 'paid' || payout === 'refunded') play.report.expect('left in escrow', task.escrow_amount, 0);
}

/** Posts a task and lets the worker claim it. */
async function begin(play: Play, worker: VwsClient, body: Partial<BodyOf<'taskCreate'>>): Promise<Task> {
  const task = await play.cast.alice.tasks.create({
    title: 'Vessel register of May',
    description: 'Register the vessels of May.',
    category: play.category,
    budget: SEALED_BUDGET,
    ...body,
  });
  play.report.expect('locked in escrow', task.escrow_amount, task.budget);
  return await worker.tasks.claim(task.id);
}

async function deliverInPublic(play: Play): Promise<void> {
  const { report, cast } = play;
  const gained = await watch(play);
  const id = await route(play);
  report.step('Carol delivers, Alice approves');
  await cast.carol.tasks.claim(id);
  const content =
    'Count of the vessels of May. Week one had 41 vessels, week two 67, week three 38, week four 66. ' +
    'The busy weeks were the second and the fourth.';
  const task = await cast.carol.tasks.submit(id, { result_content: content });
  const { verdict } = task.verification ?? {};
  report.say(`verdict of the node's automatic check: ${verdict}`);
  report.expect('the result is public', (await cast.dave.tasks.result(id)).result_content, content);
  expectTask(play, await cast.alice.tasks.approve(id), 'completed', 'paid');
  await settled(play, gained, 'carol', ROUTED_BUDGET);
}

async function deliverSealed(play: Play): Promise<void> {
  const { report, cast } = play;
  report.step('Bob delivers a result that only Alice can read');
  const gained = await watch(play);
  const { id } = await begin(play, cast.bob, { delivery_method: 'encrypted' });
  await cast.bob.tasks.deliver(id, { result_content: SECRET });
  const shown = await cast.dave.tasks.result(id);
  report.expect('what others see is encrypted', shown.result_encrypted, true);
  report.expect('nothing of it is readable', shown.result_content.includes('212 vessels'), false);
  report.say(`others see: ${shown.result_content.slice(0, 48)}…`);
  const opened = await cast.alice.tasks.textOf(shown);
  report.expect('what Alice reads', opened, SECRET);
  report.say(`Alice reads: ${opened}`);
  expectTask(play, await cast.alice.tasks.approve(id), 'completed', 'paid');
  await settled(play, gained, 'bob', SEALED_BUDGET);
}

async function deliverInParts(play: Play): Promise<void> {
  const { report, cast } = play;
  const { alice, carol, dave } = cast;
  report.step(`Carol gives Dave a subtask of her task, ${tokens(PART_BUDGET)} of ${tokens(WHOLE_BUDGET)}`);
  const gained = await watch(play);
  const { id } = await begin(play, carol, { title: 'Vessels of spring', budget: WHOLE_BUDGET });
  const part = await carol.tasks.subtask(id, {
    title: 'Vessels of April',
    category: play.category,
    budget: PART_BUDGET,
  });
  report.checked('left in escrow', (await carol.tasks.get(id)).escrow_amount, WHOLE_BUDGET - PART_BUDGET);
  await dave.tasks.claim(part.id);
  await dave.tasks.commit(part.id, { outcome: 'progress', approach_description: 'counted by week' });
  await dave.tasks.submit(part.id, { result_content: 'April: 187 vessels in 4 weeks.' });
  expectTask(play, await carol.tasks.approve(part.id), 'completed', 'held');
  report.checked('Dave, until the parent task is done', await gained('dave'), 0);
  await carol.tasks.submit(id, { result_content: 'Spring: March 160, April 187, May 212 vessels.' });
  expectTask(play, await alice.tasks.approve(id), 'completed', 'paid');
  expectTask(play, await dave.tasks.get(part.id), 'completed', 'paid');
  const [whole, apart] = [feeOf(WHOLE_BUDGET - PART_BUDGET).fee, feeOf(PART_BUDGET).fee];
  report.checked('Carol gets', await gained('carol'), WHOLE_BUDGET - PART_BUDGET - whole);
  report.checked('Dave gets', await gained('dave'), PART_BUDGET - apart);
  report.checked('the treasury gets', await gained('treasury'), whole + apart);
  play.feesMicro += whole + apart;
}

async function dispute(play: Play): Promise<void> {
  const { report, cast } = play;
  const { alice, dave, validator } = cast;
  report.step('Dave delivers nothing useful, Alice disputes, the validator decides');
  const gained = await watch(play);
  const { staked_amount: stake } = await dave.stakeInfo(idOf(dave));
  const { id } = await begin(play, dave, { title: 'Vessels of June', budget: BAD_BUDGET });
  await dave.tasks.submit(id, { result_content: 'Vessels were counted. Vessels were counted.' });
  const disputed = await alice.tasks.dispute(id, { reason: 'there are no figures' });
  expectTask(play, disputed, 'disputed', 'none');
  const event = disputed.dispute_event_id;
  if (!event) throw new DemoFault('a disputed task names no event for verdicts');
  const waiting = await validator.pending({ event_type: 'task_disputed', agent_id: idOf(alice) });
  report.expect('disputes of Alice', waiting.map((one) => one.event_id).join(), event);
  report.say(`dispute ${short(event)}: ${disputed.dispute_reason}`);
  const bond = disputed.dispute_bond;
  report.checked(
    'reserved from Alice',
    -(await gained('alice')),
    BAD_BUDGET + bond,
    'with the bond of her dispute',
  );
  const contested = await dave.tasks.contest(id, { reason: 'vessels were counted' });
  report.expect('Dave contests', String(contested.contested), 'true');

  // No judge can echo another: a vote is a hash until all judges have sent theirs.
  const vote = await validator.newVote({ event_id: event, verdict: false, ground: 'nothing_delivered' });
  const { voting } = await validator.commitVote(vote.commit);
  report.expect('all judges have committed', voting.stage, 'reveal');
  const verdict = await validator.verify(vote.reveal);
  report.expect('status after the verdict', verdict.status, 'adjusted');
  const decided = await alice.tasks.get(id);
  expectTask(play, decided, 'cancelled', 'refunded');
  report.expect('resolution', decided.resolution, 'dispute_quorum');
  report.checked('Alice, whole budget back', await gained('alice'), 0);
  const slash = Math.floor((stake * 1_000) / 10_000);
  const { staked_amount: left } = await dave.stakeInfo(idOf(dave));
  report.checked("Dave's stake", left, stake - slash, 'a tenth is lost, since the verdict names a ground');
  // A tenth of the budget pays the judge, out of the bond that Dave loses.
  const lost = bond - Math.floor(BAD_BUDGET / 10);
  report.checked('the treasury gets', await gained('treasury'), slash + lost, 'with the rest of his bond');
}

export async function playWork(play: Play): Promise<void> {
  await offer(play);
  await nameCategory(play);
  await discover(play);
  await deliverInPublic(play);
  await deliverSealed(play);
  await deliverInParts(play);
  await dispute(play);
  await leave(play);
}
