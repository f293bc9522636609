/**
 * Makes `scriptorium.mcpb`: the program with all that it needs, as one file that hosts such as Claude Desktop install.
 *
 *     npm run bundle
 *
 * The format: https://github.com/modelcontextprotocol/mcpb. Hosts replace `${…}` in one pass, in which they neither
 * expand a variable inside of a default nor remove one whose value is missing, so no default holds a variable, and
 * every optional value has a default.
 */
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packExtension } from '@anthropic-ai/mcpb'
import program from '../package.json' with { type: 'json' }
import { toolCatalogFor } from '../src/call/catalog/tool-catalog.ts'
import { endpoints } from '../tools/index.ts'
import { build } from './build.ts'
import { firstSentence, ROOT } from './readme.ts'

/** The newest version for this kind of server: 0.4 only adds Python servers with uv. */
const MANIFEST_VERSION = '0.3'

/** The files of external packages that are needed at run time. Sources and headers are left out: 10 of 35 MB. */
const PACKAGE_FILES: Readonly<Record<keyof typeof program.dependencies, readonly string[]>> = {
  'better-sqlite3': ['LICENSE', 'package.json', 'lib', 'prebuilds'],
  '@resvg/resvg-wasm': ['README.md', 'package.json', 'index.js', 'index.mjs', 'index_bg.wasm'],
}

/** A variable that hosts replace: `${name}`. */
const variable = (name: string): string => `\${${name}}`

const ARGUMENTS = [
  'stdio',
  `--space=${variable('user_config.folder')}/${variable('user_config.file')}`,
  `--access=${variable('user_config.access')}`,
  `--tools=${variable('user_config.tools')}`,
]

/** The manifest: what hosts show before installation, what they ask the user for, and how they start the server. */
export const manifest = () => ({
  manifest_version: MANIFEST_VERSION,
  name: program.name,
  display_name: 'Scriptorium',
  version: program.version,
  description: program.description,
  long_description:
    'A space holds folders, documents, tasks, tables, files, whiteboards and daily notes. It is one SQLite file on your machine: no account, no cloud. Several agents, hosts and people may work in it at once.\n\nOn macOS, Node 22.14 or newer has to be installed (https://nodejs.org). Elsewhere the host brings its own.',
  author: { name: program.author },
  icon: 'icon.png',
  license: program.license,
  keywords: program.keywords,
  server: {
    type: 'node',
    entry_point: 'dist/start.js',
    mcp_config: {
      command: 'node',
      args: [`${variable('__dirname')}/dist/start.js`, ...ARGUMENTS],
      env: {},
      platform_overrides: {
        darwin: { command: '/bin/sh', args: [`${variable('__dirname')}/start-on-mac.sh`, ...ARGUMENTS] },
      },
    },
  },
  tools: toolCatalogFor(endpoints, 'full').list.listings.map(({ name, description }) => ({
    name,
    description: firstSentence(description),
  })),
  compatibility: { platforms: ['darwin', 'linux', 'win32'], runtimes: { node: program.engines.node } },
  user_config: {
    folder: {
      type: 'directory',
      title: 'Folder',
      description: 'The folder of your space, such as a new folder "Scriptorium" in your documents.',
      required: true,
    },
    file: {
      type: 'string',
      title: 'File',
      description: 'The name of the SQLite file of your space in that folder. It is made where there is none.',
      default: 'space.sqlite',
    },
    access: {
      type: 'string',
      title: 'Access',
      description:
        'What the agent may do: full, no-delete (everything except delete), propose (changes wait for approval), or read.',
      default: 'full',
    },
    tools: {
      type: 'string',
      title: 'Tools',
      description: 'all, essential (those that most work needs), or nouns and names with commas: documents,tasks_list.',
      default: 'all',
    },
  },
})

/** @param file  the output file */
export async function bundle(file = join(ROOT, 'scriptorium.mcpb')): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'scriptorium-bundle-'))
  try {
    await build({ folder: join(folder, 'dist') })
    for (const [name, files] of Object.entries(PACKAGE_FILES)) {
      const place = join('node_modules', name)
      mkdirSync(join(folder, place), { recursive: true })
      for (const one of files) cpSync(join(ROOT, place, one), join(folder, place, one), { recursive: true })
    }
    copyFileSync(join(ROOT, 'src/start-on-mac.sh'), join(folder, 'start-on-mac.sh'))
    copyFileSync(join(ROOT, 'assets/icon.png'), join(folder, 'icon.png'))
    copyFileSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'))
    cpSync(join(ROOT, 'skills'), join(folder, 'skills'), { recursive: true })
    const { name, version, license, type } = program
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, version, license, type }, null, 2))
    writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest(), null, 2))
    const isPacked = await packExtension({ extensionPath: folder, outputPath: file, silent: true })
    if (!isPacked) throw new Error('Expected a bundle, found that its manifest or files were refused; see above.')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  await bundle()
  process.stdout.write(
    `scriptorium.mcpb: ${(readFileSync(join(ROOT, 'scriptorium.mcpb')).length / 1e6).toFixed(1)} MB\n`,
  )
}
