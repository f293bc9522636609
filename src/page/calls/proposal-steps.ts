/** The texts in the calls of a proposal, which a person may edit before approval. */
import type { StoredStep } from '../../space/proposals/proposal.ts'
import { type Html, html } from '../html.ts'
import { type TextKey, text, textKey } from '../texts/text.ts'

/** Inputs that contain text, for any tool. IDs, dates and choices cannot be edited. */
const NAMES: ReadonlyMap<string, TextKey> = new Map(
  Object.entries({
    markdown: textKey('Text'),
    title: textKey('Title'),
    name: textKey('Name'),
    new: textKey('New words'),
    content: textKey('Text'),
    text: textKey('Text'),
    rawCode: textKey('Code'),
    description: textKey('Description'),
    altText: textKey('Description of the picture'),
    fileName: textKey('Name of the file'),
  }),
)
/** Maximum number of editable texts per proposal, and nesting levels to search for them. */
const MAX_TEXTS = 200
const MAX_LEVELS = 12

interface StepText {
  /** Such as `0.arguments.blocks.1.markdown`. */
  path: string
  /** The number of the call, from 1. */
  step: number
  name: TextKey
  text: string
}

function textsOf(steps: readonly StoredStep[]): StepText[] {
  const texts: StepText[] = []
  const visit = (value: unknown, path: string, step: number, key: string, level: number): void => {
    if (texts.length >= MAX_TEXTS || level > MAX_LEVELS) return
    if (typeof value === 'string') {
      const name = NAMES.get(key)
      if (name !== undefined) texts.push({ path, step, name, text: value })
      return
    }
    if (typeof value !== 'object' || value === null) return
    for (const [inner, one] of Object.entries(value)) {
      visit(one, `${path}.${inner}`, step, Array.isArray(value) ? key : inner, level + 1)
    }
  }
  for (const [index, step] of steps.entries()) visit(step.arguments, `${index}.arguments`, index + 1, '', 0)
  return texts
}

export function stepFieldsHtml(steps: readonly StoredStep[]): Html {
  const texts = textsOf(steps)
  if (texts.length === 0) return html`<p class="empty">There are no words in it that could be changed.</p>`
  const label = ({ step, name }: StepText) =>
    steps.length > 1 ? text('Call {step}: {name}', { step, name: `${name}` }) : name
  const rows = (text: string) => Math.min(16, text.split('\n').length + 1)
  const isCut = texts.length === MAX_TEXTS
  return html`${isCut && html`<p class="about">Only the first ${MAX_TEXTS} texts can be edited here. The others stay as they were proposed.</p>`}${texts.map(
    (one) =>
      html`<label>${label(one)}<textarea dir="auto" name="${one.path}" rows="${rows(one.text)}">${one.text}</textarea></label>\n`,
  )}`
}

/** The steps with texts replaced by those in a form. Other fields of the form are ignored. */
export function editedSteps(steps: readonly StoredStep[], form: URLSearchParams): StoredStep[] {
  const edited = structuredClone(steps) as StoredStep[]
  for (const { path } of textsOf(steps)) {
    const text = form.get(path)
    if (text === null) continue
    const keys = path.split('.')
    const last = keys.pop() ?? ''
    let holder: unknown = edited
    for (const key of keys)
      holder = (holder as Record<string, unknown>)[key]
      // Browsers send line breaks of a text field as CRLF.
    ;(holder as Record<string, unknown>)[last] = text.replace(/\r\n/g, '\n')
  }
  return edited
}
