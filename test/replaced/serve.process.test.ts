/** A file that is replaced under `serve` in another process: acknowledged writes are kept, and no more are accepted. */
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openSpace } from '../../src/space/open-space.ts'
import { documentBy, makeLink } from '../http/serving.ts'
import { folder, startServe } from '../program.ts'
import { closedSpace, titlesOf } from './closed-space.ts'

const REPLACED =
  'Expected the file of this space to stay the same while it is open, found another in its place; nothing was read. Restart the server to serve the one that is there now.'

test('calls get 503 with what to do, and both files keep what was written to them', async () => {
  const path = folder()
  const file = await closedSpace(join(path, 'space.sqlite'), 'Here before')
  const server = await startServe('--space', file)
  const space = await openSpace(file)
  const { ask } = await makeLink({ space, clock: { now: Date.now() } }, server.origin)
  await space.close()
  await documentBy({ ask }, '', 'Acknowledged')
  renameSync(file, join(path, 'away.sqlite'))
  renameSync(await closedSpace(join(path, 'other.sqlite'), 'Another'), file)

  const refused = await Promise.all([ask('POST /documents', { documents: [{ title: 'Lost' }] }), ask('GET /documents')])
  // The link is looked up first, by whichever call.
  for (const { status, json } of refused)
    expect([status, json]).toEqual([503, { error: REPLACED, code: 'SPACE_REPLACED' }])

  expect(await server.end()).toBe(0)
  expect(await titlesOf(join(path, 'away.sqlite'))).toEqual(['Acknowledged', 'Here before'])
  expect(await titlesOf(file)).toEqual(['Another'])
})
