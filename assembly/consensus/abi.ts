// The interface of host and consensus module: record layouts, result codes, limits. Plain constants that TypeScript imports.
// Keeps: all integers are little-endian; a code never changes its number. consensus 5.16.
// Arguments and results of calls are i32. -1 means a malformed argument; nothing was changed then.

export const ABI_VERSION = 4;

/** Size of the in and of the out buffer, each. */
export const BUFFER_BYTES = 262144;
/** Maximum of seats of an epoch: bit numbers of witnesses are 16 bits wide and leave room for forks. */
export const MAX_SEATS = 4096;
/** Maximum of parents of a vertex; an epoch's limit is min(seats, this). consensus 4. */
export const MAX_PARENTS = 32;
/** Maximum of vertices of one branch and round that add no new creator's witness. consensus 4, K_max. */
export const MAX_RUN = 64;
/** Largest arena: depths and handles stay below 2^24. */
export const MAX_VERTICES = 16000000;

// Configuration, the argument of consensus_init:
//
//   0 u32 ABI_VERSION   4 u32 seats   8 u32 minParticipants   12 u32 maximum of vertices
//  16 u64 previousTimeMs   24 epochId[32]   56 u32 leaders of a round   60 u32 0   64 u64 weight of each seat,
//  then u8 for each seat: 1 = it is late and leads no slot
export const CONFIG_SEATS = 4;
export const CONFIG_PARTICIPANTS = 8;
export const CONFIG_VERTICES = 12;
export const CONFIG_TIME = 16;
export const CONFIG_EPOCH_ID = 24;
export const CONFIG_LEADERS = 56;
export const CONFIG_WEIGHTS = 64;

export const INIT_OK = 0;
export const INIT_BAD_VERSION = 1;
export const INIT_BAD_CONFIG = 2;
export const INIT_NO_MEMORY = 3;
/** Sum of weights is 0. consensus 5.9. */
export const INIT_NO_WEIGHT = 4;
/** Sum of weights is above the supply, 10^15. consensus 5.9. */
export const INIT_WEIGHT_TOO_LARGE = 5;
/** Fewer seats with weight than minParticipants. consensus 5.10. */
export const INIT_TOO_FEW_PARTICIPANTS = 6;

// Vertex record, for consensus_insert (one after the other) and as the parts of a snapshot:
//
//   0 u16 creator   2 u16 parents   4 u32 seq   8 u32 lamport   12 u32 flags   16 u64 ts
//  24 id[32]   56 parent ids, 32 each, self-parent first
export const VERTEX_PARENT_COUNT = 2;
export const VERTEX_SEQ = 4;
export const VERTEX_LAMPORT = 8;
export const VERTEX_FLAGS = 12;
export const VERTEX_TIME = 16;
export const VERTEX_ID = 24;
export const VERTEX_PARENTS = 56;
export const VERTEX_WORK = 1;
/** Bits of a seq that number the vertices of one incarnation, from 1; the bits above are the incarnation. consensus 5.1. */
export const SEQ_NUMBER_BITS = 20;

// consensus_insert answers with one byte for each record: a result below, or a fault.
export const INSERTED = 0;
export const KNOWN = 1;
export const MISSING_PARENT = 2;
export const FULL = 3;
// Faults, in order of checking; each makes the vertex invalid on every node. consensus 5.1, 2 to 6.
export const FAULT_CREATOR = 16;
export const FAULT_SEQ = 17;
export const FAULT_TIME = 18;
export const FAULT_PARENT_COUNT = 19;
export const FAULT_SELF_PARENT = 20;
export const FAULT_SAME_CREATOR = 21;
export const FAULT_LAMPORT = 22;
export const FAULT_RUN = 23;

// Block, the answer of consensus_next_block: its head, followed by the first part of its vertices.
//
//   0 u32 leader round   4 u32 vertices   8 u32 evidence   12 u32 block of the epoch, 1...   16 u64 T ms   24 leader id[32]
//  56 id[32] of each of the n vertices of the part, in order; then for each u16 creator, u16 1 = void
//
// A part has at most PART_VERTICES. consensus_block_part replaces it by another part.
export const BLOCK_ROUND = 0;
export const BLOCK_VERTICES = 4;
export const BLOCK_EVIDENCE = 8;
export const BLOCK_INDEX = 12;
export const BLOCK_TIME = 16;
export const BLOCK_LEADER = 24;
export const BLOCK_BYTES = 56;
/** Id and mark of a vertex together. */
export const ORDERED_BYTES = 36;
export const MARK_VOID = 2;
export const MARK_BYTES = 4;
/** As many as fit the buffer after a head. */
export const PART_VERTICES = 7280;

// Evidence, of consensus_evidence_part: u16 creator, u16 0, u32 seq, id effective[32], id void[32].
export const EVIDENCE_SEQ = 4;
export const EVIDENCE_EFFECTIVE = 8;
export const EVIDENCE_VOID = 40;
export const EVIDENCE_BYTES = 72;

// Preview, the answer of consensus_preview (its argument is a vertex record; seq, lamport, flags and id do not count):
//
//   0 u32 round   4 u32 1 = witness   8 u32 1 = refused by run   12 u32 new creators n   16 u64 T ms   24 u16 creator, n times
export const PREVIEW_ROUND = 0;
export const PREVIEW_WITNESS = 4;
export const PREVIEW_REFUSED = 8;
export const PREVIEW_NEW = 12;
export const PREVIEW_TIME = 16;
export const PREVIEW_CREATORS = 24;

// Explanation, the answer of consensus_explain (its argument is an id):
//
//   0 u32 round   4 u32 1 = witness   8 u32 1 = ordered   12 u32 1 = void   16 u32 block, 0 = none
export const EXPLAIN_ROUND = 0;
export const EXPLAIN_WITNESS = 4;
export const EXPLAIN_ORDERED = 8;
export const EXPLAIN_VOID = 12;
export const EXPLAIN_BLOCK = 16;

/** Status of a leader slot, the answer of consensus_slot. */
export const UNDECIDED = 0;
export const COMMIT = 1;
export const SKIP = 2;

// Figures, the answer of consensus_figures, u32 each: for operators and benchmarks; never hashed.
export const FIGURE_VERTICES = 0;
export const FIGURE_ORDERED = 4;
export const FIGURE_BLOCKS = 8;
export const FIGURE_MAX_ROUND = 12;
/** First round with a leader slot that is not decided. */
export const FIGURE_UNDECIDED = 16;
/** Mask stride in 64-bit words: grows with forks, so it reveals a flood of them. */
export const FIGURE_STRIDE = 20;
/** Bytes used by vertices, id index, masks, rounds and slots. */
export const FIGURE_BYTES = 24;
export const FIGURES_BYTES = 28;

// Trap record: u32 1 = there is one, u32 line, u32 column, u32 text bytes, u32 file bytes, text, file.
export const TRAP_TEXT = 20;
