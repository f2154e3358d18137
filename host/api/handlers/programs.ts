// Reads of programs (protocol 4.13).

import { ServiceError } from '../../errors.ts';
import { programObject } from '../../views/tasks/program-view.ts';
import type { ReadContext } from '../context.ts';
import type { ReadArgs, Reply } from '../route.ts';

export function program(c: ReadContext, { path, query }: ReadArgs): Reply {
  const body = programObject(c.store, path.program!.toLowerCase(), query.include_module === 'true');
  if (!body) throw new ServiceError('program_not_found');
  return { body };
}
