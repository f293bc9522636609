/** Importing a folder, a zip or a file: choosing it, reading what would come in, and following the import. */
import { ScriptoriumError } from '../../base/errors.ts'
import { IMPORT_ZIP_BYTES } from '../../base/limits.ts'
import type { ImportStatus } from '../../http/archives/import-jobs.ts'
import { IMPORT_FORMATS } from '../../import/format-names.ts'
import { folderChoices, type Place, placeField, placeOf, readFolders } from '../documents/folder-choice.ts'
import { buttonForm, chosenOf, goTo, hiddenFields, isTicked, selectField, submitForm } from '../form-page.ts'
import { choicesStyle } from '../frame/choices.ts'
import { type Html, html } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import type { Page, ShownPage } from '../page-declaration.ts'
import { text } from '../texts/text.ts'
import { importReportHtml } from '../transfers/import-report-html.ts'
import { IMPORT_PATH, type ImportChoice, type PageTransfers } from '../transfers/page-transfers.ts'

export const importPage: Page = {
  route: `GET ${IMPORT_PATH}`,
  isFullOnly: true,
  handle: (call) => importForm(call),
}

export const previewImport: Page = {
  route: `POST ${IMPORT_PATH}`,
  isFullOnly: true,
  handle: (call) =>
    submitForm(
      async () => {
        const places = await placesToImport(call)
        const preview = transfersOf(call).preview((fields, fileName) => choiceOf(fields, fileName, places))
        return goTo(`/imports/${await preview}`)
      },
      (fault) => importForm(call, fault),
    ),
}

async function importForm(call: PageCall, fault?: string): Promise<ShownPage> {
  const running = await transfersOf(call).running()
  const main = html`<div class="page import">${choicesStyle(call)}<h1>Import</h1>
${fault !== undefined && html`<p class="notice" role="alert">${fault}</p>`}
${running !== undefined && html`<p class="notice" role="status"><span>An import is running. Another one can start once it has ended.</span> <a href="${call.href(`/imports/${running}`)}">See how far it is</a></p>`}
<p class="about">Documents of other programs: a folder of notes, a zip, or a single file. You read what would come in before anything is written.</p>
<form class="edit" method="post" enctype="multipart/form-data" action="${call.href(IMPORT_PATH)}" data-most="${IMPORT_ZIP_BYTES}">${hiddenFields(call, '/')}
${placeField(text('Into'), 'into', call.query.get('folder') ?? '', await placesToImport(call))}
<div class="drop"><label>Zip or file <input type="file" name="file" required></label>
<p class="js">or <button type="button" data-folder>Choose a folder…</button> or drop either here</p>
<p class="chosen" role="status"></p></div>
<details><summary>More</summary>
${selectField(text('Format'), 'as', '', [{ value: '', label: text('By its content') }, ...IMPORT_FORMATS.map((name) => ({ value: name, label: name }))])}
<label class="choice"><input type="checkbox" name="collections" value="true"><span>Make collections of folders of notes with properties</span></label>
<label class="choice"><input type="checkbox" name="delete" value="true"><span>Move documents to the trash that are not in the source any more</span></label></details>
<div class="acts"><button class="go">See what comes in</button> <a class="button plain" href="${call.href('/')}">Cancel</a></div></form></div>`
  return { title: text('Import'), main, scripts: ['transfer'], ...(fault !== undefined && { status: 400 }) }
}

const placesToImport = async (call: PageCall): Promise<Place[]> => [
  { value: '', label: text('The top level') },
  ...folderChoices(await readFolders(call)),
]

function choiceOf(fields: URLSearchParams, fileName: string, places: readonly Place[]): ImportChoice {
  const field = (name: string) => fields.get(name) || undefined
  return {
    // A folder that was dropped before and its zip are one source.
    name: fileName.replace(/\.zip$/i, '') || fileName,
    as: chosenOf(fields, 'as', IMPORT_FORMATS),
    into: placeOf(field('into') ?? '', places) || undefined,
    collections: isTicked(fields, 'collections'),
    delete: isTicked(fields, 'delete'),
  }
}

export const importStatusPage: Page = {
  route: 'GET /imports/:id',
  isFullOnly: true,
  async handle(call) {
    const transfers = transfersOf(call)
    const status = await transfers.status(call.params.id ?? '')
    const isHeld = transfers.isHeld(status.id)
    const title = titleOf(status, isHeld)
    const isRunning = status.status === 'running'
    const main = html`<div class="page import" id="import"${isRunning && html` data-running`}>${choicesStyle(call)}<h1 tabindex="-1">${title}</h1>
${statusHtml(call, status, isHeld)}</div>`
    return { title, main, scripts: ['transfer'] }
  },
}

function titleOf({ name, status, report }: ImportStatus, isHeld: boolean): string {
  const isLook = report?.isDryRun ?? isHeld
  switch (status) {
    case 'running':
      return isLook ? text('Reading “{name}”', { name }) : text('Importing “{name}”', { name })
    case 'done':
      return isLook ? text('What “{name}” would bring', { name }) : text('“{name}” was imported', { name })
    case 'stopped':
      return text('The import of “{name}” was stopped', { name })
    case 'failed':
      return text('“{name}” cannot be imported', { name })
  }
}

function statusHtml(call: PageCall, status: ImportStatus, isHeld: boolean): Html {
  const { id, report, error, problemsLeftOut } = status
  const back = `/imports/${id}`
  if (status.status === 'running') {
    return html`${progressHtml(call, status)}
<div class="acts">${buttonForm(call, { action: `${back}/stop`, label: text('Stop'), back })}</div>
<noscript><p><a href="${call.href(back)}">See how far it is now</a></p></noscript>`
  }
  const again = html`<a class="button" href="${call.href(IMPORT_PATH)}">Choose ${error === undefined ? text('something else') : text('again')}</a>`
  return html`${error !== undefined && html`<p class="notice" role="alert">${error.error}</p>`}
${status.status === 'stopped' && html`<p class="about">${stoppedText(call, status)}</p>`}
${report !== undefined && importReportHtml(call, report, problemsLeftOut)}
<div class="acts">${
    report?.isDryRun === true && status.status === 'done'
      ? decisionHtml(call, status, isHeld)
      : html`<a class="button go" href="${call.href('/')}">Documents</a> ${again}`
  }</div>`
}

function decisionHtml(call: PageCall, { id, report }: ImportStatus, isHeld: boolean): Html {
  const { added = 0, updated = 0, deleted = 0, failed = 0 } = report?.counts ?? {}
  const again = html`<a class="button" href="${call.href(IMPORT_PATH)}">Choose again</a>`
  if (added + updated + deleted + failed === 0) return html`<p>Everything is here already.</p> ${again}`
  if (!isHeld) return html`<p>The file is not kept any longer.</p> ${again}`
  const back = `/imports/${id}`
  return html`${buttonForm(call, { action: `${back}/start`, label: text('Import'), back, variant: 'go' })}
${buttonForm(call, { action: `${back}/stop`, label: text('Cancel'), back: IMPORT_PATH })}`
}

function progressHtml(call: PageCall, { documents, secondsLeft, note }: ImportStatus): Html {
  const { done, total } = documents
  const left =
    secondsLeft === undefined ? '' : text(', about {durationText} left', { durationText: durationText(secondsLeft) })
  const sentence =
    total === 0
      ? text('Reading the source…')
      : text('{done} of {total} documents{left}', {
          done: call.formats.number(done),
          total: call.formats.number(total),
          left,
        })
  return html`<div class="progress"><p role="status">${sentence}</p>
<progress aria-label="Progress"${total > 0 && html` max="${total}" value="${done}"`}></progress>
${note !== undefined && html`<p class="about">${note}</p>`}</div>`
}

const durationText = (seconds: number): string =>
  seconds < 90
    ? `${seconds} s`
    : seconds < 5_400
      ? text('{round} min', { round: Math.round(seconds / 60) })
      : `${Math.round(seconds / 3_600)} h`

const stoppedText = (call: PageCall, { documents: { done, total } }: ImportStatus): string =>
  text(
    'Stopped after {done} of {total} documents. Import the same again to go on: what came in already is not written again.',
    { done: call.formats.number(done), total: call.formats.number(total) },
  )

export const startImport: Page = {
  route: 'POST /imports/:id/start',
  isFullOnly: true,
  handle: async (call) =>
    submitForm(
      async () => goTo(`/imports/${await transfersOf(call).start(call.params.id ?? '')}`),
      (fault) => importForm(call, fault),
    ),
}

export const stopImport: Page = {
  route: 'POST /imports/:id/stop',
  isFullOnly: true,
  async handle(call) {
    await transfersOf(call).stop(call.params.id ?? '')
    return goTo(call.form.get('back') === IMPORT_PATH ? '/' : `/imports/${encodeURIComponent(call.params.id ?? '')}`)
  },
}

/** @throws NOT_FOUND_ERROR where pages can transfer nothing */
export function transfersOf({ request: { transfers } }: PageCall): PageTransfers {
  if (transfers === undefined) throw new ScriptoriumError('NOT_FOUND_ERROR', 'There are no imports and exports here.')
  return transfers
}
