// The one place where host and core meet: opcodes, codes, byte layouts, queries.
// Plain constants below 2^31 only, so that TypeScript can import this file unchanged and the two sides
// cannot drift apart. All integers are little-endian; every record is a multiple of 8 bytes; u64 fields are
// 8-aligned inside their record. Nothing here may depend on anything else.

/** Version of everything in this file. A host refuses a core of another version. */
export const ABI_VERSION = 4;

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
// 600 seconds at 10,000 transactions per second.
export const DEFAULT_TXIDS = 6000000;
export const DEFAULT_KEYS = 131072;
// Beside those of transfers, which come with the agents.
export const DEFAULT_RECORDS = 1000000;
export const DEFAULT_VALIDATORS = 4096;
export const DEFAULT_CATEGORIES = 16384;
export const DEFAULT_TASKS = 1000000;
// Agents that may not claim a task, or that the router does not pick for it.
export const DEFAULT_BARS = 1000000;
export const DEFAULT_CAPABILITIES = 100000;
// Counts of a validator's verdicts in one category.
export const DEFAULT_CALIBRATIONS = 131072;
// Challenges are kept as long as their task (TASK_RETENTION_DAYS, longer while one is open).
export const DEFAULT_CHALLENGES = 65536;
export const DEFAULT_JOBS = 262144;
// Pairs of validators that judged a task together, for clusters.
export const DEFAULT_PAIRS = 262144;
// Canaries committed and not yet revealed; a new one replaces the oldest.
export const DEFAULT_CANARIES = 1024;

// Network parameters (protocol 1.9), all u64. allow_unsigned and legacy_open_coordination are 0 or 1.
export const PARAM_DAY_SECS = 0;
export const PARAM_VERIFICATION_DEADLINE_SECS = 1;
// Review windows of tasks that name none, seconds: with an acceptance contract, and without (protocol 15.2).
export const PARAM_REVIEW_CONTRACT_SECS = 2;
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
export const PARAM_SILENCE_EPOCHS = 16;
export const PARAM_SILENCE_SECS = 17;
// Micro-units that onboarding and faucet may give out in a day (protocol 6.11).
export const PARAM_ONBOARDING_DAILY_BUDGET = 18;
// What one claim without backing may be worth, and the backing of each further claim, micro-units (protocol 4.4).
export const PARAM_CLAIM_BUDGET = 19;
export const PARAM_CLAIM_STAKE = 20;
// Notice before a claimed task is cancelled, seconds (protocol 7.1).
export const PARAM_CANCEL_NOTICE_SECS = 21;
// Micro-units that a row costs while its table is empty (protocol 6.18).
export const PARAM_ROW_DEPOSIT = 22;
// Micro-units that a million units of a contract's fuel cost (protocol 14.10).
export const PARAM_FUEL_PRICE = 23;
export const PARAM_REVIEW_DEFAULT_SECS = 24;
// Time for the worker's answer to a dispute, seconds (protocol 15.5).
export const PARAM_CONTEST_SECS = 25;
// KiB of the log that every agent writes free in its life, and what it holds for each further one a day (protocol 6.18).
export const PARAM_FIRST_KIB = 26;
export const PARAM_HOLDING_PER_KIB = 27;
// Announced judges below which a task without a contract has to accept that there are too few (protocol 15.2).
export const PARAM_MIN_JUDGES = 28;
export const PARAM_COUNT = 29;

// ---------------------------------------------------------------- commands (core_apply, core_check)
// IN_* are offsets in a record of the in buffer. Every record begins with:
//   0 u16 opcode      2 u16 flags      4 u32 length of the whole record
export const IN_FLAGS = 2;
export const IN_LENGTH = 4;
export const IN_HEAD_BYTES = 8;
// Block records (opcodes below 16) have their fields from byte 8 on. Commands continue with:
//   8 TxID[32]       40 actor[32]
//  72 u64 last second of consensus time at which the request may run (0 = no limit)
//  80 u64 API key id, 0 unless AUTH_API_KEY (bytes of the id read as little-endian u64)
//  88 u32 seat of the vouching node (AUTH_API_KEY, AUTH_UNSIGNED), else NO_SEAT
//  92 u32 seconds from the first to that last one, at most MAX_WINDOW_SECS (0 = no limit, with no last second)
//  96 fields of the operation
// actor: the signer's public key (AUTH_TX_V1, AUTH_REQUEST_V1), else the agent key of the acting agent.
// Agent key: the 32-byte public key when agent_id is its hex form, else SHA-256 of the agent_id's bytes.
export const IN_TXID = 8;
export const IN_ACTOR = 40;
export const IN_LAST_SECOND = 72;
export const IN_KEY_ID = 80;
export const IN_SEAT = 88;
export const IN_WINDOW = 92;
// A life of 120 seconds, and 60 of skew at each end (protocol 5.3).
export const MAX_WINDOW_SECS = 240;
// Why a request is outside its window.
export const WINDOW_PAST = 0;
export const WINDOW_AHEAD = 1;
export const COMMAND_FIELDS = 96;
export const NO_SEAT = 0xffff;

// flags: bits 0..2 authentication, bits 3..15 KiB of the request's path and body, rounded up
export const KIB_SHIFT = 3;
export const AUTH_MASK = 7;
export const AUTH_SYSTEM = 0;
export const AUTH_TX_V1 = 1;
export const AUTH_REQUEST_V1 = 2;
export const AUTH_API_KEY = 3;
export const AUTH_UNSIGNED = 4;

// Category form: u32 length 1..50, the name (lower-cased, trimmed), zero padding, 56 bytes in all.
// Validator form: u32 length (0..64), u32 zero, 64 bytes of text with zero padding, 72 bytes in all. The text names a
// validator by its id, else by its operator's agent_id or hex key; length 0 = the actor's own validator.
// Label: first 8 bytes, as little-endian u64, of SHA-256 of a category's or tag's name (lower-cased, trimmed);
// it represents the name wherever only equality matters.
export const CATEGORY_FORM_BYTES = 56;
export const VALIDATOR_FORM_TEXT = 8;
export const VALIDATOR_FORM_BYTES = 72;

// Genesis, before the first block: one record for each seat.
export const OP_GENESIS_SEAT = 1;
export const IN_GENESIS_SEAT = 8; // u32 seat index
export const IN_GENESIS_STATUS = 12; // u32 VALIDATOR_*, or NO_STATUS for pending_join
export const IN_GENESIS_OPERATOR = 16; // key[32]
export const IN_GENESIS_STAKE = 48; // u64 bonded stake
export const IN_GENESIS_BASELINE_BP = 56; // u32 reputation baseline
export const IN_GENESIS_ID_BYTES = 60; // u32 length of the validator id
export const IN_GENESIS_CONSENSUS_KEY = 64; // [32]
export const IN_GENESIS_KEY_EPOCH = 96; // u32, then u32 zero
export const IN_GENESIS_ID = 104; // padded to 8; then u32 number of categories, u32 zero, a category form for each
// Ends genesis: no fields. No OP_GENESIS_SEAT is accepted after it.
export const OP_GENESIS_END = 2;
export const OP_BLOCK = 3;
export const IN_BLOCK_TIME_MS = 8; // u64 T
export const IN_BLOCK_INDEX = 16; // u64
export const IN_BLOCK_HASH = 24; // [32]
export const IN_BLOCK_BYTES = 56;
export const OP_VERTEX = 4;
export const IN_VERTEX_ORDER = 8; // u64
export const IN_VERTEX_SEAT = 16; // u32
export const IN_VERTEX_ENTRIES = 20; // u16
export const IN_VERTEX_REVISION = 22; // u16 newest revision that its signer knows (consensus 5.11)
export const IN_VERTEX_BYTES = 24;
// no fields
export const OP_BLOCK_END = 5;
// An entry that does not parse: it occupies its place in the vertex, has no effect, and consumes no TxID.
export const OP_INVALID = 6;
export const IN_INVALID_ID = 8; // [32]
export const IN_INVALID_BYTES = 40;
// The block proves that the seat equivocated (protocol 12.8). Between OP_BLOCK and its first OP_VERTEX, in ascending
// order of seats; without effect on a seat that is already excluded.
export const OP_EXCLUDE_SEAT = 7;
export const IN_EXCLUDED_SEAT = 8; // u32, then u32 zero
export const IN_EXCLUDE_BYTES = 16;
// The seat resumed with this block, in a new incarnation of its numbers (consensus 5.7). After the exclusions, in ascending
// order of seats; the last two fields are the same in all records of a block.
export const OP_RESUME_SEAT = 8;
/** Highest incarnation of a seat in an epoch: a seq has 12 bits for it. consensus 5.1. */
export const MAX_INCARNATION = 4095;
export const IN_RESUMED_SEAT = 8; // u32
export const IN_RESUMED_INCARNATION = 12; // u32, 1 to 4095
export const IN_RESUMED_EPOCH = 16; // u64
export const IN_RESUMED_MAY_LOSE = 24; // u32 1: a third of the weight resumed in this epoch; then u32 zero
export const IN_RESUME_BYTES = 32;
// The last block sealed its epoch; between blocks, no fields. Seats that were silent for too long lose their ordering
// weight (consensus 5.11); the events come with the first vertex of the next block.
export const OP_EPOCH_END = 9;

// The outcome of the due run that QUERY_DUE_RUN names: after the last vertex of a block and before OP_BLOCK_END, which is
// refused while there is one.
export const OP_RUN_END = 10;
export const IN_RUN_TASK = 8; // task id[16]
export const IN_RUN_PASSED = 24; // u32 0 or 1
export const IN_RUN_SCORE_BP = 28; // u32 score of the contract
export const IN_RUN_CHECK = 32; // u32 number of the check that failed, 0 on a pass; then u32 zero
export const IN_RUN_BYTES = 40;

// actor is the key of the agent to be registered.
export const OP_REGISTER = 16;
export const IN_REGISTER_KEY = 96; // public key[32], zeros: keyless
export const IN_REGISTER_STAKE = 128; // u64 initial stake
export const IN_REGISTER_ID_BYTES = 136; // u32
export const IN_REGISTER_ID = 140; // the id's bytes, padding
export const OP_FAUCET = 17;
export const OP_TRANSFER = 18;
export const OP_GENERATION = 19;
export const IN_RECIPIENT = 96; // key[32] of the recipient, or of a generation's beneficiary
export const IN_AMOUNT = 128; // u64 amount, or claimed value
export const IN_TRANSFER_BYTES = 136;
export const OP_STAKE = 20;
export const OP_UNSTAKE = 21;
export const IN_STAKE_AMOUNT = 96; // u64
export const IN_STAKE_BYTES = 104;
export const OP_VERIFY = 22;
export const IN_VERIFY_EVENT = 96; // event id[32]
export const IN_VERIFY_VERDICT = 128; // u16 0 or 1
export const IN_VERIFY_GROUND = 130; // u16 GROUND_*, only with verdict 0
export const IN_VERIFY_HAS_VALUE = 132; // u16 1 when a value is given
export const IN_VERIFY_SHARE = 134; // u16 1..SHARES, the worker's share in a dispute, only with verdict 1; 0 = all
export const IN_VERIFY_VALUE = 136; // u64 verified value
export const IN_VERIFY_SALT = 144; // [32] reveals a committed vote on a dispute; zeros = none
export const IN_VERIFY_BYTES = 176;
export const OP_KEY_CREATE = 23;
export const OP_KEY_REVOKE = 24;
export const IN_API_KEY_ID = 96; // u64; the only field of OP_KEY_REVOKE
export const IN_API_KEY_REVOKE_BYTES = 104;
export const IN_API_KEY_HASH = 104; // [32]
export const IN_API_KEY_SCOPES = 136; // u32
export const IN_API_KEY_HOURLY_LIMIT = 140; // u32
export const IN_API_KEY_EXPIRES = 144; // u64, 0 = never
export const IN_API_KEY_SEAT = 152; // u32 issuing seat, then u32 zero
export const IN_API_KEY_BYTES = 160;

// A task id is 16 bytes: the first 32 hex of SHA-256("task:" + event_id), which the core derives from the TxID.
export const OP_TASK_CREATE = 25;
export const IN_TASK_TERMS = 96; // terms, see below
// Lane and assurance flags in the terms are ignored.
export const OP_SUBTASK_CREATE = 26;
export const IN_SUBTASK_PARENT = 96; // the parent's task id[16]
export const IN_SUBTASK_TERMS = 112; // terms, see below
// Terms of a task, to the end of the record: offsets from their start.
export const TERMS_BUDGET = 0; // u64
export const TERMS_FLAGS = 8; // u32 TASK_ENCRYPTED, _EXCLUSIVE, _DOWNGRADE_ALLOWED, _GENERATION_ELIGIBLE, _BOND_GIVEN, _RESERVED ...
export const TERMS_LANE = 12; // u32 requested lane, LANE_*
export const TERMS_REVIEW_SECS = 16; // u32 review window, 0 = the parameter
export const TERMS_DELIVERY_SECS = 20; // u32 delivery time, 0 = the parameter
export const TERMS_TAG_COUNT = 24; // u32 number of tags (<= 10)
export const TERMS_FUEL = 28; // u32 fuel of the contract, 0 = no contract; with one there is no lane
export const TERMS_CATEGORY = 32; // category form[56]
export const TERMS_LABEL = 88; // u64 label of the category
export const TERMS_WORKER_BOND = 96; // u64 with TASK_BOND_GIVEN the worker's bond, at most the budget; else 0
export const TERMS_NO_QUORUM = 104; // u32 NO_QUORUM_*, then u32 zero
// With TASK_RESERVED whom the task is reserved for and for how long; else zeros.
export const TERMS_RESERVED_KEY = 112; // agent key[32]
export const TERMS_RESERVED_SECS = 144; // u32, 0 = a day, then u32 zero
export const TERMS_TAGS = 152; // u64 label of each tag
export const OP_TASK_CLAIM = 27;
export const OP_TASK_SUBMIT = 28;
export const OP_TASK_APPROVE = 29;
export const OP_TASK_DISPUTE = 30;
export const OP_TASK_CANCEL = 31;
export const OP_TRAJECTORY_COMMIT = 32;
export const IN_TASK_ID = 96; // [16], the first field of these six; the only one of claim, approve and cancel
export const IN_TASK_BYTES = 112;
export const IN_SUBMIT_FLAGS = 112; // u32 SUBMIT_*
export const IN_SUBMIT_SCORE_BP = 116; // u32 overall score
export const IN_SUBMIT_BYTES = 120;
export const IN_COMMIT_FLAGS = 112; // u32 COMMIT_*, then u32 zero
export const IN_COMMIT_BYTES = 120;
export const OP_ROUTER_REGISTER = 33;
export const IN_ROUTER_PRICE = 96; // u64 price of a task
export const IN_ROUTER_MAX_TASKS = 104; // u32 maximum of tasks at a time (1..100)
export const IN_ROUTER_CATEGORY_COUNT = 108; // u32 (1..20)
export const IN_ROUTER_TAG_COUNT = 112; // u32 (<= 10), then u32 zero
export const IN_ROUTER_LABELS = 120; // u64 label of each category, then of each tag
// no fields
export const OP_ROUTER_REMOVE = 34;
export const OP_ROUTER_AVAILABLE = 35;
export const IN_ROUTER_AVAILABLE = 96; // u32 0 or 1, then u32 zero
export const IN_ROUTER_AVAILABLE_BYTES = 104;
// no fields: lists the agent as a service / takes the listing down (it stays readable; LISTING_NOT_FOUND if never listed)
export const OP_SERVICE_LIST = 36;
export const OP_SERVICE_UNLIST = 37;

export const OP_VALIDATOR_APPLY = 38;
export const IN_APPLY_CATEGORY_COUNT = 96; // u32 (<= 20), then u32 zero
export const IN_APPLY_MAX_FEE = 104; // u64, the most that the row may cost
export const IN_APPLY_CATEGORIES = 112; // a category form for each
export const OP_VALIDATOR_RESUME = 39;
export const OP_RECOVERY_SET = 40;
// actor: the signing key, which need not be an agent's; with AUTH_UNSIGNED the vouching seat acts with the old key.
export const OP_KEY_ROTATE = 41;
export const IN_VALIDATOR = 96; // validator form[72], the only field of OP_VALIDATOR_RESUME
export const IN_VALIDATOR_BYTES = 168;
export const IN_VALIDATOR_KEY = 168; // [32]: the recovery public key, or the new consensus key
export const IN_VALIDATOR_KEY_BYTES = 200;
// A challenge id is 12 bytes, in fields of 16: the first 24 hex of SHA-256("challenge:" + event_id).
export const OP_CHALLENGE_OPEN = 42;
export const IN_CHALLENGE_TASK = 96; // task id[16]
export const IN_CHALLENGE_TARGET = 112; // validator form[72]
export const IN_CHALLENGE_OFFENSE = 184; // u32 OFFENSE_*
export const IN_CHALLENGE_HAS_BOND = 188; // u32 1 when a bond is given
export const IN_CHALLENGE_BOND = 192; // u64
export const IN_CHALLENGE_BYTES = 200;
export const OP_CHALLENGE_VOTE = 43;
export const IN_CHALLENGE_VOTE_ID = 96; // challenge id[16]
export const IN_CHALLENGE_VOTE_OUTCOME = 112; // u32 CHALLENGE_SUCCEEDED, _FAILED or _PARTIAL, then u32 zero
export const IN_CHALLENGE_VOTE_BYTES = 120;
// A job id is 32 bytes: SHA-256("replay:" + task_id).
export const OP_REPLAY_SUBMIT = 44;
export const IN_REPLAY_JOB = 96; // job id[32]
export const IN_REPLAY_TASK = 128; // task id[16], zeros = not given
export const IN_REPLAY_CHECKS = 144; // u32 number of baseline checks (0..60; 0 = the host had no baseline), then u32 zero
export const IN_REPLAY_COMPARED = 152; // a byte COMPARED_* for each, zero padding to 8
export const OP_REPLAY_OUTCOME = 45;
export const IN_REPLAY_OUTCOME_JOB = 96; // job id[32]
export const IN_REPLAY_OUTCOME = 128; // u32 REPLAY_OUTCOME_FAILED, or the outcome (OUTCOME_*) of a completed replay
export const IN_REPLAY_IS_CODE_OR_DATA = 132; // u32 1 when the task's category is in the code or data group (protocol 2.4)
export const IN_REPLAY_OUTCOME_BYTES = 136;
// The node's own operations, without an endpoint (protocol 7.7, canary). actor: the operator of an active seat.
export const OP_CANARY_COMMIT = 46;
// commitment[32] = SHA-256("canary:" + task_id + ":" + type + ":" + truth + ":" + hex of salt), type and truth as digits
export const IN_CANARY_COMMITMENT = 96;
export const IN_CANARY_COMMIT_BYTES = 128;
export const OP_CANARY_REVEAL = 47;
export const IN_CANARY_TASK = 96; // task id[16]
export const IN_CANARY_SALT = 112; // [32]
export const IN_CANARY_TYPE = 144; // u32 CANARY_*
export const IN_CANARY_TRUTH = 148; // u32 0 or 1
export const IN_CANARY_REVEAL_BYTES = 152;

// By the operator of an active validator, against an applicant that passed probation (protocol 7.4). Its only field is
// IN_VALIDATOR; the reason is text, which the core never sees.
export const OP_VALIDATOR_OBJECT = 48;

// The node's own operation, without an endpoint or fields (protocol 7.7, canary): the actor, a one-time agent, gives its free
// balance back to the pool of grants.
export const OP_CANARY_RETURN = 49;

// Publishes a program, no fields: its bytes are the host's (protocol 14.8).
export const OP_PROGRAM_PUBLISH = 60;
// The claimer gives its claim back; its only field is IN_TASK_ID (protocol 7.1).
export const OP_TASK_RELEASE = 61;
// The worker's answer to a dispute (protocol 15.5). The only field of OP_TASK_CONCEDE is IN_TASK_ID.
export const OP_TASK_CONTEST = 62;
export const OP_TASK_CONCEDE = 63;

// The agent that an open task is reserved for does not want it; its only field is IN_TASK_ID (protocol 7.1).
export const OP_TASK_DECLINE = 70;

// Opens the sealed delivery of a disputed task (protocol 15.10). Fields of it, of OP_TASK_DISPUTE and OP_TASK_CONTEST, which
// may open as well: IN_TASK_ID, and what the host found of the key that came with the request.
export const OP_TASK_OPEN = 90;
export const IN_OPEN_FLAGS = 112; // u32 OPEN_*, then u32 zero
export const IN_OPEN_BYTES = 120;

// The operator of an active validator announces a judge, or withdraws it (protocol 15.8).
export const OP_VALIDATOR_JUDGE = 74;
export const IN_JUDGE_IS_ANNOUNCED = 168; // u32 0 or 1, after IN_VALIDATOR, then u32 zero
export const IN_JUDGE_BYTES = 176;

// A vote on a contested dispute before it is revealed with OP_VERIFY (protocol 15.8).
export const OP_VOTE_COMMIT = 78;
export const IN_COMMIT_EVENT = 96; // event id[32]
// commitment[32] = SHA-256("vote:" + event_id + ":" + operator's agent key + ":" + share + ":" + ground + ":" + salt), the
// share in steps of 10 % and the GROUND_* in decimal, the rest in hex
export const IN_COMMITMENT = 128;
export const IN_VOTE_COMMIT_BYTES = 160;

// Result of a replayed check (protocol 7.6): bits 0..1, and a flag for an anomaly.
export const COMPARED_EQUAL = 0;
export const COMPARED_ARTIFACT_DIFFERS = 1; // delta 5000
export const COMPARED_DIFFERS = 2; // missing, or pass differs: delta 10000
export const COMPARED_ANOMALY = 4;
export const REPLAY_OUTCOME_FAILED = 0;

// Offenses, challenge status, replay jobs, canaries (protocol 2.3)
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

// Days after its end during which an assured task may be challenged (protocol 4.7); the core keeps it that long.
export const TASK_RETENTION_DAYS = 7;

// Flags of a task: the first four come with the command, the others appear in its image only.
export const TASK_ENCRYPTED = 1;
export const TASK_EXCLUSIVE = 2;
export const TASK_DOWNGRADE_ALLOWED = 4;
export const TASK_GENERATION_ELIGIBLE = 8;
export const TASK_DOWNGRADED = 16;
export const TASK_IS_SUBTASK = 32;
export const TASK_RESULT_ENCRYPTED = 64;
// 128: retired, was the verdict of the score, which decides nothing.
export const TASK_FACTS_HOLD = 256; // something was delivered: the gates that are facts hold (protocol 15.1)

export const TASK_BOND_GIVEN = 512; // of the command only: it names the worker's bond

// Flags of contracts and deliveries (protocol 14.9, 4.4): all but TASK_CHECKING come with the command.
export const TASK_ON_PASS = 65536; // paid at once when its contract passes
export const TASK_SEEDED = 131072; // a check of its contract takes a seed
export const TASK_EXTERNAL = 262144; // a hash and a place are a delivery
export const TASK_PAYS_SILENTLY = 524288; // with TASK_EXTERNAL: a silent poster pays
export const TASK_CHECKING = 1048576; // its submission waits for the run of the contract

// Flags of a direct hire (protocol 7.1), which come with the command; both are cleared when the task opens to all.
export const TASK_RESERVED = 16777216; // for one agent
export const TASK_RESERVED_OR_REFUND = 33554432; // with TASK_RESERVED: refunded when nothing comes of it, never open to all

export const TASK_ACCEPTS_NO_JUDGES = 67108864; // its poster takes it that few judges are announced (protocol 15.2)

// In the image only: its delivery is sealed under a content key that the worker committed to, and that key is public (protocol 15.10).
export const TASK_SEALED = 134217728;
export const TASK_OPENED = 268435456;
// In the image only: a canary of it was revealed (protocol 7.7).
export const TASK_CANARY = 536870912;

// Flags of a submission. It is refused without SUBMIT_SCORED (the host did not know the task's text before this block).
export const SUBMIT_SCORED = 1;
export const SUBMIT_ENCRYPTED = 2;
export const SUBMIT_HAS_CONTENT = 4;
export const SUBMIT_HASH_MISMATCH = 8;
// 16: retired, was the verdict of the score.
export const SUBMIT_FACTS_HOLD = 32;

export const SUBMIT_HAS_PLACE = 256; // a hash and an address
export const SUBMIT_SEALED = 512; // the content has the form of a sealed box, and its content key is committed to

// What the host found of a content key (protocol 15.10): one came with the request; it is the one that was committed to; the
// stored box opens and is made anew by it, and holds something that is a delivery. A flag implies those before it.
export const OPEN_GIVEN = 1;
export const OPEN_MATCHES = 2;
export const OPEN_HOLDS = 4;

// Flags of a trajectory commit: it names a parent, and the parent is a commit of the same task.
export const COMMIT_HAS_PARENT = 1;
export const COMMIT_PARENT_FOUND = 2;

// Who is paid when judges reach no quorum, fixed at creation (protocol 15.2).
export const NO_QUORUM_SPLIT = 0;
export const NO_QUORUM_WORKER = 1;
export const NO_QUORUM_POSTER = 2;
// What a verdict against the worker names; only a quorum for one of them slashes (protocol 15.7).
export const GROUND_NONE = 0;
export const GROUND_NOTHING_DELIVERED = 1;
export const GROUND_PLAGIARISM = 2;
export const GROUND_FRAUD = 3;
// Outcomes of a dispute are the worker's share in steps of 10 % (protocol 15.6).
export const SHARES = 10;

// Assurance lanes (protocol 6.3)
export const LANE_NONE = 0;
export const LANE_STANDARD = 1;
export const LANE_HIGH = 2;
export const LANE_ENTERPRISE = 3;

// API key scopes (protocol 5.5), a bit mask; SCOPE_ALL is `*`.
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
// In order of precedence: where several apply, the first in this list is the answer. Numbers only identify.
export const OK = 0;
export const ENTRY_INVALID = 1;
export const TX_EXPIRED = 2; // details: WINDOW_*
export const AUTH_REQUIRED = 3;
export const INVALID_API_KEY = 4;
export const INSUFFICIENT_SCOPE = 5; // details: required scope bit
export const KEY_RATE = 57; // hourly limit of an API key; details: seconds to wait
export const DUPLICATE_TX = 6;
export const AGENT_NOT_FOUND = 7;
export const INVALID_REQUEST = 8; // details: one of REASON_*
export const ALREADY_REGISTERED = 9;
export const FAUCET_COOLDOWN = 10; // details: seconds to wait
export const FAUCET_EMPTY = 11; // details: 0, or seconds until the seat has a new part of the daily budget
export const RECIPIENT_NOT_FOUND = 12;
export const TRUST_LIMIT_EXCEEDED = 13; // details: trust limit, exposure, amount
export const INSUFFICIENT_BALANCE = 14; // details: balance, needed
export const INSUFFICIENT_STAKE = 15; // details: staked, requested
export const STAKE_LOCKED = 16; // details: 0 exposure, 1 validator_lock or 2 claims, releasable
export const NOT_PENDING = 17; // the event is not open here: decided, expired, of a kind that takes no verdict, or unknown
export const SELF_DEALING = 18;
export const NOT_A_VALIDATOR = 19;
export const ALREADY_VOTED = 20;
export const KEY_NOT_FOUND = 21;
export const FORBIDDEN_ACTOR = 22;
export const KEY_LIMIT = 23; // 50 active keys of one owner
export const CAPACITY = 24; // a table is full; details: TABLE_* number
export const NOT_ASSIGNED = 25; // not on the panel
// Of votes on disputes (protocol 15.8).
export const NOT_COMMITTED = 90; // a verdict without a commitment of this validator
export const COMMITMENTS_OVER = 91; // a commitment while votes are revealed; details: until when
export const REVEAL_EARLY = 92; // a reveal while votes are committed; details: until when at most
export const COMMITMENT_DIFFERS = 93; // verdict, share, ground and salt are not what was committed
export const TASK_NOT_FOUND = 26; // not here: unknown, or final and archived by the host
export const NOT_POSTER = 27;
export const TASK_STATE = 28; // protocol 2.2, invalid_state
export const SELF_CLAIM = 29;
export const CLAIM_BARRED = 30;
export const ROUTED_TO_OTHER = 31; // details: agent index, exclusive until
export const RESERVED_FOR_OTHER = 80; // details: agent index, reserved until
export const CLAIM_LIMIT = 32; // details: 0 number or 1 budgets, held, limit, stake missing (0 = no stake raises it)
export const NOT_CLAIMER = 33;
export const NOT_PARTY = 95; // neither the poster nor the claimer
export const CONTENT_KEY_NEEDED = 96; // whoever contests about a sealed delivery opens it
export const CONTENT_KEY_MISMATCH = 97;
export const SUBTASKS_OPEN = 34;
export const DELIVERY_MISMATCH = 35;
export const NOT_SEALED = 94; // a sealed delivery without its commitment, or of another form
export const DELIVERY_MISSING = 70; // nothing is delivered, by what the task counts as a delivery
export const RESULT_HASH_MISMATCH = 36;
export const BUDGET_BELOW_MINIMUM = 37; // details: smallest budget
export const ASSURANCE_BLOCKED = 38; // details: reserve, required
export const SECURITY_FLOOR = 39; // details: requested lane, offered lane, required, available
export const TOO_FEW_JUDGES = 85; // details: announced, required
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
export const REASON_VALIDATOR_ID = 7; // the agent_id is the id of a validator or seat
export const REASON_ID_TAKEN = 8; // the id of the new validator is that of an agent
export const REASON_GROUND = 9; // a ground is named of something else than the work of a dispute
export const REASON_SHARE = 10; // a share is named of something else than a dispute
export const REASON_COMMITMENT = 14; // a vote on something else than a dispute is committed, or revealed
export const REASON_MAX_FEE = 15; // the row of the new validator costs more than its operator allows; then the fee

// ---------------------------------------------------------------- outcomes (in the out buffer after core_apply)
// OUT_* are the kinds of records, and offsets in them. Every record begins with:
//   0 u16 kind   2 u16 code or event type   4 u32 length of the whole record
export const OUT_CODE = 2;
export const OUT_LENGTH = 4;
// OUT_TX: 8 TxID[32], 40 u64 seq (0 when refused), 48 u64 order, 56 u32 index, 60 u32 opcode,
//   64 RESULT_WORDS x u64: on OK the operation's results, on refusal the details of the code.
export const OUT_TX = 1;
// OUT_EVENT (a system event): 8 id[32], 40 u64 seq, 48 u64 order, 56 u32 index, 60 u32 zero, 64 fields.
export const OUT_EVENT = 2;
export const OUT_ID = 8;
export const OUT_SEQ = 40;
export const OUT_ORDER = 48;
export const OUT_INDEX = 56;
export const OUT_OPCODE = 60;
export const OUT_RESULT = 64;
export const OUT_FIELDS = 64;
export const RESULT_WORDS = 12;
// OUT_TOUCHED: at OP_BLOCK_END, the agents whose rows changed: u32 count, then u32 indexes, zero padding.
export const OUT_TOUCHED = 3;
export const OUT_TOUCHED_COUNT = 8;
export const OUT_TOUCHED_AGENTS = 12;
// OUT_TASK: at OP_BLOCK_END, the image of each task that changed in the block, TASK_BYTES from byte 8 on (QUERY_TASK),
// in order of first change. Code 1: the task is final and leaves the core, this is its last image.
export const OUT_TASK = 4;
export const OUT_TASK_IMAGE = 8;
// OUT_CHALLENGE, OUT_JOB: as OUT_TASK, the image of each challenge (CHALLENGE_BYTES) and replay job (JOB_BYTES) that
// changed in the block, from byte 8 on. Code 1: it leaves the core with this image.
export const OUT_CHALLENGE = 5;
export const OUT_JOB = 6;

// Results of operations: RESULT_* number the u64 words from OUT_RESULT on.
// The first word is the index of the agent that acts, is registered, or operates the validator. It is the only one of
// the task operations but cancel (the rest is in the image at the end of the block), of the router and the service listing.
export const RESULT_AGENT = 0;
// register
export const RESULT_REGISTER_GRANT = 1;
export const RESULT_REGISTER_STAKED = 2;
export const RESULT_REGISTER_BALANCE = 3;
export const RESULT_REGISTER_TRUST_LIMIT = 4;
export const RESULT_REGISTER_IS_LIMITED = 5; // 1 when the daily budget lowered the grant
// task cancel: the end of the notice, 0 = cancelled at once
export const RESULT_CANCEL_AT = 1;
// faucet
export const RESULT_FAUCET_AMOUNT = 1;
export const RESULT_FAUCET_BALANCE = 2;
export const RESULT_FAUCET_NEXT_AT = 3;
// transfer, generation
export const RESULT_PENDING_RECIPIENT = 1; // index of the recipient or beneficiary
export const RESULT_PENDING_AMOUNT = 2; // amount or claimed value
export const RESULT_PENDING_BALANCE = 3; // transfer only
export const RESULT_PENDING_DEADLINE = 4;
export const RESULT_PENDING_ASSIGNED_COUNT = 5;
export const RESULT_PENDING_ASSIGNED = 6; // up to 3 validator indexes
// canary return
export const RESULT_RETURNED_AMOUNT = 1;
// stake, unstake
export const RESULT_STAKE_AMOUNT = 1;
export const RESULT_STAKE_STAKED = 2;
export const RESULT_STAKE_TRUST_LIMIT = 3;
export const RESULT_STAKE_BALANCE = 4;
// verify
export const RESULT_VERIFY_VALIDATOR = 1;
export const RESULT_VERIFY_STATUS = 2; // VOTE_*
export const RESULT_VERIFY_REASON = 3; // SETTLED_*
export const RESULT_VERIFY_APPROVE = 4; // weights
export const RESULT_VERIFY_REJECT = 5;
export const RESULT_VERIFY_TOTAL = 6;
export const RESULT_VERIFY_PARTICIPANTS = 7;
export const RESULT_VERIFY_VALUE = 8; // verified value
export const RESULT_VERIFY_WEIGHT = 9; // of this verdict
export const RESULT_VERIFY_VERDICT = 10;
// vote commit; RESULT_VALIDATOR is the voter
export const RESULT_COMMIT_COUNT = 2; // votes committed, those included that are revealed
export const RESULT_COMMIT_JUDGES = 3; // who may vote
export const RESULT_COMMIT_IS_REVEALING = 4; // 1: everybody has committed, and the votes are revealed
export const RESULT_COMMIT_DEADLINE = 5; // seconds: end of the commitments, or of the reveals
// apply, resume, recovery set, rotate, challenge vote, replay
export const RESULT_VALIDATOR = 1; // validator index
// recovery set, rotate
export const RESULT_KEY_EFFECTIVE_AT = 2; // 0 = from the next epoch
// rotate
export const RESULT_ROTATE_OLD_EPOCH = 3; // key epochs
export const RESULT_ROTATE_NEW_EPOCH = 4;
export const RESULT_ROTATE_IS_RECOVERY = 5; // 1 when the recovery key signed
export const RESULT_ROTATE_OLD_KEY = 6; // 4 words: the previous consensus key
// challenge open
export const RESULT_CHALLENGE_TARGET = 1; // validator index
export const RESULT_CHALLENGE_BOND = 2;
export const RESULT_CHALLENGE_DEADLINE = 3;
// challenge vote
export const RESULT_VOTE_STATUS = 2; // CHALLENGE_*
export const RESULT_VOTE_REFUNDED = 3;
export const RESULT_VOTE_FORFEIT = 4;
export const RESULT_VOTE_SLASH = 5;
export const RESULT_VOTE_BOUNTY = 6;
export const RESULT_VOTE_SUCCEEDED = 7; // weights
export const RESULT_VOTE_FAILED = 8;
export const RESULT_VOTE_PARTIAL = 9;
export const RESULT_VOTE_TOTAL = 10;
export const RESULT_VOTE_PARTICIPANTS = 11;
// replay submit, replay outcome
export const RESULT_REPLAY_STATUS = 2; // JOB_* afterwards
export const RESULT_REPLAY_OUTCOME = 3; // OUTCOME_*
export const RESULT_REPLAY_ACTION = 4; // ACTION_*
export const RESULT_REPLAY_SEVERITY_BP = 5;
export const RESULT_REPLAY_MISMATCHES = 6;
export const RESULT_REPLAY_PAID = 7; // to the executor
// object; RESULT_VALIDATOR is the applicant
export const RESULT_OBJECTION_WEIGHT = 2; // of all that object to it
export const RESULT_OBJECTION_TOTAL = 3; // of all active validators
// canary reveal
export const RESULT_CANARY_SCORED = 1; // votes scored
export const RESULT_CANARY_FEES = 2; // fees returned to the poster

export const VOTE_PENDING = 0;
export const VOTE_SETTLED = 1;
export const VOTE_ADJUSTED = 2;
export const SETTLED_NONE = 0;
export const SETTLED_VERIFIED = 1;
export const SETTLED_REJECTED = 2;
export const SETTLED_EXPIRED = 3;

// Event types that the core emits by itself (protocol 2.1), and their fields from OUT_FIELDS on.
// EVENT_GENESIS has none.
export const EVENT_GENESIS = 1;
export const EVENT_SETTLEMENT = 2;
export const OUT_SETTLEMENT_TARGET = 64; // event id[32]
export const OUT_SETTLEMENT_KIND = 96; // u32 ITEM_*
export const OUT_SETTLEMENT_STATUS = 100; // u32 VOTE_SETTLED or VOTE_ADJUSTED
export const OUT_SETTLEMENT_REASON = 104; // u32 SETTLED_*
export const OUT_SETTLEMENT_VOTER_COUNT = 108; // u32
export const OUT_SETTLEMENT_AGENT = 112; // u32 agent index
export const OUT_SETTLEMENT_RECIPIENT = 116; // u32 index of the recipient or beneficiary
export const OUT_SETTLEMENT_AMOUNT = 120; // u64 amount (transfer) or claimed value
export const OUT_SETTLEMENT_VALUE = 128; // u64 verified value
export const OUT_SETTLEMENT_FEE = 136; // u64
export const OUT_SETTLEMENT_APPROVE = 144; // u64 weights from here on
export const OUT_SETTLEMENT_REJECT = 152;
export const OUT_SETTLEMENT_TOTAL = 160;
export const OUT_SETTLEMENT_PARTICIPANTS = 168; // u64
export const OUT_SETTLEMENT_TREASURY = 176; // u64 the treasury's part of the fee
export const SETTLEMENT_VOTERS = 184; // VOTER_BYTES for each
// One verdict in a settlement, or of an open item (QUERY_ITEM).
export const VOTER_VALIDATOR = 0; // u32 validator index
export const VOTER_VERDICT = 4; // u8 0 or 1
export const VOTER_SHARE = 5; // u8 of an approval in a dispute: the worker's share; of any other approval SHARES
export const VOTER_GROUND = 6; // u16 GROUND_*
export const VOTER_VALUE = 8; // u64 verified value
export const VOTER_WEIGHT = 16; // u64
export const VOTER_TIME = 24; // u64 seconds
export const VOTER_BYTES = 32;
export const EVENT_SLASH = 3;
export const OUT_SLASH_AGENT = 64; // u32 agent index
export const OUT_SLASH_CAUSE = 68; // u32 SLASH_*
export const OUT_SLASH_AMOUNT = 72; // u64
export const OUT_SLASH_REMAINING = 80; // u64 stake
export const OUT_SLASH_CHALLENGE = 88; // challenge id[16], zeros = none
export const OUT_SLASH_BYTES = 104;
export const SLASH_REJECTED_TRANSFER = 1;
export const SLASH_REJECTED_GENERATION = 2;
export const SLASH_LOST_DISPUTE = 3;
export const SLASH_OFFENSE = 3; // + OFFENSE_*
// Task events, emitted by the system, begin with the task id.
export const OUT_TASK_ID = 64; // [16]
export const EVENT_TASK_CANCELLED = 4;
export const OUT_TASK_CANCELLED_RESOLUTION = 80; // u32 RESOLUTION_*, then u32 zero
export const OUT_TASK_CANCELLED_BYTES = 88;
// At the end of a review that does not pay (protocol 15.3).
export const EVENT_TASK_DISPUTED = 5;
export const OUT_TASK_DISPUTED_DEADLINE = 80; // u64
export const OUT_TASK_DISPUTED_IS_DELIVERED = 88; // u32 0: nothing was delivered, 1: the panel rejected it; then u32 zero
export const OUT_TASK_DISPUTED_BYTES = 96;
export const EVENT_CLAIM_EXPIRED = 6;
export const OUT_CLAIM_EXPIRED_CLAIMER = 80; // u32 agent index, then u32 zero
export const OUT_CLAIM_EXPIRED_BYTES = 88;
export const EVENT_TASK_SETTLED = 7;
export const OUT_TASK_SETTLED_RESOLUTION = 80; // u32 RESOLUTION_*
export const OUT_TASK_SETTLED_CLAIMER = 84; // u32 agent index + 1, 0 = none
export const OUT_TASK_SETTLED_PAYOUT = 88; // u64 from here on
export const OUT_TASK_SETTLED_REFUND = 96;
export const OUT_TASK_SETTLED_BASE_FEE = 104;
export const OUT_TASK_SETTLED_ASSURANCE_FEE = 112;
export const OUT_TASK_SETTLED_REWARD = 120; // bootstrap reward
export const OUT_TASK_SETTLED_TREASURY = 128; // the treasury's part of both fees
export const OUT_TASK_SETTLED_IS_REPLAYED = 136; // u32 1 when a replay was drawn
export const OUT_TASK_SETTLED_STATE = 140; // u32 PAYOUT_*
export const OUT_TASK_SETTLED_BYTES = 144;
export const EVENT_TASK_ROUTED = 8;
export const OUT_TASK_ROUTED_AGENT = 80; // u32 agent index
export const OUT_TASK_ROUTED_SCORE_BP = 84; // u32 match score by the formula of ROUTE_*
export const OUT_TASK_ROUTED_IS_NEWCOMER = 88; // u32 1 when the agent is a newcomer (protocol 6.16)
export const OUT_TASK_ROUTED_REASON = 92; // u32 ROUTE_*
export const OUT_TASK_ROUTED_BYTES = 96;
export const ROUTE_BEST_MATCH = 0;
export const ROUTE_NEWCOMER = 1;
export const EVENT_VALIDATOR_STATUS = 9;
export const OUT_STATUS_VALIDATOR = 64; // u32 validator index
export const OUT_STATUS = 68; // u32 VALIDATOR_*
export const OUT_STATUS_REASON = 72; // u32 STATUS_REASON_*
export const OUT_STATUS_CYCLE = 76; // u32 probation cycle, 0 = none
export const OUT_STATUS_SUSPENDED_UNTIL = 80; // u64, 0 = not suspended
export const OUT_STATUS_BYTES = 88;
export const STATUS_REASON_NONE = 0; // of a validator that is not suspended (VALIDATOR_REASON); every event has a reason
export const STATUS_REASON_STAKE = 1; // stake_below_minimum
export const STATUS_REASON_OFFENSE = 1; // + OFFENSE_*: slashed:<offense>
export const STATUS_REASON_PROBATION = 5; // passed, next cycle, or failed for good, according to the status
export const STATUS_REASON_EQUIVOCATION = 6;
export const STATUS_REASON_CANARY = 7; // a category was suspended; the status stays active
export const STATUS_REASON_PASSED = 8; // an applicant passed probation; the status stays until objections and places allow
export const STATUS_REASON_OBJECTED = 9; // more than a third of the weight objected: next cycle, or excluded
// Job events begin with the job id and the task id. EVENT_REPLAY_CREATED comes again with each further attempt.
export const OUT_JOB_ID = 64; // [32]
export const OUT_JOB_TASK = 96; // task id[16]
export const OUT_JOB_EXECUTOR = 112; // u32 validator index
export const EVENT_REPLAY_CREATED = 10;
export const OUT_REPLAY_CREATED_REASON = 116; // u32 REPLAY_*
export const OUT_REPLAY_CREATED_ATTEMPT = 120; // u32, then u32 zero
export const OUT_REPLAY_CREATED_REWARD = 128; // u64
export const OUT_REPLAY_CREATED_DEADLINE = 136; // u64 for submission
export const OUT_REPLAY_CREATED_BYTES = 144;
export const EVENT_REPLAY_CLOSED = 11;
export const OUT_REPLAY_CLOSED_STATUS = 116; // u32 JOB_*
export const OUT_REPLAY_CLOSED_OUTCOME = 120; // u32 OUTCOME_*, 0 = none
export const OUT_REPLAY_CLOSED_ACTION = 124; // u32 ACTION_*, 0 = none
export const OUT_REPLAY_CLOSED_SEVERITY_BP = 128; // u32
export const OUT_REPLAY_CLOSED_MISMATCHES = 132; // u32
export const OUT_REPLAY_CLOSED_PAID = 136; // u64
export const OUT_REPLAY_CLOSED_RETURNED = 144; // u64 to the reserve
export const OUT_REPLAY_CLOSED_BYTES = 152;
// Challenge events begin with the challenge id and the task id. EVENT_CHALLENGE_OPENED: by a replay; subject: the job.
export const OUT_CHALLENGE_ID = 64; // [16]
export const OUT_CHALLENGE_TASK = 80; // task id[16]
export const OUT_CHALLENGE_TARGET = 96; // u32 validator index
export const OUT_CHALLENGE_OFFENSE = 100; // u32 OFFENSE_*
export const OUT_CHALLENGE_CHALLENGER = 104; // u32 agent index
export const EVENT_CHALLENGE_OPENED = 12;
export const OUT_CHALLENGE_OPENED_BOND = 112; // u64
export const OUT_CHALLENGE_OPENED_DEADLINE = 120; // u64
export const OUT_CHALLENGE_OPENED_BYTES = 128;
export const EVENT_CHALLENGE_RESOLVED = 13;
export const OUT_CHALLENGE_RESOLVED_STATUS = 108; // u32 CHALLENGE_*
export const OUT_CHALLENGE_RESOLVED_REFUNDED = 112; // u64 from here on
export const OUT_CHALLENGE_RESOLVED_FORFEIT = 120;
export const OUT_CHALLENGE_RESOLVED_SLASH = 128;
export const OUT_CHALLENGE_RESOLVED_BOUNTY = 136;
export const OUT_CHALLENGE_RESOLVED_BYTES = 144;
// Subject: the id of the seat in the manifest.
export const EVENT_SEAT_RESUMED = 14;
export const OUT_SEAT_RESUMED = 64; // u32 seat
export const OUT_SEAT_RESUMED_INCARNATION = 68; // u32
export const OUT_SEAT_RESUMED_EPOCH = 72; // u64
export const OUT_SEAT_RESUMED_MAY_LOSE = 80; // u32 0 or 1, then u32 zero
export const OUT_SEAT_RESUMED_BYTES = 88;
// A seat lost its ordering weight, or got it back (consensus 5.11).
export const EVENT_SEAT_WEIGHT = 15;
export const OUT_SEAT_WEIGHT_SEAT = 64; // u32
export const OUT_SEAT_WEIGHT_CHANGE = 68; // u32 SEAT_WEIGHT_*
export const OUT_SEAT_WEIGHT_EPOCH = 72; // u32 number of the running epoch
export const OUT_SEAT_WEIGHT_SILENT_FROM = 76; // u32 number of the first epoch of its silence, + 1; 0 = not silent
export const OUT_SEAT_WEIGHT_SILENT_SINCE = 80; // u64 second at which that epoch began
export const OUT_SEAT_WEIGHT_BYTES = 88;
export const SEAT_WEIGHT_REMOVED = 1; // silent for too long
export const SEAT_WEIGHT_HEARD = 2; // back: a vertex of it was ordered
export const SEAT_WEIGHT_BOUND = 3; // back although silent: more removed weight would pass the bound

// A contract has run (protocol 14.9).
export const EVENT_TASK_CHECKED = 24;
export const OUT_TASK_CHECKED_PASSED = 80; // u32 0 or 1
export const OUT_TASK_CHECKED_CHECK = 84; // u32 number of the check that failed
export const OUT_TASK_CHECKED_SCORE_BP = 88; // u32
export const OUT_TASK_CHECKED_TRIES = 92; // u32 failed runs of this claim, this one included
export const OUT_TASK_CHECKED_FEE = 96; // u64 paid by the worker
export const OUT_TASK_CHECKED_CLAIMER = 104; // u32 agent index
export const OUT_TASK_CHECKED_RUN = 108; // u32 number of the run among those of the task
export const OUT_TASK_CHECKED_BYTES = 112;

// Kinds of open items
export const ITEM_TRANSFER = 1;
export const ITEM_GENERATION = 2;
// Submission of an assured task (agent: claimer, recipient: poster, amount: budget); the assignment is its panel.
export const ITEM_SUBMISSION = 3;
// Dispute (agent: poster, recipient: poster, amount: budget); the assignment is advisory.
export const ITEM_DISPUTE = 4;

// Validator status; NO_STATUS: a manifest seat with initial_status pending_join has no validator row
export const NO_STATUS = 0;
export const VALIDATOR_PROBATION = 1;
export const VALIDATOR_ACTIVE = 2;
export const VALIDATOR_SUSPENDED = 3;
export const VALIDATOR_EXCLUDED = 4;

// ---------------------------------------------------------------- queries (core_query(kind, argument length))
// Arguments are in the in buffer, the answer is in the out buffer. Returns the length of the answer, or -1 when
// there is no such thing. Whatever depends on time uses the T of the last executed block.

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
export const HEADER_NEXT_GRANT = 11; // by the schedule; the daily budget of a seat may lower it (SEAT_GRANTS_LEFT)
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
export const HEADER_SUPPLY = 22; // sum over all accounts, counted incrementally; anything but 10^15 is a bug
export const HEADER_REQUIRED_STAKE = 23;
export const HEADER_POOLS = 24; // POOL_COUNT words
export const HEADER_TASKS = 38; // tasks in the core, without those that left at the end of this block
export const HEADER_ASSURED_30D = 39; // budgets of assured tasks completed in 30 days (V of protocol 6.7)
export const HEADER_LARGEST_30D = 40; // largest budget of an assured task completed in 30 days (M of protocol 6.7)
export const HEADER_CHALLENGES = 41; // rows in the core
export const HEADER_JOBS = 42; // rows in the core
export const HEADER_REPLAY_ESCROW = 43; // rewards of pending jobs
export const HEADER_SEATS = 44;
// Order and second of the newest block with which acknowledged writes may have been lost (consensus 5.7), 0 = none.
export const HEADER_LOST_WRITES_ORDER = 45;
export const HEADER_LOST_WRITES_SECS = 46;
// Runs of contracts that wait for a block.
export const HEADER_DUE_RUNS = 47;
// Revision of the rules that apply (consensus 5.11).
export const HEADER_REVISION = 48;
export const HEADER_WORDS = 49;

// Pools: accounts that only rules debit (protocol 6.1)
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
// Standing, protocol 6.17: at the T of the answer, second of its next halving (0 = none), and as far as it backs a record.
export const AGENT_STANDING = 224; // u64
export const AGENT_STANDING_HALVES = 232; // u64
export const AGENT_BACKING_BP = 240; // u32, and u32 zero
// Its record as a poster (protocol 15.2): tasks paid, disputes opened, of which it got everything back, or nothing. u32 each.
export const AGENT_TASKS_PAID = 248;
export const AGENT_DISPUTES = 252;
export const AGENT_DISPUTES_WON = 256;
export const AGENT_DISPUTES_LOST = 260;
export const AGENT_BYTES = 264;

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
export const RECORD_SCORE_BP = 36; // u32, protocol 6.10
export const RECORD_BYTES = 40;

// Argument: event id[32]. Answer: u64 item index.
export const QUERY_ITEM_FIND = 5;
// Argument: u32 item index. Answer: ITEM_VOTERS bytes, then VOTER_BYTES for each verdict, in order of arrival, then
// COMMITTED_BYTES for each vote that is committed and not revealed.
export const QUERY_ITEM = 6;
export const ITEM_EVENT_ID = 0; // [32]
export const ITEM_KIND = 32; // u32 from here on
export const ITEM_AGENT = 36;
export const ITEM_RECIPIENT = 40;
export const ITEM_VOTES = 44; // number of verdicts
export const ITEM_AMOUNT = 48; // u64 from here on
export const ITEM_DEADLINE = 56;
export const ITEM_CREATED = 64;
export const ITEM_APPROVE = 72;
export const ITEM_REJECT = 80;
export const ITEM_TOTAL = 88;
export const ITEM_PARTICIPANTS = 96;
export const ITEM_ASSIGNED_COUNT = 104; // u32
export const ITEM_ASSIGNED = 108; // 7 x u32 validator index
export const ITEM_COMMITTED = 136; // u32 number of votes that are committed and not revealed
export const ITEM_STAGE = 140; // u32 of a contested dispute VOTES_COMMITTED or VOTES_REVEALED: what its judges do now; else 0
export const ITEM_JUDGES = 144; // u32 validators whose votes would count, then u32 zero
export const ITEM_VOTERS = 152;
export const VOTES_COMMITTED = 1;
export const VOTES_REVEALED = 2;
export const COMMITTED_VALIDATOR = 0; // u32 validator index, then u32 zero
export const COMMITTED_TIME = 8; // u64 seconds
export const COMMITTED_HASH = 16; // [32]
export const COMMITTED_BYTES = 48;

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
export const VALIDATOR_NEXT_KEY = 208; // [32], pending rotation, zeros = none
export const VALIDATOR_NEXT_KEY_AT = 240; // u64
export const VALIDATOR_NEXT_RECOVERY_AT = 248; // u64, pending replacement of the recovery key
export const VALIDATOR_CATEGORY_COUNT = 256; // u32
export const VALIDATOR_CATEGORIES = 260; // 20 x u32 category index
export const VALIDATOR_ID_BYTES = 340; // u32
export const VALIDATOR_ID = 344; // [64]
export const VALIDATOR_MISSED_DRAWS = 408; // u32, of the current probation cycle
export const VALIDATOR_IS_JUDGE = 412; // u32 1 when a judge is announced
export const VALIDATOR_OBJECTIONS_UNTIL = 416; // u64, of an applicant that passed probation, else 0
export const VALIDATOR_OBJECTION_WEIGHT = 424; // u64, of those that object to it while it waits
export const VALIDATOR_CALIBRATION = 432;
export const CALIBRATION_CATEGORY = 0; // u32 from here on
export const CALIBRATION_SIGNALS = 4;
export const CALIBRATION_CORRECT = 8;
export const CALIBRATION_CANARY_SIGNALS = 12;
export const CALIBRATION_CANARY_POINTS = 16; // 2 for a correct vote, 1 for a partly correct one
export const CALIBRATION_SUSPENDED_UNTIL = 24; // u64, 0 = not suspended
export const CALIBRATION_BYTES = 32;

// No argument. Answer: SEAT_BYTES for each seat, by seat index: the basis of the next epoch's seat table.
export const QUERY_SEATS = 15;
export const SEAT_KEY = 0; // consensus key[32]
export const SEAT_WEIGHT = 32; // u64: mul(reputation_bp, staked, 10000) of an active or suspended validator; 0 else, or if removed
export const SEAT_VALIDATOR = 40; // u32 validator index + 1, 0 = none
export const SEAT_STATUS = 44; // u32
export const SEAT_KEY_EPOCH = 48; // u32
export const SEAT_OPERATOR = 52; // u32 agent index
export const SEAT_IS_REMOVED = 56; // u32 1 when its ordering weight is removed for silence
export const SEAT_SILENT_FROM = 60; // u32 number of the first epoch of its silence, + 1; 0 = not silent
export const SEAT_SILENT_SINCE = 64; // u64 second at which that epoch began
export const SEAT_GRANTS_LEFT = 72; // u64 left today of its part of the onboarding budget, micro-units
export const SEAT_REVISION = 80; // u32 newest revision that its newest ordered vertex names; then u32 zero
export const SEAT_BYTES = 88;

// Argument: validator form[72], length above 0. Answer: u64 validator index.
export const QUERY_VALIDATOR_FIND = 16;

// Argument: challenge id[16]. Answer: its image, CHALLENGE_BYTES; weights of an open one are current.
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
export const CHALLENGE_FOR_SUCCEEDED = 144; // weight of the votes for each outcome
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

// Argument: category form[56]. Answer: u64 words: number of active validators that serve the category and are not suspended in it.
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
export const TASK_ROUTED_TO = 56; // agent index + 1, 0 = none; with TASK_RESERVED whom it is reserved for
export const TASK_OVERALL_BP = 60;
export const TASK_PARENT = 64; // [16], zeros = none
export const TASK_BUDGET = 80; // u64 from here on
export const TASK_ESCROW = 88;
export const TASK_ASSURANCE_FEE = 96;
export const TASK_NET = 104; // the worker's amount if completed now; later the amount paid
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
export const TASK_CANCEL_AT = 304; // u64 end of the notice after which a claimed task is cancelled, 0 = no notice
export const TASK_NO_QUORUM = 312; // u32 NO_QUORUM_*
export const TASK_SHARE = 316; // u32 the worker's share in steps of 10 %; less than SHARES only after a split
export const TASK_WORKER_BOND = 320; // u64 what a claim reserves
export const TASK_DISPUTE_BOND = 328; // u64 what a dispute reserves of its poster, and costs it if it is found wrong
export const TASK_IS_CONTESTED = 336; // u32 1 from the worker's answer on
export const TASK_PANELS = 340; // u32 panels drawn for its dispute: 0 = all validators may judge it, 2 = all announced judges do
export const TASK_BYTES = 344;

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
export const RESOLUTION_NOTHING_DELIVERED = 8;
export const RESOLUTION_CONCEDED = 9;
export const RESOLUTION_CONTRACT = 20; // its contract passed
export const RESOLUTION_UNREVIEWED = 21; // delivered outside, and the poster was silent
export const RESOLUTION_DECLINED = 24; // by the agent that it was reserved for
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

// No argument. Answer: DUE_RUN_BYTES of the oldest due run, if the block has fuel for it; else -1.
export const QUERY_DUE_RUN = 30;
export const DUE_RUN_TASK = 0; // task id[16]
export const DUE_RUN_NUMBER = 16; // u32 number of the run among those of the task, from 1
export const DUE_RUN_FUEL = 20; // u32
export const DUE_RUN_BYTES = 24;

// Argument: u32 agent index. Answer: CAPABILITY_BYTES; -1 when the agent has none.
export const QUERY_CAPABILITY = 13;
export const CAPABILITY_PRICE = 0; // u64
export const CAPABILITY_REGISTERED_AT = 8; // u64
export const CAPABILITY_MAX_TASKS = 16; // u32 from here on
export const CAPABILITY_ACTIVE = 20; // currently claimed tasks
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

// Argument: u64 key id. Answer: KEY_BYTES; -1 also when the key was revoked or has expired.
export const QUERY_KEY = 8;
export const KEY_ID = 0; // u64
export const KEY_HASH = 8; // [32]
export const KEY_OWNER = 40; // u32 from here on
export const KEY_SEAT = 44;
export const KEY_SCOPES = 48;
export const KEY_HOURLY_LIMIT = 52;
export const KEY_CREATED = 56; // u64 from here on
export const KEY_EXPIRES = 64; // 0 = never
export const KEY_DEPOSIT = 72; // micro-units, returned when the key goes
export const KEY_BYTES = 80;

// Argument: u32 category index. Answer: its name, 1 to 50 bytes. The first three are fixed.
export const QUERY_CATEGORY = 9;
export const CATEGORY_TRANSFER = 0;
export const CATEGORY_GENERATION = 1;
// Also used for records of tasks whose category does not fit into the full table of names.
export const CATEGORY_GENERAL = 2;
// Argument: u32 from, u32 limit. Answer: indexes (u32) of open items, in table order, from table row `from` on; the last
// word is the row to continue from, 0xffffffff at the end. For rebuilding indexes at startup.
export const QUERY_ITEMS = 10;
// Argument: u32 leaf number. Answer: the leaf as the last core_state_hash has it, and from it to the root the LEAF_FAN children of
// each node, 32 bytes each, zero where there is nothing. For proofs of rows under a signed root.
export const QUERY_LEAF = 24;
export const LEAF_LEVELS = 0; // u32: number of nodes on the way
export const LEAF_IS_KNOWN = 4; // u32: 0 = it changed since, and is no longer kept; the bytes are zero then
export const LEAF_OF_HASH = 8; // [512]
export const LEAF_CHILDREN = 520;
export const LEAF_FAN = 16;

// No argument. Answer: MOVEMENTS_FIELDS bytes about the list of movements of the last core_apply, which is in the out buffer
// itself: before its end, MOVEMENT_BYTES each, the newest first. Every change of an account is one; those after a record
// and before the next belong together and sum to zero. Nothing but core_apply and this query may come between.
export const QUERY_MOVEMENTS = 37;
export const MOVEMENTS_ARE_CUT = 0; // u32: 1 = there was no room for all of them
export const MOVEMENTS_BYTES = 4; // u32
export const MOVEMENTS_FIELDS = 8;
// u32 bytes of the records that came before it
export const MOVEMENT_KIND = 4; // u32 MOVED_*
export const MOVEMENT_ACCOUNT = 8; // u32 pool or agent index
export const MOVEMENT_AMOUNT = 16; // i64 micro-units
export const MOVEMENT_BYTES = 24;
export const MOVED_POOL = 0;
export const MOVED_BALANCE = 1;
export const MOVED_STAKE = 2;
export const MOVED_ESCROW = 3;
export const MOVED_REPLAY_ESCROW = 4;
/** Bytes of the out buffer. */
export const OUT_BUFFER_BYTES = 8388608;

// No argument. Answer: u64 sum over all accounts, recomputed from all tables. O(state): for tests and snapshots only.
export const QUERY_FULL_SUPPLY = 11;

// ---------------------------------------------------------------- snapshots
// The canonical state is core_state_bytes() at core_state_ptr(): LEAF_BYTES leaves, PAGE_LEAVES of them a page; the last page may
//   be shorter, all-zero pages are left out. At core_hashes_ptr() are LEAF_HASH_BYTES for each leaf, as of the last core_state_hash;
//   zeros for a leaf that was always zero.
// core_dirty(limit): numbers of the pages with leaves changed since the last core_dirty, ascending, u32 each. A page that became
//   zero is listed too. Returns how many; 0 = none left.
// core_import(count): reads that many page numbers, u32 each, from the in buffer; the host has written the pages into the state.
//   The first call, before anything is written, has none and empties the state. core_import_end(isHashed): rebuilds the derived structures, checks
//   the supply, returns 0 or IMPORT_*. isHashed = 1: the host has written the hashes of the leaves as well, and knows that
//   they are theirs; core_state_hash then hashes only what is above them.
export const LEAF_BYTES = 512;
export const LEAF_HASH_BYTES = 32;
export const PAGE_LEAVES = 16;
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
export const TABLE_CAPABILITIES = 11;
export const TABLE_CHALLENGES = 12;
// Not returned today: without a row for a job there is no replay.
export const TABLE_JOBS = 13;
// Objections of one validator.
export const TABLE_OBJECTIONS = 14;

/** Total supply in micro-units is 10^15; as two factors, since constants here stay below 2^31. */
export const SUPPLY_TOKENS = 1000000000;
export const MICRO_PER_TOKEN = 1000000;
