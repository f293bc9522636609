/** `GET /ready`: whether a server can serve, and how many of its spaces it cannot read. */
import { mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ScriptoriumError } from '../../src/base/errors.ts'
import { logFaultsTo } from '../../src/base/logger.ts'
import { registryOf, SharedSpace } from '../../src/call/space-registry.ts'
import { diskCheck, spaceCheck } from '../../src/cli/readiness-checks.ts'
import { Metrics } from '../../src/http/metrics.ts'
import { Readiness, type ReadinessOptions } from '../../src/http/readiness.ts'
import { toDiskError } from '../../storage/sqlite/disk-errors.ts'
import { buildSpace } from '../build.ts'
import { serveBuilt } from './serving.ts'

function readinessOf(options: Partial<ReadinessOptions>) {
  const noted: string[] = []
  const clock = { now: 0 }
  const note = (line: string) => void noted.push(line)
  const readiness = new Readiness({
    shared: [],
    logger: { ...logFaultsTo(note), info: note },
    clock: () => clock.now,
    ...options,
  })
  return { readiness, noted, clock }
}

test('a shared fault makes the server unready, with its code; it is logged once, as is its end', async () => {
  let fault: Error | undefined
  let checks = 0
  const { readiness, noted, clock } = readinessOf({
    shared: [
      {
        name: 'the disk',
        async check() {
          checks++
          if (fault !== undefined) throw fault
        },
      },
    ],
  })
  const serving = await serveBuilt({ readiness })
  expect(await serving.ask('GET /ready')).toMatchObject({ status: 200, json: { status: 'ready' } })
  fault = new ScriptoriumError('STORAGE_FULL', 'the disk is full')
  expect((await serving.ask('GET /ready')).status).toBe(200)
  expect(checks).toBe(1)
  for (clock.now = 5_000; clock.now <= 10_000; clock.now += 5_000) {
    const answer = await serving.ask('GET /ready')
    expect([answer.status, answer.json]).toEqual([503, { status: 'not ready', code: 'STORAGE_FULL' }])
  }
  fault = undefined
  clock.now = 20_000
  expect((await serving.ask('GET /ready')).status).toBe(200)
  expect(noted).toEqual([
    'The server is not ready, because of the disk: the disk is full',
    'The server is ready again.',
  ])
  expect((await serving.ask('GET /health')).status).toBe(200)
})

test('broken spaces among others leave the server ready', async () => {
  const { readiness } = readinessOf({ countBroken: () => 2 })
  const serving = await serveBuilt({ readiness })
  const answer = await serving.ask('GET /ready')
  expect([answer.status, answer.json]).toEqual([200, { status: 'ready', degraded: 2 }])
})

test.each([
  [Object.assign(new Error('no space left'), { code: 'ENOSPC', syscall: 'write', errno: -28 }), 'STORAGE_FULL'],
  [Object.assign(new Error('read-only'), { code: 'EROFS', syscall: 'access', errno: -30 }), 'STORAGE_UNAVAILABLE'],
  [new Error('whatever else'), 'STORAGE_UNAVAILABLE'],
])('the code of %s', async (error, code) => {
  const { readiness } = readinessOf({ shared: [{ name: 'the disk', check: () => Promise.reject(error) }] })
  expect(await readiness.state()).toEqual({ code, degraded: 0 })
  expect(toDiskError(error)?.code ?? 'STORAGE_UNAVAILABLE').toBe(code)
})

test('a server of one space stands on that space: its file was moved away, and comes back', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'scriptorium-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'space.sqlite')
  const { space } = await buildSpace(file)
  const registry = registryOf(
    new SharedSpace(async () => ({ space, rateLimiter: undefined as never, close: async () => {} }), []),
  )
  const { readiness, clock } = readinessOf({ shared: [diskCheck(folder), spaceCheck(registry, 'only')] })
  expect(await readiness.state()).toEqual({ degraded: 0 })
  renameSync(file, `${file}.moved`)
  clock.now += 5_000
  expect(await readiness.state()).toEqual({ code: 'SPACE_REPLACED', degraded: 0 })
  renameSync(`${file}.moved`, file)
  clock.now += 5_000
  expect(await readiness.state()).toEqual({ degraded: 0 })
  rmSync(folder, { recursive: true })
  clock.now += 5_000
  expect((await readiness.state()).code).toBe('STORAGE_UNAVAILABLE')
})

test('the metrics have gauges for what is known, and leave out what cannot be read', async () => {
  const metrics = new Metrics({ openCount: 0, openSpaces: () => [] })
  metrics.addGauge('known', 'A known value', async () => 7)
  metrics.addGauge('unknown', 'A value that cannot be read', () => Promise.reject(new Error('no')))
  const text = await metrics.text()
  expect(text).toContain('known 7\n')
  expect(text).not.toMatch(/^unknown /m)
})

test('responses and refused secrets are counted', async () => {
  const metrics = new Metrics({ openCount: 0, openSpaces: () => [] })
  const serving = await serveBuilt({ metrics })
  await serving.ask('GET /links/wrong/api/v1/connection')
  await serving.ask('GET /health')
  const text = await metrics.text()
  expect(text).toContain('scriptorium_http_responses_total{status="401",code="INVALID_AUTH_HEADER"} 1\n')
  expect(text).toContain('scriptorium_http_responses_total{status="200",code=""} 1\n')
  expect(text).toContain('scriptorium_sign_in_refusals_total 1\n')
  expect(text).toContain('scriptorium_open_streams 0\n')
})
