/** The bundle for hosts such as Claude Desktop: valid, small, and started as in its manifest. */
import { execFileSync, spawnSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, sep } from 'node:path'
import { getMcpConfigForManifest, type McpbManifestAny, unpackExtension } from '@anthropic-ai/mcpb'
import { Client } from '@modelcontextprotocol/client'
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills'
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { bundle } from '../../scripts/bundle.ts'
import { renderIcon } from '../../scripts/icon.ts'
import { folder, root, structured } from '../program.ts'

const MEGABYTES = 20
const elsewhere = mkdtempSync(join(tmpdir(), 'scriptorium-bundle-'))
const file = join(elsewhere, 'scriptorium.mcpb')
const unpacked = join(elsewhere, 'unpacked with a blank')
let manifest: McpbManifestAny & { version: string }

beforeAll(async () => {
  await bundle(file)
  await unpackExtension({ mcpbPath: file, outputDir: unpacked, silent: true })
  manifest = JSON.parse(readFileSync(join(unpacked, 'manifest.json'), 'utf8'))
}, 60_000)
afterAll(() => rmSync(elsewhere, { recursive: true }))

type UserConfig = Record<string, string>

/** The command of the manifest, with its variables replaced as in the reference implementation. */
async function commandFor(userConfig: UserConfig, of = manifest) {
  const systemDirs = { HOME: '/nowhere', DESKTOP: '/nowhere', DOCUMENTS: '/nowhere', DOWNLOADS: '/nowhere' }
  const options = { manifest: of, extensionPath: unpacked, systemDirs, userConfig, pathSeparator: sep }
  return getMcpConfigForManifest(options)
}

/** A client of the server as a host starts it: outside of the checkout, with a minimal environment. */
async function connect(config: Awaited<ReturnType<typeof commandFor>>, env: Record<string, string> = {}) {
  if (config === undefined) throw new Error('Expected a command, found that the configuration lacks something.')
  const command = config.command === 'node' ? process.execPath : config.command
  const options = { command, args: config.args ?? [], cwd: elsewhere, env: { ...getDefaultEnvironment(), ...env } }
  const client = new Client({ name: 'tester', version: '1.0.0' })
  await client.connect(new StdioClientTransport(options))
  onTestFinished(() => client.close())
  return client
}

async function doMainJob(client: Client): Promise<void> {
  const documents = [{ title: 'A', markdown: '# Heading\n\nunmistakable words' }]
  const [{ id }] = (await structured(client, 'documents_add', { documents })).items
  const read = await client.callTool({ name: 'blocks_get', arguments: { id, format: 'markdown' } })
  expect(JSON.stringify(read.content)).toContain(JSON.stringify('# Heading\n\nunmistakable words').slice(1, -1))
  const found = await structured(client, 'documents_search', { include: ['unmistakable'] })
  expect(found.items).toMatchObject([{ documentId: id }])
}

test('it is valid and small', () => {
  const validator = join(root, 'node_modules/@anthropic-ai/mcpb/dist/cli/cli.js')
  expect(execFileSync(process.execPath, [validator, 'validate', unpacked], { encoding: 'utf8' })).toContain(
    'Manifest schema validation passes!',
  )
  expect(statSync(file).size).toBeLessThan(MEGABYTES * 1e6)
})

test('it has the icon in the size that hosts accept', async () => {
  expect(Buffer.compare(readFileSync(join(unpacked, 'icon.png')), await renderIcon())).toBe(0)
})

test('it has its version and tools', async () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const client = await connect(await commandFor({ folder: folder() }))
  expect([manifest.version, client.getServerVersion()?.version]).toEqual([version, version])
  const { tools } = await client.listTools()
  expect(manifest.tools?.map(({ name }) => name)).toEqual(tools.map(({ name }) => name))
})

test('it has the skills', async () => {
  const skills = new SkillsClient(await connect(await commandFor({ folder: folder() })))
  const { skills: entries } = await skills.list()
  expect(entries.map(({ frontmatter }) => frontmatter.name)).toContain('scriptorium')
  for (const entry of entries) expect((await skills.read(entry)).verified).toBe(true)
})

test('it has the database for each platform that it names', () => {
  expect(manifest.compatibility?.platforms).toEqual(['darwin', 'linux', 'win32'])
  expect(readdirSync(join(unpacked, 'node_modules/better-sqlite3/prebuilds')).sort()).toEqual(
    ['darwin', 'linux', 'linuxmusl', 'win32'].flatMap((platform) => [`${platform}-arm64.node`, `${platform}-x64.node`]),
  )
})

describe('the user configuration', () => {
  test('needs a folder only', async () => {
    expect(await commandFor({})).toBeUndefined()
    const place = folder()
    await doMainJob(await connect(await commandFor({ folder: place })))
    expect(readdirSync(place)).toContain('space.sqlite')
  })

  test('can set the file, the access and the tools, too', async () => {
    const place = folder()
    const config = { folder: place, file: 'notes.sqlite', access: 'read', tools: 'documents' }
    const { tools } = await (await connect(await commandFor(config))).listTools()
    expect(tools.map(({ name }) => name)).toEqual(['documents_list', 'documents_search'])
    expect(readdirSync(place)).toContain('notes.sqlite')
  })

  test.each(['access', 'tools'])(
    'does not start with %s cleared, since the default reaches further',
    async (setting) => {
      const { args = [] } = (await commandFor({ folder: folder(), [setting]: '' })) ?? {}
      const { status, stderr } = spawnSync(process.execPath, args, { cwd: elsewhere, encoding: 'utf8' })
      expect([status, stderr]).toEqual([
        2,
        `Expected a value as --${setting}, found an empty text; give one, or leave it out for its default.\n`,
      ])
    },
  )

  test('leaves no variable of the manifest in the command', async () => {
    expect(JSON.stringify(await commandFor({ folder: folder() }))).not.toContain('${')
    const defaults = Object.values(manifest.user_config ?? {}).map((option) => option.default)
    expect(JSON.stringify(defaults)).not.toContain('${')
  })
})

test('on macOS it uses the first Node that is new enough', async () => {
  const darwin = manifest.server.mcp_config?.platform_overrides?.darwin
  const server = { ...manifest.server, mcp_config: { ...manifest.server.mcp_config, ...darwin } }
  const home = folder()
  const [old, current] = ['old', '.nvm/versions/node/v24.0.0/bin'].map((name) => join(home, name))
  for (const place of [old, current]) mkdirSync(place ?? '', { recursive: true })
  writeFileSync(join(old ?? '', 'node'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
  symlinkSync(process.execPath, join(current ?? '', 'node'))
  const config = await commandFor({ folder: folder() }, { ...manifest, server } as typeof manifest)
  expect(config?.command).toBe('/bin/sh')
  await doMainJob(await connect(config, { HOME: home, PATH: `${old}:/usr/bin:/bin` }))
})
