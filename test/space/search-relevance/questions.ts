/**
 * Queries with the relevant documents, judged by their meaning and not by the results of the search: 3 answers the
 * query, 2 helps with it, 1 is related to it. Documents that are not named are irrelevant.
 */

export type Grade = 1 | 2 | 3

export interface Question {
  include: string | readonly string[]
  relevant: Readonly<Record<string, Grade>>
}

/** A few typed words. */
const WORDS: readonly Question[] = [
  { include: 'terminal colors', relevant: { chalk: 3, picocolors: 3 } },
  { include: 'rate limiting middleware', relevant: { 'express-rate-limit': 3 } },
  { include: 'glob matching', relevant: { picomatch: 3, minimatch: 3, 'brace-expansion': 2, fdir: 2 } },
  { include: 'sqlite', relevant: { 'better-sqlite3': 3, 'drizzle-orm': 2 } },
  { include: 'json logger', relevant: { pino: 3 } },
  { include: 'prometheus metrics', relevant: { 'prom-client': 3 } },
  { include: 'unique ID generator', relevant: { nanoid: 3, uuidv7: 3 } },
  {
    include: 'incident report',
    relevant: {
      'Incident report: checkout outage on 3 March': 3,
      'Incident report: expired certificate': 3,
      'Postmortem: disk full on the build server': 2,
    },
  },
  { include: 'vegan soup', relevant: { 'Red lentil soup': 3, 'Weekly menu': 1 } },
  { include: 'furniture budget', relevant: { 'Office move': 3, 'Budget 2027': 3 } },
  { include: 'connection pool exhausted', relevant: { 'Incident report: checkout outage on 3 March': 3 } },
]

/** Whole questions, as agents ask them. */
const SENTENCES: readonly Question[] = [
  { include: 'How do I find out the width and height of an image?', relevant: { 'image-size': 3 } },
  { include: 'Which package signs and verifies JSON Web Tokens?', relevant: { jose: 3, 'oidc-provider': 1 } },
  { include: 'How can I detect the encoding of a text file?', relevant: { chardet: 3, 'iconv-lite': 2 } },
  { include: 'What shows the differences between two texts?', relevant: { 'diff-match-patch': 3 } },
  { include: 'How are milliseconds turned into a human readable string?', relevant: { ms: 3, 'pretty-ms': 3 } },
  { include: 'Where do I allow cross-origin requests?', relevant: { cors: 3 } },
  { include: 'What must I pack for a hike with a tent?', relevant: { 'Packing list for hiking': 3 } },
  {
    include: 'When does the new engineer start and what is the interview like?',
    relevant: { 'Hiring plan for next year': 3 },
  },
  {
    include: 'Why was the build server out of disk space?',
    relevant: { 'Postmortem: disk full on the build server': 3 },
  },
  { include: 'How do I undo my last commit?', relevant: { 'Git cheat sheet': 3 } },
  {
    include: 'What do customers miss in our product?',
    relevant: {
      'Customer interview: Harbour Clinic': 3,
      'Weekly sync, 12 October': 2,
    },
  },
]

/** Words in another inflection than in the text. */
const FORMS: readonly Question[] = [
  { include: 'spawning child processes', relevant: { execa: 3, 'cross-spawn': 3, 'signal-exit': 1 } },
  { include: 'validating schemas', relevant: { zod: 3, ajv: 3 } },
  { include: 'sketching rough drawings', relevant: { roughjs: 3, 'perfect-freehand': 2 } },
  { include: 'matched extensions of file types', relevant: { 'mime-types': 3, 'file-type': 3 } },
  { include: 'baked breads', relevant: { 'Sourdough bread': 3 } },
  { include: 'migrating databases', relevant: { 'Plan: migrate from MySQL to PostgreSQL': 3 } },
  { include: 'renewed certificates', relevant: { 'Incident report: expired certificate': 3 } },
  {
    include: 'insured against damages',
    relevant: { 'Renovating the bathroom': 3, 'Ring road around Iceland': 2, 'Car maintenance log': 1 },
  },
]

/** Prefixes of words. */
const PREFIXES: readonly Question[] = [
  { include: 'recurr', relevant: { rrule: 3 } },
  { include: 'levensh', relevant: { 'fastest-levenshtein': 3, 'diff-match-patch': 1 } },
  { include: 'quanti', relevant: { tdigest: 3, 'prom-client': 2 } },
  { include: 'marath', relevant: { 'Marathon training': 3 } },
  { include: 'synchro offl', relevant: { 'Design review: offline mode': 3 } },
]

/** Phrases. */
const PHRASES: readonly Question[] = [
  { include: '"semantic versioning"', relevant: { semver: 3 } },
  { include: '"source map"', relevant: { 'source-map-js': 3, 'magic-string': 3 } },
  { include: '"linear time"', relevant: { re2js: 3, 'Regular expressions that hang': 3 } },
  {
    include: '"on-call engineer"',
    relevant: {
      'Incident report: checkout outage on 3 March': 3,
      'Incident report: expired certificate': 3,
    },
  },
]

/** Several entries that must all match. */
const ENTRIES: readonly Question[] = [
  { include: ['cookie', 'sign'], relevant: { keygrip: 3, cookies: 3, cookie: 1 } },
  { include: ['markdown', 'tables'], relevant: { 'remark-gfm': 3, 'markdown-table': 3, 'markdown-it': 2, marked: 1 } },
  { include: ['release', 'Dmitri'], relevant: { 'Weekly sync, 9 November': 3, 'Weekly sync, 12 October': 3 } },
  { include: ['potatoes', 'onions'], relevant: { Goulash: 3 } },
]

/** A word in a title, against many texts that mention it. */
const TITLES: readonly Question[] = [
  { include: 'express', relevant: { express: 3, 'express-rate-limit': 2, cors: 1, 'serve-static': 1 } },
  { include: 'yaml', relevant: { yaml: 3 } },
  { include: 'etag', relevant: { etag: 3, send: 1, 'serve-static': 1 } },
  { include: 'budget', relevant: { 'Budget 2027': 3, 'Office move': 2, 'Hiring plan for next year': 2 } },
  { include: 'goulash', relevant: { Goulash: 3, 'Weekly menu': 1 } },
  { include: 'weekly sync', relevant: { 'Weekly sync, 9 November': 3, 'Weekly sync, 12 October': 3 } },
]

/** Other languages. */
const LANGUAGES: readonly Question[] = [
  { include: 'Äpfel Zimt backen', relevant: { Apfelstrudel: 3 } },
  { include: 'schaltflachen kontraste', relevant: { 'Besprechung zur Barrierefreiheit': 3 } },
  { include: 'dîner à Lyon', relevant: { 'Week-end à Lyon': 3 } },
  { include: 'patatas con huevos', relevant: { 'Tortilla de patatas': 3 } },
  { include: 'koltozesi teendok', relevant: { 'Költözési teendők': 3 } },
  { include: 'запуск приложения', relevant: { 'Заметки о запуске приложения': 3 } },
  { include: '数据库索引优化', relevant: { 周会记录: 3 } },
  { include: '鸡蛋', relevant: { 番茄炒鸡蛋: 3 } },
  { include: '京都の旅館', relevant: { 京都旅行メモ: 3 } },
  { include: 'データベースの接続', relevant: { データベース障害報告: 3 } },
  { include: 'ต้มยำกุ้ง', relevant: { สูตรต้มยำกุ้ง: 3 } },
]

export const QUESTIONS = {
  words: WORDS,
  sentences: SENTENCES,
  forms: FORMS,
  prefixes: PREFIXES,
  phrases: PHRASES,
  entries: ENTRIES,
  titles: TITLES,
  languages: LANGUAGES,
} satisfies Record<string, readonly Question[]>
