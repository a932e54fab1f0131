/** The parts of a message to sign in with a wallet; undefined parts are omitted. */
export interface Parts {
  readonly scheme?: string | null
  readonly domain?: string
  readonly address?: string
  readonly statement?: string | null
  readonly uri?: string
  readonly version?: string
  readonly chainId?: number | string
  readonly nonce?: string
  readonly issuedAt?: string
  readonly expirationTime?: string
  readonly notBefore?: string
  readonly requestId?: string
  readonly resources?: ReadonlyArray<string>
}

/** The message in the format of EIP-4361. */
export const written = (parts: Parts) => {
  const optional = (label: string, value: string | undefined) => (value === undefined ? [] : [`${label}: ${value}`])
  return [
    `${parts.scheme ? `${parts.scheme}://` : ""}${parts.domain ?? ""} wants you to sign in with your Ethereum account:`,
    parts.address ?? "",
    "",
    ...(parts.statement === undefined || parts.statement === null ? [] : [parts.statement]),
    "",
    `URI: ${parts.uri ?? ""}`,
    `Version: ${parts.version ?? ""}`,
    `Chain ID: ${parts.chainId ?? ""}`,
    `Nonce: ${parts.nonce ?? ""}`,
    `Issued At: ${parts.issuedAt ?? ""}`,
    ...optional("Expiration Time", parts.expirationTime),
    ...optional("Not Before", parts.notBefore),
    ...optional("Request ID", parts.requestId),
    ...(parts.resources === undefined ? [] : ["Resources:", ...parts.resources.map((resource) => `- ${resource}`)]),
  ].join("\n")
}

/** Valid parts. */
export const parts = {
  domain: "service.org",
  address: "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2",
  uri: "https://service.org/login",
  version: "1",
  chainId: 1,
  nonce: "32891757",
  issuedAt: "2021-09-30T16:25:24.000Z",
} as const satisfies Parts
