/** Authentication errors that tell a client how to get a sufficient token. */
import { type ErrorCode, ScriptoriumError } from '../base/errors.ts'

/** An error with the value of its `WWW-Authenticate` header. */
export class AuthChallenge extends ScriptoriumError {
  readonly wwwAuthenticate: string

  constructor(code: ErrorCode, message: string, params: Record<string, string>) {
    super(code, message)
    const parts = Object.entries(params).map(([name, value]) => `${name}="${value}"`)
    this.wwwAuthenticate = `Bearer ${parts.join(', ')}`
  }
}

/** The issuer does not respond properly, so no token can be verified. The client is not at fault. */
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
