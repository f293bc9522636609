import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { rateLimited, ScriptoriumError } from '../../src/base/errors.ts'
import { rateLimitHeaders } from '../../src/call/rate-limit-headers.ts'
import { byKind, endpoint } from '../../src/endpoint.ts'
import type { RestRequest } from '../../src/rest/rest.ts'
import { askerOf, documentBy } from './rest-asker.ts'

const rows = async (kind: 'full' | 'daily' = 'full') => {
  const asker = await askerOf({ kind: 'full' })
  return { ...asker, ids: [await documentBy(asker, 'one', 'A'), await documentBy(asker, 'two', 'B')], kind }
}
const titles = ({ items }: { items: { title: string }[] }) => items.map(({ title }) => title)

describe('responses', () => {
  test('are JSON objects that may not be cached', async () => {
    const { ask } = await askerOf()
    const { status, headers, json } = await ask('GET /folders')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/json')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(json.items).toHaveLength(3)
  })

  test('have the remaining limits', async () => {
    const left = {
      requests: { limit: 100, remaining: 99, reset: 1_800_000_000 },
      blocks: { limit: 20_000, remaining: 0, reset: 1_800_000_001 },
    }
    const { ask } = await askerOf({ call: async () => ({ object: {}, remaining: left }) })
    const { headers } = await ask('GET /folders')
    const found = [...headers].filter(([name]) => name.startsWith('x-'))
    expect(Object.fromEntries(found)).toEqual({
      'x-ratelimit-limit': '100',
      'x-ratelimit-remaining': '99',
      'x-ratelimit-reset': '1800000000',
      'x-blockbudget-limit': '20000',
      'x-blockbudget-remaining': '0',
      'x-blockbudget-reset': '1800000001',
    })
    expect(rateLimitHeaders(undefined)).toEqual({})
    expect(Object.keys(rateLimitHeaders({ requests: left.requests }))).toHaveLength(3)
  })

  test('to HEAD are the same without a body', async () => {
    const { ask } = await askerOf()
    const { status, headers, text } = await ask('HEAD /folders')
    expect([status, headers.get('content-type'), text]).toEqual([200, 'application/json', ''])
    expect((await ask('HEAD /nothing')).status).toBe(404)
  })

  test('to a call with a key return the key', async () => {
    const requests: RestRequest[] = []
    const call = async (_: unknown, __: unknown, request: RestRequest) => {
      requests.push(request)
      return { object: {} }
    }
    const { ask } = await askerOf({ call })
    await ask('POST /folders', { folders: [] }, { 'Idempotency-Key': 'once' })
    await ask('POST /folders', { folders: [] })
    expect(requests.map(({ idempotencyKey }) => idempotencyKey)).toEqual(['once', undefined])
  })
})

describe('Markdown', () => {
  test('is returned if Accept prefers it; format in the query takes precedence', async () => {
    const asker = await askerOf()
    const id = await documentBy(asker, '# Hé\n\nwords', 'Title')
    const get = (query: string, accept: string) => asker.ask(`GET /blocks?id=${id}${query}`, undefined, { accept })
    const markdown = await get('', 'text/markdown')
    expect(markdown.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    expect(markdown.text).toContain('# Hé\n\nwords')
    expect(markdown.headers.get('x-scriptorium-note')).toMatch(/^Revision \S+\.$/)
    expect(markdown.headers.get('vary')).toBe('Accept')
    const json = await get('', 'application/json, text/markdown;q=0.5')
    expect(json.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(json.json.content).toHaveLength(2)
    expect((await get('&format=json', 'text/markdown')).json.id).toBe(id)
    expect((await get('&format=markdown', '*/*')).text).toBe(markdown.text)
    expect((await get('', 'image/png')).json.id).toBe(id)
  })

  test('that is too long for one response says in a header and at its end how to continue', async () => {
    const asker = await askerOf()
    const id = await documentBy(asker, 'one\n\ntwo\n\nthree')
    const first = await asker.ask(`GET /blocks?id=${id}&maxBlocks=3&format=markdown`)
    const cursor = /repeat the call with cursor "([^"]+)"/.exec(first.headers.get('x-scriptorium-note') ?? '')?.[1]
    expect(first.text).toBe(
      `<page id="${id}">\n<pageTitle>Document</pageTitle>\n<content>\none\n\ntwo\n</content>\n</page>\n\nBlocks 1 to 3 of 4; 1 are left: send GET /blocks again with the same parameters and cursor "${cursor}".\n`,
    )
    const query = new URLSearchParams({ id, maxBlocks: '3', format: 'markdown', cursor: cursor ?? '' })
    const second = await asker.ask(`GET /blocks?${query}`)
    expect(second.text).toContain('three')
    expect(second.text).not.toContain('send GET')
  })

  test('of a list has a line for each, and says in a header and at its end how to continue', async () => {
    const asker = await askerOf()
    const id = await documentBy(asker, 'words', 'One')
    await documentBy(asker, 'words', 'Two')
    const listed = await asker.ask('GET /documents?limit=1', undefined, { accept: 'text/markdown' })
    expect(listed.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    const cursor = /cursor "([^"]+)"/.exec(listed.headers.get('x-scriptorium-note') ?? '')?.[1]
    expect(listed.text).toBe(
      `${id} One\n\n1 document is left: send GET /documents again with the same parameters and cursor "${cursor}".\n`,
    )
    expect(listed.headers.get('x-scriptorium-note')).toMatch(
      /^1 document is left: repeat the call with cursor "[^"]+"\.$/,
    )
    expect(listed.headers.get('vary')).toBe('Accept')
    expect((await asker.ask('GET /documents?limit=1')).json.items).toMatchObject([{ id, title: 'One' }])
  })

  test.each([
    ['GET /tasks?scope=inbox&limit=1', 'POST /tasks', { tasks: [{ markdown: 'one' }, { markdown: 'two' }] }],
    ['GET /documents/search?include=one&limit=20', 'POST /documents', { documents: Array(21).fill({ title: 'one' }) }],
  ])('%s says at its end how to continue', async (line, made, body) => {
    const { ask } = await askerOf()
    await ask(made, body)
    const { text } = await ask(line, undefined, { accept: 'text/markdown' })
    const [path] = line.split('?')
    expect(text).toMatch(
      /\n\n1 (matching document|task) is left: send .* again with the same parameters and cursor "[^"]+"\.\n$/,
    )
    expect(text).toContain(`send ${path} again`)
  })

  test('a note is an ASCII header, shortened to the end if it is long', async () => {
    const text = (note: string) => ({ text: { mediaType: 'text/markdown' as const, body: '', note } })
    const noteOf = async (note: string) => {
      const { ask } = await askerOf({ call: async () => text(note) })
      return (await ask('GET /folders')).headers.get('x-scriptorium-note')
    }
    expect(await noteOf('é\n😀 ok')).toBe('\\u00e9\\u000a\\ud83d\\ude00 ok')
    expect(await noteOf(`${'x'.repeat(9000)}end`)).toBe(`... ${'x'.repeat(1997)}end`)
  })

  test('on other endpoints Accept changes nothing', async () => {
    const { ask } = await askerOf()
    const response = await ask('GET /folders', undefined, { accept: 'text/markdown' })
    expect([response.headers.get('content-type'), response.headers.get('vary')]).toEqual(['application/json', null])
  })
})

describe('queries', () => {
  test.each([
    ['repeated keys', (a: string, b: string) => `documentIds=${a}&documentIds=${b}`],
    ['keys with brackets', (a: string, b: string) => `documentIds[]=${a}&documentIds%5B%5D=${b}`],
    ['commas', (a: string, b: string) => `documentIds=${a},${b}`],
    ['commas, spaces, empty places', (a: string, b: string) => `documentIds=,${a},+${b},`],
    ['encoded commas', (a: string, b: string) => `documentIds=${a}%2C${b}`],
    ['both', (a: string, b: string) => `documentIds=${a},${b}&documentIds=${a}`],
    ['JSON', (a: string, b: string) => `documentIds=${encodeURIComponent(JSON.stringify([a, b]))}`],
    ['capitals', (a: string, b: string) => `documentIds=${a.toUpperCase()},${b}`],
  ])('lists of IDs by %s', async (_, query) => {
    const { ask, ids } = await rows()
    const [a = '', b = ''] = ids
    expect(titles((await ask(`GET /documents?${query(a, b)}`)).json)).toEqual(['A', 'B'])
  })

  const find = endpoint({
    name: 'find',
    title: 'Find',
    description: 'Answers what it was asked.',
    route: 'GET /find',
    effect: 'read',
    input: byKind(() =>
      z.strictObject({
        regexps: z.array(z.string()).optional(),
        rules: z.array(z.looseObject({})).optional(),
        position: z.looseObject({}).optional(),
        text: z.string().optional(),
        count: z.int().optional(),
        flag: z.boolean().default(false),
      }),
    ),
    output: z.looseObject({}),
    handle: async (_, request) => request,
  })
  const readQuery = async (query: string) => {
    const { ask } = await askerOf({ endpoints: [find] })
    const { json } = await ask(`GET /find?${query}`)
    const { flag, ...rest } = json
    return query.includes('flag=') ? json : rest
  }

  test.each([
    ['regexps=a,b', { regexps: ['a,b'] }],
    ['regexps=', { regexps: [] }],
    ['Count=5&REGEXPS[]=a', { count: 5, regexps: ['a'] }],
    ['regexps=a,b&regexps=c', { regexps: ['a,b', 'c'] }],
    ['regexps=[a-z]%2B', { regexps: ['[a-z]+'] }],
    ['regexps=[1]', { regexps: ['[1]'] }],
    ['regexps=["a","b"]', { regexps: ['a', 'b'] }],
    ['regexps=["a"]&regexps=b', { regexps: ['["a"]', 'b'] }],
    ['rules={"a":1}', { rules: [{ a: 1 }] }],
    ['rules={"a":1}&rules={"b":2}', { rules: [{ a: 1 }, { b: 2 }] }],
    ['rules=[{"a":1},{"b":2}]', { rules: [{ a: 1 }, { b: 2 }] }],
    ['position={"position":"end"}', { position: { position: 'end' } }],
    ['text=a+b%2Bc%26d%3D=e', { text: 'a b+c&d==e' }],
    ['text=%F0%9F%98%80 größer 文', { text: '😀 größer 文' }],
    ['text={"a":1}', { text: '{"a":1}' }],
    ['text=', { text: '' }],
    ['text', { text: '' }],
    ['&&text=5&', { text: '5' }],
    ['count=5', { count: 5 }],
    ['count=', {}],
    ['flag=&rules=&position=', { flag: false }],
    ['flag=True', { flag: true }],
    ['flag=YES', { flag: true }],
    ['flag=1', { flag: true }],
    ['flag=off', { flag: false }],
  ])('%s', async (query, answer) => expect(await readQuery(query)).toEqual(answer))

  test.each([
    ['count', 'At count: Expected a value, found none; give it one.'],
    ['flag', 'At flag: Expected a value, found none; give it one.'],
    ['flag=maybe', 'At flag: Expected a boolean, found "maybe".'],
    ['flag=2', 'At flag: Expected a boolean, found "2".'],
    ['count=1&count=2', 'At count: Expected count once, found it 2 times; give one of them.'],
    [
      'position=start',
      'Expected a value at line 1, column 1 of the parameter position, which is to be JSON, found "start"; correct it there.',
    ],
    [
      'rules=[{"a":1]',
      'Expected a comma or } at line 1, column 8 of the parameter rules, which is to be JSON, found "]"; correct it there.',
    ],
    ['txt=a', 'Expected a known key, found "txt"; did you mean text?'],
    ['text[]=a', 'Expected a known key, found "text[]"; did you mean text?'],
    ['__proto__=a', 'Expected the name of a field at __proto__, found __proto__; leave it out.'],
    [
      'constructor=a',
      'Expected one of regexps, rules, position, text, count, flag, found the unknown key "constructor"; use one of these instead.',
    ],
    ['text=100%', 'Expected percent-encoded UTF-8 in the query, found 100%; write % itself as %25.'],
    ['text=%ED%A0%80', 'Expected percent-encoded UTF-8 in the query, found %ED%A0%80; write % itself as %25.'],
    ['text=a%00b', 'Expected text at text, found the character NUL at 1; leave it out.'],
  ])('%s is rejected', async (query, message) => {
    const { refused } = await askerOf({ endpoints: [find] })
    expect(await refused(400, `GET /find?${query}`)).toBe(message)
  })

  test.each(['include=harbour&include=fox', 'include[]=harbour&include[]=fox', 'include=["harbour","fox"]'])(
    'what may be one or several texts is several in %s',
    async (query) => {
      const { ask } = await askerOf()
      await ask('POST /documents', {
        documents: [
          { title: 'A', markdown: 'harbour' },
          { title: 'B', markdown: 'harbour fox' },
        ],
      })
      const { json } = await ask(`GET /documents/search?${query}`)
      expect(titles(json)).toEqual(['B'])
    },
  )

  test('half a megabyte is accepted', async () => {
    const text = 'größer '.repeat(70_000)
    expect(await readQuery(`text=${encodeURIComponent(text)}`)).toEqual({ text })
  })

  test('an unknown parameter is rejected, and the nearest one is named', async () => {
    const { refused } = await askerOf()
    expect(await refused(400, 'GET /documents?foldrId=abc')).toBe(
      'Expected a known key, found "foldrId"; did you mean folderId?',
    )
  })
})

describe('errors', () => {
  test('internal ones stay in the log', async () => {
    const { ask, logged } = await askerOf({ call: () => Promise.reject(new Error('secret')) })
    const { status, json } = await ask('GET /folders')
    expect([status, json.code]).toEqual([500, 'INTERNAL_ERROR'])
    expect(json.error).not.toContain('secret')
    expect(logged.join()).toContain('secret')
  })

  test('of limits say when to retry', async () => {
    const { ask } = await askerOf({ call: () => Promise.reject(rateLimited('Expected less, found more.', 1500)) })
    const { status, headers, json } = await ask('GET /folders')
    expect([status, headers.get('retry-after')]).toEqual([429, '2'])
    expect(json).toEqual({ error: 'Expected less, found more. Retry after 2 seconds.', code: 'RATE_LIMITED' })
  })

  test('of credentials name the scheme', async () => {
    const error = new ScriptoriumError('INVALID_AUTH_HEADER', 'Expected a secret, found none.')
    const { ask } = await askerOf({ call: () => Promise.reject(error) })
    const { status, headers } = await ask('GET /folders')
    expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
  })

  test('with several causes list each', async () => {
    const { ask } = await askerOf()
    const { status, json } = await ask('POST /folders', { folders: [{ name: '' }, { nme: 'a' }] })
    expect(status).toBe(400)
    expect(json.details.map(({ path }: { path: string }) => path)).toEqual([
      'folders[0].name',
      'folders[1].name',
      'folders[1]',
    ])
  })

  test('before a call could be read are counted, and rejected when nothing is left; so is what needs no call', async () => {
    const left = { requests: { limit: 2, remaining: 1, reset: 1_800_000_000 } }
    const refusals = [left, rateLimited('Expected less, found more.', 1000)]
    const { ask } = await askerOf({
      countRefused: async () => {
        const next = refusals.shift()
        if (next instanceof Error) throw next
        return next
      },
    })
    const first = await ask('GET /nothing')
    expect([first.status, first.headers.get('x-ratelimit-remaining')]).toEqual([404, '1'])
    expect((await ask('POST /folders', '{', { 'content-type': 'application/json' })).status).toBe(429)
    refusals.push(left, left)
    expect((await ask('GET /openapi.json')).headers.get('x-ratelimit-remaining')).toBe('1')
    expect((await ask('OPTIONS /folders')).headers.get('x-ratelimit-remaining')).toBe('1')
    expect(refusals).toEqual([])
    expect((await ask('GET /folders')).status).toBe(200)
  })

  test('for an ID out of reach and for an unknown one are the same', async () => {
    const { space, clock, ids, ask } = await rows()
    const [a = '', b = ''] = ids
    const selected = await askerOf({ kind: 'selected', documents: [a], to: { space, clock } })
    const outside = await selected.ask(`GET /blocks?id=${b}`)
    const absent = await selected.ask(`GET /blocks?id=${b.slice(0, -1)}f`)
    expect([outside.status, absent.status]).toEqual([404, 404])
    expect(outside.json.error.replace(b, '')).toBe(absent.json.error.replace(`${b.slice(0, -1)}f`, ''))
    expect((await ask(`GET /blocks?id=${b}`)).status).toBe(200)
  })
})
