// vws events: follows the stream of a node (protocol 9).

import { followEvents, type StreamMessage } from '../../client/node.ts';
import type { StreamType } from '../../client/stream-types.ts';
import { loadClientSettings } from '../../config/config.ts';
import { EVENT_TYPES } from '../../store/event-types.ts';
import { type Command, isSwitchOn, optionTexts } from '../command.ts';
import { integerOption, JSON_OPTION } from '../connection.ts';
import { EXIT, UsageError } from '../exit-code.ts';
import { formatTime, jsonText, plainText, shortText } from '../output.ts';

/** Without a signal a stream that cannot be had would be waited for, for ever and in silence. */
const MAX_FAILURES = 5;
const MAX_VALUE_CHARS = 60;

/** One event as a line: number, time, type, author, then its members. */
function lineOf({ seq, timestamp, type, data }: StreamMessage): string {
  const members = Object.entries(data).filter(([name]) => name !== 'agent_id' && name !== 'event_id');
  const author = 'agent_id' in data ? data.agent_id : '-';
  const rest = members.map(([name, value]) => `${name}=${shortText(textOf(value), MAX_VALUE_CHARS)}`);
  return plainText([String(seq), formatTime(timestamp), type, author, ...rest].join('  '));
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function typesOf(values: readonly string[]): StreamType[] | undefined {
  const types = values.flatMap((value) => value.split(','));
  const unknown = types.find((type) => !(EVENT_TYPES as readonly string[]).includes(type));
  if (unknown !== undefined) throw new UsageError(`--type: no event type "${unknown}"`, 'events');
  return types.length === 0 ? undefined : (types as StreamType[]);
}

export const events: Command = {
  name: 'events',
  summary: 'follow what happens on the network, event by event',
  about: `Prints every event of the network as it happens, until Ctrl-C; over lost connections it goes on where it
was. With --since it begins after that number, 0 being the first event. With --json each line is one object.`,
  options: [
    { name: 'type', value: 'type', help: 'only events of these types', isRepeatable: true },
    { name: 'since', value: 'n', help: 'begin after this number; 0: from the first event on' },
    { name: 'limit', value: 'n', help: 'end after this many' },
    JSON_OPTION,
  ],
  settings: 'client',
  examples: [
    'vws events',
    'vws events --type task_posted --type task_settled',
    'vws events --since 0 --json',
  ],
  async run(context) {
    const { io } = context;
    const stop = new AbortController();
    io.onStopSignal(() => stop.abort());
    io.onReaderGone(() => stop.abort());
    const limit = integerOption(context, 'limit', 1) ?? Number.POSITIVE_INFINITY;
    const since = integerOption(context, 'since');
    const types = typesOf(optionTexts(context, 'type'));
    let count = 0;
    for await (const message of followEvents({
      baseUrl: loadClientSettings(context).nodeUrl,
      signal: stop.signal,
      retries: MAX_FAILURES,
      ...(since === undefined ? {} : { since }),
      ...(types === undefined ? {} : { types }),
    })) {
      io.out(isSwitchOn(context, 'json') ? jsonText(message) : lineOf(message));
      count += 1;
      if (count >= limit) break;
    }
    return EXIT.DONE;
  },
};
