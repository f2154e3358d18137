// The programs of the page /docs, taken from the page as a reader copies them.

import { SNIPPET_NODE, type SNIPPETS } from '../../host/api/docs-programs.ts';
import { get } from './agent.ts';

const CHARS: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const plain = (html: string): string =>
  html.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => CHARS[name]!);

/** The program of a language, for the node of this port. */
export async function snippetOf(port: number, language: keyof typeof SNIPPETS): Promise<string> {
  const { body } = await get(port, '/docs');
  const section = (body as string).split(`<summary>${language}</summary>`)[1]!;
  const text = /<pre class="copy"><code>([\s\S]*?)<\/code>/.exec(section)![1]!;
  return plain(text).replace(SNIPPET_NODE, `http://127.0.0.1:${port}`);
}
