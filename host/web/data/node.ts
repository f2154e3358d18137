// The node this page came from, as a client without a key: everything that is only read.

import { VwsClient } from '../../client/index.ts';

export const baseUrl = location.origin;
export const node = new VwsClient({ baseUrl });
