/** The interface to each of the clients that people use between a model and a server. */

/** How to reach a server: a command for stdio, or a URL. */
export type Target = { command: string; args: string[] } | { url: string }

/** Imports a package from the folder in which the clients are installed. */
export type Load = <Module>(name: string) => Promise<Module>

export interface HostClient {
  name: string
  /** The packages that it needs, with exact versions. */
  packages: Readonly<Record<string, string>>
  /** True if it refuses responses that violate the tool's output schema. */
  holdsAnswers: boolean
  connect(target: Target, packages: Packages): Promise<Session>
}

export interface Packages {
  folder: string
  load: Load
}

export interface Session {
  tools(): Promise<ListedTool[]>
  /** Calls a tool through the client's own tool object, if it has one. @throws errors of the client itself */
  call(name: string, args: Record<string, unknown>): Promise<Outcome>
  close(): Promise<unknown>
}

export interface ListedTool {
  name: string
  /** The tool's parameters that the client would send to a model's API. */
  parameters: unknown
}

export interface Outcome {
  /** What the caller gets: a response, or the reason for the refusal. */
  text: string
  /** True for a refusal, and undefined if the client does not distinguish it. */
  isRefused: boolean | undefined
}

/** Converts the protocol's result of a tool call. */
export function outcomeOf(result: { content?: unknown; isError?: unknown }): Outcome {
  const content = (result.content ?? []) as { text?: string }[]
  return { text: content.map(({ text }) => text ?? '').join('\n'), isRefused: result.isError === true }
}

/** Converts an error that the client throws if the tool refuses a call. */
export const thrown = (error: Error): Outcome => ({ text: error.message, isRefused: true })

export function toolNamed<Tool>(tools: readonly Tool[], isIt: (tool: Tool) => boolean, name: string): Tool {
  const tool = tools.find(isIt)
  if (tool === undefined) throw new Error(`Expected a tool ${name}, found none of that name.`)
  return tool
}
