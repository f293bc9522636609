/**
 * Calls that scripts of a page make. All tools of the link are available, and run like the calls of forms.
 *
 *     POST /calls                                  { "tool": "blocks_update", "arguments": { … }, "dryRun": false }
 *     POST /calls?tool=files_add&arguments={…}     the bytes of a file, with its media type
 *     POST /calls                                  { "tool": "batch", "arguments": { … }, "suggest": { "replaces": ["…"], … } }
 *     POST /calls                                  { "calls": [{ "key": "…", "tool": "blocks_add", "arguments": { … } }] }
 *
 * A call with `suggest` becomes a proposal, whatever the link may do: in place of earlier ones that still wait.
 * If another page has changed one of those since, the call is refused: `seen` names the versions that the page knows.
 *
 * An answer has the ID of its call as `callId`, if it was carried out now: undo of the page names it.
 *
 * A call with an `Idempotency-Key` is carried out once, even if it is repeated. So is each call of a list, with its own
 * key, which a page sends when it is closed. They are carried out in order, and none depends on the success of another;
 * `names` has placeholders for IDs in later ones.
 */

import { invalid, ScriptoriumError } from '../../base/errors.ts'
import { isObject } from '../../base/is-object.ts'
import { WAITING_PROPOSALS } from '../../base/limits.ts'
import { toErrorBody } from '../../call/error-body.ts'
import { readJson, readJsonInChunks } from '../../call/input/read-json.ts'
import { readBodyBytes } from '../../call/input/request-body.ts'
import type { CallOptions } from '../../call/run.ts'
import { FORM_TOKEN_HEADER, type PageCall, type SuggestedCall } from '../page-call.ts'
import type { Page } from '../page-declaration.ts'

const JSON_TYPE = 'application/json'

export const callsPage: Page = {
  route: 'POST /calls',
  async handle(call) {
    const { request, log } = call.request
    try {
      if (!request.headers.has(FORM_TOKEN_HEADER)) throw notFromScript()
      const read = await readCall(request)
      if (read instanceof Response) return read
      if (Array.isArray(read)) return json({ answers: await performAll(call, read) })
      return json(await perform(call, read))
    } catch (error) {
      return refused(error, log)
    }
  },
}

interface ScriptCall {
  tool: string
  input: unknown
  options: CallOptions
  suggested?: SuggestedCall
}

/** A call of a list. */
interface ListedCall extends ScriptCall {
  /** Placeholders for IDs, each with the path of the ID in the answer, such as `items.0.id`. */
  names: Readonly<Record<string, unknown>>
}

/** A page has fewer calls waiting, and a list at most 64 KiB. */
const LISTED_CALLS = 500

async function readCall(request: Request): Promise<ScriptCall | ListedCall[] | Response> {
  const keyed = keyOf(request)
  const [mediaType = ''] = (request.headers.get('content-type') ?? '').split(';')
  if (mediaType.trim().toLowerCase() !== JSON_TYPE) return readFileCall(request, mediaType, keyed)
  const body = await readBodyBytes(request)
  if ('refused' in body) return body.refused
  const sent = await readJsonInChunks(Buffer.from(body.bytes).toString(), 'the body')
  if (isObject(sent) && sent.calls !== undefined) return listedCalls(sent.calls)
  const { tool, arguments: input = {}, dryRun = false, suggest } = isObject(sent) ? sent : {}
  if (typeof tool !== 'string' || typeof dryRun !== 'boolean') {
    throw invalid('Expected { tool, arguments } as the body, found another; name the tool, and give its arguments.')
  }
  return { tool, input, options: { ...keyed, ...(dryRun && { dryRun }) }, ...suggestedIn(suggest) }
}

/** @throws VALIDATION_ERROR for another shape */
function suggestedIn(suggest: unknown): Pick<ScriptCall, 'suggested'> {
  if (suggest === undefined) return {}
  const { replaces: given = [], version, seen: names = [] } = isObject(suggest) ? suggest : { replaces: false }
  // Calls that wait in browsers since an earlier version name one proposal.
  const [replaces, seen] = [textsIn(Array.isArray(given) ? given : [given]), textsIn(names)]
  if (replaces !== undefined && seen !== undefined) {
    if (version === undefined) return { suggested: { replaces, seen } }
    if (typeof version === 'string' && version.length <= VERSION_LENGTH)
      return { suggested: { replaces, seen, version } }
  }
  throw invalid(
    'Expected { replaces, version, seen } as suggest, found another; name the proposals whose place the call takes, or none.',
  )
}

/** Characters of the name of a version. */
const VERSION_LENGTH = 64

/** @returns undefined for anything but a short list of texts */
function textsIn(given: unknown): string[] | undefined {
  if (!Array.isArray(given) || given.length > WAITING_PROPOSALS + 1) return undefined
  const texts = given.filter((one) => typeof one === 'string')
  return texts.length === given.length ? texts : undefined
}

/** @throws VALIDATION_ERROR for anything but a list of calls with keys */
function listedCalls(given: unknown): ListedCall[] {
  const found = Array.isArray(given) ? given : []
  if (found.length === 0 || found.length > LISTED_CALLS) {
    throw invalid(`Expected 1 to ${LISTED_CALLS} calls, found ${found.length}; send them one by one.`)
  }
  return found.map((one: unknown) => {
    const { key, tool, arguments: input = {}, suggest, names = {} } = isObject(one) ? one : {}
    if (typeof tool !== 'string' || typeof key !== 'string' || !isObject(names)) {
      throw invalid('Expected { key, tool, arguments } as each call, found another; name the tool, and give a key.')
    }
    return { tool, input, options: { idempotencyKey: key }, names, ...suggestedIn(suggest) }
  })
}

/** A call whose body is a file: the rest of it stands in the address. */
function readFileCall(request: Request, mediaType: string, keyed: CallOptions): ScriptCall {
  const query = new URL(request.url).searchParams
  const size = Number(request.headers.get('content-length') ?? Number.NaN)
  return {
    tool: query.get('tool') ?? '',
    input: readJson(query.get('arguments') ?? '{}', 'arguments'),
    options: {
      ...keyed,
      body: {
        stream: (request.body ?? new Blob([]).stream()).values({ preventCancel: true }),
        ...(mediaType !== '' && { mediaType }),
        ...(!Number.isNaN(size) && { size }),
      },
    },
  }
}

function keyOf({ headers }: Request): CallOptions {
  const key = headers.get('idempotency-key')
  return key === null ? {} : { idempotencyKey: key }
}

async function perform(call: PageCall, { tool, input, options, suggested }: ScriptCall): Promise<{ answer: unknown }> {
  const result = await call.perform(tool, input, options, suggested)
  const { callId } = result
  if ('object' in result) return { answer: { ...result.object, ...(callId !== undefined && { callId }) } }
  const { body, mediaType } = result.text
  return { answer: mediaType === JSON_TYPE ? JSON.parse(body) : body }
}

/** Carries out calls one after another. A refused one does not keep the others from being carried out. */
async function performAll(call: PageCall, listed: readonly ListedCall[]): Promise<object[]> {
  const ids = new Map<string, string>()
  const answers: object[] = []
  for (const { names, input, ...one } of listed) {
    try {
      const { answer } = await perform(call, withIds({ ...one, input }, ids))
      for (const [name, path] of Object.entries(names)) {
        const id = valueAt(answer, String(path))
        if (typeof id === 'string') ids.set(name, id)
      }
      answers.push({ answer })
    } catch (error) {
      answers.push(toErrorBody(error, call.request.log))
    }
  }
  return answers
}

/** Replaces placeholders, wherever one is a whole text. */
const withIds = <Call>(input: Call, ids: ReadonlyMap<string, string>): Call =>
  ids.size === 0
    ? input
    : JSON.parse(JSON.stringify(input), (_key, value) =>
        typeof value === 'string' ? (ids.get(value) ?? value) : value,
      )

const valueAt = (answer: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((inner, key) => (isObject(inner) || Array.isArray(inner) ? Object(inner)[key] : undefined), answer)

function refused(error: unknown, log: (line: string) => void): Response {
  const body = toErrorBody(error, log)
  const status = error instanceof ScriptoriumError ? error.status : 500
  const retryAfter = error instanceof ScriptoriumError ? error.retryAfter : undefined
  const answer = json(body, status)
  if (retryAfter !== undefined) answer.headers.set('Retry-After', String(retryAfter))
  return answer
}

const json = (body: object, status = 200): Response =>
  Response.json(body, {
    status,
    headers: { 'Cache-Control': 'no-store', 'Cross-Origin-Resource-Policy': 'same-origin' },
  })

const notFromScript = (): ScriptoriumError =>
  new ScriptoriumError(
    'FORBIDDEN',
    `Expected the token of the page in ${FORM_TOKEN_HEADER}, found none; open the page again.`,
  )
