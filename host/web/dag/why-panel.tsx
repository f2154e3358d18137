// Why the chosen vertex is final, as a list of steps; pointing at one, or moving to it with the keyboard, shows its
// vertices in the picture.

import type { Role, Why } from './why.ts';

export type Marks = ReadonlyMap<string, Role>;

export function WhyPanel({ of, onStep }: { of: Why; onStep(marks: Marks | undefined): void }) {
  return (
    <section class="why">
      <h3>Why?</h3>
      <p>{of.answer}</p>
      <ol>
        {of.steps.map(({ name, text, marks }) => (
          <li key={name}>
            <button
              type="button"
              class="quiet"
              onFocus={() => onStep(marks)}
              onBlur={() => onStep(undefined)}
              onMouseEnter={() => onStep(marks)}
              onMouseLeave={() => onStep(undefined)}
            >
              {name}
              <span class="unseen">: show in the picture</span>
            </button>{' '}
            {text}
          </li>
        ))}
      </ol>
    </section>
  );
}
