/** Imports conversations from exports of Claude and ChatGPT, each as one document. */

import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { messageOf } from '../../base/errors.ts'
import { yieldToEventLoop } from '../../base/scheduling.ts'
import type { Block } from '../../markdown/block.ts'
import { codeFields } from '../../markdown/blocks/code-block.ts'
import { titleFromPlain } from '../../markdown/inline-title.ts'
import { contentMaps, mergeContent } from '../../space/import/imported-content.ts'
import { checkLosses } from '../check-losses.ts'
import type { ConvertedDocument, ImportFormat, ImportPlan, LinkTargets, PlannedDocument } from '../import-format.ts'
import { baseName, type ImportProblem, type ImportSource, type SourceFile } from '../import-source.ts'
import { convertNote } from '../markdown/convert-note.ts'
import { prepareNote } from '../markdown/prepare-note.ts'
import { parseJson } from '../parse-json.ts'
import { type Conversation, type MessagePart, readConversation } from './conversation.ts'
import { splitArray } from './split-array.ts'

export const conversationsFormat: ImportFormat = {
  name: 'conversations',
  detects: async ({ files }) => {
    for (const file of files) if (isConversations(file.path) && (await beginsWithOne(file))) return true
    return false
  },
  plan: planConversations,
}

const isConversations = (path: string): boolean => /^conversations(?:[-_]\d+)?\.json$/i.test(baseName(path))

async function beginsWithOne(file: SourceFile): Promise<boolean> {
  try {
    for await (const json of splitArray(file.open())) return readConversation(parseJson(json.toString())) !== undefined
  } catch {
    // The file is not an array of objects.
  }
  return false
}

/** Must be changed whenever the code reads conversations differently than before, so that they are imported again. */
const READER_VERSION = '2'

async function planConversations({ files }: ImportSource): Promise<ImportPlan> {
  const folder = await mkdtemp(join(tmpdir(), 'scriptorium-conversations-'))
  const documents: PlannedDocument[] = []
  const problems: ImportProblem[] = []
  const paths = new Set<string>()
  const close = () => rm(folder, { recursive: true, force: true })
  const others = files.filter(({ path }) => !isConversations(path))
  try {
    for (const file of files.filter(({ path }) => isConversations(path))) {
      try {
        for await (const json of splitArray(file.open())) {
          const conversation = readConversation(parseJson(json.toString()))
          const path = `${file.path}/${conversation?.id}`
          if (conversation === undefined || conversation.messages.length === 0 || paths.has(path)) continue
          paths.add(path)
          const kept = join(folder, String(paths.size))
          await writeFile(kept, json, { flag: 'wx', mode: 0o600 })
          const hash = createHash('sha256').update(READER_VERSION).update(json).digest('base64')
          documents.push(plannedConversation(path, hash, kept, others))
          await yieldToEventLoop()
        }
      } catch (error) {
        problems.push({ path: file.path, kind: 'failed', message: messageOf(error) })
      }
    }
  } catch (error) {
    await close()
    throw error
  }
  return { documents, problems, close }
}

const plannedConversation = (
  path: string,
  hash: string,
  kept: string,
  files: readonly SourceFile[],
): PlannedDocument => ({
  ...{ path, anchors: [], fingerprint: () => hash },
  async convert(targets: LinkTargets): Promise<ConvertedDocument> {
    const conversation = readConversation(parseJson(await readFile(kept, 'utf8')))
    if (conversation === undefined) throw new Error('Expected a conversation.')
    return new ConversationConverter(path, conversation, files, targets).convert()
  },
})

class ConversationConverter {
  readonly #path: string
  readonly #conversation: Conversation
  readonly #files: readonly SourceFile[]
  readonly #targets: LinkTargets
  readonly #maps = contentMaps()
  readonly #problems: ImportProblem[] = []
  readonly #blocks: Block[] = []

  constructor(path: string, conversation: Conversation, files: readonly SourceFile[], targets: LinkTargets) {
    this.#path = path
    this.#conversation = conversation
    this.#files = files
    this.#targets = targets
  }

  async convert(): Promise<ConvertedDocument> {
    const { assistant, title, createdAt, modifiedAt, messages, artifacts } = this.#conversation
    let last: string | undefined
    for (const { isPerson, parts } of messages) {
      const speaker = isPerson ? 'You' : assistant
      if (speaker !== last) this.#blocks.push({ type: 'text', text: speaker, textStyle: 'h3' })
      last = speaker
      for (const part of parts) await this.#addPart(part)
    }
    for (const { title: name, text, language } of artifacts) {
      this.#blocks.push({ type: 'text', text: titleFromPlain(name.slice(0, 1_000)), textStyle: 'h2' })
      if (language === undefined) await this.#addMarkdown(text)
      else this.#addCode(text, language)
    }
    return {
      title: title === '' ? 'Conversation' : title,
      place: { folder: [assistant] },
      ...(createdAt !== undefined && { createdAt }),
      ...(modifiedAt !== undefined && { modifiedAt }),
      ...{ blocks: this.#blocks, ...this.#maps, problems: this.#problems, links: this.#maps.files.size },
    }
  }

  async #addPart(part: MessagePart): Promise<void> {
    if (part.kind === 'markdown') await this.#addMarkdown(part.text)
    else if (part.kind === 'code') {
      if (part.name) this.#blocks.push({ type: 'text', text: titleFromPlain(part.name.slice(0, 1_000)) })
      this.#addCode(part.text, part.language ?? '')
    } else if (part.kind === 'missing') this.#report(`Not in the export, or no part of the conversation: ${part.what}.`)
    else {
      const file = part.id === '' ? undefined : this.#files.find(({ path }) => baseName(path).includes(part.id))
      if (file === undefined) return this.#report('A file that was shown is not in the export.')
      const block: Block = { type: 'image', text: '' }
      this.#maps.files.set(block, file)
      this.#blocks.push(block)
    }
  }

  #addCode(text: string, name: string): void {
    this.#blocks.push({ type: 'code', text, ...codeFields(name === 'plaintext' ? '' : name.replace(/\s+/g, ' ')) })
  }

  /** Messages are data, so tags in them that look like ours are treated as text. */
  async #addMarkdown(text: string): Promise<void> {
    const body = text.replace(/\r\n?/g, '\n').replaceAll('\0', '\uFFFD')
    const prepared = prepareNote(body, {
      ...{ linesBefore: 0, isVault: false, isOwn: false, anchors: new Set<string>() },
      resolve: (link) => ({ literal: link.written }),
      report: () => {},
    })
    try {
      const content = await convertNote(prepared, {
        ...{ files: [], endOf: () => undefined, idOf: () => undefined, newId: () => this.#targets.newId() },
        ...{ draw: async () => {}, countLink: () => {}, report: () => {} },
      })
      this.#problems.push(
        ...(await checkLosses({
          ...{ path: this.#path, source: body, language: 'markdown', linesBefore: undefined, content },
          ...{ endOf: ({ value }) => ({ address: value }), problems: [] },
        })),
      )
      this.#blocks.push(...content.blocks)
      mergeContent(this.#maps, content)
    } catch (error) {
      this.#report(`A message is kept as code, since it could not be read: ${messageOf(error)}`)
      this.#addCode(body, 'markdown')
    }
  }

  #report(message: string): void {
    this.#problems.push({ path: this.#path, kind: 'left out', message })
  }
}
