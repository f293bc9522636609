/** How far the migration of a space is. */

/** The current step, with how much of it is done if that is known. */
export interface MigrationProgress {
  step: 'beginning' | 'copying' | 'migrating' | 'checking' | 'indexing'
  done?: number
  total?: number
}

export type ReportMigration = (progress: MigrationProgress) => void

/** The step as the end of a sentence. */
export function describeMigration({ step, done = 0, total = 0 }: MigrationProgress): string {
  switch (step) {
    case 'beginning':
      return 'it has just begun'
    case 'copying':
      return 'a copy of its previous state is being made'
    case 'migrating':
      return `it has reached schema ${done} of ${total}`
    case 'checking':
      return 'its references are being checked'
    case 'indexing':
      return `${total === 0 ? 0 : Math.floor((done / total) * 100)} % of its words are indexed`
  }
}
