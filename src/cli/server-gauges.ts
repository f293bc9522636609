/** Metrics about what a server stands on. */
import type { Metrics } from '../http/metrics.ts'
import type { Readiness } from '../http/readiness.ts'
import type { BackupSchedule } from './backup/backup-schedule.ts'
import type { CertificateFiles } from './certificate-files.ts'
import { freeBytes } from './readiness-checks.ts'
import type { ServedSpaces } from './served-spaces.ts'

interface Gauged {
  spaces: Pick<ServedSpaces, 'folder' | 'waitingForConnections'>
  readiness: Readiness
  certificate: CertificateFiles | undefined
  backups: BackupSchedule | undefined
}

/** Metrics about what the server stands on. Those that do not apply are left out. */
export function addServerGauges(metrics: Metrics, { spaces, readiness, certificate, backups }: Gauged): void {
  const { folder, waitingForConnections } = spaces
  // The first, since reading the others asks the database, and would be counted.
  if (waitingForConnections !== undefined)
    metrics.addGauge('scriptorium_database_waits', 'Calls that wait for a connection to the database', () =>
      waitingForConnections(),
    )
  metrics.addGauge('scriptorium_ready', '1 if the server is ready, as GET /ready answers; otherwise 0', async () =>
    (await readiness.state()).code === undefined ? 1 : 0,
  )
  metrics.addGauge(
    'scriptorium_broken_spaces',
    'Spaces that could not be opened or read',
    async () => (await readiness.state()).degraded,
  )
  if (folder !== undefined)
    metrics.addGauge('scriptorium_disk_free_bytes', 'Bytes that can still be written to the disk of the spaces', () =>
      freeBytes(folder),
    )
  if (certificate !== undefined)
    metrics.addGauge(
      'scriptorium_certificate_expires_timestamp_seconds',
      'When the certificate ends, in seconds since 1970',
      () => certificate.expiresAt,
    )
  if (backups === undefined) return
  metrics.addGauge(
    'scriptorium_oldest_backup_timestamp_seconds',
    'When the space whose last backup is the oldest was backed up, in seconds since 1970; 0 if one has none',
    () => backups.state().oldestAt / 1000,
  )
  metrics.addGauge(
    'scriptorium_last_backups_bytes',
    'Bytes of the last backup of each space, without the folders of their files',
    () => backups.state().bytes,
  )
  metrics.addGauge('scriptorium_failing_backups', 'Spaces whose last backup failed', () => backups.state().failing)
}
