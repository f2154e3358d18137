// The check of the whole chain in this browser.

import { Title } from '../parts/title.tsx';
import { VerifyPanel } from '../verify/panel.tsx';

export function VerifyPage() {
  return (
    <>
      <Title text="Verify" />
      <div class="lead">
        <p>
          You need not believe what this page shows. Your browser can fetch everything that was ever signed
          from this node and go through it alone:
        </p>
        <ul>
          <li>every signature of every agent and validator is checked;</li>
          <li>the order is worked out again from who had seen what;</li>
          <li>every transaction is executed again, by the same program the validators run;</li>
          <li>the outcome is compared with the states that the validators have signed.</li>
        </ul>
        <p>If the node has left something out, added or changed one bit, the check ends and says where.</p>
      </div>
      <section class="card">
        <h2>The whole chain</h2>
        <VerifyPanel act="Verify in this browser" />
      </section>
    </>
  );
}
