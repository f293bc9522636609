/** Each metric that docs/deploying.md lists moves when its cause happens, in a server with all that has metrics. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeCertificate } from '../certificate.ts'
import { askAt, callTool, clientAt } from '../http/serving.ts'
import { folder, root, runHere, startServe } from '../program.ts'
import { eventually } from '../support/eventually.ts'
import { freePorts } from '../support/free-ports.ts'

/** The names in the table of the documentation. */
function documented(): string[] {
  const [, section = ''] = readFileSync(join(root, 'docs/deploying.md'), 'utf8').split(/^## Metrics$/m)
  const rows = (section.split(/^## /m)[0] ?? '').split('\n').filter((line) => line.startsWith('| `scriptorium_'))
  return rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`(scriptorium_\w+)`/g)].map(([, name = '']) => name),
  )
}

type Samples = ReadonlyMap<string, number>

async function scrape(port: number): Promise<Samples> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const lines = text.split('\n').filter((line) => line.startsWith('scriptorium_'))
  return new Map(lines.map((line) => [line.replace(/ \S+$/, ''), Number(line.split(' ').at(-1))]))
}

/** Names of the series, those of a histogram as one. */
const namesIn = (samples: Samples): string[] => [
  ...new Set(
    [...samples.keys()].map((key) => key.replace(/\{.*$/, '').replace(/_seconds_(?:bucket|sum|count)$/, '_seconds')),
  ),
]
/** The sum of the samples whose series starts with a text. */
const sumOf = (samples: Samples, start: string): number =>
  [...samples].reduce((sum, [key, value]) => (key.startsWith(start) ? sum + value : sum), 0)

const WAITS = 'scriptorium_database_waits'
const CERTIFICATE = 'scriptorium_certificate_expires_timestamp_seconds'

async function served() {
  const path = folder()
  const spaces = join(path, 'spaces')
  const file = join(spaces, 'one.sqlite')
  const [port = 0, metricsPort = 0] = await freePorts(2)
  const run = async (args: string[], input = '') => {
    const { output, errors, code } = await runHere([...args, '--space', file, '--json'], {}, input)
    expect({ errors, code }).toEqual({ errors: '', code: 0 })
    return JSON.parse(output)
  }
  mkdirSync(spaces)
  const at = ['--port', `${port}`]
  const agent = await run(['links', 'add', '--no-welcome', ...at])
  const hook = ['--webhook', 'http://127.0.0.1:9/', '--webhook-allow', '127.0.0.0/8']
  await run(['links', 'add', '--name', 'Hook', ...at, ...hook])
  const careful = await run(['links', 'add', '--access', 'propose', ...at])
  const anna = await run(['participants', 'add', 'Anna', '--password', ...at], 'correct horse\n')
  writeFileSync(join(spaces, 'broken.sqlite'), 'no space')
  const flags = ['--spaces', spaces, '--backup-to', join(path, 'backups'), '--oauth', '--link-quota', '1GB']
  const { origin, end } = await startServe(
    ...flags,
    ...[...at, '--metrics-port', `${metricsPort}`, '--webhook-allow', '127.0.0.0/8', '--limit-ip', '0'],
  )
  return { path, spaces, agent, careful, anna, origin, end, metrics: () => scrape(metricsPort) }
}

test('the series that are documented are served, and each moves with its cause', { timeout: 120_000 }, async () => {
  const { path, spaces, agent, careful, anna, origin, end, metrics } = await served()
  const before = await metrics()
  const moved = new Set<string>()
  /** Waits until the sum of a series has grown, or is what is expected. */
  const moves = async (
    start: string,
    by: number | ((now: number) => boolean) = (now) => now > sumOf(before, start),
  ) => {
    const isThere = typeof by === 'number' ? (now: number) => now === sumOf(before, start) + by : by
    await eventually(async () => {
      const now = sumOf(await metrics(), start)
      expect({ start, now, isThere: isThere(now) }).toEqual({ start, now, isThere: true })
    })
    moved.add(start.replace(/\{.*$/, '').replace(/_(?:count|bucket)$/, ''))
  }

  // Calls, over both transports, one of them refused.
  const { ask } = { ask: askAt(agent.restUrl) }
  const { items } = (await ask('POST /documents', { documents: [{ title: 'Plan' }] })).json
  expect((await ask('GET /blocks?id=999999999999')).status).toBe(404)
  const client = await clientAt(agent.mcpUrl)
  await callTool(client, 'documents_list')
  await moves('scriptorium_calls_total{tool="documents_add",transport="rest"}', 1)
  await moves('scriptorium_calls_total{tool="documents_list",transport="mcp"}', 1)
  await moves('scriptorium_call_seconds_count{tool="documents_add"}', 1)
  await moves('scriptorium_blocks_total{tool="documents_add"}')
  await moves('scriptorium_refusals_total{tool="blocks_get",code="NOT_FOUND_ERROR"}', 1)
  await moves('scriptorium_http_responses_total{status="404",code="NOT_FOUND_ERROR"}', 1)
  // The one with a webhook is opened by the server itself.
  await moves('scriptorium_open_spaces', (now) => now === 1)

  // What is stored: of documents, history and files.
  await askAt(agent.restUrl)(
    `POST /upload?fileName=a.txt&position=end&pageId=${items[0].rootBlockId}`,
    'x'.repeat(5_000),
    {
      'content-type': 'text/plain',
    },
  )
  for (const kind of ['documents', 'history', 'files'] as const) {
    await moves(`scriptorium_stored_bytes{kind="${kind}"}`)
    await eventually(async () =>
      expect([...(await metrics()).keys()]).toContainEqual(
        expect.stringMatching(new RegExp(`^scriptorium_space_bytes\\{space="[0-9a-f]{10}",kind="${kind}"\\}$`)),
      ),
    )
  }
  await moves('scriptorium_space_bytes')
  await moves('scriptorium_quota_used_ratio')
  await moves('scriptorium_link_quota_used_ratio')

  // What waits for people, and what cannot be sent.
  await askAt(careful.restUrl)('POST /documents', { documents: [{ title: 'Proposed' }] })
  await moves('scriptorium_waiting_proposals', 1)
  await moves('scriptorium_failing_webhooks', 1)
  await moves('scriptorium_webhook_backlog')

  // Refused: a wrong secret, none, a wrong password. A right one is not.
  const refused = 'scriptorium_sign_in_refusals_total'
  expect((await askAt(origin)('GET /links/wrong/api/v1/connection')).status).toBe(401)
  await moves(refused, 1)
  expect((await askAt(origin)(`GET ${anna.restPath}/connection`)).status).toBe(401)
  await moves(refused, 2)
  const token = { authorization: 'Bearer wrong' }
  expect((await askAt(origin)(`GET ${anna.restPath}/connection`, undefined, token)).status).toBe(401)
  await moves(refused, 3)
  const signIn = (password: string) =>
    fetch(`${new URL(anna.pageUrl).href}/sign-in`, {
      ...{ method: 'POST', redirect: 'manual', headers: { origin } },
      body: new URLSearchParams({ name: 'Anna', password }),
    })
  expect((await signIn('wrong password')).status).toBe(401)
  await moves(refused, 4)
  expect((await signIn('correct horse')).status).toBeLessThan(400)
  await moves('scriptorium_http_responses_total{status="30')
  await moves(refused, 4)

  // A stream, while it is open.
  const stopped = new AbortController()
  await fetch(`${agent.restUrl}/changes`, { headers: { accept: 'text/event-stream' }, signal: stopped.signal })
  await moves('scriptorium_open_streams')
  stopped.abort()
  await moves('scriptorium_open_streams', 0)

  // Backups: a space was backed up, and a file that is none cannot be.
  await moves('scriptorium_oldest_backup_timestamp_seconds', (now) => Math.abs(now - Date.now() / 1000) < 3_600)
  await moves('scriptorium_last_backups_bytes', (now) => now > 100_000)
  await moves('scriptorium_failing_backups', (now) => now === 0)

  // What the server stands on.
  await moves('scriptorium_broken_spaces', (now) => now === 1)
  await moves('scriptorium_disk_free_bytes', (now) => now > 0)
  expect(sumOf(before, 'scriptorium_ready')).toBe(1)
  renameSync(spaces, join(path, 'away'))
  await moves('scriptorium_ready', (now) => now === 0)

  expect([...moved].sort()).toEqual(
    documented()
      .filter((name) => ![WAITS, CERTIFICATE].includes(name))
      .sort(),
  )
  expect(namesIn(await metrics()).filter((name) => !documented().includes(name))).toEqual([])
  await end('SIGKILL')
})

test('the end of the certificate is in the metrics', async () => {
  const path = folder()
  const [metricsPort = 0] = await freePorts(1)
  const made = makeCertificate(Date.now(), 30)
  for (const [name, text] of Object.entries(made)) writeFileSync(join(path, `${name}.pem`), text)
  const tls = ['--tls-cert', join(path, 'cert.pem'), '--tls-key', join(path, 'key.pem')]
  await startServe('--space', join(path, 'space.sqlite'), ...tls, '--metrics-port', `${metricsPort}`)
  const days = (sumOf(await scrape(metricsPort), CERTIFICATE) - Date.now() / 1000) / 86_400
  expect(Math.round(days)).toBe(30)
})
