/** Shows code with the field for its language, and formulas as the server renders them until the caret is in them. */
import type { Node } from 'prosemirror-model'
import { CODE_LANGUAGES } from '../../../markdown/block.ts'
import { codeFields, fenceLabel } from '../../../markdown/blocks/code-block.ts'
import { fieldsOfNode } from '../model/page-block.ts'
import { text } from '../page-text.ts'
import type { About } from './block-about.ts'
import { BlockView, type ViewContext } from './block-view.ts'

const isFormulaNode = (node: Node): boolean => fieldsOfNode(node).language === 'math_formula'

export class CodeView extends BlockView {
  readonly contentDOM: HTMLElement = document.createElement('code')
  readonly #host: HTMLElement
  readonly #isFormula: boolean
  readonly #language: HTMLInputElement | undefined
  readonly #getPos: () => number | undefined
  /** A formula as the server renders it. */
  #rendered: HTMLElement | undefined

  constructor(node: Node, context: ViewContext, getPos: () => number | undefined) {
    super(node, context)
    this.#getPos = getPos
    this.#isFormula = isFormulaNode(node)
    this.#host = document.createElement(this.#isFormula ? 'div' : 'pre')
    if (this.#isFormula) this.#host.className = 'formula'
    else this.#language = this.#languageField()
    // Says of what scrolls that the caret reaches it.
    this.#host.contentEditable = 'true'
    this.#host.append(this.contentDOM)
    this.#draw(node)
    this.start()
  }

  protected accepts(node: Node): boolean {
    if (isFormulaNode(node) !== this.#isFormula) return false
    this.#draw(node)
    return true
  }

  protected place({ above, below, formula }: About): void {
    const label = this.#language?.parentElement
    if (this.#isFormula) this.#showFormula(formula)
    this.surround(this.#host, [...above, ...(label ? [label] : [])], below)
  }

  #draw(node: Node): void {
    if (this.#language === undefined) return
    const label = fenceLabel(fieldsOfNode(node))
    this.#host.dataset.language = label
    if (document.activeElement !== this.#language) this.#language.value = label
  }

  #showFormula(formula: readonly ChildNode[]): void {
    this.#rendered?.remove()
    this.#rendered = undefined
    if (formula.length === 0) return
    const shown = document.createElement('div')
    shown.className = 'rendered'
    shown.contentEditable = 'false'
    shown.append(...formula)
    shown.addEventListener('mousedown', (event) => {
      event.preventDefault()
      const position = this.#getPos()
      if (position !== undefined) this.context.onOpenCode(position)
    })
    this.#rendered = shown
    this.#host.prepend(shown)
  }

  #languageField(): HTMLInputElement {
    const label = document.createElement('label')
    label.className = 'code-language'
    label.contentEditable = 'false'
    const input = document.createElement('input')
    input.setAttribute('list', 'code-languages')
    input.autocomplete = 'off'
    input.spellcheck = false
    label.append(`${text('Language')} `, input)
    // Select the text, so that all languages are offered and not only those that start with the current one.
    input.addEventListener('focus', () => {
      addLanguages()
      input.select()
    })
    input.addEventListener('change', () => this.#setLanguage(input.value))
    input.addEventListener('keydown', (event) => {
      event.stopPropagation()
      if (event.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return
      event.preventDefault()
      this.#setLanguage(input.value)
      const position = this.#getPos()
      if (position !== undefined) this.context.onOpenCode(position)
    })
    return input
  }

  #setLanguage(text: string): void {
    const position = this.#getPos()
    if (position === undefined) return
    const { language: _language, info: _info, ...fields } = fieldsOfNode(this.node)
    const chosen = text.trim() === 'plaintext' ? {} : codeFields(text)
    const { view } = this.context
    view.dispatch(view.state.tr.setNodeAttribute(position, 'fields', { ...fields, ...chosen }))
  }
}

function addLanguages(): void {
  if (document.getElementById('code-languages') !== null) return
  const list = document.createElement('datalist')
  list.id = 'code-languages'
  for (const value of CODE_LANGUAGES) list.append(Object.assign(document.createElement('option'), { value }))
  document.body.append(list)
}
