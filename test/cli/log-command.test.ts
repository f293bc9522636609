/** The output of the audit log, and how it is followed. */
import { expect, onTestFinished, test } from 'vitest'
import { printLog } from '../../src/cli/history/log-command.ts'
import { buildSpace } from '../build.ts'
import { connect } from '../connect.ts'
import { documentOf, idsOf } from '../document.ts'

/** Collects printed lines, and waits for a number of them. */
function printer() {
  const lines: string[] = []
  const waiting = new Set<() => void>()
  return {
    print: (line: string) => {
      lines.push(line)
      for (const check of [...waiting]) check()
    },
    until: (count: number) =>
      new Promise<string[]>((resolve) => {
        const check = () => lines.length >= count && resolve(lines)
        waiting.add(check)
        check()
      }),
  }
}

test('the log continues with new events, including due reminders, until it is stopped', async () => {
  const clock = { now: Date.now() }
  const full = await connect('full', { to: await buildSpace(':memory:', { clock: () => clock.now }) })
  const document = await documentOf(full, 'call Ben', 'Plan')
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const { print, until } = printer()
  const printing = printLog(full.space, { json: false, follows: true, signal: stop.signal }, print)
  await until(1)
  const { 'call Ben': blockId = '' } = await idsOf(full, document)
  const remindAt = new Date(clock.now + 1).toISOString()
  const { items } = await full.call('reminders_add', { reminders: [{ blockId, remindAt }] })
  clock.now++
  const lines = await until(3)
  stop.abort()
  await printing
  const reminder = items[0].id
  expect(lines.map((line) => line.split('\t').slice(1))).toEqual([
    ['here', 'tester, via tester', 'documents_add', document],
    ['here', 'tester, via tester', 'reminders_add', reminder, '"Plan": 1 reminder added'],
    ['', '', 'reminder.due', reminder],
  ])
  await documentOf(full)
  expect(lines).toHaveLength(3)
})

test('as JSON each line has the same fields as before, and a summary in words', async () => {
  const full = await connect()
  await documentOf(full, '', 'Before')
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const { print, until } = printer()
  const printing = printLog(full.space, { json: true, follows: true, signal: stop.signal }, print)
  await until(1)
  const document = await documentOf(full, '', 'Plan')
  const [, line = ''] = await until(2)
  expect(JSON.parse(line)).toEqual({
    at: '2026-11-20T09:00:00.000Z',
    author: 'tester',
    client: 'tester',
    endpoint: 'documents_add',
    ids: [document],
    summary: expect.stringMatching(/^"Plan": added$/),
  })
  stop.abort()
  await printing
})

test('on a terminal, the log is a table with headers', async () => {
  const full = await connect()
  const document = await documentOf(full, '', 'Before')
  const lines: string[] = []
  const { signal } = new AbortController()
  const options = { json: false, isTerminal: true, follows: false, signal }
  await printLog(full.space, options, (line) => void lines.push(line))
  expect(lines).toEqual([
    `At                        Link  Who                 Call           Wrote\n` +
      `2026-11-20T09:00:00.000Z  here  tester, via tester  documents_add  ${document}`,
  ])
})

test('the log can be limited to a time, a link and the latest calls', async () => {
  const clock = { now: Date.parse('2026-11-28T08:00:00Z') }
  const built = await buildSpace(':memory:', { clock: () => clock.now })
  const full = await connect('full', { to: built })
  const titles = async (options: Partial<Parameters<typeof printLog>[1]>): Promise<string[]> => {
    const lines: string[] = []
    const { signal } = new AbortController()
    await printLog(full.space, { json: true, follows: false, signal, ...options }, (line) => void lines.push(line))
    return lines.map((line) => JSON.parse(line).at.slice(11, 16))
  }
  for (let hour = 0; hour < 4; hour++) {
    await documentOf(full)
    clock.now += 3_600_000
  }
  expect(await titles({})).toEqual(['08:00', '09:00', '10:00', '11:00'])
  expect(await titles({ limit: 2 })).toEqual(['10:00', '11:00'])
  expect(await titles({ since: '2026-11-28T09:30:00Z' })).toEqual(['10:00', '11:00'])
  expect(await titles({ since: '3h', until: '2026-11-28T10:00:00Z' })).toEqual(['09:00', '10:00'])
  expect(await titles({ link: 'another' })).toEqual([])
  await expect(titles({ since: 'whenever' })).rejects.toThrow('Expected a time such as')
})
