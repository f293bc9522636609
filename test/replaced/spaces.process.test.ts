/** A file that is replaced under `serve --spaces`: the new one is opened. */
import { copyFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openSpace } from '../../src/space/open-space.ts'
import { askAt, documentBy, makeLink } from '../http/serving.ts'
import { folder, startServe } from '../program.ts'
import { closedSpace, titlesOf } from './closed-space.ts'

test('the space is opened again, and writes go to the file in its place', async () => {
  const path = folder()
  const file = await closedSpace(join(path, 'space.sqlite'), 'Here before')
  const space = await openSpace(file)
  const { secret } = await makeLink({ space, clock: { now: Date.now() } }, 'http://localhost')
  await space.close()
  // An older copy of the same space, as from a backup.
  copyFileSync(file, join(path, 'older'))
  const server = await startServe('--spaces', path)
  const ask = askAt(`${server.origin}/links/${secret}/api/v1`)
  await documentBy({ ask }, '', 'Written before')
  renameSync(file, join(path, 'away'))
  renameSync(join(path, 'older'), file)
  await documentBy({ ask }, '', 'Written after')
  expect(await server.end()).toBe(0)
  // Checked only now, since a response may arrive before what the server wrote to standard error earlier.
  expect(server.errors()).toContain(`Expected ${file} to stay the same file while it is open, found it replaced`)
  expect(await titlesOf(join(path, 'away'))).toEqual(['Here before', 'Written before'])
  expect(await titlesOf(file)).toEqual(['Here before', 'Written after'])
})
