/** The documents of the relevance set: the READMEs of the demo that are named here, and notes. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { addDocuments, prepareDocuments } from '../../../src/space/documents/documents.ts'
import { OPERATOR_LINK } from '../../../src/space/model/space.ts'
import { type OpenSpace, openSpace } from '../../../src/space/open-space.ts'
import { NOW } from '../../build.ts'
import { FOREIGN_NOTES } from './foreign-notes.ts'
import { HOME_NOTES } from './home-notes.ts'
import { WORK_NOTES } from './work-notes.ts'

export interface Note {
  title: string
  markdown: string
  /** Days since the last change. */
  daysOld: number
}

const PACKAGES =
  `accepts ajv better-sqlite3 body-parser brace-expansion chai chalk chardet commander content-disposition
  cookie cookies cors cross-spawn culori diff-match-patch drizzle-orm etag execa express express-rate-limit fast-check
  fast-deep-equal fastest-levenshtein fdir file-type hono iconv-lite image-size jose json5 keygrip magic-string
  markdown-it markdown-table marked mime-types minimatch ms nanoid negotiator oidc-provider path-to-regexp
  perfect-freehand picocolors picomatch pino pretty-ms progress prom-client qs raw-body re2js remark-gfm roughjs rrule
  semver send serve-static signal-exit source-map-js stemmer tdigest temporal-polyfill undici uuidv7 which yaml zod`.split(
    /\s+/,
  )
/** Characters of a README: the purpose and usage of a package are at the beginning. */
const README_LENGTH = 5_000
const README_AGE = 100
const MODULES = join(import.meta.dirname, '../../../node_modules')
const DAY = 86_400_000

export function readCorpus(): Note[] {
  const readmes = PACKAGES.map((title): Note => ({ title, markdown: readReadme(title), daysOld: README_AGE }))
  return [...readmes, ...WORK_NOTES, ...HOME_NOTES, ...FOREIGN_NOTES]
}

function readReadme(name: string): string {
  const path = ['README.md', 'readme.md', 'Readme.md'].map((file) => join(MODULES, name, file)).find(existsSync)
  if (path === undefined) throw new Error(`Expected a README of ${name} in node_modules; use another package instead.`)
  const text = readFileSync(path, 'utf8')
  return text.slice(0, text.length > README_LENGTH ? text.lastIndexOf('\n', README_LENGTH) : undefined)
}

/** Creates a space with all of them and their change times; the oldest are added first. */
export async function openCorpus(): Promise<OpenSpace> {
  const clock = { now: NOW }
  const space = await openSpace(':memory:', { name: 'Relevance', timezone: 'UTC', clock: () => clock.now })
  const byAge = Map.groupBy(readCorpus(), ({ daysOld }) => daysOld)
  for (const [daysOld, notes] of [...byAge].sort(([one], [other]) => other - one)) {
    clock.now = NOW - daysOld * DAY
    const prepared = await prepareDocuments(notes)
    await space.write(OPERATOR_LINK, (view) => addDocuments(view, prepared, { destination: 'unsorted' }, 'ids'))
  }
  clock.now = NOW
  return space
}
