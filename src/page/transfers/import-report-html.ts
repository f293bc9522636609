/** The report of an import, or of a dry run: what comes in, what changes, and what is lost. */
import type { ImportStatus } from '../../http/archives/import-jobs.ts'
import type { ImportProblem } from '../../import/import-source.ts'
import { type Html, html } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import { count, type TextKey, text, textKey } from '../texts/text.ts'

type Report = NonNullable<ImportStatus['report']>

/** Places that are listed for each reason. */
const PLACES_PER_REASON = 100

/** What each kind of problem means to the reader, the worst first. */
const KINDS: Readonly<Record<ImportProblem['kind'], TextKey>> = {
  failed: textKey('Cannot be imported'),
  conflict: textKey('Stays as it is here'),
  gone: textKey('Not in the source any more'),
  'left out': textKey('Left out'),
  'not found': textKey('Not found'),
  changed: textKey('Different afterwards'),
}
const ORDER = Object.keys(KINDS)

export function importReportHtml(call: PageCall, report: Report, leftOut = 0): Html {
  const { format, detected, known, counts, isDryRun } = report
  const { added, updated, unchanged, deleted, conflicts, failed, files, blocks, links } = counts
  const list = (entries: readonly (string | false)[]) =>
    html`<ul class="report">${entries.filter((one) => one !== false).map((one) => html`<li>${one}</li>`)}</ul>`
  const hasChanges = updated + deleted + conflicts + failed > 0
  return html`<p class="about">Read as ${detected ?? format}.${known !== undefined && ` ${known}`}</p>
<h2>${isDryRun ? text('What comes in') : text('What came in')}</h2>
${list([
  added === 0 ? text('No new document') : count(added, { one: '{n} new document', other: '{n} new documents' }),
  files > 0 && count(files, { one: '{n} picture or file', other: '{n} pictures and files' }),
  blocks > 0 && count(blocks, { one: '{n} block', other: '{n} blocks' }),
  links > 0 &&
    count(links, {
      one: '{n} link that leads to a document or file',
      other: '{n} links that lead to a document or file',
    }),
  unchanged > 0 &&
    count(unchanged, { one: '{n} document that is here already', other: '{n} documents that are here already' }),
])}
<h2>${isDryRun ? text('What changes') : text('What changed')}</h2>
${
  hasChanges
    ? list([
        updated > 0 &&
          count(updated, {
            one: '{n} document that is here, as in the source',
            other: '{n} documents that are here, as in the source',
          }),
        deleted > 0 && count(deleted, { one: '{n} document to the trash', other: '{n} documents to the trash' }),
        conflicts > 0 &&
          count(conflicts, {
            one: 'Not {n} document that changed on both sides',
            other: 'Not {n} documents that changed on both sides',
          }),
        failed > 0 &&
          count(failed, {
            one: 'Not {n} document that cannot be imported',
            other: 'Not {n} documents that cannot be imported',
          }),
      ])
    : html`<p class="empty">Nothing that is here.</p>`
}
<h2>${isDryRun ? text('What is lost or different') : text('What was lost or is different')}</h2>
${problemsHtml(call, report.problems, leftOut)}`
}

function problemsHtml(call: PageCall, problems: readonly ImportProblem[], leftOut: number): Html {
  if (problems.length === 0) return html`<p class="empty">Nothing.</p>`
  const groups = [...Map.groupBy(problems, ({ kind, message }) => `${kind} ${message}`).values()]
  const rank = ([first]: ImportProblem[]) => ORDER.indexOf(first?.kind ?? '')
  groups.sort((one, other) => rank(one) - rank(other) || other.length - one.length)
  return html`<div class="reasons">${groups.map((found) => reasonHtml(call, found))}</div>
${leftOut > 0 && html`<p class="about">And ${call.formats.number(leftOut)} more. The command <code>scriptorium import --json</code> lists all.</p>`}`
}

function reasonHtml(call: PageCall, found: readonly ImportProblem[]): Html {
  const [first] = found
  if (first === undefined) return html``
  const rest = found.length - PLACES_PER_REASON
  return html`<details${found.length === 1 && html` open`}><summary><b>${KINDS[first.kind]}</b> ${first.message} <span class="n">${call.formats.number(found.length)}</span></summary>
<ul>${found.slice(0, PLACES_PER_REASON).map(({ path, line, detail }) => html`<li><bdi>${path}${line !== undefined && `:${line}`}</bdi>${detail !== undefined && html` <small>${detail}</small>`}</li>`)}${rest > 0 && html`<li>and ${call.formats.number(rest)} more</li>`}</ul></details>
`
}
