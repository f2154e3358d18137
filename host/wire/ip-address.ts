// IP addresses as text and as bytes, and which of them belong to the public internet.
// Keeps: the numeric address decides, whatever its notation. An IPv6 address is public only if a rule says so; one
// that embeds an IPv4 address is classified by that address. Sources: IANA special-purpose registries (RFC 6890),
// WHATWG URL for the unusual notations of IPv4.

/** 4 or 16 bytes. */
export type IpAddress = Uint8Array;

const V4_BYTES = 4;
const V6_GROUPS = 8;

function part(text: string): number | undefined {
  if (/^0[xX][0-9a-fA-F]*$/.test(text)) return text.length === 2 ? 0 : Number.parseInt(text, 16);
  if (/^0[0-7]*$/.test(text)) return Number.parseInt(text, 8);
  return /^[1-9][0-9]*$/.test(text) ? Number(text) : undefined;
}

/** True when a host name ends in a number, so that it can only be an IPv4 address (WHATWG URL). */
export function endsInNumber(host: string): boolean {
  const labels = (host.endsWith('.') ? host.slice(0, -1) : host).split('.');
  const last = labels[labels.length - 1]!;
  return /^[0-9]+$/.test(last) || /^0[xX][0-9a-fA-F]*$/.test(last);
}

/** One to four decimal, octal or hexadecimal numbers; the last fills the remaining bytes: 127.1, 0x7f000001, 017700000001. */
export function parseIpv4(host: string): IpAddress | undefined {
  const numbers = (host.endsWith('.') ? host.slice(0, -1) : host).split('.').map(part);
  const last = numbers.pop();
  if (last === undefined || numbers.length >= V4_BYTES) return undefined;
  if (numbers.some((n) => n === undefined || n > 255)) return undefined;
  if (last >= 256 ** (V4_BYTES - numbers.length)) return undefined;
  const bytes = new Uint8Array(V4_BYTES);
  new DataView(bytes.buffer).setUint32(0, last);
  for (const [i, n] of numbers.entries()) bytes[i] = n!;
  return bytes;
}

/** Colon-separated groups of one side of `::`; a dotted IPv4 address may end the last side. */
function groups(text: string, mayEndInIpv4: boolean): number[] | undefined {
  if (text === '') return [];
  const out: number[] = [];
  const parts = text.split(':');
  for (const [i, p] of parts.entries()) {
    if (/^[0-9a-fA-F]{1,4}$/.test(p)) out.push(Number.parseInt(p, 16));
    else if (mayEndInIpv4 && i === parts.length - 1 && /^(\d{1,3}\.){3}\d{1,3}$/.test(p)) {
      const numbers = p.split('.').map(Number);
      if (numbers.some((n) => n > 255)) return undefined;
      out.push(numbers[0]! * 256 + numbers[1]!, numbers[2]! * 256 + numbers[3]!);
    } else return undefined;
  }
  return out;
}

/** `text` without brackets. An address with a zone (`%eth0`) is refused. */
export function parseIpv6(text: string): IpAddress | undefined {
  const sides = text.split('::');
  if (sides.length > 2) return undefined;
  const head = groups(sides[0]!, sides.length === 1);
  const tail = sides.length === 2 ? groups(sides[1]!, true) : [];
  if (!head || !tail) return undefined;
  const missing = V6_GROUPS - head.length - tail.length;
  if (sides.length === 1 ? missing !== 0 : missing < 1) return undefined;
  const all = [...head, ...new Array<number>(missing).fill(0), ...tail];
  const bytes = new Uint8Array(2 * V6_GROUPS);
  const view = new DataView(bytes.buffer);
  for (const [i, group] of all.entries()) view.setUint16(2 * i, group);
  return bytes;
}

/** Parses an address as resolvers and sockets report it: dotted IPv4 or IPv6. */
export const parseIp = (text: string): IpAddress | undefined =>
  text.includes(':') ? parseIpv6(text) : parseIpv4(text);

type Block = readonly [network: string, bits: number];

const NOT_PUBLIC_V4: readonly Block[] = [
  ['0.0.0.0', 8], // this network, unspecified
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // carrier NAT
  ['127.0.0.0', 8], // loopback
  ['169.254.0.0', 16], // link-local, cloud metadata
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments
  ['192.0.2.0', 24], // documentation
  ['192.88.99.0', 24], // 6to4 relays
  ['192.168.0.0', 16], // private
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, broadcast
];

/** The only block of public unicast addresses, and the special-purpose blocks inside it. */
const PUBLIC_V6: Block = ['2000::', 3];
const NOT_PUBLIC_V6: readonly Block[] = [
  ['2001::', 23], // protocol assignments: Teredo, ORCHID, benchmarks
  ['2001:db8::', 32], // documentation
  ['3fff::', 20], // documentation
];
/** Networks whose addresses embed an IPv4 address, and its byte offset. */
const CARRIES_V4: readonly (readonly [Block, at: number])[] = [
  [['::ffff:0:0', 96], 12], // mapped
  [['64:ff9b::', 96], 12], // NAT64
  [['2002::', 16], 2], // 6to4
];

function inBlock(address: IpAddress, [network, bits]: Block): boolean {
  const want = parseIp(network)!;
  if (want.length !== address.length) return false;
  for (let bit = 0; bit < bits; bit += 8) {
    const mask = bits - bit >= 8 ? 0xff : (0xff << (8 - (bits - bit))) & 0xff;
    if ((address[bit >> 3]! & mask) !== (want[bit >> 3]! & mask)) return false;
  }
  return true;
}

/** True when a node may connect to the address on a stranger's behalf. Source: protocol 10, SSRF guard. */
export function isPublicAddress(address: IpAddress): boolean {
  if (address.length === V4_BYTES) return !NOT_PUBLIC_V4.some((block) => inBlock(address, block));
  for (const [block, at] of CARRIES_V4) {
    if (inBlock(address, block)) return isPublicAddress(address.subarray(at, at + V4_BYTES));
  }
  return inBlock(address, PUBLIC_V6) && !NOT_PUBLIC_V6.some((block) => inBlock(address, block));
}
