/** MCP prompts. A connection has those whose tools it has. */

import { ProtocolError, type Server } from '@modelcontextprotocol/server'
import { formatNumber } from '../base/format-number.ts'
import type { Prompt, PromptArgument } from '../server-catalog.ts'
import { INVALID_PARAMS } from './mcp-resources.ts'

export interface PromptOptions {
  prompts(): Promise<readonly Prompt[]>
  /** Returns a function that checks whether the requesting connection may use a tool. */
  toolFilter(context: unknown): Promise<(tool: string) => boolean>
}

export function registerPrompts(server: Server, { prompts, toolFilter }: PromptOptions): void {
  const available = async (context: unknown) => {
    const hasTool = await toolFilter(context)
    return (await prompts()).filter(({ tools }) => tools.every(hasTool))
  }
  server.setRequestHandler('prompts/list', async (_, context) => ({
    prompts: (await available(context)).map(({ name, title, description, arguments: args }) => ({
      name,
      title,
      description,
      arguments: args.map(({ isRequired = false, maxLength: _, ...about }) => ({ ...about, required: isRequired })),
    })),
  }))
  server.setRequestHandler('prompts/get', async ({ params }, context) => {
    const prompt = findPrompt(await available(context), params.name)
    const given = readArguments(prompt, params.arguments ?? {})
    const parts = [prompt.opening(given), prompt.steps, ...(prompt.closing ? [prompt.closing(given)] : [])]
    const text = parts.join('\n\n')
    return { description: prompt.description, messages: [{ role: 'user' as const, content: { type: 'text', text } }] }
  })
}

const SHOWN_CHARACTERS = 200
const invalidParams = (sentence: string) => new ProtocolError(INVALID_PARAMS, sentence)

/** @throws ProtocolError -32602 with the existing names */
function findPrompt(prompts: readonly Prompt[], name: string): Prompt {
  const prompt = prompts.find((one) => one.name === name)
  if (prompt !== undefined) return prompt
  const found = name.slice(0, SHOWN_CHARACTERS)
  const names = prompts.map((one) => one.name).join(', ')
  throw invalidParams(
    names === ''
      ? `Expected a prompt of this connection, which has none, found ${found}.`
      : `Expected a prompt of this connection (${names}), found ${found}.`,
  )
}

/** The given arguments; blank ones count as missing. @throws ProtocolError -32602 that names the invalid argument */
function readArguments(prompt: Prompt, given: Record<string, string>): Record<string, string> {
  const declared = prompt.arguments.map(({ name }) => name)
  const unknown = Object.keys(given).find((name) => !declared.includes(name))
  if (unknown !== undefined) {
    const found = unknown.slice(0, SHOWN_CHARACTERS)
    throw invalidParams(`Expected arguments of ${prompt.name} (${declared.join(', ')}), found ${found}; leave it out.`)
  }
  const entries = prompt.arguments.flatMap((argument): [string, string][] => {
    const value = readArgument(prompt, argument, given[argument.name]?.trim() ?? '')
    return value === '' ? [] : [[argument.name, value]]
  })
  return Object.fromEntries(entries)
}

function readArgument(prompt: Prompt, { name, isRequired, maxLength }: PromptArgument, value: string): string {
  if (isRequired && value === '') throw invalidParams(`Expected ${name} for ${prompt.name}, found none; give it.`)
  if (value.length > maxLength) {
    const most = formatNumber(maxLength)
    const found = formatNumber(value.length)
    throw invalidParams(`Expected at most ${most} characters as ${name} of ${prompt.name}, found ${found}; shorten it.`)
  }
  return value
}
