/** Says which later changes keep an undo from restoring something, as far as the connection sees them. */
import { auditRowsByNumbers } from '../../../storage/audit-log.ts'
import { ScriptoriumError } from '../../base/errors.ts'
import type { Space } from '../model/space.ts'
import { callLine } from './call-line.ts'
import { summarizeVisible } from './call-selection.ts'
import type { Conflict } from './planned-row.ts'

/** What is left unchanged, in lines. */
export interface DescribedConflicts {
  /** One line for each later call that conflicts: its ID, author, time, tool and summary. */
  later: string[]
  /** The IDs of the calls of the first lines in `later`; further lines name no call. */
  laterCalls: string[]
  /** Lines about what is not undone for another reason. */
  other: string[]
}

export function conflictError({ later, other }: DescribedConflicts): ScriptoriumError {
  const found = [...(later.length > 0 ? [`it changed later: ${later.join('; ')}`] : []), ...other]
  return new ScriptoriumError(
    'CONFLICT',
    `Expected what these calls changed to be as they left it, found ${found.join('; ')}. Nothing was written; name those calls as well, or pass skipConflicts to leave these places as they are.`,
  )
}

export async function describeConflicts(space: Space, conflicts: readonly Conflict[]): Promise<DescribedConflicts> {
  if (conflicts.length === 0) return { later: [], laterCalls: [], other: [] }
  const rows = await auditRowsByNumbers(space.tx, [...new Set(conflicts.flatMap(({ calls }) => calls))])
  const visible = await summarizeVisible(space, rows)
  const shown = visible.slice(0, CONFLICTS_SHOWN)
  const laterCalls = shown.map(({ row }) => space.spellId(row.id ?? 0))
  const lines = shown.map(({ row, summary }) =>
    callLine({
      callId: space.spellId(row.id ?? 0),
      at: new Date(row.at).toISOString(),
      author: row.author,
      client: row.client ?? undefined,
      approvedBy: row.approvedBy ?? undefined,
      tool: row.endpoint,
      summary: summary?.text ?? '',
    }),
  )
  if (visible.length > lines.length) lines.push(`and ${visible.length - lines.length} more calls`)
  if (visible.length < rows.length || conflicts.some(({ isHidden }) => isHidden))
    lines.push(space.kind === 'full' ? CHANGED_LATER : `${CHANGED_LATER}, outside of this connection's reach`)
  return { later: lines, laterCalls, other: conflicts.some(({ leadsOut }) => leadsOut) ? [LEADS_OUT] : [] }
}

const CHANGED_LATER = 'changed later'
const LEADS_OUT = "a relation that leads out of this connection's reach"
/** The maximum number of later calls that a message lists. */
const CONFLICTS_SHOWN = 20
