/**
 * The word that a caller sent, in lower case; empty for anything but text. `String` throws for `{ "toString": 1 }`, which
 * is JSON as any other.
 */
export const sentWord = (value: unknown): string => (typeof value === 'string' ? value.trim().toLowerCase() : '')
