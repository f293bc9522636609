/** What people are asked before a program is let in: who they are, and what it may do. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type Provider from 'oidc-provider'
import { ScriptoriumError } from '../../errors.ts'
import { DOCUMENT_SEARCH_LENGTH, SIGN_IN_NAME_LENGTH } from '../../limits.ts'
import { pickDocuments } from '../../space/documents-pick.ts'
import type { OpenSpace } from '../../space/open.ts'
import { accountOf } from '../../space/participants.ts'
import { ACCESSES, type Access, KINDS, type Kind, OWN_LINK } from '../../space/space.ts'
import { accessOf, SCOPES, scopesOf } from '../oauth/scopes.ts'
import type { SignIns } from './adapter.ts'
import { attempt } from './attempts.ts'
import { type Choice, choiceOf, keepConsent, plainName } from './consents.ts'
import { consentPage, errorPage, type Program, signInPage } from './pages.ts'
import { formSecret } from './provider.ts'
import { redirectOf } from './redirects.ts'
import { STYLE_SOURCE } from './style.ts'

/** A request for a page, or with its form. */
export interface Asked {
  provider: Provider
  space: OpenSpace
  signIns: SignIns
  incoming: IncomingMessage
  outgoing: ServerResponse
  /** What a form brought. */
  form?: URLSearchParams
  /** The address that it comes from. */
  from: string
  /** What a program is let do that asks for nothing, and what its tokens are for that names nothing. */
  first: Access
  standardResource: string
}

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>

/**
 * Answers by itself where the browser is sent on.
 *
 * @param readForm  the form of the request, or its refusal; absent where the page is asked for
 */
export async function answerInteraction(
  request: Omit<Asked, 'form'>,
  readForm?: () => Promise<URLSearchParams | Response>,
): Promise<Response | undefined> {
  const { provider, incoming, outgoing, signIns } = request
  const interaction = await provider.interactionDetails(incoming, outgoing).catch(() => undefined)
  if (interaction === undefined) {
    const late = 'It was begun in another browser, took too long, or was answered already.'
    // A form that comes with it is not read.
    return pageOf(errorPage(late), 400, { isLast: readForm !== undefined })
  }
  const form = await readForm?.()
  if (form instanceof Response) return form
  const asked: Asked = { ...request, ...(form && { form }) }
  const token = formToken(signIns, interaction.uid)
  if (form !== undefined && !isSame(form.get('token') ?? '', token)) {
    return pageOf(errorPage('The form was not one of this page.'), 403)
  }
  if (form?.get('do') === 'refuse') {
    const refused = { error: 'access_denied', error_description: 'It was refused.' }
    await provider.interactionFinished(incoming, outgoing, refused, { mergeWithLastSubmission: false })
    return undefined
  }
  return interaction.prompt.name === 'login' ? signIn(asked, interaction) : consent(asked, interaction)
}

async function signIn(asked: Asked, interaction: Interaction): Promise<Response | undefined> {
  const { provider, space, signIns, incoming, outgoing, form, from } = asked
  const program = await programOf(provider, interaction)
  const shown = { space: space.info.name, program, token: formToken(signIns, interaction.uid) }
  if (form === undefined) return pageOf(signInPage(shown), 200, { program })
  const name = form.get('name') ?? ''
  const tried = await attempt(space, signIns, { name, password: form.get('password') ?? '', from })
  if ('fault' in tried) {
    const { fault, status, retryAfter } = tried
    const typed = name.slice(0, SIGN_IN_NAME_LENGTH)
    return pageOf(signInPage({ ...shown, name: typed, fault }), status, { program, retryAfter })
  }
  await provider.interactionFinished(
    incoming,
    outgoing,
    { login: { accountId: tried.account.id, remember: true } },
    { mergeWithLastSubmission: false },
  )
  return undefined
}

async function consent(asked: Asked, interaction: Interaction): Promise<Response | undefined> {
  const { provider, space, signIns, form } = asked
  const { params, session, grantId } = interaction
  const account = await space.read(OWN_LINK, (view) => accountOf(view, session?.accountId ?? ''))
  if (account === undefined) return pageOf(errorPage('Whoever signed in takes part no more.'), 403)
  const program = await programOf(provider, interaction)
  const offered = offeredBy(params.scope, asked.first)
  const before = grantId && (await space.read(OWN_LINK, (view) => choiceOf(view, grantId)))
  const choice = form === undefined ? firstChoice(before || undefined, offered) : choiceIn(form, offered)
  const searched = (form?.get('search') ?? '').slice(0, DOCUMENT_SEARCH_LENGTH)
  const show = async (status: number, fault?: string): Promise<Response> => {
    const picked = await space.read(OWN_LINK, (view) => pickDocuments(view, searched, choice.documents))
    const page = consentPage({
      space: space.info.name,
      program,
      token: formToken(signIns, interaction.uid),
      person: account.name,
      otherUrl: otherUrl(asked, interaction),
      offered,
      choice,
      ...picked,
      searched,
      ...(fault !== undefined && { fault }),
    })
    return pageOf(page, status, { program })
  }
  if (form?.get('do') !== 'allow') return show(200)
  if (choice.kind === 'selected' && choice.documents.length === 0) {
    return show(400, 'Choose the documents that it reaches.')
  }
  try {
    await allow(asked, interaction, { account, program: program.name, choice })
    return undefined
  } catch (error) {
    // A document may have gone meanwhile.
    if (error instanceof ScriptoriumError && error.status < 500) return show(400, error.message)
    throw error
  }
}

/** Grants what was chosen of what was asked for, and makes the link that stands for it. */
async function allow(
  { provider, space, signIns, incoming, outgoing, standardResource }: Asked,
  { params, session, grantId }: Interaction,
  kept: Parameters<typeof keepConsent>[2],
): Promise<void> {
  const clientId = String(params.client_id)
  const accountId = session?.accountId ?? ''
  const known = grantId === undefined ? undefined : await provider.Grant.find(grantId)
  const grant = known ?? new provider.Grant({ accountId, clientId })
  const granted = scopesOf(kept.choice.access)
  const refused = SCOPES.filter((scope) => !granted.includes(scope))
  const others = String(params.scope ?? '')
    .split(' ')
    .filter((scope) => scope !== '' && !(SCOPES as readonly string[]).includes(scope))
  delete grant.resources
  delete grant.openid
  delete grant.rejected
  const resources = [params.resource].flat().filter((one) => typeof one === 'string')
  grant.addOIDCScope([...granted, ...others].join(' '))
  if (refused.length > 0) grant.rejectOIDCScope(refused.join(' '))
  for (const resource of resources.length > 0 ? resources : [standardResource]) {
    grant.addResourceScope(resource, granted.join(' '))
    if (refused.length > 0) grant.rejectResourceScope(resource, refused.join(' '))
  }
  const saved = await grant.save()
  await space.write(OWN_LINK, (view) => keepConsent(view, saved, kept))
  signIns.keep('Client', clientId)
  await provider.interactionFinished(
    incoming,
    outgoing,
    { consent: { grantId: saved } },
    { mergeWithLastSubmission: true },
  )
}

/** What was asked for, and all that is less. */
function offeredBy(scope: unknown, first: Access): readonly Access[] {
  const asked = accessOf(String(scope ?? '').split(' ')) ?? first
  return ACCESSES.slice(ACCESSES.indexOf(asked))
}

const firstChoice = (before: Choice | undefined, offered: readonly Access[]): Choice => ({
  kind: before?.kind ?? 'full',
  // Where more is asked for than was allowed, that is what the page is about.
  access: offered[0] ?? 'read',
  documents: before?.documents ?? [],
})

function choiceIn(form: URLSearchParams, offered: readonly Access[]): Choice {
  const kind = KINDS.find((one) => one === form.get('kind')) ?? ('full' satisfies Kind)
  const access = offered.find((one) => one === form.get('access')) ?? 'read'
  const documents = kind === 'selected' || form.get('do') === 'search' ? [...new Set(form.getAll('document'))] : []
  return { kind, access, documents }
}

async function programOf(provider: Provider, { params }: Interaction): Promise<Program> {
  const id = String(params.client_id)
  const client = await provider.Client.find(id)
  const redirect = redirectOf(String(params.redirect_uri ?? client?.redirectUris?.[0]))
  if (redirect === undefined) throw new Error(`Expected a redirect URI of ${id} that is taken.`)
  const isDocument = id.startsWith('https://')
  return { name: plainName(client?.clientName ?? id), ...redirect, ...(isDocument && { document: id }) }
}

/** The same request again, with the question who signs in. */
function otherUrl({ provider }: Asked, { params }: Interaction): string {
  const url = new URL(`${provider.issuer}/auth`)
  for (const [name, value] of Object.entries(params)) {
    for (const one of [value].flat())
      if (one !== undefined && name !== 'prompt') url.searchParams.append(name, String(one))
  }
  url.searchParams.set('prompt', 'login')
  return `${url.pathname}${url.search}`
}

const formToken = (signIns: SignIns, uid: string): string =>
  createHmac('sha256', formSecret(signIns)).update(uid).digest('base64url')

const isSame = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))

interface Sent {
  /** Where its form may lead, besides here. */
  program?: Program
  /** Whether the connection ends with it. */
  isLast?: boolean
  /** Seconds. */
  retryAfter?: number | undefined
}

/** Nothing of it is loaded from elsewhere, run, framed, or sent anywhere but here and back to the program. */
function pageOf(
  page: ReturnType<typeof errorPage>,
  status: number,
  { program, isLast = false, retryAfter }: Sent = {},
): Response {
  const policy = [
    "default-src 'none'",
    `style-src ${STYLE_SOURCE}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
    // Browsers hold the way back to the program against it as well.
    `form-action 'self'${program === undefined ? '' : ` ${program.source}`}`,
  ]
  return new Response(String(page), {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy.join('; '),
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'same-origin',
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'DENY',
      ...(isLast && { Connection: 'close' }),
      ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
    },
  })
}
