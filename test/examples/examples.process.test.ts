/** The programs of examples/typescript-sdk, ai-sdk, python and curl. */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import program from '../../package.json' with { type: 'json' }
import { freePorts } from '../support/free-ports.ts'
import { type Answer, EXAMPLES, runExample, served, startExample } from './running.ts'

/** A document with one block, and a way to comment on it. */
async function discussed(...flags: string[]) {
  const server = await served(...flags)
  const { items } = await server.send('POST /documents', { documents: [{ title: 'Plan', markdown: 'call Ben' }] })
  const document = items[0].id
  const blockId = (await server.send(`GET /blocks?id=${document}`)).content[0].id
  return {
    ...{ server, document, blockId },
    comment: (content: string) => server.send('POST /comments', { comments: [{ blockId, content }] }),
    thread: async () => {
      const { metadata } = await server.send(`GET /blocks?id=${blockId}&fetchMetadata=true&maxDepth=0`)
      return metadata.comments.map(({ author, content }: Record<string, string>) => [author, content])
    },
  }
}

test('with the TypeScript SDK, each comment is answered in its thread, also one from while the agent was away', async () => {
  const { server, document, comment, thread } = await discussed()
  const { mcpUrl } = await server.link('--name', 'Agent', '--kind', 'selected', '--documents', document)
  const env = { MCP_URL: mcpUrl, DOCUMENT: document, CURSOR_FILE: join(server.path, 'cursor.txt') }
  const first = startExample(server, 'typescript-sdk/answer-comments.ts', env)
  await first.until(/listening/)
  await comment('Today?')
  await first.until(/answered Owner/)
  await first.end()
  await comment('Or tomorrow?')
  const second = startExample(server, 'typescript-sdk/answer-comments.ts', env)
  await second.until(/answered Owner/)
  expect(await thread()).toEqual([
    ['Owner', 'Today?'],
    ['Agent', expect.stringMatching(/^Thank you, Owner\. I have read \d+ lines\.$/)],
    ['Owner', 'Or tomorrow?'],
    ['Agent', expect.stringMatching(/^Thank you, Owner\./)],
  ])
})

test('with the AI SDK, the agent is called when somebody comments, and answers', async () => {
  const { server, document, comment, thread } = await discussed('--webhook-allow', '127.0.0.0/8')
  const { mcpUrl } = await server.link('--name', 'Agent', '--kind', 'selected', '--documents', document)
  const [port = 0] = await freePorts(1)
  const agent = startExample(server, 'ai-sdk/agent.ts', { MCP_URL: mcpUrl, DOCUMENT: document, PORT: String(port) })
  await agent.until(/listening/)
  await comment('Today?')
  await agent.until(/answered Owner/)
  expect(await thread()).toEqual([
    ['Owner', 'Today?'],
    ['Agent', expect.stringMatching(/^I have read \d+ lines\.$/)],
  ])
})

test('with curl, a note is written, read and found', async () => {
  const output = await runExample(await served(), 'curl/first-calls.sh')
  expect(output.match(/Write (\*\*)?release(\*\*)? notes/g)).toHaveLength(3)
  expect(output).toContain('## Standup')
})

test('with curl, a change is printed once it happens', async () => {
  const server = await served()
  const child = spawn('sh', [join(EXAMPLES, 'curl/follow.sh')], {
    env: { ...process.env, REST_URL: server.restUrl },
    // A group of its own, so that its curl ends with it.
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(() => void process.kill(-(child.pid ?? 0), 'SIGKILL'))
  const lines = child.stdout.setEncoding('utf8')[Symbol.asyncIterator]()
  expect((await lines.next()).value).toBe('listening\n')
  for (const title of ['First', 'Second']) {
    await server.send('POST /documents', { documents: [{ title }] })
    const { items }: Answer = JSON.parse((await lines.next()).value)
    expect(items.map(({ documents }: Answer) => documents[0].title)).toEqual([title])
  }
})

test('in Python, the example is a program', () => {
  const source = join(EXAMPLES, 'python/daily_line.py')
  const compile = `import sys; compile(open(sys.argv[1]).read(), sys.argv[1], 'exec')`
  execFileSync('/usr/bin/python3', ['-c', compile, source])
})

test('the README starts each program, with the variables that it needs', () => {
  const lines = readFileSync(join(EXAMPLES, 'README.md'), 'utf8').split('\n')
  const programs = readdirSync(EXAMPLES, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:ts|sh|py)$/.test(file) && !/node_modules|rest\.ts$/.test(file))
    .map((file) => file.replaceAll('\\', '/'))
  expect(programs).toHaveLength(16)
  const faults = programs.flatMap((file) => {
    const [, name = ''] = file.split('/')
    const needs = /^const \{.*\b(DOCUMENT|COLLECTION)\b.*\} = process\.env/m.exec(
      readFileSync(join(EXAMPLES, file), 'utf8'),
    )
    const start = lines.find((line) => new RegExp(`(?:node|sh|python3) (?:examples/\\w+/)?${name}`).test(line))
    if (start === undefined) return `${file} is not started`
    return needs === null || start.includes(`${needs[1]}=`) ? [] : `${file} needs ${needs[1]}`
  })
  expect(faults).toEqual([])
})

test.each([
  [
    'typescript-sdk/answer-comments.ts',
    /Expected the MCP address of a link in MCP_URL and the ID of a document in DOCUMENT, found none/,
  ],
  ['typescript-sdk/colleague.ts', /Expected the MCP address of a link in MCP_URL, found none/],
  ['ai-sdk/agent.ts', /Expected the MCP address of a link in MCP_URL and the ID of a document in DOCUMENT, found none/],
  ['cookbook/research-notebook.ts', /Expected the MCP address of a link in MCP_URL, found none/],
  ['cookbook/daily-plan.ts', /Expected the REST address of a link in REST_URL, found none/],
  [
    'cookbook/board-worker.ts',
    /Expected the REST address of a link in REST_URL and the ID of a board in COLLECTION, found none/,
  ],
])('%s says which variables it lacks', (file, message) => {
  const { REST_URL: _, MCP_URL: __, ...env } = process.env
  const { stderr, status } = spawnSync(process.execPath, [join(EXAMPLES, file)], { env, encoding: 'utf8' })
  expect([status, stderr]).toEqual([1, expect.stringMatching(message)])
})

test('each folder is a package, with the versions that are installed here', () => {
  const folders = readdirSync(EXAMPLES, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const names = folders.map(({ name }) => name).sort()
  expect(names).toEqual(['ai-sdk', 'cookbook', 'curl', 'python', 'typescript-sdk'])
  const index = readFileSync(join(EXAMPLES, 'README.md'), 'utf8')
  expect(names.filter((name) => !index.includes(`](${name})`))).toEqual([])
  for (const name of ['ai-sdk', 'cookbook', 'typescript-sdk']) {
    const { dependencies } = JSON.parse(readFileSync(join(EXAMPLES, name, 'package.json'), 'utf8'))
    expect(program.devDependencies).toMatchObject(dependencies)
  }
})
