import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { connectWith, folder, PROGRAM, root } from '../program.ts'

test('a space in memory leaves no file where the program was started', async () => {
  const cwd = folder()
  const client = await connectWith([resolve(root, PROGRAM.script), 'stdio', '--space', ':memory:'], cwd)
  await client.callTool({ name: 'documents_list', arguments: {} })
  await client.close()
  expect(readdirSync(cwd)).toEqual([])
})
