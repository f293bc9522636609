/** The files for servers say what the program understands. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { parseOptions } from '../src/cli/options.ts'

const root = join(import.meta.dirname, '..')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')

/** The lines of a Dockerfile, with those that go on in the next as one. */
const instructions = read('Dockerfile')
  .replaceAll(/\\\n/g, ' ')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#') && !line.startsWith(' '))
const argumentsOf = (name: string): string[] =>
  instructions.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1))

test('the image runs the program without rights, with flags that there are', () => {
  expect(argumentsOf('USER')).toEqual(['node'])
  expect(argumentsOf('ENTRYPOINT')).toEqual(['["scriptorium"]'])
  const [command = '[]'] = argumentsOf('CMD')
  const options = parseOptions(JSON.parse(command), {})
  expect(options).toMatchObject({ command: 'serve', host: '0.0.0.0', port: 4810, space: '/data/space.sqlite' })
  expect(argumentsOf('EXPOSE')).toEqual([String(options.port)])
  expect(argumentsOf('VOLUME')).toEqual(['/data'])
})

test('what the image copies is there, and is not left out', () => {
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

test('the services of compose are closed but for the proxy, and their flags are there', () => {
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

test('the service of systemd starts the program with flags that there are', () => {
  const [, line = ''] = /^ExecStart=\/usr\/bin\/env scriptorium (.*)$/m.exec(read('deploy/scriptorium.service')) ?? []
  const flags = line.replaceAll('$' + '{STATE_DIRECTORY}', '/var/lib/scriptorium').split(' ')
  expect(parseOptions(flags, {})).toMatchObject({ command: 'serve', space: '/var/lib/scriptorium/space.sqlite' })
})
