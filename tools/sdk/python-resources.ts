// Writes the operations of the API description as Python: a class for each group, a method for each operation, blocking
// and async.

import type { OpenApi, OperationDoc, ParameterDoc, Schema } from '../../host/api/openapi.ts';
import { ERRORS } from '../../host/errors.ts';
import { HEADER, innerName, isRequired, pascal, pythonName, pythonType, quoted } from './python-models.ts';

interface Operation {
  method: string;
  path: string;
  doc: OperationDoc;
}
interface Parameter {
  /** As sent. */
  name: string;
  /** In Python. */
  as: string;
  type: string;
  required: boolean;
  about: string;
}
const JSON_TYPE = 'application/json';
const WIDTH = 108;

/** `{id}` of a path by what it names: task_id. */
const pathName = ({ name, example }: ParameterDoc): string =>
  /^\{(\w+)\}$/.exec(String(example))?.[1] ?? name;

const aboutOf = (schema: Schema, text?: string): string =>
  text ?? (typeof schema.description === 'string' ? schema.description : '');

function pathParameters(doc: OperationDoc): Parameter[] {
  return (doc.parameters ?? [])
    .filter((one) => one.in === 'path')
    .map((one) => ({ name: one.name, as: pathName(one), type: 'str', required: true, about: '' }));
}

function queryParameters(doc: OperationDoc): Parameter[] {
  return (doc.parameters ?? [])
    .filter((one) => one.in === 'query' && !one.description?.startsWith('alias of '))
    .map(({ name, schema, required, description }) => ({
      name,
      as: pythonName(name),
      type: pythonType(schema),
      required,
      about: aboutOf(schema, description),
    }));
}

function bodyParameters(api: OpenApi, doc: OperationDoc): Parameter[] {
  const reference = doc.requestBody?.content[JSON_TYPE]?.schema.$ref as string | undefined;
  if (reference === undefined) return [];
  const body = reference.split('/').at(-1)!;
  const schema = api.components.schemas[body]!;
  // What the path names is not said twice.
  const named = new Set(pathParameters(doc).map(({ name }) => name));
  return Object.entries((schema.properties ?? {}) as Record<string, Schema>)
    .filter(([name]) => !named.has(name))
    .map(([name, property]) => ({
      name,
      as: pythonName(name),
      type: readOnly(pythonType(property, 'models.', `models.${innerName(body, name)}`)),
      required: isRequired(schema, name),
      about: aboutOf(property),
    }))
    .sort((a, b) => Number(b.required) - Number(a.required));
}

/** What a call only reads; a group may have a method named list besides. */
const readOnly = (type: string): string =>
  type.replace(/^list\[/, 'Sequence[').replace(/^dict\[/, 'Mapping[');

/**
 * Writes that take an object that was shown instead of its id, so that what it says is signed: the function of `_shown` that reads
 * it, the parameter it is, and the one that it fills.
 */
const SHOWN: Readonly<
  Record<string, { read: string; id: string; type: string; member: string; more?: string; about: string }>
> = {
  ...bonded('tasks_claim', 'worker_bond'),
  ...bonded('tasks_dispute', 'dispute_bond'),
  ...judged('verification_verify'),
  ...judged('verification_commit'),
};

function bonded(operation: string, bond: string) {
  const about = `the task that was read, whose ${bond} is signed as max_bond then; or its id`;
  const type = 'str | models.Task';
  return {
    [operation]: { read: 'bonded', id: 'task_id', type, member: 'max_bond', more: quoted(bond), about },
  };
}

function judged(operation: string) {
  const about = 'the event that was read, whose task is signed as task_id then; or its id';
  const type = 'str | models.Event | models.PendingEvent';
  return { [operation]: { read: 'judged', id: 'event_id', type, member: 'task_id', about } };
}

/** Reads of which another object than was asked for is no answer. */
const OF_ONE: ReadonlySet<string> = new Set(['tasks_get', 'tasks_result']);

/** Text in lines of the width, each indented. */
function wrapped(text: string, indent: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && indent.length + line.length + word.length + 1 > WIDTH) {
      lines.push(indent + line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, indent + line].join('\n');
}

function docstring(doc: OperationDoc, parameters: Parameter[]): string {
  const described = parameters.filter(({ about }) => about !== '');
  const refusals = Object.entries(doc.responses).filter(([status]) => Number(status) >= 400);
  // Only refusals of the API name codes; those of another protocol are told in words.
  const named = refusals
    .flatMap(([, { description }]) => description.split(', '))
    .filter((code) => code in ERRORS);
  const codes = named.map(pascal);
  const parts = [
    `        """${doc.summary}.`,
    ...(doc.description ? [wrapped(doc.description, '        ')] : []),
    ...(described.length > 0
      ? [described.map(({ as, about }) => wrapped(`${as}: ${about}.`, '        ')).join('\n')]
      : []),
    wrapped(`Raises ${codes.join(', ')}.`, '        '),
  ];
  return `${parts.join('\n\n')}\n        """`;
}

/** What a method gives, and the call that gives it. */
function replyOf({ doc }: Operation): { type: string; call: string; model?: string } {
  const [status] = Object.keys(doc.responses);
  const [[media, content] = []] = Object.entries(doc.responses[status!]!.content ?? {});
  const schema = content!.schema;
  if (media === 'application/octet-stream') return { type: 'bytes', call: 'content' };
  if (media !== JSON_TYPE) return { type: 'str', call: 'text' };
  if (schema.type === 'array') {
    const model = pythonType(schema.items as Schema, 'models.');
    return { type: `Page[${model}]`, call: 'page', model };
  }
  if (schema.$ref) {
    const model = pythonType(schema, 'models.');
    return { type: model, call: 'object', model };
  }
  return schema.additionalProperties
    ? { type: 'dict[str, int]', call: 'counts' }
    : { type: 'dict[str, Any]', call: 'json' };
}

const signature = (
  name: string,
  isAsync: boolean,
  given: string[],
  named: string[],
  type: string,
): string => {
  const all = ['self', ...given, ...(named.length > 0 ? ['*', ...named] : [])];
  const prefix = `    ${isAsync ? 'async ' : ''}def ${name}`;
  const oneLine = `${prefix}(${all.join(', ')}) -> ${type}:`;
  if (oneLine.length <= WIDTH) return oneLine;
  return `${prefix}(\n${all.map((one) => `        ${one},`).join('\n')}\n    ) -> ${type}:`;
};

const parameterText = ({ as, type, required }: Parameter): string =>
  required ? `${as}: ${type}` : `${as}: ${type} | None = None`;

const dictText = (parameters: Parameter[], indent: string): string =>
  parameters.length === 0
    ? '{}'
    : `{\n${parameters.map(({ name, as }) => `${indent}    ${quoted(name)}: ${as},`).join('\n')}\n${indent}}`;

function streamMethod(name: string, doc: OperationDoc, isAsync: boolean): string {
  const parameters = [
    'types: Sequence[EventType] | None = None',
    'since: int | None = None',
    'retries: int | None = None',
  ];
  const type = `${isAsync ? 'AsyncIterator' : 'Iterator'}[StreamMessage]`;
  return `${signature(name, false, [], parameters, type)}
        """${doc.summary}, reconnecting by itself: every event once, in the order of seq.

        types: which events; all by default. since: begin after this seq, 0 for the whole history; new events only by
        default. retries: how many connections in a row may fail; any number by default.
        """
        return self._calls.stream(types, since, retries)`;
}

function method(api: OpenApi, operation: Operation, isAsync: boolean): string {
  const { doc, path } = operation;
  const name = pythonName(doc.operationId.slice(doc.operationId.indexOf('_') + 1));
  if (doc.responses['101']) return streamMethod(name, doc, isAsync);
  const isWrite = operation.method !== 'get';
  const shown = SHOWN[doc.operationId];
  const asShown = (one: Parameter): Parameter =>
    one.as === shown?.id ? { ...one, type: shown.type, about: shown.about } : one;
  const segments = pathParameters(doc).map(asShown);
  const members = (isWrite ? bodyParameters(api, doc) : queryParameters(doc)).map(asShown);
  const { type, call, model } = replyOf(operation);
  const named = [...members.map(parameterText), ...(isWrite ? ['idempotency_key: str | None = None'] : [])];
  const byName = new Map(segments.map((one) => [one.name, one.as]));
  const filled = path.replace(/\{(\w+)\}/g, (_, one: string) => `{segment(${byName.get(one)})}`);
  const target = filled === path ? quoted(path) : `f${quoted(filled)}`;
  const given = [
    ...(model ? [model] : []),
    ...(isWrite ? [quoted(doc.operationId), quoted(operation.method.toUpperCase())] : []),
    target,
    ...(isWrite || members.length > 0 ? [dictText(members, '            ')] : []),
    ...(isWrite ? ['idempotency_key'] : []),
  ];
  const lines = given.map((one) => `            ${one},`).join('\n');
  const reply = `${isAsync ? 'await ' : ''}self._calls.${isWrite ? 'write' : call}(\n${lines}\n        )`;
  const isOfOne = OF_ONE.has(doc.operationId);
  return [
    signature(
      name,
      isAsync,
      segments.map(parameterText),
      named,
      isAsync ? type.replace(/^Page/, 'AsyncPage') : type,
    ),
    docstring(doc, [...segments, ...members]),
    ...(shown ? [`        ${shown.id}, ${shown.member} = ${readOf(shown)}`] : []),
    isOfOne ? `        shown = ${reply}\n        return shown_of(task_id, shown)` : `        return ${reply}`,
  ].join('\n');
}

const readOf = ({ read, id, member, more }: (typeof SHOWN)[string]): string =>
  `${read}(${[id, member, ...(more ? [more] : [])].join(', ')})`;

/** A door of another protocol, whose messages this description does not know: its clients are others. */
const isExchange = ({ requestBody }: OperationDoc): boolean =>
  requestBody !== undefined && requestBody.content[JSON_TYPE]?.schema.$ref === undefined;

/** The groups as classes. */
export function resourcesFile(api: OpenApi, isAsync: boolean): string {
  const all = Object.entries(api.paths)
    .flatMap(([path, methods]) => Object.entries(methods).map(([one, doc]) => ({ path, method: one, doc })))
    .filter(({ doc }) => !isExchange(doc));
  const calls = isAsync ? 'AsyncCalls' : 'Calls';
  const prefix = isAsync ? 'Async' : '';
  const groups = api.tags.map(({ name, description }) => ({
    name,
    description,
    list: all.filter(({ doc }) => doc.tags.includes(name)),
  }));
  const classes = groups.map(
    ({ name, description, list }) =>
      `\nclass ${prefix}${pascal(name)}:\n    """${description}"""\n\n    def __init__(self, calls: ${calls}) -> None:\n        self._calls = calls\n\n${list.map((one) => method(api, one, isAsync)).join('\n\n')}\n`,
  );
  const members = groups.map(({ name }) => `        self.${name} = ${prefix}${pascal(name)}(calls)`);
  return [
    HEADER(`The operations of a node, ${isAsync ? 'async' : 'blocking'}: one method each, in groups.`),
    `from collections.abc import ${isAsync ? 'AsyncIterator' : 'Iterator'}, Mapping, Sequence\nfrom typing import Any, Literal\n`,
    `from . import models\nfrom ._calls import ${calls}\nfrom ._http import segment\nfrom ._pages import ${isAsync ? 'AsyncPage' : 'Page'}\nfrom ._shown import bonded, judged, shown_of\nfrom .stream_events import EventType, StreamMessage\n`,
    ...classes,
    `\nclass ${prefix}Groups:\n    """All groups, as members of a client."""\n\n    def __init__(self, calls: ${calls}) -> None:\n${members.join('\n')}\n`,
  ].join('\n');
}
