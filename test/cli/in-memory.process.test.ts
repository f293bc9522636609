import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { connectWith, folder, root } from '../program.ts'

test('a space in memory leaves no file where the program was started', async () => {
  const cwd = folder()
  const client = await connectWith([`${root}/src/start.js`, 'stdio', '--space', ':memory:'], cwd)
  await client.callTool({ name: 'documents_list', arguments: {} })
  await client.close()
  expect(readdirSync(cwd)).toEqual([])
})
