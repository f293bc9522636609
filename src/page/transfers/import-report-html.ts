/** The report of an import, or of a dry run: what comes in, what changes, and what is lost. */
import type { ImportStatus } from '../../http/archives/import-jobs.ts'
import type { ImportProblem } from '../../import/import-source.ts'
import { type Html, html } from '../html.ts'
import type { PageCall } from '../page-call.ts'

type Report = NonNullable<ImportStatus['report']>

/** Places that are listed for each reason. */
const PLACES_PER_REASON = 100

/** What each kind of problem means to the reader, the worst first. */
const KINDS: Readonly<Record<ImportProblem['kind'], string>> = {
  failed: 'Cannot be imported',
  conflict: 'Stays as it is here',
  gone: 'Not in the source any more',
  'left out': 'Left out',
  'not found': 'Not found',
  changed: 'Different afterwards',
}
const ORDER = Object.keys(KINDS)

export function importReportHtml(call: PageCall, report: Report, leftOut = 0): Html {
  const { format, detected, known, counts, isDryRun } = report
  const { added, updated, unchanged, deleted, conflicts, failed, files, blocks, links } = counts
  const number = (count: number, one: string, many = `${one}s`) =>
    `${call.formats.number(count)} ${count === 1 ? one : many}`
  const list = (entries: readonly (string | false)[]) =>
    html`<ul class="report">${entries.filter((one) => one !== false).map((one) => html`<li>${one}</li>`)}</ul>`
  const hasChanges = updated + deleted + conflicts + failed > 0
  return html`<p class="about">Read as ${detected ?? format}.${known !== undefined && ` ${known}`}</p>
<h2>${isDryRun ? 'What comes in' : 'What came in'}</h2>
${list([
  added === 0 ? 'No new document' : number(added, 'new document'),
  files > 0 && number(files, 'picture or file', 'pictures and files'),
  blocks > 0 && number(blocks, 'block'),
  links > 0 && `${number(links, 'link')} that ${links === 1 ? 'leads' : 'lead'} to a document or file`,
  unchanged > 0 && `${number(unchanged, 'document')} that ${unchanged === 1 ? 'is' : 'are'} here already`,
])}
<h2>${isDryRun ? 'What changes' : 'What changed'}</h2>
${
  hasChanges
    ? list([
        updated > 0 && `${number(updated, 'document')} that ${updated === 1 ? 'is' : 'are'} here, as in the source`,
        deleted > 0 && `${number(deleted, 'document')} to the trash`,
        conflicts > 0 && `Not ${number(conflicts, 'document')} that changed on both sides`,
        failed > 0 && `Not ${number(failed, 'document')} that cannot be imported`,
      ])
    : html`<p class="empty">Nothing that is here.</p>`
}
<h2>${isDryRun ? 'What is lost or different' : 'What was lost or is different'}</h2>
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
