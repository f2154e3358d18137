import { run } from './growth.ts';
import { tableText } from './report.ts';
console.log(tableText(await run({ small: process.argv[2] !== 'full', say: console.log })));
