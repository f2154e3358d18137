// Endpoints and objects: every route is described in docs/protocol/endpoints.md with its fields, query and errors, every
// member of every object in objects.md, and the examples in `json` are what the endpoint takes or answers.

import { codeIn, rangeOf } from './markdown.mjs';

const ENDPOINTS = 'docs/protocol/endpoints.md';
const OBJECTS = 'docs/protocol/objects.md';
const MENTION = /\b(GET|POST|PUT|DELETE)\s+(\/[^\s`"'?),;|]*)/g;
const none = { headings: [], tables: [], blocks: [], lines: [], prose: [] };

const nameOf = (route) => `${route.method} ${route.path}`;

/** The route that a path names: its template, or a path that fits one. */
function routeOf(routes, method, path) {
  const given = path.replace(/[.:]+$/, '').split('/');
  const fits = (want, i) => want === given[i] || (want.startsWith('{') && given[i] !== '');
  return routes.find((route) => {
    const want = route.path.split('/');
    return route.method === method && want.length === given.length && want.every(fits);
  });
}

/** Where a route is described: under its heading, or in a row of a table of reads. */
function placesOf(document) {
  const places = new Map();
  for (const heading of document.headings) {
    const [from, to] = rangeOf(document, heading);
    for (const code of codeIn(heading.title))
      places.set(code, { line: from, text: document.prose.slice(from - 1, to).join('\n'), from, to });
  }
  for (const row of document.tables.filter((one) => one.head[0] === 'Endpoint').flatMap((one) => one.rows))
    for (const code of codeIn(row.cells[0]))
      places.set(code, { line: row.line, text: row.text, cells: row.cells });
  return places;
}

/** "Fields: those of `POST /v1/tasks`": what is described there is described here. */
const REFERENCE = /\b(?:those of|as for)\s+`((?:GET|POST|PUT|DELETE) [^`]+)`/g;

/** The text that describes a route, with that of the routes which it refers to. */
function textOf(places, place) {
  const named = [...place.text.matchAll(REFERENCE)].map((found) => places.get(found[1])?.text ?? '');
  return [place.text, ...named].join('\n');
}

function checkFields(tree, document, route, place, text, operation) {
  const nested = Object.values(operation.fields).flatMap((field) => Object.keys(field.fields ?? {}));
  for (const field of Object.keys(operation.fields))
    if (!new RegExp(`\\b${field}\\b`).test(text))
      tree.fault(ENDPOINTS, place.line, `${nameOf(route)}: field ${field} is not described`);
  const tables = document.tables.filter((one) => one.line >= place.from && one.line <= place.to);
  for (const row of tables.filter((one) => one.head[0] === 'Field').flatMap((one) => one.rows))
    for (const field of row.cells[0].split(/,\s*/).map((name) => name.replace(/[`… ]/g, '')))
      if (!Object.hasOwn(operation.fields, field) && !nested.includes(field))
        tree.fault(ENDPOINTS, row.line, `${nameOf(route)}: field ${field} does not exist`);
}

function checkQuery(tree, route, place) {
  const said = place.cells[1] ?? '';
  for (const param of route.query ?? []) {
    const name = param.kind === 'page' ? 'paging' : param.name;
    if (!new RegExp(`\\b${name}\\b`).test(said))
      tree.fault(ENDPOINTS, place.line, `${nameOf(route)}: query ${name} is not described`);
  }
}

export function checkRoutes(tree, { ROUTES, OPERATIONS }) {
  const document = tree.documents.get(ENDPOINTS) ?? none;
  const places = placesOf(document);
  for (const route of ROUTES) {
    tree.count('routes');
    const place = places.get(nameOf(route));
    if (!place) {
      tree.fault(ENDPOINTS, undefined, `route ${nameOf(route)} is not described`);
      continue;
    }
    const text = textOf(places, place);
    if (place.cells) checkQuery(tree, route, place);
    else if (route.operation) checkFields(tree, document, route, place, text, OPERATIONS[route.operation]);
    for (const code of route.errors ?? [])
      if (!text.includes(code))
        tree.fault(ENDPOINTS, place.line, `${nameOf(route)}: error ${code} is not described`);
  }
  for (const [path, { prose }] of tree.documents)
    for (const [i, line] of prose.entries())
      for (const [, method, target] of line.matchAll(MENTION))
        if (!routeOf(ROUTES, method, target))
          tree.fault(path, i + 1, `route ${method} ${target} does not exist`);
}

export function checkObjects(tree, built) {
  const listed = new Map();
  for (const table of (tree.documents.get(OBJECTS) ?? none).tables) {
    const name = /^\*\*(\w+)\*\*$/.exec(table.lead)?.[1];
    if (name === undefined) continue;
    if (!Object.hasOwn(built.OBJECTS, name)) tree.fault(OBJECTS, table.line, `object ${name} does not exist`);
    else listed.set(name, table);
  }
  for (const [name, fields] of Object.entries(built.OBJECTS)) {
    const table = listed.get(name);
    if (!table) {
      tree.fault(OBJECTS, undefined, `object ${name} is not described`);
      continue;
    }
    const rows = new Map(table.rows.map((row) => [codeIn(row.cells[0])[0], row]));
    for (const [member, row] of rows)
      if (!Object.hasOwn(fields, member)) tree.fault(OBJECTS, row.line, `${name}.${member} does not exist`);
    for (const [member, [type, presence]] of Object.entries(fields)) {
      tree.count('members');
      const row = rows.get(member);
      if (!row) {
        tree.fault(OBJECTS, table.line, `${name}.${member} is not described`);
        continue;
      }
      const said = `${codeIn(row.cells[1])[0]} ${row.cells[2]}`;
      if (said !== `${type} ${presence}`)
        tree.fault(OBJECTS, row.line, `${name}.${member} is ${type} ${presence}, not ${said}`);
    }
  }
}

/** The route that an example belongs to: one named by the text above it, else that of its section. */
function routeOfBlock(document, block, routes) {
  const above = [];
  for (let at = block.line - 2; at >= 0 && (above.length === 0 || document.prose[at] !== ''); at--)
    if (document.prose[at] !== '') above.unshift(document.prose[at]);
  const heading = document.headings.findLast((one) => one.line < block.line);
  for (const text of [above.join(' '), heading?.title ?? '']) {
    const [found] = text.matchAll(MENTION);
    if (found) return routeOf(routes, found[1], found[2]);
  }
  return undefined;
}

function isBody(built, route, value) {
  try {
    built.parseOperation({ name: route.operation, path: {} }, value);
    return Object.keys(value).every((name) => Object.hasOwn(built.OPERATIONS[route.operation].fields, name));
  } catch {
    return false;
  }
}

/** Each example of an endpoint is a body that it takes, its answer, or an error. */
export function checkEndpointExamples(tree, built) {
  const document = tree.documents.get(ENDPOINTS) ?? none;
  for (const block of document.blocks.filter((one) => one.tag === 'json')) {
    const route = routeOfBlock(document, block, built.ROUTES);
    let value;
    try {
      value = JSON.parse(block.text);
    } catch {
      continue; // reported with the examples
    }
    if (!route) continue;
    tree.count('answers and bodies');
    if (route.operation && isBody(built, route, value)) continue;
    const type = value.code !== undefined && value.error !== undefined ? 'Error' : route.reply;
    const problems = built.checkObject(type, value);
    for (const problem of problems)
      tree.fault(
        ENDPOINTS,
        block.line,
        `the example of ${nameOf(route)} is no body of it, and as an answer ${problem}`,
      );
  }
}
