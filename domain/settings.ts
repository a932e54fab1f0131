import { Context, Effect, Schema } from "effect"
import { isPrivateUrl } from "./values/url.ts"

// The core's configuration: the only place that defines the fields and their defaults.

/** Sets the default of an optional setting. */
export const orElse =
  <S extends Schema.Top>(value: S["Encoded"]) =>
  (schema: S) =>
    Schema.withDecodingDefaultKey<S>(Effect.succeed(value))(schema)

export const Positive = Schema.Int.check(Schema.isGreaterThan(0))

/** An integer in a range, both ends included. */
export const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

/** Longer durations would produce dates that cannot be represented. */
const hundredYears = 3_155_760_000

/** A duration in seconds. */
export const Seconds = between(1, hundredYears)
const section = <const Fields extends Schema.Struct.Fields>(fields: Fields) =>
  Schema.Struct(fields).pipe(Schema.withDecodingDefaultKey(Effect.succeed({} as Schema.Struct<Fields>["Encoded"])))

const isOrigin = (text: string) => {
  const url = URL.parse(text)
  return url !== null && url.origin === text && /^https?:$/.test(url.protocol)
}
const Origin = Schema.String.check(
  Schema.makeFilter(isOrigin, { expected: "an origin such as https://app.example.com, without a path or a slash at its end" }),
)
const TrustedOrigin = Schema.String.check(
  Schema.makeFilter((text: string) => isOrigin(text.replace(/^https:\/\/\*\./, "https://")), {
    expected: "an origin such as https://app.example.com or https://*.example.com, without a path or a slash at its end",
  }),
)

const aDomain = { expected: "a domain such as example.com, or null" }

const Cookie = Schema.Struct({
  /** Base name; with `host_prefix` and `secure` it becomes `__Host-<name>`. */
  name: Schema.String.check(Schema.isPattern(/^[A-Za-z0-9_-]+$/, { expected: "letters, digits, _ and -" })).pipe(orElse("session")),
  host_prefix: Schema.Boolean.pipe(orElse(true)),
  secure: Schema.Boolean.pipe(orElse(true)),
  http_only: Schema.Boolean.pipe(orElse(true)),
  same_site: Schema.Literals(["Lax", "Strict", "None"]).pipe(orElse("Lax")),
  /** Ignored when `host_prefix` is on. */
  domain: Schema.NullOr(Schema.String.check(Schema.isPattern(/^\.?[a-z0-9-]+(\.[a-z0-9-]+)*$/i, aDomain))).pipe(
    Schema.annotate(aDomain),
    orElse(null),
  ),
  path: Schema.String.check(
    Schema.isPattern(/^\/[\x21-\x3a\x3c-\x7e]*$/, { expected: "a path such as / or /api, without blanks and semicolons" }),
  ).pipe(orElse("/")),
})

const SessionSettings = Schema.Struct({
  /** Rolling lifetime, and Max-Age of the cookie, seconds. */
  expires_in: Seconds.pipe(orElse(604_800)),
  /** Time since the last refresh after which a request refreshes the session again, seconds. */
  update_age: between(0, hundredYears).pipe(orElse(86_400)),
  /** The maximum age of a proof of identity for sensitive operations, seconds. */
  fresh_age: Seconds.pipe(orElse(86_400)),
  /**
   * The maximum age of a proof of identity for changes to second factors and passkeys, and for all sensitive changes of users who have a
   * second factor or a passkey, seconds. A shorter `fresh_age` takes precedence.
   */
  step_up_age: Seconds.pipe(orElse(600)),
  /** The absolute lifetime of a session, seconds from its sign-in. */
  max_lifetime: Seconds.pipe(orElse(2_592_000)),
  /** Limit on the sessions of one user: a new one ends the oldest. A limit above 10 is only checked at some sign-ins. */
  max_per_user: between(1, 1000).pipe(orElse(100)),
})

const hidden = (isValid: (text: string) => boolean, expected: string) =>
  Schema.RedactedFromValue(Schema.String.check(Schema.makeFilter(isValid, { expected })))

const isBase64 = (text: string) => /^[A-Za-z0-9+/]{2,344}={0,2}$/.test(text) && text.length % 4 === 0

/** The keys and parameters that hashes of other systems need in addition to the stored hash. */
const ImportedPasswords = {
  /** The password hash parameters of a Firebase project, without `base64_` in their names. */
  firebase: Schema.Struct({
    signer_key: hidden(isBase64, "the base64_signer_key of the project"),
    salt_separator: Schema.String.check(Schema.makeFilter(isBase64, { expected: "the base64_salt_separator of the project" })).pipe(
      orElse("Bw=="),
    ),
    rounds: between(1, 128).pipe(orElse(8)),
    mem_cost: between(1, 20).pipe(orElse(14)),
  }).pipe(Schema.optionalKey),
  /** The pepper of a Devise application: `config.pepper`. */
  devise: Schema.Struct({ pepper: hidden((text) => text !== "", "the config.pepper of the application") }).pipe(Schema.optionalKey),
}

const EmailPassword = Schema.Struct({
  enabled: Schema.Boolean.pipe(orElse(false)),
  /** Unicode code points. */
  min_password_length: Positive.pipe(orElse(8)),
  /** Unicode code points. */
  max_password_length: Positive.pipe(orElse(128)),
  require_email_verification: Schema.Boolean.pipe(orElse(false)),
  /** The cost of Argon2id. The default is OWASP's minimum. */
  hash: section({
    memory_kib: between(8, 4_194_304).pipe(orElse(19_456)),
    passes: between(1, 1000).pipe(orElse(2)),
    lanes: between(1, 255).pipe(orElse(1)),
  }),
  /** The keys that the verification of hashes of other systems needs. */
  imported: section(ImportedPasswords),
  /** `common` refuses the most common passwords. */
  blocklist: Schema.Literals(["none", "common"]).pipe(orElse("none")),
  /** Refuses passwords known from data breaches, using the range API of Have I Been Pwned at `url`, or a mirror of it. */
  breached: section({
    enabled: Schema.Boolean.pipe(orElse(false)),
    url: Schema.String.check(
      Schema.makeFilter(isPrivateUrl, { expected: "a URL that begins with https://, or http:// on this machine" }),
    ).pipe(orElse("https://api.pwnedpasswords.com")),
  }),
})

const Budget = (limit: number, window: number) => section({ limit: Positive.pipe(orElse(limit)), window: Seconds.pipe(orElse(window)) })

const RateLimits = Schema.Struct({
  enabled: Schema.Boolean.pipe(orElse(true)),
  /** Where attempts are counted: in this process, or for all processes, in the database or in Redis. */
  store: Schema.Literals(["memory", "store", "redis"]).pipe(orElse("memory")),
  /**
   * Requests from one client address: all sign-ins, requests without a valid session or client credentials, and requests to endpoints that
   * do not look up the session or that issue a new credential.
   */
  requests: Budget(300, 60),
  /** Requests with the signed credential of one session. */
  session_requests: Budget(1200, 60),
  /** Requests with the credentials of one client of the identity provider. */
  client_requests: Budget(1200, 60),
  /** Failed sign-ins of one identifier from one client network, or from one browser that signed in before. */
  sign_in: Budget(10, 300),
  /** Failed sign-ins of one identifier from all client networks together. */
  sign_in_total: Budget(100, 300),
  /** Wrong passwords and codes that a signed-in user enters to confirm an operation. */
  proofs: Budget(10, 300),
  /** Messages for one purpose to one recipient. */
  messages: Budget(5, 600),
  /** Invitations that one user sends, to all recipients together. */
  invitations: Budget(30, 600),
  /** Short messages that one client network requests. */
  sms: Budget(100, 3600),
  /** Short messages to the numbers of one country: to numbers with an account, and the same to all others. */
  sms_country: Budget(500, 3600),
  /** Short messages of the whole service: to numbers with an account, and the same to all others. */
  sms_total: Budget(1000, 3600),
  /** Mails that one client network requests. */
  mail: Budget(300, 3600),
  /** Requested mails of the whole service: to verified addresses, and the same to all others. */
  mail_total: Budget(5000, 3600),
})

const Links = Schema.Struct({
  /** The page on which users sign in for the clients of the identity provider; set by the pages. Without it, clients get `login_required`. */
  sign_in: Schema.String.pipe(Schema.optionalKey),
  /** The page on which users choose the account for a client with `prompt=select_account`. */
  choose_account: Schema.String.pipe(Schema.optionalKey),
  /** The page on which users choose the organization for a client with the scope `organization`. */
  choose_organization: Schema.String.pipe(Schema.optionalKey),
  /** The page on which users allow or deny what a client requests. Without it, clients that need a consent get `consent_required`. */
  consent: Schema.String.pipe(Schema.optionalKey),
  /**
   * The page on which users sign in, for the mail to the owner of a verified address with which a visitor signs up or requests a
   * verification. Without it, no mail is sent.
   */
  existing_account: Schema.String.pipe(Schema.optionalKey),
  /**
   * The page on which users confirm the end of their session for a client. Without it, only a client that sends an ID token of the session
   * can end it.
   */
  sign_out: Schema.String.pipe(Schema.optionalKey),
  /** The page on which users enter the code that a device shows. */
  device: Schema.String.pipe(Schema.optionalKey),
  verify_email: Schema.String.pipe(Schema.optionalKey),
  reset_password: Schema.String.pipe(Schema.optionalKey),
  change_email: Schema.String.pipe(Schema.optionalKey),
  magic_link: Schema.String.pipe(Schema.optionalKey),
  invitation: Schema.String.pipe(Schema.optionalKey),
})

const hexColour = Schema.String.check(Schema.isPattern(/^#[0-9a-fA-F]{6}$/, { expected: "a colour such as #3451b2" }))
const Colour = Schema.Union([hexColour, Schema.Struct({ light: hexColour, dark: hexColour })]).pipe(
  Schema.annotate({ expected: "a colour such as #3451b2, or an object with `light` and `dark`" }),
  Schema.optionalKey,
)
const PageUrl = Schema.String.check(
  Schema.makeFilter((text: string) => /^https?:$|^mailto:$/.test(URL.parse(text)?.protocol ?? ""), {
    expected: "a URL that begins with https://, http:// or mailto:",
  }),
).pipe(Schema.optionalKey)
const File = Schema.NonEmptyString.pipe(Schema.optionalKey)

/** The name of the service unless the configuration has one. */
export const defaultName = "Sallyport"

/** The name and look of the service in pages and mails. */
const Branding = Schema.Struct({
  name: Schema.String.check(Schema.isPattern(/^[^\p{C}]{1,64}$/u, { expected: "a name of at most 64 characters" })).pipe(
    orElse(defaultName),
  ),
  /** Files of images, relative to the working directory. */
  logo: File,
  logo_dark: File,
  favicon: File,
  colors: section({
    brand: Colour,
    on_brand: Colour,
    page: Colour,
    surface: Colour,
    field: Colour,
    text: Colour,
    muted: Colour,
    border: Colour,
    focus: Colour,
    danger: Colour,
    success: Colour,
  }),
  radius: Schema.String.check(Schema.isPattern(/^\d{1,3}(\.\d+)?(px|rem|em)$/, { expected: "a length such as 8px or 0.5rem" })).pipe(
    orElse("0.5rem"),
  ),
  /** A list of font families that the visitor's system has. */
  font: Schema.String.check(Schema.isPattern(/^[\w\s"',-]{1,200}$/, { expected: "a list of font families" })).pipe(
    orElse('system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif'),
  ),
  links: section({ terms: PageUrl, privacy: PageUrl, support: PageUrl }),
  /** A file of further style rules for the pages. */
  css: File,
})

/** The core's configuration fields, without `secret` and the settings of the process (`adapters/config`). */
export const fields = {
  public_url: Origin.pipe(orElse("http://localhost:3000")),
  base_path: Schema.String.check(
    Schema.isPattern(/^(\/[A-Za-z0-9._~-]+)*$/, {
      expected: "a path such as /api/auth, without a slash at its end; an empty text is the root",
    }),
  ).pipe(orElse("/api/auth")),
  trusted_origins: Schema.Array(TrustedOrigin).pipe(orElse([])),
  trusted_proxies: Schema.Array(
    Schema.String.check(Schema.isPattern(/^[0-9a-fA-F:.]+\/\d{1,3}$/, { expected: "a network such as 10.0.0.0/8" })),
  ).pipe(orElse([])),
  max_body_bytes: Positive.pipe(orElse(1_048_576)),
  /** For how long the work for one request may wait for the store, seconds. */
  request_timeout: between(1, 60).pipe(orElse(5)),
  cookie: Cookie.pipe(orElse({})),
  session: SessionSettings.pipe(orElse({})),
  email_password: EmailPassword.pipe(orElse({})),
  rate_limit: RateLimits.pipe(orElse({})),
  links: Links.pipe(orElse({})),
  branding: Branding.pipe(orElse({})),
  account: section({
    /** What the first verification of an address does to an account that never had a verified one: `reset` removes the credentials added before it. */
    unverified_takeover: Schema.Literals(["reset", "keep"]).pipe(orElse("reset")),
  }),
} as const

const SettingsSchema = Schema.Struct(fields)
export type SettingsValue = typeof SettingsSchema.Type

/** Decodes the core's settings and fills in defaults. */
export const decode = Schema.decodeUnknownEffect(SettingsSchema)

export class Settings extends Context.Service<Settings, SettingsValue>()("sallyport/Settings") {}
