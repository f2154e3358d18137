// All commands, in the order `vws help` lists them. Each is loaded when it is used: all of them, with what they import, take
// longer than most commands run.
// Keeps: a command has the name of its file.

import type { Command, CommandGroup } from './command.ts';

type Load = () => Promise<Command>;

const TABLE: Readonly<Record<string, Readonly<Record<string, Load>>>> = {
  'Running a node': {
    try: async () => (await import('./commands/try.ts')).tryOut,
    init: async () => (await import('./commands/init.ts')).init,
    manifest: async () => (await import('./commands/manifest.ts')).manifest,
    config: async () => (await import('./commands/config.ts')).config,
    start: async () => (await import('./commands/start.ts')).start,
    signer: async () => (await import('./commands/signer.ts')).signer,
    doctor: async () => (await import('./commands/doctor.ts')).doctor,
    content: async () => (await import('./commands/content.ts')).content,
    snapshot: async () => (await import('./commands/snapshot.ts')).snapshot,
    reindex: async () => (await import('./commands/reindex.ts')).reindex,
    'resume-seat': async () => (await import('./commands/resume-seat.ts')).resumeSeat,
  },
  'Acting as an agent': {
    keygen: async () => (await import('./commands/keygen.ts')).keygen,
    register: async () => (await import('./commands/register.ts')).register,
    faucet: async () => (await import('./commands/faucet.ts')).faucet,
    stake: async () => (await import('./commands/stake.ts')).stake,
    unstake: async () => (await import('./commands/unstake.ts')).unstake,
    transfer: async () => (await import('./commands/transfer.ts')).transfer,
    generation: async () => (await import('./commands/generation.ts')).generation,
    task: async () => (await import('./commands/task.ts')).task,
    offer: async () => (await import('./commands/offer.ts')).offer,
    search: async () => (await import('./commands/search.ts')).search,
    'api-key': async () => (await import('./commands/api-key.ts')).apiKey,
    mcp: async () => (await import('./commands/mcp.ts')).mcp,
  },
  Validating: {
    pending: async () => (await import('./commands/pending.ts')).pending,
    verify: async () => (await import('./commands/verify.ts')).verify,
    judge: async () => (await import('./commands/judge.ts')).judge,
    challenge: async () => (await import('./commands/challenge.ts')).challenge,
    replay: async () => (await import('./commands/replay.ts')).replay,
    validator: async () => (await import('./commands/validator.ts')).validator,
  },
  'Judging deliveries': {
    check: async () => (await import('./commands/check.ts')).check,
  },
  Inspecting: {
    agents: async () => (await import('./commands/agents.ts')).agents,
    info: async () => (await import('./commands/info.ts')).info,
    balance: async () => (await import('./commands/balance.ts')).balance,
    history: async () => (await import('./commands/history.ts')).history,
    event: async () => (await import('./commands/event.ts')).event,
    events: async () => (await import('./commands/events.ts')).events,
    status: async () => (await import('./commands/status.ts')).status,
    top: async () => (await import('./commands/top.ts')).top,
    network: async () => (await import('./commands/network.ts')).network,
    trend: async () => (await import('./commands/trend.ts')).trend,
    dag: async () => (await import('./commands/dag.ts')).dag,
    economics: async () => (await import('./commands/economics.ts')).economics,
    validators: async () => (await import('./commands/validators.ts')).validators,
    audit: async () => (await import('./commands/audit.ts')).audit,
    export: async () => (await import('./commands/export.ts')).exportHistory,
    serve: async () => (await import('./commands/serve.ts')).serve,
    proof: async () => (await import('./commands/proof.ts')).proof,
  },
  Other: {
    version: async () => (await import('./commands/version.ts')).version,
    completion: async () => (await import('./commands/completion.ts')).completionOf(loadCommands),
    help: async () => (await import('./commands/help.ts')).helpOn(loadCommands),
  },
};

const LOADS = new Map(Object.values(TABLE).flatMap((group) => Object.entries(group)));

/** The command of a name, without the others; undefined: there is none. */
export const loadCommand = async (name: string): Promise<Command | undefined> => LOADS.get(name)?.();

/** All of them, by heading. */
export const loadCommands = (): Promise<CommandGroup[]> =>
  Promise.all(
    Object.entries(TABLE).map(async ([title, group]) => ({
      title,
      commands: await Promise.all(Object.values(group).map((load) => load())),
    })),
  );
