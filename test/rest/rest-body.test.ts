/** Request bodies: fields as JSON, plain Markdown, a file. */
import { arrayBuffer } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { byKind, endpoint } from '../../src/endpoint.ts'
import { askerOf, documentBy } from './rest-asker.ts'

const rows = async (kind: 'full' | 'daily' = 'full') => {
  const asker = await askerOf({ kind: 'full' })
  return { ...asker, ids: [await documentBy(asker, 'one', 'A'), await documentBy(asker, 'two', 'B')], kind }
}

describe('bodies', () => {
  const folder = '{"folders":[{"name":"F"}]}'

  test.each([
    ['with its type', { 'content-type': 'application/json' }],
    ['with a charset', { 'content-type': 'Application/JSON; charset="UTF-8"' }],
    ['with its length', { 'content-type': 'application/json', 'content-length': String(folder.length) }],
    ['as identity', { 'content-type': 'application/json', 'content-encoding': 'identity' }],
  ])('JSON %s', async (_, headers) => {
    const { ask } = await askerOf()
    expect((await ask('POST /folders', folder, headers)).json.items).toMatchObject([{ name: 'F' }])
  })

  test('JSON without a type, with a byte order mark', async () => {
    const { ask } = await askerOf()
    const bytes = new TextEncoder().encode(`\ufeff${folder}`)
    expect((await ask('POST /folders', bytes)).json.items).toMatchObject([{ name: 'F' }])
  })

  test('DELETE accepts a body, or the same in the query', async () => {
    const { ask, ids } = await rows()
    const [a = '', b = ''] = ids
    expect((await ask('DELETE /documents', { documentIds: [a] })).json).toEqual({ items: [a] })
    expect((await ask(`DELETE /documents?documentIds=${b}`)).json).toEqual({ items: [b] })
  })

  test('DELETE with its target in the path needs none, whatever type it has', async () => {
    const given: unknown[] = []
    const call = async (_: unknown, args: unknown) => {
      given.push({ ...(args as object) })
      return { object: {} }
    }
    const { ask } = await askerOf({ call })
    await ask('DELETE /collections/c/views/v')
    await ask('DELETE /collections/c/views/v', undefined, { 'content-type': 'text/plain' })
    await ask('DELETE /collections/c/views/v', ' ', { 'content-type': 'application/json' })
    await ask('DELETE /collections/c/views/v?viewId=V', { collectionId: 'C' })
    expect(given).toEqual(Array(4).fill({ collectionId: 'c', viewId: 'v' }))
  })

  const json = { 'content-type': 'application/json' }
  test.each([
    [
      'broken JSON',
      400,
      '{"folders": [\n  {"name": "F",}\n]}',
      json,
      'Expected a key in double quotes at line 2, column 16 of the body, which is to be JSON, found "}"; correct it there.',
    ],
    [
      'an array',
      400,
      '[]',
      json,
      'Expected a JSON object as the body, found an array; put it into the field that it belongs to.',
    ],
    [
      'null',
      400,
      'null',
      json,
      'Expected a JSON object as the body, found null; put it into the field that it belongs to.',
    ],
    [
      'a string',
      400,
      '"{}"',
      json,
      'Expected a JSON object as the body, found a string; put it into the field that it belongs to.',
    ],
    ['nothing where something is needed', 400, '', json, 'At folders: Expected an array, found none; give it.'],
    [
      'a form',
      415,
      folder,
      { 'content-type': 'application/x-www-form-urlencoded' },
      'Expected a body of application/json, found application/x-www-form-urlencoded; send it as that, with the header Content-Type: application/json.',
    ],
    [
      'Markdown where it is not taken at all',
      415,
      '# F',
      { 'content-type': 'text/markdown' },
      'Expected a body of application/json, found text/markdown; send it as that, with the header Content-Type: application/json.',
    ],
    [
      'another charset',
      415,
      folder,
      { 'content-type': 'application/json; charset=latin1' },
      'Expected a body in UTF-8, found the charset latin1; convert it.',
    ],
    [
      'a compressed body',
      415,
      folder,
      { ...json, 'content-encoding': 'gzip' },
      'Expected a body that is not compressed, found the encoding gzip; send it plain.',
    ],
    [
      'half a surrogate pair',
      400,
      '{"folders":[{"name":"\\ud83d"}]}',
      json,
      'Expected Unicode text at folders[0].name, found half of a surrogate pair at character 0; write the whole character.',
    ],
    [
      'NUL',
      400,
      '{"folders":[{"name":"a\\u0000"}]}',
      json,
      'Expected text at folders[0].name, found the character NUL at 1; leave it out.',
    ],
    [
      '__proto__',
      400,
      '{"folders":[{"name":"a"}],"__proto__":{"folders":[]}}',
      json,
      'Expected the name of a field at __proto__, found __proto__; leave it out.',
    ],
    [
      '10,000 levels',
      400,
      `{"folders":${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
      json,
      'Expected blocks nested at most 64 levels deep in one call, found more; add the inner ones to their page by a further call.',
    ],
    [
      '6 MB',
      413,
      `{"folders":[{"name":"${'x'.repeat(6_000_000)}"}]}`,
      json,
      'Expected a call of less than 5 MiB, found more; split it into several calls.',
    ],
  ])('%s: rejected', async (_, status, body, headers, message) => {
    const { refused, ask } = await askerOf()
    expect(await refused(status, 'POST /folders', body, headers)).toBe(message)
    expect((await ask('GET /folders')).json.items).toHaveLength(3)
  })

  test('invalid UTF-8: the error has the position, and a real replacement character before it is valid', async () => {
    const { refused } = await askerOf()
    const bytes = Buffer.concat([Buffer.from('{"folders": "é\ufffd'), Buffer.of(0xe9), Buffer.from('"}')])
    expect(await refused(400, 'POST /folders', new Uint8Array(bytes), json)).toBe(
      'Expected a body in UTF-8, found the byte E9 after 18 bytes; convert it.',
    )
    expect(await refused(400, 'POST /folders', Uint8Array.of(0x7b, 0xf0, 0x9f), json)).toBe(
      'Expected a body in UTF-8, found the byte F0 after 1 bytes; convert it.',
    )
  })

  const tooLarge = 'Expected a body of at most 10 MiB, found more; split the call.'

  test('a body that is too large is read no further than the limit', async () => {
    let given = 0
    let isCanceled = false
    const stream = new ReadableStream({
      pull(controller) {
        given += 1
        controller.enqueue(new Uint8Array(1024 * 1024))
      },
      cancel() {
        isCanceled = true
      },
    })
    const { refused } = await askerOf()
    expect(await refused(413, 'POST /folders', stream, json)).toBe(tooLarge)
    expect(isCanceled).toBe(true)
    expect(given).toBeLessThan(14)
  })

  test('a length that is too large is rejected before anything is read', async () => {
    const { refused } = await askerOf()
    const headers = { ...json, 'content-length': '10485761' }
    expect(await refused(413, 'POST /folders', new ReadableStream({}), headers)).toBe(tooLarge)
  })

  test('a body that is cut off writes nothing', async () => {
    const { refused, ask } = await askerOf()
    const whole = '{"folders":[{"name":"F"}]}   '
    const message = 'Expected the whole body, found it cut off after 29 bytes; send it again, nothing was written.'
    expect(await refused(400, 'POST /folders', whole, { ...json, 'content-length': '100' })).toBe(message)
    const broken = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode(whole)),
      pull: (controller) => controller.error(new Error('reset by peer')),
    })
    expect(await refused(400, 'POST /folders', broken, json)).toBe(message)
    expect((await ask('GET /folders')).json.items).toHaveLength(3)
  })

  test('path, body and query must agree', async () => {
    const { refused } = await askerOf()
    expect(await refused(400, 'PUT /collections/a/active-view', { collectionId: 'b', viewId: 'v' })).toBe(
      'Expected "collectionId" once, found it in the path and otherwise in the body; leave it out of the body.',
    )
    expect(await refused(400, 'PUT /collections/a/active-view?viewId=w', { viewId: 'v' })).toBe(
      'Expected "viewId" once, found it in the body and otherwise in the query; leave it out of the query.',
    )
    expect(await refused(400, 'GET /collections/a/items?collectionId=b')).toBe(
      'Expected "collectionId" once, found it in the path and otherwise in the query; leave it out of the query.',
    )
    expect(await refused(400, 'POST /folders?colour=a', { folders: [{ name: 'F' }] })).toMatch(
      /^Expected one of folders, answer, found the unknown key "colour"; use one of these instead\.$/,
    )
  })
})

describe('Markdown as the body of POST /blocks', () => {
  const markdown = { 'content-type': 'text/markdown; charset=utf-8' }
  const position = encodeURIComponent('{"position":"end","date":"today"}')

  test('is accepted on daily connections, with the position in the query', async () => {
    const { ask } = await askerOf({ kind: 'daily' })
    const added = await ask(`POST /blocks?position=${position}`, '# Hé\n\n- [ ] task', markdown)
    expect(added.json.items.map((one: { markdown: string }) => one.markdown)).toEqual(['# Hé', '- [ ] task'])
    const ids = await ask(`POST /blocks?position=${position}&answer=ids`, 'more', markdown)
    expect(ids.json.items[0]).not.toHaveProperty('markdown')
    expect((await ask('GET /blocks')).json.content).toHaveLength(3)
  })

  test('with an invalid position, or other fields, is rejected', async () => {
    const { refused } = await askerOf({ kind: 'daily' })
    expect(await refused(400, 'POST /blocks', 'a', markdown)).toBe(
      'At position: Expected an object, found none; give it.',
    )
    expect(await refused(400, `POST /blocks?position={end}`, 'a', markdown)).toBe(
      'Expected a key in double quotes or } at line 1, column 2 of the parameter position, which is to be JSON, found "end"; correct it there.',
    )
    expect(await refused(400, `POST /blocks?position=${position}&markdown=b`, 'a', markdown)).toBe(
      'Expected "markdown" once, found it in the body and otherwise in the query; leave it out of the query.',
    )
    expect(await refused(415, `POST /blocks?position=${position}`, 'a', { 'content-type': 'text/plain' })).toBe(
      'Expected a body of application/json or text/markdown, found text/plain; send it as that, with the header Content-Type: application/json.',
    )
  })

  test('is rejected on other connections', async () => {
    const { refused } = await askerOf()
    expect(await refused(415, `POST /blocks?position=${position}`, 'a', markdown)).toBe(
      'Expected a body of application/json, found text/markdown; only daily connections take that here, put the text into the field markdown of a JSON object.',
    )
  })
})

test('a file as the body is streamed, with the fields of the query', async () => {
  const upload = endpoint({
    name: 'upload',
    title: 'Upload',
    description: 'Takes a file.',
    route: 'POST /upload',
    effect: 'add',
    rawBody: true,
    input: byKind(() => z.strictObject({ fileName: z.string().min(1).optional() })),
    handle: async () => ({ mediaType: 'application/json' as const, body: '{}' }),
  })
  const seen: unknown[] = []
  const { ask, refused } = await askerOf({
    endpoints: [upload],
    call: async (_, args, { body }) => {
      seen.push(
        { ...(args as object) },
        body?.mediaType,
        new Uint8Array(body?.stream ? await arrayBuffer(body.stream as ReadableStream) : []),
      )
      return { object: {} }
    },
  })
  await ask('POST /upload?fileName=a%20b.png', Uint8Array.of(0, 255), { 'content-type': 'image/PNG' })
  await ask('POST /upload')
  expect(seen).toEqual([{ fileName: 'a b.png' }, 'image/png', Uint8Array.of(0, 255), {}, undefined, new Uint8Array()])
  await ask('POST /upload?fileName=')
  expect(seen.slice(6)).toEqual([{}, undefined, new Uint8Array()])
  expect(await refused(400, 'POST /upload?fileName')).toBe('At fileName: Expected a value, found none; give it one.')
})
