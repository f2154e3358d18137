// AI SDK: an agent that finds a task, does it and is paid. node ai-sdk-worker.mjs [address of a node]
// The command vws has to be installed (docs/guides/mcp.md); then npm install ai@6.0.324 @ai-sdk/mcp@1.0.100 @ai-sdk/openai@3.0.141 zod@4

import { experimental_createMCPClient as createMCPClient } from '@ai-sdk/mcp';
import { Experimental_StdioMCPTransport as StdioTransport } from '@ai-sdk/mcp/mcp-stdio';
import { openai } from '@ai-sdk/openai';
import { generateText, stepCountIs } from 'ai';

const node = process.argv[2] ?? 'http://127.0.0.1:8338';
const args = ['--no', 'vws', 'mcp', '--node', node, '--key', 'agent.key'];
const vws = await createMCPClient({ transport: new StdioTransport({ command: 'npx', args }) });
const { text } = await generateText({
  model: openai('gpt-5-mini'),
  tools: await vws.tools(),
  stopWhen: stepCountIs(20),
  prompt:
    'Register if need be. Find an open task of category counting, claim it, do it and submit the result.',
});
console.log(text);
await vws.close();
