/** Schemas of positions of blocks, for each kind of connection. */
import { z } from 'zod'
import { ID_TEXT_LENGTH } from '../../src/base/limits.ts'
import { GivenId } from '../../src/space/model/ids.ts'
import type { Position } from '../../src/space/model/positions.ts'
import type { ConnectionKind } from '../../src/space/model/space.ts'
import { date, id } from './block-shapes.ts'
import { typedAsIn } from './published.ts'

const POSITION_FORMS: Record<ConnectionKind, string> = {
  full: '{ position: start or end, pageId or date } or { position: before or after, siblingId }',
  selected: '{ position: start or end, pageId } or { position: before or after, siblingId }',
  daily:
    '{ position: start or end, pageId or date, or neither for today }, or { position: before or after, siblingId }',
}

/** The position of blocks. The contract has three forms, which are published as one object and distinguished here. */
export const position = {
  full: positionSchema('full'),
  selected: positionSchema('selected'),
  daily: positionSchema('daily'),
}

const besideOrIn = { position: 'string', pageId: 'string', siblingId: 'string' }
/** The same with a shorter description, for tools that are listed together with blocks_add. */
export const positionBrief = {
  full: position.full.meta(typedAsIn('blocks_add', { ...besideOrIn, date: 'string' })),
  selected: position.selected.meta(typedAsIn('blocks_add', besideOrIn)),
  daily: position.daily.meta(typedAsIn('blocks_add', { ...besideOrIn, date: 'string' })),
}

function positionSchema(kind: ConnectionKind) {
  const at = z.enum(['start', 'end', 'before', 'after'])
  const page = z
    .string()
    .max(ID_TEXT_LENGTH)
    .transform((text): GivenId | '' => (text === '' ? '' : new GivenId(text)))
    .optional()
  const sibling = id.optional()
  const fields =
    kind === 'selected'
      ? z.strictObject({ position: at, pageId: page, siblingId: sibling })
      : z.strictObject({ position: at, pageId: page, date: date.optional(), siblingId: sibling })
  return fields
    .transform((input, context): Position => {
      const found = parsePosition(kind, input)
      if (found !== undefined) return found
      const keys = Object.entries(input).map(([key, value]) => `${key}: ${value}`)
      const message = `Expected a position as ${POSITION_FORMS[kind]}, found { ${keys.join(', ')} }; give exactly one form.`
      context.addIssue({ code: 'custom', message, input })
      return z.NEVER
    })
    .describe(POSITION_FORMS[kind])
    .meta({ component: 'Position' })
}

interface PositionInput {
  position: 'start' | 'end' | 'before' | 'after'
  pageId?: GivenId | '' | undefined
  date?: string | undefined
  siblingId?: GivenId | undefined
}

function parsePosition(
  kind: ConnectionKind,
  { position: at, pageId, date, siblingId }: PositionInput,
): Position | undefined {
  if (at === 'before' || at === 'after') {
    // Some clients also send the page. Those for daily notes send a day with every position. The sibling alone determines
    // the place.
    if (siblingId === undefined || (date !== undefined && kind !== 'daily')) return undefined
    return { at, siblingId, ...(pageId && { pageOfSibling: pageId }) }
  }
  if (siblingId !== undefined) return undefined
  // On daily connections, an empty pageId is the root page of the day.
  const page = kind === 'daily' && pageId === '' ? undefined : pageId
  if (page !== undefined) return date === undefined && page !== '' ? { at, pageId: page } : undefined
  return kind === 'selected' ? undefined : { at, date: date ?? 'today' }
}
