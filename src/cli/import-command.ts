/** `scriptorium import`: imports documents from a folder, a zip or a file. */
import { existsSync } from 'node:fs'
import { isDatabaseAddress, parseAddress } from '../../storage/postgres/address.ts'
import { realPath } from '../../storage/sqlite/real-path.ts'
import { invalid } from '../base/errors.ts'
import { formatCount, formatNumber } from '../base/format-number.ts'
import type { ImportFormat } from '../import/import-format.ts'
import { secondsLeft } from '../import/import-options.ts'
import { reportLines } from '../import/import-report.ts'
import type { DocumentSource } from '../import/import-source.ts'
import { openInThread } from '../import/import-thread.ts'
import { openSource } from '../import/open-source.ts'
import { type ImportProgress, runImport } from '../import/run-import.ts'
import { findImportFolder } from '../space/import/find-import-folder.ts'
import { IMPORT_CLIENT } from '../space/model/space.ts'
import type { OpenSpace } from '../space/open-space.ts'
import type { Options } from './options.ts'
import type { CommandResult } from './printing.ts'

/**
 * Creates a space from an export of a whole space, if the space does not exist yet.
 *
 * @param file  of the space
 * @param readPassphrase  asks for the passphrase of the export
 * @returns undefined if the space exists already, and for other formats
 * @throws VALIDATION_ERROR if the source contains such an export in one of its folders
 */
export async function loadExportedSpace(
  file: string,
  { operand, dryRun, passphrase: hasPassphrase }: Pick<Options, 'operand' | 'dryRun' | 'passphrase'>,
  readPassphrase: () => Promise<string>,
): Promise<(CommandResult & { isComplete: boolean }) | undefined> {
  if (existsSync(file) || !existsSync(operand)) return undefined
  const source = await openSource(operand, file)
  try {
    const { assertNoSpaceExport, readSpaceExport } = await import('../import/json/space-export.ts')
    const about = await readSpaceExport(source)
    if (about === undefined) {
      await assertNoSpaceExport(source)
      if (hasPassphrase) throw noExportWithSecrets()
      return undefined
    }
    if (isDatabaseAddress(file)) {
      throw invalid(
        'Expected the file of a new space for the export of a whole one, found a database; name a file with --space.',
      )
    }
    const { space, exportedAt } = about
    const from = `the space ${space.name}, as it was exported at ${exportedAt}`
    if (dryRun) return { value: about, lines: [[`Would make ${file} from ${from}.`]], isComplete: true }
    const { loadSpace } = await import('../import/json/load-space.ts')
    const { newSigningSecret } = await import('../webhooks/webhook-message.ts')
    const passphrase = hasPassphrase ? await readPassphrase() : undefined
    const loaded = await loadSpace(file, source, about, { passphrase, newSigningSecret })
    const { rows, files, problems, notes } = loaded
    const lines = [`Made ${file} from ${from}: ${formatCount(rows, 'row')}, ${formatCount(files, 'file')}.`, ...notes]
    for (const { path, message } of problems) lines.push(`${path}: ${message}`)
    return { value: { ...about, ...loaded }, lines: lines.map((line) => [line]), isComplete: problems.length === 0 }
  } finally {
    await source.close()
  }
}

const noExportWithSecrets = () =>
  invalid('Expected the export of a whole space with --passphrase, found documents; leave --passphrase out.')

interface ImportCommandContext {
  /** Aborts the import after the document that is being written. */
  signal: AbortSignal
  /** Reports progress. */
  notify(text: string): void
}

type ImportFlags = Pick<
  Options,
  'operand' | 'as' | 'into' | 'dryRun' | 'collections' | 'passphrase' | 'name' | 'delete'
>

/**
 * @param place  the file or the address of the space
 * @param open  opens the space, or creates it, once there is something to import
 * @returns the result, and whether everything was imported
 * @throws VALIDATION_ERROR for a path with nothing to import
 */
export async function runImportCommand(
  place: string,
  open: () => Promise<OpenSpace>,
  flags: ImportFlags,
  context: ImportCommandContext,
): Promise<CommandResult & { isComplete: boolean }> {
  const { operand: path, as, name, passphrase } = flags
  const own = isDatabaseAddress(place) ? parseAddress(place).shown : realPath(place)
  const { source, format } = await openInThread({ isUpload: false, path, space: own, as, name })
  try {
    if (passphrase) throw noExportWithSecrets()
    const space = await open()
    return await importInto(space, source, format, flags, context).finally(() => space.close())
  } finally {
    await source.close()
  }
}

async function importInto(
  space: OpenSpace,
  source: DocumentSource,
  format: ImportFormat,
  { into, dryRun, collections, delete: deletes }: ImportFlags,
  { signal, notify }: ImportCommandContext,
): Promise<CommandResult & { isComplete: boolean }> {
  const link = { ...(await space.createAccessLink('full', [])), client: IMPORT_CLIENT }
  const find = (name: string) =>
    dryRun
      ? space.writeAndRollBack(link, (view) => findImportFolder(view, name))
      : space.write(link, (view) => findImportFolder(view, name))
  const folder = into === undefined ? null : await find(into)
  const chosen = { format, into: folder, isDryRun: dryRun, collections, deletes, link, signal }
  const report = await runImport(space, source, {
    ...chosen,
    onProgress: (progress) => notify(progressLine(progress)),
  })
  notify('')
  const lines = reportLines(report).map((line) => [line])
  const { failed, conflicts } = report.counts
  return { value: report, lines, isComplete: failed + conflicts === 0 && !signal.aborted }
}

/** Formats the progress: the number of documents, the speed, and the remaining time. */
function progressLine(progress: ImportProgress): string {
  const { done, total, elapsed } = progress
  const left = formatNumber(secondsLeft(progress))
  if (done === 0) return `${formatCount(total, 'document')} will take about ${left} s`
  const rate = done / Math.max(elapsed / 1000, 0.001)
  return `${formatNumber(done)} of ${formatCount(total, 'document')}, ${Math.round(rate)} a second, ${left} s left`
}
