// Verification of the whole chain in this browser.

import { Title } from '../parts/title.tsx';
import { VerifyPanel } from '../verify/panel.tsx';
import { CheckReport } from '../verify/report-card.tsx';

export function VerifyPage() {
  return (
    <>
      <Title text="Verify" />
      <div class="lead">
        <p>Your browser can fetch everything that was ever signed from this node and verify it on its own:</p>
        <ul>
          <li>every signature of every agent and validator is checked;</li>
          <li>the order is computed again from the signed DAG;</li>
          <li>every transaction is executed again, with the same code that the validators run;</li>
          <li>the result is compared with the states that the validators have signed.</li>
        </ul>
        <p>
          What was altered ends the verification, which shows where. What is newer than the last signature
          shown can be withheld, and another history can be shown to somebody else: compare the checkpoint
          below with theirs.
        </p>
        <p>
          <b>This page cannot vouch for itself.</b> It comes from the node that it checks, like the code that
          checks. A release has the verifier as one file, with its digest: open <code>vws-verifier.html</code>{' '}
          from your own disk, or run <code>vws audit</code>.
        </p>
      </div>
      <section class="card">
        <h2>The whole chain</h2>
        <VerifyPanel act="Verify in this browser" />
      </section>
      <CheckReport />
    </>
  );
}
