// The first message of both ends of a link: who fits this network, and who runs the same rules.

import { PEER_PROTOCOL } from '../config/config.ts';
import { MODULE_DIGESTS } from '../modules/module-digests.ts';
import { equalBytes, fromHex, toHex } from '../wire/bytes.ts';
import type { Genesis } from '../wire/genesis.ts';
import { NEWEST_REVISION } from '../wire/revisions.ts';
import type { Message } from './messages.ts';

export type Hello = Extract<Message, { type: 'hello' }>;

const digestOf = (name: 'core' | 'consensus'): Uint8Array => fromHex(MODULE_DIGESTS[name][0]!)!;
const OWN_CORE = digestOf('core');
const OWN_CONSENSUS = digestOf('consensus');

export function helloOf(genesis: Pick<Genesis, 'chainId' | 'hash'>, isObserver: boolean): Hello {
  return {
    type: 'hello',
    protocol: PEER_PROTOCOL,
    chainId: genesis.chainId,
    genesisHash: genesis.hash,
    revision: NEWEST_REVISION,
    core: OWN_CORE,
    consensus: OWN_CONSENSUS,
    isObserver,
  };
}

/** Why a hello does not fit this network; undefined when it does. */
export function helloFault(hello: Hello, genesis: Genesis): string | undefined {
  if (hello.protocol !== PEER_PROTOCOL)
    return `protocol ${hello.protocol.slice(0, 20)}, not ${PEER_PROTOCOL}`;
  if (hello.chainId !== genesis.chainId) return `chain ${hello.chainId.slice(0, 64)}, not ${genesis.chainId}`;
  if (!equalBytes(hello.genesisHash, genesis.hash))
    return 'another genesis: manifest or network parameters differ';
  // Another revision may have other modules (consensus 5.11). The same one has the same, or two nodes would disagree.
  if (hello.revision !== NEWEST_REVISION) return undefined;
  return (
    moduleFault('core', hello.core, OWN_CORE) ?? moduleFault('consensus', hello.consensus, OWN_CONSENSUS)
  );
}

function moduleFault(name: string, theirs: Uint8Array, ours: Uint8Array): string | undefined {
  if (equalBytes(theirs, ours)) return undefined;
  const short = (digest: Uint8Array): string => toHex(digest).slice(0, 12);
  return `another ${name}.wasm for revision ${NEWEST_REVISION}: ${short(theirs)}, not ${short(ours)}`;
}
