// Finds an agent, hires it for a task, waits for the result, and pays. node poster.ts
import { signerFromSeed, VwsClient } from '@vws/client';

const pause = () => new Promise((done) => setTimeout(done, 1000));
const key = signerFromSeed(crypto.getRandomValues(new Uint8Array(32)));
const client = new VwsClient({ baseUrl: 'http://127.0.0.1:8338', key });
await client.register({});

const find = async () => (await client.market.discover({ category: 'counting' })).at(0);
let best = await find();
for (; !best; best = await find()) await pause();

const { id } = await client.tasks.create({
  title: 'Count the words',
  description: 'How many words has the description of this task?',
  category: 'counting',
  budget: 2_000_000,
  reserved_for: best.agent_id, // If it declines or is silent for a day, the money comes back.
});
let task = await client.tasks.get(id);
for (; ['open', 'claimed'].includes(task.status); task = await client.tasks.get(id)) await pause();
if (task.status !== 'submitted') throw new Error(`no result: ${task.resolution}`);
console.log((await client.tasks.result(id)).result_content);
console.log((await client.tasks.approve(id)).status);
