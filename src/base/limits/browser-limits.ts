/** The pages for people: browsers, open documents, and what is rendered for them. */

/** Seconds for which a page that was open counts as open, and how many documents and pages of each are remembered. */
export const PRESENCE_SECONDS = 45
export const MAX_OPEN_DOCUMENTS = 1_000
export const OPEN_PAGES_PER_DOCUMENT = 50
/** Seconds for which a browser may read the pages before it has to be let in again, and for which `open` may be used. */
export const VIEW_SECONDS = 30 * 86_400
export const ENTRY_SECONDS = 10 * 60
/** Seconds for signing in to the pages at an identity provider, and for choosing between two links to a space. */
export const LOGIN_SECONDS = 10 * 60
/** Characters of a query on pages. */
export const PAGE_QUERY_LENGTH = 400
/** Characters that another app may share to the pages at once. Its address has no room for more. */
export const SHARED_LENGTH = 10_000
/**
 * Characters of a formula that is rendered, macros that it expands, tokens that macros and arguments put back into it,
 * and characters of its MathML.
 */
export const FORMULA_LENGTH = 4_000
export const FORMULA_EXPANSIONS = 500
export const FORMULA_TOKENS = 50_000
export const FORMULA_OUTPUT_LENGTH = 200_000
/** Characters and tokens of all formulas of a page, characters of their MathML, and seconds for one part of a page. */
export const FORMULAS_TOKENS = 500_000
export const FORMULAS_OUTPUT_LENGTH = 2_000_000
export const FORMULA_SECONDS = 4
/**
 * Characters of a block of code that is highlighted, of all code in one part of a page, and of its HTML; and seconds for
 * that.
 */
export const CODE_LENGTH = 20_000
export const CODES_LENGTH = 200_000
export const CODES_OUTPUT_LENGTH = 2_000_000
export const CODE_SECONDS = 0.5
/** Characters of HTML that is pasted, and its elements. Beyond them, its plain text is pasted. */
export const PASTED_HTML_LENGTH = 2_000_000
export const PASTED_ELEMENTS = 100_000
/** Characters of text that is pasted, of which a call has room for the Markdown. */
export const PASTED_TEXT_LENGTH = 2_000_000
/** Files that people sent to the pages and have not imported yet, of all spaces of a server, and seconds for which one waits. */
export const HELD_UPLOADS = 4
export const HELD_UPLOAD_SECONDS = 1_800
/** Pages that the navigation shows directly below a document or page. */
export const NESTED_PAGES = 100
