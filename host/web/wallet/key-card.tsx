// The active key: its id, the other keys, and whether this browser stores them.

import { useState } from 'preact/hooks';
import { saveFile } from '../data/save-file.ts';
import { CopyId } from '../parts/copy.tsx';
import { Fault } from '../parts/notice.tsx';
import { linkTo } from '../routes.ts';
import { shortId } from '../text/words.ts';
import { ImportKey } from './begin.tsx';
import { keyText } from './key-text.ts';
import { type Account, chooseKey, deleteKey, type Keyring, keepKeys, makeKey } from './keyring.ts';

function Others({ ring, active }: { ring: Keyring; active: Account }) {
  if (ring.accounts.length < 2) return null;
  return (
    <div class="field">
      <label for="key-choice">Active key</label>
      <select id="key-choice" value={active.id} onChange={(event) => chooseKey(event.currentTarget.value)}>
        {ring.accounts.map(({ id }, i) => (
          <option key={id} value={id}>
            Key {i + 1}: {shortId(id)}
          </option>
        ))}
      </select>
    </div>
  );
}

export function KeyCard({ ring, active }: { ring: Keyring; active: Account }) {
  const [error, setError] = useState<Error>();
  const [isConfirming, setConfirming] = useState(false);
  return (
    <section class="card">
      <h2>Your key</h2>
      <Others ring={ring} active={active} />
      <p>
        <CopyId id={active.id} what="your ID" />
      </p>
      <p class="row">
        <a class="button quiet" href={linkTo('agent', active.id)}>
          Agent page
        </a>
        <button
          type="button"
          class="quiet"
          onClick={() => saveFile(`vws-${active.id.slice(0, 8)}.key`, keyText(active))}
        >
          Export
        </button>
        <button type="button" class="quiet" onClick={makeKey}>
          Create another
        </button>
        <button
          type="button"
          class="quiet danger"
          onClick={() => (isConfirming ? deleteKey(active.id) : setConfirming(true))}
          onBlur={() => setConfirming(false)}
        >
          {isConfirming ? 'Press again to delete it for good' : 'Delete'}
        </button>
      </p>
      <label class="check">
        <input
          type="checkbox"
          checked={ring.isKept}
          onChange={(event) => {
            try {
              keepKeys(event.currentTarget.checked);
            } catch (cause) {
              setError(cause as Error);
            }
          }}
        />
        <span>
          Keep {ring.accounts.length > 1 ? 'my keys' : 'my key'} in this browser. Otherwise{' '}
          {ring.accounts.length > 1 ? 'they are' : 'it is'} gone when the page is closed.
        </span>
      </label>
      <Fault error={error} />
      <ImportKey />
    </section>
  );
}
