/** Control characters in what the program is started with. */
import { expect, test } from 'vitest'
import { run } from '../program.ts'

test('are one line in the sentence of an error', async () => {
  const told = await run(['links', 'add', '--kind', '\u001b[2J\nforged'])
  expect(told.errors).toBe('Expected one of full, selected, daily as --kind, found \\u001b[2J\\nforged.\n')
})
