// What was received does not match the seal.

/** The text completes "the peer's ...". */
export class JoinFault extends Error {
  override name = 'JoinFault';
}
