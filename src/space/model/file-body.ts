/** The bytes of a file that come with a call, not yet read. */
export interface FileBody {
  stream: AsyncIterable<Uint8Array>
  mediaType?: string
  /** The number of bytes, if known. */
  size?: number
}
