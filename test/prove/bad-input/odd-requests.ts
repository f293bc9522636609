/** REST requests that are odd in other ways than their arguments: in method, path, query, headers or body. */

import type { Chance } from '../test-client/generated-calls.ts'
import type { RestInput } from '../test-client/test-client.ts'

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD', 'PROPFIND', 'SEARCH']

const PATHS = [
  '',
  '/',
  '//',
  '/blocks/',
  '/blocks/move/',
  '/BLOCKS',
  '/block',
  '/blocks/../documents',
  '/blocks%2fmove',
  '/%',
  '/%zz',
  '/%ff',
  '/collections//items',
  '/collections/%00/items',
  '/collections/%ED%A0%80/items',
  '/collections/__proto__/items',
  '/collections/constructor/views/toString',
  '/whiteboards/%2e%2e/elements',
  '/openapi.json',
  '/openapi.json/',
  '/__proto__',
  '/constructor',
  `/collections/${'x'.repeat(5_000)}/schema`,
  `/${'a/'.repeat(1_000)}`,
]

const QUERIES = [
  '?',
  '?&&&',
  '?=',
  '?id',
  '?id=&id=',
  '?id=%',
  '?id=%ff',
  '?id=%00',
  '?id[]=a&id[]=b',
  '?__proto__=1',
  '?constructor=1&toString=2',
  '?position=%7B%22position%22',
  '?position=%5B%5D',
  '?limit=1e9&limit=2',
  '?limit=-1',
  '?maxDepth=99999999999999999999',
  `?pattern=${'('.repeat(2_000)}`,
  `?include=${'word+'.repeat(1_000)}`,
  `?${'a=1&'.repeat(2_000)}`,
  '?fetchBlocks=maybe',
  '?date=%F0%9F%A6%8A',
]

const HEADERS: readonly Record<string, string>[] = [
  { 'content-type': 'text/plain' },
  { 'content-type': 'text/markdown' },
  { 'content-type': 'application/json; charset=utf-16' },
  { 'content-type': 'application/json;;;charset="utf-8"' },
  { 'content-type': 'multipart/form-data; boundary=x' },
  { 'content-type': 'application/x-www-form-urlencoded' },
  { 'content-type': ';' },
  { 'content-type': `x/${'y'.repeat(2_000)}` },
  { 'content-type': 'image/png' },
  { 'content-encoding': 'gzip' },
  { 'content-encoding': 'identity' },
  { accept: 'text/markdown' },
  { accept: 'text/markdown;q=abc, */*;q=-1' },
  { accept: ',,;;==' },
  { accept: `${'a/b,'.repeat(1_000)}` },
  { 'idempotency-key': '' },
  { 'idempotency-key': 'same' },
  { 'idempotency-key': 'k'.repeat(300) },
  { range: 'bytes=9-1' },
  { 'if-none-match': '*' },
  { expect: '100-continue' },
]

const BODIES: readonly (() => string | Uint8Array<ArrayBuffer>)[] = [
  () => '',
  () => ' ',
  () => 'null',
  () => '[]',
  () => '"text"',
  () => '5',
  () => '{',
  () => '{"a":1,}',
  () => '{"a":1}{"b":2}',
  () => '\ufeff{}',
  () => '{"blocks":[{"type":"text","markdown":"\\ud800"}],"position":{"position":"end"}}',
  () => '{"__proto__":{"a":1},"blockIds":["x"]}',
  () => '{"blockIds":["x"],"blockIds":["y"]}',
  () => '{"constructor":1}',
  () => `{"markdown":"${'x'.repeat(100_000)}"}`,
  () => '['.repeat(50_000),
  () => '{"a":'.repeat(20_000),
  () => `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
  () => `{"n":${'9'.repeat(10_000)}}`,
  () => Uint8Array.of(0xff, 0xfe, 0x00, 0x7b),
  () => Uint8Array.of(0x7b, 0xc3, 0x28, 0x7d),
  () => new Uint8Array(4_096),
]

/** Turns a valid request into an odd one. */
export function oddRequest(chance: Chance, good: RestInput): RestInput {
  const odd: RestInput = { ...good, headers: { ...good.headers } }
  for (let changes = 1 + chance.below(2); changes > 0; changes--) {
    const part = chance.below(6)
    if (part === 0) odd.method = chance.one(METHODS)
    if (part === 1) odd.target = chance.one(PATHS)
    if (part === 2) odd.target = `${odd.target.split('?')[0]}${chance.one(QUERIES)}`
    if (part === 3) Object.assign(odd.headers ?? {}, chance.one(HEADERS))
    if (part === 4) odd.body = chance.one(BODIES)()
    if (part === 5) odd.target = `${odd.target}${odd.target.includes('?') ? '&' : '?'}${chance.one(QUERIES).slice(1)}`
  }
  return odd
}
