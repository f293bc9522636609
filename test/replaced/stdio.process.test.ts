/** A file that is deleted under a host's own process: nothing is acknowledged from then on. */
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { connectProcess, folder, structured } from '../program.ts'
import { closedSpace } from './closed-space.ts'

const moved = (outcome: string) =>
  `Expected the file of this space to stay in its place while it is open, found that it was moved or deleted; ${outcome}. Put it back, or restart the server to serve what is there now.`

test('writes and reads are rejected with what to do, and no new file takes its place', async () => {
  const file = await closedSpace(join(folder(), 'space.sqlite'), 'Here before')
  const client = await connectProcess(file)
  const add = (title: string) => client.callTool({ name: 'documents_add', arguments: { documents: [{ title }] } })
  expect((await add('Acknowledged')).isError).not.toBe(true)
  rmSync(file)
  const lost = await add('Lost')
  expect(lost).toMatchObject({ isError: true, content: [{ type: 'text', text: moved('nothing was written') }] })
  await expect(structured(client, 'documents_list')).rejects.toThrow(moved('nothing was read'))
  await client.close()
  expect(existsSync(file)).toBe(false)
})
