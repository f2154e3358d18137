// The registry's flag of an agent: whether it has a listing, which the host keeps as text.
// Keeps: a listing that was taken down stays known; one that never was cannot be taken down (DECISIONS 7.7).

import { LISTING_NOT_FOUND, OK, RESULT_AGENT } from '../abi';
import { actor, commits, frame, refuse, setResult } from '../io/frame';
import { touchAgent } from '../ledger/agents';

const NEVER_LISTED: u8 = 0;
const LISTED: u8 = 1;
const TAKEN_DOWN: u8 = 2;

function setListing(listing: u8): void {
  const agent = actor();
  agent.listing = listing;
  touchAgent(agent);
  setResult(RESULT_AGENT, frame().actor);
}

/** OP_SERVICE_LIST: the agent has a listing from now on, or a new text for it. */
export function listService(): i32 {
  if (!commits()) return OK;

  setListing(LISTED);
  return OK;
}

/** OP_SERVICE_UNLIST. Errors: LISTING_NOT_FOUND. */
export function unlistService(): i32 {
  if (actor().listing == NEVER_LISTED) return refuse(LISTING_NOT_FOUND);
  if (!commits()) return OK;

  setListing(TAKEN_DOWN);
  return OK;
}
