// Where all tokens are: one bar of the whole supply, one of what circulates.

import type { SupplyParts } from '../../../client/index.ts';
import type { Piece } from '../../chart/piece.ts';
import { Stack } from '../../chart/stack.tsx';
import { circulating, PART_NAMES, PARTS, type Part } from '../../data/supply.ts';
import { formatMicro, formatWhole } from '../../text/amount.ts';

const pieceOf = (parts: SupplyParts, part: Part): Piece => ({
  name: PARTS[part].name,
  value: parts[part],
  shown: formatMicro(parts[part]),
  colour: PARTS[part].colour,
});

/** What the whole is made of; the small pools are one piece. */
function wholeOf(parts: SupplyParts): Piece[] {
  const pool = (part: Part): Piece => pieceOf(parts, part);
  const others = PART_NAMES.filter((part) => PARTS[part].colour === 5 && !PARTS[part].circulates);
  const small = others.reduce((sum, part) => sum + parts[part], 0);
  const outside = circulating(parts);
  return [
    pool('onboarding'),
    pool('rewards'),
    pool('public'),
    pool('founders'),
    pool('investors'),
    { name: 'Faucet, treasury, reserves', value: small, shown: formatMicro(small), colour: 5 },
    { name: 'In circulation', value: Number(outside), shown: formatMicro(outside), colour: 6 },
  ];
}

export function WholePicture({ parts }: { parts: SupplyParts }) {
  return <Stack of={wholeOf(parts)} />;
}

export function CirculatingPicture({ parts }: { parts: SupplyParts }) {
  const pieces = PART_NAMES.filter((part) => PARTS[part].circulates).map((part) => pieceOf(parts, part));
  return (
    <>
      <p>
        Of the whole, {formatWhole(circulating(parts))} tokens are held by agents or for them. They are drawn
        here as the whole bar.
      </p>
      <Stack of={pieces} />
    </>
  );
}
