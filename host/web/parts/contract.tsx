// The contract of a task and the newest run of it, in words.

import type { AcceptanceCheck, ProgramRuns, Task } from '../../client/index.ts';
import { CHECK_DIGESTS } from '../../modules/module-digests.ts';
import { Chip } from './values.tsx';

const NAMES = new Map(Object.entries(CHECK_DIGESTS).map(([name, hash]) => [hash as string, name]));

/** Name of a standard check, or the beginning of a program's hash. */
const programName = (hash: string): string =>
  NAMES.get(hash) ?? (hash === 'vectors' ? 'test vectors' : `program ${hash.slice(0, 12)}…`);

/** Where the source of a check is: with the protocol, or as the module that somebody published. */
function Program({ hash }: { hash: string }) {
  const name = NAMES.get(hash);
  if (name !== undefined)
    return (
      <>
        {name} <span class="soft">(a standard check: assembly/checks/{name}.ts of every release)</span>
      </>
    );
  if (!/^[0-9a-f]{64}$/.test(hash)) return <>{programName(hash)}</>;
  return (
    <>
      <a href={`/v1/programs/${hash}?include_module=true`}>{programName(hash)}</a>{' '}
      <span class="soft">(as published, with who published it)</span>
    </>
  );
}

function checkLine({ program, parameters, seeded }: AcceptanceCheck, programs: readonly ProgramRuns[]) {
  const { runs, passed } = programs.find((one) => one.program === program) ?? { runs: 0, passed: 0 };
  return (
    <>
      <Program hash={program} /> <code>{JSON.stringify(parameters)}</code>
      {seeded && ', with a seed from the block'}
      {runs > 0 && (
        <span class="soft">
          {' '}
          (passed {passed} of {runs} deliveries to all contracts with it)
        </span>
      )}
    </>
  );
}

function Report({ of }: { of: NonNullable<Task['acceptance_report']> }) {
  if (of.passed) {
    return (
      <p>
        <Chip state="pass" /> The delivery passed every check. Anybody can run them again and gets the same.
      </p>
    );
  }
  return (
    <p>
      <Chip state="fail" /> The newest delivery failed check {of.check + 1}
      {of.program && ` (${programName(of.program)})`}: {of.reason || of.end.replaceAll('_', ' ')}. It is shown
      to nobody, and the worker may deliver again.
    </p>
  );
}

export function Contract({ of: task }: { of: Task }) {
  if (!task.acceptance) return null;
  const { poster_runs: runs, poster_runs_passed: passed } = task;
  return (
    <section>
      <h2>Contract</h2>
      <p>
        {task.settle === 'on_pass'
          ? 'A delivery that passes these checks is paid at once.'
          : 'A delivery that passes these checks is paid after its review.'}
      </p>
      <ol>
        {task.acceptance.map((check) => (
          <li key={`${check.program} ${JSON.stringify(check.parameters)}`}>
            {checkLine(check, task.program_runs ?? [])}
          </li>
        ))}
      </ol>
      {task.acceptance_due && <p>A delivery waits to be checked.</p>}
      {task.acceptance_report && <Report of={task.acceptance_report} />}
      {runs !== undefined && runs > 0 && (
        <p class="soft">
          Of {runs} checked deliveries to this poster {passed} passed.
        </p>
      )}
    </section>
  );
}
