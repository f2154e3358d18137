// Reads of validators (protocol 3.9, 4.3).

import { statusNumber } from '../../core/validator-names.ts';
import { ServiceError } from '../../errors.ts';
import { validatorObject } from '../../views/validators/validator-view.ts';
import { normalName } from '../../wire/category.ts';
import type { ReadContext } from '../context.ts';
import type { ReadArgs, Reply } from '../route.ts';

export function validators(c: ReadContext, { page, query }: ReadArgs): Reply {
  const filter = {
    status: query.status === undefined ? undefined : statusNumber(String(query.status)),
    category: query.category === undefined ? undefined : normalName(String(query.category)),
  };
  const { rows, total } = c.validators.page(filter, page.offset, page.size);
  return { body: rows.map((index) => validatorObject(c.ids, index)), total };
}

export function validator(c: ReadContext, { path }: ReadArgs): Reply {
  const index = c.ids.findValidator(path.id!);
  if (index === undefined) throw new ServiceError('validator_not_found');
  return { body: validatorObject(c.ids, index) };
}
