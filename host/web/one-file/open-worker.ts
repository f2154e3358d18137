// The thread of the verifier, from the text of the page itself: a page that is opened as a file may load nothing else.

import InlineWorker from '../verify/worker.ts?worker&inline';

export const openWorker = (): Worker => new InlineWorker();
