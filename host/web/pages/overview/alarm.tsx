// Alarms, above everything else; nothing when all is well.

import { useNow } from '../../data/now.ts';
import { alarmsOf } from './alarms-of.ts';

export function Alarms(props: Omit<Parameters<typeof alarmsOf>[0], 'nowSecs'>) {
  const nowSecs = useNow((secs) => secs);
  const alarms = alarmsOf({ ...props, nowSecs });
  if (alarms.length === 0) return null;
  return (
    <div class="alarms" role="alert">
      {alarms.map(({ headline, means }) => (
        <div key={headline} class="alarm">
          <b>{headline}</b>
          <p>{means}</p>
        </div>
      ))}
    </div>
  );
}
