// The young generation of a node's heap: 32 MiB a half instead of the 16 that V8 of Node 20 and 22 chooses. What a write
// leaves behind then dies before it is copied. Measured in docs/benchmarks.md.
// Keeps: the process is the same before and after (id, files, standard streams): it only runs the program again, with the
// flag. V8 reads the size when it makes the heap, so setting the flag later has no effect on the main thread.

/** Node 24 chooses more by itself. */
const LAST_MAJOR = 23;
const FLAG = '--max-semi-space-size';
const SIZE_MIB = 32;
/** Commands that run a node. */
const COMMANDS: ReadonlySet<string | undefined> = new Set(['start', 'try']);

export interface Launch {
  /** `process.version` */
  version: string;
  /** Flags of Node itself, and those in NODE_OPTIONS. */
  execArgv: readonly string[];
  nodeOptions: string;
  /** Node, the program, and its arguments. */
  argv: readonly string[];
}

/** Arguments with which the process should run instead; undefined: as it is. A size that the operator chose stays. */
export function withYoungSpace({ version, execArgv, nodeOptions, argv }: Launch): string[] | undefined {
  const major = Number(/^v(\d+)\./.exec(version)?.[1]);
  const [node, program, ...words] = argv;
  if (!node || !program || !(major <= LAST_MAJOR) || !COMMANDS.has(words[0])) return undefined;
  if ([...execArgv, nodeOptions].some((flags) => /max.semi.space/.test(flags))) return undefined;
  return [node, ...execArgv, `${FLAG}=${SIZE_MIB}`, program, ...words];
}

/**
 * Runs this process again with the flag, in place, if it is to run a node. Without `execve` (Node 20, Windows) it goes on as
 * it is: operators pass the flag by NODE_OPTIONS.
 */
export function ensureYoungSpace(nodeOptions: string): void {
  const { version, execArgv, argv, execPath } = process;
  const again = withYoungSpace({ version, execArgv, nodeOptions, argv });
  const { execve } = process as { execve?: (file: string, args: readonly string[]) => never };
  // A process with a channel to its parent would lose it.
  const isApart = process.send === undefined && process.platform !== 'win32';
  if (again && execve && isApart) execve.call(process, execPath, again);
}
