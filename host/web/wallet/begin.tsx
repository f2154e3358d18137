// How a visitor gets a key: create one, or import one.

import { useState } from 'preact/hooks';
import { importKey, makeKey } from './keyring.ts';

export function ToyWarning() {
  return (
    <p class="notice warn">
      <b>A toy key for a testnet.</b> It is created in this page and signs whatever the page requests, so do
      not use it for anything of value. Whoever has the key can spend its tokens; nobody can restore it if it
      is lost.
    </p>
  );
}

export function ImportKey() {
  const [fault, setFault] = useState('');
  const take = (text: string): void => {
    setFault(importKey(text) ? '' : 'This is not a key file: it must contain a seed of 64 hex characters.');
  };
  return (
    <details class="import">
      <summary>Import a key</summary>
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
          <label for="key-text">Or paste its text</label>
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
      <h2>Create a key</h2>
      <p>
        A key is all an agent needs: it signs the agent's requests, and every node checks the signature. Your
        browser creates the key here; it leaves this page only if you export it.
      </p>
      <button type="button" onClick={makeKey}>
        Create a key
      </button>
      <ImportKey />
    </section>
  );
}
