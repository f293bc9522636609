/** An agent that starts the program itself acts with a link, so that a person sees what it does and can stop it. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { connectProcess, folder, runHere } from '../program.ts'

const space = () => join(folder(), 'space.sqlite')

test('stdio --link: a person pauses, resumes and revokes the link of a running agent', async () => {
  const at = space()
  const run = async (...line: string[]) => runHere([...line, '--space', at])
  const { id } = JSON.parse((await run('links', 'add', '--name', 'Robot', '--access', 'no-delete', '--json')).output)
  const client = await connectProcess(at, '--link', id)
  expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain('documents_delete')
  const add = async () => {
    const answer = await client.callTool({ name: 'documents_add', arguments: { documents: [{ title: 'A' }] } })
    const [{ text = '' } = {}] = answer.content as { text?: string }[]
    return answer.isError === true ? text : 'added'
  }
  expect(await add()).toBe('added')
  const { items } = JSON.parse((await run('history', '--link', id, '--json')).output)
  expect(items).toMatchObject([{ author: 'Robot' }])

  await run('links', 'pause', id)
  expect(await add()).toMatch(/paused/)
  await run('links', 'resume', id)
  expect(await add()).toBe('added')

  await run('links', 'revoke', id)
  await expect(add()).rejects.toThrow(`Expected the ID of a link that is in use as --link, found ${id}`)
  await client.close()
})

test('a link has its own reach, and has to exist', async () => {
  const at = space()
  expect((await runHere(['stdio', '--space', at, '--link', 'abc', '--access', 'read'])).errors).toBe(
    'Expected --link without --access, found both; the link says what it reaches and may do.\n',
  )
  expect(await runHere(['stdio', '--space', at, '--link', 'abc'])).toMatchObject({
    code: 2,
    errors:
      'Expected the ID of a link that is in use as --link, found abc; run links list to see them, or links add to make one.\n',
  })
})
