// The values by which the list of validators is filtered and sorted. They are read from the core on demand, at most once
// per block, since a status may change with any block, even by time alone.
// Keeps: order of registration, ties by id (protocol 1.5, 4.3); complete rows are read for the page only.

import type { State } from '../../core/state.ts';
import type { ValidatorBrief } from '../../core/validator-state.ts';
import type { Identities } from '../../execution/identity.ts';

interface ValidatorFilter {
  /** VALIDATOR_* */
  status?: number | undefined;
  /** Category that it serves, in normal form. */
  category?: string | undefined;
}

interface Row extends Omit<ValidatorBrief, 'categories'> {
  index: number;
  id: string;
  categories: readonly string[];
}

export class ValidatorTable {
  #rows: readonly Row[] = [];
  /** Block for which the rows are valid. */
  #block = -1;

  constructor(
    private readonly state: State,
    private readonly ids: Identities,
  ) {}

  /** Indexes of the validators of a page, and the number of matches. */
  page(
    { status, category }: ValidatorFilter,
    offset: number,
    count: number,
  ): { rows: number[]; total: number } {
    const matching = this.#fresh().filter(
      (row) =>
        (status === undefined || row.status === status) &&
        (category === undefined || row.categories.length === 0 || row.categories.includes(category)),
    );
    return { rows: matching.slice(offset, offset + count).map(({ index }) => index), total: matching.length };
  }

  #fresh(): readonly Row[] {
    const { block, validators } = this.state.header();
    if (block === this.#block) return this.#rows;
    const names = new Map<number, string>();
    const nameOf = (category: number): string => {
      const name = names.get(category) ?? this.state.categoryName(category);
      names.set(category, name);
      return name;
    };
    const rows = Array.from({ length: validators }, (_, index): Row => {
      const brief = this.state.validatorBrief(index)!;
      return { ...brief, index, id: this.ids.validatorId(index), categories: brief.categories.map(nameOf) };
    });
    this.#rows = rows.sort((a, b) => a.registeredAt - b.registeredAt || (a.id < b.id ? -1 : 1));
    this.#block = block;
    return this.#rows;
  }
}
