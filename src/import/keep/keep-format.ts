/** Imports notes of Google Keep, as Google Takeout exports them: a JSON file for each. */
import { createHash } from 'node:crypto'
import { stringify } from 'yaml'
import { messageOf } from '../../base/errors.ts'
import { isObject } from '../../base/is-object.ts'
import { IMPORT_TEXT_BYTES, TITLE_LENGTH } from '../../base/limits.ts'
import { yieldToEventLoop } from '../../base/scheduling.ts'
import type { Block } from '../../markdown/block.ts'
import { contentMaps } from '../../space/import/imported-content.ts'
import type { ConvertedDocument, ImportFormat, ImportPlan, PlannedDocument } from '../import-format.ts'
import {
  baseName,
  extensionOf,
  folderParts,
  type ImportProblem,
  type ImportSource,
  readSourceFile,
  type SourceFile,
  stem,
} from '../import-source.ts'
import { isMarkdown } from '../markdown/source-entries.ts'
import { parseJson } from '../parse-json.ts'
import { ProblemList } from '../problem-list.ts'
import { BelongsToSpace } from '../spaces/read-checked.ts'
import { linesText, plainTextBlocks } from '../text/plain-text.ts'

export const keepFormat: ImportFormat = {
  name: 'keep',
  detects: async ({ files }) => {
    // Notes in Markdown beside them are no export of Keep.
    if (files.some(({ path }) => isMarkdown(path))) return undefined
    const found = files.filter(({ path }) => extensionOf(path) === 'json').slice(0, FILES_LOOKED_INTO)
    for (const file of found)
      if ((await readNote(file).catch(() => undefined)) !== undefined) return 'it has notes of Google Keep'
    return undefined
  },
  plan: planNotes,
}

/** How many files are looked at to detect an export. */
const FILES_LOOKED_INTO = 10
/** Must be changed whenever the code reads notes differently than before, so that they are imported again. */
const READER_VERSION = '1'

type Fields = Record<string, unknown>

/** @returns undefined for JSON that is no note */
async function readNote(file: SourceFile): Promise<{ note: Fields; bytes: Buffer } | undefined> {
  const bytes = await readSourceFile(file, IMPORT_TEXT_BYTES)
  const text = bytes.toString('utf8')
  if (!text.includes('"isTrashed"') && !text.includes('"userEditedTimestampUsec"')) return undefined
  const note = parseJson(text)
  return isObject(note) && KEYS.some((key) => Object.hasOwn(note, key)) ? { note, bytes } : undefined
}

const KEYS = ['textContent', 'listContent', 'attachments', 'title', 'userEditedTimestampUsec'] as const

async function planNotes({ files }: ImportSource): Promise<ImportPlan> {
  const documents: PlannedDocument[] = []
  const problems: ImportProblem[] = []
  const others = new Map(files.map((file) => [file.path, file]))
  const used = new Set<string>()
  for (const file of files.filter(({ path }) => extensionOf(path) === 'json')) {
    const { path } = file
    try {
      const read = await readNote(file)
      if (read === undefined) continue
      used.add(path).add(path.replace(/json$/, 'html'))
      const { note, bytes } = read
      const gone = note.isTrashed === true ? 'the trash' : note.isArchived === true ? 'the archive' : undefined
      if (gone !== undefined) problems.push({ path, kind: 'left out', message: `It is in ${gone} of Keep.` })
      else {
        const hash = createHash('sha256').update(READER_VERSION).update(bytes).digest('base64')
        documents.push({
          ...{ path, anchors: [], fingerprint: () => hash },
          convert: async () => convertNote(file, (await readNote(file))?.note ?? {}, others),
        })
      }
      for (const one of objectsIn(note.attachments)) used.add(attachmentOf(file, one, others)?.path ?? '')
    } catch (error) {
      used.add(path)
      problems.push({ path, kind: error instanceof BelongsToSpace ? 'left out' : 'failed', message: messageOf(error) })
    }
    await yieldToEventLoop()
  }
  for (const { path } of files) {
    if (!used.has(path))
      problems.push({ path, kind: 'left out', message: 'It is no note of Keep, and no note shows it.' })
  }
  return { documents, problems }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const objectsIn = (list: unknown): Fields[] => (Array.isArray(list) ? list.filter(isObject) : [])

/** Finds an attachment. Takeout sometimes names another extension than the file has. */
function attachmentOf(note: SourceFile, { filePath }: Fields, files: ReadonlyMap<string, SourceFile>) {
  const folder = folderParts(note.path)
    .map((part) => `${part}/`)
    .join('')
  const path = `${folder}${textOf(filePath)}`
  const others = ['jpg', 'jpeg', 'png', '3gp', 'amr', 'm4a'].map((extension) =>
    path.replace(/\.[^./]+$/, `.${extension}`),
  )
  for (const one of [path, ...others]) {
    const found = files.get(one)
    if (found !== undefined) return found
  }
  return undefined
}

function timeOf(value: unknown): number | undefined {
  const time = Math.round(Number(value) / 1000)
  return Number.isSafeInteger(time) && time > 0 ? time : undefined
}

function convertNote(file: SourceFile, note: Fields, files: ReadonlyMap<string, SourceFile>): ConvertedDocument {
  const problems = new ProblemList(file.path)
  const maps = contentMaps()
  const blocks: Block[] = []
  const labels = objectsIn(note.labels)
    .map(({ name }) => textOf(name))
    .filter((name) => name !== '')
  const values = { ...(labels.length > 0 && { tags: labels }), ...(note.isPinned === true && { pinned: true }) }
  if (Object.keys(values).length > 0) blocks.push({ type: 'code', text: stringify(values).trimEnd(), language: 'yaml' })
  blocks.push(...plainTextBlocks(textOf(note.textContent)))
  for (const { text, isChecked } of objectsIn(note.listContent)) {
    const task: Block = { type: 'text', text: linesText(textOf(text).split('\n')), listStyle: 'task' }
    blocks.push({ ...task, taskInfo: { state: isChecked === true ? 'done' : 'todo' } })
  }
  for (const { url, title, description } of objectsIn(note.annotations)) {
    const address = textOf(url)
    if (!/^https?:\/\//i.test(address)) continue
    const about = {
      ...(textOf(title) !== '' && { title: textOf(title).slice(0, TITLE_LENGTH) }),
      ...(textOf(description) !== '' && { description: textOf(description).slice(0, TITLE_LENGTH) }),
    }
    blocks.push({ type: 'richUrl', text: '', url: address, ...about })
  }
  for (const attachment of objectsIn(note.attachments)) {
    const found = attachmentOf(file, attachment, files)
    if (found === undefined)
      problems.add('not found', 'A file that the note shows is not there.', textOf(attachment.filePath))
    else {
      const block: Block = { type: 'file', text: '' }
      maps.files.set(block, found)
      blocks.push(block)
    }
  }
  if (note.color !== undefined && note.color !== 'DEFAULT')
    problems.add('left out', 'The color of a note is left out.', textOf(note.color))
  if (objectsIn(note.sharees).length > 0) problems.add('left out', 'With whom a note is shared is left out.')
  const title = textOf(note.title).replace(/\s+/g, ' ').trim().slice(0, TITLE_LENGTH)
  const createdAt = timeOf(note.createdTimestampUsec) ?? timeOf(note.userEditedTimestampUsec)
  const modifiedAt = timeOf(note.userEditedTimestampUsec)
  return {
    ...{ title: title || stem(baseName(file.path)), place: { folder: [] }, blocks, ...maps },
    ...(createdAt !== undefined && { createdAt }),
    ...(modifiedAt !== undefined && { modifiedAt }),
    ...{ problems: problems.all, links: maps.files.size },
  }
}
