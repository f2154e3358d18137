// Saves the report of a verification, and checks a report that somebody else saved.

import { useRef, useState } from 'preact/hooks';
import { portableClock } from '../../world/portable.ts';
import { saveFile } from '../data/save-file.ts';
import { Facts } from '../parts/facts.tsx';
import { Fault } from '../parts/notice.tsx';
import { formatCount } from '../text/amount.ts';
import { formatTime } from '../text/time.ts';
import {
  commandOf,
  demandsOf,
  judge,
  MAX_REPORT_BYTES,
  type Report,
  readReport,
  reportOf,
} from './report.ts';
import { isRunning, startCheck, useSession } from './session.ts';

export function SaveReport({ node = location.origin }: { node?: string | undefined }) {
  const { verdict, progress } = useSession();
  if (!verdict) return null;
  const save = (): void => {
    const report = reportOf({ node, verdict, progress, nowMs: portableClock.nowMs() });
    saveFile(`vws-report-${report.order}.json`, `${JSON.stringify(report, null, 2)}\n`);
  };
  return (
    <p class="row">
      <button type="button" class="quiet" onClick={save}>
        Save the report
      </button>
    </p>
  );
}

function Claims({ of }: { of: Report }) {
  const { pin } = demandsOf(of);
  return (
    <>
      <p>The file says, and proves nothing by itself:</p>
      <Facts
        isWide
        of={[
          ['Result', of.is_good ? 'No fault was found' : `A fault: ${of.fault ?? 'not named'}`],
          ['Node', of.node],
          ['Made', formatTime(Math.floor(of.made_ms / 1000))],
          ['Up to order number', formatCount(of.order)],
          ['Network', <code key="network">{of.network || 'unknown'}</code>],
          ['Checkpoint', pin ? <code key="pin">{pin}</code> : 'none'],
          ['State root', <code key="root">{of.state_root || 'unknown'}</code>],
          ['Findings', of.findings.join('; ')],
        ]}
      />
    </>
  );
}

/** What is known of a file that was chosen. */
type Loaded = { report: Report } | { error: Error };

async function load(file: File): Promise<Loaded> {
  const text = file.size > MAX_REPORT_BYTES ? '' : await file.text();
  const report = readReport(text);
  return report ? { report } : { error: new Error('This file is not the report of a verification.') };
}

export function CheckReport({ node }: { node?: string | undefined }) {
  const session = useSession();
  const [loaded, setLoaded] = useState<Loaded>();
  /** The report whose demands the present verification makes. */
  const [checking, setChecking] = useState<Report>();
  const newest = useRef(0);
  const choose = async (file: File | undefined): Promise<void> => {
    const turn = ++newest.current;
    const next = file && (await load(file));
    if (turn !== newest.current) return;
    setLoaded(next);
    setChecking(undefined);
  };
  const report = loaded && 'report' in loaded ? loaded.report : undefined;
  const start = (): void => {
    if (!report) return;
    setChecking(report);
    void startCheck('genesis', { ...demandsOf(report), ...(node === undefined ? {} : { node }) });
  };
  const judged = checking && checking === report && session.verdict && judge(checking, session.verdict);
  return (
    <section class="card">
      <h2>Somebody else's report</h2>
      <p>
        A report names a network and a checkpoint. Your browser computes the history of this node again and
        says whether it is the same.
      </p>
      <p>
        <label>
          Report{' '}
          <input
            type="file"
            accept="application/json,.json"
            onChange={(event) => void choose(event.currentTarget.files?.[0])}
          />
        </label>
      </p>
      <Fault error={loaded && 'error' in loaded ? loaded.error : undefined} />
      {report && (
        <>
          <Claims of={report} />
          {report.network !== '' && (
            <p class="row">
              <button type="button" disabled={isRunning(session)} onClick={start}>
                {isRunning(session) ? 'A verification is running' : 'Check this report'}
              </button>
              <span class="soft">
                or run <code>{commandOf(report)}</code>
              </span>
            </p>
          )}
        </>
      )}
      <div role="status">{judged && <p class={`notice ${judged.tone}`}>{judged.text}</p>}</div>
    </section>
  );
}
