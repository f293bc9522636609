/** Whatever a configuration contains, adding and removing an entry changes nothing else. */
import fc from 'fast-check'
import { stringify as toToml } from 'smol-toml'
import { expect, test } from 'vitest'
import { stringify as toYaml } from 'yaml'
import { addEntry, type HostConfig, readServer, removeEntry } from '../../../src/cli/hosts/host-config.ts'
import type { HostId } from '../../../src/hosts/host-ids.ts'
import { HOSTS } from '../../../src/hosts/host-table.ts'
import { runs } from '../../support/runs.ts'

const SERVER = { command: '/opt/node', args: ['start.js', 'stdio'] }

/** Texts with characters that have a meaning in these formats. */
const text = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.constantFrom(
    '# a',
    '// b',
    '[mcp_servers.scriptorium]',
    'a: b',
    '{',
    '}',
    ',',
    '\n',
    'x\ny\n',
    '"',
    "'",
    '- a',
    '\t',
  ),
)
const name = text.filter((key) => key !== '__proto__' && key !== 'scriptorium')
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    text,
    fc.integer(),
    fc.boolean(),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 3 }),
  ),
}))
const settings = fc.dictionary(name, value, { maxKeys: 4 })
/** At least one server: an empty table of servers can be written in several ways. */
const servers = fc.dictionary(name, settings, { minKeys: 1, maxKeys: 3 })

function expectRoundTrip(id: HostId, before: string): void {
  const config: HostConfig = { host: HOSTS[id], path: 'config', text: before }
  const added = { ...config, text: addEntry(config, SERVER) }
  expect(readServer(added)).toEqual(SERVER)
  expect(addEntry(added, SERVER)).toBe(added.text)
  expect(removeEntry(added)).toBe(before)
}

test('JSON, in any layout', () => {
  const layout = fc.record({ indent: fc.constantFrom('', ' ', '    ', '\t'), lineEnd: fc.constantFrom('\n', '\r\n') })
  fc.assert(
    fc.property(settings, servers, layout, fc.boolean(), (others, mcpServers, { indent, lineEnd }, isFirst) => {
      const root = isFirst ? { mcpServers, ...others } : { ...others, mcpServers }
      expectRoundTrip('cursor', JSON.stringify(root, null, indent).replaceAll('\n', lineEnd))
    }),
    { numRuns: runs(150, 5_000) },
  )
})

test('YAML', () => {
  fc.assert(
    fc.property(settings, servers, fc.boolean(), (others, extensions, indentSeq) => {
      expectRoundTrip('goose', toYaml({ ...others, extensions, last: 1 }, { indentSeq }))
    }),
    { numRuns: runs(30, 1_000) },
  )
})

test('TOML', () => {
  fc.assert(
    fc.property(settings, servers, (others, mcp_servers) => {
      expectRoundTrip('codex', toToml({ ...others, mcp_servers }))
    }),
    { numRuns: runs(60, 2_000) },
  )
})
