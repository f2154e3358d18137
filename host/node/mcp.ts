// Opens the node's door for models with the first request that knocks: its library takes longer to load than most nodes
// would ever need it for.

import type { ReadContext } from '../api/context.ts';
import type { Reply } from '../api/route.ts';
import { ROUTES } from '../api/routes.ts';
import type { HttpRequest } from '../world/http.ts';
import type { ApiSources } from './api.ts';

type Door = (request: HttpRequest) => Promise<Reply>;

/** `reads`: called with the first request. */
export function mcpDoor({ config, log, sequencer, world }: ApiSources, reads: () => ReadContext): Door {
  let door: Promise<Door> | undefined;
  const open = async (): Promise<Door> => {
    const [{ nodeDoor }, { LocalReads }] = await Promise.all([
      import('../mcp/node-door.ts'),
      import('../mcp/local-reads.ts'),
    ]);
    return nodeDoor({
      calls: new LocalReads({ routes: ROUTES, reads: reads(), pause: () => sequencer.busy }),
      environment: world,
      own: { names: config.apiNames, publicUrl: config.publicUrl, origins: config.corsOrigins },
      onFault: (error) => log.error({ error }, 'a tool failed'),
    });
  };
  return async (request) => {
    door ??= open();
    return (await door)(request);
  };
}
