// Proofs of two histories that this browser has met. They stay until somebody deletes them: whoever made two histories
// would like them to be forgotten.

const DATABASE = 'vws-proofs';
const ROWS = 'proofs';

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

async function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(ROWS);
  return done(request);
}

/** Without IndexedDB the proof is only shown. */
export async function keepProof(proof: object): Promise<void> {
  try {
    const database = await open();
    const text = JSON.stringify(proof);
    await done(database.transaction(ROWS, 'readwrite').objectStore(ROWS).put(text, text.slice(0, 200)));
    database.close();
  } catch {
    // The verdict carries the proof as well.
  }
}

/** All of them, as texts. */
export async function keptProofs(): Promise<readonly string[]> {
  try {
    const database = await open();
    const all = await done(database.transaction(ROWS, 'readonly').objectStore(ROWS).getAll());
    database.close();
    return all.filter((one) => typeof one === 'string');
  } catch {
    return [];
  }
}
