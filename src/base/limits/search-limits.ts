/** Search by words and by patterns. */

/** Seconds that one scan may take. */
export const PATTERN_SECONDS = 5
/** Documents in one search answer. Source: the interface, Limits. */
export const DOCUMENTS_PER_SEARCH = 20
/** Documents in one answer of a search by default where it is Markdown, which models read. */
export const DOCUMENTS_PER_SEARCH_IN_MARKDOWN = 8
/** Entries of `include` and of `regexps` in one search, and characters of an entry. */
export const TERMS_PER_SEARCH = 20
export const TERM_LENGTH = 1_000
/** IDs of matching blocks listed per document. */
export const BLOCKS_PER_DOCUMENT_MATCH = 8
/** Seconds that a search by patterns may work, including reading the texts, before it answers with a cursor. */
export const SEARCH_SECONDS = 10
/**
 * Matches in one answer of blocks_search: default and maximum. Also the maximum number of context blocks around each.
 */
export const MATCHES_PER_ANSWER = 50
export const MATCHES_PER_ANSWER_MAX = 500
export const MAX_CONTEXT_BLOCKS = 100
/** Characters of a tag, and tags by which a list or search is filtered. */
export const TAG_LENGTH = 100
export const TAGS_PER_FILTER = 20
/** Tags on one page of the list of tags. */
export const TAGS_PER_PAGE = 500
