/** The issuer of access tokens: this server or a remote one. */
import type { AccessToken } from './access-token.ts'

/** Verifies tokens and returns their content. */
export interface TokenIssuer {
  /** The issuer's identifier for a space, as in tokens and metadata. */
  issuerUrl(key: string, place: ServerAddress): string
  /**
   * @param audiences  one of which the token must have
   * @throws VALIDATION_ERROR that says what is wrong with the token; IssuerUnavailable
   */
  verify(token: string, audiences: readonly string[], key: string, place: ServerAddress): Promise<AccessToken>
}

/** The address of the server. */
export interface ServerAddress {
  host: string
  port: number
  isSecure: boolean
  publicUrl?: string
}
