/** Requests over links: whose link it is, and what is answered over REST and MCP. */

import type { HttpBindings } from '@hono/node-server'
import { getConnInfo } from '@hono/node-server/conninfo'
import type { Context } from 'hono'
import { BODY_SECONDS } from '../limits.ts'
import { type Link, OWN_LINK } from '../space/space.ts'
import type { CutOff } from './assets.ts'
import { clientAddress, type TrustHop, trustedHops } from './client-address.ts'
import type { Env } from './exchange.ts'
import { inTime, tooSlow } from './guard.ts'
import type { HttpOptions } from './http.ts'
import { keyOfIssuer } from './issuer/address.ts'
import type { IssuerCall } from './issuer/issuer.ts'
import { currentLink, keyOfAddress, noFile, openLink, wrongSecret } from './links.ts'
import { tableOf } from './mcp.ts'
import { type McpCall, McpOverHttp } from './mcp-http.ts'
import { measured } from './metrics.ts'
import { type Place, SignIn } from './oauth/sign-in.ts'
import { answerRest, CLOSING, errorResponse } from './rest.ts'
import { type Answer, admission, type Caller, noteCutOff, run } from './run.ts'
import type { Held } from './spaces.ts'
import type { Tool } from './table.ts'
import { sendFile, type Transfer, takeFile } from './transfers.ts'

/** A request over a link that is open. */
interface LinkCall extends McpCall {
  /** What follows the address of the link. */
  path: string
  /** To the journal, with the ID of the request. */
  log: (line: string) => void
  /** The body of the request. */
  bytes(): AsyncIterable<Uint8Array>
}

/** Whose a request is, and what of its caller is not as with other links. */
interface Opened extends Partial<Caller> {
  held: Held
  link: Link
  lasts?: number
}

/** Where REST begins, and the address of MCP. */
const PLACE = /^\/(?:links|spaces)\/[^/]*\/(?:mcp|api\/v1)/

export class ServedLinks {
  readonly #options: HttpOptions
  readonly #mcp: McpOverHttp
  readonly #signIn: SignIn | undefined
  readonly #isTrusted: TrustHop

  constructor(options: HttpOptions) {
    this.#options = options
    this.#signIn = options.signIn && new SignIn(options.signIn)
    this.#mcp = new McpOverHttp(options)
    this.#isTrusted = trustedHops(options)
  }

  /** Finds out whose link it is, and answers; what goes wrong is answered as the REST interface does. */
  async answer(context: Context<Env>, work: (call: LinkCall) => Promise<Response>): Promise<Response> {
    const { journal, patience } = this.#options
    const { req, env } = context
    const exchange = context.get('exchange')
    const log = (line: string) => journal.note(`${exchange.requestId} ${line}`)
    const from = this.#addressOf(context)
    try {
      const { held, link, lasts, ...own } = await this.#open(context, from)
      exchange.whenOver(() => held.release())
      exchange.link = link.id
      const files = this.#filesOver(req.url, link.id ?? '')
      const caller = { ...this.#callerOf(held, { ...link, files }, from), ...own }
      const path = req.path.replace(PLACE, '')
      const bytes = () => bytesOf(env.incoming)
      const call: LinkCall = { request: req.raw, path, caller, held, log, bytes, stands: () => exchange.end(), lasts }
      const answered = await inTime(env.incoming, patience?.body ?? BODY_SECONDS, () => work(call))
      return answered ?? (await this.#late(caller))
    } catch (error) {
      return errorResponse(error, log)
    }
  }

  /** The file that an address of its own leads to. */
  file(context: Context<Env>): Promise<Response> {
    return this.#transfer(context, sendFile)
  }

  /** Takes the one file that an address waits for. */
  upload(context: Context<Env>): Promise<Response> {
    return this.#transfer(context, (transfer, from) => {
      const callerOf = (link: Link): Caller => {
        context.get('exchange').link = link.id
        const files = this.#filesOver(context.req.url, transfer.token)
        return this.#callerOf(transfer.held, { ...link, files }, from)
      }
      return takeFile(transfer, this.#options.endpoints, callerOf, (tool, args, caller, envelope) =>
        this.#observed(tool, () => run(tool, args, caller, envelope)),
      )
    })
  }

  /** Answers a request by an address whose secret is no link's. */
  async #transfer(
    context: Context<Env>,
    work: (transfer: Transfer, from: string) => Promise<Response>,
  ): Promise<Response> {
    const { journal, patience, addresses, spaces } = this.#options
    const { req, env } = context
    const exchange = context.get('exchange')
    const log = (line: string) => journal.note(`${exchange.requestId} ${line}`)
    const from = this.#addressOf(context)
    const token = req.param('token') ?? ''
    try {
      const held = await spaces.hold(keyOfAddress(token))
      if (held === undefined) throw noFile()
      exchange.whenOver(() => held.release())
      const cutOff: CutOff = (error, what) => {
        noteCutOff(error, what, log)
        env.outgoing.destroy()
      }
      const answered = await inTime(env.incoming, patience?.body ?? BODY_SECONDS, () =>
        work({ request: req.raw, held, token, bytes: () => bytesOf(env.incoming), cutOff }, from),
      )
      return answered ?? tooSlow()
    } catch (error) {
      try {
        // Who tries secrets is counted.
        addresses.admit(from)
      } catch (limited) {
        return errorResponse(limited, log, CLOSING)
      }
      return errorResponse(error, log, CLOSING)
    }
  }

  /** The link of an address, or that of who signed in where the address is the space's. */
  async #open(context: Context<Env>, from: string): Promise<Opened> {
    const { req, env } = context
    const bearer = bearerOf(req.header('authorization'))
    const address = req.param('address')
    if (address === undefined) {
      const hold = (key: string) => this.#options.spaces.hold(key)
      return this.#counted(from, async () => {
        if (this.#signIn === undefined) throw wrongSecret()
        return this.#signIn.admit(req.url, bearer, this.#placeOf(env), hold)
      })
    }
    const held = await this.#hold(address, from)
    context.get('exchange').whenOver(() => held.release())
    const open = () => held.space.read(OWN_LINK, (space) => openLink(space, address, bearer))
    return { held, link: await this.#counted(from, open) }
  }

  /** What the address of a space asks of those who sign in. */
  metadata({ req, env }: Context<Env>): Response {
    const told = this.#signIn?.metadata(req.url, this.#placeOf(env))
    return told ?? errorResponse(wrongSecret(), this.#options.journal.note)
  }

  /** What is asked of the issuer of a space. */
  async issuer(context: Context<Env>): Promise<Response> {
    const { signIn, spaces, addresses, journal, patience } = this.#options
    const { req, env } = context
    const exchange = context.get('exchange')
    const log = (line: string) => journal.note(`${exchange.requestId} ${line}`)
    const from = this.#addressOf(context)
    try {
      // Passwords and codes could be tried here.
      addresses.admit(from)
      const held = await spaces.hold(keyOfIssuer(req.path))
      if (held !== undefined) exchange.whenOver(() => held.release())
      if (held === undefined || signIn?.embedded === undefined) throw wrongSecret()
      const { incoming, outgoing } = env as HttpBindings
      const call: IssuerCall = { request: req.raw, incoming, outgoing, held, place: this.#placeOf(env), from }
      const answering = signIn.embedded.answer.bind(signIn.embedded, call)
      return (await inTime(incoming, patience?.body ?? BODY_SECONDS, answering)) ?? tooSlow()
    } catch (error) {
      return errorResponse(error, log)
    }
  }

  #placeOf({ incoming }: Env['Bindings']): Place {
    const { host, port, tls, publicUrl } = this.#options
    const listening = incoming.socket.localPort ?? port
    return { host, port: listening, isSecure: tls !== undefined, ...(publicUrl !== undefined && { publicUrl }) }
  }

  #callerOf({ space, budget }: Held, link: Link, from: string): Caller {
    const { addresses, fileLimit } = this.#options
    const admitAddress = (count?: number) => addresses.admit(from, count)
    const now = () => space.read(OWN_LINK, (view) => currentLink(view, link.id ?? ''))
    return { space, budget, link, currentLink: now, admitAddress, ...(fileLimit !== undefined && { fileLimit }) }
  }

  async #hold(address: string, from: string): Promise<Held> {
    const held = await this.#options.spaces.hold(keyOfAddress(address))
    return held ?? this.#counted(from, () => Promise.reject(wrongSecret()))
  }

  /** Who tries secrets is counted as well. */
  async #counted<T>(from: string, open: () => Promise<T>): Promise<T> {
    try {
      return await open()
    } catch (error) {
      this.#options.addresses.admit(from)
      throw error
    }
  }

  async #late({ admitAddress }: Caller): Promise<Response> {
    admitAddress?.()
    return tooSlow()
  }

  #addressOf(context: Context<Env>): string {
    const peer = getConnInfo(context).remote.address ?? ''
    return clientAddress(peer, context.req.header('x-forwarded-for'), this.#isTrusted)
  }

  async rest({ request, path, caller, log, bytes }: LinkCall): Promise<Response> {
    const { endpoints, version } = this.#options
    const table = tableOf(endpoints, caller.link.kind)
    return answerRest(request, path, {
      endpoints,
      table,
      log,
      bytes,
      call: (tool, args, { idempotencyKey: key, ...other }) =>
        this.#observed(tool, () => run(tool, args, caller, { ...(key !== undefined && { key }), ...other })),
      refused: () => admission(caller)({}),
      version,
      baseUrl: () => this.#baseUrl(request),
      unavailable: async () => {
        const names = await caller.space.read(caller.link, (view) => table.list.unavailable(view))
        return new Set([...names, ...table.list.forbidden(caller.link.access)])
      },
    })
  }

  /** Where files are read and sent by whoever asks. Most calls answer no address of a file, and have no URL parsed. */
  #filesOver(url: string, address: string): NonNullable<Link['files']> {
    const origin = () => this.#originOf(url)
    return {
      key: keyOfAddress(address),
      get origin() {
        return origin()
      },
    }
  }

  /** Where the server is, as the callers see it. */
  #originOf(url: string): string {
    return this.#options.publicUrl?.replace(/\/+$/, '') ?? new URL(url).origin
  }

  /** Where the REST interface of a link begins. */
  #baseUrl({ url }: Request): string {
    return `${this.#originOf(url)}${PLACE.exec(new URL(url).pathname)?.[0]}`
  }

  mcp(call: LinkCall): Promise<Response> {
    return this.#mcp.answer(call)
  }

  #observed(tool: Tool, work: () => Promise<Answer>): Promise<Answer> {
    return measured(this.#options.metrics, 'rest', tool, work)
  }

  close(): Promise<void> {
    return this.#mcp.close()
  }
}

/** The bytes of a body. Who stops reading leaves the connection open for the answer. */
const bytesOf = (incoming: Env['Bindings']['incoming']): AsyncIterable<Uint8Array> =>
  incoming.iterator({ destroyOnReturn: false })

const bearerOf = (authorization: string | undefined): string | undefined =>
  /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
