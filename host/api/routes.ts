// The route table: method, path, parameters, reply, errors, limits and handler of every endpoint. The server dispatches
// by it and the API description is generated from it. routes/ has one file for each domain.

import type { ReadContext } from './context.ts';
import type { Route } from './route.ts';
import { AGENT_READS, AGENT_WRITES } from './routes/agents.ts';
import { BATCHES } from './routes/batch.ts';
import { CASE_READS, CASE_WRITES } from './routes/cases.ts';
import { LOG_READS } from './routes/log.ts';
import { MARKET_READS, MARKET_WRITES } from './routes/market.ts';
import { MCP_EXCHANGES } from './routes/mcp.ts';
import { NETWORK_READS } from './routes/network.ts';
import { PROGRAM_READS, PROGRAM_WRITES } from './routes/programs.ts';
import { STREAM_READS } from './routes/stream.ts';
import { TASK_READS, TASK_WRITES } from './routes/tasks.ts';
import { VALIDATOR_READS, VALIDATOR_WRITES } from './routes/validators.ts';
import { VERIFICATION_READS, VERIFICATION_WRITES } from './routes/verification.ts';

export const ROUTES: readonly Route<ReadContext>[] = [
  ...AGENT_READS,
  ...MARKET_READS,
  ...VERIFICATION_READS,
  ...VALIDATOR_READS,
  ...TASK_READS,
  ...PROGRAM_READS,
  ...CASE_READS,
  ...NETWORK_READS,
  ...LOG_READS,
  ...STREAM_READS,
  ...MCP_EXCHANGES,
  ...BATCHES,
  ...AGENT_WRITES,
  ...MARKET_WRITES,
  ...VERIFICATION_WRITES,
  ...VALIDATOR_WRITES,
  ...TASK_WRITES,
  ...PROGRAM_WRITES,
  ...CASE_WRITES,
];
