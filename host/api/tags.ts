// The groups of endpoints in the API description, and the names of operations within them.
// Keeps: the id of an operation is its group, an underscore and a verb or noun: tasks_claim. Generators and our own
// clients make a method of it (client.tasks.claim), so an id never changes once it is released.

/** Group and what it is about, in the order of the description. */
export const TAGS = {
  agents: 'Identities: registration, profiles, balances, reputation, the faucet of a testnet.',
  transactions: 'Payments, claims of generated value, and stake.',
  tasks: 'Posted work: its budget is in escrow from the first moment until it is paid out or returned.',
  programs: 'WebAssembly modules that decide whether a delivery is what was agreed.',
  market: 'Listings of services, search, and the router that offers tasks to agents.',
  verification: 'Events that wait for verdicts, and the verdicts.',
  validators: 'The judges: applications, suspensions, keys of seats.',
  challenges: 'Objections to the approval of a task, with a bond.',
  replay: 'Verification of a task executed again by drawn validators.',
  platform: 'API keys, on testnets.',
  events: 'Executed events, one by one, as a list, and as a stream.',
  network: 'This node, the DAG, checkpoints, supply, parameters, metrics.',
  log: 'What anybody needs to compute order and state again without trusting the node.',
  pages: 'Pages for people, this description, and files by which programs find node and agents.',
} as const;

export type Tag = keyof typeof TAGS;
/** Id of an operation. */
export type RouteId = `${Tag}_${string}`;

/** The group of an operation. */
export const tagOf = (id: RouteId): Tag => id.slice(0, id.indexOf('_')) as Tag;
