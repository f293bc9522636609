/** Imports Evernote notebooks: `.enex` files. */

import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { messageOf } from '../../base/errors.ts'
import { addToGroup } from '../../base/grouping.ts'
import type { Block } from '../../markdown/block.ts'
import { checkLosses, webEnd } from '../check-losses.ts'
import type { ConvertedDocument, ImportFormat, ImportPlan, LinkTargets, PlannedDocument } from '../import-format.ts'
import { extensionOf, folderParts, type ImportProblem, type ImportSource, stem } from '../import-source.ts'
import { type EnexNote, readEnex } from './enex-reader.ts'
import { enmlBlocks, isNoteLink } from './enml-blocks.ts'

export const enexFormat: ImportFormat = {
  name: 'enex',
  detects: ({ files }) => files.some(({ path }) => extensionOf(path) === 'enex'),
  plan: planNotebooks,
}

async function planNotebooks({ files }: ImportSource): Promise<ImportPlan> {
  const folder = await mkdtemp(join(tmpdir(), 'scriptorium-enex-'))
  const problems: ImportProblem[] = []
  const notes: PlannedEnexNote[] = []
  const titles = new Map<string, PlannedEnexNote[]>()
  const close = () => rm(folder, { recursive: true, force: true })
  try {
    for (const [index, file] of files.entries()) {
      if (extensionOf(file.path) !== 'enex') {
        problems.push({ path: file.path, kind: 'left out', message: 'It is no notebook of Evernote.' })
        continue
      }
      const inner = join(folder, String(index))
      await mkdir(inner)
      try {
        const paths = new Set<string>()
        for (const note of await readEnex(file, inner)) {
          const planned = new PlannedEnexNote(uniquePath(file.path, note, paths), note, titles)
          notes.push(planned)
          addToGroup(titles, note.title, planned)
        }
      } catch (error) {
        const message = messageOf(error)
        problems.push({ path: file.path, kind: 'failed', message })
      }
    }
  } catch (error) {
    await close()
    throw error
  }
  return { documents: notes, problems, close }
}

/**
 * Identifies a note by its title and creation time, so that a later import recognizes it. Notes for which both are
 * equal are numbered.
 */
function uniquePath(file: string, { title, createdAt = 0 }: EnexNote, taken: Set<string>): string {
  const base = `${file}/${createdAt} ${title}`
  let path = base
  for (let number = 2; taken.has(path); number++) path = `${base} ${number}`
  taken.add(path)
  return path
}

class PlannedEnexNote implements PlannedDocument {
  readonly path: string
  readonly anchors = []
  readonly #note: EnexNote
  readonly #titles: ReadonlyMap<string, readonly PlannedEnexNote[]>

  constructor(path: string, note: EnexNote, titles: ReadonlyMap<string, readonly PlannedEnexNote[]>) {
    this.path = path
    this.#note = note
    this.#titles = titles
  }

  fingerprint(): string {
    const { title, tags, hash, sourceUrl, resources } = this.#note
    return createHash('sha256')
      .update(JSON.stringify(['1', title, tags, hash, sourceUrl, [...resources.keys()]]))
      .digest('base64')
  }

  async convert(targets: LinkTargets): Promise<ConvertedDocument> {
    const { title, createdAt, updatedAt } = this.#note
    const file = this.path.slice(0, this.path.search(/\.enex\//i) + '.enex'.length)
    const problems: ImportProblem[] = []
    let links = 0
    const enml = await this.#note.read()
    const content = enmlBlocks(enml, this.#note, {
      noteAddress: (_, label) => {
        // Links refer to notes by IDs that exports do not contain, but their text is the title of the note.
        const all = this.#titles.get(label) ?? []
        const near = all.filter(({ path }) => path.startsWith(`${file}/`))
        const [only, ...more] = near.length > 0 ? near : all
        const id = only === undefined || more.length > 0 ? undefined : targets.idOf(only.path)
        if (id !== undefined) links++
        return id === undefined ? undefined : `block://${id}`
      },
      report: (message) => problems.push({ path: this.path, kind: 'changed', message }),
    })
    problems.push(
      ...(await checkLosses({
        ...{ path: this.path, source: enml.replace(/^[\s\S]*?(?=<en-note)/, ''), language: 'html' },
        ...{ linesBefore: undefined, content, problems },
        endOf: (item) => (isNoteLink(item.value) ? undefined : webEnd(item)),
      })),
    )
    const properties = this.#properties()
    return {
      ...content,
      ...{ title: title === '' ? 'Untitled' : title, place: { folder: [...folderParts(file), stem(file)] } },
      blocks: properties === undefined ? content.blocks : [properties, ...content.blocks],
      ...{ problems, links: links + content.files.size },
      ...(createdAt !== undefined && { createdAt }),
      ...(updatedAt !== undefined && { modifiedAt: updatedAt }),
    }
  }

  /** Returns the tags of the note and the source of a clipped page as front matter. */
  #properties(): Block | undefined {
    const { tags, sourceUrl } = this.#note
    if (tags.length === 0 && sourceUrl === undefined) return undefined
    const values = { ...(tags.length > 0 && { tags }), ...(sourceUrl !== undefined && { source: sourceUrl }) }
    return { type: 'code', text: stringify(values).trimEnd(), language: 'yaml' }
  }
}
