// How the fields of a document become one text: between them stands a character that no request may hold
// (protocol 1.2), so no query matches across fields.

export const FIELD_END = '\u0000';

export const joinFields = (fields: readonly string[]): string => fields.join(FIELD_END);
