/** The bytes of a file that come with a call, not yet read. */
export interface FileBody {
  stream: AsyncIterable<Uint8Array>
  mediaType?: string
  /** How many there are, where that is known. */
  size?: number
}
