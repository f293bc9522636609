/** The pages that people see before they have access to a space, or when they leave it. */
import { plainPage } from './frame/layout.ts'
import { html } from './html.ts'
import { htmlResponse, retryHeader } from './page-response.ts'
import { scriptPath } from './scripts.ts'
import { type TextKey, text, textKey } from './texts/text.ts'
import { waysOn } from './ways-on.ts'

/** Reasons why someone has no access. */
export type DenialReason = 'no-session' | 'invalid-link' | 'invalid-entry' | 'not-signed-in' | 'too-many'

export interface DenialOptions {
  /** The address for signing in, if there is one. */
  signIn?: string | undefined
  /** The base address of the space's pages, so that what this browser has not sent can be copied. */
  base?: string
  /** Replaces the standard sentence. */
  reason?: string
  /** In seconds. */
  retryAfter?: number
  /** The address to load again, if that may help. */
  again?: string | undefined
}

/** The sign-in form. */
export interface SignInForm {
  /** The name of the space. */
  space: string
  /** The address that it submits to. */
  action: string
  /** The submitted name. */
  name?: string
  fault?: string
  status?: number
  /** In seconds. */
  retryAfter?: number
  /** How this browser has opened the space, if it has, such as `as Anna`. Signing in ends that session. */
  current?: string | undefined
}

/** A page after signing out. */
export interface SignedOut {
  /** The base address of the space's pages. */
  base: string
  /** See `sessionOwner`. */
  owner: string
  /** The address for signing in, if there is one. */
  signIn: string | undefined
  /** False if the server could not store that the session has ended. */
  isEnded: boolean
}

/** The question whether an offered session replaces the one that the browser has. */
export interface SessionChoice {
  /** The name of the space. */
  space: string
  /** The address that the form submits to. */
  action: string
  /** The form token of the current session. */
  token: string
  /** How the space is open, and how it would be, such as `as Anna`. */
  current: string
  offered: string
}

const DENIALS: Record<DenialReason, { title: TextKey; status: number; sentence: TextKey }> = {
  'no-session': {
    title: textKey('Open this space first'),
    status: 401,
    sentence: textKey(
      'This browser has not opened the space yet, or its session has ended. On the machine with the space, run scriptorium open. With a link to the space, open its address ending in /view.',
    ),
  },
  'invalid-link': {
    title: textKey('This link does not open'),
    status: 401,
    sentence: textKey(
      'The link is wrong, was revoked, has expired, or was made with --bearer, whose secret no browser sends. Ask the person who made it for another.',
    ),
  },
  'invalid-entry': {
    title: textKey('This address is not valid, or not any more'),
    status: 401,
    sentence: textKey(
      'Each address opens the space once, and only for a while. Run scriptorium open again for a new one.',
    ),
  },
  'not-signed-in': {
    title: textKey('Not signed in'),
    status: 403,
    sentence: textKey('The sign-in did not work.'),
  },
  'too-many': {
    title: textKey('Too many requests'),
    status: 429,
    sentence: textKey(
      'More pages were asked for than one address may have at once. Wait some seconds, then try again.',
    ),
  },
}

/** For pages of a space, its script offers what was not sent yet, for copying: access may have just ended. */
export async function denialPage(why: DenialReason, root: string, options: DenialOptions = {}): Promise<Response> {
  const { title, status, sentence } = DENIALS[why]
  const { signIn, retryAfter, reason, base, again } = options
  const way = signIn === undefined ? sentence : (SIGN_IN_SENTENCES[why] ?? sentence)
  const content = html`<p${status !== 200 && html` role="alert"`}>${reason ?? way}</p>${signIn !== undefined && html`<p><a class="button go" href="${signIn}">Sign in</a></p>`}${waysOn({ again })}`
  const outside = base === undefined ? undefined : { base, owner: '', script: await scriptPath(root, 'signedOut') }
  return htmlResponse(plainPage(title, content, root, outside), status, retryHeader(retryAfter))
}

/** If there is a sign-in page, these sentences refer to it. */
const SIGN_IN_SENTENCES: Partial<Record<DenialReason, TextKey>> = {
  'no-session': textKey('This browser has not opened the space yet, or its session has ended.'),
}

/** Its script offers what was not sent yet, for copying. */
export async function signedOutPage({ base, owner, signIn, isEnded }: SignedOut, root: string): Promise<Response> {
  const way = signIn === undefined && html` To come back, open it the way you did before.`
  const content = html`<p>This browser has left the space.${way}</p>
${
  !isEnded &&
  html`<p role="alert">The server could not store that the session has ended, so a copy of its cookie would still open the space. Revoke the link if somebody may have one.</p>`
}${signIn !== undefined && html`<p><a class="button go" href="${signIn}">Sign in</a></p>`}`
  const script = await scriptPath(root, 'signedOut')
  return htmlResponse(plainPage(text('Signed out'), content, root, { base, owner, script }))
}

export function sessionChoicePage({ space, action, token, current, offered }: SessionChoice, root: string): Response {
  const content = html`<p>This browser has opened ${space} ${current}. The address that you followed opens it ${offered} instead.</p>
<p>If you did not mean to change that, stay. Changes that wait in this browser are never sent as somebody else.</p>
<form class="edit" method="post" action="${action}"><input type="hidden" name="token" value="${token}">
<div class="acts"><button class="go" name="do" value="stay">Stay</button><button name="do" value="change">Change</button></div>
</form>`
  return htmlResponse(plainPage(text('{space} is open already', { space }), content, root))
}

export function signInPage(
  { space, action, name = '', fault, status = 200, retryAfter, current }: SignInForm,
  root: string,
): Response {
  const described = fault !== undefined && html` aria-describedby="fault"`
  const content = html`${fault !== undefined && html`<p class="notice" role="alert" id="fault">${fault}</p>`}
${current !== undefined && html`<p>This browser has opened the space ${current}. Signing in ends that session.</p>`}
<form class="edit" method="post" action="${action}">
<label>Your name <input type="text" dir="auto" name="name" value="${name}" autocomplete="username" autocapitalize="none" spellcheck="false" required${fault === undefined ? html` autofocus` : described}></label>
<label>Your password <input type="password" name="password" autocomplete="current-password" required${fault !== undefined && html`${described} autofocus`}></label>
<div class="acts"><button class="go">Sign in</button></div>
</form>`
  return htmlResponse(plainPage(text('Sign in to {space}', { space }), content, root), status, retryHeader(retryAfter))
}
