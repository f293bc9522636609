/** What tasks wait for, in exports as Markdown. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { obsidianFormat } from '../../src/import/markdown/markdown-format.ts'
import { openSource } from '../../src/import/open-source.ts'
import { runImport } from '../../src/import/run-import.ts'
import { leaveOutSpaces } from '../../src/import/spaces/leave-out-spaces.ts'
import { type Connected, connect } from '../connect.ts'
import { exportOf, importOf } from './vault-exports.ts'

/** Two documents with tasks: `Pour` waits for `Dig` of the same one, `Build` for both. */
async function plan() {
  const connected = await connect()
  const { call } = connected
  const add = async (title: string, markdown: string) => {
    const { items } = await call('documents_add', { documents: [{ title, markdown }] })
    const { content } = await call('blocks_get', { id: items[0].id, format: 'json' })
    return [items[0].id, ...content.map(({ id }: { id: string }) => id)] as string[]
  }
  const [ground = '', dig = '', pour = ''] = await add('Ground 100% [a]', '- [ ] Dig\n- [ ] Pour `%%`')
  const [house = '', build = ''] = await add('House', '- [ ] Build')
  await wait(connected, pour, dig)
  await wait(connected, build, dig, pour)
  return { ...connected, ground, house, dig, pour, build }
}

const wait = ({ call }: Connected, id: string, ...blockedBy: string[]) =>
  call('tasks_update', { tasksToUpdate: [{ id, blockedBy }] })

/** What each task waits for, by title. */
async function waits({ call }: Connected): Promise<Record<string, string[]>> {
  const { items } = await call('tasks_list', { scope: 'all' })
  const titles = (blockers: { title: string }[] = []) => blockers.map(({ title }) => title)
  return Object.fromEntries(
    items.map(({ markdown, blockedBy }: { markdown: string; blockedBy?: { title: string }[] }) => [
      markdown.slice(6),
      titles(blockedBy),
    ]),
  )
}

const WAITS = { Dig: [], 'Pour `%%`': ['Dig'], Build: ['Dig', 'Pour %%'] }

test('what tasks wait for is imported as it was, over documents', async () => {
  const planned = await plan()
  expect(await waits(planned)).toEqual(WAITS)
  const { path, read, report } = await exportOf(planned)
  expect(report.problems).toEqual([])
  expect(read('House.md')).toContain(
    `- [ ] Build %%blocked by [task](Ground%20100%25%20a.md#^${planned.dig}) [task](Ground%20100%25%20a.md#^${planned.pour})%%\n`,
  )
  const back = await importOf(path)
  expect(back.problems).toEqual([])
  expect(await waits(back)).toEqual(WAITS)
  const again = await importOf((await exportOf(back)).path)
  expect(await waits(again)).toEqual(WAITS)
})

test('what is not in the export is kept by its ID and reported, and what does not exist is left out', async () => {
  const planned = await plan()
  await planned.call('tasks_delete', { idsToDelete: [planned.pour] })
  const { read, report } = await exportOf(planned, [planned.house])
  expect(read('House.md')).toContain(`- [ ] Build %%blocked by [task](block://${planned.dig})%%\n`)
  expect(report.problems).toEqual([
    { path: 'House.md', message: 'A link to what is not in the export is kept as it is' },
  ])
})

test('an edited export changes what tasks wait for, and never closes a cycle', async () => {
  const planned = await plan()
  const { path } = await exportOf(planned)
  const edit = async (name: string, from: RegExp, to: string) => {
    const file = join(path, name)
    writeFileSync(file, readFileSync(file, 'utf8').replace(from, to))
    const source = await leaveOutSpaces(await openSource(path, ':memory:'))
    const options = { format: obsidianFormat, into: null, isDryRun: false }
    const { problems } = await runImport(planned.space, source, options)
    await source.close()
    return problems.map(({ message }) => message)
  }
  expect(await edit('House.md', /Build %%.*%%/, `Build it %%blocked by [task](block://${planned.dig})%%`)).toEqual([])
  expect(await waits(planned)).toEqual({ Dig: [], 'Pour `%%`': ['Dig'], 'Build it': ['Dig'] })
  const closing = `Dig %%blocked by [task](block://${planned.build})%%`
  expect(await edit('Ground 100% a.md', /Dig/, closing)).toEqual([
    expect.stringContaining('Expected tasks that do not wait for themselves'),
  ])
  expect(await waits(planned)).toEqual({ Dig: [], 'Pour `%%`': ['Dig'], 'Build it': ['Dig'] })
  expect(await edit('House.md', / %%.*%%/, ' %%blocked by [task](Gone.md#^100000000999)%%')).toContain(
    'A task that waits for one that is not there does not wait for it anymore.',
  )
  expect((await waits(planned))['Build it']).toEqual([])
})
