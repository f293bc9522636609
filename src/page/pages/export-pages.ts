/** Exporting a document, a folder, or everything that the link reaches, as a file to save. */
import { ScriptoriumError } from '../../base/errors.ts'
import { EXPORT_HTML_BYTES, EXPORT_JSON_BYTES } from '../../base/limits.ts'
import { LINK_STYLES } from '../../export/export-formats.ts'
import { shownTitle } from '../../markdown/shown-title.ts'
import type { ExportChoice } from '../../space/export/list-documents.ts'
import { titleText } from '../blocks/block-writer.ts'
import { folderPath } from '../documents/document-bar.ts'
import { readFolders } from '../documents/folder-choice.ts'
import { backOf, chosenOf, fieldOf, hiddenFields, isTicked, selectField, submitForm } from '../form-page.ts'
import { choicesStyle } from '../frame/choices.ts'
import { type Html, html } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import type { Page, ShownPage } from '../page-declaration.ts'
import { type TextKey, text, textKey } from '../texts/text.ts'
import { writeHtml } from '../transfers/export-html.ts'
import { writeBlockJson } from '../transfers/export-json.ts'
import { transfersOf } from './import-pages.ts'

/** The forms of an export. */
type ExportKind = 'markdown' | 'html' | 'json'

const KINDS: Readonly<Record<ExportKind, { name: TextKey; about: TextKey }>> = {
  markdown: {
    name: textKey('Markdown, as a zip'),
    about: textKey('A folder of notes with their files, for Obsidian and others. It can be imported again.'),
  },
  html: {
    name: textKey('One HTML file'),
    about: textKey('To print or to send: with its pictures, without comments. Opening it loads nothing from anywhere.'),
  },
  json: {
    name: textKey('Blocks as JSON'),
    about: textKey(
      'For programs: every block with its fields, its comments and its ID, schemas and views of collections, and drawings. Files are named by their addresses; their bytes and reminders are not in it.',
    ),
  },
}

/** What is exported, and its name. */
interface Exported {
  choice: ExportChoice
  name: string
  /** The place to return to. */
  back: string
  fields: Readonly<Record<string, string>>
}

export const exportPage: Page = {
  route: 'GET /export',
  handle: async (call) =>
    exportForm(call, await readChoice(call, call.query.get('document') ?? '', call.query.get('folder') ?? '')),
}

export const exportFile: Page = {
  route: 'POST /export',
  async handle(call) {
    const exported = await readChoice(call, fieldOf(call, 'document'), fieldOf(call, 'folder'))
    return submitForm(
      () => sendFile(call, exported),
      async (fault) => exportForm(call, exported, fault),
    )
  },
}

/** @throws NOT_FOUND_ERROR for a document or folder that does not exist within reach */
async function readChoice(call: PageCall, document: string, folder: string): Promise<Exported> {
  if (document !== '') {
    const root = await call.run('blocks_get', { id: document, maxDepth: 0 })
    const name = shownTitle(titleText(root))
    return { choice: { documents: [root.id] }, name, back: `/d/${root.id}`, fields: { document: root.id } }
  }
  if (folder !== '') {
    const found = folderPath(await readFolders(call), folder).at(-1)
    // A person who asks for a folder that was deleted meanwhile must not get everything instead, and send it on.
    if (found === undefined) throw new ScriptoriumError('NOT_FOUND_ERROR', 'There is no such folder here.')
    const { id, name } = found
    return { choice: { folder: id }, name, back: `/folders/${id}`, fields: { folder: id } }
  }
  return { choice: {}, name: call.request.caller.space.info.name, back: '/', fields: {} }
}

function exportForm(call: PageCall, exported: Exported, fault?: string): ShownPage {
  const { name, choice, fields, back } = exported
  const chosen = fieldOf(call, 'as') || 'markdown'
  const what =
    choice.documents !== undefined
      ? html`The document “${name}”, with the pages in it.`
      : choice.folder !== undefined
        ? html`The folder “${name}”, with the folders in it.`
        : call.kind === 'full'
          ? html`All documents of “${name}”, but for those in the trash.`
          : html`All documents that this link reaches.`
  const main = html`<div class="page export">${choicesStyle(call)}<h1>Export</h1>
${fault !== undefined && html`<p class="notice" role="alert">${fault}</p>`}
<p class="about">${what}</p>
<form class="edit" method="post" action="${call.href('/export')}">${hiddenFields(call, backOf(call, back))}${Object.entries(
    fields,
  ).map(([field, value]) => html`<input type="hidden" name="${field}" value="${value}">`)}
<fieldset class="formats"><legend class="hidden">Form</legend>${Object.entries(KINDS).map(([kind, about]) => kindHtml(kind, about, kind === chosen))}</fieldset>
<details><summary>More about Markdown</summary>
${selectField(text('Links'), 'links', fieldOf(call, 'links'), [
  { value: '', label: text('As in the notes that were imported') },
  { value: 'relative', label: '[words](Note.md)' },
  { value: 'wiki', label: '[[Note]]' },
])}
<label class="choice"><input type="checkbox" name="plain" value="true"><span>Without IDs and times in the notes</span></label></details>
<div class="acts"><button class="go">Export</button> <a class="button plain" href="${call.request.base}${backOf(call, back)}">Back</a></div>
<p class="about">A large export takes a while before it is saved.</p></form></div>`
  return { title: text('Export'), main, ...(fault !== undefined && { status: 400 }) }
}

const kindHtml = (kind: string, { name, about }: { name: TextKey; about: TextKey }, isChosen: boolean): Html =>
  html`<label class="choice"><input type="radio" name="as" value="${kind}"${isChosen && html` checked`}><span>${name} <small>${about}</small></span></label>`

async function sendFile(call: PageCall, { choice, name }: Exported): Promise<Response> {
  const transfers = transfersOf(call)
  const kind = chosenOf(call.form, 'as', Object.keys(KINDS) as ExportKind[]) ?? 'markdown'
  const links = chosenOf(call.form, 'links', LINK_STYLES)
  const hasIds = !isTicked(call.form, 'plain')
  const stem = fileName(name)
  if (kind === 'html') {
    const file = { name: `${stem}.html`, type: 'text/html; charset=utf-8' }
    return transfers.exportFile(file, (put) => writeHtml(call, choice, name, put), EXPORT_HTML_BYTES)
  }
  if (kind === 'json') {
    const file = { name: `${stem}.json`, type: 'application/json; charset=utf-8' }
    return transfers.exportFile(file, (put) => writeBlockJson(call, choice, put), EXPORT_JSON_BYTES)
  }
  return transfers.exportMarkdown({ name: `${stem}.zip`, type: 'application/zip' }, { ...choice, hasIds, links })
}

/** A name that every system can save. */
const fileName = (name: string): string =>
  // By whole characters: half of one could not be sent.
  [
    ...name
      .toWellFormed()
      .replace(/[\p{Cc}<>:"/\\|?*]+/gu, ' ')
      .trim(),
  ]
    .slice(0, 80)
    .join('') || text('Export')
