// Hooks for the keyring, and for what the node knows about a key.

import type { Agent, Balance } from '../../client/index.ts';
import { node } from '../data/node.ts';
import { type ReadState, useRead } from '../data/use-read.ts';
import { usePicked } from '../data/watched.ts';
import { type Account, type Keyring, keyring } from './keyring.ts';

const EVERY_MS = 3000;

export const useKeyring = (): Keyring => usePicked(keyring, (ring) => ring);

/** `profile` is undefined for a key that is not registered. */
export interface Standing {
  profile: Agent | undefined;
  balance: Balance | undefined;
}

/** An unregistered key is not an error, so it is looked up in a list before its profile is requested. */
export function useStanding({ id }: Pick<Account, 'id'>): ReadState<Standing> {
  return useRead(
    `standing of ${id}`,
    async () => {
      const [registration] = await node.recentEvents({ event_type: 'registration', agent_id: id, limit: 1 });
      if (!registration) return { profile: undefined, balance: undefined };
      const [profile, balance] = await Promise.all([node.agent(id), node.balance(id)]);
      return { profile, balance };
    },
    EVERY_MS,
  );
}
