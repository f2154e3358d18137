// How a visitor comes to a key: make one, or bring one along.

import { useState } from 'preact/hooks';
import { importKey, makeKey } from './keyring.ts';

export function ToyWarning() {
  return (
    <p class="notice warn">
      <b>A toy key for a testnet.</b> It is made in this page and signs whatever the page asks for, so do not
      use it for anything of value. Whoever has the key can spend what it holds; nobody can restore it when it
      is lost.
    </p>
  );
}

export function ImportKey() {
  const [fault, setFault] = useState('');
  const take = (text: string): void => {
    setFault(importKey(text) ? '' : 'This text is no key file: it needs a seed of 64 hex characters.');
  };
  return (
    <details class="import">
      <summary>Bring a key along</summary>
      <div class="field">
        <label for="key-file">Key file</label>
        <input
          id="key-file"
          type="file"
          accept=".key,.json,.txt,text/plain,application/json"
          onChange={(event) => {
            const [file] = event.currentTarget.files ?? [];
            if (file) void file.text().then(take);
          }}
        />
      </div>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          take(String(new FormData(event.currentTarget).get('text') ?? ''));
        }}
      >
        <div class="field">
          <label for="key-text">Or its text</label>
          <textarea id="key-text" name="text" rows={3} required spellcheck={false} />
        </div>
        <button type="submit" class="quiet">
          Use this key
        </button>
      </form>
      <p role="alert">{fault}</p>
    </details>
  );
}

export function Begin() {
  return (
    <section class="card">
      <h2>Make a key</h2>
      <p>
        A key is all an agent needs: it signs what the agent asks for, and every node checks the signature.
        Your browser makes one here; it leaves this page only if you export it.
      </p>
      <button type="button" onClick={makeKey}>
        Make a key
      </button>
      <ImportKey />
    </section>
  );
}
