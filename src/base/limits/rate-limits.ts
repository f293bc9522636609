/** How often a space may be used, and from where. */

/**
 * Requests to a space, and blocks read or written in it, per window. Counted over all access links, connections and
 * processes.
 */
export const REQUESTS_PER_WINDOW = 100
export const BLOCKS_PER_WINDOW = 20_000
/** Seconds of a space's window. It starts with the first request. */
export const SPACE_WINDOW_SECONDS = 60
/**
 * Requests from one public address per window. Counted over all spaces and access links of one server process, or of all
 * processes that serve a database.
 */
export const REQUESTS_PER_ADDRESS = 50
/** Seconds of an address's window, and the number of addresses whose windows a process tracks. */
export const ADDRESS_WINDOW_SECONDS = 10
export const MAX_TRACKED_ADDRESSES = 100_000
/**
 * The pages for people have limits of their own, so that looking takes nothing from agents: requests from one address per
 * {@link ADDRESS_WINDOW_SECONDS}, and calls and blocks of one link per {@link SPACE_WINDOW_SECONDS}. Styles and scripts are
 * not counted: a page needs dozens of them, and everybody in an office may have the same address.
 */
export const PAGE_REQUESTS_PER_ADDRESS = 300
export const PAGE_CALLS_PER_WINDOW = 6_000
export const PAGE_BLOCKS_PER_WINDOW = 1_000_000
/** Links whose use of the pages is counted at the same time. */
export const MAX_PAGE_LINKS = 10_000
