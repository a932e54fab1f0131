import { DateTime, Option } from "effect"
import { type AuthError, ExpiredMessage, InvalidMessage } from "../errors.ts"
import { instant } from "../values/timestamp.ts"
import { authority, pchar, scheme, uri, uriCharacters } from "../values/uri-grammar.ts"

/** A message that a user signs with a wallet to sign in (EIP-4361). */
export interface SiweMessage {
  readonly scheme: string | null
  readonly domain: string
  /** In the spelling of the message: EIP-4361 requires the checksum of EIP-55, which `Ethereum` computes. */
  readonly address: string
  readonly statement: string | null
  readonly uri: string
  readonly chain_id: number
  readonly nonce: string
  readonly issued_at: DateTime.Utc
  readonly expiration_time: DateTime.Utc | null
  readonly not_before: DateTime.Utc | null
  readonly request_id: string | null
  readonly resources: ReadonlyArray<string>
}

/** Longer messages are more than a wallet can show. */
const maxLength = 16_384

const time = "[^\\n]+"

/** The grammar of EIP-4361, line by line. `instant` checks the times. */
const grammar = new RegExp(
  [
    `^(?:(?<scheme>${scheme})://)?(?<domain>${authority}) wants you to sign in with your Ethereum account:\\n`,
    "(?<address>0x[0-9A-Fa-f]{40})\\n",
    "\\n",
    `(?:(?<statement>[${uriCharacters} ]*)\\n)?`,
    "\\n",
    `URI: (?<uri>${uri})\\n`,
    "Version: 1\\n",
    "Chain ID: (?<chain_id>\\d+)\\n",
    "Nonce: (?<nonce>[A-Za-z0-9]{8,})\\n",
    `Issued At: (?<issued_at>${time})`,
    `(?:\\nExpiration Time: (?<expiration_time>${time}))?`,
    `(?:\\nNot Before: (?<not_before>${time}))?`,
    `(?:\\nRequest ID: (?<request_id>${pchar}*))?`,
    `(?:\\nResources:(?<resources>(?:\\n- ${uri})*))?$`,
  ].join(""),
)

/** Parses a message; none if it violates the grammar. Does not check the checksum of the address. */
export const parse = (text: string): Option.Option<SiweMessage> => {
  if (text.length > maxLength) return Option.none()
  const groups = grammar.exec(text)?.groups
  if (groups === undefined) return Option.none()

  const { domain = "", address = "", uri = "", nonce = "", resources = "" } = groups
  const times = Option.all([instant(groups["issued_at"] ?? ""), timeOf(groups["expiration_time"]), timeOf(groups["not_before"])])
  if (Option.isNone(times)) return Option.none()

  const [issued_at, expiration_time, not_before] = times.value
  return Option.some({
    scheme: groups["scheme"] ?? null,
    domain,
    address,
    statement: groups["statement"] ?? null,
    uri,
    chain_id: Number(groups["chain_id"]),
    nonce,
    issued_at,
    expiration_time,
    not_before,
    request_id: groups["request_id"] ?? null,
    resources: resources.split("\n- ").slice(1),
  })
}

/** Null for an optional time that is missing. */
const timeOf = (text: string | undefined) => (text === undefined ? Option.some(null) : instant(text))

/** The domain and chain that messages must name. */
interface Addressee {
  readonly domain: string
  readonly chain_id: number
}

/**
 * Why a signed message is refused; none if it is accepted. A message is valid from its `Not Before`, inclusive, to its
 * `Expiration Time`, exclusive.
 */
export const refusal = (message: SiweMessage, to: Addressee, now: DateTime.Utc): Option.Option<Refusal> => {
  if (message.domain !== to.domain) return Option.some(new InvalidMessage({ message: "The message is for another domain." }))
  if (message.chain_id !== to.chain_id) return Option.some(new InvalidMessage({ message: "The message is for another chain." }))
  if (message.not_before !== null && DateTime.isLessThan(now, message.not_before))
    return Option.some(new InvalidMessage({ message: "The message is not valid yet." }))
  if (message.expiration_time !== null && !DateTime.isLessThan(now, message.expiration_time)) return Option.some(new ExpiredMessage())
  return Option.none()
}
type Refusal = AuthError<"invalid_message" | "expired_message">

const authorityOnly = new RegExp(`^${authority}$`)

/** Whether a text is a valid domain of messages: a host with an optional port, without a scheme or a path. */
export const isDomain = (text: string): boolean => authorityOnly.test(text)
