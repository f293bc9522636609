/** Files of an import that take very long to read, or become very large. */
import { buffer } from 'node:stream/consumers'
import { setTimeout as pass } from 'node:timers/promises'
import { ZipFile } from 'yazl'
import type { Attack } from '../attack.ts'
import { type AttackedServer, askAt } from '../server.ts'

/**
 * The longest that a request of others may wait, as a share of the time of the import. Without a thread, it waits for
 * nearly half of it, while the note is read once; with one, for less than a hundredth. A number of answered requests
 * would say how fast the machine is before and after.
 */
const LONGEST_WAIT = 1 / 10

interface Imported {
  status: string
  problems: { path: string; message: string }[]
}

async function imported(server: AttackedServer, name: string, files: Record<string, string>): Promise<Imported> {
  const headers = { 'content-type': 'application/zip' }
  const started = await askAt(server.full.restUrl, `POST /import?name=${name}`, await zipOf(files), headers)
  if (started.status !== 202) throw new Error(`Expected an import, found ${started.status}: ${started.text}`)
  for (;;) {
    const { json } = await server.rest(`GET /import/${started.json.id}`)
    if (json.status !== 'running') return { status: json.status, problems: json.report?.problems ?? [] }
    await pass(50)
  }
}

function zipOf(files: Record<string, string>): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [path, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), path, { compress: false })
  zip.end()
  return buffer(zip.outputStream)
}

/** Searching this line for code takes quadratic time: runs of backticks of all lengths, none of them closed. */
const BACKTICKS = Array.from({ length: 3_000 }, (_, index) => '`'.repeat(index + 1)).join('a')

export const slow: Attack = {
  finding: 26,
  name: 'a note that takes long to read',
  async attempt(world) {
    const server = await world.serve()
    try {
      const running = imported(server, 'slow', { 'Slow.md': BACKTICKS, 'Good.md': 'Good' })
      let hasEnded = false
      const end = Promise.allSettled([running]).then(() => {
        hasEnded = true
      })
      const from = performance.now()
      let longest = 0
      while (!hasEnded) {
        const asked = performance.now()
        await server.ask('GET /health').catch(() => undefined)
        longest = Math.max(longest, performance.now() - asked)
      }
      const share = longest / (performance.now() - from)
      await end
      const status = await running.then(
        (done) => done.status,
        () => 'without an answer',
      )
      if (status !== 'done') return [`the import ended as ${status}`]
      return share > LONGEST_WAIT ? [`a request of others waited for ${share.toFixed(2)} of the import`] : []
    } finally {
      await server.close('SIGKILL')
    }
  },
}

const nodes = Array.from({ length: 20_001 }, (_, index) => ({ id: `n${index}`, type: 'text' }))
const table = `<table>${'<tr><td>a</td></tr>'.repeat(1_000)}<tr>${'<td>'.repeat(1_000)}</tr></table>`

/** Files that are too much of something, and a word of the limit that refuses them. */
const TOO_MUCH: Readonly<Record<string, readonly [content: string, limit: string]>> = {
  'Signs.md': [`---\na: [${','.repeat(20_000)}]\n---\n`, 'signs'],
  'Nodes.canvas': [JSON.stringify({ nodes }), 'elements'],
  'Levels.canvas': [`{"nodes":${'['.repeat(300)}${']'.repeat(300)}}`, 'levels'],
}

export const large: Attack = {
  finding: 26,
  name: 'files that are too much of something',
  async attempt(world) {
    const server = await world.serve()
    try {
      const files = Object.fromEntries(Object.entries(TOO_MUCH).map(([path, [content]]) => [path, content]))
      const vault = await imported(server, 'vault', files)
      const enex = `<en-export><note><title>A</title><content><![CDATA[<en-note>${table}</en-note>]]></content></note></en-export>`
      const notebook = await imported(server, 'notebook', { 'Table.enex': enex })
      const limits = [...Object.entries(TOO_MUCH).map(([path, [, limit]]) => [path, limit]), ['Table.enex', 'cells']]
      const problems = [...vault.problems, ...notebook.problems]
      return limits.flatMap(([path = '', limit = '']) => {
        const isRefused = problems.some((one) => one.path.startsWith(path) && one.message.includes(limit))
        return isRefused ? [] : [`${path} was read, although it has too many ${limit}`]
      })
    } finally {
      await server.close('SIGKILL')
    }
  },
}
