/** What a server offers to clients besides endpoints: resources, notices, prompts and skills. */
import type { Endpoint } from './endpoint.ts'
import type { Space } from './space/model/space.ts'
import type { ResourceContent } from './space/resources/resource-content.ts'
import type { ResourceEntry } from './space/resources/resource-list.ts'

/** A kind of content that clients can list, read and watch by its URI, such as documents. */
export interface Resource {
  name: string
  title: string
  description: string
  /** The URI template, with `{id}` at its end. */
  template: string
  /** Absent if each entry has its own type. */
  mimeType?: string
  /** Returns at most `limit` entries within reach that follow a position of the list. */
  list(call: { space: Space }, after: number, limit: number): Promise<ResourceEntry[]>
  read(call: { space: Space }, id: string): Promise<ResourceContent>
  /** Returns those of the given IDs that are within reach. */
  filterReachable(call: { space: Space }, ids: readonly string[]): Promise<string[]>
  /** Returns the IDs of entries within reach that a change of these documents (given by number) can affect. */
  changedIds(call: { space: Space }, documents: readonly number[]): Promise<string[]>
}

/** A kind of notice that is added to every response, such as due reminders. Each notice is sent once per connection. */
export interface PendingNotice {
  /** Its key in `_meta` of MCP responses. */
  key: string
  /** The notices to send, each with a key that marks it as sent. */
  read(call: { space: Space }): Promise<{ dedupeKey: string; payload: object }[]>
}

/** An argument that people fill in when they choose a prompt. Its value is text. */
export interface PromptArgument {
  name: string
  description: string
  isRequired?: true
  /** Maximum length in characters. */
  maxLength: number
}

/** A workflow that people choose in their host, such as a weekly review. */
export interface Prompt {
  name: string
  title: string
  description: string
  arguments: readonly PromptArgument[]
  /** Sentences that describe when the workflow fits. Agents choose the skill by them. */
  whenToUse: string
  /** The tools that the prompt uses. A connection that lacks one of them does not list the prompt. */
  tools: readonly string[]
  /** The request, written as if by the person. @param given  arguments that are not blank */
  opening(given: Readonly<Record<string, string>>): string
  /** The instructions: a numbered list that does not depend on the arguments. */
  steps: string
  /** Text after the steps, such as source material. */
  closing?(given: Readonly<Record<string, string>>): string
}

/**
 * Instructions that an agent loads when they fit, in the format of Agent Skills: https://agentskills.io/specification
 */
export interface Skill {
  /** Lower case with hyphens, as in the front matter. */
  name: string
  title: string
  /** The tools that the skill needs. A connection that lacks one of them does not list the skill. */
  tools: readonly string[]
  /** The complete SKILL.md, with its front matter. */
  markdown(): Promise<string>
}

/** Everything that a server offers to clients. */
export interface ServerCatalog {
  endpoints: readonly Endpoint[]
  resources: readonly Resource[]
  prompts: readonly Prompt[]
  skills: readonly Skill[]
}
