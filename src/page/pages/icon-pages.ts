/** The icon of a document or page: an emoji that begins its title. */

import { TITLE_LENGTH } from '../../base/limits.ts'
import { shownTitle } from '../../markdown/shown-title.ts'
import { splitTitle } from '../../markdown/title-emoji.ts'
import { retitled } from '../documents/document-name.ts'
import { backOf, changedTo, fieldOf, formPage, hiddenFields, submitForm, textField } from '../form-page.ts'
import { choicesStyle } from '../frame/choices.ts'
import { type Html, html } from '../html.ts'
import type { PageCall } from '../page-call.ts'
import type { Page, ShownPage } from '../page-declaration.ts'
import { text } from '../texts/text.ts'
import { readTitle } from './entry-pages.ts'

/** Those that are offered. Screen readers know their names in each language. */
const OFFERED = [
  '📌 📝 📄 📚 📖 📓 📅 ✅ 🎯 🚀 💡 🔍',
  '🏠 🏢 🏗️ 🏭 🔧 🔨 ⚙️ 🧰 🧪 🔬 💻 📱',
  '📊 📈 💰 💳 🧾 📦 🛒 🚚 ✉️ 📞 💬 📣',
  '👤 👥 🤝 🎓 🎉 🎂 🎁 🏆 ⭐ ❤️ 🔥 ⚡',
  '🌱 🌳 🌍 ☀️ 🌊 🏔️ ✈️ 🚗 🚲 ⛵ 🍽️ ☕',
  '🎵 🎨 📷 🎬 🎮 ⚽ 🧘 🩺 🔒 🔑 ⚠️ ❓',
].flatMap((row) => row.split(' '))

/** Each emoji is a button that saves it. Others are typed. */
const iconForm = (call: PageCall, title: string, emoji: string, fault?: string): ShownPage => {
  const action = `/d/${call.params.id ?? ''}/icon`
  const back = backOf(call, `/d/${call.params.id ?? ''}`)
  const now = splitTitle(title).emoji
  const form = formPage(call, {
    ...{ title: text('Icon of “{shownTitle}”', { shownTitle: shownTitle(title) }), action, back, fault },
    fields: html`${textField(text('Another emoji'), 'emoji', emoji === now && OFFERED.includes(now) ? '' : emoji, html` maxlength="${TITLE_LENGTH}"`)}
<p class="about">It begins the title. Without one, the page has the icon of a document.</p>`,
    submit: text('Save'),
    above: html`${choicesStyle(call)}<form class="edit" method="post" action="${call.href(action)}">${hiddenFields(call, back)}
<fieldset><legend>An emoji</legend><div class="emojis">${OFFERED.map((one, index) => choiceHtml(one, one === now, OFFERED.includes(now) ? one === now : index === 0))}</div></fieldset>
${now !== '' && html`<div class="acts"><button name="emoji" value="">No icon</button></div>`}</form>`,
  })
  return form
}

const choiceHtml = (emoji: string, isNow: boolean, isFirst: boolean): Html =>
  html`<button class="plain" name="emoji" value="${emoji}"${isNow && html` aria-pressed="true"`}${isFirst && html` autofocus`}>${emoji}</button>`

export const iconPage: Page = {
  route: 'GET /d/:id/icon',
  needs: ['blocks_update'],
  effect: 'change',
  async handle(call) {
    const { title } = await readTitle(call, call.params.id ?? '')
    return iconForm(call, title, splitTitle(title).emoji)
  },
}

const ONE_EMOJI = /^\p{RGI_Emoji}$/v

/** Puts an emoji before the title, in place of the one that is there. The marks of the title stay with their words. */
export const changeIcon: Page = {
  route: 'POST /d/:id/icon',
  needs: ['blocks_update'],
  async handle(call) {
    const id = call.params.id ?? ''
    const emoji = fieldOf(call, 'emoji')
    const { title: now, attributes = [] } = await readTitle(call, id)
    if (emoji !== '' && !ONE_EMOJI.test(emoji))
      return iconForm(call, now, emoji, text('Expected one emoji, found other text; choose one, or leave it empty.'))
    const { rest } = splitTitle(now)
    const title = retitled({ value: now, attributes }, emoji === '' ? rest : `${emoji} ${rest}`)
    return submitForm(
      async () => {
        const answer = await call.run('blocks_update', { blocks: [{ id, title }] })
        return changedTo(call, backOf(call, `/d/${id}`), 'saved', answer)
      },
      async (fault) => iconForm(call, now, emoji, fault),
    )
  },
}
