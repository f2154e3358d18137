// Rows, commands and outcomes of the plain JavaScript ledger (map-ledger.ts): objects, hex strings and BigInt, as in a
// program without a core. Ids and keys are lower-case hex, amounts micro-units, times seconds.

export interface MapRecord {
  completed: number;
  failed: number;
  lastActive: number;
  earned: bigint;
  scoreBpSum: bigint;
}

/** Fees that an agent's tasks brought the treasury (protocol 6.17). */
interface MapStanding {
  since: number;
  units: number;
}

export interface MapAgent {
  index: number;
  key: string;
  publicKey: string;
  id: string;
  fingerprint: Buffer;
  balance: bigint;
  staked: bigint;
  reserved: bigint;
  exposure: bigint;
  stakedSince: number;
  firstSeen: number;
  lastActive: number;
  transferred: bigint;
  completed: number;
  failed: number;
  /** None before the first fee: transfers bring none. */
  standing: MapStanding | undefined;
  /** Records by category, transfer being 0. */
  records: Map<number, MapRecord>;
  /** Index of the validator it operates. */
  validator: number | undefined;
}

export interface MapValidator {
  agent: MapAgent;
  isActive: boolean;
  baselineBp: bigint;
  /** Weight that counts in full: as far as it was held before (protocol 6.9). */
  held: bigint;
  lastDuty: number;
  votesDecided: number;
  votesRight: number;
}

interface MapVote {
  validator: number;
  approves: boolean;
  value: bigint;
  castSecs: number;
}

export interface MapItem {
  eventId: string;
  agent: MapAgent;
  recipient: MapAgent;
  amount: bigint;
  created: number;
  deadline: number;
  assigned: number[];
  votes: MapVote[];
}

interface Head {
  txId: string;
  actor: string;
  /** Last second at which the request may execute. */
  lastSecs: number;
}
export interface RegisterCommand extends Head {
  op: 'register';
  publicKey: string;
  stake: bigint;
  agentId: string;
}
export interface TransferCommand extends Head {
  op: 'transfer';
  to: string;
  amount: bigint;
}
export interface VerifyCommand extends Head {
  op: 'verify';
  event: string;
  approves: boolean;
}
export type MapCommand = RegisterCommand | TransferCommand | VerifyCommand;

/** `words`: results on success, details on refusal, as in assembly/abi.ts. */
export interface MapTx {
  kind: 'tx';
  txId: string;
  code: number;
  seq: number;
  order: number;
  index: number;
  words: (number | bigint)[];
}

interface MapSettlement {
  kind: 'settlement';
  id: string;
  seq: number;
  order: number;
  index: number;
  target: string;
  settled: boolean;
  reason: number;
  agent: number;
  recipient: number;
  amount: bigint;
  fee: bigint;
  treasuryFee: bigint;
  approve: bigint;
  reject: bigint;
  total: bigint;
  participants: number;
}

interface MapSlash {
  kind: 'slash';
  id: string;
  seq: number;
  order: number;
  index: number;
  agent: number;
  amount: bigint;
  remaining: bigint;
}
interface MapGenesis {
  kind: 'genesis';
  id: string;
  seq: number;
  order: number;
  index: number;
}
export type MapOutcome = MapTx | MapSettlement | MapSlash | MapGenesis;
