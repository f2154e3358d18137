// Resolves a webhook's host name at the configured name servers, over its own sockets.
// getaddrinfo is avoided: it blocks a thread of the pool in which the store writes, for as long as a stranger's name
// server takes. Therefore the hosts file is ignored, and localhost is resolved here (RFC 6761).

import { Resolver } from 'node:dns/promises';

const TIMEOUT_MS = 1500;
const TRIES = 2;
const LOOPBACK = ['127.0.0.1', '::1'];

const isLocalhost = (name: string): boolean => /^(.*\.)?localhost\.?$/i.test(name);

/** IPv4 addresses first; rejects when the name has no address. `servers`: address:port; default: those of the system. */
export function createResolve(servers?: readonly string[]): (name: string) => Promise<string[]> {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  if (servers) resolver.setServers(servers);
  return async (name) => {
    if (isLocalhost(name)) return LOOPBACK;
    const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    if (addresses.length === 0) throw new Error(`${name} has no address`);
    return addresses;
  };
}
