/** The imports and exports of a server, which its REST interface and its pages share. */
import { ExportTurns } from './export-turns.ts'
import { ImportRuns } from './import-runs.ts'

export class Archives {
  readonly imports = new ImportRuns()
  readonly exports = new ExportTurns()

  /** Stops imports after the document that they are writing. */
  close(): Promise<void> {
    return this.imports.close()
  }
}
