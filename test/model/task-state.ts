// A task in the model: one plain object, with references instead of rows.
// Keeps: final tasks stay in the list until the block's end, assured ones longer, as in the core.

import type { RoutedTask } from './router.ts';
import type { ModelAgent, ModelItem, ModelValidator } from './state.ts';

export interface Judge {
  validator: ModelValidator;
  approve: boolean;
  share: number;
  weight: bigint;
}

/** An agent whose claim of a task expired, or whose exclusive time for it lapsed. */
export interface ModelBar {
  agent: ModelAgent;
  isClaim: boolean;
}

export interface ModelTask {
  /** hex32 */
  id: string;
  budget: bigint;
  escrow: bigint;
  assuranceFee: bigint;
  paid: bigint;
  baseFee: bigint;
  flags: number;
  lane: number;
  laneAsked: number;
  categoryName: string;
  /** Category number of the records, set by the first claim. */
  category: number;
  reviewSecs: number;
  deliverySecs: number;
  poster: ModelAgent;
  claimer: ModelAgent | undefined;
  parent: ModelTask | undefined;
  /** Subtasks of the present claim that were not cancelled by themselves. */
  children: ModelTask[];
  createdByClaim: number;
  /** The oldest first. */
  bars: ModelBar[];
  status: number;
  resolution: number;
  payout: number;
  generation: number;
  /** When its value was recognised. */
  recognizedAt: number;
  replay: number;
  assurancePaid: bigint;
  /** The time for which it stays after its end is over. */
  isDue: boolean;
  overallBp: number;
  /** NO_QUORUM_*, the worker's share in steps of 10 %, and what the poster got back by it. */
  noQuorum: number;
  /** What a claim reserves; what is held of both bonds; whether the worker contests. */
  workerBond: bigint;
  workerHeld: bigint;
  posterHeld: bigint;
  isContested: boolean;
  /** Panels drawn for its dispute. */
  panels: number;
  /** The poster disputed what was delivered. */
  isByPoster: boolean;
  share: number;
  refunded: bigint;
  commits: number;
  posted: number;
  expires: number;
  claimed: number;
  claimDeadline: number;
  /** When the poster's cancellation of a claimed task takes effect. */
  cancelAt: number;
  submitted: number;
  reviewDeadline: number;
  disputed: number;
  disputeDeadline: number;
  ended: number;
  submission: ModelItem | undefined;
  submissionEvent: string;
  dispute: ModelItem | undefined;
  disputeEvent: string;
  panel: ModelValidator[];
  /** Votes of the panel, by validator. */
  panelVotes: { validator: ModelValidator; approve: boolean }[];
  panelVerdict: number;
  /** What the router knows of it, the agent (index) that the model knows as assigned, and the end of exclusivity. */
  routed: RoutedTask;
  assigned: number | undefined;
  exclusiveUntil: number;
  /** Of its contract: fuel of a run (0: none), runs so far, failed ones of the present claim. */
  fuel: number;
  runs: number;
  tries: number;
  /** What is held of the worker while a run is due; whether the run that the poster paid for is spent. */
  feeHeld: bigint;
  isPaidRunSpent: boolean;
  /** Votes on the dispute with the weights of its decision, until the payout, of an assured task until it leaves. */
  judges: Judge[];
}
