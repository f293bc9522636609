/** Exports a space to a folder or a zip. */
import { createWriteStream, existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { invalid } from '../base/errors.ts'
import { type AccessLink, OPERATOR_LINK } from '../space/model/space.ts'
import type { OpenSpace } from '../space/open-space.ts'
import type { ExportFormatName } from './export-formats.ts'
import type { ExportReport } from './export-report.ts'
import type { ExportTarget } from './export-target.ts'
import { openFolderTarget } from './folder-target.ts'
import type { ExportedBefore } from './markdown/export-vault.ts'
import { ZipTarget } from './zip-target.ts'

export interface ExportOptions {
  format: ExportFormatName
  /** Whose reminders are among them; the operator's when absent. */
  link?: AccessLink
  /** IDs of documents; all where there are none. */
  documents: readonly string[]
  /** Milliseconds since 1970. */
  now: number
  /** What is known of the export before, of Markdown: it is brought up to date. */
  since?: ExportedBefore
}

/** @returns how many documents were written */
export async function writeExport(
  space: OpenSpace,
  target: ExportTarget,
  { format, documents, now, link = OPERATOR_LINK, since }: ExportOptions,
): Promise<number> {
  if (format === 'json') {
    const { exportSpace } = await import('./json/export-space.ts')
    return exportSpace(space, target, now)
  }
  const { exportVault } = await import('./markdown/export-vault.ts')
  return exportVault(space, target, documents, link, since)
}

/**
 * Exports to a path: a zip where it ends so, else a folder.
 *
 * @throws VALIDATION_ERROR for a path that cannot be written to: a zip that is there already, or no folder
 */
export async function runExport(space: OpenSpace, path: string, options: ExportOptions): Promise<ExportReport> {
  const started = performance.now()
  const report = (documents: number, { counts, problems }: ExportTarget): ExportReport => ({
    ...{ target: path, format: options.format, documents, counts, problems },
    elapsed: Math.round(performance.now() - started),
  })
  if (/\.zip$/i.test(path)) {
    const target = new ZipTarget()
    return report(await exportToZip(space, path, target, options), target)
  }
  const target = await openFolderTarget(path, space.info.id)
  try {
    const documents = await writeExport(space, target, options)
    await target.finish()
    return report(documents, target)
  } catch (error) {
    await target.abort()
    throw error
  }
}

async function exportToZip(space: OpenSpace, path: string, target: ZipTarget, options: ExportOptions): Promise<number> {
  if (existsSync(path))
    throw invalid(`Expected a new file to export to, found one that is there, ${path}; name another.`)
  const passing = `${path}.part`
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
