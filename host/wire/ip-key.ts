// The key by which limits per address (requests, streams, handshakes) are counted.

/** Turns IPv4-mapped IPv6 into IPv4, so that a client has one address however the port was bound. */
export function plainAddress(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  return mapped ? mapped[1]! : address;
}

/**
 * The key of an address. IPv6 is counted by its /64 network: whoever has one address there has all 2^64 of them, so a
 * limit for each single address would not limit anybody.
 */
export function ipKey(address: string): string {
  const plain = plainAddress(address);
  if (!plain.includes(':')) return plain;
  const [head = '', tail] = plain.split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - front.length - back.length);
  return [...front, ...Array<string>(zeros).fill('0'), ...back].slice(0, 4).join(':').toLowerCase();
}
