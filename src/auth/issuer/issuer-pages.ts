/** The pages of the issuer: plain HTML that works without scripts. */
import { html, raw } from 'hono/html'
import { type AccessLevel, CONNECTION_KINDS, type ConnectionKind } from '../../space/model/space.ts'
import type { ConsentChoice } from './consents.ts'
import { STYLE } from './page-style.ts'

type Html = ReturnType<typeof html>

/** The program that requests access, as shown on the page. */
export interface ClientDescription {
  /** The name that it reports for itself. */
  name: string
  /** Where the response goes: described for the person, and as a source for the Content-Security-Policy. */
  target: string
  source: string
  /**
   * The address of its metadata document, which proves its identity; undefined for a program that registered itself.
   */
  document?: string
}

export interface SignInPageProps {
  space: string
  program: ClientDescription
  /** Proves that the form comes from this page. */
  token: string
  /** The submitted name. */
  name?: string
  fault?: string
}

export interface ConsentPageProps {
  space: string
  program: ClientDescription
  token: string
  /** The name of the person who signed in. */
  person: string
  /** The address at which another person can sign in. */
  switchAccountUrl: string
  /** The kinds of access that were requested, and lower ones. */
  offered: readonly AccessLevel[]
  choice: ConsentChoice
  /** Documents that match the search. Chosen ones come first. */
  documents: readonly { id: string; title: string }[]
  query: string
  /** The number of further matches. */
  more: number
  fault?: string
}

const renderPage = (title: string, content: Html): Html =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${raw(STYLE)}</style>
</head>
<body>
<main>
${content}
</main>
</body>
</html>`

const renderAlert = (fault: string | undefined): Html | '' =>
  fault === undefined ? '' : html`<p role="alert" id="fault">${fault}</p>`

const renderClient = ({ name, target, document }: ClientDescription): Html => html`<dl>
<dt>Program</dt><dd>${name}${document === undefined ? ' (its own word)' : ''}</dd>
${document === undefined ? '' : html`<dt>Described at</dt><dd>${document}</dd>`}
<dt>Answer goes to</dt><dd>${target}</dd>
</dl>`

export const renderSignInPage = ({ space, program, token, name = '', fault }: SignInPageProps): Html =>
  renderPage(
    `Sign in to ${space}`,
    html`<h1>Sign in to ${space}</h1>
<p>${program.name} asks to be let into this space. Sign in to say what it may do.</p>
${renderAlert(fault)}
<form method="post">
<input type="hidden" name="token" value="${token}">
<label for="name">Your name</label>
<input type="text" id="name" name="name" value="${name}" autocomplete="username" autocapitalize="none" spellcheck="false" required ${fault === undefined ? raw('autofocus') : raw('aria-describedby="fault"')}>
<label for="password">Your password</label>
<input type="password" id="password" name="password" autocomplete="current-password" required ${fault === undefined ? '' : raw('aria-describedby="fault" autofocus')}>
<div class="buttons">
<button class="main" type="submit" name="do" value="sign-in">Sign in</button>
<button type="submit" name="do" value="refuse" formnovalidate>Refuse</button>
</div>
</form>
${renderClient(program)}`,
  )

const KIND_LABELS: Record<ConnectionKind, [name: string, about: string]> = {
  full: ['The whole space', 'All documents, daily notes, tasks and reminders.'],
  selected: ['Selected documents', 'Those that you choose, and nothing else.'],
  daily: ['Daily notes and tasks', 'Daily notes, the task inbox and the logbook.'],
}

const ACCESS_LABELS: Record<AccessLevel, [name: string, about: string]> = {
  full: ['Read, write and delete', ''],
  'no-delete': ['Read and write', 'It may delete nothing.'],
  propose: ['Read and propose', 'What it writes waits until you approve it.'],
  comment: ['Read and comment', 'It may change nothing else.'],
  read: ['Read', 'It may change nothing.'],
}

function renderChoices<Value extends string>(
  field: string,
  values: readonly Value[],
  chosen: Value,
  labels: Record<Value, [name: string, about: string]>,
): Html[] {
  return values.map((value) => {
    const [name, about] = labels[value]
    return html`<label class="choice"><input type="radio" name="${field}" id="${value === 'full' ? `${field}-full` : value}" value="${value}" ${value === chosen ? raw('checked') : ''}><span>${name}${about === '' ? '' : html`<small>${about}</small>`}</span></label>
`
  })
}

export const renderConsentPage = (props: ConsentPageProps): Html => {
  const { space, program, token, person, switchAccountUrl, offered, choice, documents, query, more, fault } = props
  const chosen = new Set(choice.documents)
  return renderPage(
    `Let ${program.name} into ${space}?`,
    html`<h1>Let ${program.name} into ${space}?</h1>
${renderClient(program)}
<p class="soft">You are ${person}. <a href="${switchAccountUrl}">Sign in as somebody else</a></p>
${renderAlert(fault)}
<form method="post">
<input type="hidden" name="token" value="${token}">
<fieldset>
<legend>What it reaches</legend>
${renderChoices('kind', CONNECTION_KINDS, choice.kind, KIND_LABELS)}
</fieldset>
<fieldset class="picker">
<legend>Documents</legend>
<label for="search">Find by title</label>
<div class="row">
<input type="search" id="search" name="search" value="${query}">
<button type="submit" name="do" value="search">Find</button>
</div>
<div class="documents" tabindex="0" role="group" aria-label="Documents to choose from">
${documents.map(
  ({ id, title }) =>
    html`<label class="choice"><input type="checkbox" name="document" value="${id}" ${chosen.has(id) ? raw('checked') : ''}><span>${title}</span></label>
`,
)}
</div>
${documents.length === 0 ? html`<p class="soft">No document has these words in its title.</p>` : ''}
${more > 0 ? html`<p class="soft">And ${more} more: find them by their titles.</p>` : ''}
</fieldset>
<fieldset>
<legend>What it may do there</legend>
${renderChoices('access', offered, choice.access, ACCESS_LABELS)}
</fieldset>
<div class="buttons">
<button class="main" type="submit" name="do" value="allow">Allow</button>
<button type="submit" name="do" value="refuse">Refuse</button>
</div>
</form>
<p class="soft">The person who runs this space can revoke it at any time.</p>`,
  )
}

export const renderErrorPage = (sentence: string): Html =>
  renderPage(
    'This sign-in cannot go on',
    html`<h1>This sign-in cannot go on</h1>
<p role="alert">${sentence}</p>
<p>Go back to the program that you came from, and connect it again.</p>`,
  )
