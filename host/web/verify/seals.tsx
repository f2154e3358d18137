// Seals: beside each number that this browser has computed itself, whether the node shows the same.
// Keeps: without a good verdict there is no seal; "checked here" stands only beside a number that equals the computed one,
// and goes as soon as the node shows another, until that too is computed.

import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import type { Numbers, NumbersOf } from '../../audit/index.ts';
import { formatCount } from '../text/amount.ts';
import { type Mark, markOf } from './mark.ts';
import { compare, recompute, useSession } from './session.ts';
import type { OneKind, Recomputed } from './worker-messages.ts';

interface Book {
  order: number;
  mark(id: string, name: string): Mark;
}

const OpenBook = createContext<Book | undefined>(undefined);

const WORDS: Readonly<Record<Mark, string>> = { here: 'checked here', says: 'says the node' };

/** `name`: the member of the document, as the API calls it. Below no `Seals`, or before a verdict, only the children. */
export function Sealed({ id, name, children }: { id: string; name: string; children: ComponentChildren }) {
  const book = useContext(OpenBook);
  if (!book) return <>{children}</>;
  const mark = book.mark(id, name);
  const at = `order number ${formatCount(book.order)}`;
  const title =
    mark === 'here'
      ? `Checked here: this browser computed the same, at ${at}`
      : `Says the node: this browser did not compute this number, at ${at}`;
  return (
    <span class="sealed">
      {children}
      <span class={`seal ${mark}`} title={title}>
        <span class="unseen"> ({WORDS[mark]})</span>
      </span>
    </span>
  );
}

/** What the marks mean; shown where there are any. */
export function SealKey() {
  return (
    <span class="seal-key">
      <span class="seal here" aria-hidden="true" /> {WORDS.here} <span class="seal says" aria-hidden="true" />{' '}
      {WORDS.says}
    </span>
  );
}

/** Asks once at a time, and again when the node's documents have changed meanwhile. */
function useRecomputed(kind: NumbersOf, docs: Readonly<Record<string, object>>) {
  const { verdict } = useSession();
  const [found, setFound] = useState<Recomputed>();
  const wanted = useRef({ key: '', isAsking: false });
  const isGood = verdict?.isGood === true;
  const key = isGood ? JSON.stringify(docs) : '';
  useEffect(() => {
    const state = wanted.current;
    state.key = key;
    if (key === '') setFound(undefined);
    if (key === '' || state.isAsking) return;
    const ask = async (): Promise<void> => {
      state.isAsking = true;
      for (let asked = ''; state.key !== '' && asked !== state.key; ) {
        asked = state.key;
        // A node that is away is reported by the reads of the page.
        const ids = Object.keys(JSON.parse(asked) as object);
        const answer = await recompute(kind, ids).catch(() => undefined);
        if (state.key !== '') setFound(answer);
      }
      state.isAsking = false;
    };
    void ask();
  }, [key, kind]);
  useEffect(
    () => () => {
      wanted.current.key = '';
    },
    [],
  );
  return isGood ? found : undefined;
}

function Lie({ kind, id, isDifferent }: { kind: OneKind; id: string; isDifferent: string }) {
  const [text, setText] = useState<string>();
  // A number may differ since it is of another order number: only a comparison at one order shows a lie.
  useEffect(() => {
    let isOver = false;
    setText(undefined);
    if (isDifferent === '') return;
    compare(kind, id).then(
      (found) => !isOver && setText(found?.shown === 'lie' ? (found.text ?? '') : undefined),
      () => {},
    );
    return () => {
      isOver = true;
    };
  }, [kind, id, isDifferent]);
  if (text === undefined) return null;
  return (
    <p class="notice bad" role="alert">
      Not equal: the node contradicts its own history. {text && `(${text}.)`}
    </p>
  );
}

/** The members of a document that were computed here and that the node shows differently. */
const differing = (own: Numbers | undefined, doc: object | undefined): string =>
  own && doc
    ? Object.entries(own)
        .filter(([name, value]) => typeof value !== 'object' && markOf(own, doc, name) === 'says')
        .map(([name, value]) => `${name} ${value}`)
        .join()
    : '';

/** `docs`: what the node shows, by id. `one`: of a page about one document, which is compared where it differs. */
export function Seals(props: {
  kind: NumbersOf;
  docs: Readonly<Record<string, object>>;
  one?: OneKind;
  children: ComponentChildren;
}) {
  const { kind, docs, one, children } = props;
  const found = useRecomputed(kind, docs);
  const book: Book | undefined = found && {
    order: found.order,
    mark: (id, name) => markOf(found.numbers[id], docs[id], name),
  };
  const [id = ''] = Object.keys(docs);
  return (
    <OpenBook.Provider value={book}>
      {one && found && <Lie kind={one} id={id} isDifferent={differing(found.numbers[id], docs[id])} />}
      {children}
    </OpenBook.Provider>
  );
}

/** Documents of a list by id. */
export const byId = <T extends object>(
  rows: readonly T[] | undefined,
  idOf: (row: T) => string,
): Record<string, T> => Object.fromEntries((rows ?? []).map((row) => [idOf(row), row]));
