// The router's derived structures: set up once, rebuilt from the rows after an import.
// Keeps: they follow from the rows alone. The shape of a tree depends only on its set of keys, so even the path of
// a search is the same after a rebuild.

import { attachWatched, setWatcher } from '../ledger/watched';
import { zeroWords } from '../lib/bytes';
import { AGENTS, CAPABILITIES, capacity } from '../state/header';
import { capabilityAt, capabilityRowsUsed } from './capabilities';
import {
  clearHolders,
  labelBase,
  offerBase,
  offerHeadBase,
  placeRouter,
  watcherBase,
  watchListBase,
} from './header';
import { attachLabels, learnCategories } from './labels';
import { addOffers, relist } from './listing';
import { clearOfferTree } from './offer-tree';
import { attachOffers } from './offers';
import { rebuildOpenTasks } from './open-tasks';
import { clearOpenTrees } from './open-tree';
import { attachWakes, rebuildWakes } from './wakes';

/** Empties the derived structures; needs root().router and root().routerIndex. */
export function attachRouter(): void {
  placeRouter();
  attachWatched(watcherBase(), capacity(AGENTS), watchListBase());
  attachLabels(labelBase());
  attachOffers(offerBase());
  zeroWords(offerHeadBase(), capacity(CAPABILITIES));
  clearOfferTree();
  clearOpenTrees();
  clearHolders();
  attachWakes();
}

/** Needs the rows of agents, records, categories and tasks. */
export function rebuildRouter(): void {
  attachRouter();
  learnCategories();
  for (let row: u32 = 0; row < capabilityRowsUsed(); row++) {
    const capability = capabilityAt(row);
    if (capability.owner == 0) continue;
    setWatcher(capability.owner - 1, row + 1);
    if (capability.isRemoved != 0) continue;
    addOffers(capability);
    relist(capability);
  }
  rebuildOpenTasks();
  rebuildWakes();
}
