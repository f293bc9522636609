/** All scenarios; those that wait longest come first. */
import * as files from './files-under-a-server.ts'
import type { Scenario } from './scenario.ts'

export const SCENARIOS: readonly Scenario[] = [
  ...[files.deleted, files.replaced, files.logRemoved, files.logCut, files.linked],
]
