// The search field of the head: whatever is typed goes to the search page.

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
          <span class="unseen">Search for an id, an address or a service</span>
          <input type="search" name="q" placeholder="Id, address, service…" autocomplete="off" />
        </label>
        <button type="submit">Search</button>
      </form>
    </search>
  );
}
