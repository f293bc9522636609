/** The value of a cookie in a `Cookie` header. */
export function readCookie(header: string | null | undefined, wanted: string): string | undefined {
  for (const pair of (header ?? '').split(';')) {
    const [name, value] = pair.trim().split('=')
    if (name === wanted && value !== undefined) return value
  }
  return undefined
}
