/** Both engines return the same bytes for the same calls, at the same time and with the same IDs. */
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type OpenSpace, openDatabaseSpace, openSpace } from '../../src/space/open-space.ts'
import { counter, TEST_DATABASE } from '../build.ts'
import { ask, call, endpointNamed, requestFor, type TestClient } from '../prove/test-client/test-client.ts'
import { makeDay, makeDocument, makePlaces, makeThings, NOW } from '../prove/test-client/things.ts'
import { validCalls } from '../prove/test-client/valid-calls.ts'
import { runs, timeOfRuns } from '../support/runs.ts'

/** Runs work on a fresh space of each engine. @returns its responses there */
async function onBoth<T>(work: (space: OpenSpace, full: TestClient) => Promise<T>): Promise<[sqlite: T, postgres: T]> {
  const on = async (open: (options: object) => Promise<OpenSpace>): Promise<T> => {
    const space = await open({ name: 'Same', timezone: 'Europe/Budapest', clock: () => NOW, ...counter() })
    try {
      return await work(space, await ask(space, await space.createAccessLink('full', [])))
    } finally {
      await space.close()
    }
  }
  const sqlite = await on((options) => openSpace(':memory:', options))
  return [sqlite, await on((options) => openDatabaseSpace(`${TEST_DATABASE}#${randomUUID()}`, options))]
}

/** The keys of cursors and of IDs of events are random for each space. */
const withoutCursors = (text: string): string =>
  text.replace(/(cursor[^\w-]+)[\w-]{40,}/gi, '$1…').replace(/evt_[\w-]{27}/g, 'evt_…')

test.each(['full', 'selected', 'daily'] as const)(
  'for one valid call of each tool, on a %s connection',
  async (kind) => {
    const [sqlite, postgres] = await onBoth(async (space, full) => {
      const places = await makePlaces(full, kind)
      const document =
        kind === 'daily'
          ? await makeDay(full, '2026-11-20', 'words')
          : await makeDocument(full, `A document of ${kind}`)
      const documents = kind === 'selected' ? [document] : []
      const things = await makeThings(full, document, kind, places, {})
      const client = await ask(space, await space.createAccessLink(kind, documents))
      const answers: string[] = []
      for (const [tool, args] of validCalls(kind, things)) {
        const found = endpointNamed(client.table, tool)
        const request = found.endpoint.isRestOnly ? requestFor(found, args) : undefined
        const { text } = request === undefined ? await call(client, tool, args) : await client.rest(request)
        answers.push(`${tool}: ${withoutCursors(text)}`)
      }
      return answers
    })
    expect(postgres).toEqual(sqlite)
    expect(sqlite.length).toBeGreaterThan(30)
  },
)

test.each([false, true])('for the undo of one valid call of each tool, as a dry run (%s)', async (dryRun) => {
  const [sqlite, postgres] = await onBoth(async (_, full) => {
    const places = await makePlaces(full, 'full')
    const things = await makeThings(full, await makeDocument(full, 'A document'), 'full', places, {})
    const answers: string[] = []
    for (const [tool, args] of validCalls('full', things)) {
      if (endpointNamed(full.table, tool).endpoint.isRestOnly) continue
      const before = await call(full, 'history_list', { format: 'json', limit: 1 })
      await call(full, tool, args)
      const after = await call(full, 'history_list', { format: 'json', limit: 1 })
      if (after.text === before.text) continue
      const [{ callId }] = JSON.parse(after.text).items
      const { text } = await call(full, 'history_undo', { calls: [callId], skipConflicts: true, dryRun })
      answers.push(`${tool}: ${text}`)
    }
    const { items } = JSON.parse((await call(full, 'history_list', { format: 'json', limit: 100 })).text)
    const calls = items.map(({ callId }: { callId: string }) => callId)
    for (const some of [calls, calls.filter((_: string, index: number) => index % 3 > 0)]) {
      answers.push((await call(full, 'history_undo', { calls: some, skipConflicts: true, dryRun })).text)
      answers.push((await call(full, 'history_list', { format: 'json', limit: 100 })).text)
    }
    return answers.map(withoutCursors)
  })
  expect(postgres).toEqual(sqlite)
  expect(sqlite.length).toBeGreaterThan(20)
})

const word = fc.constantFrom(
  'Árvíz',
  'arviz',
  'ÁRVÍZ',
  'Straße',
  'strasse',
  'ﬁn',
  'fin',
  'Ω',
  '日本語',
  '3.14',
  '-7',
  "o'neil",
  'naïve',
  '%',
  '_',
  '\\',
  '👩‍👩‍👧',
)
const markdown = fc.array(
  fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' ')),
  { maxLength: 4 },
)

const RUNS = runs(40, 200)

test('for search with letters of any script and case', { timeout: timeOfRuns(RUNS) }, async () => {
  const written = fc.array(fc.record({ title: word, lines: markdown }), { minLength: 1, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(written, fc.array(word, { minLength: 1, maxLength: 4 }), async (documents, queries) => {
      const [sqlite, postgres] = await onBoth(async (_, full) => {
        const answers: string[] = []
        const compare = async (tool: string, args: object) =>
          void answers.push(`${tool}: ${withoutCursors((await call(full, tool, args)).text)}`)
        for (const { title, lines } of documents) {
          await compare('documents_add', { documents: [{ title, markdown: lines.join('\n\n') }] })
        }
        await compare('documents_list', {})
        for (const query of queries) {
          await compare('documents_search', { include: query })
          await compare('documents_search', { regexps: query.replace(/[\\%]/g, '.') })
        }
        await compare('documents_list', { location: 'nowhere' })
        return answers
      })
      expect(postgres).toEqual(sqlite)
    }),
    { numRuns: RUNS },
  )
})
