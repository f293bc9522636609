/**
 * Files whose bytes are missing or were changed on the disk are refused with an explanation, and never served as if
 * they were intact.
 */
import { randomFillSync } from 'node:crypto'
import { globSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { connect } from '../connect.ts'
import { png } from '../picture.ts'
import { eventually } from '../support/eventually.ts'
import { type FileServing, send, serveFiles } from './files-asker.ts'

const SENTENCE = (what: string) =>
  `Expected the bytes of the file as they were added, found that they ${what} on the disk of this server; add the file again, or restore a backup (\`scriptorium doctor\` lists such files).`
const MISSING = { error: SENTENCE('are missing'), code: 'FILE_DAMAGED' }
const ALTERED = { error: SENTENCE('were changed'), code: 'FILE_DAMAGED' }

/** The log has one line without a stack trace, no matter why a response was cut off. */
const cutOffLine = (file: string) =>
  expect.stringMatching(
    new RegExp(
      `^\\S{36} FILE_DAMAGED The answer with the file ${file.split('/').slice(-2).join('')} was cut off: Expected the bytes [^\n]*$`,
    ),
  )

/** Collects what libraries print without using the log. */
function consoleLines(): unknown[] {
  const printed: unknown[] = []
  for (const name of ['error', 'info', 'warn'] as const) {
    const spy = vi.spyOn(console, name).mockImplementation((...line) => void printed.push(line))
    onTestFinished(() => spy.mockRestore())
  }
  return printed
}

const only = ({ path }: FileServing): string => globSync(`${path}.files/??/*`)[0] ?? ''

/** Changes one byte, so that the size stays the same. */
function alter(path: string, at: number): void {
  const bytes = readFileSync(path)
  bytes[at] = (bytes[at] ?? 0) ^ 1
  writeFileSync(path, bytes)
}

async function serveOne(bytes: Uint8Array) {
  const serving = await serveFiles()
  const { rest } = await serving.link()
  const { json } = await send('POST', `${rest}/upload?position=end&date=today`, bytes)
  const get = (range?: string) => fetch(json.assetUrl, { headers: range === undefined ? {} : { range } })
  return { serving, rest, get, file: only(serving) }
}

describe('a small file over HTTP', () => {
  test.each([
    ['that is missing', (file: string) => rmSync(file), MISSING],
    ['of which a byte was changed', (file: string) => alter(file, 1), ALTERED],
    ['that was cut', (file: string) => writeFileSync(file, 'ab'), ALTERED],
  ])('%s is rejected, in whole and in part', async (_, plant, refusal) => {
    const { get, file } = await serveOne(Buffer.from('abcdef'))
    plant(file)
    for (const range of [undefined, 'bytes=4-5']) {
      const answer = await get(range)
      expect([answer.status, await answer.json()]).toEqual([500, refusal])
    }
  })

  test('is available again after it was added again', async () => {
    const { serving, rest, get, file } = await serveOne(Buffer.from('abcdef'))
    alter(file, 1)
    await send('POST', `${rest}/upload?position=end&date=today`, Buffer.from('abcdef'))
    expect(await (await get()).text()).toBe('abcdef')
    expect(serving.kept()).toHaveLength(1)
  })
})

describe('a large file over HTTP', () => {
  const bytes = randomFillSync(Buffer.alloc(1024 * 1024 + 100_000))

  test('is served in whole and in part', async () => {
    const { get } = await serveOne(bytes)
    expect(Buffer.compare(Buffer.from(await (await get()).arrayBuffer()), bytes)).toBe(0)
    for (const [range, part] of [
      ['bytes=0-', bytes],
      ['bytes=5-9', bytes.subarray(5, 10)],
      ['bytes=1048570-1048580', bytes.subarray(1048570, 1048581)],
    ] as const) {
      const answer = await get(range)
      expect(answer.status).toBe(206)
      expect(Buffer.compare(Buffer.from(await answer.arrayBuffer()), part), range).toBe(0)
    }
  })

  test('with a changed byte is cut off before its end, and no part of it is served', async () => {
    const { serving, get, file } = await serveOne(bytes)
    const printed = consoleLines()
    expect((await get('bytes=5-9')).status).toBe(206)
    alter(file, 700_000)
    for (let time = 0; time < 2; time++) await expect((async () => (await get()).arrayBuffer())()).rejects.toThrow()
    expect(serving.noted).toEqual([cutOffLine(file)])
    expect(printed).toEqual([])
    const part = await get('bytes=5-9')
    expect([part.status, await part.json()]).toEqual([500, ALTERED])
    // Other requests still work.
    expect((await get('bytes=9999999-')).status).toBe(416)
  })

  test('that is truncated while a part is sent ends the connection, with one line in the log', async () => {
    const { serving, get, file } = await serveOne(randomFillSync(Buffer.alloc(16 * 1024 * 1024)))
    const printed = consoleLines()
    const answer = await get('bytes=1-')
    const reader = answer.body?.getReader()
    expect((await reader?.read())?.done).toBe(false)
    // The rest is not read from the file yet: socket buffers hold less than that.
    truncateSync(file, 1024 * 1024)
    const rest = async () => {
      while ((await reader?.read())?.done === false);
    }
    await expect(rest()).rejects.toThrow()
    expect(serving.noted).toEqual([cutOffLine(file)])
    expect(printed).toEqual([])
  })

  test('that a client stops reading is not an error', async () => {
    const { serving, get } = await serveOne(randomFillSync(Buffer.alloc(16 * 1024 * 1024)))
    const printed = consoleLines()
    await (await get()).body?.cancel()
    await eventually(() => expect(serving.requests.at(-1)).toMatchObject({ method: 'GET', status: 200 }))
    expect([serving.noted, printed]).toEqual([[], []])
  })

  test('that was truncated is rejected before its first byte', async () => {
    const { get, file } = await serveOne(bytes)
    writeFileSync(file, bytes.subarray(0, 1_000_000))
    const answer = await get()
    expect([answer.status, await answer.json()]).toEqual([500, ALTERED])
  })
})

test('it is reported in words as a resource and as an image of a block', async () => {
  const serving = await serveFiles()
  const connected = await connect('full', { to: serving })
  const { blockId, assetUrl } = await connected.call('files_add', {
    position: { position: 'end', date: 'today' },
    data: png(2, 2).toString('base64'),
  })
  alter(only(serving), 20)
  await expect(connected.client.readResource({ uri: assetUrl })).rejects.toThrow(ALTERED.error)
  const { content } = await connected.client.callTool({
    name: 'blocks_get',
    arguments: { id: blockId, images: true },
  })
  expect(JSON.stringify(content)).toContain(
    `No picture of ${blockId}: its bytes are missing or changed on the disk of this server; add the file again, or restore a backup.`,
  )
  rmSync(join(`${serving.path}.files`), { recursive: true })
  await expect(connected.client.readResource({ uri: assetUrl })).rejects.toThrow(MISSING.error)
})
