/**
 * The main job on real input: every README in `node_modules` becomes a document of a new space, is read, moved, thrown
 * away and taken back, all through a server started as a host would start it. Ends with 1 when anything did not hold.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  checkFolders,
  deleteAndRestore,
  deleteBlocks,
  listed,
  moveBlocks,
  moveDocuments,
  readBack,
  readMarkdown,
} from './arrange.ts'
import { addFolders, bringIn } from './bring.ts'
import { writeDailyNote } from './daily.ts'
import { desktopLines } from './desktop.ts'
import { type Host, ROOT, startHost } from './host.ts'
import { Ledger } from './ledger.ts'
import { paint } from './progress.ts'
import { findReadmes } from './readmes.ts'
import { readBlocks, type Shelved } from './shelf.ts'

/** Lines shown of one document. */
const SHOWN_LINES = 30

const folder = mkdtempSync(join(tmpdir(), 'scriptorium-demo-'))
try {
  if (!(await demo(join(folder, 'space.sqlite')))) process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}

async function demo(space: string): Promise<boolean> {
  const ledger = new Ledger()
  const readmes = findReadmes(join(ROOT, 'node_modules'))
  console.log(
    `${paint('bold', 'Scriptorium')}: ${readmes.length} READMEs from node_modules into a new space, over MCP\n`,
  )
  const first = await started(space, ledger, 'Server started')
  const { shelf, refused } = await work(first, readmes, ledger)
  const calls = first.calls
  await first.close()

  const second = await started(space, ledger, 'Server started again')
  await checkAfterRestart(second, shelf, ledger)
  const shown = await oneDocument(second, shelf)
  await second.close()

  const size = (statSync(space).size / 1e6).toFixed(1)
  console.log(`\n${ledger.text}`)
  console.log(`${calls + second.calls} calls; the space is one file of ${size} MB.`)
  console.log(`${refused.length} READMEs were refused as Markdown and kept as one block of code each.`)
  for (const line of refused) console.log(`  ${line}`)
  console.log(`\n${shown}`)
  console.log(`\n${paint('bold', 'To use a space of your own in Claude Desktop')}, put this into`)
  console.log(
    `claude_desktop_config.json (Settings > Developer > Edit Config) and start it again:\n\n${desktopLines()}`,
  )
  return ledger.failed.length === 0
}

async function started(space: string, ledger: Ledger, what: string): Promise<Host> {
  const hosts: Host[] = []
  await ledger.time(what, 'server', async () => {
    const host = await startHost(space)
    hosts.push(host)
    await host.call('connection_get', {})
    return 1
  })
  const [host] = hosts
  if (host === undefined) throw new Error('Expected a server.')
  return host
}

async function work(host: Host, readmes: ReturnType<typeof findReadmes>, ledger: Ledger) {
  const { shelf, refused } = await bringIn(host, readmes, ledger)
  ledger.expect('a document for each README', new Set(shelf.map(({ id }) => id)).size, readmes.length)
  ledger.expect('the list of documents', await listed(host, {}), shelf.map(({ id }) => id).sort())
  await readBack(host, shelf, ledger)

  const folderId = (await addFolders(host, ['Gathered'])).get('Gathered') ?? ''
  const { items } = await host.call<{ items: { id: string }[] }>('documents_add', {
    documents: [{ title: 'First words' }],
    destination: { folderId },
  })
  const gathering: Shelved = {
    id: items[0]?.id ?? '',
    folderId,
    title: 'First words',
    folder: 'Gathered',
    markdown: '',
    blocks: [],
  }
  const all = [...shelf, gathering]
  await moveBlocks(host, shelf, gathering, ledger)
  await deleteBlocks(host, gathering, ledger)
  await moveDocuments(host, shelf, folderId, ledger)
  await deleteAndRestore(host, all, ledger)
  await writeDailyNote(host, shelf, ledger)
  await checkFolders(host, all, ledger)
  return { shelf: all, refused }
}

/** What was acknowledged is there after the server was started anew. */
async function checkAfterRestart(host: Host, shelf: readonly Shelved[], ledger: Ledger): Promise<void> {
  await ledger.time('Compared after the restart', 'documents', async () => {
    for (const { id, title, blocks } of shelf) {
      ledger.expect(`${title} after the restart`, await readBlocks(host, id), blocks)
    }
    return shelf.length
  })
}

/** A document of middle length, as an agent reads it. */
async function oneDocument(host: Host, shelf: readonly Shelved[]): Promise<string> {
  const chosen = shelf.find(({ title }) => title === 'uuid') ?? shelf.find(({ blocks }) => blocks.length > 20)
  const { text } = await readMarkdown(host, chosen?.id ?? '')
  const lines = text.split('\n')
  const rest = lines.length > SHOWN_LINES ? [paint('gray', `… ${lines.length - SHOWN_LINES} more lines`)] : []
  return [paint('bold', `${chosen?.title} as it now reads:`), '', ...lines.slice(0, SHOWN_LINES), ...rest].join('\n')
}
