// Closed lists, in the documents and in the program: error codes, event types, network parameters, settings, metrics,
// rate limits, key prefixes, messages between nodes. Each name on one side is on the other, with the same values.

import { codeIn, tablesOf } from './markdown.mjs';

/**
 * The rows of a list in a document by name, and the faults of names that only one side has.
 * `what`: how a fault calls one of them; `tables`: where the document lists them; `names`: those of the program.
 */
function pairRows(tree, path, what, tables, names) {
  const rows = new Map();
  if (!tree.documents.has(path)) tree.fault(path, undefined, 'does not exist');
  for (const { line, cells } of tables.flatMap((table) => table.rows)) {
    for (const name of codeIn(cells[what.column ?? 0])) {
      if (rows.has(name)) tree.fault(path, line, `${what.name} ${name} is listed twice`);
      if (!names.includes(name)) tree.fault(path, line, `${what.name} ${name} does not exist`);
      else rows.set(name, { line, cells });
    }
  }
  for (const name of names)
    if (!rows.has(name)) tree.fault(path, undefined, `${what.name} ${name} is not described`);
  tree.count(what.many, names.length);
  return rows;
}

/** A fault unless a cell says what the program has. */
function same(tree, path, line, what, said, is) {
  if (said !== is) tree.fault(path, line, `${what} is ${is}, not ${said}`);
}

const bare = (cell) => cell.replaceAll('`', '');
const tables = (tree, path, number, head) =>
  tablesOf(tree.documents.get(path) ?? { headings: [] }, number, head);

function checkErrors(tree, { ERRORS }) {
  const path = 'docs/protocol/catalogues.md';
  const what = { name: 'error code', many: 'error codes', column: 1 };
  const rows = pairRows(tree, path, what, tables(tree, path, '2.2', 'Status'), Object.keys(ERRORS));
  for (const [code, { line, cells }] of rows)
    same(tree, path, line, `the status of ${code}`, cells[0], String(ERRORS[code][0]));
}

function checkEventTypes(tree, { EVENT_TYPES }) {
  const path = 'docs/protocol/catalogues.md';
  const what = { name: 'event type', many: 'event types' };
  const [list, ...further] = tables(tree, path, '2.1', 'Type');
  pairRows(tree, path, what, list ? [list] : [], EVENT_TYPES);
  for (const { line, cells } of further.flatMap((table) => table.rows))
    for (const name of codeIn(cells[0]))
      if (!EVENT_TYPES.includes(name)) tree.fault(path, line, `event type ${name} does not exist`);
}

/** `1..31,622,400` and `1..10^15`; undefined where an end is a word. */
function rangeIn(cell) {
  const ends = bare(cell)
    .split('..')
    .map((text) => text.replaceAll(',', '').replace(/^10\^(\d+)$/, '1e$1'));
  return ends.length === 2 && ends.every((end) => /^[\de]+$/.test(end)) ? ends.map(Number) : undefined;
}

function checkParams(tree, { PARAMS }) {
  const path = 'docs/protocol/conventions.md';
  const what = { name: 'network parameter', many: 'network parameters' };
  const rows = pairRows(tree, path, what, tables(tree, path, '1.9', 'Name'), Object.keys(PARAMS));
  for (const [name, { line, cells }] of rows) {
    const row = PARAMS[name];
    const said = bare(cells[1]).replace(/ u$/, '').replaceAll(',', '');
    const is = row.isSwitch ? String(row.default === 1) : String(row.default);
    if (row.default !== undefined) same(tree, path, line, `the default of ${name}`, said, is);
    const range = rangeIn(cells[2]);
    if (range) same(tree, path, line, `the range of ${name}`, range.join('..'), `${row.min}..${row.max}`);
  }
}

function checkSettings(tree, { SETTINGS }) {
  const path = 'docs/protocol/node.md';
  const what = { name: 'setting', many: 'settings' };
  const names = SETTINGS.map((row) => row.name);
  for (const [name, { line, cells }] of pairRows(
    tree,
    path,
    what,
    tables(tree, path, '12.2', 'Setting'),
    names,
  )) {
    const row = SETTINGS.find((one) => one.name === name);
    const [, flag, variable, fallback, users] = cells.map(bare);
    same(tree, path, line, `the flag of ${name}`, flag, row.flag === undefined ? '-' : `--${row.flag}`);
    same(tree, path, line, `the variable of ${name}`, variable, row.env ?? '-');
    same(tree, path, line, `the default of ${name}`, fallback, row.defaultNote ?? row.fallback ?? '-');
    same(tree, path, line, `what uses ${name}`, users, row.uses.join(', '));
  }
}

function checkMetrics(tree, { METRICS }) {
  const path = 'docs/protocol/metrics.md';
  const what = { name: 'metric', many: 'metrics' };
  const rows = pairRows(tree, path, what, tables(tree, path, '11.1', 'Name'), Object.keys(METRICS));
  for (const [name, { line, cells }] of rows) {
    const { kind, labels = [], buckets } = METRICS[name];
    same(
      tree,
      path,
      line,
      `the kind of ${name}`,
      cells[1],
      `${kind}${buckets ? `, buckets ${buckets.join(' ')}` : ''}`,
    );
    for (const label of labels)
      if (!new RegExp(`\\b${label}\\b`).test(cells[2]))
        tree.fault(path, line, `${name}: label ${label} is missing`);
    if (labels.length === 0) same(tree, path, line, `the labels of ${name}`, cells[2], '-');
  }
}

/** Each limited endpoint has a row with the limits of its row in the rate table. */
function checkLimits(tree, { RATE_TABLE, ROUTES }) {
  const path = 'docs/protocol/limits.md';
  const limited = ROUTES.filter((route) => route.limit !== undefined);
  const limits = new Map(limited.map((one) => [`${one.method} ${one.path}`, RATE_TABLE[one.limit]]));
  const [list] = tables(tree, path, '8.1', 'Endpoint');
  // The other rows are about groups of endpoints.
  const single = (list?.rows ?? []).filter(({ cells }) => /^`\w+ \/[^`]*`$/.test(cells[0]));
  const what = { name: 'the limit of', many: 'rate limits' };
  const rows = pairRows(tree, path, what, [{ rows: single }], [...limits.keys()]);
  const shown = (limit) => (Number.isFinite(limit) ? limit.toLocaleString('en-US') : 'unlimited');
  for (const [name, { line, cells }] of rows) {
    const { agent, address, node } = limits.get(name);
    same(
      tree,
      path,
      line,
      `the limit of ${name}`,
      cells.slice(1).join(' '),
      [agent, address, node].map(shown).join(' '),
    );
  }
}

function checkPrefixes(tree, { PREFIXES }) {
  const path = 'docs/protocol/network.md';
  const what = { name: 'key prefix', many: 'key prefixes' };
  pairRows(tree, path, what, tables(tree, path, '12.9', 'Key'), Object.keys(PREFIXES));
}

function checkMessages(tree, { CODES }) {
  const path = 'docs/protocol/network.md';
  const what = { name: 'message', many: 'messages', column: 1 };
  const rows = pairRows(tree, path, what, tables(tree, path, '12.8', 'Type'), Object.keys(CODES));
  for (const [name, { line, cells }] of rows) {
    const said = cells[0].split(/,\s*/)[codeIn(cells[1]).indexOf(name)];
    same(tree, path, line, `the type of message ${name}`, said, String(CODES[name]));
  }
}

export function checkTables(tree, built) {
  checkErrors(tree, built);
  checkEventTypes(tree, built);
  checkParams(tree, built);
  checkSettings(tree, built);
  checkMetrics(tree, built);
  checkLimits(tree, built);
  checkPrefixes(tree, built);
  checkMessages(tree, built);
}
