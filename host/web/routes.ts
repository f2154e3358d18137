// The places of the page, as hash routes: `#/agent/<id>`, `#/tasks?status=open`.
// Keeps: every text survives the round trip into a link and back; what matches no route is `not-found`, never an error.

export type PlaceName =
  | 'overview'
  | 'agents'
  | 'agent'
  | 'tasks'
  | 'task'
  | 'events'
  | 'event'
  | 'validators'
  | 'validator'
  | 'dag'
  | 'money'
  | 'vertex'
  | 'search'
  | 'wallet'
  | 'verify'
  | 'not-found';

export interface Place {
  name: PlaceName;
  /** Set at places that show one item. */
  id: string;
  query: Readonly<Record<string, string>>;
}

const LISTS = new Set<string>([
  'agents',
  'tasks',
  'events',
  'validators',
  'dag',
  'money',
  'search',
  'wallet',
  'verify',
]);
const ITEMS = new Set<string>(['agent', 'task', 'event', 'vertex', 'validator']);

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** `hash`: as `location.hash` has it, with or without the `#`. */
export function placeOf(hash: string): Place {
  const [path = '', search = ''] = hash.replace(/^#/, '').split(/\?(.*)/s, 2);
  const query = Object.fromEntries(new URLSearchParams(search));
  const [name = '', id, ...rest] = path.replace(/^\//, '').split('/');
  const notFound: Place = { name: 'not-found', id: path, query };
  if (name === '' && id === undefined) return { name: 'overview', id: '', query };
  if (LISTS.has(name) && id === undefined) return { name: name as PlaceName, id: '', query };
  if (!ITEMS.has(name) || !id || rest.length > 0) return notFound;
  const text = decoded(id);
  return text === undefined ? notFound : { name: name as PlaceName, id: text, query };
}

/** Half a character has no form in an address. */
const encoded = (text: string): string => encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));

/** A link to a place; empty or undefined members of `query` are left out. */
export function linkTo(
  name: Exclude<PlaceName, 'not-found'>,
  id = '',
  query: Readonly<Record<string, string | number | undefined>> = {},
): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const search = new URLSearchParams(given.map(([key, value]): [string, string] => [key, String(value)]));
  const path = name === 'overview' ? '#/' : `#/${name}${id === '' ? '' : `/${encoded(id)}`}`;
  return given.length === 0 ? path : `${path}?${search}`;
}
