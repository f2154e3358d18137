// A form that makes one signed write: busy until the network answers, then shows the result.
// Keeps: pressing twice sends once; the fields keep their content if the node refuses.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Done, Fault } from '../parts/notice.tsx';

export function WriteForm(props: {
  /** Label of the button. */
  act: string;
  /** Makes the write; returns what to show afterwards if the form is still there. Errors are shown. */
  send(fields: FormData): Promise<ComponentChildren>;
  onDone?(): void;
  isQuiet?: boolean;
  children?: ComponentChildren;
}) {
  const { act, send, onDone, isQuiet = false, children } = props;
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<Error>();
  const [done, setDone] = useState<ComponentChildren>();

  const submit = async (form: HTMLFormElement): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    setError(undefined);
    setDone(undefined);
    try {
      setDone(await send(new FormData(form)));
      form.reset();
      onDone?.();
    } catch (cause) {
      setError(cause as Error);
    }
    setBusy(false);
  };

  return (
    <form
      class="write"
      onSubmit={(event) => {
        event.preventDefault();
        void submit(event.currentTarget);
      }}
    >
      {children}
      <button type="submit" class={isQuiet ? 'quiet' : undefined} aria-disabled={isBusy}>
        {isBusy ? 'Waiting for the network…' : act}
      </button>
      <Fault error={error} />
      <div role="status">{done && <Done>{done}</Done>}</div>
    </form>
  );
}

/** A box to tick: the field is there when it is. */
export function Switch({ name, label }: { name: string; label: string }) {
  return (
    <label class="check">
      <input type="checkbox" name={name} />
      <span>{label}</span>
    </label>
  );
}

/** A labelled field. `hint` is shown below it and read with it. */
export function Field(props: {
  name: string;
  label: string;
  hint?: string;
  value?: string | undefined;
  isRequired?: boolean;
  isLong?: boolean;
  isAmount?: boolean;
  maxChars?: number;
}) {
  const { name, label, hint, value, isRequired = false, isLong = false, isAmount = false, maxChars } = props;
  const shared = {
    id: `field-${name}`,
    name,
    required: isRequired,
    maxLength: maxChars,
    defaultValue: value,
    'aria-describedby': hint ? `hint-${name}` : undefined,
  };
  return (
    <div class="field">
      <label for={shared.id}>{label}</label>
      {isLong ? (
        <textarea {...shared} rows={4} />
      ) : (
        <input {...shared} type="text" inputMode={isAmount ? 'decimal' : undefined} autocomplete="off" />
      )}
      {hint && (
        <p class="hint" id={`hint-${name}`}>
          {hint}
        </p>
      )}
    </div>
  );
}
