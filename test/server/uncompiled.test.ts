import { expect, test } from 'vitest'
import { z } from 'zod'

test('schemas of the SDK are read as they stand, those of the tools compiled', async () => {
  await import('../../src/server/stdio.ts')
  expect(z.config().jitless).toBe(true)
  await import('../../tools/index.ts')
  expect(z.config().jitless).toBe(false)
})
