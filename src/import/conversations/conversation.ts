/** Parses conversations with an assistant from exports of Claude and ChatGPT. */
import { isObject } from '../../base/is-object.ts'

export interface Conversation {
  assistant: 'Claude' | 'ChatGPT'
  id: string
  title: string
  /** Milliseconds since 1970. */
  createdAt?: number
  modifiedAt?: number
  messages: Message[]
  /** Texts that the assistant created, in their final version. */
  artifacts: Artifact[]
}

export interface Message {
  isPerson: boolean
  parts: MessagePart[]
}

export type MessagePart =
  | { kind: 'markdown'; text: string }
  | { kind: 'code'; text: string; language?: string; name?: string }
  /** A file of the export whose name contains this ID. */
  | { kind: 'file'; id: string }
  /** A part that the export does not contain, or that neither the person nor the assistant wrote. */
  | { kind: 'missing'; what: string }

export interface Artifact {
  title: string
  text: string
  /** Undefined for Markdown. */
  language?: string
}

type Fields = Record<string, unknown>

/** @returns undefined if the object is not a conversation */
export function readConversation(given: unknown): Conversation | undefined {
  if (!isObject(given)) return undefined
  if (isObject(given.mapping)) return readChatGpt(given, given.mapping)
  return Array.isArray(given.chat_messages) ? readClaude(given, given.chat_messages.filter(isObject)) : undefined
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const objectsIn = (list: unknown): Fields[] => (Array.isArray(list) ? list.filter(isObject) : [])

function timesOf(created: number, modified: number): Pick<Conversation, 'createdAt' | 'modifiedAt'> {
  return {
    ...(Number.isFinite(created) && { createdAt: Math.round(created) }),
    ...(Number.isFinite(modified) && { modifiedAt: Math.round(modified) }),
  }
}

/** Messages form a tree. The conversation is the path from the root to the current message. */
function readChatGpt(given: Fields, mapping: Fields): Conversation {
  const messages: Message[] = []
  const seen = new Set<string>()
  let id = textOf(given.current_node)
  const nodeOf = (name: string): unknown => (Object.hasOwn(mapping, name) ? mapping[name] : undefined)
  for (let node = nodeOf(id); isObject(node) && !seen.has(id); node = nodeOf(id)) {
    seen.add(id)
    const message = isObject(node.message) ? chatGptMessage(node.message) : undefined
    if (message !== undefined) messages.unshift(message)
    id = textOf(node.parent)
  }
  return {
    assistant: 'ChatGPT',
    id: textOf(given.conversation_id) || textOf(given.id),
    title: textOf(given.title),
    ...timesOf(Number(given.create_time) * 1000, Number(given.update_time) * 1000),
    ...{ messages, artifacts: [] },
  }
}

function chatGptMessage({ author, content, metadata, recipient }: Fields): Message | undefined {
  const role = isObject(author) ? author.role : undefined
  const about = isObject(metadata) ? metadata : {}
  const isHidden = about.is_visually_hidden_from_conversation === true
  const isCall = role === 'assistant' && !SHOWN_RECIPIENTS.test(textOf(recipient) || 'all')
  if (role === 'system' || isHidden || isCall || !isObject(content)) return undefined
  const references = objectsIn(about.content_references)
  const parts = chatGptParts(content, role === 'tool').map((part) =>
    part.kind === 'markdown' ? { ...part, text: withSources(part.text, references) } : part,
  )
  return parts.length === 0 ? undefined : { isPerson: role === 'user', parts }
}

/**
 * Recipients of messages that are imported: the person (`all`), code execution (`python`) and the canvas (`canmore`).
 * Messages to any other recipient are tool calls.
 */
const SHOWN_RECIPIENTS = /^(?:all$|python$|canmore\b)/

/** Characters of the private use area that ChatGPT puts in place of citations and around cited passages. */
const SOURCE_MARKS = /\uE200[^\uE200\uE201]*\uE201|[\uE200-\uE206]/g

/** Replaces citation marks in a text with links to the sources. */
function withSources(text: string, references: readonly Fields[]): string {
  const links = new Map(references.map(({ matched_text: mark, alt }) => [textOf(mark), textOf(alt)]))
  return text.replace(SOURCE_MARKS, (mark) => links.get(mark) ?? '')
}

/** Content types of the assistant's reasoning, and of what it knows about the person. */
const UNSPOKEN: ReadonlySet<string> = new Set([
  ...['thoughts', 'reasoning_recap', 'user_editable_context', 'model_editable_context'],
])

function chatGptParts(content: Fields, isTool: boolean): MessagePart[] {
  const type = textOf(content.content_type)
  if (type === 'text' || type === 'multimodal_text') {
    const parts = Array.isArray(content.parts) ? content.parts : []
    return parts.flatMap((part): MessagePart[] => {
      if (typeof part === 'string') return part.trim() === '' || isTool ? [] : [{ kind: 'markdown', text: part }]
      if (!isObject(part)) return []
      const pointer = textOf(part.asset_pointer)
      if (pointer === '') return [{ kind: 'missing', what: textOf(part.content_type) || 'a part' }]
      return [{ kind: 'file', id: pointer.slice(pointer.lastIndexOf('/') + 1) }]
    })
  }
  const text = textOf(content.text)
  if (type === 'code' && text !== '') {
    const language = textOf(content.language)
    return [{ kind: 'code', text, ...(language !== '' && language !== 'unknown' && { language }) }]
  }
  if (type === 'execution_output' && text !== '') return [{ kind: 'code', text }]
  return type === '' || isTool || UNSPOKEN.has(type) ? [] : [{ kind: 'missing', what: type }]
}

function readClaude(given: Fields, chat: Fields[]): Conversation {
  const artifacts = new Map<string, Artifact>()
  const messages = lastBranch(chat).map((message): Message => {
    const content = objectsIn(message.content)
    const spoken = content.flatMap((part) => claudeParts(part, artifacts))
    const text = textOf(message.text)
    const parts: MessagePart[] = content.length === 0 && text !== '' ? [{ kind: 'markdown', text }] : spoken
    return { isPerson: message.sender === 'human', parts: [...parts, ...claudeAttachments(message)] }
  })
  return {
    assistant: 'Claude',
    id: textOf(given.uuid),
    title: textOf(given.name),
    ...timesOf(Date.parse(textOf(given.created_at)), Date.parse(textOf(given.updated_at))),
    messages: messages.filter(({ parts }) => parts.length > 0),
    artifacts: [...artifacts.values()],
  }
}

/** The parent ID of first messages. */
const CLAUDE_ROOT = '00000000-0000-4000-8000-000000000000'

/** Returns the path to the last message. Returns all messages if some of them have no known parent. */
function lastBranch(chat: Fields[]): Fields[] {
  const byId = new Map(chat.flatMap((message) => (message.uuid ? [[textOf(message.uuid), message]] : [])))
  const parentOf = (message: Fields) => textOf(message.parent_message_uuid)
  if (!chat.every((message) => parentOf(message) === CLAUDE_ROOT || byId.has(parentOf(message)))) return chat
  const branch = new Set<Fields>()
  for (
    let message = chat.at(-1);
    message !== undefined && !branch.has(message);
    message = byId.get(parentOf(message))
  ) {
    branch.add(message)
  }
  return [...branch].reverse()
}

function claudeParts(part: Fields, artifacts: Map<string, Artifact>): MessagePart[] {
  if (part.type === 'text') {
    const text = textOf(part.text)
    return text.trim() === '' ? [] : [{ kind: 'markdown', text }]
  }
  if (part.type === 'tool_use' && part.name === 'artifacts' && isObject(part.input)) noteArtifact(part.input, artifacts)
  return []
}

function claudeAttachments(message: Fields): MessagePart[] {
  const attached = objectsIn(message.attachments).map((one): MessagePart => {
    const [name, text] = [textOf(one.file_name), textOf(one.extracted_content)]
    return text === '' ? { kind: 'missing', what: name || 'an attachment' } : { kind: 'code', text, name }
  })
  const files = objectsIn(message.files).map(
    (one): MessagePart => ({
      ...{ kind: 'missing', what: textOf(one.file_name) || 'a file' },
    }),
  )
  return [...attached, ...files]
}

const LANGUAGES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ 'text/html': 'html', 'image/svg+xml': 'xml', 'application/vnd.ant.react': 'jsx' },
    'application/vnd.ant.mermaid': 'mermaid',
  }),
)

function noteArtifact(input: Fields, artifacts: Map<string, Artifact>): void {
  const [id, type] = [textOf(input.id), textOf(input.type)]
  const known = artifacts.get(id)
  if (input.command === 'update') {
    if (known !== undefined) known.text = known.text.replace(textOf(input.old_str), () => textOf(input.new_str))
    return
  }
  const language = textOf(input.language) || LANGUAGES.get(type) || (type === 'text/markdown' ? '' : 'plaintext')
  const title = textOf(input.title) || known?.title || 'Artifact'
  artifacts.set(id, { title, text: textOf(input.content), ...(language !== '' && { language }) })
}
