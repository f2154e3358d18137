// The events of the last day by hour, as bars and in words.

import { node } from '../../data/node.ts';
import { useRead } from '../../data/use-read.ts';
import { Money } from '../../parts/values.tsx';
import { formatCount } from '../../text/amount.ts';
import { plural } from '../../text/words.ts';

const EVERY_MS = 30_000;
const HOURS = 24;
const WIDTH = 480;
const HEIGHT = 96;
const STEP = WIDTH / HOURS;

/** Heights show the number of events: by amount, one large transfer would hide all others. */
function Bars({ counts }: { counts: readonly number[] }) {
  const largest = Math.max(1, ...counts);
  return (
    <svg class="bars" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      {counts.map((count, i) => {
        const height = Math.max(2, (count / largest) * HEIGHT);
        return (
          <rect
            key={i}
            class={count > 0 ? 'full' : undefined}
            x={i * STEP + 2}
            y={HEIGHT - height}
            width={STEP - 4}
            height={height}
            rx="2"
          />
        );
      })}
    </svg>
  );
}

export function Activity() {
  const { data } = useRead('activity', () => node.activity({ hours: HOURS }), EVERY_MS);
  const buckets = [...(data?.buckets ?? [])].reverse();
  const volume = buckets.reduce((sum, bucket) => sum + BigInt(bucket.volume), 0n);
  const count = buckets.reduce((sum, bucket) => sum + bucket.count, 0);
  return (
    <section>
      <h2>Last 24 hours</h2>
      <p>
        <Money micro={volume} /> tokens moved in {formatCount(count)} {plural(count, 'event')}.
      </p>
      <Bars counts={buckets.length > 0 ? buckets.map((bucket) => bucket.count) : Array(HOURS).fill(0)} />
      <p class="soft spread" aria-hidden="true">
        <span>24 h ago</span>
        <span>now</span>
      </p>
    </section>
  );
}
