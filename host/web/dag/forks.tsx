// Forks in view: a seat that signed two vertices with one number. Both signatures together prove it, to anybody.

import type { Vertex } from '../../client/index.ts';
import { CopyId } from '../parts/copy.tsx';
import { ThingLink } from '../parts/values.tsx';
import { linkTo } from '../routes.ts';

export function Forks({ of, nameOf }: { of: readonly Vertex[][]; nameOf(author: string): string }) {
  if (of.length === 0) return null;
  return (
    <section class="notice bad forks" role="alert">
      <h2>Two histories signed by one seat</h2>
      {of.map((branches) => {
        const { author, seq, epoch } = branches[0]!;
        return (
          <div key={`${epoch} ${author} ${seq}`}>
            <p>
              <b>{nameOf(author)}</b> signed {branches.length} different vertices as its number {seq} of epoch{' '}
              {epoch}. At most one of them counts, and the seat is{' '}
              <a href={linkTo('events', '', { type: 'validator_status' })}>excluded</a> once the others have
              ordered the proof. The evidence is both signatures under the key{' '}
              <CopyId id={author} what="the key of the seat" />
            </p>
            <ul>
              {branches.map(({ hash, signature }) => (
                <li key={hash}>
                  <ThingLink to="vertex" id={hash} />, signature{' '}
                  <CopyId id={signature} what="the signature" />
                </li>
              ))}
            </ul>
          </div>
        );
      })}
    </section>
  );
}
