// Programs that contracts name (protocol 4.13, 14.8).

import type { BodyOf } from './bodies.ts';
import { type Calls, segment } from './calls.ts';
import type * as o from './objects.ts';

export class ProgramCalls {
  constructor(private readonly calls: Calls) {}

  /** `withModule`: with its bytes, in base64. */
  get = async (hash: string, withModule = false) =>
    this.calls.get<o.Program>(
      `/v1/programs/${segment(hash)}`,
      withModule ? { include_module: 'true' } : undefined,
    );
  publish = async (body: BodyOf<'programPublish'>) =>
    this.calls.write<o.Program>('POST', '/v1/programs', body, (event) =>
      this.get(event.payload.hash as string),
    );
}
