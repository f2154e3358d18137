// The search field of the header; submitting it opens the search page.

import { linkTo } from '../routes.ts';

export function SearchBox() {
  return (
    <search class="search">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const q = String(new FormData(event.currentTarget).get('q') ?? '').trim();
          if (q !== '') location.hash = linkTo('search', '', { q });
        }}
      >
        <label>
          <span class="unseen">Search for an ID, an address or a service</span>
          <input type="search" name="q" placeholder="ID, address, service…" autocomplete="off" />
        </label>
        <button type="submit">Search</button>
      </form>
    </search>
  );
}
