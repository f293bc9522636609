/**
 * Reads an Evernote export (ENEX) as a stream. The texts of notes and the bytes of resources are written to a folder,
 * so that memory usage does not depend on the size of the export.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SaxesParser } from 'saxes'
import { IMPORT_FILES, IMPORT_HTML_BYTES, IMPORT_XML_LEVELS } from '../../base/limits.ts'
import { yieldToEventLoop } from '../../base/scheduling.ts'
import type { ImportFile } from '../../space/import/imported-content.ts'
import type { SourceFile } from '../import-source.ts'
import { readChecked } from '../spaces/read-checked.ts'

export interface EnexNote {
  title: string
  tags: string[]
  /** Milliseconds since 1970. */
  createdAt?: number
  updatedAt?: number
  /** The URL that a page was clipped from. */
  sourceUrl?: string
  /** A hash of the text. */
  hash: string
  /** Resources by the MD5 hash of their bytes, which is how the text refers to them. */
  resources: Map<string, ImportFile>
  /** Reads the text as ENML. */
  read(): Promise<string>
}

/** Maximum length of all texts and values of one note, in characters. Notes in Evernote are shorter. */
const MAX_LENGTH = IMPORT_HTML_BYTES

/**
 * @param folder  an empty folder for texts and bytes
 * @throws Error with the line number if the file is not valid ENEX
 */
export async function readEnex(file: SourceFile, folder: string): Promise<EnexNote[]> {
  const reader = new EnexReader(folder)
  for await (const part of splitData(file, folder)) {
    reader.write(part)
    await reader.flush()
    await yieldToEventLoop()
  }
  await reader.close()
  return reader.notes
}

/** The fields of a resource. */
interface ResourceFields {
  /** MD5 of the bytes. */
  hash: string
  size: number
  mime: string
  name: string
}

/** An element that is being read, with its text so far. */
interface Opened {
  name: string
  text: string
}

class EnexReader {
  readonly notes: EnexNote[] = []
  readonly #folder: string
  readonly #parser = new SaxesParser()
  readonly #open: Opened[] = []
  /** Texts that must still be written, and their paths. */
  readonly #waiting: { path: string; text: string }[] = []
  /** Characters in the note that is being read. */
  #length = 0
  #note: EnexNote | undefined
  #resource: ResourceFields | undefined
  #error: Error | undefined

  constructor(folder: string) {
    this.#folder = folder
    this.#parser.on('error', (error) => {
      this.#error ??= error
    })
    this.#parser.on('opentag', ({ name }) => this.#opened(name))
    this.#parser.on('text', (text) => this.#readText(text))
    this.#parser.on('cdata', (text) => this.#readText(text))
    this.#parser.on('closetag', ({ name }) => this.#closed(name))
  }

  write(text: string): void {
    this.#parser.write(text)
    if (this.#error !== undefined) throw this.#error
  }

  async flush(): Promise<void> {
    for (const { path, text } of this.#waiting.splice(0)) await writeFile(path, text, { flag: 'wx', mode: 0o600 })
  }

  async close(): Promise<void> {
    this.#parser.close()
    if (this.#error !== undefined) throw this.#error
    await this.flush()
  }

  #opened(name: string): void {
    if (this.#open.length >= IMPORT_XML_LEVELS) {
      throw new Error(`Expected at most ${IMPORT_XML_LEVELS} nested elements, found more.`)
    }
    this.#open.push({ name, text: '' })
    if (name === 'note') {
      if (this.notes.length >= IMPORT_FILES) throw new Error(`Expected at most ${IMPORT_FILES} notes, found more.`)
      this.#note = { title: '', tags: [], hash: '', resources: new Map(), read: async () => '' }
    } else if (name === 'resource') this.#resource = { hash: '', size: 0, mime: '', name: '' }
  }

  #readText(text: string): void {
    const top = this.#open.at(-1)
    if (top === undefined) return
    this.#length += text.length
    if (this.#length > MAX_LENGTH) throw new Error('Expected shorter notes, found one that is too long.')
    top.text += text
  }

  #closed(name: string): void {
    const text = this.#open.pop()?.text ?? ''
    const note = this.#note
    if (note === undefined) return
    if (name === 'note') {
      this.notes.push(note)
      this.#note = undefined
      this.#length = 0
    } else if (name === 'resource') this.#closeResource(note)
    else if (this.#resource !== undefined) this.#resourceField(name, text.trim(), this.#resource)
    else this.#noteField(name, text, note)
  }

  #noteField(name: string, text: string, note: EnexNote): void {
    const value = text.trim()
    if (name === 'title') note.title = value
    else if (name === 'tag') note.tags.push(value)
    else if (name === 'source-url') note.sourceUrl = value
    else if (name === 'created') Object.assign(note, withTime('createdAt', value))
    else if (name === 'updated') Object.assign(note, withTime('updatedAt', value))
    else if (name === 'content') {
      const path = join(this.#folder, `note-${this.notes.length}.enml`)
      note.hash = createHash('sha256').update(text).digest('base64')
      note.read = () => readFile(path, 'utf8')
      this.#waiting.push({ path, text })
    }
  }

  #resourceField(name: string, value: string, resource: ResourceFields): void {
    if (name === 'mime') resource.mime = value
    else if (name === 'file-name') resource.name = value.replace(/[/\\\p{Cc}]/gu, ' ')
    else if (name === 'data') {
      const [hash = '', size = '0'] = value.split(' ')
      Object.assign(resource, { hash, size: Number(size) })
    }
  }

  #closeResource(note: EnexNote): void {
    const { hash = '', size = 0, mime = '', name = '' } = this.#resource ?? {}
    this.#resource = undefined
    if (hash === '') return
    const path = join(this.#folder, `data-${hash}`)
    const extension = mime.split('/')[1]?.replace(/[^a-z0-9].*$/i, '') ?? 'bin'
    const shown = name === '' ? `${hash.slice(0, 8)}.${extension}` : name
    const file = { path: shown, name: shown, stamp: hash, size, open: () => createReadStream(path) }
    note.resources.set(hash, { ...file, open: () => readChecked(file) })
  }
}

/** Parses a time such as `20240301T120000Z`. */
function withTime(key: string, text: string): Record<string, number> {
  const time = Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  return Number.isNaN(time) ? {} : { [key]: time }
}

const DATA_START = '<data'
const DATA_END = '</data>'

/**
 * Yields the XML in chunks. The base64 data of a resource is written to the folder, and replaced by its MD5 hash and
 * size.
 */
async function* splitData(file: SourceFile, folder: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8')
  let text = ''
  let data: DataWriter | undefined
  for await (const chunk of file.open()) {
    text += decoder.decode(chunk, { stream: true })
    for (;;) {
      if (data === undefined) {
        const start = text.indexOf(DATA_START)
        const end = start < 0 ? -1 : text.indexOf('>', start)
        if (end < 0 && text.length > MAX_LENGTH) throw new Error('Expected the end of a tag, found none.')
        if (end < 0) break
        yield text.slice(0, end + 1)
        text = text.slice(end + 1)
        data = await DataWriter.open(folder)
      }
      const end = text.indexOf(DATA_END)
      // The end of this chunk may be the start of the end tag, so keep it until more is read.
      const ready = end < 0 ? text.slice(0, Math.max(0, text.length - DATA_END.length)) : text.slice(0, end)
      await data.write(ready)
      text = text.slice(ready.length)
      if (end < 0) break
      yield await data.close()
      data = undefined
    }
    if (data === undefined && !text.includes(DATA_START)) {
      const kept = text.slice(0, Math.max(0, text.length - DATA_START.length))
      if (kept !== '') yield kept
      text = text.slice(kept.length)
    }
  }
  yield text + decoder.decode()
}

/** Decodes base64 to a file that is named after the hash of its bytes. */
class DataWriter {
  readonly #folder: string
  readonly #path: string
  readonly #file: Awaited<ReturnType<typeof open>>
  readonly #hash = createHash('md5')
  #left = ''
  #size = 0
  static #count = 0

  private constructor(folder: string, path: string, file: Awaited<ReturnType<typeof open>>) {
    this.#folder = folder
    this.#path = path
    this.#file = file
  }

  static async open(folder: string): Promise<DataWriter> {
    const path = join(folder, `passing-${DataWriter.#count++}`)
    return new DataWriter(folder, path, await open(path, 'wx', 0o600))
  }

  async write(base64: string): Promise<void> {
    const plain = this.#left + base64.replace(/\s+/g, '')
    const whole = plain.length - (plain.length % 4)
    this.#left = plain.slice(whole)
    if (whole > 0) await this.#append(Buffer.from(plain.slice(0, whole), 'base64'))
  }

  async #append(bytes: Buffer): Promise<void> {
    this.#hash.update(bytes)
    this.#size += bytes.byteLength
    await this.#file.writeFile(bytes)
  }

  /** @returns the MD5 hash and the size, separated by a space */
  async close(): Promise<string> {
    if (this.#left !== '') await this.#append(Buffer.from(this.#left, 'base64'))
    await this.#file.close()
    const hash = this.#hash.digest('hex')
    await rename(this.#path, join(this.#folder, `data-${hash}`))
    return `${hash} ${this.#size}`
  }
}
