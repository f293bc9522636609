/**
 * Keeps a folder of Markdown up to date with a space. This works in one direction: changes in the folder are not
 * imported.
 */
import type { OpenSpace } from '../space/open-space.ts'
import type { ExportReport } from './export-report.ts'
import type { ExportedBefore } from './markdown/export-vault.ts'
import { type ExportOptions, runExport } from './run-export.ts'

/**
 * Exports once, then again after every change, until the signal is aborted.
 *
 * @param report  called after each export
 * @throws as {@link runExport} does
 */
export async function watchExport(
  space: OpenSpace,
  path: string,
  options: Omit<ExportOptions, 'since'>,
  signal: AbortSignal,
  report: (report: ExportReport) => void,
): Promise<void> {
  const changed = new Set<number>()
  let wake = () => {}
  const end = () => wake()
  signal.addEventListener('abort', end)
  const listening = space.watch(({ documents }) => {
    for (const document of documents) changed.add(document)
    wake()
  })
  await listening.ready
  const since: ExportedBefore = { state: undefined, changed: new Set() }
  let isDue = true
  try {
    while (!signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>()
      wake = () => {
        isDue = true
        resolve()
      }
      if (isDue) {
        isDue = false
        since.changed = new Set(changed)
        changed.clear()
        report(await runExport(space, path, { ...options, since }))
      }
      // If something changed during the export, start the next one immediately.
      if (!isDue && !signal.aborted) await promise
    }
  } finally {
    signal.removeEventListener('abort', end)
    await listening.stop()
  }
}
