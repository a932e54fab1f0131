/** The codes of Node and OpenSSL for a certificate or a protocol that does not fit. */
const codes = /^(ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|INVALID_(CA|PURPOSE)|PATH_LENGTH_EXCEEDED)/

/** Whether a connection failed because of TLS: it will not succeed before an operator changes certificates or settings. */
export const isTlsFault = (error: unknown): boolean => codes.test(String((Object(error) as { readonly code?: unknown }).code))
