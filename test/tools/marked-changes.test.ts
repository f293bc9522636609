/** Every call that writes marks its changes: revisions change, and the change counter notifies watchers. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import { documentsChangedAfter, getChangeCounter } from '../../storage/changes.ts'
import { endpoints } from '../../tools/index.ts'
import { call } from '../prove/test-client/test-client.ts'
import type { Things } from '../prove/test-client/things.ts'
import { type Args, validCalls } from '../prove/test-client/valid-calls.ts'
import { spaceOfThings } from '../support/space-of-things.ts'

/** Tools that write without changing the content of a document. */
const UNMARKED: Readonly<Record<string, string>> = {
  reminders_add: 'reminders are personal',
  reminders_update: 'reminders are personal',
  reminders_delete: 'reminders are personal',
}
/** Tools that change which documents there are and where, so that the list of documents changes. */
const LISTED = ['documents_move', 'documents_delete', 'folders_add', 'folders_move', 'folders_update', 'folders_delete']

/** Decisions on proposals have tests of their own, and so have marks of what was read, which change no document. */
const writers = new Set(
  endpoints
    .filter(({ effect, isRestOnly }) => effect !== 'read' && effect !== 'decide' && !isRestOnly)
    .map(({ name }) => name),
)

/** The calls that write, on things that each test creates for itself. */
const writingCalls = (own: Things) =>
  validCalls('full', own).filter(([name, args]) => writers.has(name) && !movesNowhere(name, args))

/** True if a task is moved to the document that contains it already, which changes nothing. */
const movesNowhere = (name: string, args: Args): boolean =>
  name === 'tasks_update' && JSON.stringify(args).includes('"location":{"type":"document"')
const calls = writingCalls(new Proxy({} as Things, { get: () => 'x' }))

test('all writing tools are called', () => {
  expect([...writers].filter((name) => !calls.some(([called]) => called === name))).toEqual([])
})

test.each(calls.map(([name], index) => [name, index] as const))(
  '%s marks what it changed (call %i)',
  async (name, index) => {
    const { space, client, own } = await spaceOfThings()
    const [, args] = writingCalls(own)[index] ?? []
    const before = await space.read(OPERATOR_LINK, ({ tx }) => getChangeCounter(tx))
    expect(await call(client, name, args ?? {})).toMatchObject({ isRefused: false })
    const [after, changed] = await space.read(OPERATOR_LINK, async ({ tx }) => [
      await getChangeCounter(tx),
      await documentsChangedAfter(tx, before.value),
    ])
    await client.close()
    expect(after.value).toBe(before.value + 1)
    if (LISTED.includes(name))
      expect(changed.length > 0 || after.listing > before.listing || name.startsWith('folders')).toBe(true)
    else expect(changed.length > 0).toBe(!(name in UNMARKED))
  },
)

describe('rows of blocks', () => {
  test('are written by one file, which marks their documents', () => {
    const root = join(import.meta.dirname, '../..')
    const writing =
      /\b(insertBlocks|updateBlock|setBlockPlace|setBlockDocument|deleteBlocks)\b[^;]*?from '[./]*storage\/blocks\.ts'/
    const files = globSync('src/**/*.ts', { cwd: root }).filter((file) => {
      const imports = readFileSync(join(root, file), 'utf8').match(/import [^;]*?from '[^']+'/g) ?? []
      return imports.some((text) => writing.test(text) || /import \* as \w+ from '[./]*storage\/blocks\.ts'/.test(text))
    })
    expect(files).toEqual(['src/space/model/block-writes.ts'])
  })
})
