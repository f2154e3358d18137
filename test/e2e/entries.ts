// Balances rebuilt from nothing but the events that a node shows (pitfall M2): every movement of money must be in an event.

import type { Json } from './agent.ts';

export interface Holding {
  balance: number;
  staked: number;
}

/** The voters' part of a base fee (protocol 6.2); here one operator votes alone. */
const cutOf = (fee: number): number => Math.floor((fee * 8_000) / 10_000);

/**
 * Plays events, oldest first, over the holdings at genesis.
 * `operator`: the only voter, who gets the cut of each fee.
 */
export function playEvents(
  genesis: ReadonlyMap<string, Holding>,
  events: readonly Json[],
  operator: string,
): Map<string, Holding> {
  const held = new Map([...genesis].map(([id, h]) => [id, { ...h }]));
  const of = (id: string): Holding => held.get(id)!;
  const byId = new Map(events.map((e) => [e.event_id, e]));

  const settle = ({ payload }: Json): void => {
    const target = byId.get(payload.target_event_id);
    const isApproved = payload.settlement_state === 'settled';
    const fee = payload.fee ?? 0;
    of(operator).balance += cutOf(fee);
    if (target.event_type === 'generation') of(target.agent_id).balance -= fee;
    else if (isApproved) of(target.recipient_id).balance += target.amount - fee;
    else of(target.agent_id).balance += target.amount;
  };
  const stake = (id: string, amount: number): void => {
    of(id).balance -= amount;
    of(id).staked += amount;
  };

  for (const event of events) {
    const { agent_id, event_type, payload } = event;
    if (event_type === 'registration') {
      held.set(agent_id, { balance: payload.onboarding_allocation, staked: 0 });
      stake(agent_id, payload.staked_amount);
    } else if (event_type === 'faucet_grant') of(agent_id).balance += payload.amount;
    else if (event_type === 'stake') stake(agent_id, payload.amount);
    else if (event_type === 'unstake') stake(agent_id, -payload.amount);
    else if (event_type === 'transfer') of(agent_id).balance -= event.amount;
    else if (event_type === 'settlement') settle(event);
    else if (event_type === 'slash') of(payload.target_agent).staked -= payload.amount;
  }
  return held;
}
