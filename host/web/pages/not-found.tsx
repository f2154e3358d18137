// For addresses that lead nowhere.

import { Title } from '../parts/title.tsx';
import { linkTo } from '../routes.ts';

export function NotFoundPage() {
  return (
    <>
      <Title text="No such page" />
      <p>
        Nothing is shown under this address. Begin at the <a href={linkTo('overview')}>overview</a>.
      </p>
    </>
  );
}
