import { it } from 'vitest';
import { planOf } from './plan.ts';
import { runPlan } from './run.ts';

it('seeds', async () => {
  const from = Number(process.env.FROM ?? 1),
    count = Number(process.env.COUNT ?? 5);
  for (let seed = from; seed < from + count; seed++) {
    const t = performance.now();
    const c0 = process.cpuUsage().user;
    const plan = planOf(seed);
    const o = await runPlan(
      plan,
      process.env.VWS_LOG
        ? {
            onLog: (l) =>
              console.log(
                Math.round(l.atMs - 1_800_000_000_000),
                l.machine,
                l.level,
                l.text,
                JSON.stringify(l.fields).slice(0, 300),
              ),
          }
        : {},
    );
    console.log(
      seed,
      plan.seats,
      JSON.stringify(plan.deviants),
      plan.faults.map((f) => `${f.kind}@${f.on}`).join(' '),
      '\n   ->',
      o.fault,
      'sim',
      Math.round(o.ms / 1000),
      'healed',
      Math.round(o.healedInMs),
      'steps',
      o.steps,
      'blocks',
      o.blocks,
      'events',
      o.events,
      'epochs',
      o.epochs,
      'wall',
      Math.round(performance.now() - t),
      'cpu',
      Math.round((process.cpuUsage().user - c0) / 1000),
    );
    if (process.env.VWS_DONE) console.log(JSON.stringify([...o.done]));
  }
}, 600_000);
