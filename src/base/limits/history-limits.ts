/** History: how long it is kept, undo, and differences. */

/** Calls that are taken back at once, and entries of history that they have together. */
export const UNDO_CALLS = 1_000
export const UNDO_CHANGES = 200_000
/** Changes of a document since a block in it was read, after which the block counts as changed. */
export const REVISIONS_BACK = 10_000
/** Bytes of history in one space, and seconds for which it is kept by default. */
export const HISTORY_BYTES = 256 * 1024 * 1024
export const HISTORY_SECONDS = 30 * 24 * 60 * 60
/** Calls in one answer of history_list. */
export const CALLS_PER_ANSWER = 20
export const CALLS_PER_ANSWER_MAX = 200
/**
 * Rows that the calls of one answer of history_list or GET /changes changed together; an answer ends early at more. Of one
 * call that changed more, this many are counted and named. That is a little more than a tool may write in one call.
 */
export const CHANGED_ROWS_PER_ANSWER = 25_000
/** Documents whose texts one answer compares. Of further ones, each changed block is shown by itself. */
export const DIFF_DOCUMENTS = 10
/** Lines and characters of one part of a difference. A longer one is read part by part. */
export const DIFF_LINES = 2_000
export const DIFF_PART_LENGTH = 200_000
/**
 * Blocks and characters of the documents that one answer compares, before and after together. They are read in a
 * transaction for which other writes wait.
 */
export const DIFF_BLOCKS = 100_000
export const DIFF_LENGTH = 20_000_000
/** Characters of details that are shown of one difference. */
export const DETAILS_LENGTH = 10_000_000
/**
 * Pairs of lines and of words that one request compares. Beyond them, lines are shown whole. The seconds are a second
 * limit, for a machine that needs longer for so many pairs.
 */
export const DIFF_PAIRS = 2_000_000
export const DIFF_SECONDS = 1
