// Single values: amounts, times, ids as links, states as chips.

import { useMemo } from 'preact/hooks';
import { useNow } from '../data/now.ts';
import { linkTo } from '../routes.ts';
import { formatMicro } from '../text/amount.ts';
import { formatAge, formatLocal, formatTime, isoTime } from '../text/time.ts';
import { shortId, words } from '../text/words.ts';
import { CopyId } from './copy.tsx';

/** Exact amount in tokens. */
export function Money({ micro }: { micro: number | bigint | undefined }) {
  if (micro === undefined) return <span class="soft">–</span>;
  return <span class="money">{formatMicro(micro)}</span>;
}

export function Age({ secs }: { secs: number | undefined }) {
  const age = useNow((now) => (secs === undefined ? '' : formatAge(secs, now)));
  const title = useMemo(
    () => (secs === undefined ? '' : `${formatLocal(secs)} (${formatTime(secs)})`),
    [secs],
  );
  if (secs === undefined) return <span class="soft">–</span>;
  return (
    <time dateTime={isoTime(secs)} title={title}>
      {age}
    </time>
  );
}

export function Time({ secs }: { secs: number }) {
  const age = useNow((now) => formatAge(secs, now));
  return (
    <time dateTime={isoTime(secs)} title={formatTime(secs)}>
      {formatLocal(secs)} <span class="soft">({age})</span>
    </time>
  );
}

/** Accounts without a key have no profile. */
const hasProfile = (id: string): boolean => !/^(system|genesis|escrow):/.test(id);

export function AgentLink({ id, isWhole = false }: { id: string | undefined; isWhole?: boolean }) {
  if (!id) return <span class="soft">–</span>;
  const text = isWhole ? id : shortId(id);
  if (!hasProfile(id)) return <span class="id">{text}</span>;
  return (
    <a class="id" href={linkTo('agent', id)} title={id}>
      {text}
    </a>
  );
}

/** An agent with a button that copies its id: where one item is shown, not in lists. */
export function AgentId({ id }: { id: string | undefined }) {
  if (!id) return <AgentLink id={id} />;
  return (
    <CopyId id={id} what="the agent ID">
      <AgentLink id={id} />
    </CopyId>
  );
}

export function ThingLink({
  to,
  id,
  text,
}: {
  to: 'event' | 'task' | 'vertex';
  id: string | undefined;
  text?: string | undefined;
}) {
  if (!id) return <span class="soft">–</span>;
  return (
    <a class={text ? undefined : 'id'} href={linkTo(to, id)} title={text ? undefined : id}>
      {text ?? shortId(id)}
    </a>
  );
}

/** Tone of a state; states not listed are neutral. */
const TONES: Readonly<Record<string, 'good' | 'bad' | 'busy'>> = {
  active: 'good',
  settled: 'good',
  completed: 'good',
  paid: 'good',
  pass: 'good',
  verified: 'good',
  final: 'good',
  adjusted: 'bad',
  suspended: 'bad',
  excluded: 'bad',
  disputed: 'bad',
  fail: 'bad',
  rejected: 'bad',
  optimistic: 'busy',
  probation: 'busy',
  claimed: 'busy',
  submitted: 'busy',
  open: 'busy',
  drawn: 'busy',
  committed: 'busy',
  revealed: 'good',
  missed: 'bad',
};
/** Labels for states whose own names mislead. */
const STATES: Readonly<Record<string, string>> = { optimistic: 'Awaiting verdict', adjusted: 'Reversed' };

export function Chip({ state }: { state: string | undefined }) {
  if (!state) return <span class="soft">–</span>;
  return <span class={`chip ${TONES[state] ?? 'calm'}`}>{STATES[state] ?? words(state)}</span>;
}
