// The one place where host and core meet: opcodes, codes, byte layouts, queries.
// Plain constants below 2^31 only, so that TypeScript imports this file as it stands and the two sides
// cannot drift. All integers are little-endian; every record is a multiple of 8 bytes; u64 fields are
// 8-aligned inside their record. Nothing here may depend on anything else.

/** Version of everything in this file. A host refuses a core of another version. */
export const ABI_VERSION = 3;

// ---------------------------------------------------------------- init config (core_init)
//   0 u32 ABI_VERSION            4 u32 flags (CONFIG_*)
//   8 u32 agents                12 u32 open items            16 u32 votes
//  20 u32 TxIDs                 24 u32 API keys              28 u32 reputation records
//  32 u32 validators            36 u32 categories            40 u32 tasks
//  44 u32 bars                  48 u32 capabilities          52 u32 calibrations
//  56 u32 challenges            60 u32 replay jobs           64 u32 pairs of validators
//  68 u32 canaries
//  (capacities; 0 = the default below)
//  72 u64 launch time, seconds, 0 = consensus time of the first block
//  80 PARAM_COUNT x u64 network parameters in PARAM_* order
//  then u32 length and the bytes of the chain id, padded with zeros to 8
export const CONFIG_CAPACITIES = 8;
export const CONFIG_LAUNCH = 72;
export const CONFIG_PARAMS = 80;
export const CONFIG_TESTNET = 1;

export const DEFAULT_AGENTS = 1000000;
export const DEFAULT_ITEMS = 1000000;
export const DEFAULT_VOTES = 2000000;
// 600 seconds of 10,000 transactions a second.
export const DEFAULT_TXIDS = 6000000;
export const DEFAULT_KEYS = 131072;
export const DEFAULT_RECORDS = 2000000;
export const DEFAULT_VALIDATORS = 4096;
export const DEFAULT_CATEGORIES = 16384;
export const DEFAULT_TASKS = 1000000;
// Agents that may not claim, or are not picked by the router for, one task.
export const DEFAULT_BARS = 1000000;
export const DEFAULT_CAPABILITIES = 100000;
// Counts of a validator's votes in one category.
export const DEFAULT_CALIBRATIONS = 131072;
// Challenges stay while their task does (TASK_RETENTION_DAYS, longer while one is open).
export const DEFAULT_CHALLENGES = 65536;
export const DEFAULT_JOBS = 262144;
// Pairs of validators that judged a task together, for clusters.
export const DEFAULT_PAIRS = 262144;
// Canaries committed and not revealed yet; the oldest gives way.
export const DEFAULT_CANARIES = 1024;

// Network parameters (DECISIONS 1.9), all u64. allow_unsigned and legacy_open_coordination are 0 or 1.
export const PARAM_DAY_SECS = 0;
export const PARAM_VERIFICATION_DEADLINE_SECS = 1;
export const PARAM_CHALLENGE_WINDOW_SECS = 2;
export const PARAM_MAX_DELIVERY_TIME_SECS = 3;
export const PARAM_DISPUTE_DEADLINE_SECS = 4;
export const PARAM_CHALLENGE_TTL_SECS = 5;
export const PARAM_REPLAY_SUBMISSION_SECS = 6;
export const PARAM_ROUTING_EXCLUSIVE_SECS = 7;
export const PARAM_RECOVERY_DELAY_SECS = 8;
export const PARAM_FAUCET_COOLDOWN_SECS = 9;
export const PARAM_FAUCET_AMOUNT = 10;
export const PARAM_MIN_TASK_BUDGET = 11;
export const PARAM_CANARY_RATE_BP = 12;
export const PARAM_MIN_PARTICIPANTS = 13;
export const PARAM_ALLOW_UNSIGNED = 14;
export const PARAM_LEGACY_OPEN_COORDINATION = 15;
export const PARAM_COUNT = 16;

// ---------------------------------------------------------------- commands (core_apply, core_check)
//   0 u16 opcode      2 u16 flags      4 u32 length of the whole record
// Block records (below 16) have their fields from byte 8 on. Commands go on with:
//   8 TxID[32]       40 actor[32]
//  72 u64 last second of consensus time at which the request may run (0 = no limit)
//  80 u64 API key id, 0 unless AUTH_API_KEY (bytes of the id read as little-endian u64)
//  88 u32 seat of the vouching node (AUTH_API_KEY, AUTH_UNSIGNED), else NO_SEAT
//  92 u32 zero
//  96 fields of the operation
// actor: the signer's public key (AUTH_TX_V1, AUTH_REQUEST_V1), else the agent key of the acting agent.
// Agent key: the 32-byte public key when agent_id is its hex form, else SHA-256 of the agent_id's bytes.
export const COMMAND_FIELDS = 96;
export const NO_SEAT = 0xffff;

// flags: bits 0..2 authentication
export const AUTH_MASK = 7;
export const AUTH_SYSTEM = 0;
export const AUTH_TX_V1 = 1;
export const AUTH_REQUEST_V1 = 2;
export const AUTH_API_KEY = 3;
export const AUTH_UNSIGNED = 4;

// Genesis, before the first block. 8 u32 seat index, 12 u32 status (VALIDATOR_*, or NO_STATUS for
// pending_join), 16 operator key[32], 48 u64 bonded stake, 56 u32 reputation baseline bp,
// 60 u32 length of validator id, 64 consensus key[32], 96 u32 key epoch, 100 u32 zero, 104 the validator id's bytes
// padded to 8, then u32 number of categories, u32 zero, and for each 56 bytes: u32 length, bytes, zero padding.
export const OP_GENESIS_SEAT = 1;
// Closes genesis: no fields. After it no OP_GENESIS_SEAT is taken.
export const OP_GENESIS_END = 2;
// 8 u64 T in ms, 16 u64 block index, 24 block hash[32]
export const OP_BLOCK = 3;
// 8 u64 order, 16 u32 seat, 20 u32 entries
export const OP_VERTEX = 4;
// no fields
export const OP_BLOCK_END = 5;
// An entry that does not parse: 8 id[32]. Takes its place in the vertex, has no effect, no TxID is consumed.
export const OP_INVALID = 6;
// 8 u32 seat, 12 u32 zero: the block proves that the seat equivocated (DECISIONS 12.8). Between OP_BLOCK and its first
// OP_VERTEX, in rising order of seats; for a seat that is excluded already it has no effect.
export const OP_EXCLUDE_SEAT = 7;

// 96 public key[32] (zeros: keyless), 128 u64 initial stake, 136 u32 id length, 140 id bytes, padding.
// actor is the key of the agent to be registered.
export const OP_REGISTER = 16;
export const OP_FAUCET = 17;
// 96 recipient key[32], 128 u64 amount
export const OP_TRANSFER = 18;
// 96 beneficiary key[32], 128 u64 claimed value
export const OP_GENERATION = 19;
// 96 u64 amount
export const OP_STAKE = 20;
export const OP_UNSTAKE = 21;
// 96 event id[32], 128 u32 verdict (0 or 1), 132 u32 1 when a value is given, 136 u64 verified value
export const OP_VERIFY = 22;
// 96 u64 key id, 104 key hash[32], 136 u32 scopes, 140 u32 hourly limit, 144 u64 expires at (0 = never),
// 152 u32 issuing seat, 156 u32 zero
export const OP_KEY_CREATE = 23;
// 96 u64 key id
export const OP_KEY_REVOKE = 24;

// A task id is 16 bytes: the first 32 hex of SHA-256("task:" + event_id), which the core derives from the TxID.
// Category form: u32 length 1..50, the name (lower-cased, trimmed), zero padding, 56 bytes in all.
// Label: first 8 bytes, as little-endian u64, of SHA-256 of a category's or tag's name (lower-cased, trimmed);
// it stands for the name wherever only equality counts.
// 96 u64 budget, 104 u32 flags (TASK_ENCRYPTED, TASK_EXCLUSIVE, TASK_DOWNGRADE_ALLOWED, TASK_GENERATION_ELIGIBLE),
// 108 u32 lane asked for (LANE_*), 112 u32 review window s (0 = the parameter), 116 u32 delivery time s (0 = the
// parameter), 120 u32 number of tags (<= 10), 124 u32 zero, 128 category form[56], 184 u64 label of the category,
// 192 tags, u64 label each
export const OP_TASK_CREATE = 25;
// 96 parent's task id[16], 112 and on: as OP_TASK_CREATE from 96 on. Lane and flags of assurance are ignored.
export const OP_SUBTASK_CREATE = 26;
// 96 task id[16]
export const OP_TASK_CLAIM = 27;
// 96 task id[16], 112 u32 flags (SUBMIT_*), 116 u32 overall score bp
export const OP_TASK_SUBMIT = 28;
// 96 task id[16]
export const OP_TASK_APPROVE = 29;
export const OP_TASK_DISPUTE = 30;
export const OP_TASK_CANCEL = 31;
// 96 task id[16], 112 u32 flags (COMMIT_*), 116 u32 zero
export const OP_TRAJECTORY_COMMIT = 32;
// 96 u64 price of a task, 104 u32 most tasks at a time (1..100), 108 u32 number of categories (1..20),
// 112 u32 number of tags (<= 10), 116 u32 zero, 120 labels of the categories, then of the tags, u64 each
export const OP_ROUTER_REGISTER = 33;
// no fields
export const OP_ROUTER_REMOVE = 34;
// 96 u32 available (0 or 1), 100 u32 zero
export const OP_ROUTER_AVAILABLE = 35;
// no fields: the agent has a listing from now on / takes it down (it stays readable, LISTING_NOT_FOUND when it never had one)
export const OP_SERVICE_LIST = 36;
export const OP_SERVICE_UNLIST = 37;

// Validator form: u32 length (0..64), u32 zero, 64 bytes of text with zero padding, 72 bytes in all. The text names a
// validator by its id, else by its operator's agent_id or hex key; length 0 = the actor's own validator.
// 96 u32 number of categories (<= 20), 100 u32 zero, 104 category form[56] each
export const OP_VALIDATOR_APPLY = 38;
// 96 validator form[72]
export const OP_VALIDATOR_RESUME = 39;
// 96 validator form[72], 168 recovery public key[32]
export const OP_RECOVERY_SET = 40;
// 96 validator form[72], 168 new public key[32]. actor: the signing key, which need not be an agent's; with AUTH_UNSIGNED
// the vouching seat acts with the old key.
export const OP_KEY_ROTATE = 41;
// A challenge id is 12 bytes, in fields of 16: the first 24 hex of SHA-256("challenge:" + event_id).
// 96 task id[16], 112 target validator form[72], 184 u32 offense (OFFENSE_*), 188 u32 1 when a bond is given, 192 u64 bond
export const OP_CHALLENGE_OPEN = 42;
// 96 challenge id[16], 112 u32 outcome (CHALLENGE_SUCCEEDED, _FAILED or _PARTIAL), 116 u32 zero
export const OP_CHALLENGE_VOTE = 43;
// A job id is 32 bytes: SHA-256("replay:" + task_id).
// 96 job id[32], 128 task id[16] (zeros = not given), 144 u32 number of baseline checks (0..60; 0 = the baseline is not
// known before this block), 148 u32 zero, 152 a byte (COMPARED_*) for each, zero padding to 8
export const OP_REPLAY_SUBMIT = 44;
// 96 job id[32], 128 u32 REPLAY_OUTCOME_FAILED, or the outcome (OUTCOME_*) of a completed replay, 132 u32 1 when the task's
// category is of the code or data group (DECISIONS 2)
export const OP_REPLAY_OUTCOME = 45;
// The node's own operations, without endpoint (DECISIONS 7.7, canary). actor: operator of an active seat.
// 96 commitment[32] = SHA-256("canary:" + task_id + ":" + type + ":" + truth + ":" + hex of salt), type and truth as digits
export const OP_CANARY_COMMIT = 46;
// 96 task id[16], 112 salt[32], 144 u32 type (CANARY_*), 148 u32 truth (0 or 1)
export const OP_CANARY_REVEAL = 47;

// What a replayed check came to (DECISIONS 7.6): bits 0..1, and the anomaly.
export const COMPARED_EQUAL = 0;
export const COMPARED_ARTIFACT_DIFFERS = 1; // delta 5000
export const COMPARED_DIFFERS = 2; // missing, or pass differs: delta 10000
export const COMPARED_ANOMALY = 4;
export const REPLAY_OUTCOME_FAILED = 0;

// Offenses, challenge status, replay jobs, canaries (DECISIONS 2)
export const OFFENSE_FRAUDULENT_APPROVAL = 1;
export const OFFENSE_DISHONEST_REPLAY = 2;
export const OFFENSE_COLLUSION = 3;
export const CHALLENGE_OPEN = 1;
export const CHALLENGE_SUCCEEDED = 2;
export const CHALLENGE_FAILED = 3;
export const CHALLENGE_PARTIAL = 4;
export const JOB_PENDING = 1;
export const JOB_COMPLETED = 2;
export const JOB_FAILED = 3;
export const OUTCOME_MATCH = 1;
export const OUTCOME_PARTIAL_MATCH = 2;
export const OUTCOME_MISMATCH = 3;
export const ACTION_NONE = 1;
export const ACTION_FLAG = 2;
export const ACTION_OPEN_CHALLENGE = 3;
export const ACTION_SLASH = 4;
export const REPLAY_SAMPLED = 1;
export const REPLAY_PROBATION = 2;
export const REPLAY_CLUSTER = 3;
export const CANARY_KNOWN_GOOD = 1;
export const CANARY_KNOWN_BAD = 2;
export const CANARY_ADVERSARIAL = 3;
export const CANARY_EDGE_CASE = 4;

// Days after its end for which an assured task may be challenged (DECISIONS 4.7), and for which the core keeps it.
export const TASK_RETENTION_DAYS = 7;

// Flags of a task: those of the command, and in its image those that follow.
export const TASK_ENCRYPTED = 1;
export const TASK_EXCLUSIVE = 2;
export const TASK_DOWNGRADE_ALLOWED = 4;
export const TASK_GENERATION_ELIGIBLE = 8;
export const TASK_DOWNGRADED = 16;
export const TASK_IS_SUBTASK = 32;
export const TASK_RESULT_ENCRYPTED = 64;
export const TASK_SCORE_PASS = 128; // verdict of DECISIONS 6.14
export const TASK_GATES_HOLD = 256; // threshold and all gates, required checks apart (7.1, dispute deadline)

// Flags of a submission. Without SUBMIT_SCORED (the task's text is not known before this block) it is refused.
export const SUBMIT_SCORED = 1;
export const SUBMIT_ENCRYPTED = 2;
export const SUBMIT_HAS_CONTENT = 4;
export const SUBMIT_HASH_MISMATCH = 8;
export const SUBMIT_PASS = 16;
export const SUBMIT_GATES_HOLD = 32;

// Flags of a trajectory commit: it names a parent, and the parent is a commit of the same task.
export const COMMIT_HAS_PARENT = 1;
export const COMMIT_PARENT_FOUND = 2;

// Assurance lanes (DECISIONS 6.3)
export const LANE_NONE = 0;
export const LANE_STANDARD = 1;
export const LANE_HIGH = 2;
export const LANE_ENTERPRISE = 3;

// API key scopes (DECISIONS 5.5), a bit mask; SCOPE_ALL is `*`.
export const SCOPE_ALL = 1;
export const SCOPE_AGENTS = 2;
export const SCOPE_TRANSFERS = 4;
export const SCOPE_STAKING = 8;
export const SCOPE_VERIFICATION = 16;
export const SCOPE_TASKS = 32;
export const SCOPE_COORDINATION = 64;
export const SCOPE_CHALLENGES = 128;
export const SCOPE_REPLAY = 256;
export const SCOPE_PLATFORM = 512;

// ---------------------------------------------------------------- codes
// In order of precedence: where several apply, the first in this list decides. Numbers are identity only.
export const OK = 0;
export const ENTRY_INVALID = 1;
export const TX_EXPIRED = 2;
export const AUTH_REQUIRED = 3;
export const INVALID_API_KEY = 4;
export const INSUFFICIENT_SCOPE = 5; // details: required scope bit
export const DUPLICATE_TX = 6;
export const AGENT_NOT_FOUND = 7;
export const INVALID_REQUEST = 8; // details: one of REASON_*
export const ALREADY_REGISTERED = 9;
export const FAUCET_COOLDOWN = 10; // details: seconds to wait
export const FAUCET_EMPTY = 11;
export const RECIPIENT_NOT_FOUND = 12;
export const TRUST_LIMIT_EXCEEDED = 13; // details: trust limit, exposure, amount
export const INSUFFICIENT_BALANCE = 14; // details: balance, needed
export const INSUFFICIENT_STAKE = 15; // details: staked, asked
export const STAKE_LOCKED = 16; // details: 0 exposure or 1 validator_lock, releasable
export const NOT_PENDING = 17; // the event is not open here: decided, expired, of a kind without verdict, or unknown
export const SELF_DEALING = 18;
export const NOT_A_VALIDATOR = 19;
export const ALREADY_VOTED = 20;
export const KEY_NOT_FOUND = 21;
export const FORBIDDEN_ACTOR = 22;
export const KEY_LIMIT = 23; // 50 active keys of one owner
export const CAPACITY = 24; // a table is full; details: TABLE_* number
export const NOT_ASSIGNED = 25; // not on the panel
export const TASK_NOT_FOUND = 26; // not here: unknown, or final and archived by the host
export const NOT_POSTER = 27;
export const TASK_STATE = 28; // DECISIONS invalid_state
export const SELF_CLAIM = 29;
export const CLAIM_BARRED = 30;
export const ROUTED_TO_OTHER = 31; // details: agent index, exclusive until
export const CLAIM_LIMIT = 32;
export const NOT_CLAIMER = 33;
export const SUBTASKS_OPEN = 34;
export const DELIVERY_MISMATCH = 35;
export const RESULT_HASH_MISMATCH = 36;
export const BUDGET_BELOW_MINIMUM = 37; // details: smallest budget
export const ASSURANCE_BLOCKED = 38; // details: reserve, required
export const SECURITY_FLOOR = 39; // details: lane asked for, lane offered, required, available
export const COMMIT_NOT_FOUND = 40;
export const COMMIT_RATE = 41; // details: seconds to wait
export const CAPABILITY_NOT_FOUND = 42;
export const LISTING_NOT_FOUND = 43;
export const VALIDATOR_NOT_FOUND = 44;
export const ALREADY_VALIDATOR = 45;
export const PERMANENTLY_EXCLUDED = 46;
export const STAKE_BELOW_REQUIRED = 47; // details: staked, required
export const COOLDOWN_ACTIVE = 48; // details: suspended until
export const KEY_IN_USE = 49;
export const ROTATION_PENDING = 50;
export const NOT_CHALLENGEABLE = 51;
export const ALREADY_CHALLENGED = 52;
export const BOND_BELOW_MINIMUM = 53; // details: smallest bond
export const CHALLENGE_NOT_FOUND = 54; // not here: unknown, or archived by the host
export const JOB_NOT_FOUND = 55; // not here: unknown, or archived by the host
export const USE_REPLAY_SUBMIT = 56;

export const REASON_STAKE_ABOVE_GRANT = 1;
export const REASON_SELF_TRANSFER = 2;
export const REASON_VALUE_ABOVE_CLAIM = 3;
export const REASON_VALUE_ZERO = 4;
export const REASON_KEY_EXPIRY = 5;
export const REASON_CONSENSUS_KEY = 6; // a recovery key must differ from the consensus key

// ---------------------------------------------------------------- outcomes (in the out buffer after core_apply)
//   0 u16 kind   2 u16 code or event type   4 u32 length of the whole record
// OUT_TX: 8 TxID[32], 40 u64 seq (0 when refused), 48 u64 order, 56 u32 index, 60 u32 opcode,
//   64 RESULT_WORDS x u64: on OK the operation's results, on refusal the details of the code.
export const OUT_TX = 1;
export const OUT_RESULT = 64;
export const RESULT_WORDS = 12;
// OUT_EVENT (a system event): 8 id[32], 40 u64 seq, 48 u64 order, 56 u32 index, 60 u32 zero, 64 fields.
export const OUT_EVENT = 2;
export const OUT_FIELDS = 64;
// OUT_TOUCHED: at OP_BLOCK_END, agents whose rows changed: 8 u32 count, then u32 indexes, zero padding.
export const OUT_TOUCHED = 3;
// OUT_TASK: at OP_BLOCK_END, the image of each task that changed in the block, TASK_BYTES from byte 8 on (QUERY_TASK),
// in order of first change. Code 1: the task is final and leaves the core, this is its last image.
export const OUT_TASK = 4;
export const OUT_TASK_IMAGE = 8;
// OUT_CHALLENGE, OUT_JOB: as OUT_TASK, the image of each challenge (CHALLENGE_BYTES) and replay job (JOB_BYTES) that changed in
// the block, from byte 8 on. Code 1: it leaves the core with this image.
export const OUT_CHALLENGE = 5;
export const OUT_JOB = 6;

// Results of operations, u64 words from OUT_RESULT on.
// register:  0 agent index, 1 grant, 2 staked, 3 balance, 4 trust limit
// faucet:    0 agent index, 1 amount, 2 balance, 3 next_at
// transfer:  0 agent index, 1 recipient index, 2 amount, 3 balance, 4 deadline, 5 assigned count,
//            6..8 assigned validator indexes
// generation:0 agent index, 1 beneficiary index, 2 claimed value, 3 zero, 4 deadline, 5..8 as transfer
// stake/unstake: 0 agent index, 1 amount, 2 staked, 3 trust limit, 4 balance
// verify:    0 agent index of the voter, 1 validator index, 2 status (VOTE_*), 3 reason (REASON_NONE..),
//            4 approve weight, 5 reject weight, 6 total weight, 7 participants, 8 verified value,
//            9 weight of this vote, 10 verdict
// key create: 0 owner index; key revoke: 0 owner index, 1 revoked_at
// tasks (create, subtask, claim, submit, approve, dispute, cancel, trajectory): 0 agent index; the rest is in the
// image of the block's end. router and registry operations: 0 agent index
// apply, resume: 0 agent index, 1 validator index
// recovery set: 0 agent index, 1 validator index, 2 effective at
// rotate: 0 operator's agent index, 1 validator index, 2 effective at (0 = from the next epoch), 3 old key epoch, 4 new key
//   epoch, 5 1 when the recovery key signed, 6..9 the consensus key before
// challenge open: 0 agent index, 1 target validator, 2 bond, 3 deadline
// challenge vote: 0 agent index, 1 validator index, 2 CHALLENGE_*, 3 refunded bond, 4 forfeit, 5 slash, 6 bounty,
//   7..9 weight for succeeded, failed, partial, 10 total weight, 11 participants
// replay submit/outcome: 0 agent index, 1 validator index, 2 JOB_* afterwards, 3 OUTCOME_*, 4 ACTION_*, 5 severity bp,
//   6 mismatches, 7 paid to the executor
// canary commit: 0 agent index. canary reveal: 0 agent index, 1 votes scored, 2 fees returned to the poster
export const VOTE_PENDING = 0;
export const VOTE_SETTLED = 1;
export const VOTE_ADJUSTED = 2;
export const SETTLED_NONE = 0;
export const SETTLED_VERIFIED = 1;
export const SETTLED_REJECTED = 2;
export const SETTLED_EXPIRED = 3;

// Event types that the core emits by itself (DECISIONS 2.1), and their fields from OUT_FIELDS on.
// EVENT_GENESIS: none.
export const EVENT_GENESIS = 1;
// EVENT_SETTLEMENT: 64 target event id[32], 96 u32 target kind (ITEM_*), 100 u32 VOTE_SETTLED or VOTE_ADJUSTED,
// 104 u32 SETTLED_*, 108 u32 number of voters, 112 u32 agent index, 116 u32 recipient or beneficiary index,
// 120 u64 amount (transfer) or claimed value, 128 u64 verified value, 136 u64 fee, 144 u64 approve weight,
// 152 u64 reject weight, 160 u64 total weight, 168 u64 participants, 176 u64 fee part of the treasury,
// 184 voters, VOTER_BYTES each: u32 validator index, u32 verdict, u64 verified value, u64 weight, u64 timestamp
export const EVENT_SETTLEMENT = 2;
export const SETTLEMENT_VOTERS = 184;
export const VOTER_BYTES = 32;
// EVENT_SLASH: 64 u32 agent index, 68 u32 SLASH_*, 72 u64 amount, 80 u64 remaining stake, 88 challenge id[16] (zeros = none)
export const EVENT_SLASH = 3;
export const SLASH_REJECTED_TRANSFER = 1;
export const SLASH_REJECTED_GENERATION = 2;
export const SLASH_LOST_DISPUTE = 3;
export const SLASH_OFFENSE = 3; // + OFFENSE_*
// EVENT_TASK_CANCELLED (by the system): 64 task id[16], 80 u32 RESOLUTION_*, 84 u32 zero
export const EVENT_TASK_CANCELLED = 4;
// EVENT_TASK_DISPUTED (by the system, after a failed review): 64 task id[16], 80 u64 dispute deadline
export const EVENT_TASK_DISPUTED = 5;
// EVENT_CLAIM_EXPIRED: 64 task id[16], 80 u32 claimer, 84 u32 zero
export const EVENT_CLAIM_EXPIRED = 6;
// EVENT_TASK_SETTLED: 64 task id[16], 80 u32 RESOLUTION_*, 84 u32 claimer + 1 (0 = none), 88 u64 payout, 96 u64 refund,
// 104 u64 base fee, 112 u64 assurance fee, 120 u64 bootstrap reward, 128 u64 treasury part of both fees, 136 u32 replay
// drawn (0 or 1), 140 u32 PAYOUT_*
export const EVENT_TASK_SETTLED = 7;
// EVENT_TASK_ROUTED: 64 task id[16], 80 u32 agent index, 84 u32 match score bp, 88 u32 1 when the agent is
// a newcomer (DECISIONS 6.16), 92 u32 ROUTE_*; the score is that of the formula that ROUTE_* names
export const EVENT_TASK_ROUTED = 8;
export const ROUTE_BEST_MATCH = 0;
export const ROUTE_NEWCOMER = 1;
// EVENT_VALIDATOR_STATUS: 64 u32 validator index, 68 u32 status, 72 u32 STATUS_REASON_*, 76 u32 probation cycle (0 = none),
// 80 u64 suspended until (0 = none)
export const EVENT_VALIDATOR_STATUS = 9;
export const STATUS_REASON_NONE = 0;
export const STATUS_REASON_STAKE = 1; // stake_below_minimum
export const STATUS_REASON_OFFENSE = 1; // + OFFENSE_*: slashed:<offense>
export const STATUS_REASON_PROBATION = 5; // passed, next cycle, or failed for good, as the status says
export const STATUS_REASON_EQUIVOCATION = 6;
export const STATUS_REASON_CANARY = 7; // a category was suspended; the status stays active
// EVENT_REPLAY_CREATED (again for each further attempt): 64 job id[32], 96 task id[16], 112 u32 executor, 116 u32 REPLAY_*
// reason, 120 u32 attempt, 124 u32 zero, 128 u64 reward, 136 u64 submission deadline
export const EVENT_REPLAY_CREATED = 10;
// EVENT_REPLAY_CLOSED: 64 job id[32], 96 task id[16], 112 u32 executor, 116 u32 JOB_*, 120 u32 OUTCOME_* (0 = none),
// 124 u32 ACTION_* (0 = none), 128 u32 severity bp, 132 u32 mismatches, 136 u64 paid, 144 u64 returned to the reserve
export const EVENT_REPLAY_CLOSED = 11;
// EVENT_CHALLENGE_OPENED (by a replay; subject: the job): 64 challenge id[16], 80 task id[16], 96 u32 target validator,
// 100 u32 offense, 104 u32 challenger's agent index, 108 u32 zero, 112 u64 bond, 120 u64 deadline
export const EVENT_CHALLENGE_OPENED = 12;
// EVENT_CHALLENGE_RESOLVED: 64 challenge id[16], 80 task id[16], 96 u32 target validator, 100 u32 offense, 104 u32
// challenger's agent index, 108 u32 CHALLENGE_*, 112 u64 refunded bond, 120 u64 forfeit, 128 u64 slash, 136 u64 bounty
export const EVENT_CHALLENGE_RESOLVED = 13;

// Kinds of open items
export const ITEM_TRANSFER = 1;
export const ITEM_GENERATION = 2;
// Submission of an assured task (agent: claimer, recipient: poster, amount: budget); its panel is assigned.
export const ITEM_SUBMISSION = 3;
// Dispute (agent: poster, recipient: poster, amount: budget); names assigned are advisory.
export const ITEM_DISPUTE = 4;

// Validator status; NO_STATUS: a manifest seat with initial_status pending_join has no record
export const NO_STATUS = 0;
export const VALIDATOR_PROBATION = 1;
export const VALIDATOR_ACTIVE = 2;
export const VALIDATOR_SUSPENDED = 3;
export const VALIDATOR_EXCLUDED = 4;

// ---------------------------------------------------------------- queries (core_query(kind, argument length))
// Arguments stand in the in buffer, the answer in the out buffer. Returns the length of the answer, -1 when
// the thing does not exist. Everything that depends on time uses the T of the last executed block.

// No argument. Words u64: see HEADER_*.
export const QUERY_HEADER = 1;
export const HEADER_TIME_MS = 0;
export const HEADER_ORDER = 1;
export const HEADER_SEQ = 2;
export const HEADER_BLOCK = 3;
export const HEADER_LAUNCH = 4;
export const HEADER_AGENTS = 5;
export const HEADER_ITEMS = 6;
export const HEADER_VALIDATORS = 7;
export const HEADER_KEYS = 8;
export const HEADER_TXIDS = 9;
export const HEADER_NEXT_DEADLINE = 10; // seconds, 0 = none
export const HEADER_NEXT_GRANT = 11;
export const HEADER_TOTAL_STAKED = 12;
export const HEADER_TOTAL_ESCROWED = 13;
export const HEADER_BASE_FEES = 14;
export const HEADER_ASSURANCE_FEES = 15;
export const HEADER_GENERATED = 16;
export const HEADER_GENERATED_30D = 17;
export const HEADER_BOOTSTRAP_ACTIVE = 18;
export const HEADER_ACTIVE_VALIDATORS = 19;
export const HEADER_PROBATION_VALIDATORS = 20;
export const HEADER_VOTE_WEIGHT = 21; // sum over active validators
export const HEADER_SUPPLY = 22; // incremental sum over everything; 10^15 or the core is broken
export const HEADER_REQUIRED_STAKE = 23;
export const HEADER_POOLS = 24; // POOL_COUNT words
export const HEADER_TASKS = 38; // tasks in the core, those of this block's end not counted
export const HEADER_ASSURED_30D = 39; // budgets of assured tasks completed in 30 days (V of DECISIONS 6.7)
export const HEADER_LARGEST_30D = 40; // largest budget of an assured task created in 30 days (M of DECISIONS 6.7)
export const HEADER_CHALLENGES = 41; // rows in the core
export const HEADER_JOBS = 42; // rows in the core
export const HEADER_REPLAY_ESCROW = 43; // rewards of pending jobs
export const HEADER_SEATS = 44;
export const HEADER_WORDS = 45;

// Pools: accounts that only rules debit (DECISIONS 6.1)
export const POOL_FOUNDERS = 0;
export const POOL_INVESTORS = 1;
export const POOL_ECOSYSTEM = 2;
export const POOL_REWARDS = 3;
export const POOL_TREASURY = 4;
export const POOL_PUBLIC = 5;
export const POOL_FAUCET = 6;
export const POOL_DISPUTE = 7;
export const POOL_CANARY = 8;
export const POOL_REPLAY_CODE = 9;
export const POOL_REPLAY_DATA = 10;
export const POOL_REPLAY_ANALYSIS = 11;
export const POOL_REPLAY_CONTENT = 12;
export const POOL_REPLAY_GENERAL = 13;
export const POOL_COUNT = 14;

// Argument: key[32], an agent key or a public key. Answer: u64 index.
export const QUERY_AGENT_FIND = 2;
// Argument: u32 index. Answer: AGENT_BYTES, fields below.
export const QUERY_AGENT = 3;
export const AGENT_KEY = 0; // [32]
export const AGENT_PUBLIC_KEY = 32; // [32], zeros when keyless
export const AGENT_FINGERPRINT = 64; // [32]
export const AGENT_BALANCE = 96; // u64 from here on
export const AGENT_STAKED = 104;
export const AGENT_RESERVED = 112;
export const AGENT_EXPOSURE = 120;
export const AGENT_TRUST_LIMIT = 128;
export const AGENT_STAKED_SINCE = 136; // 0 = nothing staked
export const AGENT_FIRST_SEEN = 144;
export const AGENT_LAST_ACTIVE = 152;
export const AGENT_GENERATED = 160;
export const AGENT_TRANSFERRED = 168;
export const AGENT_EARNED = 176;
export const AGENT_FAUCET_AT = 184; // last grant, 0 = never
export const AGENT_COMPLETED = 192; // u32 from here on; sums over categories except transfer
export const AGENT_FAILED = 196;
export const AGENT_FINGERPRINT_VERSION = 200;
export const AGENT_REPUTATION_BP = 204;
export const AGENT_MULTIPLIER = 208;
export const AGENT_EFFECTIVE_TASKS = 212;
export const AGENT_DAYS_STAKED = 216;
export const AGENT_VALIDATOR = 220; // validator index + 1, 0 = none
export const AGENT_BYTES = 224;

// Argument: u32 agent index. Answer: records, RECORD_BYTES each, by category index.
export const QUERY_RECORDS = 4;
export const RECORD_CATEGORY = 0; // u32 category index
export const RECORD_COMPLETED = 4; // u32
export const RECORD_FAILED = 8; // u32
export const RECORD_LAST_ACTIVE = 12; // u32 seconds
export const RECORD_EARNED = 16; // u64
export const RECORD_AVG_SCORE_BP = 24; // u32
export const RECORD_AVG_DELIVERY_SECS = 28; // u32
export const RECORD_RATE_BP = 32; // u32
export const RECORD_SCORE_BP = 36; // u32, DECISIONS 6.10
export const RECORD_BYTES = 40;

// Argument: event id[32]. Answer: u64 item index.
export const QUERY_ITEM_FIND = 5;
// Argument: u32 item index. Answer: ITEM_VOTERS bytes, then VOTER_BYTES for each vote, in order of voting.
export const QUERY_ITEM = 6;
export const ITEM_EVENT_ID = 0; // [32]
export const ITEM_KIND = 32; // u32 from here on
export const ITEM_AGENT = 36;
export const ITEM_RECIPIENT = 40;
export const ITEM_VOTES = 44; // number of votes
export const ITEM_AMOUNT = 48; // u64 from here on
export const ITEM_DEADLINE = 56;
export const ITEM_CREATED = 64;
export const ITEM_APPROVE = 72;
export const ITEM_REJECT = 80;
export const ITEM_TOTAL = 88;
export const ITEM_PARTICIPANTS = 96;
export const ITEM_ASSIGNED_COUNT = 104; // u32
export const ITEM_ASSIGNED = 108; // 7 x u32 validator index
export const ITEM_VOTERS = 136;

// Argument: u32 validator index. Answer: VALIDATOR_CALIBRATION bytes, then CALIBRATION_BYTES for each category.
export const QUERY_VALIDATOR = 7;
export const VALIDATOR_STATUS = 0; // u32 from here on
export const VALIDATOR_AGENT = 4;
export const VALIDATOR_SEAT = 8; // NO_SEAT for an applicant
export const VALIDATOR_BASELINE_BP = 12;
export const VALIDATOR_REPUTATION_BP = 16;
export const VALIDATOR_ASSIGNMENT_WEIGHT = 20;
export const VALIDATOR_VOTES_DECIDED = 24;
export const VALIDATOR_VOTES_RIGHT = 28;
export const VALIDATOR_TASKS_PROCESSED = 32;
export const VALIDATOR_SLASHES = 36;
export const VALIDATOR_COLLUSIONS = 40;
export const VALIDATOR_IS_GENESIS = 44;
export const VALIDATOR_STAKED = 48; // u64 from here on
export const VALIDATOR_VOTE_WEIGHT = 56;
export const VALIDATOR_REGISTERED_AT = 64;
export const VALIDATOR_LAST_DUTY = 72;
export const VALIDATOR_CALIBRATIONS = 80; // u32 count
export const VALIDATOR_REASON = 84; // u32 STATUS_REASON_* of a suspension
export const VALIDATOR_SUSPENDED_AT = 88; // u64 from here on; 0 = not set
export const VALIDATOR_SUSPENDED_UNTIL = 96;
export const VALIDATOR_BELOW_SINCE = 104;
export const VALIDATOR_ACTIVATED_AT = 112;
export const VALIDATOR_PROBATION_STARTED = 120;
export const VALIDATOR_PROBATION_CYCLE = 128; // u32 from here on; 1..3 in probation, else 0
export const VALIDATOR_CLUSTER = 132; // validator index + 1 of the cluster's smallest id, 0 = none
export const VALIDATOR_OPEN_CHALLENGES = 136;
export const VALIDATOR_KEY_EPOCH = 140; // 0 without seat
export const VALIDATOR_CONSENSUS_KEY = 144; // [32], zeros without seat
export const VALIDATOR_RECOVERY_KEY = 176; // [32], zeros = not configured
export const VALIDATOR_NEXT_KEY = 208; // [32], a rotation that waits, zeros = none
export const VALIDATOR_NEXT_KEY_AT = 240; // u64
export const VALIDATOR_NEXT_RECOVERY_AT = 248; // u64, a replacement of the recovery key that waits
export const VALIDATOR_CATEGORY_COUNT = 256; // u32
export const VALIDATOR_CATEGORIES = 260; // 20 x u32 category index
export const VALIDATOR_ID_BYTES = 340; // u32
export const VALIDATOR_ID = 344; // [64]
export const VALIDATOR_CALIBRATION = 408;
export const CALIBRATION_CATEGORY = 0; // u32 from here on
export const CALIBRATION_SIGNALS = 4;
export const CALIBRATION_CORRECT = 8;
export const CALIBRATION_CANARY_SIGNALS = 12;
export const CALIBRATION_CANARY_POINTS = 16; // 2 for a correct vote, 1 for a partly correct one
export const CALIBRATION_SUSPENDED_UNTIL = 24; // u64, 0 = not suspended
export const CALIBRATION_BYTES = 32;

// No argument. Answer: SEAT_BYTES for each seat, by seat index: what the table of the next epoch is built of.
export const QUERY_SEATS = 15;
export const SEAT_KEY = 0; // consensus key[32]
export const SEAT_WEIGHT = 32; // u64: mul(reputation_bp, staked, 10000) of an active or suspended validator, else 0
export const SEAT_VALIDATOR = 40; // u32 validator index + 1, 0 = none
export const SEAT_STATUS = 44; // u32
export const SEAT_KEY_EPOCH = 48; // u32
export const SEAT_OPERATOR = 52; // u32 agent index
export const SEAT_BYTES = 56;

// Argument: validator form[72], length above 0. Answer: u64 validator index.
export const QUERY_VALIDATOR_FIND = 16;

// Argument: challenge id[16]. Answer: its image, CHALLENGE_BYTES; weights of an open one as of now.
export const QUERY_CHALLENGE = 17;
export const CHALLENGE_ID = 0; // [12], 4 zero bytes
export const CHALLENGE_TASK = 16; // task id[16]
export const CHALLENGE_EVENT = 32; // id[32] of the event that opened it
export const CHALLENGE_STATUS = 64; // u32 from here on
export const CHALLENGE_OFFENSE = 68;
export const CHALLENGE_CHALLENGER = 72; // agent index
export const CHALLENGE_TARGET = 76; // validator index
export const CHALLENGE_BOND = 80; // u64 from here on
export const CHALLENGE_CREATED_AT = 88;
export const CHALLENGE_DEADLINE = 96;
export const CHALLENGE_RESOLVED_AT = 104;
export const CHALLENGE_REFUNDED = 112;
export const CHALLENGE_FORFEIT = 120;
export const CHALLENGE_SLASH = 128;
export const CHALLENGE_BOUNTY = 136;
export const CHALLENGE_FOR_SUCCEEDED = 144; // weights of the votes
export const CHALLENGE_FOR_FAILED = 152;
export const CHALLENGE_FOR_PARTIAL = 160;
export const CHALLENGE_TOTAL_WEIGHT = 168;
export const CHALLENGE_PARTICIPANTS = 176;
export const CHALLENGE_BYTES = 184;

// Argument: job id[32]. Answer: its image, JOB_BYTES.
export const QUERY_JOB = 18;
export const JOB_ID = 0; // [32]
export const JOB_TASK = 32; // task id[16]
export const JOB_STATUS = 48; // u32 from here on
export const JOB_REASON = 52;
export const JOB_ATTEMPT = 56;
export const JOB_EXECUTOR = 60; // validator index
export const JOB_OUTCOME = 64; // 0 = none
export const JOB_ACTION = 68; // 0 = none
export const JOB_SEVERITY = 72; // bp
export const JOB_MISMATCHES = 76;
export const JOB_REWARD = 80; // u64 from here on
export const JOB_CREATED_AT = 88;
export const JOB_DEADLINE = 96;
export const JOB_CLOSED_AT = 104; // 0 while pending
export const JOB_BYTES = 112;

// Argument: category form[56]. Answer: u64 words: active validators that serve the category, and are not suspended in it.
export const QUERY_LANE = 19;

// Argument: task id[16]. Answer: its image, TASK_BYTES; -1 when the task is not in the core.
export const QUERY_TASK = 12;
export const TASK_ID = 0; // [16]
export const TASK_STATUS = 16; // u32 from here on
export const TASK_FLAGS = 20;
export const TASK_POSTER = 24; // agent index
export const TASK_CLAIMER = 28; // agent index + 1, 0 = none
export const TASK_LANE = 32; // effective lane
export const TASK_LANE_ASKED = 36;
export const TASK_RESOLUTION = 40;
export const TASK_PAYOUT = 44;
export const TASK_GENERATION = 48;
export const TASK_REPLAY = 52;
export const TASK_ROUTED_TO = 56; // agent index + 1, 0 = none
export const TASK_OVERALL_BP = 60;
export const TASK_PARENT = 64; // [16], zeros = none
export const TASK_BUDGET = 80; // u64 from here on
export const TASK_ESCROW = 88;
export const TASK_ASSURANCE_FEE = 96;
export const TASK_NET = 104; // worker's amount if completed now, later the amount paid
export const TASK_BASE_FEE = 112; // 0 until settled
export const TASK_POSTED_AT = 120; // seconds from here on; 0 = not set
export const TASK_EXPIRES_AT = 128;
export const TASK_EXCLUSIVE_UNTIL = 136;
export const TASK_CLAIMED_AT = 144;
export const TASK_CLAIM_DEADLINE = 152;
export const TASK_SUBMITTED_AT = 160;
export const TASK_REVIEW_DEADLINE = 168;
export const TASK_DISPUTED_AT = 176;
export const TASK_DISPUTE_DEADLINE = 184;
export const TASK_COMPLETED_AT = 192;
export const TASK_CANCELLED_AT = 200;
export const TASK_SUBMISSION_EVENT = 208; // [32], zeros = none
export const TASK_DISPUTE_EVENT = 240; // [32], zeros = none
export const TASK_PANEL_COUNT = 272; // u32 from here on
export const TASK_PANEL = 276; // 7 x validator index
export const TASK_BYTES = 304;

export const TASK_OPEN = 1;
export const TASK_CLAIMED = 2;
export const TASK_SUBMITTED = 3;
export const TASK_COMPLETED = 4;
export const TASK_DISPUTED = 5;
export const TASK_CANCELLED = 6;
export const RESOLUTION_NONE = 0;
export const RESOLUTION_APPROVED = 1;
export const RESOLUTION_WINDOW_PASSED = 2;
export const RESOLUTION_DISPUTE_QUORUM = 3;
export const RESOLUTION_DISPUTE_DEADLINE = 4;
export const RESOLUTION_POSTER_CANCELLED = 5;
export const RESOLUTION_EXPIRED = 6;
export const RESOLUTION_PARENT_CLOSED = 7;
export const PAYOUT_NONE = 0;
export const PAYOUT_HELD = 1;
export const PAYOUT_PAID = 2;
export const PAYOUT_REFUNDED = 3;
export const GENERATION_NONE = 0;
export const GENERATION_HELD = 1;
export const GENERATION_RECOGNIZED = 2;
export const GENERATION_DENIED = 3;
export const REPLAY_NONE = 0;
export const REPLAY_PENDING = 1;
export const REPLAY_COMPLETE = 2;
export const REPLAY_DISPUTED = 3;

// Argument: u32 agent index. Answer: CAPABILITY_BYTES; -1 when the agent has none.
export const QUERY_CAPABILITY = 13;
export const CAPABILITY_PRICE = 0; // u64
export const CAPABILITY_REGISTERED_AT = 8; // u64
export const CAPABILITY_MOST = 16; // u32 from here on
export const CAPABILITY_ACTIVE = 20; // tasks claimed at present
export const CAPABILITY_AVAILABLE = 24;
export const CAPABILITY_BYTES = 32;

// No argument. Words u64: capabilities, available ones, tasks routed, newcomer routes, open tasks without a route.
export const QUERY_ROUTER = 14;
export const ROUTER_REGISTERED = 0;
export const ROUTER_AVAILABLE = 1;
export const ROUTER_ROUTED = 2;
export const ROUTER_NEWCOMER_ROUTES = 3;
export const ROUTER_PENDING = 4;
export const ROUTER_WORDS = 5;

// Argument: u64 key id. Answer: KEY_BYTES.
export const QUERY_KEY = 8;
export const KEY_ID = 0; // u64
export const KEY_HASH = 8; // [32]
export const KEY_OWNER = 40; // u32 from here on
export const KEY_SEAT = 44;
export const KEY_SCOPES = 48;
export const KEY_HOURLY_LIMIT = 52;
export const KEY_CREATED = 56; // u64 from here on
export const KEY_EXPIRES = 64; // 0 = never
export const KEY_REVOKED = 72; // 0 = active
export const KEY_BYTES = 80;

// Argument: u32 category index. Answer: its name, 1 to 50 bytes. The first three are fixed.
export const QUERY_CATEGORY = 9;
export const CATEGORY_TRANSFER = 0;
export const CATEGORY_GENERATION = 1;
// Records of tasks whose category has no room in the table of names go here.
export const CATEGORY_GENERAL = 2;
// Argument: u32 from, u32 most. Answer: indexes (u32) of open items, in table order, from table row `from` on; the last
// word is the row to go on from, 0xffffffff at the end. For rebuilding indexes at start.
export const QUERY_ITEMS = 10;
// No argument. Full check over all tables; answer: u64 sum. Costs O(state): tests and snapshots only.
export const QUERY_FULL_SUPPLY = 11;

// ---------------------------------------------------------------- snapshots
// The canonical state is a list of LEAF_BYTES leaves, numbered; all-zero leaves are left out.
// core_dirty(most): leaves changed since the last core_dirty, in rising order, LEAF_RECORD bytes each:
//   u32 leaf number, u32 zero, leaf. A leaf that became zero is listed too. Returns how many; 0 = none left.
// core_import(count): takes that many LEAF_RECORDs from the in buffer. core_import_end(): rebuilds what is
//   derived, checks the supply, returns 0 or IMPORT_*.
export const LEAF_BYTES = 512;
export const LEAF_RECORD = 520;
export const IMPORT_BAD_LEAF = 1;
export const IMPORT_BAD_SUPPLY = 2;
export const IMPORT_BAD_TABLE = 3;
export const IMPORT_OTHER_CONFIG = 4;

// core_init results
export const INIT_OK = 0;
export const INIT_BAD_VERSION = 1;
export const INIT_BAD_CONFIG = 2;
export const INIT_NO_MEMORY = 3;

// Trap record at core_trap_ptr(): u32 1 when trapped, u32 line, u32 column, u32 length of text, u32 length of file,
// then text and file in UTF-8. The instance must not be called again.
export const TRAP_TEXT = 20;

// Tables, for CAPACITY
export const TABLE_AGENTS = 1;
export const TABLE_ITEMS = 2;
export const TABLE_VOTES = 3;
export const TABLE_TXIDS = 4;
export const TABLE_KEYS = 5;
export const TABLE_RECORDS = 6;
export const TABLE_VALIDATORS = 7;
export const TABLE_CATEGORIES = 8;
export const TABLE_TASKS = 9;
export const TABLE_BARS = 10;
export const TABLE_CAPABILITIES = 11;
export const TABLE_CHALLENGES = 12;
export const TABLE_JOBS = 13;

/** Total supply in micro-units is 10^15; as two factors, since constants here stay below 2^31. */
export const SUPPLY_TOKENS = 1000000000;
export const MICRO_PER_TOKEN = 1000000;
