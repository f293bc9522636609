/** Connections that are dead are found by asking the database what it works on. */
import type { Client } from 'pg'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { WaitingConnections, type WatchedConnection } from '../../../storage/postgres/waiting-connections.ts'

beforeEach(() => void vi.useFakeTimers({ now: 0, toFake: ['performance', 'setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())

class Watched implements WatchedConnection {
  readonly backend: number
  waitingSince: number | undefined
  isBroken = false

  constructor(backend: number, waitingSince?: number) {
    this.backend = backend
    this.waitingSince = waitingSince
  }

  break(): void {
    this.isBroken = true
  }
}

/** A database that works for these backends. */
function databaseOf(active: readonly number[], onAsked = () => {}) {
  const asked: unknown[] = []
  const query = async ({ text, values: [backends] }: { text: string; values: [number[]] }) => {
    asked.push([text.startsWith('SELECT pg_terminate_backend') ? 'end' : 'ask', backends])
    onAsked()
    return { rows: active.filter((pid) => backends.includes(pid)).map((pid) => ({ pid })) }
  }
  return { asked, client: { query } as unknown as Client }
}

test('those that wait for three seconds are asked about, and ended if the database does nothing for them', async () => {
  const waiting = new WaitingConnections(() => {})
  const [dead, busy, young, idle] = [1, 2, 3, 4].map((backend) => new Watched(backend, 0)) as [
    Watched,
    Watched,
    Watched,
    Watched,
  ]
  for (const one of [dead, busy, young, idle]) waiting.add(one)
  vi.advanceTimersByTime(3_000)
  young.waitingSince = 1
  idle.waitingSince = undefined
  const { asked, client } = databaseOf([2])
  await waiting.breakDead(client)
  expect([dead, busy, young, idle].map(({ isBroken }) => isBroken)).toEqual([true, false, false, false])
  expect(asked).toEqual([
    ['ask', [1, 2]],
    ['end', [1]],
  ])
  waiting.close()
})

test('one that is answered in the meantime is left alone', async () => {
  const waiting = new WaitingConnections(() => {})
  const one = new Watched(1, 0)
  waiting.add(one)
  vi.advanceTimersByTime(3_000)
  const { asked, client } = databaseOf([], () => {
    one.waitingSince = 3_000
  })
  await waiting.breakDead(client)
  expect(one.isBroken).toBe(false)
  expect(asked).toEqual([['ask', [1]]])
  waiting.close()
})

test('a long statement is suspected once, and then every fifteen seconds', async () => {
  let suspected = 0
  const { client } = databaseOf([1])
  const waiting: WaitingConnections = new WaitingConnections(() => {
    suspected++
  })
  const one = new Watched(1, 0)
  waiting.add(one)
  vi.advanceTimersByTime(2_000)
  expect(suspected).toBe(0)
  vi.advanceTimersByTime(1_000)
  expect(suspected).toBe(1)
  await waiting.breakDead(client)
  vi.advanceTimersByTime(14_000)
  expect(suspected).toBe(1)
  vi.advanceTimersByTime(1_000)
  expect(suspected).toBe(2)
  waiting.delete(one)
  vi.advanceTimersByTime(60_000)
  expect(suspected).toBe(2)
})

test('all that wait are ended if the database cannot be reached', () => {
  const waiting = new WaitingConnections(() => {})
  const [old, young] = [new Watched(1, 0), new Watched(2)]
  waiting.add(old)
  waiting.add(young)
  vi.advanceTimersByTime(3_000)
  waiting.breakAll()
  expect([old.isBroken, young.isBroken]).toEqual([true, false])
  waiting.close()
})
