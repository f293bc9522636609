/** Rounds of export, random edits on both sides, and import, each compared with a model of what must come of it. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { runExport } from '../../../src/export/run-export.ts'
import type { ImportReport } from '../../../src/import/import-report.ts'
import { obsidianFormat } from '../../../src/import/markdown/markdown-format.ts'
import { openSource } from '../../../src/import/open-source.ts'
import { MANIFEST } from '../../../src/import/own/export-manifest.ts'
import { runImport } from '../../../src/import/run-import.ts'
import { leaveOutSpaces } from '../../../src/import/spaces/leave-out-spaces.ts'
import { type OpenSpace, openSpace } from '../../../src/space/open-space.ts'
import { callerOf } from '../../bench/workbench.ts'
import { chance, type ProofResult } from '../proof.ts'
import { type Expected, expectedAfter, type Present } from './model.ts'

/** What is changed in a folder before it is imported, so that the import does something wrong. */
export type Tampering = 'space' | 'revisions' | 'ids' | 'documents'

const DOCUMENTS = 12
const FOLDERS = ['', 'Work', 'Home']

export async function runRounds(
  folder: string,
  rounds: number,
  seed: number,
  tampering: Tampering | undefined,
  log: (line: string) => void,
): Promise<ProofResult> {
  mkdirSync(folder, { recursive: true })
  const counts = { rounds: 0, edits: 0, conflicts: 0, interrupted: 0 }
  const faults: string[] = []
  for (let round = 0; round < rounds; round++) {
    const one = new Round(join(folder, String(round)), seed * 100_000 + round, tampering)
    try {
      const fault = await one.run()
      if (fault !== undefined) faults.push(`${fault} (round ${round} of seed ${seed})`)
    } finally {
      await one.close()
    }
    counts.rounds++
    for (const key of ['edits', 'conflicts', 'interrupted'] as const) counts[key] += one.counts[key]
    if (round % 20 === 19) log(`${round + 1} of ${rounds} rounds, ${faults.length} faults`)
  }
  return { figures: counts, faults }
}

interface Listed {
  id: string
  title: string
  isDeleted?: boolean
  folderId?: string | null
}

class Round {
  readonly counts = { edits: 0, conflicts: 0, interrupted: 0 }
  readonly #folder: string
  readonly #random: () => number
  readonly #tampering: Tampering | undefined
  #space: OpenSpace | undefined
  #call: ReturnType<typeof callerOf> = async () => {
    throw new Error('Expected an open space.')
  }
  readonly #folders = new Map<string, string>()
  #number = 0

  constructor(folder: string, seed: number, tampering: Tampering | undefined) {
    this.#folder = folder
    this.#random = chance(seed)
    this.#tampering = tampering
  }

  async close(): Promise<void> {
    await this.#space?.close()
  }

  #pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.#random() * list.length)] as T
  }

  #word(): string {
    this.#number++
    return `word${this.#number}x${Math.floor(this.#random() * 1e6)}`
  }

  async run(): Promise<string | undefined> {
    const space = await openSpace(':memory:', { name: 'Proof', timezone: 'UTC' })
    this.#space = space
    this.#call = callerOf(space, await space.createAccessLink('full', [], 'proof'))
    const documents = await this.#fill()
    const target = join(this.#folder, 'vault')
    await runExport(space, target, { format: 'obsidian', documents: [], now: 0 })
    for (const document of documents) {
      if (this.#random() < 0.6) this.#editFile(document, target)
      if (this.#random() < 0.35) await this.#editHere(document)
    }
    const added = this.#addFiles(documents, target)
    const deletes = this.#random() < 0.4
    await this.#tamper(target)
    const expected = expectedAfter(documents, deletes)
    this.counts.conflicts += expected.conflicts.size
    const report = await this.#importAll(target, deletes)
    const fault = (await this.#compare(expected, added)) ?? this.#compareReport(expected, report)
    if (fault !== undefined) return fault
    return this.#goOn(target, expected.documents.length + added.length)
  }

  async #fill(): Promise<Present[]> {
    for (const name of FOLDERS.filter((one) => one !== '')) {
      const { items } = await this.#call<{ items: { id: string }[] }>('folders_add', { folders: [{ name }] })
      this.#folders.set(name, items[0]?.id ?? '')
    }
    const documents: Present[] = []
    for (let index = 0; index < DOCUMENTS; index++) {
      const [title, folder] = [`Note ${index}`, this.#pick(FOLDERS)]
      const lines = [`${this.#word()} begins`, `${this.#word()} goes on`, `${this.#word()} ends`]
      const earlier = documents.length > 0 && this.#random() < 0.5 ? this.#pick(documents) : undefined
      if (earlier !== undefined) lines.push(`See [it](block://${earlier.id}) ${this.#word()}`)
      const destination = folder === '' ? { destination: 'unsorted' } : { folderId: this.#folders.get(folder) }
      const { items } = await this.#call<{ items: { id: string }[] }>('documents_add', {
        ...{ documents: [{ title, markdown: lines.join('\n\n') }], destination },
      })
      const state = { title, folder, lines }
      documents.push({ id: items[0]?.id ?? '', before: state, here: { ...state }, file: { ...state } })
    }
    return documents
  }

  #pathOf({ title, folder }: { title: string; folder: string }, target: string): string {
    return join(target, folder, `${title}.md`)
  }

  #editFile(document: Present, target: string): void {
    const { before } = document
    const path = this.#pathOf(before, target)
    this.counts.edits++
    const choice = this.#random()
    if (choice < 0.15) {
      rmSync(path)
      document.file = undefined
      return
    }
    const file = { ...before, lines: [...before.lines] }
    document.file = file
    if (choice < 0.7) {
      const at = Math.floor(this.#random() * 3)
      const old = file.lines[at]?.split(' ')[0] ?? ''
      const word = this.#word()
      file.lines[at] = (file.lines[at] ?? '').replace(old, word)
      writeFileSync(path, readFileSync(path, 'utf8').replace(old, word))
    }
    if (choice > 0.5) {
      if (this.#random() < 0.6) file.title = `Renamed ${this.#word()}`
      if (this.#random() < 0.5) file.folder = this.#pick(['', 'Work', 'Home', 'New'])
      const next = this.#pathOf(file, target)
      mkdirSync(dirname(next), { recursive: true })
      renameSync(path, next)
    }
  }

  async #editHere(document: Present): Promise<void> {
    const { id, before } = document
    this.counts.edits++
    const choice = this.#random()
    if (choice < 0.15) {
      await this.#call('documents_delete', { documentIds: [id] })
      document.here = undefined
      return
    }
    const here = { ...before, lines: [...before.lines] }
    document.here = here
    if (choice < 0.6) {
      const at = Math.floor(this.#random() * 3)
      // Now and then, both sides make the same change.
      const same = document.file?.lines[at]
      const line = same !== undefined && this.#random() < 0.3 ? same : `${this.#word()} from here`
      here.lines[at] = line
      const { content } = await this.#read(id)
      await this.#call('blocks_update', { blocks: [{ id: content[at]?.id, markdown: line }] })
    } else if (choice < 0.8) {
      here.title = `Here ${this.#word()}`
      await this.#call('blocks_update', { blocks: [{ id, title: here.title }] })
    } else {
      here.folder = this.#pick(FOLDERS)
      const to = here.folder === '' ? { destination: 'unsorted' } : { folderId: this.#folders.get(here.folder) }
      await this.#call('documents_move', { documentIds: [id], destination: to })
    }
  }

  /** @returns the titles of the documents that they become */
  #addFiles(documents: readonly Present[], target: string): Expected['documents'] {
    const added: Expected['documents'] = []
    if (this.#random() < 0.5) {
      const [title, word] = [`Added ${this.#word()}`, this.#word()]
      writeFileSync(join(target, `${title}.md`), `${word}\n`)
      added.push({ title, folder: '', lines: [word] })
    }
    const copied = this.#pick(documents)
    const from = copied.file === undefined ? '' : this.#pathOf(copied.file, target)
    if (copied.file !== undefined && existsSync(from) && this.#random() < 0.5) {
      const title = `Copied ${this.#word()}`
      const lines = copied.file.lines.filter((line) => !line.startsWith('See '))
      writeFileSync(from, readFileSync(from, 'utf8'))
      cpSync(from, join(target, `zz ${title}.md`))
      added.push({ title: `zz ${title}`, folder: '', lines })
    }
    return added
  }

  async #tamper(target: string): Promise<void> {
    if (this.#tampering === undefined) return
    const path = join(target, MANIFEST)
    const manifest = JSON.parse(readFileSync(path, 'utf8'))
    if (this.#tampering === 'space') manifest.space = 'another'
    if (this.#tampering === 'revisions') {
      const { items } = await this.#call<{ items: Listed[] }>('documents_list', { format: 'json' })
      for (const { id } of items) {
        const { revision } = await this.#read(id)
        if (manifest.documents[id] !== undefined) manifest.documents[id].revision = Number.parseInt(revision, 10)
      }
    }
    if (this.#tampering === 'documents') {
      for (const id of Object.keys(manifest.documents).filter((_, index) => index % 2 === 0))
        delete manifest.documents[id]
    }
    if (this.#tampering === 'ids') {
      for (const file of markdownIn(target))
        writeFileSync(file, readFileSync(file, 'utf8').replace(/^ {2}id: .*\n/m, ''))
    }
    writeFileSync(path, JSON.stringify(manifest))
  }

  /** Now and then, the import is stopped in the middle and repeated. */
  async #importAll(target: string, deletes: boolean): Promise<ImportReport> {
    if (this.#random() < 0.3) {
      this.counts.interrupted++
      const stop = new AbortController()
      let left = Math.floor(this.#random() * DOCUMENTS)
      await this.#import(target, deletes, { signal: stop.signal, onProgress: () => void (--left <= 0 && stop.abort()) })
    }
    return this.#import(target, deletes)
  }

  async #import(target: string, deletes: boolean, more: { signal?: AbortSignal; onProgress?(): void } = {}) {
    if (this.#space === undefined) throw new Error('Expected an open space.')
    const source = await leaveOutSpaces(await openSource(target, ':memory:'))
    try {
      return await runImport(this.#space, source, {
        format: obsidianFormat,
        into: null,
        isDryRun: false,
        deletes,
        ...more,
      })
    } finally {
      await source.close()
    }
  }

  async #compare({ documents }: Expected, added: Expected['documents']): Promise<string | undefined> {
    const found = await this.#present()
    const wanted = [...documents, ...added].map(shown).sort()
    const present = found.map(shown).sort()
    const [missing] = wanted.filter((one) => !present.includes(one))
    if (missing !== undefined) return `Expected ${missing}, found none among ${present.join('; ')}.`
    if (present.length === wanted.length) return undefined
    const [more] = present.filter((one, index) => !wanted.includes(one) || present.indexOf(one) !== index)
    return `Expected ${wanted.length} documents, found ${present.length}, such as ${more}.`
  }

  async #present(): Promise<Expected['documents']> {
    const { items } = await this.#call<{ items: Listed[] }>('documents_list', { format: 'json' })
    const found: Expected['documents'] = []
    const { items: folders } = await this.#call<{ items: { id: string; name: string }[] }>('folders_list', {})
    const names = new Map(folders.map(({ id, name }) => [id, name]))
    for (const { id, title, isDeleted, folderId } of items) {
      if (isDeleted === true) continue
      const { content } = await this.#read(id)
      const lines = content.map(({ markdown = '' }) => markdown)
      found.push({ title, folder: names.get(folderId ?? '') ?? '', lines })
    }
    return found
  }

  async #read(id: string): Promise<{ revision: string; content: { id: string; markdown?: string }[] }> {
    const text = await this.#call<string>('blocks_get', { id, format: 'json' })
    return { content: [], ...JSON.parse(text) }
  }

  #compareReport({ conflicts, gone }: Expected, { problems }: ImportReport): string | undefined {
    const listed = (kind: string) => new Set(problems.filter((one) => one.kind === kind).map(({ path }) => path))
    for (const path of conflicts)
      if (!listed('conflict').has(path)) return `Expected a conflict of ${path}, found none.`
    for (const path of listed('conflict'))
      if (!conflicts.has(path)) return `Expected no conflict, found one of ${path}.`
    for (const path of gone)
      if (!listed('gone').has(path)) return `Expected ${path} to be listed as gone, found it not.`
    return undefined
  }

  /** Another import changes nothing, and another export writes each document once. */
  async #goOn(target: string, count: number): Promise<string | undefined> {
    const { counts } = await this.#import(target, false)
    if (counts.added + counts.updated > 0)
      return `Expected no change by a second import, found ${JSON.stringify(counts)}.`
    if (this.#space === undefined) return undefined
    const fresh = join(this.#folder, 'fresh')
    const { documents } = await runExport(this.#space, fresh, { format: 'obsidian', documents: [], now: 0 })
    if (documents !== count) return `Expected ${count} documents in an export, found ${documents}.`
    const again = await this.#import(fresh, false)
    const { added, updated, conflicts } = again.counts
    return added + updated + conflicts === 0
      ? undefined
      : `Expected nothing new in a new export, found ${JSON.stringify(again.counts)}.`
  }
}

const shown = ({ title, folder, lines }: Expected['documents'][number]): string =>
  `${folder}/${title}: ${lines.filter((line) => !line.startsWith('See ')).join(' | ')}`

const markdownIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map((entry) => join(entry.parentPath, entry.name))
