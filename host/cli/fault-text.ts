// What an error of the operating system means, as a sentence for the person who typed the command.
// Keeps: a code that is not in the table is shown with the system's own words, never hidden.

const SENTENCES: Readonly<Record<string, string>> = {
  EACCES: 'permission denied; this user may not open it',
  EADDRINUSE: 'the address is in use by another process; stop it, or choose another port',
  EADDRNOTAVAIL: 'this machine has no such address',
  EBUSY: 'it is in use',
  EDQUOT: 'the disk quota is used up',
  EEXIST: 'there is already a file of that name',
  EFBIG: 'the file would be larger than the file system allows',
  EIO: 'the disk reports an error; look at the system log',
  EISDIR: 'it is a directory, not a file',
  ELOOP: 'too many symbolic links',
  EMFILE: 'too many open files; raise the limit (LimitNOFILE, ulimit -n)',
  ENAMETOOLONG: 'the name is too long',
  ENFILE: 'the system has too many open files',
  ENOENT: 'it does not exist',
  ENOSPC: 'the disk is full; make room and start again',
  ENOTDIR: 'a part of the path is a file, not a directory',
  ENOTEMPTY: 'the directory is not empty',
  EPERM: 'the operation is not permitted to this user',
  EROFS: 'the file system is mounted read-only',
};

interface SystemFault {
  code: string;
  path?: string;
  address?: string;
  port?: number;
}

const isSystemFault = (error: unknown): error is Error & SystemFault =>
  error instanceof Error && 'syscall' in error && typeof (error as Partial<SystemFault>).code === 'string';

/** What went wrong, without the name of what: the caller has named it. */
export function reasonOf(error: unknown): string {
  if (isSystemFault(error) && Object.hasOwn(SENTENCES, error.code)) return SENTENCES[error.code] as string;
  return error instanceof Error ? error.message : String(error);
}

/** The whole line for an error that nobody on the way has named. */
export function faultText(error: unknown): string {
  if (!isSystemFault(error) || !Object.hasOwn(SENTENCES, error.code)) return reasonOf(error);
  const port = error.port === undefined ? '' : `:${error.port}`;
  const subject = error.path ?? (error.address === undefined ? undefined : `${error.address}${port}`);
  return subject === undefined ? reasonOf(error) : `${subject}: ${reasonOf(error)}`;
}
