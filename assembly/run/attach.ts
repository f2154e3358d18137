// Derived structures of all tables: pointed at their memory once, rebuilt from the rows after an import.
// Keeps: whatever is derived follows from the rows alone, so two cores with equal rows act alike.

import { attachKeys, rebuildKeyIndex } from '../access/keys';
import { attachSeen, rebuildSeenIndex } from '../access/seen';
import { attachAgents, rebuildAgentIndex } from '../ledger/agents';
import { attachCategories, rebuildCategoryIndex } from '../reputation/categories';
import { attachItems, rebuildItemIndex } from '../settlement/items';
import { rebuildValidatorOrder } from '../validators/validators';

export function attachTables(): void {
  attachAgents();
  attachItems();
  attachSeen();
  attachKeys();
  attachCategories();
}

export function rebuildTables(): void {
  rebuildAgentIndex();
  rebuildItemIndex();
  rebuildSeenIndex();
  rebuildKeyIndex();
  rebuildCategoryIndex();
  rebuildValidatorOrder();
}
