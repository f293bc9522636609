/**
 * What stands around the text that is edited: who else is here, what they change, what is suggested, and which files are
 * added. Loaded once the text can be written in.
 */
import { LaterThreads } from '../later-threads.ts'
import { inBackground } from '../page-background.ts'
import type { EditedPage } from '../sync/edited-page.ts'
import { startPeople } from '../sync/page-people.ts'
import type { PageEditor } from './page-editor.ts'
import type { PageUpdates } from './page-updates.ts'
import { SpokenOthers } from './spoken-others.ts'

export function startAround(page: EditedPage, editor: PageEditor, updates: PageUpdates): void {
  updates.spoken = new SpokenOthers()
  startPeople(page)
  const threads = new LaterThreads()
  updates.onShown = () => threads.update()
  threads.update()
  loadSuggestionsLater(page, editor)
}

/** Most documents have no suggestions: what draws them is loaded with the first. */
function loadSuggestionsLater(page: EditedPage, editor: PageEditor): void {
  let isWanted = page.article.querySelector(':scope > .suggestions') !== null
  let isLoading = false
  const load = () => {
    if (isLoading || !isWanted) return
    isLoading = true
    inBackground(async () => {
      try {
        const { startSuggestions } = await import('./suggestions.ts')
        startSuggestions(page, editor)
      } catch (error) {
        // Without a connection it cannot be loaded. The next event tries again.
        console.error(error)
        isLoading = false
      }
    })
  }
  document.body.addEventListener('spacefeed', (event) => {
    const { documents, isProposal } = (event as CustomEvent<{ documents: string[]; isProposal?: boolean }>).detail
    isWanted ||= isProposal === true && documents.includes(page.documentId)
    load()
  })
  load()
}

/** @returns a function that asks for files */
export function fileChooser(add: (files: readonly File[], after: string) => void): (after: string) => void {
  const input = Object.assign(document.createElement('input'), { type: 'file', multiple: true, hidden: true })
  document.body.append(input)
  let place = ''
  input.addEventListener('change', () => {
    add([...(input.files ?? [])], place)
    input.value = ''
  })
  return (after) => {
    place = after
    input.click()
  }
}
