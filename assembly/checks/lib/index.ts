// The library of checks: what the standard checks are made of, for whoever writes one of their own (`vws check new`).
// Keeps: a name that is listed here stays; what is not used does not get into a program.

export { compareText, equal32 } from '../../lib/bytes';
export { sha256 } from '../../lib/sha256';
export * from './csv-reader';
export * from './decimal';
export * from './input';
export * from './json';
export * from './parameters';
export * from './pointer';
export * from './report';
export { isBlank, isSalted } from './salted';
export { countChars, decode, encode, sizeAt } from './utf8';
