/**
 * Checks an imported vault link by link, independently of how the import resolves links: it reads the notes again,
 * finds the file, heading or block that each wikilink names, and compares it with the target of the link in the
 * imported document.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readImportRecord } from '../../src/space/import/import-record.ts'
import { OPERATOR_LINK } from '../../src/space/model/space.ts'
import type { OpenSpace } from '../../src/space/open-space.ts'
import { blockById } from '../../storage/blocks.ts'
import { allDocuments } from '../../storage/documents.ts'
import type { Workbench } from './workbench.ts'

export interface LinkFigures {
  /** The number of links whose target is in the vault. */
  links: number
  /** Descriptions of links with a wrong target. */
  wrong: string[]
}

interface Note {
  path: string
  lines: string[]
  aliases: string[]
}

/** Reduces a heading or link to its words, without punctuation. */
const plain = (text: string): string =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

const folded = (text: string): string => text.normalize('NFC').toLowerCase()
const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1)

/** @param folder  the vault, which was imported from this path @param call  reads documents */
export async function checkLinks(space: OpenSpace, folder: string, call: Workbench['call']): Promise<LinkFigures> {
  const notes = readNotes(folder)
  const { documents, ids } = await space.read(OPERATOR_LINK, async (view) => {
    const { entries } = await readImportRecord(view, folder)
    return { documents: await allDocuments(view.tx), ids: new Map([...entries].map(([path, { id }]) => [path, id])) }
  })
  const pathOf = new Map([...ids].map(([path, id]) => [id, path]))
  const figures: LinkFigures = { links: 0, wrong: [] }
  for (const note of notes) {
    const id = ids.get(note.path)
    if (id === undefined) continue
    const content = await call<string>('blocks_get', { id: String(id), format: 'markdown' })
    const found = await space.read(OPERATOR_LINK, async ({ tx }) => {
      const ends: { path: string; text: string }[] = []
      for (const [, target] of content.matchAll(/\]\(block:\/\/(\d{12})\)/g)) {
        const row = await blockById(tx, Number(target))
        if (row === undefined) continue
        const document = documents.find(({ n }) => n === row.document)
        const isRoot = document?.id === row.id
        ends.push({ path: pathOf.get(document?.id ?? 0) ?? '', text: isRoot ? '' : plain(row.text) })
      }
      return ends
    })
    for (const { written, path, text } of expectedEnds(note, notes)) {
      figures.links++
      const at = found.findIndex(
        (end) => end.path === path && (text === '' ? end.text === '' : end.text.includes(text)),
      )
      if (at >= 0) found.splice(at, 1)
      else figures.wrong.push(`${note.path}: ${written} does not lead to ${path}${text === '' ? '' : `, "${text}"`}`)
    }
  }
  return figures
}

function readNotes(folder: string): Note[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:md|canvas|base)$/i.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file): Note => {
      const path = file.slice(folder.length + 1)
      if (!path.toLowerCase().endsWith('.md')) return { path, lines: [], aliases: [] }
      const lines = readFileSync(file, 'utf8').replace(/\r\n?/g, '\n').split('\n')
      const end = lines[0] === '---' ? lines.indexOf('---', 1) : -1
      const front = lines.slice(1, Math.max(1, end))
      return { path, lines: wordsOf(lines.slice(end + 1)), aliases: aliasesIn(front) }
    })
    .filter(({ path }) => !path.split('/').some((part) => part.startsWith('.')))
}

/** Returns the lines with code and comments removed. */
function wordsOf(lines: readonly string[]): string[] {
  let fence = ''
  const words = lines.map((line) => {
    const [, mark = ''] = /^(?:\s|>|[-*+] |\d+\. )*(`{3,}|~{3,})/.exec(line) ?? []
    if (fence === '') fence = mark
    else if (mark.startsWith(fence) && line.trim().endsWith(mark)) fence = ''
    else return ''
    return mark === '' ? line.replace(/(`+).*?\1/g, '') : ''
  })
  const text = words.join('\n').replace(/%%.*?%%|<!--.*?-->/gs, (comment) => comment.replace(/[^\n]/g, ''))
  return text.split('\n')
}

function aliasesIn(front: readonly string[]): string[] {
  const start = front.findIndex((line) => /^alias(?:es)?:/.test(line))
  if (start < 0) return []
  const own = (front[start] ?? '').replace(/^alias(?:es)?:\s*/, '').replace(/^\[|\]$/g, '')
  const below = front.slice(start + 1)
  const end = below.findIndex((line) => !/^\s*-/.test(line))
  const listed = below.slice(0, end < 0 ? undefined : end).map((line) => line.replace(/^\s*-\s*/, ''))
  return [...own.split(','), ...listed]
    .map((alias) => folded(alias.trim().replace(/^(["'])(.*)\1$/, '$2')))
    .filter((alias) => alias !== '')
}

/** Returns the targets of a note's links, by the rules in Obsidian's help. Ambiguous links are left out. */
function expectedEnds(note: Note, notes: readonly Note[]): { written: string; path: string; text: string }[] {
  return note.lines.flatMap((line) =>
    [...line.matchAll(/\[\[([^[\]]+)\]\]/g)].flatMap(([written, inner = '']) => {
      const [target = '', ...parts] = (inner.split(/\\?\|/)[0] ?? '').split('#')
      const found = target.trim() === '' ? note : findNote(target.trim(), note, notes)
      const anchor = parts.at(-1)?.trim() ?? ''
      if (found === undefined || (anchor === '' && found === note)) return []
      // The part after the name of a Base is one of its views.
      if (anchor === '' || !found.path.toLowerCase().endsWith('.md')) return { written, path: found.path, text: '' }
      const text = anchor.startsWith('^') ? blockText(found, anchor) : headingText(found, anchor)
      return text === undefined ? [] : { written, path: found.path, text }
    }),
  )
}

function findNote(target: string, from: Note, notes: readonly Note[]): Note | undefined {
  const wanted = folded(target).replace(/\.md$/, '')
  const pathsOf = ({ path }: Note) => folded(path).replace(/\.md$/, '')
  const exact = notes.filter((one) => pathsOf(one) === wanted)
  const ending = notes.filter((one) => pathsOf(one).endsWith(`/${wanted}`) || pathsOf(one) === wanted)
  const beside = ending.filter((one) => folderOf(one.path) === folderOf(from.path))
  const named = notes.filter(({ aliases }) => aliases.includes(wanted))
  const [only, ...others] = [exact, beside, ending, named].find((list) => list.length > 0) ?? []
  return others.length > 0 ? undefined : only
}

function headingText({ lines }: Note, anchor: string): string | undefined {
  const headings = lines.flatMap((line) => /^\s{0,3}#{1,6}\s+(.*)$/.exec(line)?.[1] ?? [])
  return headings.map(plain).find((heading) => heading === plain(anchor) && heading !== '')
}

/** Returns the first word in the line of a block. */
function blockText({ lines }: Note, anchor: string): string | undefined {
  const line = lines.find((one) => one.toLowerCase().endsWith(` ${anchor.toLowerCase()}`))
  const words = line?.slice(0, line.lastIndexOf('^')).replace(/\[\[.*?\]\]|\]\(.*?\)/g, ' ')
  const [first] = plain(words ?? '').split(' ')
  return first === '' ? undefined : first
}
