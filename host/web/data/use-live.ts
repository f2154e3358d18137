// Hook for the event stream.

import { type Live, live } from './live.ts';
import { usePicked } from './watched.ts';

/** What a component shows of the stream; drawn again when that changes. */
export const useLive = <V>(pick: (of: Live) => V): V => usePicked(live, pick);
