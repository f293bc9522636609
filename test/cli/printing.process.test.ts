/** Control characters in the arguments of the program. */
import { expect, test } from 'vitest'
import { run } from '../program.ts'

test('are on one line in an error', async () => {
  const response = await run(['links', 'add', '--kind', '\u001b[2J\nforged'])
  expect(response.errors).toBe('Expected one of full, selected, daily as --kind, found \\u001b[2J\\nforged.\n')
})
