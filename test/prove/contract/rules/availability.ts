/** Rules about which kinds of connections have which endpoints: the overview of the contract, row by row. */
import type { ConnectionKind } from '../../../../src/space/model/space.ts'
import type { Answer } from '../answer.ts'
import type { CheckedRule, RuleGroup } from '../rule.ts'
import { holds, type RuleContext, same } from '../rule-context.ts'

const ALL: readonly ConnectionKind[] = ['full', 'selected', 'daily']

/** Method and path of an endpoint, the tool that stands for it, and the kinds of connections that have it. */
const ENDPOINTS: readonly (readonly [route: string, tool: string, kinds: readonly ConnectionKind[]])[] = [
  ['GET /blocks', 'blocks_get', ALL],
  ['POST /blocks', 'blocks_add', ALL],
  ['DELETE /blocks', 'blocks_delete', ALL],
  ['PUT /blocks', 'blocks_update', ALL],
  ['PUT /blocks/move', 'blocks_move', ALL],
  ['GET /blocks/search', 'blocks_search', ALL],
  ['GET /collections/{collectionId}/items', 'items_list', ALL],
  ['POST /collections/{collectionId}/items', 'items_add', ALL],
  ['DELETE /collections/{collectionId}/items', 'items_delete', ALL],
  ['PUT /collections/{collectionId}/items', 'items_update', ALL],
  ['PUT /collections/{collectionId}/active-view', 'views_activate', ALL],
  ['GET /collections/{collectionId}/views', 'views_list', ALL],
  ['POST /collections/{collectionId}/views', 'views_add', ALL],
  ['PUT /collections/{collectionId}/views/{viewId}', 'views_update', ALL],
  ['DELETE /collections/{collectionId}/views/{viewId}', 'views_delete', ALL],
  ['GET /collections/{collectionId}/schema', 'schema_get', ALL],
  ['PUT /collections/{collectionId}/schema', 'schema_update', ALL],
  ['GET /collections', 'collections_list', ALL],
  ['POST /collections', 'collections_add', ALL],
  ['POST /comments', 'comments_add', ALL],
  ['GET /connection', 'connection_get', ALL],
  ['GET /documents', 'documents_list', ['full', 'selected']],
  ['POST /documents', 'documents_add', ['full']],
  ['DELETE /documents', 'documents_delete', ['full']],
  ['PUT /documents/move', 'documents_move', ['full']],
  ['GET /documents/search', 'documents_search', ['full', 'selected']],
  ['GET /daily-notes/search', 'daily_notes_search', ['daily']],
  ['GET /reminders', 'reminders_list', ALL],
  ['POST /reminders', 'reminders_add', ALL],
  ['DELETE /reminders', 'reminders_delete', ALL],
  ['PUT /reminders', 'reminders_update', ALL],
  ['GET /folders', 'folders_list', ['full']],
  ['POST /folders', 'folders_add', ['full']],
  ['DELETE /folders', 'folders_delete', ['full']],
  ['PUT /folders/move', 'folders_move', ['full']],
  ['GET /tasks', 'tasks_list', ['full', 'daily']],
  ['POST /tasks', 'tasks_add', ['full', 'daily']],
  ['DELETE /tasks', 'tasks_delete', ['full', 'daily']],
  ['PUT /tasks', 'tasks_update', ['full', 'daily']],
  ['POST /upload', 'files_add', ALL],
  ['POST /whiteboards', 'whiteboards_add', ALL],
  ['GET /whiteboards/{whiteboardBlockId}/elements', 'elements_list', ALL],
  ['POST /whiteboards/{whiteboardBlockId}/elements', 'elements_add', ALL],
  ['DELETE /whiteboards/{whiteboardBlockId}/elements', 'elements_delete', ALL],
  ['PUT /whiteboards/{whiteboardBlockId}/elements', 'elements_update', ALL],
]

/** Codes of endpoints that do not exist, and of those that refuse a call without arguments. */
const MISSING = ['NOT_AVAILABLE', 'METHOD_NOT_ALLOWED']
const REFUSED = ['VALIDATION_ERROR', 'NOT_FOUND_ERROR']

/** Over REST the endpoint exists or not. Over MCP so does its tool, in the list and when it is called. */
async function checkAvailable(at: RuleContext, route: string, tool: string, exists: boolean): Promise<void> {
  const { code = '', body } = at.isRest ? await requestWithout(at, route) : await at.call(tool)
  if (!at.isRest) same((await at.connection.tools()).includes(tool), exists)
  if (!exists) holds(MISSING.includes(code), `Expected no ${route}, found ${code} ${JSON.stringify(body)}`)
  else
    holds(REFUSED.includes(code) || (code === '' && Object.keys(body).length > 0), `Expected ${route}, found ${code}`)
}

/** Requests an endpoint without arguments. */
function requestWithout(at: RuleContext, route: string): Promise<Answer> {
  const [method = '', path = ''] = route.split(' ')
  const target = path.replaceAll(/\{\w+\}/g, '999999999999')
  return at.rest(method, target, { 'content-type': 'application/json' }, '{}')
}

const availabilityOf = ([route, tool, kinds]: (typeof ENDPOINTS)[number]): CheckedRule => ({
  statement: `${route} is there for ${kinds.length === ALL.length ? 'all kinds of' : kinds.join(' and ')} connections${kinds.length === ALL.length ? '' : ' alone'}.`,
  check: (at) => checkAvailable(at, route, tool, kinds.includes(at.kind)),
})

export const availability: RuleGroup = { title: 'endpoints', rules: ENDPOINTS.map(availabilityOf) }
