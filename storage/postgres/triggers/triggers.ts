/**
 * All functions and triggers of a database that are not part of a table's definition. They are created or replaced when
 * a database has been migrated, so that they are as this program has them. A migration drops those that are no more.
 */
import { byteCountTriggers } from './byte-count-triggers.ts'
import { callTriggers } from './call-triggers.ts'
import { documentTriggers } from './document-triggers.ts'
import { historyTriggers } from './history-triggers.ts'

export const TRIGGERS = `${documentTriggers}
${historyTriggers}
${callTriggers}
${byteCountTriggers}`
