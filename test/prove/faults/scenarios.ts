/** All scenarios, the slowest first. */
import * as backups from './backups.ts'
import * as scheduled from './backups-under-load.ts'
import * as buckets from './buckets.ts'
import * as contents from './contents.ts'
import * as databases from './databases.ts'
import * as disks from './disks-and-clocks.ts'
import * as files from './files-under-a-server.ts'
import * as migrations from './migrations.ts'
import type { Scenario } from './scenario.ts'

export const SCENARIOS: readonly Scenario[] = [
  ...[buckets.uploads, buckets.downloads, buckets.swept],
  ...[databases.silent, databases.abandoned, databases.locked],
  ...[scheduled.underLoad, migrations.inWorker, scheduled.flipped],
  ...[backups.idle, contents.examined, backups.copied, backups.fromBefore, backups.kept, contents.emptied],
  ...[disks.failing, disks.ahead, disks.monthsAhead, disks.beyond],
  ...[files.deleted, files.replaced, files.logRemoved, files.logCut, files.linked],
]
