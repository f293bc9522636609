/** One call: what it may name, write and take. */

/** Blocks that one call may write. A call with more than a minute's block budget could never succeed. */
export const BLOCKS_PER_CALL = 20_000
/** Nesting levels of blocks in one call. */
export const NESTING_PER_CALL = 64
/** Passages that one call may replace in a page. */
export const REPLACEMENTS_PER_CALL = 100
/** Characters of all passages that they put in: the page is read while other writes wait. */
export const REPLACEMENT_LENGTH = 200_000
/** Steps of one batch. */
export const STEPS_PER_BATCH = 50
/** Bytes of one call's arguments. */
export const CALL_BYTES = 5 * 1024 * 1024
/** Errors that one call reports. */
export const MAX_FIELD_ERRORS = 100
/** Characters of an ID as it is sent, which may be an address. */
export const ID_TEXT_LENGTH = 2_000
/** Documents, folders or IDs in one call, rows of a table that one block changes, and cells of such a row. */
export const ITEMS_PER_CALL = 1_000
/** Characters of a cursor. */
export const CURSOR_LENGTH = 256
/** Characters of an idempotency key, and seconds for which the response to its call is stored. */
export const IDEMPOTENCY_KEY_LENGTH = 255
export const IDEMPOTENCY_KEY_SECONDS = 24 * 3600
/**
 * Values in the JSON of a body. Each counts at least four bytes of a call, so a call with more would be rejected in any
 * case.
 */
export const MAX_JSON_VALUES = 1_500_000
/** Nesting levels of objects and arrays in a body, fields of one object, and characters of a field name. */
export const MAX_JSON_LEVELS = 10_000
export const FIELDS_PER_OBJECT = 10_000
export const FIELD_NAME_LENGTH = 16_384
