// The API description as a page at /docs, rendered once from the OpenAPI document. Needs no script.

import { SIGNING } from './docs-signing.ts';
import { anchor, escapeHtml, htmlPage } from './html.ts';
import type { MediaDoc, OpenApi, OperationDoc, ParameterDoc, Schema } from './openapi.ts';

const CSS = `
.layout{display:grid;grid-template-columns:17rem minmax(0,1fr);max-width:76rem;margin:0 auto}
nav{position:sticky;top:0;align-self:start;max-height:100vh;overflow-y:auto;padding:2rem 1.25rem;font-size:.9rem}
nav h3{font-size:.8rem;color:var(--soft);margin:1.25rem 0 .25rem}
nav ul{list-style:none;margin:0;padding:0}nav li{margin:.15rem 0}nav a{color:inherit;overflow-wrap:anywhere}
main{padding:2rem 1.5rem 5rem;min-width:0}
h1{margin:0 0 .5rem;font-size:2rem}h2{margin:3rem 0 1rem;padding-top:1rem;border-top:1px solid var(--line)}
section.endpoint{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:1.1rem 1.25rem;margin:1rem 0}
section.endpoint h3{margin:0;font-size:1rem;display:flex;gap:.6rem;align-items:baseline;flex-wrap:wrap}
section.endpoint h3 a{color:inherit;overflow-wrap:anywhere}
section.endpoint p{margin:.35rem 0}h4{margin:1rem 0 .2rem;font-size:.85rem;color:var(--soft)}
.verb{font-weight:700;min-width:2.6rem}.get{color:var(--get)}.post{color:var(--post)}
.delete{color:var(--delete)}.put{color:var(--put)}
.codes{display:flex;flex-wrap:wrap;gap:.35rem .75rem;margin:.2rem 0;padding:0;list-style:none}
td:first-child{white-space:nowrap}
pre.copy{user-select:all}pre.copy code{white-space:pre-wrap;overflow-wrap:anywhere}
details{margin:.6rem 0 0}summary{cursor:pointer;font-size:.85rem;color:var(--soft)}
@media (max-width:54rem){.layout{grid-template-columns:minmax(0,1fr)}nav{position:static;max-height:45vh;padding:.5rem 1.25rem 1rem;
border-bottom:1px solid var(--line)}main{padding:1.25rem 1.25rem 4rem}td:first-child{white-space:normal}}
`;

const endpointId = (method: string, path: string): string => anchor(`${method} ${path}`) || method;
const objectId = (name: string): string => `object-${anchor(name)}`;

/** The type without `null`: every optional member may be null, which the page says once. */
const plainType = ({ type }: Schema): unknown => (Array.isArray(type) ? type[0] : type);

/** A schema as short text with links to objects. */
function typeText(schema: Schema): string {
  if (typeof schema.$ref === 'string') {
    const name = schema.$ref.split('/').at(-1)!;
    return `<a href="#${objectId(name)}">${escapeHtml(name)}</a>`;
  }
  if (plainType(schema) === 'array') return `list of ${typeText(schema.items as Schema)}`;
  if (schema.additionalProperties) return `map to ${typeText(schema.additionalProperties as Schema)}`;
  return escapeHtml(String(plainType(schema) ?? 'any'));
}

/** Bounds and choices of a schema; trivial ones are left out. */
function limitsText(schema: Schema): string {
  const parts: string[] = [];
  if (Array.isArray(schema.enum)) parts.push(`one of ${schema.enum.filter(Boolean).join(', ')}`);
  if (typeof schema.minimum === 'number' && schema.minimum > 0) parts.push(`at least ${schema.minimum}`);
  if (typeof schema.maximum === 'number' && schema.maximum < Number.MAX_SAFE_INTEGER) {
    parts.push(`at most ${schema.maximum}`);
  }
  if (typeof schema.maxLength === 'number') parts.push(`at most ${schema.maxLength} bytes`);
  if (schema.default !== undefined) parts.push(`default ${schema.default}`);
  return parts.join('; ');
}

function row(name: string, schema: Schema, isRequired: boolean, doc: unknown): string {
  const text = [typeof doc === 'string' ? doc : '', limitsText(schema)].filter(Boolean).join('; ');
  const need = isRequired ? 'always' : '<span class="soft">optional</span>';
  return `<tr><td><code>${escapeHtml(name)}</code></td><td>${typeText(schema)}</td><td>${need}</td><td>${escapeHtml(text)}</td></tr>`;
}

function table(rows: string[]): string {
  return `<div class="scroll"><table><tr><th>Name</th><th>Type</th><th>Given</th><th>Meaning</th></tr>${rows.join('')}</table></div>`;
}

function fieldTable(schema: Schema): string {
  const required = new Set((schema.required as string[] | undefined) ?? []);
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
  return table(properties.map(([name, field]) => row(name, field, required.has(name), field.description)));
}

function parameterTable(parameters: ParameterDoc[]): string {
  return table(parameters.map((p) => row(p.name, p.schema, p.required, p.description)));
}

/** What confirms the answer of a read. */
const SHOWN_TEXTS: Readonly<Record<NonNullable<OperationDoc['x-shown']>, string>> = {
  checked: 'An audit computes this again.',
  proven: 'This leads to what a quorum of the validators signed, or to the genesis hash.',
  as_the_node_says: 'This is what the node says: nothing else confirms it.',
};

function responses(doc: OperationDoc): string {
  const good: string[] = [];
  const bad: string[] = [];
  for (const [status, response] of Object.entries(doc.responses)) {
    const [[type, content] = []] = Object.entries(response.content ?? {});
    if (Number(status) >= 400) {
      const codes = response.description.split(', ').map((code) => `<code>${escapeHtml(code)}</code>`);
      bad.push(`<li><span class="soft">${status}</span> ${codes.join(' ')}</li>`);
    } else {
      const shown = doc['x-shown'] === undefined ? '' : `<p class="soft">${SHOWN_TEXTS[doc['x-shown']]}</p>`;
      const what = type === 'application/json' && content ? typeText(content.schema) : escapeHtml(type ?? '');
      good.push(`<h4>Answer</h4><p>${status}: ${what}</p>${shown}${answerExample(content)}`);
    }
  }
  const errors = bad.length ? `<h4>Errors</h4><ul class="codes">${bad.join('')}</ul>` : '';
  return good.join('') + errors;
}

function answerExample(content: MediaDoc | undefined): string {
  if (content?.example === undefined) return '';
  const text = escapeHtml(JSON.stringify(content.example, null, 2));
  return `<details><summary>Members that are always present</summary><pre><code>${text}</code></pre></details>`;
}

/** The request line with examples of path and required query parameters, and the body. */
function requestExample(method: string, path: string, doc: OperationDoc): string {
  let line = path;
  const query: string[] = [];
  for (const { name, in: place, required, example } of doc.parameters ?? []) {
    if (place === 'path') line = line.replace(`{${name}}`, String(example ?? `{${name}}`));
    else if (required) query.push(`${name}=${example}`);
  }
  const body = doc.requestBody?.content['application/json']?.example;
  const hasBody = body !== undefined && Object.keys(body as object).length > 0;
  const text = `${method.toUpperCase()} ${line}${query.length > 0 ? `?${query.join('&')}` : ''}`;
  const lines = hasBody ? `${text}\n\n${JSON.stringify(body, null, 2)}` : text;
  return `<h4>Example</h4><pre><code>${escapeHtml(lines)}</code></pre>`;
}

/** Name of the schema of a body. */
const bodyName = (doc: OperationDoc): string | undefined => {
  const reference = doc.requestBody?.content['application/json']?.schema.$ref;
  return typeof reference === 'string' ? reference.split('/').at(-1) : undefined;
};

function endpoint(method: string, path: string, doc: OperationDoc, schemas: Record<string, Schema>): string {
  const id = endpointId(method, path);
  const body = schemas[bodyName(doc) ?? ''];
  const hasFields = body && Object.keys((body.properties ?? {}) as object).length > 0;
  return `<section class="endpoint" id="${id}">
<h3><span class="verb ${method} mono">${method.toUpperCase()}</span> <a class="mono" href="#${id}">${escapeHtml(path)}</a></h3>
<p>${escapeHtml(doc.summary)}${doc.description ? `. <span class="soft">${escapeHtml(doc.description)}</span>` : ''}</p>
${doc.parameters ? `<h4>Parameters</h4>${parameterTable(doc.parameters)}` : ''}
${hasFields ? `<h4>Body</h4>${fieldTable(body)}` : ''}
${requestExample(method, path, doc)}
${responses(doc)}
</section>`;
}

/** The page. The result never changes, so the server renders it once. */
export function renderDocs(api: OpenApi): string {
  const all = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, doc]) => ({ path, method, doc })),
  );
  const groups = api.tags
    .map((tag) => ({ ...tag, list: all.filter((e) => e.doc.tags.includes(tag.name)) }))
    .filter(({ list }) => list.length > 0);
  const links = groups.map(({ name, list }) => {
    const items = list.map(
      ({ method, path }) =>
        `<li><a href="#${endpointId(method, path)}"><span class="${method} mono">${method.toUpperCase()}</span> ${escapeHtml(path)}</a></li>`,
    );
    return `<h3>${escapeHtml(name)}</h3><ul>${items.join('')}</ul>`;
  });
  const sections = groups.map(
    ({ name, description, list }) =>
      `<h2 id="tag-${anchor(name)}">${escapeHtml(name)}</h2><p class="soft">${escapeHtml(description)}</p>${list.map((e) => endpoint(e.method, e.path, e.doc, api.components.schemas)).join('\n')}`,
  );
  // Bodies are shown with their endpoints.
  const bodies = new Set(all.map(({ doc }) => bodyName(doc)));
  const answers = Object.entries(api.components.schemas).filter(([name]) => !bodies.has(name));
  const objects = answers.map(
    ([name, schema]) =>
      `<section class="endpoint" id="${objectId(name)}"><h3>${escapeHtml(name)}</h3>${fieldTable(name === 'Error' ? withoutCodes(schema) : schema)}</section>`,
  );
  const stream = Object.entries(api['x-stream-data']).map(
    ([type, schema]) =>
      `<section class="endpoint" id="stream-${anchor(type)}"><h3>${escapeHtml(type)}</h3>${fieldTable(schema)}</section>`,
  );
  const codes = api['x-error-codes'].map(
    ({ code, status, text }) =>
      `<tr><td><code>${escapeHtml(code)}</code></td><td>${status}</td><td>${escapeHtml(text)}</td></tr>`,
  );
  const placeholders = table(
    Object.entries(api['x-placeholders']).map(([name, text]) =>
      row(`{${name}}`, { type: 'string' }, true, text),
    ),
  );
  const body = `<div class="layout">
<nav>
<h3>Guide</h3><ul><li><a href="#signing">Signing a write</a></li><li><a href="#placeholders">Values in braces</a></li><li><a href="#errors">Error codes</a></li><li><a href="#stream">Stream</a></li><li><a href="#objects">Objects</a></li>
<li><a href="/openapi.json">openapi.json</a></li><li><a href="/">Status page</a></li></ul>
${links.join('')}</nav>
<main>
<h1>${escapeHtml(api.info.title)}</h1>
<p class="soft">Version ${escapeHtml(api.info.version)}</p>
<p>${escapeHtml(api.info.description)}</p>
${SIGNING}
<h2 id="placeholders">Values in braces</h2>
<p>An optional member may also be null. A value in braces in an example is a placeholder; everything else can be sent unchanged.</p>
${placeholders}
${sections.join('\n')}
<h2 id="errors">Error codes</h2>
<p>Every error is <a href="#${objectId('Error')}">one object</a>; rely on its code, not on its text.</p>
<div class="scroll"><table><tr><th>Code</th><th>Status</th><th>Text</th></tr>${codes.join('')}</table></div>
<h2 id="stream">Stream</h2>
<p>The members of <code>data</code> in the messages of <code>/v1/ws</code>, by type. Event detail and list use the same types.</p>
${stream.join('\n')}
<h2 id="objects">Objects</h2>
${objects.join('\n')}
</main></div>`;
  return htmlPage(`${api.info.title}: API`, CSS, body);
}

/** Leaves out the list of codes, which has its own table. */
function withoutCodes(schema: Schema): Schema {
  const properties = { ...(schema.properties as Record<string, Schema>) };
  properties.code = { ...properties.code, enum: undefined };
  return { ...schema, properties };
}
