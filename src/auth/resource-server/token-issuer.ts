/** Who signs access tokens and verifies them: this server or a remote one. */
import type { AccessToken } from './access-token.ts'

/** Who signs tokens, and tells what they say. */
export interface TokenIssuer {
  /** As tokens and metadata name it, for the space of a key. */
  issuerUrl(key: string, place: ServerAddress): string
  /**
   * @param audiences  of which the token must be for one
   * @throws VALIDATION_ERROR, with what is wrong with the token; SilentIssuer
   */
  verify(token: string, audiences: readonly string[], key: string, place: ServerAddress): Promise<AccessToken>
}

/** Where the server is reached. */
export interface ServerAddress {
  host: string
  port: number
  isSecure: boolean
  publicUrl?: string
}
