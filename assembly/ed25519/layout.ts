// The ABI of the module: how the host writes jobs, and where a trap leaves its text.
// Keeps: every area is fixed at compile time; memory never grows, so a host's views always stay valid.
// Plain constants that the host (host/crypto/ed25519-wasm.ts) imports too, so the two cannot drift apart.
//
// A job, JOB_BYTES long:
//   0 key[32] | 32 R[32] | 64 S[32] | 96 random coefficient[16] | 112 u32 message offset | 116 u32 message length
//   | 120 eight bytes unused

export const ED25519_ABI_VERSION = 1;

// Maximum of signatures in one load. At 1,024 the shared doublings and bucket sums already cost so little that
// a larger load gains under 5 %.
export const MAX_JOBS = 1024;
export const JOB_BYTES = 128;
export const JOB_KEY = 0;
export const JOB_R = 32;
export const JOB_S = 64;
export const JOB_RANDOM = 96;
export const JOB_MESSAGE_AT = 112;
export const JOB_MESSAGE_LENGTH = 116;

// Size of all messages of one load together. A signed request is some 300 bytes.
export const MESSAGE_BYTES = 1048576;

// Text of a failed assertion: u32 set, u32 line, u32 column, u32 characters, then UTF-16.
export const TRAP_TEXT_CHARS = 120;
export const TRAP_BYTES = 256;

// Size of the cache of decompressed keys (LRU). At least MAX_JOBS, so that a load never evicts its own keys.
export const MAX_KEYS = 2048;
