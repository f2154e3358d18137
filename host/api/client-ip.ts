// The address by which a request is counted: the socket's, or the one that configured proxies report (protocol 8.1,
// pitfall A8).
// Keeps: a header is believed only as far as trusted proxies wrote it, so no client can choose its address.

import { BlockList, isIP } from 'node:net';
import { plainAddress } from '../wire/ip-key.ts';
import type { HttpRequest } from '../world/http.ts';

/** One hop of X-Forwarded-For as an address, without port and brackets; undefined if it is not an address. */
function hopAddress(text: string): string | undefined {
  const hop = text.trim();
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(hop)?.[1] ?? /^([\d.]+):\d+$/.exec(hop)?.[1] ?? hop;
  const address = plainAddress(bare);
  return isIP(address) ? address : undefined;
}

export class ClientIp {
  private readonly trusted = new BlockList();
  private readonly isDirect: boolean;

  /** `trustedProxies`: addresses or CIDR networks, already checked by config. */
  constructor(trustedProxies: readonly string[]) {
    this.isDirect = trustedProxies.length === 0;
    for (const proxy of trustedProxies) {
      const [address = '', bits] = proxy.split('/');
      const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
      if (bits === undefined) this.trusted.addAddress(address, family);
      else this.trusted.addSubnet(address, Number(bits), family);
    }
  }

  /**
   * The first address that is not a trusted proxy, from the socket and then from right to left through X-Forwarded-For.
   * At a hop that is not an address, the result is the proxy that reported it.
   */
  of(request: Pick<HttpRequest, 'remoteAddress' | 'header'>): string {
    let address = request.remoteAddress;
    if (!this.isTrusted(address)) return address;
    const hops = (request.header('x-forwarded-for') ?? '').split(',');
    for (let i = hops.length - 1; i >= 0; i--) {
      const hop = hopAddress(hops[i]!);
      if (hop === undefined) return address;
      address = hop;
      if (!this.isTrusted(address)) return address;
    }
    return address;
  }

  /** Is it the address of one of the proxies. */
  isTrusted(address: string): boolean {
    if (this.isDirect) return false;
    const version = isIP(address);
    return version !== 0 && this.trusted.check(address, version === 6 ? 'ipv6' : 'ipv4');
  }
}
