/** Refusals that tell a client how to get the token that would do. */
import { type ErrorCode, ScriptoriumError } from '../base/errors.ts'

/** A refusal with what `WWW-Authenticate` says of it. */
export class AuthChallenge extends ScriptoriumError {
  readonly wwwAuthenticate: string

  constructor(code: ErrorCode, message: string, params: Record<string, string>) {
    super(code, message)
    const parts = Object.entries(params).map(([name, value]) => `${name}="${value}"`)
    this.wwwAuthenticate = `Bearer ${parts.join(', ')}`
  }
}

/** The issuer does not answer, or not as issuers do: no token can be verified, through no fault of the client. */
export class IssuerUnavailable extends ScriptoriumError {
  constructor(issuer: string, cause?: unknown) {
    const sentence = `Expected an answer of ${issuer}, found none that can be used; try again soon.`
    super('INTERNAL_ERROR', sentence, [], 10)
    this.cause = cause
  }

  override get status(): number {
    return 503
  }
}
