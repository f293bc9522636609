/** All limits, those of the interface's Limits section and Scriptorium's own, each with its unit and scope. */

/**
 * Requests to a space, and blocks read or written in it, per window. Counted over all access links, connections and
 * processes.
 */
export const REQUESTS_PER_WINDOW = 100
export const BLOCKS_PER_WINDOW = 20_000
/** Seconds of a space's window. It starts with the first request. */
export const SPACE_WINDOW_SECONDS = 60
/** Connections of one process to a database of PostgreSQL, for all spaces in it. */
export const DATABASE_CONNECTIONS = 10
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
 * {@link ADDRESS_WINDOW_SECONDS}, and calls and blocks of one link per {@link SPACE_WINDOW_SECONDS}.
 */
export const PAGE_REQUESTS_PER_ADDRESS = 300
export const PAGE_CALLS_PER_WINDOW = 6_000
export const PAGE_BLOCKS_PER_WINDOW = 1_000_000
/** Links whose use of the pages is counted at the same time. */
export const MAX_PAGE_LINKS = 10_000
/** Seconds for which a page that was open counts as open, and how many documents and pages of each are remembered. */
export const PRESENCE_SECONDS = 45
export const MAX_OPEN_DOCUMENTS = 1_000
export const OPEN_PAGES_PER_DOCUMENT = 50
/** Seconds for which a browser may read the pages before it has to be let in again, and for which `open` may be used. */
export const VIEW_SECONDS = 30 * 86_400
export const ENTRY_SECONDS = 10 * 60
/** Seconds for signing in to the pages at an identity provider, and for choosing between two links to a space. */
export const LOGIN_SECONDS = 10 * 60
/** Sessions of one link that their clients ended and that are remembered one by one. One more ends the older half. */
export const ENDED_SESSIONS_PER_LINK = 1_000

/** Blocks that one call may write. A call with more than a minute's block budget could never succeed. */
export const BLOCKS_PER_CALL = 20_000
/** Passages that one call may replace in a page. */
export const REPLACEMENTS_PER_CALL = 100
/** Characters of all passages that they put in: the page is read while other writes wait. */
export const REPLACEMENT_LENGTH = 200_000
/** Nesting levels of blocks in one call. */
export const NESTING_PER_CALL = 64
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
/** Things in one answer of GET /changes: default and maximum; and IDs in each list of one call. */
export const CHANGES_PER_ANSWER = 50
export const CHANGES_PER_ANSWER_MAX = 200
export const IDS_PER_CHANGE = 100
/** Seconds for which GET /changes waits for something to answer, at most. */
export const CHANGES_WAIT_SECONDS = 25
/** Seconds after which a stream of changes shows that it is still there. */
export const STREAM_KEEP_ALIVE_SECONDS = 15
/** Webhooks of one space, characters of the address of one, and seconds that a receiver may take to answer. */
export const WEBHOOKS_PER_SPACE = 100
export const WEBHOOK_URL_LENGTH = 2_000
export const WEBHOOK_SECONDS = 15
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
/** Steps of one batch. */
export const STEPS_PER_BATCH = 50
/** What of one link may wait for approval: proposals, the blocks that they write, and the bytes of their files. */
export const WAITING_PROPOSALS = 50
export const WAITING_BLOCKS = 20_000
export const WAITING_FILE_BYTES = 100 * 1024 * 1024
/**
 * Characters of what one proposal would change, in words, and of the waiting proposals of one link together. A person
 * reads all of it before approving.
 */
export const PROPOSAL_LENGTH = 2_000_000
export const WAITING_LENGTH = 8_000_000
/** Bytes of the text files of one proposal whose text is shown with it. */
export const PROPOSED_TEXT_BYTES = 128 * 1024
/** Seconds for which a proposal waits, and for which it is listed once it is decided. */
export const PROPOSAL_SECONDS = 30 * 24 * 60 * 60
/** Proposals in one answer of proposals_list. */
export const PROPOSALS_PER_ANSWER = 20
export const PROPOSALS_PER_ANSWER_MAX = 200
/** Characters of what somebody who decides on a proposal says. */
export const PROPOSAL_NOTE_LENGTH = 1_000
/** Bytes of one call's arguments. */
export const CALL_BYTES = 5 * 1024 * 1024
/** Nesting levels of folders. */
export const FOLDER_LEVELS = 64
/** Seconds that parsing one Markdown text may take. */
export const MARKDOWN_SECONDS = 4
/** Seconds and MiB of memory to compare one Markdown text with what became of it. */
export const LOSSES_SECONDS = 4
export const LOSSES_MEMORY_MEGABYTES = 512
/** Errors that one call reports. */
export const MAX_FIELD_ERRORS = 100
/** Characters of an ID as it is sent, which may be an address. */
export const ID_TEXT_LENGTH = 2_000
/** Documents, folders or IDs in one call, rows of a table that one block changes, and cells of such a row. */
export const ITEMS_PER_CALL = 1_000
/** Characters of a title of a document, folder or page. */
export const TITLE_LENGTH = 1_000
/** Characters of a title as stored Markdown, whatever its source. */
export const TITLE_MARKDOWN_LENGTH = 6_000

/** Properties of one collection, including those created by relations of other collections. */
export const PROPERTIES_PER_COLLECTION = 20
/** Options of one select property. */
export const OPTIONS_PER_PROPERTY = 500
/** Tasks that one task waits for. */
export const BLOCKERS_PER_TASK = 100
/** Rows that a call claims, renews or frees at most. */
export const CLAIMED_ROWS = 100
/** How long a claim lasts by default, and at most. */
export const LEASE_SECONDS = 15 * 60
export const LEASE_SECONDS_MAX = 24 * 60 * 60
/** How long a change of another connection counts as recent for one that has not read what it changes. */
export const RECENT_CHANGE_SECONDS = 60
/** Items in one answer of items_list: default over MCP, and maximum, which is the default over REST. */
export const ITEMS_PER_ANSWER = 100
export const ITEMS_PER_ANSWER_MAX = 20_000
/** Collections in one answer of collections_list: default over MCP, and maximum, which is the default over REST. */
export const COLLECTIONS_PER_ANSWER = 100
export const COLLECTIONS_PER_ANSWER_MAX = 20_000

/** Blocks in one answer of blocks_get by default over MCP. Over REST it is {@link BLOCKS_PER_CALL}. */
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
/** The same for collections. */
export const COLLECTIONS_COUNTED = 1_000
/** Blocks that a preview shows of content cut by a depth limit, and its maximum number of characters. */
export const PREVIEW_BLOCKS = 3
export const PREVIEW_LENGTH = 240
/** Levels of parent pages that a continued answer repeats around its blocks. */
export const CONTINUATION_LEVELS = 64

/** Seconds for which a poll for events is held back. Clients give up after 60 by default. */
export const EVENT_POLL_SECONDS = 20

/** Seconds without another change after which a burst of changes is one event, and the most that can be asked for. */
export const QUIET_SECONDS = 30
export const QUIET_SECONDS_MAX = 600

/** Characters of a cursor. */
export const CURSOR_LENGTH = 256
/** Characters of a cursor of events, which holds the bursts that have not ended. */
export const EVENT_CURSOR_LENGTH = 1_024

/** Views of one collection. */
export const VIEWS_PER_COLLECTION = 100
/** Filters and sorts of one view or of one items query. Source: section 3 of the interface's shapes. */
export const FILTERS_PER_VIEW = 5
export const SORTS_PER_VIEW = 3
/** Characters of a currency, as in ISO 4217. */
export const CURRENCY_LENGTH = 3
/** Characters of a query on pages. */
export const PAGE_QUERY_LENGTH = 400
/** Characters of the text of a filter, and blocks that a filter may name. */
export const FILTER_TEXT_LENGTH = 1_000
export const FILTER_VALUES = 100
/** Groups in one answer of items_list. */
export const GROUPS_PER_ANSWER = 1_000

/** Tasks in one answer of tasks_list: default over MCP, and maximum, which is the default over REST. */
export const TASKS_PER_ANSWER = 100
export const TASKS_PER_ANSWER_MAX = 20_000
/**
 * Cap on the count of tasks left after an answer. In a long scope, counting all of them took longer than reading it.
 */
export const TASK_COUNT_CAP = 1_000
/** Reminders in one answer of reminders_list: default and maximum. Source: the interface, Limits. */
export const REMINDERS_PER_ANSWER = 50
export const REMINDERS_PER_ANSWER_MAX = 200
/** Due reminders announced in one answer. */
export const DUE_REMINDERS_PER_ANSWER = 20
/** Characters of a comment. */
export const COMMENT_LENGTH = 10_000

/** Largest interval of a repeating task, in days, weeks, months or years. */
export const MAX_REPEAT_INTERVAL = 1_000

/** Elements of a whiteboard in one call. Source: the interface, Limits. */
export const ELEMENTS_PER_CALL = 500
/** Characters of an element's ID and of its type. */
export const ELEMENT_ID_LENGTH = 200
/** Lines and characters of the text description of a whiteboard. */
export const WHITEBOARD_DESCRIPTION_LINES = 100
export const WHITEBOARD_DESCRIPTION_LENGTH = 4_000
/** Elements that are read for a description, per whiteboard and per answer, and characters of their JSON. */
export const WHITEBOARD_DESCRIPTION_ELEMENTS = 2_000
export const WHITEBOARD_DESCRIPTION_ELEMENTS_PER_ANSWER = 10_000
export const WHITEBOARD_DESCRIPTION_JSON_LENGTH = 4_000_000
/** Images in one answer: rendered whiteboards and image blocks. */
export const IMAGES_PER_ANSWER = 5
/** Width and height of a rendered whiteboard in pixels, and seconds that rendering one may take. */
export const RENDER_WIDTH = 1_200
export const RENDER_HEIGHT = 1_800
export const RENDER_SECONDS = 10
/**
 * Elements of a whiteboard that are rendered, characters of their JSON and of their assets' JSON, and characters of
 * their SVG paths.
 */
export const RENDER_ELEMENTS = 5_000
export const RENDER_JSON_LENGTH = 20_000_000
export const RENDER_PATH_LENGTH = 20_000_000
/** Characters of a whiteboard that are drawn as outlines, each of about a thousand characters, so that they need no font. */
export const RENDER_OUTLINED_LENGTH = 20_000
/** Total pixels of the images on a whiteboard. */
export const RENDER_PIXELS = 40_000_000

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

/** Seconds that one scan may take. */
export const PATTERN_SECONDS = 5

/** Characters of an idempotency key, and seconds for which the response to its call is stored. */
export const IDEMPOTENCY_KEY_LENGTH = 255
export const IDEMPOTENCY_KEY_SECONDS = 24 * 3600

/**
 * Bytes of a request body, which leave room for the JSON around a call's arguments and for escapes, and seconds it may
 * take.
 */
export const BODY_BYTES = 2 * CALL_BYTES
export const BODY_SECONDS = 15
/** A long request body gets one second per this many bytes. */
export const MIN_BODY_BYTES_PER_SECOND = 64 * 1024
/** Seconds for which the rest of a body is drained after a response that closes the client connection. */
export const LINGER_SECONDS = 2
/**
 * Values in the JSON of a body. Each counts at least four bytes of a call, so a call with more would be rejected in any
 * case.
 */
export const MAX_JSON_VALUES = 1_500_000
/** Nesting levels of objects and arrays in a body, fields of one object, and characters of a field name. */
export const MAX_JSON_LEVELS = 10_000
export const FIELDS_PER_OBJECT = 10_000
export const FIELD_NAME_LENGTH = 16_384
/** Bytes of request headers and seconds they may take, and seconds for which an idle client connection stays open. */
export const HEADER_BYTES = 16 * 1024
export const HEADERS_SECONDS = 10
export const KEEP_ALIVE_SECONDS = 30
/**
 * Sessions (protocol versions of 2025) that a server keeps in memory, in total and per access link, and seconds after
 * which it drops an idle one. The next request brings the session back, until it has lasted a year.
 */
export const MAX_SESSIONS = 1_000
export const SESSIONS_PER_LINK = 100
export const SESSION_IDLE_SECONDS = 30 * 60
export const SESSION_LIFETIME_SECONDS = 365 * 86_400
/** Characters of the ID of a session. */
export const SESSION_ID_LENGTH = 1_500
/** Resource URIs that one session or stream can subscribe to, and concurrent streams per connection or access link. */
export const SUBSCRIPTIONS_PER_STREAM = 200
export const STREAMS_PER_LINK = 100
/** Characters of a resource URI, of a protocol request ID, and of a client's name, title and version. */
export const RESOURCE_URI_LENGTH = 255
export const REQUEST_ID_LENGTH = 255
export const CLIENT_INFO_LENGTH = 200
/** Bytes buffered on a stream for a slow client. Beyond them the stream is closed. */
export const STREAM_BUFFER_BYTES = 256 * 1024
/**
 * Concurrent client connections per server and per address. Loopback addresses and trusted proxies are exempt; through
 * them, one address may have the same number of concurrent requests.
 */
export const MAX_CONNECTIONS = 2_000
export const CONNECTIONS_PER_ADDRESS = 200
/**
 * Seconds in which a client connection beyond the limit must forward a request, if any proxy is trusted and none is
 * named.
 */
export const PROXY_SECONDS = 2
/** Seconds for which a response may wait for its client to read on. */
export const WRITE_STALL_SECONDS = 60
/** Seconds that running calls have to finish during shutdown. */
export const SHUTDOWN_SECONDS = 10

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

/** First bytes of a file from which its type and the size of an image are detected. */
export const FILE_HEAD_BYTES = 256 * 1024
/** Bytes of one file, unless set on the command line, and bytes of a file sent as base64 in a call. */
export const FILE_BYTES = 100 * 1024 * 1024
export const INLINE_FILE_BYTES = 5 * 1024 * 1024
/** Bytes of an image shown to a model (5 MB in base64), and pixels of its longer side. Models accept no more. */
export const IMAGE_BYTES = 3_750_000
export const IMAGE_SIDE = 8_000
/** Characters of a file name. */
export const FILE_NAME_LENGTH = 255
/** Seconds for which an upload URL stays valid. */
export const UPLOAD_SECONDS = 15 * 60

/** Files in one import, folders that one may lie deep in, and bytes of a text that becomes one document. */
export const IMPORT_FILES = 200_000
export const IMPORT_DEPTH = 64
export const IMPORT_TEXT_BYTES = 5 * 1024 * 1024
/**
 * Bytes that the entries of a zip may have unpacked, how many times larger than packed they may be, and zips that may
 * lie in one another.
 */
export const UNPACKED_BYTES = 64 * 1024 * 1024 * 1024
export const UNPACKED_RATIO = 200
export const NESTED_ZIPS = 3
/** Entries of a zip that stays a file, and bytes of the zips in it, that are searched for spaces. */
export const SEARCHED_ENTRIES = 100_000
export const SEARCHED_BYTES = 1024 * 1024 * 1024

/**
 * What the thread that reads the source of an import may take: seconds for each step, megabytes of memory, and files
 * that exceed either before the import fails.
 */
export const IMPORT_STEP_SECONDS = 5
export const IMPORT_MEMORY_MEGABYTES = 1_024
export const IMPORT_SLOW_FILES = 10
/**
 * Seconds to compare a text that was imported with its source, twice at most. The second number is for all others, once
 * as many texts as may be slow have exceeded the first.
 */
export const IMPORT_CHECK_SECONDS = 4
export const IMPORT_CHECK_SLOW_SECONDS = 0.2
/** Imports whose sources one process reads at the same time; others wait for their turn. */
export const IMPORTS_AT_ONCE = 4
/** Characters of the path of a file, and blocks of one document. */
export const IMPORT_PATH_LENGTH = 4_096
export const IMPORT_DOCUMENT_BLOCKS = 200_000
/** Bytes of HTML, elements that its parser makes, and cells of one of its tables. */
export const IMPORT_HTML_BYTES = 8 * 1024 * 1024
export const IMPORT_HTML_ELEMENTS = 200_000
export const IMPORT_TABLE_CELLS = 65_536
/** Bytes of a Word document, packed and unpacked, and files in it. */
export const IMPORT_DOCX_BYTES = 64 * 1024 * 1024
export const IMPORT_DOCX_UNPACKED_BYTES = 128 * 1024 * 1024
export const IMPORT_DOCX_ENTRIES = 10_000
/** Bytes of a CSV file, its columns, and its cells, where each row counts as many as the longest has. */
export const IMPORT_CSV_BYTES = 32 * 1024 * 1024
export const IMPORT_CSV_COLUMNS = 500
export const IMPORT_CSV_CELLS = 2_000_000
/** Bytes of JSON (a drawing with its pictures, or a conversation), its values, and its nesting levels. */
export const IMPORT_JSON_BYTES = 64 * 1024 * 1024
export const IMPORT_JSON_VALUES = 3_000_000
export const IMPORT_JSON_LEVELS = 200
/** Elements of a drawing, and characters of their JSON. */
export const IMPORT_ELEMENTS = 20_000
export const IMPORT_ELEMENTS_LENGTH = 20_000_000
/** Characters of front matter that are read as YAML, of these the signs that start something, and aliases in it. */
export const FRONT_MATTER_LENGTH = 256 * 1024
export const FRONT_MATTER_SIGNS = 10_000
export const FRONT_MATTER_ALIASES = 100
/** Nesting levels of the XML of a notebook. */
export const IMPORT_XML_LEVELS = 100

/** Resources in one answer of resources/list. */
export const RESOURCES_PER_ANSWER = 200

/** Seconds to wait for an identity provider, and bytes of its response (metadata or keys). */
export const ISSUER_SECONDS = 5
export const ISSUER_BYTES = 256 * 1024
/** Seconds for which its keys are cached, and seconds between attempts to fetch missing keys. */
export const ISSUER_KEYS_SECONDS = 10 * 60
export const ISSUER_RETRY_SECONDS = 10
/** Seconds by which its clock may differ from this machine's clock. */
export const CLOCK_TOLERANCE_SECONDS = 30

/**
 * Characters of the name of an access link, participant or space, and of the name that a client program reports for
 * itself.
 */
export const NAME_LENGTH = 120
export const CLIENT_NAME_LENGTH = 100

/** Characters of a password. Source: NIST SP 800-63B, which asks for no further rules. */
export const PASSWORD_LENGTH = { least: 10, most: 256 }
/**
 * UTF-16 code units of a password before normalization. The longest password fits, whatever its Unicode composition.
 */
export const PASSWORD_CODE_UNITS = 8 * 256
/** Characters of a passphrase that encrypts the secrets in an export. An attacker may try as many as they like. */
export const PASSPHRASE_LENGTH = { least: 12, most: 1_000 }
/**
 * Characters of the name in the sign-in form. Leaves room for surrounding spaces, and for names created before names
 * were limited.
 */
export const SIGN_IN_NAME_LENGTH = 2 * NAME_LENGTH
/**
 * Passwords that can wait to be hashed, at half a second each, and seconds after which a rejected sign-in may retry.
 */
export const PASSWORD_QUEUE_LENGTH = 16
export const PASSWORD_RETRY_SECONDS = 10
/** Wrong passwords per name and per address within this many seconds. */
export const WRONG_PASSWORD_LIMITS = { name: 20, address: 10, seconds: 15 * 60 }
/** Names and addresses whose wrong passwords are counted at the same time. */
export const MAX_FAILURE_COUNTERS = 100_000
/** Addresses remembered per participant after a successful sign-in, and seconds for which. */
export const KNOWN_ADDRESS_LIMITS = { each: 20, seconds: 90 * 86_400 }
/**
 * Records of one kind that the issuer stores before sign-in, such as open interactions and registered programs: per
 * address, and in total.
 */
export const PENDING_LIMITS = { address: 100, all: 1_000 }
/** Lifetimes, in seconds, of the credentials that the embedded issuer grants. */
export const AUTHORIZATION_CODE_SECONDS = 60
export const ACCESS_TOKEN_SECONDS = 3600
export const REFRESH_TOKEN_SECONDS = 30 * 86_400
export const GRANT_SECONDS = 10 * 365 * 86_400
/**
 * Lifetimes, in seconds, of a browser session, of an open interaction page, and of a registration that was never used.
 */
export const SESSION_SECONDS = 12 * 3600
export const INTERACTION_SECONDS = 3600
export const REGISTRATION_SECONDS = 86_400
/**
 * Seconds for which a used refresh token returns the same successor again. Responses get lost, and hosts refresh in
 * several windows at once.
 */
export const REFRESH_GRACE_SECONDS = 10
/** Bytes of a form or other body sent to the embedded issuer, and its number of fields. */
export const FORM_BYTES = 64 * 1024
export const FORM_FIELDS = 1_100
/** Characters of a redirect URI. */
export const REDIRECT_LENGTH = 2_000
/** Query parameters of a request to the embedded issuer. */
export const QUERY_FIELDS = 100
/** Characters of the search field for documents on the consent page. */
export const CONSENT_SEARCH_LENGTH = 200
/** Seconds to wait for a client's metadata document, and its bytes. The byte limit also applies to a registration. */
export const CLIENT_METADATA_SECONDS = 5
export const CLIENT_METADATA_BYTES = 16 * 1024
/** Documents shown at once on the consent page. */
export const DOCUMENTS_PER_CONSENT_PAGE = 50
/** Bytes of a host's configuration file that `install` reads. Claude Code keeps a history in its own. */
export const HOST_CONFIG_BYTES = 32 * 1024 * 1024

/**
 * Bytes of a zip that is sent to be imported, packed and unpacked, imports of a space that can still be asked about, and
 * problems in an answer about one, with the length of all of them as JSON.
 */
export const IMPORT_ZIP_BYTES = 1024 * 1024 * 1024
export const IMPORT_ZIP_UNPACKED_BYTES = 4 * 1024 * 1024 * 1024
export const IMPORTS_KEPT = 10
export const IMPORT_PROBLEMS_PER_ANSWER = 1_000
export const IMPORT_PROBLEMS_LENGTH = 1024 * 1024
/** Files that people sent to the pages and have not imported yet, of all spaces of a server, and seconds for which one waits. */
export const HELD_UPLOADS = 4
export const HELD_UPLOAD_SECONDS = 1_800
/** Bytes of an export from the pages: as JSON, and as one HTML file with its pictures. Documents in such a file. */
export const EXPORT_JSON_BYTES = 512 * 1024 * 1024
export const EXPORT_HTML_BYTES = 64 * 1024 * 1024
export const EXPORT_HTML_DOCUMENTS = 1_000
/** Exports of one link whose files are being sent at the same time. */
export const EXPORTS_PER_LINK = 2
