// The verifier as one file, which needn't come from the node that it checks: opened from a disk or from any origin, against
// any node. Reads of a node are open to pages of every origin (protocol 1.3).

import { render } from 'preact';
import { useState } from 'preact/hooks';
import { VerifyPanel } from '../verify/panel.tsx';
import { CheckReport } from '../verify/report-card.tsx';
import type { Known } from '../verify/session.ts';

const HEX64 = '[0-9a-fA-F]{64}';

function knownOf(form: HTMLFormElement): Known {
  const text = (name: string): string | undefined =>
    ((new FormData(form).get(name) as string) ?? '').trim() || undefined;
  return {
    node: text('node')?.replace(/\/+$/, ''),
    genesisHash: text('genesis')?.toLowerCase(),
    pin: text('pin'),
  };
}

function Page() {
  const [known, setKnown] = useState<Known>({});
  const change = (event: Event) => setKnown(knownOf(event.currentTarget as HTMLFormElement));
  return (
    <main class="plain">
      <h1>Verifier</h1>
      <p>
        Computes order and state of a network again from what a node serves, and says what that shows. Compare
        the digest of this file with the one in the release: then neither it nor its modules come from the
        node.
      </p>
      <form onInput={change} onSubmit={(event) => event.preventDefault()}>
        <p>
          <label>
            Node <input name="node" type="url" size={48} placeholder="https://node.example.org" required />
          </label>
        </p>
        <p>
          <label>
            Genesis hash of the network <input name="genesis" size={64} pattern={HEX64} />
          </label>
        </p>
        <p>
          <label>
            Checkpoint that you know, height:hash <input name="pin" size={64} />
          </label>
        </p>
      </form>
      {known.node ? (
        <>
          <VerifyPanel act="Verify" known={known} />
          <CheckReport node={known.node} />
        </>
      ) : (
        <p>Name a node. Without a genesis hash from elsewhere, the node chooses the network.</p>
      )}
    </main>
  );
}

render(<Page />, document.getElementById('app')!);
