/** The deployment files match the program. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { parseOptions } from '../src/cli/options.ts'

const root = join(import.meta.dirname, '..')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')

/** The lines of a Dockerfile, with continued lines joined. */
const instructions = read('Dockerfile')
  .replaceAll(/\\\n/g, ' ')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#') && !line.startsWith(' '))
const argumentsOf = (name: string): string[] =>
  instructions.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1))

test('the image runs the program unprivileged, with flags that exist', () => {
  expect(argumentsOf('USER')).toEqual(['scriptorium'])
  expect(argumentsOf('ENTRYPOINT')).toEqual(['["scriptorium"]'])
  const [command = '[]'] = argumentsOf('CMD')
  const options = parseOptions(JSON.parse(command), {})
  expect(options).toMatchObject({ command: 'serve', host: '0.0.0.0', port: 4810, space: '/data/space.sqlite' })
  expect(argumentsOf('EXPOSE')).toEqual([String(options.port)])
  expect(argumentsOf('VOLUME')).toEqual(['/data'])
})

test('the files that the image copies exist, and are not ignored', () => {
  const ignored = read('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  const copied = argumentsOf('COPY')
    .filter((line) => !line.startsWith('--from'))
    .flatMap((line) => line.split(' ').slice(0, -1))
  expect(copied.filter((path) => !existsSync(join(root, path)))).toEqual([])
  expect(copied.filter((path) => ignored.includes(path))).toEqual([])
  expect(ignored).toEqual(expect.arrayContaining(['node_modules', '.git', '*.sqlite*']))
})

test('the services of compose are closed except for the proxy, and their flags exist', () => {
  const { services, networks } = parse(read('compose.yaml'))
  const { scriptorium, caddy } = services
  expect(scriptorium).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] })
  expect(scriptorium.ports).toBeUndefined()
  const command = scriptorium.command.map((one: string) => one.replace(/\$\{DOMAIN[^}]*\}/, 'notes.example.org'))
  expect(parseOptions(command, {})).toMatchObject({
    publicUrl: 'https://notes.example.org',
    trustedProxies: [networks.inside.ipam.config[0].subnet],
  })
  expect(caddy.volumes[0]).toBe('./deploy/Caddyfile:/etc/caddy/Caddyfile:ro')
  expect(read('deploy/Caddyfile')).toContain('reverse_proxy scriptorium:4810 {')
})

test('compose starts servers of one database, which the proxy knows', () => {
  const { services, networks } = parse(read('deploy/compose-postgres.yaml'))
  const { one, two, caddy, database } = services
  expect(two).toEqual(one)
  expect(one).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] })
  for (const service of [one, database]) expect(service.ports).toBeUndefined()
  const command = one.command.map((argument: string) => argument.replace(/\$\{DOMAIN[^}]*\}/, 'notes.example.org'))
  expect(parseOptions(command, { SCRIPTORIUM_DATABASE: one.environment.SCRIPTORIUM_DATABASE })).toMatchObject({
    command: 'serve',
    database: 'postgres://scriptorium@database/scriptorium',
    publicUrl: 'https://notes.example.org',
    trustedProxies: [networks.inside.ipam.config[0].subnet],
  })
  const { port } = parseOptions(command, {})
  expect(caddy.environment.SERVERS).toBe(`one:${port} two:${port}`)
  for (const { volumes } of [caddy, database]) {
    const [file = ''] = volumes[0].split(':')
    expect(existsSync(join(root, 'deploy', file))).toBe(true)
  }
})

test('the systemd service starts the program with flags that exist, at the address of its socket', () => {
  const [, line = ''] = /^ExecStart=\/usr\/bin\/env scriptorium (.*)$/m.exec(read('deploy/scriptorium.service')) ?? []
  const flags = line.replaceAll('$' + '{STATE_DIRECTORY}', '/var/lib/scriptorium').split(' ')
  const options = parseOptions(flags, {})
  expect(options).toMatchObject({ command: 'serve', space: '/var/lib/scriptorium/space.sqlite' })
  const [, address] = /^ListenStream=(.*)$/m.exec(read('deploy/scriptorium.socket')) ?? []
  expect(address).toBe(`${options.host}:${options.port}`)
})

test('nginx finds the key of a space in its addresses, and none in others', () => {
  const [, source = ''] = /^ {4}"~(.*)" \$key;$/m.exec(read('deploy/nginx-spaces.conf')) ?? []
  const key = '0123456789'
  const pattern = new RegExp(source)
  const keyOf = (path: string): string | undefined => pattern.exec(path)?.groups?.key
  const addresses = [
    `/links/${key}secret/mcp`,
    `/spaces/${key}/api/v1/blocks`,
    `/files/${key}secret/name.png`,
    `/uploads/${key}secret`,
    `/view/${key}/`,
    `/.well-known/oauth-protected-resource/spaces/${key}/mcp`,
  ]
  expect(addresses.map(keyOf)).toEqual(addresses.map(() => key))
  expect(['/page/style.css', '/health', '/signed-in', '/links/short'].filter((path) => keyOf(path))).toEqual([])
})

test('HAProxy keeps sessions on their servers, and checks whether they are ready', () => {
  const lines = read('deploy/haproxy-database.cfg')
    .split('\n')
    .map((line) => line.trim())
  expect(lines).toEqual(
    expect.arrayContaining([
      'http-check send meth GET uri /ready ver HTTP/1.1 hdr Host localhost',
      'stick match req.hdr(mcp-session-id)',
      'stick store-response res.hdr(mcp-session-id)',
    ]),
  )
})

/** The series that a server with all features has, without those of Node. */
const series = (text: string): string[] => [
  ...new Set([...text.matchAll(/\bscriptorium_[a-z_]+/g)].map(([name]) => name.replace(/_(?:bucket|sum|count)$/, ''))),
]

test('the documentation lists the metrics, and rules and boards use those that exist', async () => {
  const sources = ['src/http/metrics.ts', 'src/http/space-gauges.ts', 'src/http/app.ts', 'src/cli/server-gauges.ts']
  const registered = series(sources.map(read).join('\n'))
  const [, section = ''] = read('docs/deploying.md').split(/^## Metrics$/m)
  expect(series(section.split(/^## /m)[0] ?? '').sort()).toEqual(registered.sort())
  const { groups } = parse(read('deploy/prometheus-alerts.yml'))
  expect(groups[0].rules.length).toBeGreaterThan(5)
  const { tests } = parse(read('deploy/prometheus-alerts-test.yml'))
  const tried = tests.flatMap((one: { alert_rule_test?: { alertname: string }[] }) => one.alert_rule_test ?? [])
  expect(tried.map(({ alertname }: { alertname: string }) => alertname)).toEqual(
    groups[0].rules.map(({ alert }: { alert: string }) => alert),
  )
  for (const file of ['deploy/prometheus-alerts.yml', 'deploy/grafana-dashboard.json'])
    expect(series(read(file)).filter((name) => !registered.includes(name))).toEqual([])
  expect(JSON.parse(read('deploy/grafana-dashboard.json')).panels.length).toBeGreaterThan(10)
})
