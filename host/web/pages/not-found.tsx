// Shown for unknown addresses.

import { Title } from '../parts/title.tsx';
import { linkTo } from '../routes.ts';

export function NotFoundPage() {
  return (
    <>
      <Title text="Page not found" />
      <p>
        There is nothing at this address. Go to the <a href={linkTo('overview')}>overview</a>.
      </p>
    </>
  );
}
