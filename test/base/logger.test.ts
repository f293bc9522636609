import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openLogger } from '../../src/base/logger.ts'

const messages = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).msg)

test('lines of one event loop turn are written together, in order', async () => {
  const written: string[] = []
  const journal = openLogger('info', { write: (text) => void written.push(text) })
  journal.warn('one')
  journal.warn('two')
  expect(written).toEqual([])
  await setImmediate()
  journal.warn('three')
  await setImmediate()
  expect(written.map(messages)).toEqual([['one', 'two'], ['three']])
})

test('the last line is written before the process exits', () => {
  const written: string[] = []
  const before = process.listeners('exit')
  const journal = openLogger('info', { write: (text) => void written.push(text) })
  const [end] = process.listeners('exit').filter((one) => !before.includes(one))
  journal.warn('last')
  end?.(0)
  expect(written.map(messages)).toEqual([['last']])
})

test('control characters are escaped', async () => {
  const written: string[] = []
  const journal = openLogger('info', { write: (text) => void written.push(text) })
  journal.warn('a\u202eb')
  await setImmediate()
  expect(written.join('')).toContain('a\\u202eb')
})
