/**
 * Imports TextBundles (http://textbundle.org/spec/): folders with a text and its files, or the same packed as a
 * TextPack.
 */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { messageOf } from '../../base/errors.ts'
import { isObject } from '../../base/is-object.ts'
import type { ImportFormat, ImportPlan } from '../import-format.ts'
import {
  baseName,
  extensionOf,
  type ImportProblem,
  type ImportSource,
  readSourceFile,
  type SourceFile,
  stem,
} from '../import-source.ts'
import { planNotes } from '../markdown/markdown-format.ts'
import { parseJson } from '../parse-json.ts'
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
    const abouts = await bundleFacts(files)
    // `info.json` describes the bundle and is not imported.
    const shown = files.flatMap((file) => withFacts(file, abouts))
    for (const { path, isTrashed } of abouts.values()) {
      if (isTrashed) problems.push({ path, kind: 'left out', message: 'It is in the trash of Bear.' })
    }
    const plan = await planNotes({ ...source, files: shown }, undefined)
    return { ...plan, problems: [...problems, ...plan.problems], close }
  } catch (error) {
    await close()
    throw error
  }
}

/** What a bundle says about its note. Bear adds fields of its own. */
interface BundleFacts {
  path: string
  isTrashed: boolean
  createdAt?: number
  modifiedAt?: number
}

/** Bytes of the description of a bundle. */
const INFO_BYTES = 1024 * 1024
const INFO = /^(.*\.textbundle)\/info\.json$/i

async function bundleFacts(files: readonly SourceFile[]): Promise<Map<string, BundleFacts>> {
  const found = new Map<string, BundleFacts>()
  for (const file of files) {
    const [, path] = INFO.exec(file.path) ?? []
    if (path === undefined) continue
    const text = await readSourceFile(file, INFO_BYTES).then(String, () => '')
    const bear = bearFields(text)
    const [createdAt, modifiedAt] = [timeOf(bear.creationDate), timeOf(bear.modificationDate)]
    found.set(path, {
      ...{ path, isTrashed: bear.trashed === 1 || bear.trashed === true },
      ...(createdAt !== undefined && { createdAt }),
      ...(modifiedAt !== undefined && { modifiedAt }),
    })
  }
  return found
}

function bearFields(text: string): Record<string, unknown> {
  try {
    const info = parseJson(text)
    const bear = isObject(info) ? info['net.shinyfrog.bear'] : undefined
    return isObject(bear) ? bear : {}
  } catch {
    return {}
  }
}

function timeOf(value: unknown): number | undefined {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(time) ? undefined : time
}

/** The file of a bundle with the times of its note. None for the description, and for what is in the trash. */
function withFacts(file: SourceFile, bundles: ReadonlyMap<string, BundleFacts>): SourceFile[] {
  if (INFO.test(file.path)) return []
  const [, path = ''] = /^(.*?\.textbundle)\//i.exec(file.path) ?? []
  const { isTrashed = false, createdAt, modifiedAt } = bundles.get(path) ?? {}
  if (isTrashed) return []
  return [{ ...file, ...(createdAt !== undefined && { createdAt }), ...(modifiedAt !== undefined && { modifiedAt }) }]
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
