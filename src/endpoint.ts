/**
 * Types and helpers for endpoints. One declaration per endpoint defines its MCP tool for each kind of connection, its
 * REST route, and its row in the README's table.
 */
import type { z } from 'zod'
import type { JsonText } from './base/json-text.ts'
import type { Comparer } from './difference/comparer.ts'
import type { CallSplitter } from './space/model/call-parts.ts'
import type { GivenId } from './space/model/ids.ts'
import type { MarkdownAnswer } from './space/model/markdown-answer.ts'
import type { PrepareContext } from './space/model/prepare-context.ts'
import { CONNECTION_KINDS, type ConnectionKind, type Space } from './space/model/space.ts'
import type { PreparedStep, StepFile } from './space/model/steps.ts'

/**
 * The effect of a call on the space. `comment` means to write comments and nothing else, `decide` to approve or reject
 * proposals of others.
 */
export type Effect = 'read' | 'comment' | 'add' | 'change' | 'delete' | 'decide'

/** Hints that hosts show to people before a call (MCP tool annotations). */
export interface Hints {
  /** True if the call can destroy existing content. Moving does not count. */
  destructive?: boolean
  /** True if repeating the same call has no further effect. */
  idempotent?: boolean
}

/** A text response instead of an object. `note` is a sentence about the text that the text itself cannot contain. */
export interface TextOutput<Json = unknown> {
  mediaType: 'application/json' | 'text/markdown'
  body: JsonText<Json> | string
  note?: string
  /** The part of the note that says how to read the rest, if the text is incomplete. */
  rest?: string
  /** Images of blocks in the text, for models that can see. `data` is base64. */
  images?: { blockId: string; mimeType: string; data: string }[]
  /** The number of blocks in the text, which are charged to the space's quota. */
  blocks?: number
}

/**
 * The input schema for each kind of connection that has the endpoint. All schemas produce the same shape for the
 * handler. What callers give differs: `Full`, `Selected` and `Daily`.
 */
export interface Inputs<Input, Full = unknown, Selected = unknown, Daily = unknown> {
  full?: z.ZodType<Input, Full>
  selected?: z.ZodType<Input, Selected>
  daily?: z.ZodType<Input, Daily>
}

/** Maps a value that callers give at a wrong path to the field that they mean. */
export interface InputAlias {
  /** The path that callers use, such as `query`, `position.documentId` or `documents[].content`. */
  from: string
  /**
   * The correct path: a sibling, a field of the same list entry, a field of a parent, or a field of the only entry of a
   * list (`tasks[0].id`).
   */
  to?: string
  /** Returns true if the alias applies to the value. @param container  the object that contains the value */
  when?(value: unknown, container: Record<string, unknown>): boolean
  /** Converts the value to the form that the correct field expects. */
  value?(value: unknown): unknown
  /** Instead of `to`: advice for the error message, as a sentence without its final period. */
  instead?: string
}

/** A short response: IDs, and fields that the caller could not know. Fields that the caller sent are left out. */
export interface ShortAnswer<Output = unknown, Prepared = unknown> {
  /** The schema of both the full and the short response, since MCP publishes only one. */
  output: z.ZodType
  make(answer: Output, ready: Prepared): object
}

/** An event, as it is sent on a stream. */
export interface StreamEvent {
  /** The ID from which a client resumes after it has received this event. */
  id: string
  type: string
  data: object
}

/** A type of events, as clients see it before they subscribe. */
export interface EventListing {
  name: string
  description: string
  /** What narrows it, by kind of connection. A kind that has no such events has no schema. */
  inputs: Inputs<unknown>
  /** The `data` of its events. */
  payload: z.ZodType
}

/** How clients follow a growing list over REST: by long polling, or as a stream of server-sent events. */
export interface Follow<Prepared = unknown, Output = unknown> {
  /** The input field that contains the cursor. A client that reconnects to a stream sends it as `Last-Event-ID`. */
  cursorField: string
  /** Seconds that the call waits for new entries. */
  seconds(ready: Prepared): number
  /** Seconds of silence after which a stream sends its current position. */
  keepAliveSeconds: number
  /**
   * Resolves the position that the call names. Calls at the same position become equal, so that they can share reads.
   */
  locate(call: { space: Space }, ready: Prepared): Promise<Prepared>
  /**
   * The events of a response, the cursor at its end, whether more entries exist already, after how many milliseconds
   * there may be more although nothing is written, and whether it is returned even without events.
   */
  read(answer: Output): { events: StreamEvent[]; cursor: string; hasMore: boolean; again?: number; isNews?: boolean }
  /** The next call, which continues where a response ends. */
  after(ready: Prepared, answer: Output): Prepared
}

interface Declaration<Input, Prepared, Output, Unfinished = Output> {
  /** `resource_verb`, `[a-z_]`, at most 21 characters. */
  name: string
  title: string
  /** For agents. At most 1,000 characters, with the most important sentence first. */
  description: string
  /** HTTP method and path, such as `PUT /blocks/move`. */
  route: string
  effect: Effect
  /** Set only if the hints differ from those that most tools with this effect have. */
  hints?: Hints
  input: Inputs<Input>
  /** True if hosts that support MCP Apps can show the response to people. */
  hasView?: true
  /** True if the tool is one of the few that most work needs (`--tools essential`). */
  isEssential?: true
  /** Aliases of inputs, in the order in which they are tried. */
  aliases?: readonly InputAlias[]
  /** Other names that callers guess for this endpoint, such as `documents_rename`. */
  alsoKnownAs?: readonly string[]
  /** The schema of the response. An endpoint without one responds with {@link TextOutput} text. */
  output?: z.ZodType<Output>
  /** The schema of the JSON of a {@link TextOutput}. It is described over REST, and responses are not parsed with it. */
  jsonOutput?: z.ZodType
  /**
   * Renders the response as Markdown, for calls with `format: "markdown"`. Handlers do not see that input. The
   * endpoint's output schema is not published over MCP then: if it were, clients would expect an object with every
   * response.
   */
  renderMarkdown?(answer: Output): Promise<MarkdownAnswer>
  /**
   * The response to calls with `answer: "ids"`, which is the default over MCP. Callers request everything with
   * `"full"`.
   */
  shorten?: ShortAnswer
  /** Defaults of inputs over MCP. Over REST, the contract defines what is returned. */
  mcpDefaults?: Readonly<Record<string, unknown>>
  /**
   * Over REST, the body can be the plain value of one field on these kinds of connections. Other fields come from the
   * query.
   */
  textBody?: { mediaType: string; field: string; kinds: readonly ConnectionKind[] }
  /** Over REST, the body is a file of any type, streamed to the handler. All fields come from the query. */
  rawBody?: true
  /** Set if the endpoint lists entries that clients can follow. */
  follow?: Follow<Prepared, Output>
  /** The types of events that it lists, which MCP clients subscribe to. */
  eventTypes?: readonly EventListing[]
  /** True if the endpoint has a REST route but is not an MCP tool. Over MCP it is neither listed nor callable. */
  isRestOnly?: true
  /**
   * The tool whose view for people may call this endpoint over MCP, although it is no tool for models. It is listed only
   * for clients that show views, and for views alone.
   */
  isForViewOf?: string
  /**
   * True if the data belongs to one participant. If others can use the connection too, the endpoint is not listed, and
   * calls are refused.
   */
  isPersonal?: true
  /**
   * The number of blocks that a call reads or writes, which is charged to the space's quota. Absent if the call has
   * none. Reads count the blocks of the response. Writes count those of the input, so that a call over the limit is
   * refused before anything is written.
   */
  blocks?: { read(answer: Output): number } | { write(ready: Prepared): number }
  /** The IDs that a write has written, for the audit log. By default, all IDs in the response. */
  writtenIds?(answer: Output, ready: Prepared): string[]
  /** Of administration: what the call is about, for the log, with where it came from. Without secrets. */
  administers?(ready: Prepared): object
  /**
   * Further data that makes two calls the same besides their arguments, such as the hash of an uploaded file. Used for
   * calls with an idempotency key.
   */
  payloadIdentity?(ready: Prepared): unknown
  /**
   * True if the call must leave no trace: it runs in a writable transaction that is rolled back, to read past states or
   * to preview changes.
   */
  isRolledBack?(ready: Prepared): boolean
  /** True if the input asks for a dry run. */
  isDryRun?(ready: Prepared): boolean
  /** True if the call only creates an upload address, and adds nothing until the file is sent there. */
  awaitsUpload?(ready: Prepared): boolean
  /**
   * For an endpoint that runs other calls: these calls. Each counts toward the limits. If all of them only read, so
   * does the call.
   */
  steps?(ready: Prepared): readonly PreparedStep[]
  /**
   * True if the call only deletes or takes something back, so that it is carried out even if a quota is used up. By
   * default, true for endpoints that delete.
   */
  isAllowedWhenFull?(ready: Prepared): boolean
  /** False if the call turned out to write nothing, so that it is not logged. By default, each call that may write is. */
  hasWritten?(answer: Output): boolean
  /**
   * True if the call depends on which rows are held, or on the values that return when their leases end. Leases whose
   * time is over are ended before it.
   */
  endsLeases?: true
  /** The blocks that the call deletes with all that they hold. The leases of rows among these are ended before it. */
  deletes?(ready: Prepared): readonly GivenId[]
  /** How a call that waits for approval is split into parts. By default, it is one part. */
  parts?: CallSplitter
  /** Why links whose calls wait for approval cannot make this call, as advice: what they do instead. */
  insteadOfProposing?: string
  /**
   * Checks that a stored response may be returned to a repeated call.
   *
   * @throws CONFLICT if it promises what no longer holds
   */
  assertStillValid?(call: { space: Space }, answer: Output, ready: Prepared): Promise<void>
  /** True if the endpoint cannot be a step of another call. */
  isNoStep?: true
  /**
   * True if a person decides with it about access to the space, whatever their link may do in documents: the handler
   * checks who it is. It never becomes a proposal.
   */
  decidesAccess?: true
  /** For an endpoint that accepts a file: its bytes, and the arguments with which the call can be carried out later. */
  file?(ready: Prepared): StepFile | undefined
  /** Runs immediately when a call becomes a proposal, for example to use up the address that the file was sent to. */
  whenProposed?(call: { space: Space }, ready: Prepared): Promise<void>
  /** Slow work that needs no space, such as parsing Markdown. Runs before the transaction begins. */
  prepare?(input: Input, context: PrepareContext): Prepared | Promise<Prepared>
  handle(call: { space: Space }, ready: Prepared): Promise<Output | Unfinished>
  /**
   * Completes the response of a call that writes nothing, such as by comparing texts or rendering pictures. Runs after
   * the transaction, so that it holds neither a lock nor a connection to the database.
   */
  finish?(found: Output | Unfinished, comparer: Comparer): Promise<Output>
  /** True if completing the response may take long. Such a call cannot be a step of another one. */
  isFinishedSlowly?(ready: Prepared): boolean
}

interface Named<Name extends string, Input, Full, Selected, Daily> {
  name: Name
  input: Inputs<Input, Full, Selected, Daily>
}

/** What callers in this program give and get. An answer in text is the value of its JSON. */
export interface CallTypes<Given = unknown, Answer = unknown> {
  given: Given
  answer: Answer
}

/** The types of calls by the names of their endpoints. @template One  a union of endpoints */
export type CallsOf<One extends Endpoint> = {
  [Name in One['name']]: Extract<One, { name: Name }> extends Endpoint<Name, infer Types> ? Types : never
}

/**
 * An endpoint without the types that its handler has. Its name is part of the type, so that a table with an entry
 * per tool does not compile if an entry is missing.
 */
export interface Endpoint<Name extends string = string, Types extends CallTypes = CallTypes>
  extends Omit<
    Declaration<unknown, unknown, unknown>,
    | 'name'
    | 'prepare'
    | 'handle'
    | 'finish'
    | 'isFinishedSlowly'
    | 'input'
    | 'renderMarkdown'
    | 'blocks'
    | 'writtenIds'
    | 'payloadIdentity'
    | 'isRolledBack'
    | 'isDryRun'
    | 'awaitsUpload'
    | 'steps'
    | 'isAllowedWhenFull'
    | 'deletes'
    | 'assertStillValid'
    | 'hasWritten'
    | 'file'
    | 'whenProposed'
    | 'follow'
    | 'eventTypes'
  > {
  name: Name
  /** Never set: only the compiler reads it. */
  types?: Types
  input: Inputs<unknown>
  renderMarkdown?(answer: unknown): Promise<MarkdownAnswer>
  blocks?: { read(answer: unknown): number } | { write(ready: unknown): number }
  writtenIds(answer: unknown, ready: unknown): string[]
  payloadIdentity?(ready: unknown): unknown
  isRolledBack?(ready: unknown): boolean
  isDryRun?(ready: unknown): boolean
  awaitsUpload?(ready: unknown): boolean
  steps?(ready: unknown): readonly PreparedStep[]
  isAllowedWhenFull(ready: unknown): boolean
  deletes?(ready: unknown): readonly GivenId[]
  assertStillValid?(call: { space: Space }, answer: unknown, ready: unknown): Promise<void>
  hasWritten?(answer: unknown): boolean
  file?(ready: unknown): StepFile | undefined
  whenProposed?(call: { space: Space }, ready: unknown): Promise<void>
  follow?: Follow
  eventTypes?: readonly EventListing[]
  prepare(input: unknown, context: PrepareContext): unknown
  handle(call: { space: Space }, ready: unknown): Promise<unknown>
  finish?(found: unknown, comparer: Comparer): Promise<unknown>
  isFinishedSlowly?(ready: unknown): boolean
}

/** Declares an endpoint. `handle` receives the result of `prepare`, or the input itself if there is no `prepare`. */
export function endpoint<
  const Name extends string,
  Input,
  Json,
  Full = never,
  Selected = never,
  Daily = never,
  Prepared = Input,
>(
  declaration: Declaration<Input, Prepared, TextOutput<Json>> &
    Named<Name, Input, Full, Selected, Daily> & { output?: never; finish?: never },
): Endpoint<Name, CallTypes<Full | Selected | Daily, Json>>
export function endpoint<
  const Name extends string,
  Input,
  Output,
  Full = never,
  Selected = never,
  Daily = never,
  Prepared = Input,
>(
  declaration: Declaration<Input, Prepared, Output> &
    Named<Name, Input, Full, Selected, Daily> & { output: z.ZodType<Output>; finish?: never },
): Endpoint<Name, CallTypes<Full | Selected | Daily, Output>>
export function endpoint<
  const Name extends string,
  Input,
  Json,
  Unfinished,
  Full = never,
  Selected = never,
  Daily = never,
  Prepared = Input,
>(
  declaration: Required<Pick<Declaration<Input, Prepared, TextOutput<Json>, Unfinished>, 'finish'>> &
    Declaration<Input, Prepared, TextOutput<Json>, Unfinished> &
    Named<Name, Input, Full, Selected, Daily> & { output?: never },
): Endpoint<Name, CallTypes<Full | Selected | Daily, Json>>
export function endpoint<
  const Name extends string,
  Input,
  Output,
  Unfinished,
  Full = never,
  Selected = never,
  Daily = never,
  Prepared = Input,
>(
  declaration: Required<Pick<Declaration<Input, Prepared, Output, Unfinished>, 'finish'>> &
    Declaration<Input, Prepared, Output, Unfinished> &
    Named<Name, Input, Full, Selected, Daily> & { output: z.ZodType<Output> },
): Endpoint<Name, CallTypes<Full | Selected | Daily, Output>>
export function endpoint(declaration: Partial<Endpoint>): Endpoint {
  const defaults = {
    prepare: (input: unknown) => input,
    writtenIds: collectOutputIds,
    isAllowedWhenFull: () => declaration.effect === 'delete',
  }
  return { ...defaults, ...declaration } as Endpoint
}

/**
 * Collects IDs from the response's `items`, or from the response itself: strings, `id`, and fields whose names end in
 * Id.
 */
function collectOutputIds(answer: unknown): string[] {
  const { items = [answer] } = answer as { items?: unknown[] }
  return items.flatMap((item) => {
    if (typeof item === 'string') return item
    const { id, ...others } = item as Record<string, string>
    return id ?? Object.entries(others).flatMap(([key, value]) => (key.endsWith('Id') ? value : []))
  })
}

/** The default inputs of calls over MCP. */
export const mcpDefaultsOf = ({
  shorten,
  renderMarkdown,
  mcpDefaults,
}: Endpoint): Readonly<Record<string, unknown>> => ({
  ...(shorten !== undefined && { answer: 'ids' }),
  ...(renderMarkdown !== undefined && { format: 'markdown' }),
  ...mcpDefaults,
})

/** Builds the same input for each kind of connection that has the endpoint. */
export function byKind<Input, Given>(
  build: (kind: ConnectionKind) => z.ZodType<Input, Given>,
  kinds: readonly ConnectionKind[] = CONNECTION_KINDS,
): Inputs<Input, Given, Given, Given> {
  return Object.fromEntries(kinds.map((kind) => [kind, build(kind)]))
}
