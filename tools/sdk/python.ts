// The generated part of the Python SDK (sdk/python): models, errors, events and methods, from the API description.
// Keeps: everything that a table of this project says is written here and nowhere by hand, so the SDK cannot differ.

import type { OpenApi } from '../../host/api/openapi.ts';
import { errorsFile, modelsFile, streamFile } from './python-models.ts';
import { resourcesFile } from './python-resources.ts';

export const PYTHON_FOLDER = 'sdk/python/src/vws';

/** Text by file name. */
export function pythonFiles(api: OpenApi): Record<string, string> {
  return {
    'models.py': modelsFile(api),
    'errors.py': errorsFile(api),
    'stream_events.py': streamFile(api),
    '_resources.py': resourcesFile(api, false),
    '_async_resources.py': resourcesFile(api, true),
  };
}
