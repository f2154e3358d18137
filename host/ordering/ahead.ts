// Which seats make their witness of a round as the network falls silent, before there is work in it (consensus 5.13 e): as many
// as are no quorum. Whichever other seat has the next write completes the round with it, and the write is final a message
// delay earlier.
// Keeps: local policy, it may differ between nodes; these seats are no quorum, and with any other one that is not away they are.

/** Vertices with payload that count, the newest ones. */
const REMEMBERED = 16;
/** A seat whose newest vertex is so many rounds below is away: it would complete nothing. */
const AWAY_ROUNDS = 3;
/** In larger networks few seats lead, and most writes would only wait longer. Measured in decisions/0027. */
const MOST_SEATS = 7;

/** Are there rounds into which some seats go ahead. Where a seat is a quorum alone it waits for nobody. */
export const canGoAhead = ({ seats, isQuorum }: Pick<RoundView, 'seats' | 'isQuorum'>): boolean =>
  seats.length <= MOST_SEATS && !seats.some((seat) => isQuorum([seat]));

/** Whose payload was ordered lately. */
export class Writers {
  readonly #newest: number[] = [];

  /** Payload of a seat was ordered. */
  note(seat: number): void {
    this.#newest.push(seat);
    if (this.#newest.length > REMEMBERED) this.#newest.shift();
  }

  /** Was at least half of the newest payload a seat's. */
  isMain(seat: number): boolean {
    const own = this.#newest.filter((one) => one === seat).length;
    return own > 0 && 2 * own >= this.#newest.length;
  }
}

/** What it depends on. */
export interface RoundView {
  /** Seats with weight. */
  seats: readonly number[];
  isQuorum(seats: readonly number[]): boolean;
  /** Seats that lead the slots of a round, in the order of the slots. */
  leadersOf(round: number): readonly number[];
  /** Round of a seat's newest vertex of the epoch; undefined: there is none here, or none may become a parent. */
  newestRound(seat: number): number | undefined;
  isMainWriter(seat: number): boolean;
}

/**
 * The seats that go ahead into a round. Those that do not lead in it first, since only a leader's write is final earlier, then
 * from its last slot on, main writers last.
 */
export function seatsAhead(view: RoundView, round: number): number[] {
  if (!canGoAhead(view)) return [];
  const present = view.seats.filter((seat) => (view.newestRound(seat) ?? 0) > round - AWAY_ROUNDS);
  const leading = view.leadersOf(round).filter((seat) => present.includes(seat));
  const others = present.filter((seat) => !leading.includes(seat));
  const [main, rest] = [true, false].map((is) => leading.filter((seat) => view.isMainWriter(seat) === is));
  const ahead: number[] = [];
  for (const seat of [...others, ...rest!.reverse(), ...main!.reverse()])
    if (!view.isQuorum([...ahead, seat])) ahead.push(seat);
  return ahead;
}
