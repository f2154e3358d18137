// A started node as the command line sees it, and the function that starts one.

import type { Config } from '../config/config.ts';
import type { KeyPair } from '../crypto/key-pair.ts';
import type { Logger } from '../log.ts';
import type { Genesis } from '../wire/genesis.ts';

export interface RunningNode {
  /** agent_id of the seat's operator: the node's identity in the ledger. */
  operatorAgentId: string;
  /** Base URL of the API, with the port as bound. */
  apiAddress: string;
  /** host:port as bound, or why there is none. */
  listenAddress: string;
  stop(): Promise<void>;
  /** Resolves when the node cannot continue. */
  failed: Promise<Error>;
}

export type StartNode = (options: {
  config: Config;
  identity: KeyPair;
  operator?: KeyPair | undefined;
  genesis: Genesis;
  log: Logger;
}) => Promise<RunningNode>;
