/** What fails on a page while nothing waits for it is shown there. */
import { setImmediate } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { inBackground } from '../../../src/page/assets/page-background.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test('the page shows the reason once, and the console has the error', async () => {
  const shown: object[] = []
  const paragraph = { setAttribute: () => {}, textContent: '' }
  vi.stubGlobal('document', {
    createElement: () => paragraph,
    getElementById: () => ({ prepend: (element: object) => shown.push(element) }),
  })
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  const error = new Error('Failed to fetch')
  inBackground(() => Promise.reject(error))
  inBackground(() => {
    throw error
  })
  inBackground(async () => {})
  await setImmediate()
  expect(new Set(shown)).toEqual(new Set([paragraph]))
  expect(paragraph.textContent).toBe(
    'This page could not finish something: Failed to fetch. Load it again to see what is stored.',
  )
  expect(logged.mock.calls).toEqual([[error], [error]])
})
