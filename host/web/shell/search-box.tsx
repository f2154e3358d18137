// The search field of the header, with suggestions below it; submitting it opens the search page. A slash anywhere on the
// page moves the focus to it.
// Keeps: suggestions of the node are those of the text that is in the field now; none is asked for while somebody types.

import { useEffect, useRef, useState } from 'preact/hooks';
import { portableClock } from '../../world/portable.ts';
import { live } from '../data/live.ts';
import { linkTo } from '../routes.ts';
import { find, type Hit, seen } from '../search/find.ts';
import { plural } from '../text/words.ts';

/** After the last letter. */
const WAIT_MS = 250;
const MAX_SHOWN = 8;
const MIN_CHARS = 2;

/** Where a slash is a slash. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** What the node knows of a text; an answer to an older text is dropped. */
function useFound(q: string): readonly Hit[] {
  const [found, setFound] = useState<{ q: string; hits: Hit[] }>({ q: '', hits: [] });
  useEffect(() => {
    if (q.length < MIN_CHARS) return;
    let isOver = false;
    const ask = (): void => {
      // Without an answer there are no suggestions; the search page reports why.
      find(q).then(
        ({ hits, listings }) => {
          const services = listings.map(
            ({ name, agent_id }): Hit => ({
              kind: 'Service',
              text: name,
              href: linkTo('agent', agent_id),
            }),
          );
          if (!isOver) setFound({ q, hits: [...hits, ...services] });
        },
        () => {},
      );
    };
    const cancel = portableClock.setTimer(ask, WAIT_MS);
    return () => {
      isOver = true;
      cancel();
    };
  }, [q]);
  return found.q === q ? found.hits : [];
}

function Suggestions({ of, onChoose }: { of: readonly Hit[]; onChoose(): void }) {
  return (
    <ul class="suggestions">
      {of.map(({ kind, text, href }) => (
        <li key={href}>
          <a href={href} onClick={onChoose}>
            <span class="soft">{kind}</span> <bdi>{text}</bdi>
          </a>
        </li>
      ))}
    </ul>
  );
}

export function SearchBox() {
  const field = useRef<HTMLInputElement>(null);
  const box = useRef<HTMLFormElement>(null);
  const [q, setQ] = useState('');
  const [isOpen, setOpen] = useState(false);
  const text = q.trim();
  const found = useFound(isOpen ? text : '');
  const all = isOpen ? [...seen(text, live.now()), ...found] : [];
  const shown = [...new Map(all.map((one) => [one.href, one])).values()].slice(0, MAX_SHOWN);

  useEffect(() => {
    const focus = (event: KeyboardEvent): void => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target))
        return;
      event.preventDefault();
      field.current?.focus();
    };
    addEventListener('keydown', focus);
    return () => removeEventListener('keydown', focus);
  }, []);

  /** The arrow keys move between the field and the suggestions. */
  const move = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') {
      setOpen(false);
      field.current?.focus();
      return;
    }
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0 || shown.length === 0) return;
    event.preventDefault();
    const stops = [field.current, ...(box.current?.querySelectorAll<HTMLElement>('.suggestions a') ?? [])];
    const at = stops.indexOf(document.activeElement as HTMLElement);
    stops[(at + step + stops.length) % stops.length]?.focus();
  };

  return (
    <search class="search">
      <form
        ref={box}
        onKeyDown={move}
        onFocusOut={(event) => {
          if (!box.current?.contains(event.relatedTarget as Node | null)) setOpen(false);
        }}
        onSubmit={(event) => {
          event.preventDefault();
          setOpen(false);
          if (text !== '') location.hash = linkTo('search', '', { q: text });
        }}
      >
        <label>
          <span class="unseen">Search for an ID, an address, an order number or words of a service</span>
          <input
            ref={field}
            type="search"
            name="q"
            value={q}
            placeholder="ID, address, service…"
            autocomplete="off"
            aria-keyshortcuts="/"
            onInput={(event) => {
              setQ(event.currentTarget.value);
              setOpen(true);
            }}
          />
        </label>
        <button type="submit">Search</button>
        <p class="unseen" role="status">
          {shown.length > 0 &&
            `${shown.length} ${plural(shown.length, 'suggestion')}: arrow keys move between them`}
        </p>
        {shown.length > 0 && <Suggestions of={shown} onChoose={() => setOpen(false)} />}
      </form>
    </search>
  );
}
