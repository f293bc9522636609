import { expect, test } from 'vitest'
import { findLosses } from '../../src/losses/find-losses.ts'

test('compares in a thread', async () => {
  expect(await findLosses('24. Dezember', [{ type: 'text', text: 'Dezember' }])).toEqual({
    losses: [{ kind: 'number', value: '24', line: 1 }],
    compared: 'all',
  })
})

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
