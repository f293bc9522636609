/** The form for the cover of a document or page: a color, one of its pictures, a file, or none. */

import { ScriptoriumError } from '../../base/errors.ts'
import { type Cover, coverAddress, coverColor, stylingWithCover } from '../../markdown/page-cover.ts'
import { shownTitle } from '../../markdown/shown-title.ts'
import { validateColor } from '../../space/model/colors.ts'
import type { JsonBlock } from '../../space/model/json-block.ts'
import { titleText } from '../blocks/block-writer.ts'
import { colorHtml, coverFile } from '../documents/document-cover.ts'
import { backOf, buttonForm, changedTo, fieldOf, hiddenFields, submitForm } from '../form-page.ts'
import { choicesStyle } from '../frame/choices.ts'
import { type Html, html } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import type { Page, PageRedirect, ShownPage } from '../page-declaration.ts'
import { refused } from '../page-refusal.ts'
import type { ToolInput } from '../page-tools.ts'
import { type TextKey, text, textKey } from '../texts/text.ts'
import { transfersOf } from './import-pages.ts'

/** Blocks in which pictures are looked for, and pictures that are offered. */
const BLOCKS_READ = 2_000
const PICTURES_OFFERED = 24

export const coverPage: Page = {
  route: 'GET /d/:id/cover',
  needs: ['blocks_update'],
  effect: 'change',
  handle: (call) => coverForm(call),
}

/** A page with what stands directly in it. @throws NOT_FOUND_ERROR for anything but a page */
async function readPage(call: PageCall): Promise<JsonBlock> {
  const root = await call.run('blocks_get', { id: call.params.id ?? '', maxDepth: 1, maxBlocks: BLOCKS_READ })
  if (root.type !== 'page') throw new ScriptoriumError('NOT_FOUND_ERROR', 'There is no such page here.')
  return root
}

async function coverForm(call: PageCall, fault?: string): Promise<ShownPage> {
  const root = await readPage(call)
  const back = backOf(call, `/d/${root.id}`)
  const address = coverAddress(root)
  const title = text('Cover of “{shownTitle}”', { shownTitle: shownTitle(titleText(root)) })
  const color = coverColor(root)
  const main = html`<div class="page">${choicesStyle(call)}<h1>${title}</h1>
${fault !== undefined && html`<p class="notice" role="alert">${fault}</p>`}
${address !== undefined && (await coverFile(call, root)) === undefined && html`<p class="notice" role="note">The cover cannot be shown: its file is missing, or on another server, from which nothing is loaded.</p>`}
${colorsHtml(call, root.id, back, color)}
${choiceHtml(call, root, back)}
${mayUpload(call) && uploadHtml(call, root, back)}
${(address ?? color) !== undefined && html`<div class="apart">${buttonForm(call, { action: `/d/${root.id}/cover`, label: text('Remove the cover'), back, fields: { picture: '' }, variant: 'danger' })}</div>`}
<div class="acts"><a class="button plain" href="${call.request.base}${back}" data-close>Cancel</a></div></div>`
  return { title, main, documentId: root.id, ...(fault !== undefined && { status: 400, fault }) }
}

const COLORS: readonly { color: string; name: TextKey }[] = [
  { color: '#8a3b34', name: textKey('Red') },
  { color: '#b8763a', name: textKey('Orange') },
  { color: '#c9a948', name: textKey('Yellow') },
  { color: '#5f8a5b', name: textKey('Green') },
  { color: '#4d8f8c', name: textKey('Teal') },
  { color: '#4a74b0', name: textKey('Blue') },
  { color: '#7a62a3', name: textKey('Purple') },
  { color: '#b3688a', name: textKey('Pink') },
  { color: '#8b7355', name: textKey('Brown') },
  { color: '#73767b', name: textKey('Gray') },
]

/** Each color is a button that saves it. Others are chosen in a field. @param now  the color that the cover has */
function colorsHtml(call: PageCall, id: string, back: string, now: string | undefined): Html {
  const form = (fields: Html) =>
    html`<form class="edit" method="post" action="${call.href(`/d/${id}/cover`)}">${hiddenFields(call, back)}
${fields}</form>`
  const choices = COLORS.map(
    ({ color, name }) =>
      html`<button class="plain" name="color" value="${color}"${color === now && html` aria-pressed="true"`}>${colorHtml(color, '')}${name}</button>`,
  )
  return html`${form(html`<fieldset><legend>A color</legend><div class="colors">${choices}</div></fieldset>`)}
${form(html`<label>Another color <input type="color" name="color" value="${now ?? OTHER_COLOR}"></label>
<div class="acts"><button class="go">${text('Use this color')}</button></div>`)}`
}

/** What the field for another color begins with. */
const OTHER_COLOR = '#4a74b0'

function choiceHtml(call: PageCall, root: JsonBlock, back: string): Html {
  const pictures = picturesIn(call, root).slice(0, PICTURES_OFFERED)
  if (pictures.length === 0) return html`<p class="about">This page has no pictures to choose from.</p>`
  const now = coverAddress(root)
  return html`<form class="edit" method="post" action="${call.href(`/d/${root.id}/cover`)}">${hiddenFields(call, back)}
<fieldset><legend>A picture of this page</legend><div class="pictures">${pictures.map(
    ({ url, file, name }) =>
      html`<label><input type="radio" name="picture" value="${url}" required${url === now && html` checked`}><img src="${file}" alt="${name}" loading="lazy"></label>`,
  )}</div></fieldset>
<div class="acts"><button class="go">${text('Make it the cover')}</button></div></form>`
}

interface Picture {
  url: string
  file: string
  name: string
}

function picturesIn(call: PageCall, { content = [] }: JsonBlock): Picture[] {
  const found = new Map<string, Picture>()
  for (const { type, url = '', altText = '', fileName = '' } of content) {
    const file = type === 'image' ? call.links.file(url, fileName) : undefined
    if (file === undefined || found.has(url)) continue
    const name = altText || fileName || text('Picture {n}', { n: call.formats.number(found.size + 1) })
    found.set(url, { url, file, name })
  }
  return [...found.values()]
}

/** The file stands in the page for a moment, so that links without these rights cannot add it. */
const mayUpload = (call: PageCall): boolean =>
  call.edits && call.has('files_add') && call.may('add') && call.has('blocks_delete') && call.may('delete')

const uploadHtml = (call: PageCall, { id }: JsonBlock, back: string): Html =>
  html`<form class="edit" method="post" enctype="multipart/form-data" action="${call.href(`/d/${id}/cover`, { back })}">${hiddenFields(call, back)}
<label>Another picture <input type="file" name="file" accept="image/*" required></label>
<p class="about">A picture from a website is saved first, and uploaded here: pages load nothing from other servers, which would learn who reads.</p>
<div class="acts"><button class="go">${text('Upload it as the cover')}</button></div></form>`

export const changeCover: Page = {
  route: 'POST /d/:id/cover',
  needs: ['blocks_update'],
  handle: (call) =>
    submitForm<PageRedirect | ShownPage>(
      async () => {
        const root = await readPage(call)
        if (/^multipart\/form-data\b/i.test(call.request.request.headers.get('content-type') ?? ''))
          return uploadCover(call, root)
        const [picture, color] = [fieldOf(call, 'picture'), fieldOf(call, 'color')]
        if (picture !== '' && call.links.file(picture) === undefined) throw notOfSpace(picture)
        const cover = picture !== '' ? { url: picture } : color !== '' ? { color: validateColor(color) } : undefined
        return coverSet(call, root, await call.run('blocks_update', { blocks: [coverStep(root, cover)] }))
      },
      (fault) => coverForm(call, fault),
    ),
}

const coverStep = ({ id, styling }: JsonBlock, cover: Cover | undefined) => ({
  id,
  styling: stylingWithCover(styling, cover),
})

/** @param before  earlier calls of the form, which the notice takes back as well */
const coverSet = (call: PageCall, { id }: JsonBlock, answer: { proposal?: object }, before: string[] = []) =>
  changedTo(call, backOf(call, `/d/${id}`), 'saved', answer, {}, before)

/** Adds a picture to the page, makes it its cover, and takes it out of the text. */
async function uploadCover(call: PageCall, root: JsonBlock): Promise<PageRedirect> {
  const { name, bytes } = await transfersOf(call).readFile()
  if (!mayUpload(call)) throw refused(text('Expected a link that may add and delete, found another.'), 'FORBIDDEN')
  if (bytes.length === 0) throw refused(text('Expected a picture, found none; choose one first.'))
  const { blockId, assetUrl = '' } = await call.run('files_add', {
    position: { position: 'end', pageId: root.id },
    fileName: name,
    data: Buffer.from(bytes).toString('base64'),
  })
  const added = call.lastChange
  const id = blockId ?? ''
  const { type, mimeType } = await call.run('blocks_get', { id, maxDepth: 0 })
  const blockIds = [id]
  // Refused or not, the picture does not stay in the text.
  const take = () => call.run('blocks_delete', { blockIds })
  if (type !== 'image') {
    await take()
    throw refused(text('Expected a picture, found a file of type {type}; choose a picture.', { type: `${mimeType}` }))
  }
  const steps: ToolInput<'batch'>['steps'] = [
    { tool: 'blocks_update', arguments: { blocks: [coverStep(root, { url: assetUrl })] } },
    { tool: 'blocks_delete', arguments: { blockIds } },
  ]
  const answer = await call.run('batch', { steps }).catch(async (error) => {
    await take()
    throw error
  })
  return coverSet(call, root, answer, added === undefined ? [] : [added])
}

const notOfSpace = (found: string) =>
  refused(
    text('Expected a picture of this space, found {found}; choose one, or upload it.', { found: found.slice(0, 100) }),
  )
