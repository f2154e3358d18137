// Third act: a program of the poster decides. A worker fails it, mends the delivery and is paid at once; `vws audit` then
// computes the same from the node's log.

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Report as AuditReport } from '../host/cli/log-audit.ts';
import { VwsError } from '../host/client/index.ts';
import { feeOf, freeOf, type Play, short, TOKEN, treasuryOf } from './demo-cast.ts';
import { DemoFault, tokens } from './demo-report.ts';
import { builtPath } from './load/built.ts';

const BUDGET = 2 * TOKEN;
const FUEL = 2_000_000;
/**
 * How often the fuel of the checker counts, once for each 8 of the 48 pages of its memory; what is counted for each check besides; and
 * the price of a million in micro-units. Source: protocol 14.9, 14.10.
 */
const WEIGHT = 6;
const BASE_FUEL = 1_000_000;
const FUEL_PRICE = 1_000;
const AUDIT_MS = 40_000;

const COLUMNS = [{ name: 'berth' }, ...['net', 'tax', 'gross'].map((name) => ({ name, type: 'decimal' }))];
const PARAMETERS = {
  columns: COLUMNS.map((column) => ({ ...column, required: true })),
  row_sums: [{ total: 'gross', of: ['net', 'tax'] }],
  column_sums: [{ column: 'gross', value: '309.10' }],
};
const table = (...rows: string[]): string => `berth,net,tax,gross\n${rows.join('\n')}\n`;
const WRONG = table('North,100.00,8.10,108.10', 'South,185.94,15.06,210.00');
const RIGHT = table('North,100.00,8.10,108.10', 'South,185.94,15.06,201.00');

/** The program `csv` under a name of its own: a custom section counts for the name and for nothing else (protocol 14.1). */
function checker(note: string): Uint8Array {
  const name = Buffer.from(note);
  const section = Buffer.concat([Buffer.from([0, name.length + 1, name.length]), name]);
  return Buffer.concat([readFileSync(builtPath('checks/csv.wasm')), section]);
}

/** Posts a task that the program decides; returns its id. */
async function post({ report, cast, category }: Play, program: string): Promise<string> {
  report.step(`Alice posts a task of ${tokens(BUDGET)} that her checker decides`);
  const { alice, validator } = cast;
  const [free, treasury] = [await freeOf(alice), await treasuryOf(validator)];
  const task = await alice.tasks.create({
    title: 'Port dues of May',
    description: 'A CSV of the dues by berth: net, tax and gross must agree, and the total with our books.',
    category,
    budget: BUDGET,
    acceptance: [{ program, parameters: PARAMETERS, fuel: FUEL }],
    settle: 'on_pass',
  });
  const run = ((FUEL * WEIGHT + BASE_FUEL) * FUEL_PRICE) / 1_000_000;
  report.checked('Alice has paid', free - (await freeOf(alice)), BUDGET + run, 'the budget and one run');
  report.checked(
    'the treasury gets',
    (await treasuryOf(validator)) - treasury,
    run,
    'for the fuel of the run',
  );
  return task.id;
}

async function publish({ report, cast, category }: Play): Promise<string> {
  report.step('Alice publishes a checker: a program that tells whether a table of dues agrees');
  const { alice, validator } = cast;
  const [free, treasury] = [await freeOf(alice), await treasuryOf(validator)];
  const module = checker(`dues of ${category}`);
  const { hash } = await alice.programs.publish({ module: Buffer.from(module).toString('base64') });
  report.expect('name of the program', hash, createHash('sha256').update(module).digest('hex'));
  report.say(`program ${short(hash)}, ${module.length} bytes`);
  const paid = free - (await freeOf(alice));
  report.checked('the treasury gets', (await treasuryOf(validator)) - treasury, paid, 'for its bytes');
  return hash;
}

async function fail({ report, cast }: Play, id: string): Promise<void> {
  report.step('Bob delivers a table whose sums do not agree');
  const { bob } = cast;
  await bob.tasks.claim(id);
  const before = await freeOf(bob);
  const refusal = await bob.tasks.submit(id, { result_content: WRONG }).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(refusal instanceof VwsError)) throw new DemoFault(`the delivery was not refused: ${refusal}`);
  report.expect('refused as', refusal.code, 'acceptance_failed');
  report.say(`the node runs the checker before it orders anything: ${refusal.message}`);
  const { status } = await bob.tasks.get(id);
  report.expect('status', status, 'claimed');
  report.checked('it costs Bob', before - (await freeOf(bob)), 0, 'and he still holds the task');
}

async function mend(play: Play, id: string, program: string): Promise<void> {
  const { report, cast } = play;
  report.step('Bob mends it, and is paid at once');
  const { alice, bob } = cast;
  const before = await freeOf(bob);
  const task = await bob.tasks.submit(id, { result_content: RIGHT });
  const shown = await alice.tasks.get(task.id);
  report.expect('status', shown.status, 'completed');
  report.expect('resolution', shown.resolution, 'contract');
  report.expect('payout', shown.payout_status, 'paid');
  report.expect('the report', shown.acceptance_report?.passed, true);
  const { fee } = feeOf(BUDGET);
  report.checked('Bob gets', (await freeOf(bob)) - before, BUDGET - fee, 'budget less 0.1 %; nobody judged');
  play.feesMicro += fee;
  const { runs, passed } = await alice.programs.get(program);
  report.expect('runs of the program, and those that passed', `${runs} ${passed}`, '1 1');
}

/** What `vws audit` of the task reports. Its exit code says the age of the log too, which is not asked here. */
async function audited(node: string, id: string): Promise<AuditReport> {
  const args = [builtPath('host/cli/main.js'), 'audit', '--node', node, '--task', id, '--json'];
  const text = await new Promise<string>((done) => {
    execFile(process.execPath, args, { timeout: AUDIT_MS }, (_, out, err) => done(out || err));
  });
  try {
    return JSON.parse(text) as AuditReport;
  } catch {
    throw new DemoFault(`vws audit --task ${id} says: ${text.trim()}`);
  }
}

/** Whoever doubts it computes it: every signature of the log, the order, and the run of the checker. */
async function audit({ report }: Play, node: string, id: string): Promise<void> {
  report.step("Anybody computes it again from the node's log");
  report.say(`vws audit --node ${node} --task ${id}`);
  const { answers, transactions } = await audited(node, id);
  report.expect('what the audit says of the task', answers.map(({ shown }) => shown).join(), 'checked');
  report.say(`the task is as it was shown: computed from ${transactions} transactions, the run included`);
}

/** Returns the id of the task. */
export async function playContract(play: Play, node: string): Promise<string> {
  const program = await publish(play);
  const id = await post(play, program);
  await fail(play, id);
  await mend(play, id, program);
  await audit(play, node, id);
  return id;
}
