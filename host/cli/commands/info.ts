// vws info: profile, balance and stake of one agent.

import { type Command, isSwitchOn } from '../command.ts';
import { AGENT_OPTION, agentOf, JSON_OPTION, openClient } from '../connection.ts';
import { EXIT } from '../exit-code.ts';
import { printJson, printObject } from '../output.ts';

export const info: Command = {
  name: 'info',
  summary: 'show an agent: profile, balance, stake',
  about: 'Shows the profile, the balance and the stake of an agent. --json prints {profile, balance, stake}.',
  options: [AGENT_OPTION, JSON_OPTION],
  settings: 'client',
  examples: ['vws info --key alice.key', 'vws info --agent bob --json'],
  async run(context) {
    const client = openClient(context);
    const id = agentOf(context, client);
    const [profile, balance, stake] = await Promise.all([
      client.agent(id),
      client.balance(id),
      client.stakeInfo(id),
    ]);
    if (isSwitchOn(context, 'json')) {
      printJson(context.io, { profile, balance, stake });
      return EXIT.DONE;
    }
    // The objects overlap, that of the reputation too: each member is printed once, by itself.
    const { reputation, ...plain } = profile;
    printObject(context.io, { ...plain, ...withoutMembersOf(profile, balance) });
    printObject(context.io, withoutMembersOf({ ...plain, ...balance, ...stake }, reputation ?? {}), {
      prefix: 'Reputation',
    });
    printObject(context.io, withoutMembersOf({ ...profile, ...balance }, stake));
    return EXIT.DONE;
  },
};

function withoutMembersOf(shown: object, more: object): object {
  return Object.fromEntries(Object.entries(more).filter(([name]) => !Object.hasOwn(shown, name)));
}
