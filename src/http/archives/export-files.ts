/** Exports that are sent as a file. They are stored first, so that a failure is no half of a file. */
import { createReadStream } from 'node:fs'
import { mkdtemp, open, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { inBackground, type Log } from '../../base/background.ts'
import { ScriptoriumError } from '../../base/errors.ts'
import { formatNumber } from '../../base/format-number.ts'
import type { Caller } from '../../call/caller.ts'
import type { LinkStyle } from '../../export/export-formats.ts'
import { logExport } from '../../export/log-export.ts'
import { removeFolder } from './received-file.ts'

/** Who exports. */
export interface ExportContext {
  caller: Caller
  log: Log
  /** Calls the listener once when the response has been sent, or the client has disconnected. */
  onFinish(listener: () => void): void
}

interface SentFile {
  name: string
  type: string
}

interface MarkdownChoice {
  documents?: readonly string[]
  folder?: string
  hasIds: boolean
  links: LinkStyle | undefined
}

/** Exports documents within reach of the caller as a zip of Markdown. */
export const sendMarkdown = (
  context: ExportContext,
  file: SentFile,
  { documents = [], folder, hasIds, links }: MarkdownChoice,
  headers: Record<string, string> = {},
): Promise<Response> =>
  storeAndSend(context, file, async (path) => {
    const { caller } = context
    const { runExport } = await import('../../export/run-export.ts')
    const report = await runExport(caller.space, path, {
      ...{ documents, folder, hasIds, links, format: 'obsidian', now: Date.now(), link: caller.link },
    })
    return {
      ...headers,
      'X-Scriptorium-Documents': String(report.documents),
      'X-Scriptorium-Problems': String(report.problems.length),
    }
  })

interface WrittenExport {
  /** @param put  takes the next part of the file */
  write(put: (text: string) => Promise<void>): Promise<void>
  mostBytes: number
}

/** Sends what `write` puts out. @throws PAYLOAD_TOO_LARGE beyond so many bytes; errors of `write` */
export const sendExport = (
  context: ExportContext,
  file: SentFile,
  { write, mostBytes }: WrittenExport,
): Promise<Response> =>
  storeAndSend(context, file, async (path) => {
    const { space, link } = context.caller
    await logExport(space, link, { format: file.type })
    const output = await open(path, 'wx', 0o600)
    let size = 0
    try {
      await write(async (text) => {
        const bytes = Buffer.from(text)
        size += bytes.byteLength
        if (size > mostBytes) throw tooLarge(mostBytes)
        await output.appendFile(bytes)
      })
    } finally {
      await output.close()
    }
    return {}
  })

/** @param store  writes the file, and returns headers */
async function storeAndSend(
  { log, onFinish }: ExportContext,
  { name, type }: SentFile,
  store: (path: string) => Promise<Record<string, string>>,
): Promise<Response> {
  const folder = await mkdtemp(join(tmpdir(), 'scriptorium-export-'))
  const clean = () => removeFolder(folder, log)
  try {
    const path = join(folder, 'export.zip')
    const headers = await store(path)
    const { size } = await stat(path)
    onFinish(() => inBackground('remove the folder of an export', clean, log))
    return new Response(Readable.toWeb(createReadStream(path)) as ReadableStream, {
      headers: {
        ...headers,
        'Content-Type': type,
        'Content-Length': String(size),
        'Content-Disposition': dispositionOf(name),
        'Cache-Control': 'no-store',
      },
    })
  } catch (error) {
    await clean()
    throw error
  }
}

const dispositionOf = (name: string): string =>
  /^[\w .-]+$/.test(name)
    ? `attachment; filename="${name}"`
    : `attachment; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)}`

const tooLarge = (most: number) =>
  new ScriptoriumError(
    'PAYLOAD_TOO_LARGE',
    `Expected an export of at most ${formatNumber(most)} bytes, found more; export fewer documents, or Markdown.`,
  )
