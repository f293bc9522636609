/** The pages on which people sign in and consent before a program gets access. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type Provider from 'oidc-provider'
import type { SignIns } from '../../../storage/sign-ins.ts'
import { ScriptoriumError } from '../../base/errors.ts'
import { CONSENT_SEARCH_LENGTH, SIGN_IN_NAME_LENGTH } from '../../base/limits.ts'
import { listSelectableDocuments } from '../../space/documents/document-filter.ts'
import { narrowerAccess } from '../../space/model/access.ts'
import {
  ACCESS_LEVELS,
  type AccessLevel,
  CONNECTION_KINDS,
  type ConnectionKind,
  OPERATOR_LINK,
} from '../../space/model/space.ts'
import type { OpenSpace } from '../../space/open-space.ts'
import { findAccount } from '../../space/participants/participants.ts'
import { accessForScopes, SCOPES, scopesForAccess } from '../resource-server/scopes.ts'
import { type ConsentChoice, clientDisplayName, getConsentChoice, saveConsent } from './consents.ts'
import { type ClientDescription, renderConsentPage, renderErrorPage, renderSignInPage } from './issuer-pages.ts'
import { getFormSecret } from './issuer-provider.ts'
import { STYLE_SOURCE } from './page-style.ts'
import { signInWithPassword } from './password-sign-in.ts'
import { parseRedirect } from './redirect-uris.ts'

/** A request for a page, or a submitted form. */
export interface InteractionRequest {
  provider: Provider
  space: OpenSpace
  signIns: SignIns
  incoming: IncomingMessage
  outgoing: ServerResponse
  /** The fields of a submitted form. */
  form?: URLSearchParams
  /** The address of the client. */
  from: string
  /** The access of a program that requests no scope, and the resource of tokens for which none is named. */
  initialAccess: AccessLevel
  defaultResource: string
}

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>

/**
 * Handles an interaction. Redirects of the browser are sent directly.
 *
 * @param readForm  reads the form of the request, or returns an error response; undefined for a request of the page
 */
export async function handleInteraction(
  request: Omit<InteractionRequest, 'form'>,
  readForm?: () => Promise<URLSearchParams | Response>,
): Promise<Response | undefined> {
  const { provider, incoming, outgoing, signIns } = request
  const interaction = await provider.interactionDetails(incoming, outgoing).catch(() => undefined)
  if (interaction === undefined) {
    const expired = 'It was begun in another browser, took too long, or was answered already.'
    // The form of an expired interaction is not read.
    return pageResponse(renderErrorPage(expired), 400, { isLast: readForm !== undefined })
  }
  const form = await readForm?.()
  if (form instanceof Response) return form
  const interactionRequest: InteractionRequest = { ...request, ...(form && { form }) }
  const token = await csrfToken(signIns, interaction.uid)
  if (form !== undefined && !timingSafeMatch(form.get('token') ?? '', token)) {
    return pageResponse(renderErrorPage('The form was not one of this page.'), 403)
  }
  if (form?.get('do') === 'refuse') {
    const refused = { error: 'access_denied', error_description: 'It was refused.' }
    await provider.interactionFinished(incoming, outgoing, refused, { mergeWithLastSubmission: false })
    return undefined
  }
  return interaction.prompt.name === 'login'
    ? handleSignIn(interactionRequest, interaction)
    : handleConsent(interactionRequest, interaction)
}

async function handleSignIn(request: InteractionRequest, interaction: Interaction): Promise<Response | undefined> {
  const { provider, space, signIns, incoming, outgoing, form, from } = request
  const program = await describeClient(provider, interaction)
  const pageProps = { space: space.info.name, program, token: await csrfToken(signIns, interaction.uid) }
  if (form === undefined) return pageResponse(renderSignInPage(pageProps), 200, { program })
  const name = form.get('name') ?? ''
  const result = await signInWithPassword(space, signIns, { name, password: form.get('password') ?? '', from })
  if ('fault' in result) {
    const { fault, status, retryAfter } = result
    const typed = name.slice(0, SIGN_IN_NAME_LENGTH)
    return pageResponse(renderSignInPage({ ...pageProps, name: typed, fault }), status, { program, retryAfter })
  }
  await provider.interactionFinished(
    incoming,
    outgoing,
    { login: { accountId: result.account.id, remember: true } },
    { mergeWithLastSubmission: false },
  )
  return undefined
}

async function handleConsent(request: InteractionRequest, interaction: Interaction): Promise<Response | undefined> {
  const { provider, space, signIns, form } = request
  const { params, session, grantId } = interaction
  const account = await space.read(OPERATOR_LINK, (view) => findAccount(view, session?.accountId ?? ''))
  if (account === undefined)
    return pageResponse(renderErrorPage('The person who signed in is no longer a participant.'), 403)
  const program = await describeClient(provider, interaction)
  const offered = offeredAccess(params.scope, request.initialAccess)
  const previous = grantId && (await space.read(OPERATOR_LINK, (view) => getConsentChoice(view, grantId)))
  const choice = form === undefined ? initialChoice(previous || undefined, offered) : parseChoice(form, offered)
  const query = (form?.get('search') ?? '').slice(0, CONSENT_SEARCH_LENGTH)
  const show = async (status: number, fault?: string): Promise<Response> => {
    const picked = await space.read(OPERATOR_LINK, (view) => listSelectableDocuments(view, query, choice.documents))
    const page = renderConsentPage({
      space: space.info.name,
      program,
      token: await csrfToken(signIns, interaction.uid),
      person: account.name,
      switchAccountUrl: switchAccountUrl(request, interaction),
      offered,
      choice,
      ...picked,
      query,
      ...(fault !== undefined && { fault }),
    })
    return pageResponse(page, status, { program })
  }
  if (form?.get('do') !== 'allow') return show(200)
  if (choice.kind === 'selected' && choice.documents.length === 0) {
    return show(400, 'Choose the documents that it reaches.')
  }
  try {
    await grantAccess(request, interaction, { account, program: program.name, choice })
    return undefined
  } catch (error) {
    // A document may have been deleted in the meantime.
    if (error instanceof ScriptoriumError && error.status < 500) return show(400, error.message)
    throw error
  }
}

/** Grants the chosen part of the requested access, and creates the link that stands for it. */
async function grantAccess(
  { provider, space, signIns, incoming, outgoing, defaultResource }: InteractionRequest,
  { params, session, grantId }: Interaction,
  consent: Parameters<typeof saveConsent>[2],
): Promise<void> {
  const clientId = String(params.client_id)
  const accountId = session?.accountId ?? ''
  const known = grantId === undefined ? undefined : await provider.Grant.find(grantId)
  const grant = known ?? new provider.Grant({ accountId, clientId })
  const granted = scopesForAccess(consent.choice.access)
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
  for (const resource of resources.length > 0 ? resources : [defaultResource]) {
    grant.addResourceScope(resource, granted.join(' '))
    if (refused.length > 0) grant.rejectResourceScope(resource, refused.join(' '))
  }
  const saved = await grant.save()
  await space.write(OPERATOR_LINK, (view) => saveConsent(view, saved, consent))
  await signIns.persist('Client', clientId)
  await provider.interactionFinished(
    incoming,
    outgoing,
    { consent: { grantId: saved } },
    { mergeWithLastSubmission: true },
  )
}

/** The requested access, and all levels that it includes. */
function offeredAccess(scope: unknown, first: AccessLevel): readonly AccessLevel[] {
  const requested = accessForScopes(String(scope ?? '').split(' ')) ?? first
  return ACCESS_LEVELS.filter((level) => narrowerAccess(requested, level) === level)
}

const initialChoice = (previous: ConsentChoice | undefined, offered: readonly AccessLevel[]): ConsentChoice => ({
  kind: previous?.kind ?? 'full',
  // A request for more access than was granted before preselects that access.
  access: offered[0] ?? 'read',
  documents: previous?.documents ?? [],
})

function parseChoice(form: URLSearchParams, offered: readonly AccessLevel[]): ConsentChoice {
  const kind = CONNECTION_KINDS.find((one) => one === form.get('kind')) ?? ('full' satisfies ConnectionKind)
  const access = offered.find((one) => one === form.get('access')) ?? 'read'
  const documents = kind === 'selected' || form.get('do') === 'search' ? [...new Set(form.getAll('document'))] : []
  return { kind, access, documents }
}

async function describeClient(provider: Provider, { params }: Interaction): Promise<ClientDescription> {
  const id = String(params.client_id)
  const client = await provider.Client.find(id)
  const redirect = parseRedirect(String(params.redirect_uri ?? client?.redirectUris?.[0]))
  if (redirect === undefined) throw new Error(`Expected a redirect URI of ${id} that is taken.`)
  const isDocument = id.startsWith('https://')
  return { name: clientDisplayName(client?.clientName ?? id), ...redirect, ...(isDocument && { document: id }) }
}

/** The address of the same request, asking again who signs in. */
function switchAccountUrl({ provider }: InteractionRequest, { params }: Interaction): string {
  const url = new URL(`${provider.issuer}/auth`)
  for (const [name, value] of Object.entries(params)) {
    for (const one of [value].flat())
      if (one !== undefined && name !== 'prompt') url.searchParams.append(name, String(one))
  }
  url.searchParams.set('prompt', 'login')
  return `${url.pathname}${url.search}`
}

const csrfToken = async (signIns: SignIns, uid: string): Promise<string> =>
  createHmac('sha256', await getFormSecret(signIns))
    .update(uid)
    .digest('base64url')

const timingSafeMatch = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))

interface PageOptions {
  /** The program that the form may redirect to. */
  program?: ClientDescription
  /** True if the connection is closed after the response. */
  isLast?: boolean
  /** In seconds. */
  retryAfter?: number | undefined
}

/**
 * A page that loads and runs nothing, cannot be framed, and only submits forms to this server and back to the program.
 */
function pageResponse(
  page: ReturnType<typeof renderErrorPage>,
  status: number,
  { program, isLast = false, retryAfter }: PageOptions = {},
): Response {
  const policy = [
    "default-src 'none'",
    `style-src ${STYLE_SOURCE}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
    // Browsers also apply `form-action` to the redirect back to the program.
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
