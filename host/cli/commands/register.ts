// vws register: POST /v1/agents.

import { parseAmount } from '../amount.ts';
import { type Command, optionText } from '../command.ts';
import { JSON_OPTION, openClient, printAnswer, RESEND_OPTION } from '../connection.ts';
import { EXIT } from '../exit-code.ts';

export const register: Command = {
  name: 'register',
  summary: 'register the agent of a key',
  about: `Registers the key of --key as an agent and prints its grant. Without --agent-id the agent
is known by its public key. Part of the grant can be staked at once; the stake is the trust limit.`,
  options: [
    { name: 'agent-id', value: 'id', help: 'a name of 1..64 characters of A-Z a-z 0-9 . _ : / -' },
    { name: 'stake', value: 'amount', help: 'part of the grant to stake at once (u, or tokens as 1.5t)' },
    RESEND_OPTION,
    JSON_OPTION,
  ],
  settings: 'client',
  examples: ['vws register --key alice.key', 'vws register --key alice.key --agent-id alice --stake 1000t'],
  async run(context) {
    const stake = optionText(context, 'stake');
    const answer = await openClient(context).register({
      agent_id: optionText(context, 'agent-id'),
      initial_stake: stake === undefined ? undefined : parseAmount(stake, '--stake'),
    });
    printAnswer(context, answer);
    return EXIT.DONE;
  },
};
