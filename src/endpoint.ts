/**
 * What an endpoint is: one declaration, from which everything else is read: the MCP tool of each kind of
 * connection, the REST route, the table in the README.
 */
import type { z } from 'zod'
import type { MarkdownAnswer } from './space/model/markdown-answer.ts'
import type { PrepareContext } from './space/model/prepare-context.ts'
import { CONNECTION_KINDS, type ConnectionKind, type Space } from './space/model/space.ts'
import type { PreparedStep, StepFile } from './space/model/steps.ts'
import type { ResourceContent } from './space/resources/resource-content.ts'
import type { ResourceEntry } from './space/resources/resource-list.ts'

/** What a call does to the space. To decide is to approve or reject what others propose. */
export type Effect = 'read' | 'add' | 'change' | 'delete' | 'decide'

/** What hosts show people before a call. */
export interface Hints {
  /** Whether something that was there may be gone after it. Moving takes nothing away. */
  destructive?: boolean
  /** Whether the same call made again does nothing further. */
  idempotent?: boolean
}

/** An answer that is text, not an object; `note` is a sentence about it that the text itself cannot carry. */
export interface TextOutput {
  mediaType: 'application/json' | 'text/markdown'
  body: string
  note?: string
  /** What of the note says how the rest follows, where the text is not all. */
  rest?: string
  /** Pictures of blocks in it, for those who can see: data in base64. */
  images?: { blockId: string; mimeType: string; data: string }[]
  /** Blocks that it shows, charged to the space's budget. */
  blocks?: number
}

/** An input for each kind of connection that has the endpoint. All give the handler the same shape. */
export type Inputs<Input> = Partial<Record<ConnectionKind, z.ZodType<Input>>>

/** Says that a value given at one path is meant for another. */
export interface InputAlias {
  /** As callers write it, such as `query`, `position.documentId` or `documents[].content`. */
  from: string
  /** Where it belongs: beside it, in the same entry of a list, above it, or in the only entry of a list (`tasks[0].id`). */
  to?: string
  /** Whether the value is meant. @param container  the object that it stands in */
  when?(value: unknown, container: Record<string, unknown>): boolean
  /** The value as it is to be given. */
  value?(value: unknown): unknown
  /** In place of `to`: what to do instead, a sentence without its end. */
  instead?: string
}

/** IDs, and what a caller could not know: not what it sent. */
export interface ShortAnswer<Output = unknown, Prepared = unknown> {
  /** The shape of both, since MCP publishes one. */
  output: z.ZodType
  make(answer: Output, ready: Prepared): object
}

/** Something that happened, as it is sent on a stream. */
export interface StreamEvent {
  /** Where a client goes on that has had it. */
  id: string
  type: string
  data: object
}

/** How a list that grows is followed over REST: a call may wait until there is something in it, or be a stream of it. */
export interface Follow<Prepared = unknown, Output = unknown> {
  /** The input that says from where on; a stream that is opened again says it in `Last-Event-ID`. */
  cursorField: string
  /** Seconds for which the call waits for something to answer. */
  seconds(ready: Prepared): number
  /** Seconds after which a stream on which nothing happens says where it is. */
  keepAliveSeconds: number
  /** The same call with the place that it names looked up: alike for all who are at the same place. */
  locate(call: { space: Space }, ready: Prepared): Promise<Prepared>
  /** What an answer has, where it ends, and whether there was more already. */
  read(answer: Output): { events: StreamEvent[]; cursor: string; hasMore: boolean }
  /** The call that goes on where an answer ends. */
  after(ready: Prepared, answer: Output): Prepared
}

interface Declaration<Input, Prepared, Output> {
  /** `resource_verb`, `[a-z_]`, at most 21 characters. */
  name: string
  title: string
  /** For agents: the key sentence first, at most 1,000 characters. */
  description: string
  /** Method and path of the interface, such as `PUT /blocks/move`. */
  route: string
  effect: Effect
  /** Where they are others than most tools of this effect have. */
  hints?: Hints
  input: Inputs<Input>
  /** Whether people can be shown what it answers, in hosts that have room for that. */
  hasView?: true
  /** Whether it is among the few tools that most work needs, for hosts that want to be shown few. */
  isEssential?: true
  /** What callers say in place of an input, in the order in which it is looked for. */
  aliases?: readonly InputAlias[]
  /** What callers call this endpoint who guess: `documents_rename`. */
  alsoKnownAs?: readonly string[]
  /** The shape of the answer. An endpoint without it answers {@link TextOutput} text. */
  output?: z.ZodType<Output>
  /**
   * The answer as Markdown, for calls whose input says `format: "markdown"`, which only the frame gets to see. The shape
   * of the answer is not published then: where one is, clients want an object with every answer.
   */
  renderMarkdown?(answer: Output): Promise<MarkdownAnswer>
  /** What a call with `answer: "ids"` is answered, which calls over MCP are where they do not ask for `"full"`. */
  shorten?: ShortAnswer
  /** Inputs that calls over MCP have where they leave them out; over REST the interface says what is answered. */
  mcpDefaults?: Readonly<Record<string, unknown>>
  /** Over REST the body may be one field as it is, on these kinds of connections; the other fields stand in the query. */
  textBody?: { mediaType: string; field: string; kinds: readonly ConnectionKind[] }
  /** Over REST the body is a file of any type, handed through as it comes; all fields stand in the query. */
  rawBody?: true
  /** Of a list that grows. */
  follow?: Follow<Prepared, Output>
  /** It has a route and is no tool: over MCP it is neither listed nor called, as if there were no such endpoint. */
  isRestOnly?: true
  /** What it shows is one participant's own: where the connection may be another's, it is not listed and refused. */
  isPersonal?: true
  /**
   * Blocks that a call reads or writes, charged to the space's budget; absent where it has none. Of a read they are
   * counted in the answer, of a write in the input, so that what cannot pass is refused before anything is written.
   */
  blocks?: { read(answer: Output): number } | { write(ready: Prepared): number }
  /** The IDs that a write has written, for the log of writes; by default those that stand in the answer. */
  writtenIds?(answer: Output, ready: Prepared): string[]
  /**
   * What makes a call the same as another besides its arguments, such as the hash of a file that came with it: asked
   * when it comes with a key under which it may come again.
   */
  payloadIdentity?(ready: Prepared): unknown
  /**
   * Whether the call leaves nothing behind: it runs in a transaction that may write and is rolled back, to read what was,
   * or to learn what would be.
   */
  isRolledBack?(ready: Prepared): boolean
  /** Whether the input of the call says that it is only to say what it would change. */
  isDryRun?(ready: Prepared): boolean
  /** Whether the call adds nothing yet, but an address to which a file is to be sent. */
  awaitsUpload?(ready: Prepared): boolean
  /** Of an endpoint that runs other calls: those. Each counts at the limits, and where all only read, it only reads. */
  steps?(ready: Prepared): readonly PreparedStep[]
  /** Whether it cannot be a step of another call. */
  isNoStep?: true
  /** Of an endpoint that takes a file: its bytes, and the arguments that say the rest, to carry the call out later. */
  file?(ready: Prepared): StepFile | undefined
  /** What of a call happens at once where it is proposed, such as using up the address that a file came to. */
  whenProposed?(call: { space: Space }, ready: Prepared): Promise<void>
  /** What is slow and needs no space, such as reading Markdown: done before the transaction begins. */
  prepare?(input: Input, context: PrepareContext): Prepared | Promise<Prepared>
  handle(call: { space: Space }, ready: Prepared): Promise<Output>
}

/**
 * An endpoint as the frame sees it, which need not know what it asks and answers. Its name is part of its type, so that
 * a table with an entry for each tool does not compile without one.
 */
export interface Endpoint<Name extends string = string>
  extends Omit<
    Declaration<unknown, unknown, unknown>,
    | 'name'
    | 'prepare'
    | 'handle'
    | 'input'
    | 'renderMarkdown'
    | 'blocks'
    | 'writtenIds'
    | 'payloadIdentity'
    | 'isRolledBack'
    | 'isDryRun'
    | 'awaitsUpload'
    | 'steps'
    | 'file'
    | 'whenProposed'
    | 'follow'
  > {
  name: Name
  input: Inputs<unknown>
  renderMarkdown?(answer: unknown): Promise<MarkdownAnswer>
  blocks?: { read(answer: unknown): number } | { write(ready: unknown): number }
  writtenIds(answer: unknown, ready: unknown): string[]
  payloadIdentity?(ready: unknown): unknown
  isRolledBack?(ready: unknown): boolean
  isDryRun?(ready: unknown): boolean
  awaitsUpload?(ready: unknown): boolean
  steps?(ready: unknown): readonly PreparedStep[]
  file?(ready: unknown): StepFile | undefined
  whenProposed?(call: { space: Space }, ready: unknown): Promise<void>
  follow?: Follow
  prepare(input: unknown, context: PrepareContext): unknown
  handle(call: { space: Space }, ready: unknown): Promise<unknown>
}

/** Something that clients may list, read and watch by its address, such as documents. */
export interface Resource {
  name: string
  title: string
  description: string
  /** Its address, with `{id}` at the end. */
  template: string
  /** Absent where each has its own. */
  mimeType?: string
  /** Those within reach after a place of the list, at most `limit`. */
  list(call: { space: Space }, after: number, limit: number): Promise<ResourceEntry[]>
  read(call: { space: Space }, id: string): Promise<ResourceContent>
  /** Those of these IDs that are within reach. */
  filterReachable(call: { space: Space }, ids: readonly string[]): Promise<string[]>
  /** The IDs of those within reach that a change of these documents, by number, may have changed. */
  changedIds(call: { space: Space }, documents: readonly number[]): Promise<string[]>
}

/** Something that every answer says besides, such as what has become due; each thing once to a connection. */
export interface PendingNotice {
  /** Its key in the protocol's `_meta`. */
  key: string
  /** The notices to send, and the key by which a notice is known to have been sent. */
  read(call: { space: Space }): Promise<{ dedupeKey: string; payload: object }[]>
}

/** What people fill in when they choose a prompt: text. */
export interface PromptArgument {
  name: string
  description: string
  isRequired?: true
  /** In characters. */
  maxLength: number
}

/** A way of working that people choose in their host, such as a weekly review. */
export interface Prompt {
  name: string
  title: string
  description: string
  arguments: readonly PromptArgument[]
  /** What a person may say or want when it is the right one: sentences for agents, which choose the skill by them. */
  whenToUse: string
  /** The tools that it names: a connection without one of them does not have the prompt. */
  tools: readonly string[]
  /** What is asked for, as from the person. @param given  the arguments that are not blank */
  opening(given: Readonly<Record<string, string>>): string
  /** What to do: a numbered list, the same whatever the arguments. */
  steps: string
  /** What comes after the steps, such as material. */
  closing?(given: Readonly<Record<string, string>>): string
}

/** Instructions that an agent loads when they fit, in the format of Agent Skills: https://agentskills.io/specification */
export interface Skill {
  /** Lower case with hyphens, as in the front matter. */
  name: string
  title: string
  /** The tools that it needs: a connection without one of them does not have the skill. */
  tools: readonly string[]
  /** The whole SKILL.md, with its front matter. */
  markdown(): Promise<string>
}

/** What may be asked of a server. */
export interface ServerCatalog {
  endpoints: readonly Endpoint[]
  resources: readonly Resource[]
  prompts: readonly Prompt[]
  skills: readonly Skill[]
}

/** Declare an endpoint; `handle` gets what `prepare` made of the input, or the input itself. */
export function endpoint<const Name extends string, Input, Prepared = Input>(
  declaration: Declaration<Input, Prepared, TextOutput> & { name: Name; output?: never },
): Endpoint<Name>
export function endpoint<const Name extends string, Input, Output, Prepared = Input>(
  declaration: Declaration<Input, Prepared, Output> & { name: Name; output: z.ZodType<Output> },
): Endpoint<Name>
export function endpoint(declaration: Partial<Endpoint>): Endpoint {
  return { prepare: (input: unknown) => input, writtenIds: collectOutputIds, ...declaration } as Endpoint
}

/** Of the answer's `items`, or of the answer itself: texts, the `id`, or what stands under keys ending in Id. */
function collectOutputIds(answer: unknown): string[] {
  const { items = [answer] } = answer as { items?: unknown[] }
  return items.flatMap((item) => {
    if (typeof item === 'string') return item
    const { id, ...others } = item as Record<string, string>
    return id ?? Object.entries(others).flatMap(([key, value]) => (key.endsWith('Id') ? value : []))
  })
}

/** What an endpoint takes from calls over MCP that leave it out. */
export const mcpDefaultsOf = ({ shorten, mcpDefaults }: Endpoint): Readonly<Record<string, unknown>> => ({
  ...(shorten !== undefined && { answer: 'ids' }),
  ...mcpDefaults,
})

/** The same input, made for each of the kinds that have the endpoint. */
export function byKind<Input>(
  build: (kind: ConnectionKind) => z.ZodType<Input>,
  kinds: readonly ConnectionKind[] = CONNECTION_KINDS,
): Inputs<Input> {
  return Object.fromEntries(kinds.map((kind) => [kind, build(kind)]))
}
