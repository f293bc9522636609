/** The name of a client over REST: what it sends as `X-Client-Name`, or else as `User-Agent`. */

/** Undefined if the headers hold no name that tells the client from others. */
export function clientNameIn(headers: Headers): string | undefined {
  const given = headers.get('x-client-name')?.trim()
  if (given) return decoded(given)
  const agent = headers.get('user-agent')?.trim()
  return agent && !GENERIC.test(agent) ? decoded(agent) : undefined
}

/** What the `fetch` of Node and every browser call themselves, whatever program they run. */
const GENERIC = /^(?:node|undici|Mozilla\/.*)$/i

/** Headers arrive as one character per byte; clients write them in UTF-8 or in Latin-1. */
function decoded(header: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(header, 'latin1'))
  } catch {
    return header
  }
}
