/** Reads the settings in the `.obsidian` folder of a vault that matter for an import. */
import { escapePattern } from '../../base/escape-pattern.ts'
import { type ImportSource, readSourceFile } from '../import-source.ts'

export interface VaultSettings {
  /** Returns the date of a daily note by its path, or undefined for other notes. */
  dayOf(path: string): string | undefined
}

/** Maximum size of a settings file in bytes. */
const MAX_BYTES = 1024 * 1024

/** @returns undefined if the folder is not a vault */
export async function readVaultSettings(source: ImportSource): Promise<VaultSettings | undefined> {
  const inVault = source.files.filter(({ path }) => path.startsWith('.obsidian/'))
  const isOurs = source.files.some(({ path }) => path === EXPORT_MANIFEST)
  if (inVault.length === 0 && !isOurs) return undefined
  const read = async (name: string) => {
    const file = inVault.find(({ path }) => path === `.obsidian/${name}`)
    if (file === undefined) return undefined
    try {
      return JSON.parse((await readSourceFile(file, MAX_BYTES)).toString('utf8')) as Record<string, unknown>
    } catch {
      return undefined
    }
  }
  const { format, folder } = (await read('daily-notes.json')) ?? {}
  const name = typeof format === 'string' && format !== '' ? format : 'YYYY-MM-DD'
  // An export without daily notes has no settings of them, and notes whose name is a date are ordinary documents.
  const below = typeof folder === 'string' ? folder.replace(/^\/+|\/+$/g, '') : isOurs ? OUR_DAILY : ''
  return { dayOf: dayFinder(name, below) }
}

/** The folder in which our exports have daily notes. */
export const OUR_DAILY = 'Daily'
/** A file that every folder from our export contains. */
export const EXPORT_MANIFEST = '.scriptorium/manifest.json'

const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November'],
  'December',
]
const DAYS = 'Sunday|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday'

/** Patterns for the Moment.js tokens that can occur in the names of daily notes. */
const TOKENS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ YYYY: '(?<year>\\d{4})', YY: '(?<shortYear>\\d{2})', MM: '(?<month>\\d{2})', M: '(?<month>\\d{1,2})' },
    ...{ MMMM: `(?<name>${MONTHS.join('|')})`, MMM: `(?<name>${MONTHS.map((name) => name.slice(0, 3)).join('|')})` },
    ...{ DD: '(?<day>\\d{2})', D: '(?<day>\\d{1,2})', Do: '(?<day>\\d{1,2})(?:st|nd|rd|th)' },
    ...{ dddd: `(?:${DAYS})`, ddd: '(?:Sun|Mon|Tue|Wed|Thu|Fri|Sat)', dd: '(?:Su|Mo|Tu|We|Th|Fr|Sa)' },
    ...{ gggg: '\\d{4}', GGGG: '\\d{4}', ww: '\\d{2}', WW: '\\d{2}', w: '\\d{1,2}', W: '\\d{1,2}', Q: '[1-4]' },
  }),
)

/** Maximum number of tokens in a format that stand for one or two digits. No usual format has more than three. */
const MAX_AMBIGUOUS = 8

/**
 * @param format  Moment.js format of file names, such as `YYYY/MM/YYYY-MM-DD`
 * @param folder  the folder of daily notes; empty for the top level
 */
export function dayFinder(format: string, folder: string): (path: string) => string | undefined {
  const seen = new Set<string>()
  let ambiguous = 0
  const pattern = format.replace(
    /\[([^\]]*)\]|YYYY|YY|MMMM|MMM|MM|M|DD|Do|D|dddd|ddd|dd|gggg|GGGG|ww|WW|w|W|Q|[\s\S]/g,
    (found, literal?: string) => {
      if (literal !== undefined) return escapePattern(literal)
      const token = TOKENS.get(found)
      if (token === undefined) return escapePattern(found)
      if (token.includes('{1,2}')) ambiguous++
      // Names of groups must be unique, so a repeated token gets an unnamed group.
      return token.replace(/\?<(\w+)>/, (group, name: string) => {
        if (seen.has(name)) return '?:'
        seen.add(name)
        return group
      })
    },
  )
  const isWhole =
    (seen.has('year') || seen.has('shortYear')) && seen.has('day') && (seen.has('month') || seen.has('name'))
  // Numbers of one or two digits in a row can be divided in as many ways as there are powers of two.
  if (!isWhole || ambiguous > MAX_AMBIGUOUS) return () => undefined
  const whole = new RegExp(`^${folder === '' ? '' : `${escapePattern(folder)}/`}${pattern}\\.(?:md|markdown)$`, 'iu')
  return (path) => {
    const { year, shortYear, month, name, day } = whole.exec(path)?.groups ?? {}
    if (day === undefined) return undefined
    const number =
      month ?? 1 + MONTHS.findIndex((one) => one.slice(0, 3).toLowerCase() === name?.slice(0, 3).toLowerCase())
    const date = [year ?? `20${shortYear}`, String(number).padStart(2, '0'), day.padStart(2, '0')].join('-')
    const time = Date.parse(`${date}T00:00:00Z`)
    return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date) ? date : undefined
  }
}
