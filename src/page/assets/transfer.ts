/**
 * Imports: chooses and drops folders, shows how far sending is, and follows an import. Without this script, a zip or a
 * file can be chosen, and the page of an import is loaded again by hand.
 */
import { inBackground } from './page-background.ts'
import { text } from './page-text.ts'
import { type Chosen, readDropped, readFolderField } from './transfer/dropped-files.ts'
import { zipOfFiles } from './transfer/zip-blob.ts'

const form = document.querySelector<HTMLFormElement>('.import form[data-most]')
if (form !== null) showChosen(form)
if (document.querySelector('#import[data-running]') !== null) inBackground(follow)

function showChosen(form: HTMLFormElement): void {
  const field = form.querySelector<HTMLInputElement>('input[name="file"]')
  const drop = form.querySelector<HTMLElement>('.drop')
  const shown = form.querySelector<HTMLElement>('.chosen')
  if (field === null || drop === null || shown === null) return
  const folderField = Object.assign(document.createElement('input'), { type: 'file', webkitdirectory: true })
  let folder: Chosen | undefined

  const show = (chosen: Chosen | undefined) => {
    if (chosen === undefined) return
    const { file, files, name } = chosen
    folder = file === undefined ? chosen : undefined
    if (file === undefined) field.value = ''
    else {
      const transfer = new DataTransfer()
      transfer.items.add(file)
      field.files = transfer.files
    }
    field.required = folder === undefined
    shown.textContent = file === undefined ? text('{name}: {n} files', { name, n: numberText(files.length) }) : ''
    showFault(form, undefined)
  }
  field.addEventListener('change', () => {
    folder = undefined
    field.required = true
    shown.textContent = ''
  })
  form.querySelector('[data-folder]')?.addEventListener('click', () => folderField.click())
  folderField.addEventListener('change', () => show(readFolderField(folderField.files ?? new DataTransfer().files)))

  const main = document.getElementById('main') ?? document.body
  main.addEventListener('dragover', (event) => {
    if (event.dataTransfer?.types.includes('Files') !== true) return
    event.preventDefault()
    drop.classList.add('over')
  })
  main.addEventListener('dragleave', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node) || !main.contains(relatedTarget)) drop.classList.remove('over')
  })
  main.addEventListener('drop', (event) => {
    event.preventDefault()
    drop.classList.remove('over')
    const { items } = event.dataTransfer ?? {}
    if (items !== undefined) inBackground(async () => show(await readDropped(items)))
  })

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (form.hasAttribute('aria-busy')) return
    form.setAttribute('aria-busy', 'true')
    showFault(form, undefined)
    const sending = send(form, folder, (sentence) => (shown.textContent = sentence))
    inBackground(() =>
      sending
        .catch((error: Error) => {
          shown.textContent = ''
          showFault(form, error.message)
        })
        .finally(() => form.removeAttribute('aria-busy')),
    )
  })
}

/** @throws Error with a sentence for the reader */
async function send(form: HTMLFormElement, folder: Chosen | undefined, show: (text: string) => void): Promise<void> {
  const fields = new FormData(form)
  const most = Number(form.dataset.most)
  if (folder !== undefined) {
    const { name, files } = folder
    const zip = await zipOfFiles(files, most, (count) => {
      if (count % 50 === 0)
        show(text('Reading {read} of {all} files…', { read: numberText(count), all: numberText(files.length) }))
    })
    fields.set('file', zip, `${name}.zip`)
  }
  const file = fields.get('file')
  if (file instanceof File && file.size > most) {
    throw new Error(
      text('This file is too large. Import a part of it, or run “scriptorium import” where the space is.'),
    )
  }
  const to = await post(form.action, fields, (share) =>
    show(text('Sending, {percent} %…', { percent: Math.round(share * 100) })),
  )
  show(text('Reading…'))
  location.assign(to)
}

/** Sends a form, which only this kind of request reports the progress of. @returns the address that it leads to */
function post(address: string, fields: FormData, onProgress: (share: number) => void): Promise<string> {
  const request = new XMLHttpRequest()
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded / Math.max(total, 1)))
  request.addEventListener('load', () => {
    const to = request.getResponseHeader('x-leads-to')
    if (to !== null) return resolve(to)
    const page = new DOMParser().parseFromString(request.responseText, 'text/html')
    reject(new Error(page.querySelector('[role="alert"]')?.textContent ?? text('That did not work; try again.')))
  })
  request.addEventListener('error', () =>
    reject(new Error(text('The server was not reached. Nothing was sent; try again.'))),
  )
  request.open('POST', address)
  request.setRequestHeader('hx-request', 'true')
  request.send(fields)
  return promise
}

function showFault(form: HTMLFormElement, sentence: string | undefined): void {
  form.parentElement?.querySelector(':scope > [role="alert"]')?.remove()
  if (sentence === undefined) return
  const fault = Object.assign(document.createElement('p'), { className: 'notice', textContent: sentence })
  fault.setAttribute('role', 'alert')
  form.before(fault)
}

/** In the language of the browser, as the pages write numbers. */
const numberText = (count: number): string => new Intl.NumberFormat().format(count)

const POLL_MS = 1_000

/** Shows how far an import is until it has ended. */
async function follow(): Promise<void> {
  for (;;) {
    await new Promise((done) => setTimeout(done, POLL_MS))
    const text = await fetch(location.href, { headers: { 'hx-request': 'true' } }).then(
      (response) => (response.ok ? response.text() : undefined),
      () => undefined,
    )
    const fresh = text && new DOMParser().parseFromString(text, 'text/html').getElementById('import')
    const shown = document.getElementById('import')
    if (!fresh || shown === null) continue
    if (fresh.dataset.running !== undefined) {
      // What has the focus, such as the button that stops it, stays.
      const [now, before] = [fresh, shown].map((one) => one.querySelector('.progress'))
      if (now) before?.replaceWith(now)
      continue
    }
    shown.replaceWith(fresh)
    const heading = fresh.querySelector('h1')
    document.title = document.title.replace(/^.* — /, `${heading?.textContent} — `)
    heading?.focus()
    return
  }
}
