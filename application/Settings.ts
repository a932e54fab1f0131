import { Context, Effect, Schema } from "effect"

// The configuration of the core, in the words of its reference. Each field has its default here and nowhere else.

/** The default of a setting that is left out. */
export const orElse =
  <S extends Schema.Top>(value: S["Encoded"]) =>
  (schema: S) =>
    Schema.withDecodingDefaultKey<S>(Effect.succeed(value))(schema)

/** A count, or a time in seconds. */
export const Positive = Schema.Int.check(Schema.isGreaterThan(0))
const Seconds = Positive
const section = <const Fields extends Schema.Struct.Fields>(fields: Fields) =>
  Schema.Struct(fields).pipe(Schema.withDecodingDefaultKey(Effect.succeed({} as Schema.Struct<Fields>["Encoded"])))

const isOrigin = (text: string) => {
  const url = URL.parse(text)
  return url !== null && url.origin === text && /^https?:$/.test(url.protocol)
}
const Origin = Schema.String.check(Schema.makeFilter(isOrigin, { expected: "an origin such as https://app.example.com, without a path" }))
const TrustedOrigin = Schema.String.check(
  Schema.makeFilter((text: string) => isOrigin(text.replace(/^https:\/\/\*\./, "https://")), {
    expected: "an origin such as https://app.example.com or https://*.example.com",
  }),
)

export const Cookie = Schema.Struct({
  /** Base name; with `host_prefix` and `secure` it becomes `__Host-<name>`. */
  name: Schema.String.check(Schema.isPattern(/^[A-Za-z0-9_-]+$/)).pipe(orElse("session")),
  host_prefix: Schema.Boolean.pipe(orElse(true)),
  secure: Schema.Boolean.pipe(orElse(true)),
  http_only: Schema.Boolean.pipe(orElse(true)),
  same_site: Schema.Literals(["Lax", "Strict", "None"]).pipe(orElse("Lax")),
  /** Ignored when `host_prefix` is on. */
  domain: Schema.NullOr(Schema.String).pipe(orElse(null)),
  path: Schema.String.check(Schema.isStartingWith("/")).pipe(orElse("/")),
})

export const SessionSettings = Schema.Struct({
  /** Rolling lifetime and the cookie's Max-Age, seconds. */
  expires_in: Seconds.pipe(orElse(604_800)),
  /** Age of the last refresh after which a use refreshes again, seconds. */
  update_age: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)).pipe(orElse(86_400)),
  /** How long after its start a session may do what is sensitive, seconds. */
  fresh_age: Seconds.pipe(orElse(86_400)),
  /** End of a session whatever happens, seconds from its start. */
  max_lifetime: Seconds.pipe(orElse(2_592_000)),
})

export const EmailPassword = Schema.Struct({
  enabled: Schema.Boolean.pipe(orElse(false)),
  /** Unicode code points. */
  min_password_length: Positive.pipe(orElse(8)),
  /** Unicode code points. */
  max_password_length: Positive.pipe(orElse(128)),
  require_email_verification: Schema.Boolean.pipe(orElse(false)),
  /** Argon2id's cost: OWASP's minimum by default. */
  hash: section({
    memory_kib: Positive.pipe(orElse(19_456)),
    passes: Positive.pipe(orElse(2)),
    lanes: Positive.pipe(orElse(1)),
  }),
  /** `common` refuses the most common passwords. */
  blocklist: Schema.Literals(["none", "common"]).pipe(orElse("none")),
})

const Budget = (limit: number, window: number) => section({ limit: Positive.pipe(orElse(limit)), window: Seconds.pipe(orElse(window)) })

export const RateLimits = Schema.Struct({
  enabled: Schema.Boolean.pipe(orElse(true)),
  /** Where tries are counted: in this process, or in the database for all processes. */
  store: Schema.Literals(["memory", "store"]).pipe(orElse("memory")),
  /** Requests of one client address, over all paths. */
  requests: Budget(300, 60),
  /** Failed sign-ins of one identifier. */
  sign_in: Budget(10, 300),
  /** Messages sent to one identifier. */
  messages: Budget(5, 600),
  /** Invitations that one user sends, to whomever. */
  invitations: Budget(30, 600),
})

export const Links = Schema.Struct({
  verify_email: Schema.String.pipe(Schema.optionalKey),
  reset_password: Schema.String.pipe(Schema.optionalKey),
  change_email: Schema.String.pipe(Schema.optionalKey),
  magic_link: Schema.String.pipe(Schema.optionalKey),
  invitation: Schema.String.pipe(Schema.optionalKey),
})

/** What the core can be told; `secret` and the process's own keys stand beside it. */
export const fields = {
  public_url: Origin.pipe(orElse("http://localhost:3000")),
  base_path: Schema.String.check(Schema.isPattern(/^(\/[A-Za-z0-9._~-]+)*$/)).pipe(orElse("/api/auth")),
  trusted_origins: Schema.Array(TrustedOrigin).pipe(orElse([])),
  trusted_proxies: Schema.Array(
    Schema.String.check(Schema.isPattern(/^[0-9a-fA-F:.]+\/\d{1,3}$/, { expected: "a network such as 10.0.0.0/8" })),
  ).pipe(orElse([])),
  max_body_bytes: Positive.pipe(orElse(1_048_576)),
  cookie: Cookie.pipe(orElse({})),
  session: SessionSettings.pipe(orElse({})),
  email_password: EmailPassword.pipe(orElse({})),
  rate_limit: RateLimits.pipe(orElse({})),
  links: Links.pipe(orElse({})),
  account: section({
    /** What becomes of an account whose address was never verified, once somebody proves that the address is theirs. */
    unverified_takeover: Schema.Literals(["reset", "keep"]).pipe(orElse("reset")),
  }),
} as const

const Schema_ = Schema.Struct(fields)
export type SettingsValue = typeof Schema_.Type

/** The core's settings with defaults filled in; fails on values that cannot hold. */
export const decode = Schema.decodeUnknownEffect(Schema_)

export class Settings extends Context.Service<Settings, SettingsValue>()("sallyport/Settings") {}
