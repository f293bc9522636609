/**
 * Fonts for rendering. Those that are bundled come first: a server may have none installed, and pictures must look the
 * same everywhere. Characters that they lack, such as Chinese ones, are drawn with fonts of the system.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { basename, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readFontCharacters } from './font-characters.ts'

/** Paths within `node_modules`. The built package has these files in its folder `fonts`. */
export const FONT_FILES: readonly string[] = [
  '@expo-google-fonts/shantell-sans/400Regular/ShantellSans_400Regular.ttf',
  'dejavu-fonts-ttf/ttf/DejaVuSans.ttf',
  'dejavu-fonts-ttf/ttf/DejaVuSansMono.ttf',
]

function bundledFontFiles(): string[] {
  const { resolve } = createRequire(import.meta.url)
  return FONT_FILES.map((file) => {
    const packaged = new URL(`./fonts/${basename(file)}`, import.meta.url)
    return existsSync(packaged) ? fileURLToPath(packaged) : resolve(file)
  })
}

/** Where systems have their fonts. */
const SYSTEM_FOLDERS: readonly string[] = [
  '/usr/share/fonts',
  '/usr/local/share/fonts',
  join(homedir(), '.fonts'),
  join(homedir(), '.local/share/fonts'),
  '/System/Library/Fonts',
  '/Library/Fonts',
  join(homedir(), 'Library/Fonts'),
  join(process.env.WINDIR ?? 'C:\\Windows', 'Fonts'),
]
const FONT_EXTENSIONS: ReadonlySet<string> = new Set(['.ttf', '.otf', '.ttc', '.otc'])
/** Files below one folder that are looked at, and bytes of one that is used. */
const MAX_FILES = 2_000
const MAX_FONT_BYTES = 64 * 1024 * 1024
/** Fonts besides the bundled ones that one picture is drawn with. */
const MAX_FONTS = 8
/** Different characters of one text that fonts are looked for. */
const MAX_CHARACTERS = 2_000

/** Characters that are drawn as nothing: marks of direction, joiners, variants. */
const INVISIBLE = /[\s\p{Cc}\p{Cf}\p{Variation_Selector}]/u

export interface FoundFonts {
  /** The bundled fonts, and after them those that have more characters of the text. */
  fonts: Buffer[]
  /** Characters of the text that no font has, each once. */
  missing: string[]
}

/** Fonts of one program: files are read once. */
export class Fonts {
  readonly #folders: readonly string[]
  readonly #bundled: readonly { font: Buffer; has: (codePoint: number) => boolean }[]
  #others: { file: string; has: (codePoint: number) => boolean }[] | undefined

  /** @param folder  looked at before those of the system */
  constructor(folder?: string, systemFolders = SYSTEM_FOLDERS) {
    this.#folders = [...(folder === undefined ? [] : [folder]), ...systemFolders]
    this.#bundled = bundledFontFiles().map((file) => ({
      font: readFileSync(file),
      has: readFontCharacters(file) ?? (() => false),
    }))
  }

  /** Fonts that have the characters of a text. */
  find(text: string): FoundFonts {
    const fonts = this.#bundled.map(({ font }) => font)
    const asked = [...new Set(text.match(/[^\0-\x7f]/gu) ?? [])].slice(0, MAX_CHARACTERS)
    let missing = asked.filter(
      (character) => !INVISIBLE.test(character) && !this.#bundled.some(({ has }) => has(codePointOf(character))),
    )
    if (missing.length === 0) return { fonts, missing }
    this.#others ??= this.#folders.flatMap(fontFilesIn).flatMap((file) => {
      const has = readFontCharacters(file)
      return has === undefined ? [] : [{ file, has }]
    })
    for (const { file, has } of this.#others) {
      if (missing.length === 0 || fonts.length === this.#bundled.length + MAX_FONTS) break
      const left = missing.filter((character) => !has(codePointOf(character)))
      if (left.length === missing.length) continue
      fonts.push(readFileSync(file))
      missing = left
    }
    return { fonts, missing }
  }
}

const codePointOf = (character: string): number => character.codePointAt(0) ?? 0

/** Regular sans fonts before bold and slanted ones. */
function fontFilesIn(folder: string): string[] {
  let names: string[]
  try {
    names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  } catch {
    return []
  }
  const files = names.filter((name) => FONT_EXTENSIONS.has(extname(name).toLowerCase())).sort()
  return files
    .slice(0, MAX_FILES)
    .sort((one, other) => unusualness(one) - unusualness(other))
    .map((name) => join(folder, name))
    .filter(isUsable)
}

const unusualness = (name: string): number =>
  (/bold|black|heavy|light|thin|italic|oblique|condensed/i.test(name) ? 2 : 0) +
  (/sans|gothic|regular/i.test(name) ? 0 : 1)

function isUsable(file: string): boolean {
  const stat = statSync(file, { throwIfNoEntry: false })
  return stat?.isFile() === true && stat.size <= MAX_FONT_BYTES
}
