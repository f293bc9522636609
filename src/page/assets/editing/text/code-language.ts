/** The language of a code block and further words after its fence, chosen while its code is edited. */
import { CODE_LANGUAGES } from '../../../../markdown/block.ts'
import { codeFields, fenceLabel } from '../../../../markdown/blocks/code-block.ts'
import type { Fields } from '../../model/block-text.ts'
import { fieldsOf } from '../blocks/block-element.ts'

/** @param set  changes the fields of the block. @param leave  moves the caret back to the code */
export function languageField(element: HTMLElement, set: (fields: Fields) => void, leave: () => void): HTMLElement {
  const label = document.createElement('label')
  label.className = 'code-language'
  const input = document.createElement('input')
  input.value = fenceLabel(fieldsOf(element))
  input.setAttribute('list', 'code-languages')
  input.autocomplete = 'off'
  input.spellcheck = false
  label.append('Language ', input)
  if (document.getElementById('code-languages') === null) document.body.append(languageList())
  // Select the text, so that all languages are offered and not only those that start with the current one.
  input.addEventListener('focus', () => input.select())
  input.addEventListener('change', () => {
    const { language: _language, info: _info, ...fields } = fieldsOf(element)
    const chosen = input.value.trim() === 'plaintext' ? {} : codeFields(input.value)
    input.value = fenceLabel(chosen)
    set({ ...fields, ...chosen })
  })
  input.addEventListener('keydown', (event) => {
    event.stopPropagation()
    if (event.key !== 'Enter' && event.key !== 'Escape') return
    event.preventDefault()
    input.dispatchEvent(new Event('change'))
    leave()
  })
  return label
}

function languageList(): HTMLElement {
  const list = document.createElement('datalist')
  list.id = 'code-languages'
  for (const language of CODE_LANGUAGES) {
    const option = document.createElement('option')
    option.value = language
    list.append(option)
  }
  return list
}
