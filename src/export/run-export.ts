/** Exports a space to a folder or a zip archive. */
import { createWriteStream, existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { invalid } from '../base/errors.ts'
import { partName, removeAbandonedParts } from '../import/own/write-file.ts'
import { type AccessLink, OPERATOR_LINK } from '../space/model/space.ts'
import type { OpenSpace } from '../space/open-space.ts'
import type { ExportFormatName, LinkStyle } from './export-formats.ts'
import type { ExportReport } from './export-report.ts'
import type { ExportTarget } from './export-target.ts'
import { openFolderTarget } from './folder-target.ts'
import { logExport } from './log-export.ts'
import type { ExportedBefore } from './markdown/export-vault.ts'
import { type ExportProgress, ExportStopped, StoppableTarget } from './stopped-export.ts'
import { ZipTarget } from './zip-target.ts'

export interface ExportOptions {
  format: ExportFormatName
  /** The access link whose reminders are exported. Defaults to that of the operator. */
  link?: AccessLink
  /** IDs of documents. If empty, all that the link reaches are exported, or those of the folder. */
  documents: readonly string[]
  /** For Markdown: the ID of a folder. */
  folder?: string | undefined
  /** For JSON: encrypts the secrets of the space. They are left out if it is absent. */
  passphrase?: string | undefined
  /** Milliseconds since 1970. */
  now: number
  /** For Markdown: how notes are written. */
  links?: LinkStyle | undefined
  hasIds?: boolean | undefined
  /** For Markdown: information about the previous export. Only changes since then are written. */
  since?: ExportedBefore
  /** For Markdown: called after each document. */
  onProgress?(progress: ExportProgress): void
  /** Stops the export after the file that is being written. */
  signal?: AbortSignal
}

/** @returns the number of documents in the export */
export async function writeExport(
  space: OpenSpace,
  target: ExportTarget,
  { format, documents, folder, now, link = OPERATOR_LINK, passphrase, signal, ...options }: ExportOptions,
): Promise<number> {
  const stoppable = signal === undefined ? target : new StoppableTarget(target, signal)
  if (format === 'json') {
    const { exportSpace } = await import('./json/export-space.ts')
    return exportSpace(space, stoppable, now, passphrase)
  }
  const { exportVault } = await import('./markdown/export-vault.ts')
  const choice = { documents, ...(folder !== undefined && { folder }) }
  return exportVault(space, stoppable, choice, link, options)
}

/**
 * Exports to a zip archive if the path ends in `.zip`, else to a folder.
 *
 * @throws VALIDATION_ERROR if the path cannot be written to: the archive already exists, or the path is not a folder
 */
export async function runExport(space: OpenSpace, path: string, options: ExportOptions): Promise<ExportReport> {
  const started = performance.now()
  const { link = OPERATOR_LINK, format, documents, folder, passphrase } = options
  // A watch logs its beginning.
  if (options.since?.state === undefined)
    await logExport(space, link, { format, documents, folder, hasSecrets: passphrase !== undefined })
  const notes = options.format === 'json' && options.passphrase === undefined ? [SECRETS_LEFT_OUT] : []
  const progress: ExportProgress = { done: 0, total: 0 }
  const chosen: ExportOptions = {
    ...options,
    onProgress(now) {
      Object.assign(progress, now)
      options.onProgress?.(now)
    },
  }
  const report = (
    documents: number,
    { counts, problems }: ExportTarget,
    stopped?: ExportReport['stopped'],
  ): ExportReport => ({
    ...{ target: path, format: options.format, documents, counts, notes, problems },
    ...(stopped && { stopped }),
    elapsed: Math.round(performance.now() - started),
  })
  const target = /\.zip$/i.test(path)
    ? new ZipTarget(space.info.id)
    : await openFolderTarget(path, space.info.id, { isPrivate: options.format === 'json' })
  try {
    const documents =
      target instanceof ZipTarget
        ? await exportToZip(space, path, target, chosen)
        : await exportToFolder(space, target, chosen)
    return report(documents, target)
  } catch (error) {
    if (!(error instanceof ExportStopped)) throw error
    return report(progress.done, target, { ...progress, isKept: !(target instanceof ZipTarget) })
  }
}

async function exportToFolder(space: OpenSpace, target: ExportTarget, options: ExportOptions): Promise<number> {
  try {
    const documents = await writeExport(space, target, options)
    await target.finish()
    return documents
  } catch (error) {
    await target.abort()
    throw error
  }
}

const SECRETS_LEFT_OUT =
  'The keys of the space, and the answers that are kept for retries, are left out: a space that is made of this export has new keys, so that cursors, addresses of files and sessions of the pages change. --passphrase encrypts them instead.'

async function exportToZip(space: OpenSpace, path: string, target: ZipTarget, options: ExportOptions): Promise<number> {
  if (existsSync(path))
    throw invalid(`Expected a new file to export to, found one that is there, ${path}; name another.`)
  // An export that was interrupted may have left a part.
  await removeAbandonedParts(dirname(path), basename(path))
  const passing = partName(path)
  try {
    const writing = pipeline(target.output, createWriteStream(passing, { flags: 'wx', mode: 0o600 }))
    const work = writeExport(space, target, options).then(async (documents) => {
      await target.finish()
      return documents
    })
    const [documents] = await Promise.all([work, writing])
    await rename(passing, path)
    return documents
  } catch (error) {
    await target.abort()
    await rm(passing, { force: true })
    throw error
  }
}
