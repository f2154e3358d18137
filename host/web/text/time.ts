// Times as people read them. Every time from the node is in Unix seconds.

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

/** `2026-03-01 12:00:05 UTC`. */
export function formatTime(secs: number): string {
  return `${new Date(secs * 1000).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

const QUARTER_MS = 900_000;
const MAX_ZONES = 1000;
const zones = new Map<number, string>();
let formatter: Intl.DateTimeFormat | undefined;

const two = (n: number): string => String(n).padStart(2, '0');

/** The short name of the reader's zone at that moment, such as `CET` or `GMT+9`. */
function zoneAt(date: Date): string {
  // No zone changes within a quarter of an hour, and to make a formatter costs more than a page of times.
  const quarter = Math.floor(date.getTime() / QUARTER_MS);
  const known = zones.get(quarter);
  if (known !== undefined) return known;
  formatter ??= new Intl.DateTimeFormat('en', { timeZoneName: 'short' });
  const parts = formatter.formatToParts(date);
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  if (zones.size >= MAX_ZONES) zones.clear();
  zones.set(quarter, name);
  return name;
}

/** `2026-03-01 13:00:05 CET`, in the reader's zone. */
export function formatLocal(secs: number): string {
  const d = new Date(secs * 1000);
  const day = `${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())}`;
  return `${day} ${two(d.getHours())}:${two(d.getMinutes())}:${two(d.getSeconds())} ${zoneAt(d)}`;
}

export const isoTime = (secs: number): string => new Date(secs * 1000).toISOString();

/** `5 s`, `3 min`, `2 h`, `4 d`: the largest unit that is not zero. */
export function formatSpan(secs: number): string {
  const size = Math.max(0, Math.floor(secs));
  if (size < MINUTE) return `${size} s`;
  if (size < HOUR) return `${Math.floor(size / MINUTE)} min`;
  if (size < DAY) return `${Math.floor(size / HOUR)} h`;
  return `${Math.floor(size / DAY)} d`;
}

/** Consensus time may be so far ahead of the clock of whoever reads. */
const AHEAD_SECS = 6;

/** `3 min ago`, `in 2 h`, `now`. */
export function formatAge(secs: number, nowSecs: number): string {
  const past = nowSecs - secs;
  if (past < 2 && past > -AHEAD_SECS) return 'now';
  return past > 0 ? `${formatSpan(past)} ago` : `in ${formatSpan(-past)}`;
}
