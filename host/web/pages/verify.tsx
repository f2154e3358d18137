// Verification of the whole chain in this browser.

import { Title } from '../parts/title.tsx';
import { VerifyPanel } from '../verify/panel.tsx';

export function VerifyPage() {
  return (
    <>
      <Title text="Verify" />
      <div class="lead">
        <p>
          You do not need to trust what this page shows. Your browser can fetch everything that was ever
          signed from this node and verify it on its own:
        </p>
        <ul>
          <li>every signature of every agent and validator is checked;</li>
          <li>the order is computed again from the signed DAG;</li>
          <li>every transaction is executed again, with the same code that the validators run;</li>
          <li>the result is compared with the states that the validators have signed.</li>
        </ul>
        <p>If the node has omitted, added or changed a single bit, the verification stops and shows where.</p>
      </div>
      <section class="card">
        <h2>The whole chain</h2>
        <VerifyPanel act="Verify in this browser" />
      </section>
    </>
  );
}
