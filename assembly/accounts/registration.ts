// New agents: identity, onboarding grant, first stake.
// Keeps: no id and no key is registered twice, in whatever form (protocol 4.1); a refusal leaves
// no trace, not even the TxID (protocol 1.8).

import {
  ALREADY_REGISTERED,
  CAPACITY,
  IN_REGISTER_ID,
  IN_REGISTER_ID_BYTES,
  IN_REGISTER_KEY,
  IN_REGISTER_STAKE,
  INVALID_REQUEST,
  OK,
  POOL_ECOSYSTEM,
  REASON_STAKE_ABOVE_GRANT,
  REASON_VALIDATOR_ID,
  RESULT_AGENT,
  RESULT_REGISTER_BALANCE,
  RESULT_REGISTER_GRANT,
  RESULT_REGISTER_IS_LIMITED,
  RESULT_REGISTER_STAKED,
  RESULT_REGISTER_TRUST_LIMIT,
  TABLE_AGENTS,
} from '../abi';
import { noteBytes } from '../credit/log-bytes';
import { addStake } from '../credit/stake';
import { trustLimit } from '../credit/trust';
import { commits, field32, field64, fieldAddress, frame, refuse, setResult } from '../io/frame';
import { addAgent, agentIndex, findAgent } from '../ledger/agents';
import { balanceOf, move, poolOf } from '../ledger/money';
import { nextGrant } from '../ledger/onboarding';
import { isZero } from '../lib/bytes';
import { sha256 } from '../lib/sha256';
import { readHex32 } from '../lib/text';
import { startFingerprint } from '../reputation/fingerprint';
import { header } from '../state/header';
import { isValidatorId } from '../validators/naming';
import { grantsLeft, spendGrant } from './grants';
import { mayAddAgent, noteNewcomer } from './newcomers';

const KEY: usize = memory.data(32, 8);

// Writes the agent key at KEY: the id as 32 bytes when it is 64 hex characters, else its SHA-256.
// Returns how many bytes of the id the row must store.
function readIdentity(id: usize, idBytes: u32): u32 {
  if (idBytes == 64 && readHex32(id, KEY)) return 0;
  sha256(id, idBytes, KEY);
  return idBytes;
}

/**
 * OP_REGISTER. Grant from genesis:ecosystem by the tiers of protocol 6.11, at most what is left of the seat's part of the
 * daily budget; part of it may be staked at once. A registration without a grant does not move the tiers, otherwise free
 * identities could end onboarding.
 */
export function register(): i32 {
  const nowSecs = frame().nowSecs;
  const publicKey = fieldAddress(IN_REGISTER_KEY);
  const stake = field64(IN_REGISTER_STAKE);
  const due = nextGrant();
  const grant = min<u64>(due, grantsLeft(nowSecs));
  const id = fieldAddress(IN_REGISTER_ID);
  const idBytes = field32(IN_REGISTER_ID_BYTES);
  const textBytes = readIdentity(id, idBytes);
  const hasKey = !isZero(publicKey, 32);
  if (isValidatorId(id, idBytes)) return refuse(INVALID_REQUEST, REASON_VALIDATOR_ID);
  if (stake > grant) return refuse(INVALID_REQUEST, REASON_STAKE_ABOVE_GRANT);
  if (findAgent(KEY) >= 0) return refuse(ALREADY_REGISTERED);
  if (hasKey && findAgent(publicKey) >= 0) return refuse(ALREADY_REGISTERED);
  if (!mayAddAgent(nowSecs)) return refuse(CAPACITY, TABLE_AGENTS);
  if (!commits()) return OK;

  const agent = addAgent(KEY, publicKey, id, textBytes, nowSecs);
  noteNewcomer(nowSecs);
  noteBytes(agent, frame().kib, nowSecs);
  if (grant > 0) header().grantCount++;
  spendGrant(grant, nowSecs);
  move(poolOf(POOL_ECOSYSTEM), balanceOf(agent), grant);
  if (stake > 0) addStake(agent, balanceOf(agent), stake, nowSecs);
  startFingerprint(agent);
  setResult(RESULT_AGENT, agentIndex(agent));
  setResult(RESULT_REGISTER_GRANT, grant);
  setResult(RESULT_REGISTER_STAKED, agent.staked);
  setResult(RESULT_REGISTER_BALANCE, agent.balance);
  setResult(RESULT_REGISTER_TRUST_LIMIT, trustLimit(agent, nowSecs));
  setResult(RESULT_REGISTER_IS_LIMITED, grant < due ? 1 : 0);
  return OK;
}
