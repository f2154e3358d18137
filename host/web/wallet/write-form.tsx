// A form that ends in one signed write: busy while the network decides, then what came of it.
// Keeps: nothing is sent twice by an impatient press; what was typed stays when the node refuses.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Done, Fault } from '../parts/notice.tsx';

export function WriteForm(props: {
  /** Text of the button. */
  act: string;
  /** Does it; what to say afterwards, if the form is still there then. Errors are shown. */
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

/** A labelled field. `hint` stands below it and is read with it. */
export function Field(props: {
  name: string;
  label: string;
  hint?: string;
  value?: string | undefined;
  isRequired?: boolean;
  isLong?: boolean;
  isAmount?: boolean;
  mostChars?: number;
}) {
  const { name, label, hint, value, isRequired = false, isLong = false, isAmount = false, mostChars } = props;
  const same = {
    id: `field-${name}`,
    name,
    required: isRequired,
    maxLength: mostChars,
    defaultValue: value,
    'aria-describedby': hint ? `hint-${name}` : undefined,
  };
  return (
    <div class="field">
      <label for={same.id}>{label}</label>
      {isLong ? (
        <textarea {...same} rows={4} />
      ) : (
        <input {...same} type="text" inputMode={isAmount ? 'decimal' : undefined} autocomplete="off" />
      )}
      {hint && (
        <p class="hint" id={`hint-${name}`}>
          {hint}
        </p>
      )}
    </div>
  );
}
