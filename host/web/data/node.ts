// The node that serves this page, as a client without a key: for reads only.

import { VwsClient } from '../../client/index.ts';

export const baseUrl = location.origin;
export const node = new VwsClient({ baseUrl });
