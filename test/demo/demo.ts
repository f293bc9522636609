/**
 * The main workflow on real input: every README in `node_modules` is imported into a new space, read, moved, deleted
 * and restored. Everything except the import goes through a server that is started like in a host. Then a person hands
 * work to an agent, and two agents work together. At the end, the page opens on a terminal, until Ctrl+C; elsewhere, its
 * command is printed. Exits with code 1 if anything was wrong.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { ImportProblem } from '../../src/import/import-source.ts'
import {
  checkFolders,
  deleteAndRestore,
  deleteBlocks,
  moveBlocks,
  moveDocuments,
  readBack,
  readMarkdown,
} from './arrange.ts'
import { addFolders, importReadmes } from './bring.ts'
import { writeDailyNote } from './daily.ts'
import { DemoReport } from './demo-report.ts'
import { desktopLines } from './desktop.ts'
import { handOver } from './hand-over.ts'
import { type Host, ROOT, startHost } from './host.ts'
import { paint } from './progress.ts'
import { findReadmes } from './readmes.ts'
import { idsOf, listed, readBlocks, type Shelved } from './shelf.ts'
import { workTogether } from './together.ts'

/** The number of lines to print of a document. */
const SHOWN_LINES = 30

const folder = mkdtempSync(join(tmpdir(), 'scriptorium-demo-'))
try {
  if (!(await demo(join(folder, 'space.sqlite')))) process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}

async function demo(space: string): Promise<boolean> {
  const report = new DemoReport()
  const readmes = findReadmes(join(ROOT, 'node_modules'))
  console.log(`${paint('bold', 'Scriptorium')}: ${readmes.length} READMEs from node_modules into a new space\n`)
  const first = await started(space, report, 'Server started')
  const { shelf, problems } = await work(first, readmes, space, report)
  const calls = first.calls
  await first.close()

  const second = await started(space, report, 'Server started again')
  await checkAfterRestart(second, shelf, report)
  const shown = await oneDocument(second, shelf)
  await second.close()
  const handed = await handOverWork(dirname(space), report)
  const together = join(dirname(space), 'together')
  const scenes = await showTogether(together, report)

  const size = (statSync(space).size / 1e6).toFixed(1)
  console.log(`\n${report.text}`)
  console.log(`${calls + second.calls} calls; the space is one file of ${size} MB.`)
  for (const line of problemLines(problems)) console.log(line)
  console.log(`\n${shown}`)
  console.log(`\n${handed}`)
  console.log(`\n${scenes}`)
  console.log(`\n${paint('bold', 'To use a space of your own in Claude Desktop')}, put this into`)
  console.log(
    `claude_desktop_config.json (Settings > Developer > Edit Config) and start it again:\n\n${desktopLines()}`,
  )
  await showPage(join(together, 'space.sqlite'))
  return report.failed.length === 0
}

/** The second half: a person asks an agent in a comment, and approves what it proposes. */
async function handOverWork(folder: string, report: DemoReport): Promise<string> {
  const own = join(folder, 'hand-over')
  mkdirSync(own)
  const lines: string[] = []
  await report.time('Handed over, and approved', 'comment', async () => {
    const { output, proposals, diff, text, comments } = await handOver(own, { script: 'src/start.js', cwd: ROOT })
    report.expect('proposals of an agent that was killed and started again', proposals.length, 1)
    report.expect('the text after the approval', text, 'A very long way.')
    report.expect(
      'who resolved the thread',
      comments.map(({ resolvedBy }) => resolvedBy),
      ['Editor'],
    )
    const [comment] = comments
    lines.push(`${comment?.author}, in a comment: ${comment?.content}`, ...output.split('\n').slice(0, 1))
    lines.push(`Editor proposes: ${proposals[0]?.summary}`, '', diff.trim(), '')
    lines.push('Owner approves it: the text changes, and the thread is resolved. docs/hand-over.md has the program.')
    return 1
  })
  return [paint('bold', 'Work that is handed over in a comment:'), '', ...lines].join('\n')
}

/** Two agents and a person: a claim, a suggestion, its approval, and an undo. */
async function showTogether(folder: string, report: DemoReport): Promise<string> {
  mkdirSync(folder)
  const lines: string[] = []
  await report.time('Worked together', 'steps', async () => {
    const scenes = await workTogether(folder, { script: 'src/start.js', cwd: ROOT })
    const [, , suggestion, approval, undo] = scenes
    report.expect('the text after the approval', approval?.shows.includes('which is a port'), false)
    report.expect('the text after the undo', suggestion?.shows.endsWith(undo?.shows ?? '?'), true)
    for (const { who, does, shows } of scenes) lines.push(`${paint('bold', who)} ${does}`, `  ${shows}`)
    return scenes.length
  })
  return [paint('bold', 'Two agents and you, in one space:'), '', ...lines].join('\n')
}

/** Opens the page of the space on a terminal, and serves it until Ctrl+C. */
async function showPage(space: string): Promise<void> {
  console.log(`\n${paint('bold', 'To see it')}: documents, what agents did, and the undo of each call`)
  if (!process.stdout.isTTY) {
    console.log('On a terminal, the page of this space opens here. npm start -- open opens that of your own.')
    return
  }
  const opening = ['src/start.js', 'open', '--space', space, '--port', '0']
  const child = spawn(process.execPath, opening, { cwd: ROOT, stdio: 'inherit' })
  // The page's server ends by the same Ctrl+C; then this folder is deleted.
  process.once('SIGINT', () => {})
  await once(child, 'exit')
}

/** What the import could not convert, by reason. Most are images and files that a package does not include. */
function problemLines(problems: readonly ImportProblem[]): string[] {
  const reasons = Map.groupBy(problems, ({ kind, message }) => `${kind}: ${message}`)
  const lines = [...reasons].map(([reason, { length }]) => ({ length, line: `  ${length} × ${reason}` }))
  lines.sort((one, other) => other.length - one.length)
  return [`${problems.length} things in the READMEs did not come in as they were:`, ...lines.map(({ line }) => line)]
}

async function started(space: string, report: DemoReport, what: string): Promise<Host> {
  const hosts: Host[] = []
  await report.time(what, 'server', async () => {
    const host = await startHost(space)
    hosts.push(host)
    await host.call('connection_get', {})
    return 1
  })
  const [host] = hosts
  if (host === undefined) throw new Error('Expected a server.')
  return host
}

async function work(host: Host, readmes: ReturnType<typeof findReadmes>, space: string, report: DemoReport) {
  const { shelf, problems } = await importReadmes(host, readmes, join(dirname(space), 'readmes'), space, report)
  report.expect('a document for each README', new Set(shelf.map(({ id }) => id)).size, readmes.length)
  report.expect('the list of documents', idsOf(await listed(host, {})).sort(), idsOf(shelf).sort())
  await readBack(host, shelf, report)

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
  await moveBlocks(host, shelf, gathering, report)
  await deleteBlocks(host, gathering, report)
  await moveDocuments(host, shelf, folderId, report)
  await deleteAndRestore(host, all, report)
  await writeDailyNote(host, shelf, report)
  await checkFolders(host, all, report)
  return { shelf: all, problems }
}

/** What was acknowledged is there after the server was restarted. */
async function checkAfterRestart(host: Host, shelf: readonly Shelved[], report: DemoReport): Promise<void> {
  await report.time('Compared after the restart', 'documents', async () => {
    for (const { id, title, blocks } of shelf) {
      report.expect(`${title} after the restart`, await readBlocks(host, id), blocks)
    }
    return shelf.length
  })
}

/** A document of medium length, as an agent reads it. */
async function oneDocument(host: Host, shelf: readonly Shelved[]): Promise<string> {
  const chosen = shelf.find(({ title }) => title === 'uuid') ?? shelf.find(({ blocks }) => blocks.length > 20)
  const { text } = await readMarkdown(host, chosen?.id ?? '')
  const lines = text.split('\n')
  const rest = lines.length > SHOWN_LINES ? [paint('gray', `… ${lines.length - SHOWN_LINES} more lines`)] : []
  return [paint('bold', `${chosen?.title} as it now reads:`), '', ...lines.slice(0, SHOWN_LINES), ...rest].join('\n')
}
