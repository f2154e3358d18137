// The keys by which limits per address (requests, streams, handshakes) and per network are counted.

/** Turns IPv4-mapped IPv6 into IPv4, so that a client has one address however the port was bound. */
export function plainAddress(address: string): string {
  if (!address.includes(':')) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  return mapped ? mapped[1]! : address;
}

/** The groups of an IPv6 address as it is written, filled up with zeros. */
function groupsOf(address: string): string[] {
  const [head = '', tail] = address.toLowerCase().split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - front.length - back.length);
  return [...front, ...Array<string>(zeros).fill('0'), ...back];
}

/** A text of its own: as a part of a longer one, such as the head of a request, it would keep all of that in memory. */
const ownText = (text: string): string => ` ${text}`.slice(1);

/**
 * The key of an address, which may be kept for an hour. IPv6 is counted by its /64 network: whoever has one address there has
 * all 2^64 of them, so a limit for each single address would not limit anybody.
 */
export function ipKey(address: string): string {
  const plain = plainAddress(address);
  return plain.includes(':') ? groupsOf(plain).slice(0, 4).join(':') : ownText(plain);
}

/**
 * The key of the network in which somebody easily has many addresses (protocol 8.1): /24 of IPv4; /56 of IPv6, since providers
 * give that to a site, with its 256 /64 networks (RFC 6177). Takes an address or its `ipKey`.
 */
export function networkKey(address: string): string {
  const plain = plainAddress(address);
  if (!plain.includes(':')) return plain.slice(0, plain.lastIndexOf('.') + 1);
  const [a, b, c, d = ''] = groupsOf(plain);
  return `${a}:${b}:${c}:${d.padStart(4, '0').slice(0, 2)}`;
}
