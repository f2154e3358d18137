// A part of a whole, as stacks, rings and legends show it.

/** Colours of the page's tokens; the same number is the same colour in a legend. */
export const COLOURS = 6;

export interface Piece {
  name: string;
  value: number;
  /** As text, with its unit. */
  shown: string;
  /** 0..COLOURS - 1. */
  colour: number;
  /** Has a mark, and the words for it. */
  mark?: string | undefined;
}
