/** `scriptorium export`: exports the documents of a space, or the whole space, as files. */
import { invalid } from '../base/errors.ts'
import { EXPORT_FORMATS } from '../export/export-formats.ts'
import { exportLines } from '../export/export-report.ts'
import { runExport } from '../export/run-export.ts'
import { watchExport } from '../export/watch-export.ts'
import type { OpenSpace } from '../space/open-space.ts'
import { choiceOf } from './flags/parsers.ts'
import type { Options } from './options.ts'
import type { CommandResult } from './printing.ts'

type ExportFlags = Pick<Options, 'to' | 'as' | 'documents' | 'passphrase'> & Partial<Pick<Options, 'links' | 'noIds'>>

/**
 * Repeats the export after changes, and prints a line each time, until aborted.
 *
 * @throws VALIDATION_ERROR for a path that is not a folder
 */
export async function runExportWatch(
  space: OpenSpace,
  { to, as, documents, passphrase, links, noIds }: ExportFlags,
  signal: AbortSignal,
  print: (lines: string[]) => void,
): Promise<void> {
  if (to === undefined || /\.zip$/i.test(to)) {
    throw invalid(`Expected a folder as --to with --watch, found ${to ?? 'none'}; name a folder.`)
  }
  const format = choiceOf(EXPORT_FORMATS)(as ?? 'obsidian', '--as')
  if (format === 'json') throw invalid('Expected --as markdown or obsidian with --watch, found json.')
  if (passphrase) throw invalid('Expected --as json with --passphrase, found --watch; leave --passphrase out.')
  let isFirst = true
  await watchExport(
    space,
    to,
    { ...{ format, documents, links, hasIds: !noIds }, now: Date.now(), signal },
    signal,
    (report) => {
      const { written, removed } = report.counts
      if (isFirst || written + removed > 0) print(exportLines(report))
      isFirst = false
    },
  )
}

/**
 * @param readPassphrase  asks for a new passphrase
 * @param signal  stops the export after the file that is being written
 * @returns the result, and whether everything was written
 * @throws VALIDATION_ERROR without a target
 */
export async function runExportCommand(
  space: OpenSpace,
  { to, as, documents, passphrase: hasPassphrase, links, noIds }: ExportFlags,
  readPassphrase: () => Promise<string>,
  signal?: AbortSignal,
): Promise<CommandResult & { isComplete: boolean }> {
  if (to === undefined) throw invalid('Expected where to export to as --to, found none; name a folder or a .zip.')
  const format = choiceOf(EXPORT_FORMATS)(as ?? 'obsidian', '--as')
  if (format === 'json' && documents.length > 0) {
    throw invalid(
      'Expected --documents with --as markdown or obsidian, found it with json, which is of the whole space.',
    )
  }
  const onlyNotes = links !== undefined ? '--links' : noIds ? '--no-ids' : undefined
  if (format === 'json' && onlyNotes !== undefined) {
    throw invalid(`Expected --as markdown or obsidian with ${onlyNotes}, found json; leave ${onlyNotes} out.`)
  }
  if (format !== 'json' && hasPassphrase) {
    throw invalid(
      `Expected --as json with --passphrase, found ${format}, which has no secrets; leave --passphrase out.`,
    )
  }
  const passphrase = hasPassphrase ? await readPassphrase() : undefined
  const chosen = { ...{ format, documents, passphrase, links, hasIds: !noIds }, now: Date.now() }
  const report = await runExport(space, to, { ...chosen, ...(signal && { signal }) })
  const isComplete = report.problems.length === 0 && report.stopped === undefined
  return { value: report, lines: exportLines(report).map((line) => [line]), isComplete }
}
