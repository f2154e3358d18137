// What a machine shows at its API, read without a client's delays.

import type { SimNetwork } from './network.ts';

/** Order and epoch that a machine shows; zeros when it does not answer. */
export async function headOf(net: SimNetwork, name: string): Promise<{ order: number; epoch: number }> {
  const metrics = await textOf(net, name, '/metrics');
  const figure = (metric: string): number =>
    Number(new RegExp(`^${metric}(?:\\{[^}]*\\})? (\\S+)$`, 'm').exec(metrics)?.[1] ?? 0);
  return { order: figure('vws_last_order'), epoch: figure('vws_epoch') };
}

/** Body of a GET, empty when nobody answers. */
export async function textOf(net: SimNetwork, name: string, path: string): Promise<string> {
  try {
    const { body } = await net.until(net.machine(name).request({ method: 'GET', path }), 5000);
    return typeof body === 'string' ? body : new TextDecoder().decode(body);
  } catch {
    return '';
  }
}

export const jsonOf = async <T>(net: SimNetwork, name: string, path: string): Promise<T | undefined> => {
  const text = await textOf(net, name, path);
  return text === '' ? undefined : (JSON.parse(text) as T);
};
