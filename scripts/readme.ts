/**
 * Fills in the generated parts of the pages in docs: tables, code of examples/, and numbers from limits.ts.
 * Writes docs/openapi.json.
 *
 *     npm run readme
 *
 * A generated part stands between two HTML comments, which Markdown does not show:
 *
 *     <!-- endpoints -->…<!-- /endpoints -->                          a row for each endpoint, with its parameters and their types
 *     <!-- commands -->…<!-- /commands -->                            a row for each command
 *     <!-- flags -->…<!-- /flags -->                                  a row for each flag of the command line
 *     <!-- hosts -->…<!-- /hosts -->                                  a row for each host that `install` knows
 *     <!-- remote-hosts -->…<!-- /remote-hosts -->                    what to paste into each host for an address
 *     <!-- links -->…<!-- /links -->                                  a row for each host that takes one-click links
 *     <!-- installs -->…<!-- /installs -->                            how this and other servers install, from docs/benchmarks.md
 *     <!-- example:cookbook/rest.ts --><!-- /example -->              the code of a file of examples/, without its first comment
 *     <!-- limit:BODY_BYTES MiB -->10<!-- /limit -->                  a limit, in a unit of its own kind
 *     <!-- limit:PASSWORD_LENGTH.least -->10<!-- /limit -->           a member of a limit
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as baseLimits from '../src/base/limits.ts'
import { NamedSchemas } from '../src/call/catalog/named-schemas.ts'
import { toolCatalogFor } from '../src/call/catalog/tool-catalog.ts'
import type { JsonSchema } from '../src/call/input/arguments.ts'
import { commandInfo, commands, describeCommands } from '../src/cli/commands.ts'
import { flagsWithCommands } from '../src/cli/flags.ts'
import { installLink, LINKED_HOSTS, linkedServer } from '../src/cli/hosts/install-links.ts'
import type { Endpoint } from '../src/endpoint.ts'
import type { HostSystem } from '../src/hosts/host-folders.ts'
import { HOST_IDS } from '../src/hosts/host-ids.ts'
import { HOSTS, type Host } from '../src/hosts/host-table.ts'
import { remoteForms } from '../src/hosts/remote-hosts.ts'
import * as patternLimits from '../src/regex/pattern-limits.ts'
import { CONNECTION_KINDS } from '../src/space/model/space.ts'
import { endpoints } from '../tools/index.ts'
import { openApiFile } from './openapi-file.ts'
import { parameterType } from './parameter-types.ts'

export const ROOT = join(import.meta.dirname, '..')

export const OPENAPI_FILE = 'docs/openapi.json'

/** All limits, by the names that documents use. */
export const LIMITS: Readonly<Record<string, number | Readonly<Record<string, number>>>> = {
  ...baseLimits,
  ...patternLimits,
}

/** The size of each unit in the limit's own unit (bytes, seconds, characters). */
const UNITS: Readonly<Record<string, number>> = {
  KiB: 1024,
  MiB: 1024 ** 2,
  GiB: 1024 ** 3,
  MB: 1_000_000,
  minutes: 60,
  hours: 3_600,
  days: 86_400,
  years: 365 * 86_400,
}

/** README.md and the pages in docs, as paths relative to the checkout. */
export const documentFiles = (): string[] => [
  ...['README.md', 'examples/README.md'],
  ...globSync('docs/**/*.md', { cwd: ROOT, exclude: ['docs/site/**'] }).sort(),
]

const TABLES = {
  endpoints: endpointTable,
  commands: commandTable,
  flags: flagTable,
  hosts: hostTable,
  'remote-hosts': remoteHosts,
  links: linkTable,
  installs: installTable,
}

/** Updates the generated parts of a document. @throws Error for an unknown marker */
export function fillDocument(text: string): string {
  return text
    .replace(
      /<!-- (endpoints|commands|flags|hosts|remote-hosts|links|installs) -->[\s\S]*?<!-- \/\1 -->/g,
      (_, name: keyof typeof TABLES) => {
        return `<!-- ${name} -->\n\n${TABLES[name]()}\n\n<!-- /${name} -->`
      },
    )
    .replace(/<!-- example:(\S+) -->[\s\S]*?<!-- \/example -->/g, (_, file: string) => {
      return `<!-- example:${file} -->\n\n${exampleCode(file)}\n\n<!-- /example -->`
    })
    .replace(/<!-- limit:(\S+)(?: (\w+))? -->.*?<!-- \/limit -->/g, (marker, name: string, unit?: string) => {
      const start = marker.slice(0, marker.indexOf('-->') + '-->'.length)
      return `${start}${formatLimit(name, unit)}<!-- /limit -->`
    })
}

/** A file of examples/ as a block of code. Its first comment says what the page around it says. */
function exampleCode(file: string): string {
  const code = readFileSync(join(ROOT, 'examples', file), 'utf8').replace(/^\/\*\*[\s\S]*?\*\/\n+/, '')
  return `\`\`\`${file.replace(/^.*\./, '')}\n${code.trimEnd()}\n\`\`\``
}

/** @param name  of a limit, or of one of its members as `NAME.member` */
function formatLimit(name: string, unit?: string): string {
  const [key = '', member] = name.split('.')
  const limit = LIMITS[key]
  const value = typeof limit === 'object' ? limit[member ?? ''] : limit
  const size = unit === undefined ? 1 : UNITS[unit]
  if (value === undefined) throw new Error(`Expected the name of a limit in a document, found ${name}; see limits.ts.`)
  if (size === undefined) throw new Error(`Expected one of ${Object.keys(UNITS).join(', ')}, found ${unit} at ${name}.`)
  return (value / size).toLocaleString('en-US')
}

/** The first sentence of a description, up to a colon or semicolon. */
export const firstSentence = (text: string): string => /^.*?[.:;](?=\s|$)/.exec(text)?.[0].replace(/[:;]$/, '.') ?? text

/** A row per endpoint: tool, route, kinds of connections, parameters, description. */
function endpointTable(): string {
  const rows = endpoints.map((endpoint) => {
    const { name, route, description, isRestOnly } = endpoint
    const tool = isRestOnly ? 'REST only' : `\`${name}\``
    const kinds = CONNECTION_KINDS.filter((kind) => endpoint.input[kind] !== undefined).join(', ')
    return `| ${tool} | \`${route}\` | ${kinds} | ${parameters(endpoint)} | ${escapeCell(description)} |`
  })
  return [
    '| Tool | Route | Connections | Parameters | What it does |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n')
}

/**
 * The parameters for the widest kind of connection that has the endpoint, with their types in full. Those that tools do
 * not list are left out. Required ones are bold.
 */
function parameters({ name, input, isRestOnly }: Endpoint): string {
  const kind = CONNECTION_KINDS.find((one) => input[one] !== undefined) ?? 'full'
  const catalog = toolCatalogFor(endpoints, kind)
  const schema = catalog.find(name)?.schema ?? {}
  const listed = isRestOnly ? schema : catalog.list.listings.find((tool) => tool.name === name)?.inputSchema
  const required = (listed?.required as string[] | undefined) ?? []
  const types = new NamedSchemas().place(`${name}_input`, schema).properties ?? {}
  return Object.keys(listed?.properties ?? {})
    .map(
      (key) => `${required.includes(key) ? `**${key}**` : key}: ${escapeCell(parameterType(types[key] as JsonSchema))}`,
    )
    .join(', ')
}

/** A row per command of the command line. */
function commandTable(): string {
  const rows = commands.map((command) => {
    const { about, see, operand, secondOperand } = commandInfo(command)
    const usage = [command, operand, secondOperand].filter((word) => word !== undefined).join(' ')
    return `| \`${usage}\` | ${escapeCell(about)}${seeAlso(see)} |`
  })
  return ['| Command | What it does |', '| --- | --- |', ...rows].join('\n')
}

/** A row per flag of the command line, with the commands that have it. */
function flagTable(): string {
  const rows = flagsWithCommands().map(({ name, flag: { value, about, see }, commands: having }) => {
    const usage = escapeCell(value === undefined ? `--${name}` : `--${name} ${value}`)
    return `| \`${usage}\` | ${describeCommands(having)} | ${escapeCell(about)}${seeAlso(see)} |`
  })
  return ['| Flag | Commands | What it does |', '| --- | --- | --- |', ...rows].join('\n')
}

const seeAlso = (page: string | undefined): string => {
  if (page === undefined) return ''
  const [file = '', heading] = page.split('#')
  return file === 'cli.md' ? ` See [below](#${heading}).` : ` See [${file}](${page}).`
}

/** A row per host: its name for `install`, the location of its configuration, and the sources. */
function hostTable(): string {
  const rows = HOST_IDS.map((id) => {
    const { title, sources } = HOSTS[id]
    const links = [...new Set(Object.values(sources))].map((url, at) => `[${at + 1}](${url})`).join(' ')
    return `| ${title} | \`${id}\` | ${hostPaths(HOSTS[id])} | ${links} |`
  })
  return ['| Host | Name | Configuration file | Sources |', '| --- | --- | --- | --- |', ...rows].join('\n')
}

/** The path of a configuration on each system without environment variables; a single path if all are the same. */
function hostPaths({ path }: Host): string {
  const on = (platform: NodeJS.Platform, home: string, env: NodeJS.ProcessEnv = {}): string => {
    const system: HostSystem = { platform, home, env, list: () => [], read: () => undefined }
    return path(system)
  }
  const linux = on('linux', '~')
  const mac = on('darwin', '~')
  const windows = on('win32', '~', { APPDATA: '%APPDATA%' })
  if (linux === mac && windows.replaceAll('\\', '/') === linux) return `\`${linux}\``
  const unix = linux === mac ? [`\`${linux}\``] : [`Linux: \`${linux}\``, `macOS: \`${mac}\``]
  return [...unix, `Windows: \`${windows}\``].join('<br>')
}

/** What to paste into each host, for the address of a link, as the pages show it. */
function remoteHosts(): string {
  return remoteForms('https://notes.example/links/{secret}/mcp')
    .map(({ title, where, text }) => `**${title}.** ${where}\n\n\`\`\`\n${text.trim()}\n\`\`\``)
    .join('\n\n')
}

/** A row per host that supports links: one to click, if web pages may contain it, and one to paste. */
function linkTable(): string {
  const rows = LINKED_HOSTS.map((id) => {
    const { url, web } = installLink(id, linkedServer(id))
    return `| ${HOSTS[id].title} | ${web === undefined ? '' : `[Add to ${HOSTS[id].title}](${web})`} | \`${url}\` |`
  })
  return ['| Host | Click | Or paste into the address bar of a browser |', '| --- | --- | --- |', ...rows].join('\n')
}

/** The columns of the installation table: the row of docs/benchmarks.md with the figures, and their unit. */
const INSTALL_COLUMNS = [
  ['Installed', 'installed, MB', ' MB'],
  ['Packages', 'installed, packages', ''],
  ['Time to install', 'install, s', ' s'],
  ['First start', 'first start after an installation until the tool list, ms', ' ms'],
] as const

/** A row per server that docs/benchmarks.md compares. @throws Error for a missing figure */
function installTable(): string {
  const [servers = [], ...rows] = comparisonRows()
  const columns = INSTALL_COLUMNS.map(([, name, unit]) => {
    const row = rows.find(([first]) => first === name)
    if (row === undefined) throw new Error(`Expected a row "${name}" in docs/benchmarks.md, found none.`)
    return row.map((cell) => `${cell.replace(/ \(×.*\)$/, '')}${unit}`)
  })
  const lines = servers.map((server, index) => [server, ...columns.map((column) => column[index])]).slice(1)
  const head = ['', ...INSTALL_COLUMNS.map(([title]) => title)]
  const rule = ['---', ...INSTALL_COLUMNS.map(() => '---:')]
  return [head, rule, ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** The cells of the comparison with other servers. After each figure, its ratio to this server's is in parentheses. */
function comparisonRows(): string[][] {
  const text = readFileSync(join(ROOT, 'docs/benchmarks.md'), 'utf8')
  const [table = ''] = /^\| +\| scriptorium \|[\s\S]*?\n\n/m.exec(text) ?? []
  return table.split('\n').map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

const escapeCell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;')

if (import.meta.main) {
  for (const file of documentFiles()) {
    const path = join(ROOT, file)
    const found = readFileSync(path, 'utf8')
    const filled = fillDocument(found)
    if (filled !== found) writeFileSync(path, filled)
  }
  writeFileSync(join(ROOT, OPENAPI_FILE), openApiFile())
}
