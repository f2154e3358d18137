// What an agent offers: its listing, as it wrote it. Nothing where it offers nothing.

import { type Listing, VwsError } from '../../../client/index.ts';
import { node } from '../../data/node.ts';
import { Facts } from '../../parts/facts.tsx';
import { formatCount } from '../../text/amount.ts';
import { words } from '../../text/words.ts';

/** Undefined where it offers nothing. */
export async function listingOf(id: string): Promise<Listing | undefined> {
  try {
    return await node.market.listing(id);
  } catch (error) {
    if (error instanceof VwsError && error.status === 404) return undefined;
    throw error;
  }
}

export function Offer({ of: listing }: { of: Listing | undefined }) {
  if (!listing?.active) return null;
  return (
    <section>
      <h2>What it offers</h2>
      <p>
        <b>{listing.name}</b>
        {listing.description && <>: {listing.description}</>}
      </p>
      <Facts
        of={[
          ['Category', words(listing.category)],
          ['Price', `${formatCount(listing.price_tok)} tokens`],
          ['Tags', listing.tags.join(', ')],
        ]}
      />
    </section>
  );
}
