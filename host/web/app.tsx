// The whole page: follows the address, shows the place it names, and moves the focus there.

import { useEffect, useRef, useState } from 'preact/hooks';
import { usePage } from './pages.ts';
import { Fault, Loading } from './parts/notice.tsx';
import { placeOf } from './routes.ts';
import { Footer } from './shell/footer.tsx';
import { Header } from './shell/header.tsx';
import { resumeCheck } from './verify/session.ts';
import { VerifyStrip } from './verify/strip.tsx';

const NAME = 'Verified Work Settlement';

export function App() {
  const [place, setPlace] = useState(() => placeOf(location.hash));
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  const { page: Page, error } = usePage(place.name);
  /** Another page of the same list is the same place; another item is a new one. */
  const at = `${place.name}/${place.id}`;

  useEffect(() => {
    const follow = (): void => {
      // The skip link is an anchor too, but not a place.
      if (location.hash !== '#main') setPlace(placeOf(location.hash));
    };
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);

  useEffect(resumeCheck, []);

  // Runs at each new place, once it is there.
  useEffect(() => {
    if (!Page) return;
    const title = main.current?.querySelector('h1');
    document.title = place.name === 'overview' ? NAME : `${title?.textContent ?? place.name} · ${NAME}`;
    if (!isFirst.current) {
      scrollTo(0, 0);
      title?.focus();
    }
    isFirst.current = false;
  }, [at, Page]);

  return (
    <>
      {/* biome-ignore lint/a11y/useValidAnchor: an anchor within the page that is not a hash route. */}
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          main.current?.focus();
        }}
      >
        Skip to content
      </a>
      <Header at={place.name} />
      <main id="main" ref={main} tabIndex={-1}>
        <VerifyStrip />
        {Page ? <Page key={at} place={place} /> : error ? <Fault error={error} /> : <Loading />}
      </main>
      <Footer />
    </>
  );
}
