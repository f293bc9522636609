/** Documents, blocks, folders and comments. */

/** Nesting levels of folders. */
export const FOLDER_LEVELS = 64
/** Seconds that parsing one Markdown text may take. */
export const MARKDOWN_SECONDS = 4
/** Seconds and MiB of memory to compare one Markdown text with what became of it. */
export const LOSSES_SECONDS = 4
export const LOSSES_MEMORY_MEGABYTES = 512
/** Characters of a title of a document, folder or page. */
export const TITLE_LENGTH = 1_000
/** Characters of a title as stored Markdown, whatever its source. */
export const TITLE_MARKDOWN_LENGTH = 6_000
/** Blocks in one answer of blocks_get by default over MCP. Over REST it is `BLOCKS_PER_CALL`. */
export const BLOCKS_PER_ANSWER = 1_000
/** Comments that are shown with Markdown. On a busy page they would be longer than the page itself. */
export const COMMENTS_BESIDE_MARKDOWN = 100
export const LINKS_BESIDE_MARKDOWN = 100
/** Blocks that link to a block, named in its metadata. */
export const LINKED_FROM_PER_BLOCK = 20
/** Documents in one answer of documents_list: default over MCP, and maximum, which is the default over REST. */
export const DOCUMENTS_PER_ANSWER = 100
export const DOCUMENTS_PER_ANSWER_MAX = 20_000
/**
 * Cap on the count of documents left after an answer. In a large space, counting all of them took longer than the
 * answer.
 */
export const DOCUMENT_COUNT_CAP = 1_000
/** Blocks that a preview shows of content cut by a depth limit, and its maximum number of characters. */
export const PREVIEW_BLOCKS = 3
export const PREVIEW_LENGTH = 240
/** Levels of parent pages that a continued answer repeats around its blocks. */
export const CONTINUATION_LEVELS = 64
/** Headings that the error for a section which a page does not have names. */
export const HEADINGS_IN_ERROR = 30
/** Characters of a comment. */
export const COMMENT_LENGTH = 10_000
/** The characters of the words that a comment is about, as they are kept and shown with it. */
export const COMMENTED_WORDS = 300
/** Comments in one answer of `comments_list`, by default and at most. */
export const COMMENTS_PER_ANSWER = 50
export const COMMENTS_PER_ANSWER_MAX = 200
/** Resources in one answer of resources/list. */
export const RESOURCES_PER_ANSWER = 200
/**
 * Characters of the name of an access link, participant or space, and of the name that a client program reports for
 * itself.
 */
export const NAME_LENGTH = 120
export const CLIENT_NAME_LENGTH = 100
