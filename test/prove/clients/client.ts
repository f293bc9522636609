/** What is done through each client that people put between a model and a server. */

/** How a server is reached: started over standard input and output, or by its address. */
export type Target = { command: string; args: string[] } | { url: string }

/** Takes a package from the folder that holds the clients. */
export type Load = <Module>(name: string) => Promise<Module>

export interface HostClient {
  name: string
  /** The packages that it needs, by exact version. */
  packages: Readonly<Record<string, string>>
  /** Whether it refuses an answer that breaks the schema which its tool has. */
  holdsAnswers: boolean
  connect(target: Target, packages: Packages): Promise<Session>
}

export interface Packages {
  folder: string
  load: Load
}

export interface Session {
  tools(): Promise<ListedTool[]>
  /** By the client's own object for the tool, where it makes one. @throws what the client itself objects to */
  call(name: string, args: Record<string, unknown>): Promise<Outcome>
  close(): Promise<unknown>
}

export interface ListedTool {
  name: string
  /** What the client would hand to a model's API as the tool's parameters. */
  parameters: unknown
}

export interface Outcome {
  /** What reaches the caller: an answer, or why there is none. */
  text: string
  /** Whether the client tells the two apart, and which it was. */
  isRefused: boolean | undefined
}

/** The texts of a tool's answer as the protocol has it. */
export function outcomeOf(result: { content?: unknown; isError?: unknown }): Outcome {
  const content = (result.content ?? []) as { text?: string }[]
  return { text: content.map(({ text }) => text ?? '').join('\n'), isRefused: result.isError === true }
}

/** What a client throws when a tool refuses. */
export const thrown = (error: Error): Outcome => ({ text: error.message, isRefused: true })

export function toolNamed<Tool>(tools: readonly Tool[], isIt: (tool: Tool) => boolean, name: string): Tool {
  const tool = tools.find(isIt)
  if (tool === undefined) throw new Error(`Expected a tool ${name}, found none of that name.`)
  return tool
}
