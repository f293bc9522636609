/** Every number of the interface's Limits part and of our own, with its unit and scope. */

/** Requests to a space, and blocks read or written in it, in one window: over all links, connections and processes. */
export const REQUESTS_PER_WINDOW = 100
export const BLOCKS_PER_WINDOW = 20_000
/** Seconds of a space's window. It begins with its first request. */
export const SPACE_WINDOW_SECONDS = 60
/** Requests from one public address in one window: over all spaces and links of one server process. */
export const REQUESTS_PER_ADDRESS = 50
/** Seconds of an address's window, and addresses whose windows a process remembers. */
export const ADDRESS_WINDOW_SECONDS = 10
export const MAX_TRACKED_ADDRESSES = 100_000

/** Blocks that one call may write; more than the space's budget of a minute could never pass. */
export const BLOCKS_PER_CALL = 20_000
/** Levels of blocks inside blocks in one call. */
export const NESTING_PER_CALL = 64
/** Bytes of one call's arguments. */
export const CALL_BYTES = 5 * 1024 * 1024
/** Levels of folders inside folders. */
export const FOLDER_LEVELS = 64
/** Seconds that reading one Markdown text may take. */
export const MARKDOWN_SECONDS = 4
/** Faults of one call that are told. */
export const MAX_FIELD_ERRORS = 100
/** Documents, folders or IDs in one call. */
export const ITEMS_PER_CALL = 1_000
/** Characters of a document's, folder's or page's title. */
export const TITLE_LENGTH = 1_000
/** Characters of the Markdown that one is kept as, wherever it comes from. */
export const TITLE_MARKDOWN_LENGTH = 6_000

/** Properties of one collection, those that other collections' relations made included. */
export const PROPERTIES_PER_COLLECTION = 20
/** Options of one select. */
export const OPTIONS_PER_PROPERTY = 500
/** Items in one answer of items_list: when the call does not say, and at most. */
export const ITEMS_PER_ANSWER = 100
export const ITEMS_PER_ANSWER_MAX = 1_000
/** Collections in one answer of collections_list: when the call does not say, and at most. */
export const COLLECTIONS_PER_ANSWER = 100
export const COLLECTIONS_PER_ANSWER_MAX = 1_000

/** Blocks in one answer of blocks_get when the call does not say. */
export const BLOCKS_PER_ANSWER = 1_000
/** Documents in one answer of documents_list: when the call does not say, and at most. */
export const DOCUMENTS_PER_ANSWER = 100
export const DOCUMENTS_PER_ANSWER_MAX = 1_000
/** Documents that are counted of those left after an answer: counting all of a large space took longer than the answer. */
export const DOCUMENT_COUNT_CAP = 1_000
/** The same of collections. */
export const COLLECTIONS_COUNTED = 1_000
/** Blocks that a preview shows of what a depth limit left out, and its characters at most. */
export const PREVIEW_BLOCKS = 3
export const PREVIEW_LENGTH = 240
/** Levels of pages that a continued answer repeats around its blocks. */
export const CONTINUATION_LEVELS = 64

/** Characters of a cursor. */
export const CURSOR_LENGTH = 256

/** Views of one collection. */
export const VIEWS_PER_COLLECTION = 100
/** Filters and sorts of one view, or of one reading of items. Source: the interface's shapes, 3. */
export const FILTERS_PER_VIEW = 5
export const SORTS_PER_VIEW = 3
/** Characters of the text that a filter looks for, and blocks that it may name. */
export const FILTER_TEXT_LENGTH = 1_000
export const FILTER_VALUES = 100
/** Groups in one answer of items_list. */
export const GROUPS_PER_ANSWER = 1_000

/** Tasks in one answer of tasks_list: when the call does not say, and at most. */
export const TASKS_PER_ANSWER = 100
export const TASKS_PER_ANSWER_MAX = 1_000
/** Tasks that are counted of those left after an answer: counting all of a long scope took longer than reading it. */
export const TASK_COUNT_CAP = 1_000
/** Reminders in one answer of reminders_list: when the call does not say, and at most. Source: the interface, Limits. */
export const REMINDERS_PER_ANSWER = 50
export const REMINDERS_PER_ANSWER_MAX = 200
/** Due reminders that are announced at once. */
export const DUE_REMINDERS_PER_ANSWER = 20
/** Characters of a comment. */
export const COMMENT_LENGTH = 10_000

/** Days, weeks, months or years between two days of a repeating task. */
export const MAX_REPEAT_INTERVAL = 1_000

/** Elements of a whiteboard in one call. Source: the interface, Limits. */
export const ELEMENTS_PER_CALL = 500
/** Characters of an element's ID and of its type. */
export const ELEMENT_ID_LENGTH = 200
/** Lines and characters of a whiteboard's reading in words. */
export const WHITEBOARD_DESCRIPTION_LINES = 100
export const WHITEBOARD_DESCRIPTION_LENGTH = 4_000
/** Elements of one whiteboard, and of all in one answer, that are read for it; and characters of their JSON. */
export const WHITEBOARD_DESCRIPTION_ELEMENTS = 2_000
export const WHITEBOARD_DESCRIPTION_ELEMENTS_PER_ANSWER = 10_000
export const WHITEBOARD_DESCRIPTION_JSON_LENGTH = 4_000_000
/** Pictures in one answer: whiteboards that are drawn, and image blocks. */
export const IMAGES_PER_ANSWER = 5
/** Pixels of a drawn picture's width and height, and seconds that one may take. */
export const RENDER_WIDTH = 1_200
export const RENDER_HEIGHT = 1_800
export const RENDER_SECONDS = 10
/** Elements of a whiteboard that are drawn, characters of their JSON and of that of their assets, and of their paths. */
export const RENDER_ELEMENTS = 5_000
export const RENDER_JSON_LENGTH = 20_000_000
export const RENDER_PATH_LENGTH = 20_000_000
/** Pixels of the images on it. */
export const RENDER_PIXELS = 40_000_000

/** Seconds that one scan may take. */
export const PATTERN_SECONDS = 5

/** Characters of an idempotency key, and seconds for which the answer to a call that came with one is kept. */
export const IDEMPOTENCY_KEY_LENGTH = 255
export const IDEMPOTENCY_KEY_SECONDS = 24 * 3600

/** Bytes of the body of a request: room for the JSON around a call's arguments and its escapes. Seconds it may take. */
export const BODY_BYTES = 2 * CALL_BYTES
export const BODY_SECONDS = 15
/** Bytes of a long body that a second is given for. */
export const MIN_BODY_BYTES_PER_SECOND = 64 * 1024
/** For so many seconds what still comes of a body is passed over after an answer that ends the connection. */
export const LINGER_SECONDS = 2
/** Values in its JSON: each counts four bytes of a call, so that more are refused in any case. */
export const MAX_JSON_VALUES = 1_500_000
/** Levels of objects and arrays inside each other in it, fields of one object, and characters of a field's name. */
export const MAX_JSON_LEVELS = 10_000
export const FIELDS_PER_OBJECT = 10_000
export const FIELD_NAME_LENGTH = 16_384
/** Bytes of a request's headers, and seconds that they may take; seconds for which an idle connection is kept. */
export const HEADER_BYTES = 16 * 1024
export const HEADERS_SECONDS = 10
export const KEEP_ALIVE_SECONDS = 30
/** Sessions of clients of 2025 that one server has at once, and one link; seconds after which an idle one is closed. */
export const MAX_SESSIONS = 1_000
export const SESSIONS_PER_LINK = 100
export const SESSION_IDLE_SECONDS = 30 * 60
/** Addresses of resources that one session, or one stream, hears of; streams of one connection or link at once. */
export const SUBSCRIPTIONS_PER_STREAM = 200
export const STREAMS_PER_LINK = 100
/** Characters of such an address, of the ID of a request of the protocol, and of a client's name, title and version. */
export const RESOURCE_URI_LENGTH = 255
export const REQUEST_ID_LENGTH = 255
export const CLIENT_INFO_LENGTH = 200
/** Bytes that wait on a stream for its client to read on; it is ended beyond them. */
export const STREAM_BUFFER_BYTES = 256 * 1024
/**
 * Connections that one server has at once, and one address. This machine's own and those of trusted proxies have no
 * limit; over them one address has as many requests at once.
 */
export const MAX_CONNECTIONS = 2_000
export const CONNECTIONS_PER_ADDRESS = 200
/** Seconds in which a connection beyond them must pass a request on, where any proxy is trusted and none is named. */
export const PROXY_SECONDS = 2
/** Seconds for which an answer may wait for its client to read on. */
export const WRITE_STALL_SECONDS = 60
/** Seconds that running calls have when the server ends. */
export const SHUTDOWN_SECONDS = 10

/** Documents in one answer of a search. Source: the interface, Limits. */
export const DOCUMENTS_PER_SEARCH = 20
/** Entries of `include` and of `regexps` in one search, and characters of an entry. */
export const TERMS_PER_SEARCH = 20
export const TERM_LENGTH = 1_000
/** IDs of matching blocks that an answer names of one document. */
export const BLOCKS_PER_DOCUMENT_MATCH = 8
/** Seconds that a search by patterns may work, the reading of texts included, before its answer comes with a cursor. */
export const SEARCH_SECONDS = 10
/** Matches in one answer of blocks_search: when the call does not say, and at most; blocks around each at most. */
export const MATCHES_PER_ANSWER = 50
export const MATCHES_PER_ANSWER_MAX = 500
export const MAX_CONTEXT_BLOCKS = 100

/** Bytes of one file, unless the command line says otherwise; and of one that comes as base64 in a call. */
export const FILE_BYTES = 100 * 1024 * 1024
export const INLINE_FILE_BYTES = 5 * 1024 * 1024
/** Bytes of an image that a model is shown (5 MB in base64), and pixels of its longer side: models take no more. */
export const IMAGE_BYTES = 3_750_000
export const IMAGE_SIDE = 8_000
/** Characters of a file's name. */
export const FILE_NAME_LENGTH = 255
/** Seconds for which an address waits for its file. */
export const UPLOAD_SECONDS = 15 * 60

/** Resources in one answer of resources/list. */
export const RESOURCES_PER_ANSWER = 200

/** Seconds for an answer of an identity provider, and bytes of it: its metadata, and its keys. */
export const ISSUER_SECONDS = 5
export const ISSUER_BYTES = 256 * 1024
/** Seconds for which its keys are kept, and between attempts to get keys that are missing. */
export const ISSUER_KEYS_SECONDS = 10 * 60
export const ISSUER_RETRY_SECONDS = 10
/** Seconds by which its clock may differ from ours. */
export const CLOCK_TOLERANCE_SECONDS = 30

/** Characters of a name of a link, a participant or a space, and of the name that a program gives itself. */
export const NAME_LENGTH = 120
export const CLIENT_NAME_LENGTH = 100

/** Characters of a password. Source: NIST SP 800-63B, which asks for no rules besides. */
export const PASSWORD_LENGTH = { least: 10, most: 256 }
/** UTF-16 units of one before it is normalized: as many as the longest password can have, however it was composed. */
export const PASSWORD_CODE_UNITS = 8 * 256
/** Characters of what somebody types as their name to sign in: room for spaces, and for names from before they had a bound. */
export const SIGN_IN_NAME_LENGTH = 2 * NAME_LENGTH
/** Passwords that wait to be hashed: half a second each. And seconds after which one that found no place may come again. */
export const PASSWORD_QUEUE_LENGTH = 16
export const PASSWORD_RETRY_SECONDS = 10
/** Wrong passwords for one name, and from one address, within so many seconds. */
export const WRONG_PASSWORD_LIMITS = { name: 20, address: 10, seconds: 15 * 60 }
/** Names and addresses whose wrong passwords are counted at once. */
export const MAX_FAILURE_COUNTERS = 100_000
/** Addresses from which one participant signed in that are remembered, and seconds for which. */
export const KNOWN_ADDRESS_LIMITS = { each: 20, seconds: 90 * 86_400 }
/**
 * What the issuer keeps of one kind for those who have not signed in, such as pages that wait and programs that
 * registered: of one address, and of all.
 */
export const PENDING_LIMITS = { address: 100, all: 1_000 }
/** Seconds for which what the embedded issuer gives out stands. */
export const AUTHORIZATION_CODE_SECONDS = 60
export const ACCESS_TOKEN_SECONDS = 3600
export const REFRESH_TOKEN_SECONDS = 30 * 86_400
export const GRANT_SECONDS = 10 * 365 * 86_400
/** Of a browser that signed in, of a page that waits to be answered, and of a program that registered and got no further. */
export const SESSION_SECONDS = 12 * 3600
export const INTERACTION_SECONDS = 3600
export const REGISTRATION_SECONDS = 86_400
/** Seconds for which a refresh token that was used gives the same successor again: answers are lost, and hosts refresh in several windows at once. */
export const REFRESH_GRACE_SECONDS = 10
/** Bytes of a form or another body that is sent to the embedded issuer, and fields of one. */
export const FORM_BYTES = 64 * 1024
export const FORM_FIELDS = 1_100
/** Characters of an address that the answer to a program goes to. */
export const REDIRECT_LENGTH = 2_000
/** Parameters of the address of a request to it. */
export const QUERY_FIELDS = 100
/** Characters of what somebody looks for among the documents on the consent page. */
export const CONSENT_SEARCH_LENGTH = 200
/** Seconds for the metadata document of a program, and bytes of it, also where the program registers with it. */
export const CLIENT_METADATA_SECONDS = 5
export const CLIENT_METADATA_BYTES = 16 * 1024
/** Documents that the consent page shows at once. */
export const DOCUMENTS_PER_CONSENT_PAGE = 50
