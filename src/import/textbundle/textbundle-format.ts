/**
 * Imports TextBundles (http://textbundle.org/spec/): folders with a text and its files, or the same packed as a
 * TextPack.
 */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { messageOf } from '../../base/errors.ts'
import type { ImportFormat, ImportPlan } from '../import-format.ts'
import {
  baseName,
  extensionOf,
  type ImportProblem,
  type ImportSource,
  type SourceFile,
  stem,
} from '../import-source.ts'
import { planNotes } from '../markdown/markdown-format.ts'
import { leaveOutSpaces } from '../spaces/leave-out-spaces.ts'
import { BelongsToSpace } from '../spaces/read-checked.ts'
import { openZip } from '../zip-source.ts'

export const textbundleFormat: ImportFormat = {
  name: 'textbundle',
  detects: ({ files }) =>
    files.some(({ path }) => extensionOf(path) === 'textpack' || /\.textbundle\//i.test(path)) || isLonePack(files),
  plan: planBundles,
}

/**
 * Craft exports TextBundles or Markdown. Nothing in these files identifies Craft, so they are never detected as such.
 */
export const craftFormat: ImportFormat = {
  name: 'craft',
  detects: () => false,
  plan: async (source, options) =>
    (await textbundleFormat.detects(source)) ? planBundles(source) : planNotes(source, undefined, options),
}

/** If a TextPack is the source itself, its text may be at the top level. */
const isLonePack = (files: readonly SourceFile[]): boolean =>
  files.some(({ path }) => path === 'info.json') && files.some(({ path }) => /^text\.[^/.]+$/i.test(path))

async function planBundles(source: ImportSource): Promise<ImportPlan> {
  const folder = await mkdtemp(join(tmpdir(), 'scriptorium-textpack-'))
  const problems: ImportProblem[] = []
  const files: SourceFile[] = []
  const packs: ImportSource[] = []
  const close = async () => {
    for (const pack of packs) await pack.close()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    for (const file of isLonePack(source.files) ? within(`${source.title}.textbundle`, source.files) : source.files) {
      if (extensionOf(file.path) !== 'textpack') {
        files.push(file)
        continue
      }
      try {
        const path = join(folder, String(packs.length))
        await writeFile(path, file.open(), { flag: 'wx', mode: 0o600 })
        const pack = await leaveOutSpaces(await openZip(path))
        packs.push(pack)
        files.push(...unpacked(file, pack.files))
        problems.push(...pack.problems.map((problem) => ({ ...problem, path: `${file.path}/${problem.path}` })))
      } catch (error) {
        const kind = error instanceof BelongsToSpace ? 'left out' : 'failed'
        problems.push({ path: file.path, kind, message: messageOf(error) })
      }
    }
    // `info.json` describes the bundle and is not imported.
    const shown = files.filter(({ path }) => !/\.textbundle\/info\.json$/i.test(path))
    const plan = await planNotes({ ...source, files: shown }, undefined)
    return { ...plan, problems: [...problems, ...plan.problems], close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Returns the files of a TextPack as if they were in a bundle folder next to it. */
function unpacked(pack: SourceFile, files: readonly SourceFile[]): SourceFile[] {
  const place = pack.path.slice(0, pack.path.length - baseName(pack.path).length)
  const named = files.map((file) => ({ ...file, ...withoutBundle(file.path) }))
  return within(`${place}${stem(pack.path)}.textbundle`, named)
}

/** A TextPack may contain the bundle folder itself. */
const withoutBundle = (path: string): { path: string } => ({ path: path.replace(/^[^/]+\.textbundle\//i, '') })

const within = (folder: string, files: readonly SourceFile[]): SourceFile[] =>
  files.map((file) => ({ ...file, path: `${folder}/${file.path}` }))
