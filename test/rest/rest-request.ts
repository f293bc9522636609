/** The REST request of a tool call, as clients write it. */
import type { Endpoint } from '../../src/endpoint.ts'

export interface RestLine {
  /** Method and target, such as `GET /blocks?id=…`. */
  line: string
  body?: object
}

export function restRequest({ route }: Pick<Endpoint, 'route'>, args: Readonly<Record<string, unknown>>): RestLine {
  const rest = { ...args }
  const path = route.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name]
    delete rest[name]
    return encodeURIComponent(String(value))
  })
  if (!path.startsWith('GET ')) return { line: path, body: rest }
  const query = queryOf(rest)
  return { line: query === '' ? path : `${path}?${query}` }
}

/** A query as clients write it, with lists as repeated keys. */
export function queryOf(args: object): string {
  const query = new URLSearchParams()
  for (const [key, value] of Object.entries(args)) {
    if (value === undefined) continue
    for (const one of Array.isArray(value) ? value : [value]) {
      query.append(key, typeof one === 'object' ? JSON.stringify(one) : String(one))
    }
  }
  return query.toString()
}
