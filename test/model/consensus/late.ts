// Which seats of the next epoch are late, as consensus 5.11 says it: sets and BigInt.
// Keeps: shares no code with the node.

/** Seats with weight that lead no slot. `timely`: for each seat the rounds in which its witness came in time. */
export function lateSeats(
  weights: readonly bigint[],
  minParticipants: number,
  timely: readonly number[],
): Set<number> {
  const voters = new Set(weights.keys());
  for (const seat of weights.keys()) if (weights[seat] === 0n) voters.delete(seat);
  const sum = (seats: Iterable<number>): bigint => [...seats].reduce((all, seat) => all + weights[seat]!, 0n);
  const isQuorum = (seats: ReadonlySet<number>): boolean =>
    seats.size >= minParticipants && 1000n * sum(seats) >= 667n * sum(voters);

  let most = 0;
  for (const seat of voters) if (timely[seat]! > most) most = timely[seat]!;
  const leading = new Set<number>();
  for (const seat of voters) if (timely[seat]! / most >= 0.75 || most === 0) leading.add(seat);
  while (!isQuorum(leading)) {
    let next: number | undefined;
    for (const seat of voters) {
      if (!leading.has(seat) && (next === undefined || timely[seat]! > timely[next]!)) next = seat;
    }
    leading.add(next!);
  }
  for (const seat of leading) voters.delete(seat);
  return voters;
}
