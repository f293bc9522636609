/**
 * Cells that a script pastes into a table:
 *
 *     cells: { "rows": ["100000000001", …], "keys": ["title", "price"], "texts": [["Nordkran", "48,200"], …] }
 *
 * Texts below the last of these rows become new ones. All of it is one call, which can be undone, or none of it happens.
 */

import { ScriptoriumError } from '../../base/errors.ts'
import { isObject } from '../../base/is-object.ts'
import { ITEMS_PER_CALL, PROPERTIES_PER_COLLECTION } from '../../base/limits.ts'
import { UNTITLED } from '../../markdown/shown-title.ts'
import { readPastedRow } from '../collections/pasted-cells.ts'
import { readSchema } from '../collections/read-schema.ts'
import { isProposed } from '../form-page.ts'
import type { PageCall } from '../page-call.ts'
import type { Page } from '../page-declaration.ts'
import { refused } from '../page-refusal.ts'
import type { ToolInput } from '../page-tools.ts'
import { refusalText } from '../refusal-text.ts'
import { text } from '../texts/text.ts'

interface Cells {
  rows: string[]
  keys: string[]
  texts: string[][]
}

export const pasteCells: Page = {
  route: 'POST /collections/:id/cells',
  needs: ['items_update', 'items_add'],
  async handle(call) {
    try {
      return answer(await paste(call, readCells(call.form.get('cells') ?? '')), 200)
    } catch (error) {
      if (error instanceof ScriptoriumError && error.isRefusal) return answer({ error: refusalText(error) }, 400)
      throw error
    }
  },
}

const answer = (body: object, status: number): Response =>
  Response.json(body, {
    status,
    headers: { 'Cache-Control': 'no-store', 'Cross-Origin-Resource-Policy': 'same-origin' },
  })

/** @throws VALIDATION_ERROR for another shape, or more than a call takes */
function readCells(given: string): Cells {
  const { rows, keys, texts } = parsed(given)
  const isCells = isTexts(rows) && isTexts(keys) && Array.isArray(texts) && texts.every(isTexts)
  if (!isCells) throw refused(text('Expected rows, keys and texts of cells, found another shape; load the page again.'))
  if (texts.length > ITEMS_PER_CALL || keys.length > PROPERTIES_PER_COLLECTION + 1) {
    throw refused(
      text('Expected at most {most} rows at once, found {found}; paste them in parts.', {
        most: ITEMS_PER_CALL,
        found: texts.length,
      }),
    )
  }
  const widest = Math.max(0, ...texts.map((row) => row.length))
  if (widest > keys.length) {
    throw refused(
      text(
        'Expected at most {most} cells in a row, as many as there are columns from here on, found {found}; show or add columns, or paste fewer. Nothing was changed.',
        { most: keys.length, found: widest },
      ),
    )
  }
  return { rows, keys, texts }
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')

/** @returns how many cells were written or proposed, and the call, if it was carried out */
async function paste(call: PageCall, { rows, keys, texts }: Cells): Promise<object> {
  const collectionId = call.params.id ?? ''
  const schema = await readSchema(call, collectionId)
  const calendar = { now: call.request.now, timezone: call.request.caller.space.info.timezone }
  const read = texts.map((row) => readPastedRow(schema, keys, row, calendar))
  const [changed, added] = [read.slice(0, rows.length), read.slice(rows.length)]
  const items = added.map(({ title = '', properties }) => ({
    title: title || UNTITLED,
    properties: filled(properties),
  }))
  if (changed.some(({ title }) => title === '')) {
    throw refused(text('Expected a title in each row, found an empty cell; give it one. Nothing was changed.'))
  }
  const itemsToUpdate = changed.map((row, index) => ({ id: rows[index], ...row }))
  const settings = { collectionId, allowNewSelectOptions: true }
  const steps: ToolInput<'batch'>['steps'] = [
    ...(changed.length > 0 ? [{ tool: 'items_update', arguments: { ...settings, itemsToUpdate } }] : []),
    ...(added.length > 0 ? [{ tool: 'items_add', arguments: { ...settings, items } }] : []),
  ]
  const answer = steps.length > 0 && (await call.run('batch', { steps }))
  const cells = texts.reduce((sum, row) => sum + row.length, 0)
  return {
    ...{ cells, added: added.length },
    ...(answer !== false && isProposed(answer) && { isProposed: true }),
    ...(call.lastChange !== undefined && { callId: call.lastChange }),
  }
}

/** Nothing to clear in a new row. */
const filled = (properties: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== null))
