/** Ctrl K: a field for the address of a link, at the selection. */
import type { EditorView } from 'prosemirror-view'
import { announce } from '../announcement.ts'
import { text } from '../page-text.ts'
import { openTextField } from './text-field.ts'
import { addressOf, linkAround, setLink } from './text-marks.ts'

/** @returns false if there is nothing to link */
export function openLinkField(view: EditorView): boolean {
  const link = linkAround(view.state)
  const { selection } = view.state
  if ((selection.empty && link === undefined) || !selection.$from.parent.inlineContent) return false
  openTextField(view, {
    value: link?.mark.attrs.url ?? '',
    placeholder: text('Address'),
    label: text('Address of the link. Empty removes it.'),
    onSubmit(typed) {
      const url = typed === '' ? '' : addressOf(typed)
      if (url === undefined) announce(text('This is not an address that a link can have.'))
      else view.dispatch(setLink(view.state, url))
      return url !== undefined
    },
  })
  return true
}
