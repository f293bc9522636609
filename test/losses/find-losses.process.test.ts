import { expect, test } from 'vitest'
import { findLosses } from '../../src/losses/find-losses.ts'

test('compares in a thread', async () => {
  expect(await findLosses('24. Dezember', [{ type: 'text', text: 'Dezember' }])).toEqual({
    losses: [{ kind: 'number', value: '24', line: 1 }],
    compared: 'all',
  })
})
