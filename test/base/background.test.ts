/** Work in the background: its failure is logged, and nothing else happens. */
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { BackgroundWork, errorForLog, inBackground, tryAndLog } from '../../src/base/background.ts'
import { ScriptoriumError } from '../../src/base/errors.ts'

const FAILURES: Record<string, () => unknown> = {
  'a rejection': () => Promise.reject(new ScriptoriumError('CONFLICT', 'no')),
  'an error that is thrown at once': () => {
    throw new ScriptoriumError('CONFLICT', 'no')
  },
}

test.each(Object.entries(FAILURES))('%s is logged under what was to be done', async (_, work) => {
  const lines: string[] = []
  inBackground('remove a folder', work, (line) => lines.push(line))
  await setImmediate()
  await tryAndLog('remove a folder', work, (line) => lines.push(line))
  const running = new BackgroundWork()
  running.start('remove a folder', work, (line) => lines.push(line))
  await running.settled()
  expect(lines).toEqual(Array(3).fill('Expected to remove a folder, found this: no'))
})

test('a log that fails changes nothing', async () => {
  const fails = () => {
    throw new Error('the disk is full')
  }
  await tryAndLog('remove a folder', fails, fails)
  inBackground('remove a folder', fails, fails)
  await setImmediate()
})

test('settled waits for work that other work has started', async () => {
  const running = new BackgroundWork()
  const done: string[] = []
  running.start('begin', async () => {
    await setImmediate()
    running.start('go on', async () => {
      await setImmediate()
      done.push('second')
    })
    done.push('first')
  })
  await running.settled()
  expect(done).toEqual(['first', 'second'])
})

test('the log has the stack of a bug, and the cause of a refusal', () => {
  expect(errorForLog(new Error('bug'))).toMatch(/^Error: bug\n\s+at /)
  const refusal = new ScriptoriumError('STORAGE_UNAVAILABLE', 'Expected an answer, found none.')
  refusal.cause = new Error('ECONNRESET')
  expect(errorForLog(refusal)).toBe('Expected an answer, found none. (ECONNRESET)')
  expect(errorForLog('a text')).toBe('a text')
})
