/** Files, and images that models see. */

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
