/** Entries in configuration files are added and removed without changing any other byte. */
import { describe, expect, test } from 'vitest'
import { addEntry, type HostConfig, readEntry, readServer, removeEntry } from '../../../src/cli/hosts/host-config.ts'
import { exampleConfig } from '../../../src/hosts/example-config.ts'
import type { HostId } from '../../../src/hosts/host-ids.ts'
import { HOSTS } from '../../../src/hosts/host-table.ts'

const SERVER = { command: '/opt/node', args: ['/opt/start.js', 'stdio', '--space', '/home/a b/ü.sqlite'] }

const config = (id: HostId, text: string): HostConfig => ({ host: HOSTS[id], path: '/home/config', text })
const add = (id: HostId, text: string, server = SERVER): string => addEntry(config(id, text), server)
const remove = (id: HostId, text: string): string => removeEntry(config(id, text))

/** Added, read back, added again without a change, and removed without a trace. */
function expectRoundTrip(id: HostId, text: string): void {
  const added = add(id, text)
  expect(readServer(config(id, added))).toEqual(SERVER)
  expect(add(id, added)).toBe(added)
  expect(remove(id, added)).toBe(text)
  expect(isSubsequence(text, added)).toBe(true)
}

/** True if one text is a subsequence of the other. */
function isSubsequence(text: string, other: string): boolean {
  let at = 0
  for (const character of other) if (character === text[at]) at++
  return at === text.length
}

describe('JSON', () => {
  test('an entry is added in the layout of the others, and comments stay in place', () => {
    const text = `// mine
{
\t"theme": "dark", /* for the evening */
\t"servers": {
\t\t// the first
\t\t"other": {"command": "npx"} // as it was
\t\t/* last */
\t},
}
`
    expect(add('vscode', text)).toBe(`// mine
{
\t"theme": "dark", /* for the evening */
\t"servers": {
\t\t// the first
\t\t"other": {"command": "npx"}, // as it was
\t\t"scriptorium": {
\t\t\t"type": "stdio",
\t\t\t"command": "/opt/node",
\t\t\t"args": [
\t\t\t\t"/opt/start.js",
\t\t\t\t"stdio",
\t\t\t\t"--space",
\t\t\t\t"/home/a b/ü.sqlite"
\t\t\t]
\t\t}
\t\t/* last */
\t},
}
`)
    expectRoundTrip('vscode', text)
  })

  test.each([
    ['two spaces', '{\n  "mcpServers": {\n    "a": { "command": "x" }\n  }\n}\n'],
    ['four spaces, no line end at the end', '{\n    "mcpServers": {\n        "a": 1,\n        "b": 2\n    }\n}'],
    ['line ends of Windows', '{\r\n  "mcpServers": {\r\n    "a": { "command": "x" }\r\n  }\r\n}\r\n'],
    ['commas at the end', '{\n  "mcpServers": {\n    "a": 1, // one\n  },\n}\n'],
    ['a comment over several lines', '{\n  "mcpServers": {\n    "a": 1 /* one\n    two */\n  }\n}\n'],
    ['the brace in the same line', '{ "mcpServers": {\n    "a": 1 }\n}\n'],
    ['all in one line', '{"x":[1, 2],"mcpServers":{"a":{"command":"x"}}}'],
    ['no servers yet, in one line', '{"mcpServers":{}}'],
    ['no servers yet', '{\n  "mcpServers": {}\n}\n'],
    ['only a comment', '{\n  "mcpServers": {\n    // none yet\n  }\n}'],
    [
      'a name in quotes of its own',
      '{\n  "mcpServers": {\n    "scriptorium-2": {"command": "x"},\n    "//": "no"\n  }\n}\n',
    ],
    [
      'another server with the same key inside',
      '{\n  "a": {"mcpServers": {"scriptorium": 1}},\n  "mcpServers": {\n    "b": 1\n  }\n}\n',
    ],
  ])('%s', (_, text) => expectRoundTrip('cursor', text))

  test('an entry between others is removed with its line', () => {
    const text = '{\n  "mcpServers": {\n    "scriptorium": {"command": "x"},\n    "b": 1 // stays\n  }\n}\n'
    expect(remove('cursor', text)).toBe('{\n  "mcpServers": {\n    "b": 1 // stays\n  }\n}\n')
    const line = '{"mcpServers":{"a":1, "scriptorium": {}, "b":1}}'
    expect(remove('cursor', line)).toBe('{"mcpServers":{"a":1, "b":1}}')
    expect(remove('cursor', '{"mcpServers":{"scriptorium": {}, "b":1}}')).toBe('{"mcpServers":{"b":1}}')
  })

  test('an empty table of servers stays, since it may have been there', () => {
    expect(remove('cursor', add('cursor', '{\n  "theme": 1\n}\n'))).toBe('{\n  "theme": 1,\n  "mcpServers": {}\n}\n')
  })

  test('an empty or blank file', () => {
    expect(add('cursor', '')).toBe(exampleConfig(HOSTS.cursor, SERVER))
    expect(JSON.parse(add('cursor', ' \n'))).toEqual({ mcpServers: { scriptorium: SERVER } })
  })

  test('what a user added to the entry is kept when it is changed', () => {
    const text = add('cursor', '{}').replace('"command"', '"env": { "A": "1" },\n      "command"')
    const changed = add('cursor', text, { command: '/new', args: [] })
    expect(readEntry(config('cursor', changed))).toEqual({ env: { A: '1' }, command: '/new', args: [] })
    expect(add('cursor', changed, { command: '/new', args: [] })).toBe(changed)
  })

  test.each([
    [
      'cursor',
      '{\n  "mcpServers": {\n    "a": 1\n    "b": 2\n  }\n}',
      'JSON with comments, found no comma at line 4, column 5',
    ],
    ['cursor', '{', 'JSON with comments, found no closing brace at line 1, column 2'],
    ['claude-desktop', '{\n  "mcpServers": {},\n}', 'JSON, found no property name at line 3, column 1'],
    ['claude-desktop', '{ // mine\n}', 'JSON, found a comment, which this host does not read at line 1, column 3'],
  ] as const)('%s does not parse %s', (id, text, found) => {
    const message = `Expected /home/config to be ${found}; it was left unchanged. Correct it, then try again.`
    expect(() => add(id, text)).toThrow(message)
    expect(() => remove(id, text)).toThrow(message)
  })

  test.each([
    ['[]', 'Expected /home/config to hold names with values, found a list; correct it, then try again.'],
    [
      '{"mcpServers": []}',
      'Expected mcpServers in /home/config to hold servers by name, found a list; correct it, then try again.',
    ],
    [
      '{"mcpServers": "a"}',
      'Expected mcpServers in /home/config to hold servers by name, found string; correct it, then try again.',
    ],
  ])('%s has no place for servers', (text, message) => expect(() => add('cursor', text)).toThrow(message))

  test('a duplicate name is changed where hosts read it, or not at all', () => {
    const text = '{"mcpServers": {"a": 1}, "mcpServers": {"b": 1}}'
    expect(JSON.parse(add('cursor', text))).toEqual({ mcpServers: { b: 1, scriptorium: SERVER } })
  })

  test('arrays nested as deep as the stack are rejected with a sentence', () => {
    expect(() => add('cursor', '['.repeat(1_000_000))).toThrow(
      /^Expected \/home\/config to be JSON with comments, found /,
    )
  })
})

describe('TOML', () => {
  const TEXT = `# mine
model = "gpt-5"   # inline
big = 9_007_199_254_740_993
when = 2026-01-01T00:00:00Z
list = [
  # one
  [1, 2],
  [3],
]
text = '''
[mcp_servers.scriptorium]
'''

[mcp_servers.other]
command = "npx"  # as it was

  [mcp_servers.other.env]
  A = "1"
# the end
`

  test('a section at the end', () => {
    expect(add('codex', TEXT)).toBe(`${TEXT}
[mcp_servers.scriptorium]
command = "/opt/node"
args = [ "/opt/start.js", "stdio", "--space", "/home/a b/ü.sqlite" ]
`)
    expectRoundTrip('codex', TEXT)
  })

  test.each([
    ['no line end at the end', 'model = "a"'],
    ['line ends of Windows', 'model = "a"\r\n\r\n[profiles.x]\r\nb = 1\r\n'],
    ['empty lines at the end', 'model = "a"\n\n'],
    ['nothing', ''],
  ])('%s', (_, text) => expectRoundTrip('codex', text))

  test('a section before others is removed with its tables, and comments of the next one stay', () => {
    const text = `a = 1

[mcp_servers.scriptorium]
command = "x" # mine
args = [
  "a",
]

[mcp_servers.scriptorium.env]
A = "1"

# about b
[b]
c = 1
`
    expect(remove('codex', text)).toBe('a = 1\n\n# about b\n[b]\nc = 1\n')
    expect(add('codex', text)).toBe(`a = 1

[mcp_servers.scriptorium]
command = "/opt/node"
args = [ "/opt/start.js", "stdio", "--space", "/home/a b/ü.sqlite" ]

[mcp_servers.scriptorium.env]
A = "1"

# about b
[b]
c = 1
`)
  })

  test('a header in another notation is found', () => {
    expect(remove('codex', '[ mcp_servers . "scriptorium" ] # mine\ncommand = "x"\n[b]\n')).toBe('[b]\n')
  })

  test.each([
    [
      'mcp_servers = { scriptorium = { command = "x" } }\n',
      'scriptorium is not written as a section [mcp_servers.scriptorium]',
    ],
    ['mcp_servers.scriptorium.command = "x"\n', 'scriptorium is not written as a section [mcp_servers.scriptorium]'],
    [
      '[mcp_servers.scriptorium]\ncommand = "x"\n[b]\n[mcp_servers.scriptorium.env]\n',
      'scriptorium is not written as a section [mcp_servers.scriptorium]',
    ],
    ['mcp_servers = { other = { command = "x" } }\n', 'a change to it would change more than this entry'],
  ])('%s is left for its user to change', (text, reason) => {
    const message = `Expected /home/config in a form that can be changed safely, found that ${reason}; it was left unchanged. Change it by hand: --print shows the entry.`
    expect(() => add('codex', text)).toThrow(message)
  })

  test('a file that cannot be parsed', () => {
    expect(() => add('codex', 'a = 1\nb = \n')).toThrow(
      'Expected /home/config to be TOML, found invalid value at line 2, column 5; it was left unchanged. Correct it, then try again.',
    )
  })
})

describe('YAML', () => {
  const TEXT = `# Model
GOOSE_PROVIDER:   "anthropic"   # as it was
list:
    - a
    -   b
extensions:
  developer:
    bundled: true   # yes

  memory: {enabled: true}
  notes: |
    line
    line

tail: 'x'
`

  test('an entry is added to the others, and the layout of the rest stays', () => {
    expect(add('goose', TEXT)).toBe(
      TEXT.replace(
        '\ntail',
        `  scriptorium:
    enabled: true
    type: stdio
    name: scriptorium
    description: A workspace of documents that agents and people share
    cmd: /opt/node
    args:
      - /opt/start.js
      - stdio
      - --space
      - /home/a b/ü.sqlite
    timeout: 300
\ntail`,
      ),
    )
    expectRoundTrip('goose', TEXT)
  })

  test.each([
    ['as Goose writes it', 'extensions:\n  developer:\n    args:\n    - a\n    timeout: 300\nGOOSE_MODEL: x\n'],
    ['no line end at the end', 'a: 1\nextensions:\n  developer:\n    enabled: true'],
    ['line ends of Windows', 'extensions:\r\n  developer:\r\n    enabled: true\r\nb: 1\r\n'],
    ['four spaces', 'extensions:\n    developer:\n        enabled: true # c\n    # last\nb: 1\n'],
    ['an entry without value', 'extensions:\n  developer:\nb: 1\n'],
  ])('%s', (_, text) => expectRoundTrip('goose', text))

  test.each([
    ['', ''],
    ['# only a comment\n', '# only a comment\n'],
    ['a: 1\n', 'a: 1\nextensions: {}\n'],
    ['extensions:\na: 1\n', 'extensions: {}\na: 1\n'],
    ['extensions: {}   # none\n', 'extensions: {} # none\n'],
  ])('%j has no entries; when the entry is removed, the table is empty', (text, removed) => {
    const added = add('goose', text)
    expect(readServer(config('goose', added))).toEqual(SERVER)
    expect(remove('goose', added)).toBe(
      removed === '' || removed.startsWith('#') ? `${removed}extensions: {}\n` : removed,
    )
  })

  test('an entry is changed in place', () => {
    const added = add('goose', TEXT)
    const changed = add('goose', added, { command: '/new', args: [] })
    expect(changed).toBe(added.replace('/opt/node', '/new').replace(/args:\n(?: {6}- .*\n)+/, 'args: []\n'))
  })

  test.each([
    ['a: 1\na: 2\n', 'YAML, found Map keys must be unique at line 2, column 1'],
    ['a: [1\nb: 2\n', /^Expected \/home\/config to be YAML, found .* at line \d+, column \d+;/],
  ])('%j does not parse', (text, found) => {
    expect(() => add('goose', text)).toThrow(found)
  })

  test('multiplying aliases and several documents are rejected', () => {
    const bomb = `a: &a [x, x]\n${[...'bcdefghijk'].map((name, at) => `${name}: &${name} [${`*${'abcdefghij'[at]}, `.repeat(9)}]`).join('\n')}\n`
    expect(() => add('goose', bomb)).toThrow('Expected /home/config to be YAML, found ')
    expect(() => add('goose', 'a: 1\n---\nb: 1\n')).toThrow(
      'found that it holds several documents; it was left unchanged.',
    )
  })
})
