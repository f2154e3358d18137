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

/** Whose payload was ordered lately, and so whose is likely to be next. */
export class Writers {
  readonly #newest: number[] = [];

  /** Payload of a seat was ordered. */
  note(seat: number): void {
    this.#newest.push(seat);
    if (this.#newest.length > REMEMBERED) this.#newest.shift();
  }

  /**
   * The seat that followed the last writer most often, the latest one of several: itself where a client stays at it, the next one where
   * clients are spread over the seats in turn. Nobody has followed it: itself. Undefined: nothing was ordered.
   */
  get next(): number | undefined {
    const last = this.#newest.at(-1);
    const counts = new Map<number, number>();
    let [next, most] = [last, 0];
    for (const [i, seat] of this.#newest.entries()) {
      if (i === 0 || this.#newest[i - 1] !== last) continue;
      const count = (counts.get(seat) ?? 0) + 1;
      counts.set(seat, count);
      if (count >= most) [next, most] = [seat, count];
    }
    return next;
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
  /** The seat whose write is likely to be next. */
  nextWriter(): number | undefined;
}

/**
 * The seats that go ahead into a round. Those that do not lead in it first, since only a leader's write is final earlier, then
 * from its last slot on, the one whose write is likely to be next last.
 */
export function seatsAhead(view: RoundView, round: number): number[] {
  if (!canGoAhead(view)) return [];
  const present = view.seats.filter((seat) => (view.newestRound(seat) ?? 0) > round - AWAY_ROUNDS);
  const leading = view.leadersOf(round).filter((seat) => present.includes(seat));
  const others = present.filter((seat) => !leading.includes(seat));
  const nextWriter = view.nextWriter();
  const next = leading.filter((seat) => seat === nextWriter);
  const rest = leading.filter((seat) => seat !== nextWriter).reverse();
  const ahead: number[] = [];
  for (const seat of [...others, ...rest, ...next]) if (!view.isQuorum([...ahead, seat])) ahead.push(seat);
  return ahead;
}
