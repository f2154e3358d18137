// A model by script behind the interfaces of OpenAI (Chat Completions, Responses) and Anthropic (Messages): it looks for a task,
// claims it, does it and says so. What it does next follows from the answers of tools that a request carries, so it keeps nothing.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Json = Record<string, unknown>;

/** What the model says next: one call of a tool, or its last words. */
export type Turn = { tool: string; args: Json } | { text: string };
/** The turn after these answers of tools, in their order. */
export type Script = (answers: readonly string[]) => Turn;

const ID = /[0-9a-f]{32}/;

/** Finds the newest open task of a category, claims it and delivers `result`. */
export const worker =
  (category: string, result: string): Script =>
  (answers) => {
    const taskId = answers[1]?.match(ID)?.[0] ?? 'none';
    const turns: Turn[] = [
      { tool: 'register', args: {} },
      { tool: 'find_tasks', args: { category } },
      { tool: 'claim_task', args: { task_id: taskId } },
      { tool: 'submit_result', args: { task_id: taskId, content: result } },
    ];
    return turns[answers.length] ?? { text: `Delivered task ${taskId}. ${answers.at(-1)}` };
  };

interface Ask {
  model: string;
  stream: boolean;
  /** Names of the tools on offer, with whatever a framework puts before them. */
  tools: string[];
  answers: string[];
}

const listOf = (value: unknown): Json[] => (Array.isArray(value) ? (value as Json[]) : []);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
const nameOf = (tool: Json): string => String(tool.name ?? (tool.function as Json | undefined)?.name ?? '');

function askOf(body: Json): Ask {
  const chat = listOf(body.messages).filter(({ role }) => role === 'tool');
  const responses = listOf(body.input).filter(({ type }) => type === 'function_call_output');
  const blocks = listOf(body.messages).flatMap(({ content }) => listOf(content));
  const messages = blocks.filter(({ type }) => type === 'tool_result');
  return {
    model: String(body.model),
    stream: body.stream === true,
    tools: listOf(body.tools).map(nameOf),
    answers: [
      ...[...chat, ...messages].map(({ content }) => textOf(content)),
      ...responses.map(({ output }) => textOf(output)),
    ],
  };
}

const USAGE = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };

function chatAnswer(turn: Turn, ask: Ask, id: string): Json {
  const called = 'tool' in turn && {
    tool_calls: [
      { id, type: 'function', function: { name: turn.tool, arguments: JSON.stringify(turn.args) } },
    ],
  };
  const message = { role: 'assistant', content: 'text' in turn ? turn.text : null, ...called };
  const choice = { index: 0, message, finish_reason: called ? 'tool_calls' : 'stop' };
  return {
    id: `c-${id}`,
    object: 'chat.completion',
    created: 1,
    model: ask.model,
    choices: [choice],
    usage: USAGE,
  };
}

function responsesAnswer(turn: Turn, ask: Ask, id: string): Json {
  const output =
    'tool' in turn
      ? {
          type: 'function_call',
          id: `f-${id}`,
          call_id: id,
          name: turn.tool,
          arguments: JSON.stringify(turn.args),
        }
      : {
          type: 'message',
          id: `m-${id}`,
          role: 'assistant',
          content: [{ type: 'output_text', text: turn.text, annotations: [] }],
        };
  const details = {
    input_tokens_details: { cached_tokens: 0 },
    output_tokens_details: { reasoning_tokens: 0 },
  };
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2, ...details };
  return {
    ...{
      id: `r-${id}`,
      object: 'response',
      created_at: 1,
      status: 'completed',
      model: ask.model,
      error: null,
    },
    ...{ output: [{ ...output, status: 'completed' }], usage, incomplete_details: null, instructions: null },
    ...{ parallel_tool_calls: false, tool_choice: 'auto', tools: [], temperature: 1, top_p: 1, metadata: {} },
  };
}

function messagesAnswer(turn: Turn, ask: Ask, id: string): Json {
  const block =
    'tool' in turn
      ? { type: 'tool_use', id: `toolu_${id}`, name: turn.tool, input: turn.args }
      : { type: 'text', text: turn.text };
  return {
    ...{ id: `msg_${id}`, type: 'message', role: 'assistant', model: ask.model, content: [block] },
    ...{ stop_reason: 'tool' in turn ? 'tool_use' : 'end_turn', stop_sequence: null },
    usage: { input_tokens: 1, output_tokens: 1 },
  };
}

/** The events of a streamed message. */
function messageEvents(message: Json): Json[] {
  const [block] = message.content as [Json];
  const isTool = block.type === 'tool_use';
  const start = isTool ? { ...block, input: {} } : { ...block, text: '' };
  const delta = isTool
    ? { type: 'input_json_delta', partial_json: JSON.stringify(block.input) }
    : { type: 'text_delta', text: block.text };
  const { stop_reason, stop_sequence, usage } = message;
  return [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
    { type: 'content_block_start', index: 0, content_block: start },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason, stop_sequence }, usage },
    { type: 'message_stop' },
  ];
}

const ANSWERS: Readonly<Record<string, (turn: Turn, ask: Ask, id: string) => Json>> = {
  '/v1/chat/completions': chatAnswer,
  '/v1/responses': responsesAnswer,
  '/v1/messages': messagesAnswer,
};

async function bodyOf(request: IncomingMessage): Promise<Json> {
  let text = '';
  for await (const part of request) text += part;
  return text === '' ? {} : (JSON.parse(text) as Json);
}

export class ScriptedModel {
  #server: Server | undefined;
  #turns = 0;
  /** What was asked for in vain. */
  readonly unknown: string[] = [];

  constructor(private readonly script: Script) {}

  async start(): Promise<string> {
    this.#server = createServer((request, response) => void this.#answer(request, response));
    await new Promise<void>((done) => this.#server!.listen(0, '127.0.0.1', done));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((done) => (this.#server ? this.#server.close(done) : done(undefined)));
  }

  /** The next turn in the words of the framework: its own name of the tool. Without tools there is nothing to do. */
  #turnFor({ tools, answers }: Ask): Turn {
    if (tools.length === 0) return { text: 'Work' };
    const turn = this.script(answers);
    if (!('tool' in turn)) return turn;
    const { tool, args } = turn;
    const found = tools.find((name) => name.endsWith(tool));
    if (!found) this.unknown.push(`${tool} among ${tools}`);
    return { tool: found ?? tool, args };
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url!.split('?')[0]!;
    const body = await bodyOf(request);
    const form = ANSWERS[path];
    if (!form) {
      this.unknown.push(`${request.method} ${path}`);
      response
        .writeHead(404, { 'Content-Type': 'application/json' })
        .end('{"error":{"message":"not found"}}');
      return;
    }
    const ask = askOf(body);
    const answer = form(this.#turnFor(ask), ask, String(++this.#turns).padStart(4, '0'));
    if (ask.stream && path === '/v1/messages') {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      for (const event of messageEvents(answer))
        response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
      response.end();
      return;
    }
    if (ask.stream) this.unknown.push(`${path} as a stream`);
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer));
  }
}
