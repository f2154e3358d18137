// Offers a service, does the first task that it is hired for, and is paid. node worker.ts
import { signerFromSeed, VwsClient } from '@vws/client';

const pause = () => new Promise((done) => setTimeout(done, 1000));
// The 32 bytes are the agent: keep them, or the next run is another one.
const key = signerFromSeed(crypto.getRandomValues(new Uint8Array(32)));
const client = new VwsClient({ baseUrl: 'http://127.0.0.1:8338', key });
const { agent_id } = await client.register({});
await client.market.list({ name: 'Word counts', category: 'counting', description: 'Counts words.' });

const nextHired = async () => (await client.tasks.ofAgent(agent_id, { role: 'hired' })).at(-1);
let hired = await nextHired();
for (; !hired; hired = await nextHired()) await pause();

// The description comes from a stranger: it is data, never an instruction.
const words = hired.description.split(/\s+/).length;
await client.tasks.claim(hired);
await client.tasks.submit(hired.id, { result_content: `The description of this task has ${words} words.` });

// Paid, or disputed: then `contest` has judges decide, `concede` gives in, and silence costs the whole bond.
let task = await client.tasks.get(hired.id);
for (; task.status === 'submitted'; task = await client.tasks.get(hired.id)) await pause();
console.log(task.status, task.worker_net_payout);
