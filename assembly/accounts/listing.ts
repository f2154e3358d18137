// Whether an agent has a service listing; the host keeps its text.
// Keeps: a listing that was taken down stays readable; one that never existed cannot be taken down (protocol 7.7).

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

/** OP_SERVICE_LIST: lists the agent, or gives its listing a new text. */
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
