/** Imports and exports. */

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
/**
 * Bytes of a zip that is sent to be imported, packed and unpacked, imports of a space that can still be asked about, and
 * problems in an answer about one, with the length of all of them as JSON.
 */
export const IMPORT_ZIP_BYTES = 1024 * 1024 * 1024
export const IMPORT_ZIP_UNPACKED_BYTES = 4 * 1024 * 1024 * 1024
export const IMPORTS_KEPT = 10
export const IMPORT_PROBLEMS_PER_ANSWER = 1_000
export const IMPORT_PROBLEMS_LENGTH = 1024 * 1024
/** Bytes of an export from the pages: as JSON, and as one HTML file with its pictures. Documents in such a file. */
export const EXPORT_JSON_BYTES = 512 * 1024 * 1024
export const EXPORT_HTML_BYTES = 64 * 1024 * 1024
export const EXPORT_HTML_DOCUMENTS = 1_000
/** Exports of one link whose files are being sent at the same time. */
export const EXPORTS_PER_LINK = 2
/** Exports of a space that wait for the one that runs. */
export const EXPORTS_WAITING = 10
/** Characters of a passphrase that encrypts the secrets in an export. An attacker may try as many as they like. */
export const PASSPHRASE_LENGTH = { least: 12, most: 1_000 }
