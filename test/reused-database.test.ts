/** Spaces of tests share databases in memory, and see nothing of each other. */
import { expect, test } from 'vitest'
import { OPERATOR_LINK, type Space } from '../src/space/model/space.ts'
import { buildSpace } from './build.ts'
import { connectionOf } from './sqlite.ts'
import { preparedSpace } from './support/prepared-space.ts'

/** Spaces that follow each other on one database. */
const spaces = preparedSpace(async () => undefined)

const count = async ({ tx }: Space): Promise<unknown> =>
  connectionOf(tx).sql('SELECT count(*) AS count FROM folder').get()
const add = async ({ tx }: Space): Promise<unknown> =>
  connectionOf(tx).sql("INSERT INTO folder (id, name, created_at) VALUES (100000000001, 'F', 0)").run()

test('what was written is gone with its space', async () => {
  const first = await spaces()
  await first.space.write(OPERATOR_LINK, add)
  expect(await first.space.read(OPERATOR_LINK, count)).toEqual({ count: 1 })
  await first.space.close()
  await expect(first.space.read(OPERATOR_LINK, count)).rejects.toThrow('found it closed')
  const second = await spaces()
  expect(await second.space.read(OPERATOR_LINK, count)).toEqual({ count: 0 })
})

test('spaces that are open at once do not share a database', async () => {
  const [one, other] = [await spaces(), await spaces()]
  await one.space.write(OPERATOR_LINK, add)
  expect(await other.space.read(OPERATOR_LINK, count)).toEqual({ count: 0 })
})

test('a write that fails leaves nothing, and those before it are kept', async () => {
  const { space } = await buildSpace()
  await space.write(OPERATOR_LINK, add)
  const failing = space.write(OPERATOR_LINK, async ({ tx }) => {
    connectionOf(tx).sql('DELETE FROM folder').run()
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect(await space.read(OPERATOR_LINK, count)).toEqual({ count: 1 })
})

test('deferred references are checked at the end of each write', async () => {
  const { space } = await buildSpace()
  const failing = space.write(OPERATOR_LINK, async ({ tx }) => {
    await tx.deferReferences()
    connectionOf(tx).sql("INSERT INTO folder (id, parent, name, created_at) VALUES (100000000001, 99, 'F', 0)").run()
  })
  await expect(failing).rejects.toThrow('FOREIGN KEY constraint failed')
  expect(await space.read(OPERATOR_LINK, count)).toEqual({ count: 0 })
  const immediate = space.write(OPERATOR_LINK, async ({ tx }) => {
    connectionOf(tx).sql("INSERT INTO folder (id, parent, name, created_at) VALUES (100000000001, 99, 'F', 0)").run()
  })
  await expect(immediate).rejects.toThrow('FOREIGN KEY constraint failed')
})
