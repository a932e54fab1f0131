/** The codes of jose when the keys could not be read: another status than 200, no key set in the response, or no response in time. */
export const unreadKeys: ReadonlyArray<string> = ["ERR_JOSE_GENERIC", "ERR_JWKS_INVALID", "ERR_JWKS_TIMEOUT"]
