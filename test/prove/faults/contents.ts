/** Permanently deleted content must be gone, and damage to a space must be detected. */
import { globSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { commandOf, runProgram } from '../attack/process.ts'
import type { Scenario, ScenarioContext } from './scenario.ts'
import { addDocument, closedSpace, idIn, start, TRANSPORTS } from './transports.ts'

const SECRET = 'Xylophonquartz'

export const emptied: Scenario = {
  name: 'the trash is emptied',
  planted: [
    { file: 'storage/sqlite/copies/compact.ts', find: "    sqlite.exec('VACUUM')\n", replace: '' },
    {
      file: 'storage/sqlite/copies/compact.ts',
      find: '    sqlite.exec("INSERT INTO search (search) VALUES (\'optimize\')")\n',
      replace: '',
    },
  ],
  async run(context) {
    const faults: string[] = []
    for (const transport of TRANSPORTS) {
      const folder = context.folder()
      const file = join(folder, 'space.sqlite')
      const running = await start(transport, context, file)
      const words = Array.from({ length: 200 }, (_, index) => `${SECRET}${index} stands here`).join('\n\n')
      const { text } = await addDocument(running, `About ${SECRET}`, words)
      const id = idIn(text)
      const deleted = await running.call('documents_delete', { documentIds: [id] })
      if (deleted.isRefused) throw new Error(deleted.text)
      await running.end()
      await commandOf(context.program, ['trash', 'empty', '--space', file])
      const found = readdirSync(folder).filter((name) => hasSecret(join(folder, name)))
      if (found.length > 0)
        faults.push(`over ${transport}, words that were deleted for good are in ${found.join(', ')}.`)
    }
    return faults
  },
}

const hasSecret = (path: string): boolean => readFileSync(path, 'latin1').toLowerCase().includes(SECRET.toLowerCase())

interface Damage {
  name: string
  do(file: string): void
  /** The exit code of doctor: 3 if the damage can be repaired without loss, 4 if it cannot. */
  code: 3 | 4
  /** Expected in the output of doctor. */
  message: RegExp
}

const inSpace = (file: string, sql: string): void => {
  const sqlite = new Sqlite(file)
  sqlite.exec(sql)
  sqlite.close()
}

const bytesOf = (file: string): string => {
  const [path = ''] = globSync(`${file}.files/**/*`).filter((one) => /[0-9a-f]{64}/.test(one.replaceAll('/', '')))
  return path
}

const DAMAGES: readonly Damage[] = [
  {
    name: 'bytes that were altered',
    code: 4,
    message: /was changed on the disk/,
    do: (file) => writeFileSync(bytesOf(file), 'other bytes'),
  },
  { name: 'bytes that are missing', code: 4, message: /is missing/, do: (file) => rmSync(bytesOf(file)) },
  {
    name: 'an index that another program dropped',
    code: 4,
    message: /Schema/,
    do: (file) => inSpace(file, 'DROP INDEX block_collection'),
  },
  {
    name: 'counts that are wrong',
    code: 3,
    message: /counted wrong/,
    do: (file) => inSpace(file, 'UPDATE location_count SET documents = documents + 5'),
  },
  {
    name: 'words that the index lacks',
    code: 3,
    message: /index of words/,
    do: (file) => inSpace(file, "INSERT INTO search (search) VALUES ('delete-all')"),
  },
  { name: 'a file that ends early', code: 4, message: /Opening|Integrity/, do: (file) => truncateSync(file, 40_960) },
]

const FINDINGS = 'src/cli/doctor/findings.ts'

export const examined: Scenario = {
  name: 'a damaged space is examined and repaired',
  planted: [
    {
      file: FINDINGS,
      find: '    if (damage === undefined) continue\n',
      replace: '    if (damage !== null) continue\n',
    },
    { file: FINDINGS, find: '  if (wrongCounts > 0) {', replace: '  if (wrongCounts > 1e9) {' },
    {
      file: FINDINGS,
      find: '  for (const difference of schemaDifferences) {',
      replace: '  for (const difference of schemaDifferences.slice(1e9)) {',
    },
    {
      file: FINDINGS,
      find: "  if (count === 0) return { what: 'Search', found: 'ok' }",
      replace: "  if (count >= 0) return { what: 'Search', found: 'ok' }",
    },
  ],
  async run(context) {
    const faults: string[] = []
    for (const damage of DAMAGES) {
      for (const fault of await tryDamage(context, damage)) faults.push(`${damage.name}: ${fault}`)
    }
    return faults
  },
}

async function tryDamage(context: ScenarioContext, damage: Damage): Promise<string[]> {
  const { program } = context
  const file = join(context.folder(), 'space.sqlite')
  await closedSpace(context, file, 'Words to find', 'the text of a file')
  damage.do(file)
  const examined = await runProgram(program, ['doctor', '--space', file])
  const faults: string[] = []
  if (examined.code !== damage.code)
    faults.push(`expected exit code ${damage.code}, found ${examined.code}: ${examined.output}`)
  if (!damage.message.test(examined.output)) faults.push(`expected ${damage.message}, found ${examined.output}`)
  if (damage.code === 4) return faults
  await runProgram(program, ['doctor', '--repair', '--space', file])
  const repaired = await runProgram(program, ['doctor', '--space', file])
  if (repaired.code !== 0) faults.push(`expected a sound space after --repair, found ${repaired.output}`)
  return faults
}
