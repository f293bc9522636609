/** Threads that render for pages and calls are shared fairly: what they do counts for the link that asks for it. */
import { afterEach, expect, test, vi } from 'vitest'
import { ownerOfWork } from '../../src/base/fair-queue.ts'
import { WorkerThread } from '../../src/base/worker.ts'
import { connect } from '../connect.ts'
import { servePages, visitByLink } from './visiting.ts'

afterEach(() => vi.restoreAllMocks())

/** Collects for whom threads work. They answer nothing in time. */
function collectOwners(): string[] {
  const owners: string[] = []
  vi.spyOn(WorkerThread.prototype, 'run').mockImplementation(async () => {
    owners.push(ownerOfWork())
    return { result: 'timeout', elapsed: 0 }
  })
  return owners
}

/** More blocks than one part of a page has, each with a formula and code. */
const LONG = Array.from({ length: 155 }, () => 'Sum $x^2$')
  .join('\n\n')
  .concat('\n\n```js\nlet a = 1\n```\n\nAnd $y$')

test('all parts of a page count for its link, also those that the browser takes later', async () => {
  const serving = await servePages()
  const { call } = await connect('full', { to: serving })
  const { items } = await call('documents_add', { documents: [{ title: 'Long', markdown: LONG }] })
  const visits = [await visitByLink(serving), await visitByLink(serving)]
  const owners = collectOwners()
  for (const visit of visits) expect((await visit.get(`/d/${items[0].id}`)).text).toContain('And ')
  const counted = Map.groupBy(owners, (owner) => owner)
  expect([...counted.keys()].every((owner) => owner.startsWith(`${serving.space.info.id} `))).toBe(true)
  expect([...counted.values()].map(({ length }) => length)).toEqual([owners.length / 2, owners.length / 2])
  // Parts of formulas, and one of code.
  expect(owners.length / 2).toBeGreaterThan(2)
})

test('calls count for their link', async () => {
  const serving = await servePages()
  const { call } = await connect('full', { to: serving })
  const { items } = await call('documents_add', { documents: [{ title: 'A' }] })
  const owners = collectOwners()
  const position = { position: 'end', pageId: items[0].id }
  await call('blocks_add', { position, markdown: '[a](b) '.repeat(10_000) }).catch(() => {})
  expect(new Set(owners)).toEqual(new Set([`${serving.space.info.id} `]))
})
