/** Path of a space's issuer. */

export const ISSUER_PATH = /^.*?\/spaces\/([^/]+)\/oauth(?=\/|$)/

/** The key of the space in an issuer's path; '' for any other path. */
export const issuerSpaceKey = (path: string): string => ISSUER_PATH.exec(path)?.[1] ?? ''
