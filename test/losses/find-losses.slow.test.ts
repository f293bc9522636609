/** Texts that take the comparison longer than its thread may run. */
import { expect, test } from 'vitest'
import { findLosses } from '../../src/losses/find-losses.ts'

test.each([
  ['nests too deep', '>'.repeat(30_000)],
  ['takes too long', 'a\n-\n'.repeat(20_000)],
])('compares words and numbers where the text %s', { timeout: 120_000 }, async (_, hostile) => {
  expect(await findLosses(`${hostile}one 2`, hostile)).toEqual({
    losses: [
      { kind: 'word', value: 'one', line: expect.any(Number) },
      { kind: 'number', value: '2', line: expect.any(Number) },
    ],
    compared: 'words',
  })
})
