import { expect, test, vi } from 'vitest'
import { readMarkdownInWorker } from '../../src/markdown/markdown-in-worker.ts'

vi.mock('../../src/base/limits.ts', async (original) => ({ ...(await original<object>()), MARKDOWN_SECONDS: 0.001 }))

test('a text that takes too long is rejected, and the next one is read', async () => {
  await expect(readMarkdownInWorker('Some *ordinary* words.\n\n'.repeat(100_000))).rejects.toThrow(
    'Expected Markdown that can be read within 0.001 seconds, found a text that takes longer; nothing was written, give it in smaller parts.',
  )
  expect(await readMarkdownInWorker('words')).toEqual([{ type: 'text', text: 'words' }])
})
