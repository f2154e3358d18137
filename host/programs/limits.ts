// Every bound on programs, as protocol 14.3 to 14.5 states them. A network's nodes must have the same values: whether a
// program is admitted, and how it ends, depends on each.

/** A module as it is published. */
export const MAX_MODULE_BYTES = 262_144;
export const MAX_TYPES = 256;
export const MAX_PARAMS = 32;
export const MAX_FUNCTIONS = 2_048;
export const MAX_FUNCTION_BYTES = 65_536;
/** Bodies of all functions. */
export const MAX_CODE_BYTES = 131_072;
/** Parameters and locals of a function. */
export const MAX_LOCALS = 1_024;
/** Operands on the stack of a function at any point. */
export const MAX_OPERANDS = 1_024;
/** Blocks inside one another. */
export const MAX_NESTING = 256;
/** Labels of a br_table, without the default. */
export const MAX_LABELS = 1_024;
export const MAX_GLOBALS = 256;
export const MAX_TABLE = 4_096;
/** Elements of all segments: an engine writes them into the table of each instance, also those that overlap. */
export const MAX_ELEMENTS = 4_096;
/** Data segments, and element segments. */
export const MAX_SEGMENTS = 2_048;
export const MAX_EXPORTS = 256;
export const MAX_NAME_BYTES = 256;
/** 65,536 bytes each. */
export const MAX_MEMORY_PAGES = 128;
export const PAGE_BYTES = 65_536;

/**
 * Compilers keep, at each place where control flow parts or meets, one state for each local and operand: the product is
 * what makes a small function dear. Summed over all functions: FUNCTION_WORK + (slots + BRANCH_BASE) x
 * (branches + calls + charges).
 */
export const MAX_COMPILE_WORK = 98_304;
export const BRANCH_BASE = 16;
/** What a function costs a compiler however little is in it. */
export const FUNCTION_WORK = 64;

/** What a frame costs of STACK_BUDGET besides 8 for each parameter, local and operand. */
export const FRAME_BASE = 128;
export const SLOT_BYTES = 8;
/**
 * Bytes of stack by the count of 14.5, which allows 1,024 calls inside one another. wasmtime's default is 512 KiB of real
 * stack, V8's 984 KiB, and wazero's interpreter takes 2,000 calls.
 */
export const STACK_BUDGET = 131_072;
/** A function that calls none and has at most this many slots is not counted: at most one is active. */
export const MAX_UNCOUNTED_SLOTS = 128;

/** Fuel of a check that states none. */
export const DEFAULT_FUEL = 10_000_000;
/** Fuel that a check may state: enough for SHA-256 of 1 MiB. Below 2^30, so that no charge can wrap the counter. */
export const MAX_FUEL = 200_000_000;

/**
 * What a run of `vectors` takes besides its instructions and a unit for each byte of its module: its instance, each page of memory,
 * each byte of input.
 */
export const VECTOR_RUN_FUEL = 20_000;
export const VECTOR_PAGE_FUEL = 1_024;
export const VECTOR_INPUT_FUEL = 16;
/** Bytes of output for one unit of fuel, as a shift. */
export const VECTOR_OUTPUT_SHIFT = 3;

/**
 * What a unit of fuel counts for in a program that strangers wrote: 1 for each 8 pages of its memory begun. A load whose address is
 * what the load before it found waits for the memory, and one instruction takes 3 ns within 8 pages, 15 in 32, 60 to 100 in 128,
 * where no cache and no table of pages reaches.
 */
const PAGES_OF_WEIGHT = 8;
export const memoryWeight = (pages: number): number => Math.max(1, Math.ceil(pages / PAGES_OF_WEIGHT));

/** Input of one run, all parts and their table. */
export const MAX_INPUT_BYTES = 2_097_152;
/** Output of one run of a program that is not a check (14.7). */
export const MAX_OUTPUT_BYTES = 1_048_576;
export const MAX_REASON_BYTES = 200;
export const MAX_SCORE_BPS = 10_000;
