/** Pictures of members, beside their names. */
import { type Html, html } from './html.ts'
import { shownText } from './shown-text.ts'

/** By name. */
export type Pictures = ReadonlyMap<string, string>

/** The picture of a member before its name. Screen readers say the name alone. */
export const pictureHtml = (picture: string | undefined): Html | false =>
  picture !== undefined && html`<span class="picture" aria-hidden="true">${shownText(picture)}</span> `
