/** The program of docs/hand-over.md proposes what a comment asks for, once, and the approval resolves the thread. */
import { expect, inject, test } from 'vitest'
import { handOver } from '../demo/hand-over.ts'
import { folder } from '../program.ts'

test('a mention becomes one proposal, also of a program that was away, and its approval resolves the thread', async () => {
  const path = folder()
  const handed = await handOver(path, { script: inject('bundledProgram'), cwd: path })
  expect(handed.output).toMatch(/^Owner asks about: [\s\S]*waiting\nOwner asks about: [\s\S]*waiting\n$/)
  expect(handed.proposals).toMatchObject([{ author: 'Editor', summary: '"Plan": 1 block changed, 1 comment changed' }])
  expect(handed.diff).toMatch(/^\+.*A very long way/m)
  expect(handed.text).toBe('A very long way.')
  expect(handed.comments).toMatchObject([{ author: 'Owner', resolvedBy: 'Editor' }])
})
