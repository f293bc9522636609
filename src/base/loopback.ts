/** Names and addresses of this machine itself, as they stand in a URL or as one listens at them. */
export const isLoopbackHost = (host: string): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(host)
