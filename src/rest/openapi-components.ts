/** The parts of an OpenAPI document that do not depend on the endpoints: errors, headers and common parameters. */
import { STATUS_CODES } from 'node:http'
import { type ErrorCode, HTTP_STATUS } from '../base/errors.ts'
import { MAX_FIELD_ERRORS } from '../base/limits.ts'
import type { JsonSchema } from '../call/input/arguments.ts'

/** The body of an error, with the codes that it can have. */
const errorSchema = (code: JsonSchema): JsonSchema => ({
  type: 'object',
  properties: {
    error: { type: 'string', description: 'What was expected, what was found, and what to do next' },
    code,
    details: { type: 'array', items: { $ref: '#/components/schemas/FieldError' }, maxItems: MAX_FIELD_ERRORS },
  },
  required: ['error', 'code'],
  additionalProperties: false,
})

const fieldError: JsonSchema = {
  type: 'object',
  properties: {
    path: { type: 'string', description: 'Of the field, such as blocks[2].color' },
    message: { type: 'string' },
  },
  required: ['path', 'message'],
  additionalProperties: false,
}

const codes = Object.keys(HTTP_STATUS) as ErrorCode[]

/** The codes of a path that has no operation for the method, which no operation can answer. */
const OF_NO_OPERATION: ReadonlySet<ErrorCode> = new Set(['METHOD_NOT_ALLOWED'])

/** Every status of an error of an operation, with its codes. */
const codesByStatus = Map.groupBy(
  codes.filter((code) => !OF_NO_OPERATION.has(code)),
  (code) => HTTP_STATUS[code],
)

const phrases = new Map(Object.entries(STATUS_CODES))

/** The name of the response for a status, such as `NotFound`. */
const nameOfStatus = (status: number): string => (phrases.get(String(status)) ?? '').replaceAll(/\W/g, '')

/** `Error`, `ErrorCode`, and an error for each status, such as `NotFoundError`. */
export const errorSchemas = {
  Error: errorSchema({ $ref: '#/components/schemas/ErrorCode' }),
  ErrorCode: { type: 'string', enum: codes },
  FieldError: fieldError,
  ...Object.fromEntries(
    [...codesByStatus].map(([status, codes]) => [errorName(status), errorSchema({ type: 'string', enum: codes })]),
  ),
}

/** `InternalServerError` has the word already. */
function errorName(status: number): string {
  const name = nameOfStatus(status)
  return name.endsWith('Error') ? name : `${name}Error`
}

const header = (description: string, type = 'integer') => ({ description, schema: { type } })

export const headers = {
  'X-RateLimit-Limit': header('Requests to the space in one window'),
  'X-RateLimit-Remaining': header('Requests that are left'),
  'X-RateLimit-Reset': header('Second since 1970 at which the window of requests ends'),
  'X-BlockBudget-Limit': header('Blocks read or written in one window'),
  'X-BlockBudget-Remaining': header('Blocks that are left'),
  'X-BlockBudget-Reset': header('Second since 1970 at which the window of blocks ends'),
  'X-Scriptorium-Note': header('Of an answer in Markdown: its revision, and how it goes on', 'string'),
  'Retry-After': header('Seconds until the same call can pass'),
}

export const headerReferences = (names: readonly (keyof typeof headers)[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

/** The headers of every answer. */
export const limitHeaders = headerReferences([
  ...(['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const),
  ...(['X-BlockBudget-Limit', 'X-BlockBudget-Remaining', 'X-BlockBudget-Reset'] as const),
])

export const parameters = {
  IdSpelling: {
    name: 'ids',
    in: 'query',
    description:
      'How IDs are written in the answer: long, as UUIDs, or short, as twelve digits. Both are read everywhere',
    schema: { type: 'string', enum: ['long', 'short'], default: 'long' },
  },
  LastEventId: {
    name: 'Last-Event-ID',
    in: 'header',
    description: 'Where a stream of events goes on that was cut off; in place of the cursor',
    schema: { type: 'string' },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'The same key with the same call gets the first answer again; nothing is written twice',
    schema: { type: 'string' },
  },
  ClientName: {
    name: 'X-Client-Name',
    in: 'header',
    description: 'The name of the program, shown beside what it writes; by default its User-Agent',
    schema: { type: 'string' },
  },
  Prefer: {
    name: 'Prefer',
    in: 'header',
    description:
      'With dry-run the call changes nothing: the response says in the field dryRun what it would change, before what it would answer',
    schema: { type: 'string' },
  },
}

/** What waits for approval. */
export const proposalSchema: JsonSchema = {
  type: 'object',
  properties: {
    proposalId: { type: 'string' },
    summary: { type: 'string', description: 'What changes, in words' },
    diff: { type: 'string', description: 'A unified diff of the Markdown of the documents' },
    isDiffComplete: { type: 'boolean', description: 'False if more of it follows, or if changes are left out' },
    isDiffCoarse: { type: 'boolean', description: 'True if too much changed to compare it line by line' },
  },
  required: ['proposalId', 'summary', 'diff', 'isDiffComplete'],
}

const RETRIABLE: ReadonlySet<number> = new Set([409, 429, 503])

const errorResponse = (schema: string, canRetry: boolean) => ({
  description: 'What is wrong, and what to do about it',
  ...(canRetry && { headers: headerReferences(['Retry-After']) }),
  content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } },
})

/** An answer for each status of an error, such as `NotFound`, and `Error` for any. */
export const responses = {
  Error: errorResponse('Error', true),
  ...Object.fromEntries(
    [...codesByStatus.keys()].map((status) => [
      nameOfStatus(status),
      errorResponse(errorName(status), RETRIABLE.has(status)),
    ]),
  ),
}

/** Statuses that only calls with a body, or only calls that change something, can have. */
const OF_BODIES: ReadonlySet<number> = new Set([413, 415])
const OF_CHANGES: ReadonlySet<number> = new Set([409, 507])

/** The error responses of an operation, by status. */
export function errorResponses({ hasBody, isChange }: { hasBody: boolean; isChange: boolean }) {
  const statuses = [...codesByStatus.keys()].filter(
    (status) => (hasBody || !OF_BODIES.has(status)) && (isChange || !OF_CHANGES.has(status)),
  )
  const byStatus = statuses.map((status) => [status, { $ref: `#/components/responses/${nameOfStatus(status)}` }])
  return { ...Object.fromEntries(byStatus), default: { $ref: '#/components/responses/Error' } }
}

export const securitySchemes = { bearer: { type: 'http', scheme: 'bearer' } }
