/** Imports and exports of the pages: forms with a file, files that wait for a decision, and files to save. */
import { isFormToken } from '../auth/browser-sessions/browser-session.ts'
import { invalid, ScriptoriumError } from '../base/errors.ts'
import { formatNumber } from '../base/format-number.ts'
import { INLINE_FILE_BYTES, TITLE_LENGTH } from '../base/limits.ts'
import { workOwner } from '../call/caller.ts'
import type { FormFile, ImportChoice, PageTransfers } from '../page/transfers/page-transfers.ts'
import { PAGE_CLIENT } from '../space/model/space.ts'
import type { Archives } from './archives/archives.ts'
import { type ExportContext, sendExport, sendMarkdown } from './archives/export-files.ts'
import { assertNoImportRuns, importStatus, runningImport } from './archives/import-jobs.ts'
import type { ImportContext, Upload } from './archives/import-runs.ts'
import { assertUploadSize, receiveUpload } from './archives/received-file.ts'
import { HeldUploads } from './held-uploads.ts'
import { readMultipartForm } from './multipart-form.ts'
import { foreignForm } from './page-access.ts'

export interface TransferRequest extends ImportContext, ExportContext {
  request: Request
  readBytes(): AsyncIterable<Uint8Array>
  session: Parameters<typeof isFormToken>[1]
}

export class PageTransferRoutes {
  readonly #archives: Archives
  readonly #held = new HeldUploads()
  /** IDs of spaces to which a file is being sent. */
  readonly #receiving = new Set<string>()

  constructor(archives: Archives) {
    this.#archives = archives
  }

  of(call: TransferRequest): PageTransfers {
    const { caller } = call
    const { space } = caller
    const owner = workOwner(caller)
    const { imports, exports } = this.#archives
    return {
      preview: (readChoice) => this.#preview(call, owner, readChoice),
      readFile: () => readFormFile(call),
      isHeld: (id) => this.#held.choiceOf(id, owner) !== undefined,
      start: (id) => this.#start(call, owner, id),
      stop: async (id) => {
        const held = this.#held.remove(id, owner)
        try {
          // An ID of another space is none of this one.
          await importStatus(space, id)
          imports.stop(id)
        } finally {
          await held?.upload.release()
        }
      },
      status: (id) => importStatus(space, id),
      running: () => runningImport(space),
      exportMarkdown: (file, choice) => exports.run(call, () => sendMarkdown(call, file, choice)),
      exportFile: (file, write, mostBytes) => exports.run(call, () => sendExport(call, file, { write, mostBytes })),
    }
  }

  async #preview(
    call: TransferRequest,
    owner: string,
    readChoice: (fields: URLSearchParams, fileName: string) => ImportChoice,
  ): Promise<string> {
    const { request, caller } = call
    assertUploadSize(request)
    // Before a large file is received for nothing.
    await assertNoImportRuns(caller.space)
    const { id: space } = caller.space.info
    if (this.#receiving.has(space)) throw new ScriptoriumError('CONFLICT', OTHER_FILE)
    this.#receiving.add(space)
    try {
      return await this.#receive(call, owner, readChoice)
    } finally {
      this.#receiving.delete(space)
    }
  }

  /** Stores the file of a form, and starts its dry run. @returns the ID of the dry run */
  async #receive(
    call: TransferRequest,
    owner: string,
    readChoice: (fields: URLSearchParams, fileName: string) => ImportChoice,
  ): Promise<string> {
    const { request, caller, log } = call
    let fileName = ''
    let fields = new URLSearchParams()
    const assertOwn = (form: URLSearchParams) => {
      if (!isFormToken(caller.space.info, call.session, form.get('token') ?? '')) throw foreignForm()
    }
    const upload = await receiveUpload(log, async (store) => {
      const type = request.headers.get('content-type') ?? ''
      fields = await readMultipartForm(call.readBytes(), type, async (name, before, bytes) => {
        assertOwn(before)
        fileName = name
        await store(bytes)
      })
      assertOwn(fields)
      if (fileName === '') throw invalid('Expected a file or a folder, found none; choose one first.')
    })
    try {
      const choice = readChoice(fields, fileName)
      assertStorable(choice)
      const kept: Upload = { path: upload.path, release: async () => {} }
      const { id } = await this.#archives.imports.start(asPerson(call), { ...choice, dryRun: true }, async () => kept)
      await this.#held.add(id, { owner, choice, upload })
      return id
    } catch (error) {
      await upload.release()
      throw error
    }
  }

  async #start(call: TransferRequest, owner: string, dryRun: string): Promise<string> {
    await assertNoImportRuns(call.caller.space)
    const choice = this.#held.choiceOf(dryRun, owner)
    if (choice === undefined) throw new ScriptoriumError('NOT_FOUND_ERROR', NOT_HELD)
    // An import that cannot begin, for instance because there is no room, leaves the file for the next try.
    const acquireUpload = async (): Promise<Upload> => {
      const held = this.#held.remove(dryRun, owner)
      if (held === undefined) throw new ScriptoriumError('NOT_FOUND_ERROR', NOT_HELD)
      return held.upload
    }
    const { id } = await this.#archives.imports.start(asPerson(call), { ...choice, dryRun: false }, acquireUpload)
    return id
  }

  close(): Promise<void> {
    return this.#held.close()
  }
}

/** What somebody imports on the pages is a person's, as all that is done there. */
const asPerson = ({ caller, acquireLease, log }: TransferRequest): ImportContext => ({
  caller: { ...caller, link: { ...caller.link, client: PAGE_CLIENT } },
  acquireLease,
  log,
})

/** Reads a form with a small file. */
async function readFormFile({ request, caller, session, readBytes }: TransferRequest): Promise<FormFile> {
  const parts: Uint8Array[] = []
  let [name, size] = ['', 0]
  const assertOwn = (form: URLSearchParams) => {
    if (!isFormToken(caller.space.info, session, form.get('token') ?? '')) throw foreignForm()
  }
  const type = request.headers.get('content-type') ?? ''
  const fields = await readMultipartForm(readBytes(), type, async (fileName, before, bytes) => {
    assertOwn(before)
    name = fileName
    for await (const part of bytes) {
      size += part.byteLength
      if (size > INLINE_FILE_BYTES) throw fileTooLarge()
      parts.push(part)
    }
  })
  assertOwn(fields)
  return { name, fields, bytes: Buffer.concat(parts) }
}

const fileTooLarge = () =>
  new ScriptoriumError(
    'PAYLOAD_TOO_LARGE',
    `Expected a file of at most ${formatNumber(INLINE_FILE_BYTES)} bytes, found more; choose a smaller one.`,
  )

/** @throws VALIDATION_ERROR for names that REST refuses as well: see archives/archive-query.ts */
function assertStorable({ name, into = '' }: ImportChoice): void {
  if (name.trim() === '' || name.length > TITLE_LENGTH) {
    throw invalid(
      `Expected a file with a name of 1 to ${formatNumber(TITLE_LENGTH)} characters, found ${formatNumber(name.trim().length)}; give it another name.`,
    )
  }
  if (`${name}${into}`.includes('\0')) {
    throw invalid('Expected a name without the character NUL, found one with it; give the file another name.')
  }
}

const OTHER_FILE =
  'Expected one upload for an import at a time, found another in progress; send this file again when that one has arrived.'
const NOT_HELD = 'Expected a file that was previewed recently, found none; choose the file again.'
